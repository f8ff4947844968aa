"""The life of a round: paired as a draft, published, closed, and each step undone.

Pairings are computed outside any transaction, because that may take long, and written inside a short one. The write is
refused (`results_moved`) if anything that the pairing was computed from has changed in the meantime.
"""

from dataclasses import dataclass, replace
from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.accounts.models import User
from tournaments.common.idempotency import writing
from tournaments.common.refusals import Refusal
from tournaments.decks.selectors import is_drafted, without_legal_list
from tournaments.decks.services import lock_late, unlock_late
from tournaments.events.access import plays
from tournaments.events.models import Entrant, Event, Stage
from tournaments.events.selectors import enumerated, incomplete_teams
from tournaments.play.boards import games_of, open_boards
from tournaments.play.draws import Draw, Seated, draw
from tournaments.play.field import entered, is_decided, played_out, round_seed
from tournaments.play.models import Board, BoardReport, Clock, Game, Loss, Match, Report, Round, Seat, TimeExtension
from tournaments.play.pairing_inputs import PairingInputs, cannot_pair, pairing_inputs_of
from tournaments.play.selectors import last_round, last_round_of, paired_in, seeds_used, waiting_tables
from tournaments.play.services.entries import record
from tournaments.play.services.losses import BY_LOSS, serve_losses, unserve_losses
from tournaments.play.services.results import results_moved
from tournaments.swiss.field import ALONE_POINTS, SwissError
from tournaments.swiss.options import AWARDS


@dataclass(frozen=True)
class Plan:
    """A round that is computed but not written, with what it was computed from.

    `version` is the stage's `results_version` at that time.
    """

    stage: Stage
    number: int
    seed: int
    version: int
    drawn: Draw
    inputs: PairingInputs
    by_id: dict[str, Entrant]


def pair_round(*, stage: Stage, by: User, now: datetime, acknowledged: bool = False) -> Round:
    """Pair the next round of a stage as a draft that only staff see.

    The seed follows from the stage's seed, so anyone can compute the pairings again. How the round is seated depends on
    the stage's structure (`play.draws`). A round in which nobody meets is refused (`nobody_meets`) unless
    `acknowledged`.
    """
    plan = plan_round(stage, acknowledged=acknowledged)
    with writing():
        return write_round(plan, by, now)


def close_and_pair(*, round_: Round, by: User, now: datetime, acknowledged: bool = False) -> Round:
    """Close a round and pair the next one as a draft, in one transaction. `acknowledged` is as for `pair_round`."""
    # Pairing a large field takes long: it is done before anything is locked, and checked when it is written.
    plan = plan_after(round_, acknowledged=acknowledged)
    with writing():
        plan = close_planned(round_, plan, by, now)
        return write_round(plan, by, now)


def pair_again(*, round_: Round, by: User, now: datetime) -> Round:
    """Discard a draft and pair its round again, in one transaction."""
    stage = Stage.objects.select_related("event").get(pk=round_.stage_id)
    _refuse_unless_draft(round_)
    # `reseed` counts the draft that is discarded below, because `seeds_used` does not know of it yet.
    # That nobody meets was acknowledged for the draft that is discarded.
    plan = plan_round(stage, discarded=round_, reseed=not plays(by, stage.event), acknowledged=True)
    with writing():
        discard_draft(round_=round_, by=by, now=now)
        return write_round(plan, by, now)


def plan_round(
    stage: Stage,
    *,
    closed: Round | None = None,
    discarded: Round | None = None,
    reseed: bool = False,
    acknowledged: bool = False,
) -> Plan:
    """Compute the next round of a stage, outside any transaction.

    The round is computed as it will be once the round `closed` is closed, or the draft `discarded` is discarded. With
    `reseed`, another seed than before is used. `acknowledged` is as for `pair_round`.
    """
    stage = Stage.objects.select_related("event").get(pk=stage.pk)
    number = _next_number(stage, closed, discarded)
    entrants = list(entered(stage))
    _refuse_nobody(stage, entrants)
    seed = round_seed(stage, number, seeds_used(stage, number) + reseed)
    inputs = pairing_inputs_of(stage, number, entrants)
    try:
        drawn = draw(stage, number, entrants, seed, inputs)
    except SwissError as error:
        raise cannot_pair(error)
    if not acknowledged:
        _refuse_if_nobody_meets(stage, drawn)
    by_id = {entrant.public_id: entrant for entrant in entrants}
    return Plan(stage, number, seed, stage.results_version, drawn, inputs, by_id)


def _refuse_nobody(stage: Stage, entrants: list[Entrant]) -> None:
    left = sum(entrant.status == Entrant.Status.REGISTERED for entrant in entrants)
    if left == 0 or (left == 1 and stage.is_tables):
        raise Refusal("nobody_to_pair", _("Nobody is left to pair: add players, or end the stage here."))


def _refuse_if_nobody_meets(stage: Stage, drawn: Draw) -> None:
    """Refuse a round of byes alone. In a bracket it is one step of its plan, such as byes in the losers’ bracket."""
    if stage.is_bracket or any(len(table.ids) > 1 for table in drawn.tables):
        return
    alone = [player for table in drawn.tables for player in table.ids]
    sentence = ngettext(
        "Nobody would meet in this round: only %(count)d player is left, who would get a bye.",
        "Nobody would meet in this round: each of the %(count)d players would get a bye.",
        len(alone),
    )
    raise Refusal("nobody_meets", sentence % {"count": len(alone)}, details=alone)


def plan_after(round_: Round, *, acknowledged: bool = False) -> Plan:
    """Compute the round that follows `round_`, which can be closed but is still open.

    `acknowledged` is as for `pair_round`.
    """
    round_ = Round.objects.select_related("stage__event").get(pk=round_.pk)
    _refuse_unless_closable(round_, round_.stage.event)
    if round_.status != Round.Status.PUBLISHED:
        raise _not_open()
    return plan_round(round_.stage, closed=round_, acknowledged=acknowledged)


def write_round(plan: Plan, by: User, now: datetime) -> Round:
    """Write a planned round as a draft, inside a transaction.

    Raises Refusal `already_paired` if somebody else has just paired the round, `results_moved` if what the plan was
    computed from has changed.
    """
    try:
        with transaction.atomic():
            return _write(plan, by, now)
    except IntegrityError:  # a stage has one round of each number, and one that is not closed
        raise Refusal("already_paired", _("Somebody else has just paired this round."))


def close_planned(round_: Round, plan: Plan, by: User, now: datetime) -> Plan:
    """Close a round inside the transaction that writes the next one, and return the plan for that write.

    The returned plan has the version of the results after closing. Raises Refusal `results_moved` if a result has
    changed since the plan was computed.
    """
    before, version = _close(round_, by, now)
    if before != plan.version:
        raise results_have_moved()
    return replace(plan, version=version)


def results_have_moved() -> Refusal:
    """The refusal for a plan whose inputs have changed."""
    return Refusal("results_moved", _("Something changed while the round was being paired. Pair it again."))


def _next_number(stage: Stage, closed: Round | None, discarded: Round | None) -> int:
    """The number of the round to pair. Raises the refusal that says why none can be paired.

    `closed` and `discarded` are as for `plan_round`.
    """
    if stage.event.status != Event.Status.RUNNING:
        raise Refusal("event_state", _("The event is not running."))
    _refuse_incomplete_teams(stage.event)
    last = last_round(stage)
    # As if the draft were gone: the round before it decides what can be paired.
    if last is not None and last == discarded:
        last = stage.rounds.filter(number__lt=last.number).order_by("-number").first()
    if last is None:
        _refuse_without_lists(stage)
        if is_decided(stage, None):
            raise _nothing_left(stage)
        return stage.first_round
    if last == closed:
        # In memory only: the plan is made as if the round were closed already.
        last.status = Round.Status.CLOSED
    if last.status == Round.Status.DRAFT:
        raise Refusal("already_paired", _("This round is already paired; its pairings are a draft."))
    if last.status != Round.Status.CLOSED:
        tables = list(waiting_tables(last).values_list("table", flat=True))
        raise Refusal("results_missing", _("The previous round is not closed."), details=tables)
    if played_out(stage, last):
        raise _nothing_left(stage)
    return last.number + 1


def _nothing_left(stage: Stage) -> Refusal:
    if stage.is_bracket or stage.kind == Stage.Kind.ROUND_ROBIN:
        return Refusal("rounds_over", _("Everything in this stage is decided: no round is left to play."))
    return Refusal("rounds_over", _("All planned rounds are played."))


def _refuse_incomplete_teams(event: Event) -> None:
    """Refuse to pair a round while a team has a board without a player."""
    teams = incomplete_teams(event)
    if missing := sorted(teams.values_list("public_id", flat=True)):
        words = _("Some teams have a board without a player. Complete or drop them: %(names)s")
        raise Refusal("team_incomplete", words % {"names": enumerated(teams)}, details=missing)


def _refuse_without_lists(stage: Stage) -> None:
    """Refuse to pair the first round of a drafted stage while legal decklists are missing.

    Its cards are drafted after the stage has started, so the start cannot ask for the lists.
    """
    missing = without_legal_list(stage) if is_drafted(stage) else []
    if missing:
        raise Refusal(
            "not_ready",
            _("Some players have drafted and have no legal decklist yet: wait for their lists, or drop them."),
            details=sorted(entrant.public_id for entrant in missing),
        )


def _write(plan: Plan, by: User, now: datetime) -> Round:
    stage, number, drawn = plan.stage, plan.number, plan.drawn
    # The event's row is locked first, as in every service: see the order of locks in CONTRIBUTING.md.
    event = Event.objects.select_for_update().get(pk=stage.event_id)
    record(
        event,
        by,
        "round.paired",
        now,
        object=f"r{number}",
        after={"seed": plan.seed, "algorithm": drawn.algorithm, "pairs": [list(table.ids) for table in drawn.tables]},
    )
    # `record` has locked the head of the ledger, which every change of a result needs: results cannot change from
    # here to the end of the transaction.
    _refuse_if_moved(plan, event)
    round_ = Round.objects.create(
        stage=stage,
        number=number,
        seed=plan.seed,
        results_version=plan.version,
        algorithm=drawn.algorithm,
        cost=dict(drawn.cost),
        certified=drawn.certified,
        wishes=plan.inputs.as_json(),
        created_at=now,
    )
    matches = [_match(round_, seated, drawn) for seated in drawn.tables]
    Match.objects.bulk_create(matches)
    Seat.objects.bulk_create(
        Seat(round=round_, match=match, number=place, entrant=plan.by_id[entrant])
        for match, seated in zip(matches, drawn.tables, strict=True)
        for place, entrant in enumerate(seated.ids, 1)
    )
    return round_


def _refuse_if_moved(plan: Plan, event: Event) -> None:
    """Refuse to write a pairing whose results, entrants or inputs are no longer current."""
    fresh = Stage.objects.select_related("event").get(pk=plan.stage.pk)
    # Forbidden pairs, clubs, byes and fixed tables do not change the version of the results: the inputs are compared.
    entrants = list(entered(fresh))
    alive = {entrant.public_id for entrant in entrants if entrant.status == Entrant.Status.REGISTERED}
    expected = {entrant.public_id for entrant in plan.by_id.values() if entrant.status == Entrant.Status.REGISTERED}
    same = (
        fresh.results_version == plan.version
        and event.status == Event.Status.RUNNING
        and alive == expected
        and pairing_inputs_of(fresh, plan.number, entrants) == plan.inputs
    )
    if not same:
        raise results_have_moved()


def _match(round_: Round, seated: Seated, drawn: Draw) -> Match:
    flags = {entrant: list(drawn.flags[entrant]) for entrant in seated.ids if drawn.flags.get(entrant)}
    kind = Match.Kind.PLAYED if len(seated.ids) > 1 else Match.Kind(seated.bye)
    return Match(round=round_, table=seated.table, kind=kind, flags=flags, node=seated.node)


def discard_draft(*, round_: Round, by: User, now: datetime) -> None:
    """Discard a draft, so that its round can be paired again.

    The next pairing uses another seed, unless whoever discards the draft plays the event: players must not be able to
    redraw until they like the pairings.
    """
    with writing():
        stage = Stage.objects.select_related("event").get(pk=round_.stage_id)
        Event.objects.select_for_update().get(pk=stage.event_id)
        _refuse_unless_draft(round_)
        Seat.objects.filter(round=round_).delete()
        Round.objects.filter(pk=round_.pk).delete()
        reseed = not plays(by, stage.event)
        record(stage.event, by, "round.discarded", now, object=f"r{round_.number}", after={"reseed": reseed})


def _refuse_unless_draft(round_: Round) -> None:
    if not Round.objects.filter(pk=round_.pk, status=Round.Status.DRAFT).exists():
        raise Refusal("not_a_draft", _("These pairings are published."))


def publish_round(*, round_: Round, by: User, now: datetime) -> None:
    """Publish the pairings of a draft, with a clock that is ready to start. Byes count from now on.

    Raises Refusal `not_a_draft`, or `results_moved` if a result has changed since the draft was paired: its pairings
    are then outdated.
    """
    with transaction.atomic():
        stage = Stage.objects.select_related("event").get(pk=round_.stage_id)
        Event.objects.select_for_update().get(pk=stage.event_id)
        draft = Round.objects.filter(pk=round_.pk, status=Round.Status.DRAFT)
        if not draft.update(status=Round.Status.PUBLISHED, published_at=now):
            raise Refusal("not_a_draft", _("These pairings have been published or discarded."))
        Clock.objects.create(round=round_, seconds=60 * stage.round_minutes)
        played = Match.objects.filter(round=round_, table__isnull=False)
        # Logs are submitted for a game, so the games must exist while the round is played.
        Game.objects.bulk_create(
            Game(match=match, number=number) for match in played for number in range(1, games_of(stage) + 1)
        )
        open_boards(stage, played)
        Match.objects.filter(round=round_, kind__in=AWARDS).update(games_drawn=0, authority=Match.Authority.AGREED)
        for kind in AWARDS:
            won = stage.games // 2 + 1 if kind == Match.Kind.BYE else 0
            Seat.objects.filter(round=round_, match__kind=kind).update(games_won=won, points=ALONE_POINTS[kind])
        # Written before the check below, because it locks the ledger: no result can change after the check.
        entry = record(stage.event, by, "round.published", now, object=f"r{round_.number}")
        if Stage.objects.get(pk=stage.pk).results_version != round_.results_version:
            raise Refusal("results_moved", _("A result has changed since then. Discard the draft and pair again."))
        results_moved(stage, entry.number, now)
        lock_late(entrants=paired_in(round_), now=now)
        serve_losses(round_, by, now)


def close_round(*, round_: Round, by: User, now: datetime) -> None:
    """Close a round in which every result counts. Standings include it, and the next round can be paired.

    Raises Refusal `results_missing` with the tables that have no result or a disputed one.
    """
    with writing():
        _close(round_, by, now)


def _close(round_: Round, by: User, now: datetime) -> tuple[int, int]:
    """Close a round inside a transaction.

    Returns the version of the results before closing, and the new one.
    """
    stage = Stage.objects.select_related("event").get(pk=round_.stage_id)
    _refuse_unless_closable(round_, Event.objects.select_for_update().get(pk=stage.event_id))
    published = Round.objects.filter(pk=round_.pk, status=Round.Status.PUBLISHED)
    if not published.update(status=Round.Status.CLOSED, closed_at=now):
        raise _not_open()
    entry = record(stage.event, by, "round.closed", now, object=f"r{round_.number}")
    # Read after `record` has locked the ledger, so that no result can change in between.
    before = Stage.objects.get(pk=stage.pk).results_version
    results_moved(stage, entry.number, now)
    return before, entry.number


def _refuse_unless_closable(round_: Round, event: Event) -> None:
    _refuse_if_not_running(event)
    tables = list(waiting_tables(round_).values_list("table", flat=True))
    if tables:
        raise Refusal("results_missing", _("Some results are missing or contested."), details=tables)


def _not_open() -> Refusal:
    return Refusal("round_state", _("This round is not open."))


def unpublish_round(*, round_: Round, by: User, now: datetime) -> None:
    """Make a published round a draft again.

    Raises Refusal `round_begun` once anything was done in it: a report, a log, a clock that runs (see `has_begun`).
    """
    with transaction.atomic():
        stage = Stage.objects.select_related("event").get(pk=round_.stage_id)
        event = Event.objects.select_for_update().get(pk=stage.event_id)
        _refuse_if_not_running(event)
        # Reports lock the match, so none can come in between the check and the change.
        list(Match.objects.select_for_update().filter(round=round_).order_by("pk"))
        fresh = Round.objects.filter(pk=round_.pk, status=Round.Status.PUBLISHED).first()
        if fresh is None:
            raise _not_open()
        if has_begun(round_, now):
            raise Refusal("round_begun", _("This round has begun: its pairings can no longer change."))
        Clock.objects.filter(round=round_).delete()
        Game.objects.filter(match__round=round_).delete()
        Board.objects.filter(match__round=round_).delete()
        Match.objects.filter(round=round_, kind__in=AWARDS).update(games_drawn=None, authority="")
        unserve_losses(round_, by, now)
        # The lists that publishing locked are recognized by its time.
        unlock_late(entrants=paired_in(round_), locked_at=fresh.published_at or now)
        Match.objects.filter(round=round_).update(starts=None)
        Seat.objects.filter(round=round_).update(games_won=None, points=None, rank=None)
        Round.objects.filter(pk=round_.pk).update(status=Round.Status.DRAFT, published_at=None)
        entry = record(event, by, "round.unpublished", now, object=f"r{round_.number}")
        results_moved(stage, entry.number, now)
        # Otherwise this very entry would make the draft look outdated, and it could not be published again.
        Round.objects.filter(pk=round_.pk).update(results_version=entry.number)


def has_begun(round_: Round, now: datetime) -> bool:
    """Whether anything was done at a table of the round, or its clock has started.

    A clock that is to start after `now` has not.
    """
    traces = (
        Report.objects.filter(match__round=round_),
        BoardReport.objects.filter(board__match__round=round_),
        Clock.objects.filter(round=round_, started_at__lte=now),
        Game.objects.filter(match__round=round_, logs__isnull=False),
        TimeExtension.objects.filter(match__round=round_),
        Match.objects.filter(round=round_, calls__isnull=False),
        Match.objects.filter(round=round_, deck_checks__isnull=False),
        Loss.objects.filter(seat__round=round_, carried=False),
        # A result that only a carried-over loss made does not count: unpublishing takes it back (`unserve_losses`).
        Match.objects.filter(round=round_, table__isnull=False, games_drawn__isnull=False).exclude(
            kind__in=BY_LOSS, seats__losses__carried=True
        ),
    )
    return any(trace.exists() for trace in traces)


def undo_open(round_: Round, now: datetime) -> str:
    """The step of a round that can be undone at `now`: "unpublish", "reopen", or "" for none. Pages offer only that."""
    stage = round_.stage
    if stage.event.status != Event.Status.RUNNING:
        return ""
    if round_.status == Round.Status.PUBLISHED:
        return "" if has_begun(round_, now) else "unpublish"
    closed = round_.status == Round.Status.CLOSED
    return "reopen" if closed and not _is_followed(round_, stage.event) else ""


def _is_followed(round_: Round, event: Event) -> bool:
    """Whether another round was paired after this one, or a later stage has started."""
    last = last_round_of(event)
    started_later = event.stages.filter(number__gt=round_.stage.number, started_at__isnull=False).exists()
    return last is None or last.pk != round_.pk or started_later


def reopen_round(*, round_: Round, by: User, now: datetime) -> None:
    """Open a closed round again; standings then leave it out.

    Raises Refusal `round_followed` once a later round is paired or a later stage has started.
    """
    with transaction.atomic():
        stage = Stage.objects.select_related("event").get(pk=round_.stage_id)
        event = Event.objects.select_for_update().get(pk=stage.event_id)
        _refuse_if_not_running(event)
        if _is_followed(round_, event):
            raise Refusal("round_followed", _("Something that came after this round depends on it: undo that first."))
        closed = Round.objects.filter(pk=round_.pk, status=Round.Status.CLOSED)
        if not closed.update(status=Round.Status.PUBLISHED, closed_at=None):
            raise Refusal("round_state", _("This round is not closed."))
        entry = record(event, by, "round.reopened", now, object=f"r{round_.number}")
        results_moved(stage, entry.number, now)


def _refuse_if_not_running(event: Event) -> None:
    if event.status != Event.Status.RUNNING:
        raise Refusal("event_state", _("The event is not running."))
