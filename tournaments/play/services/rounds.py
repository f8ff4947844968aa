"""A round's life: paired as a draft, published, closed. Computed outside the transaction, written inside one."""

from dataclasses import dataclass, replace
from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.idempotency import writing
from tournaments.common.refusals import Refusal
from tournaments.decks.selectors import is_drafted, without_legal_list
from tournaments.decks.services import lock_late, unlock_late
from tournaments.events.access import plays
from tournaments.events.models import Entrant, Event, Stage
from tournaments.play.draws import Draw, Seated, draw
from tournaments.play.field import entered, played_out, round_seed
from tournaments.play.models import Clock, Game, Loss, Match, Report, Round, Seat, TimeExtension
from tournaments.play.selectors import last_round, last_round_of, paired_in, seeds_used, waiting_tables
from tournaments.play.services.entries import record
from tournaments.play.services.losses import BY_LOSS, hold_back, serve_losses
from tournaments.play.services.results import results_moved
from tournaments.play.wishes import Wishes, cannot_pair, wishes_of
from tournaments.swiss.field import ALONE_POINTS, SwissError
from tournaments.swiss.options import AWARDS


@dataclass(frozen=True)
class Plan:
    """A round that is computed and not written: from what, and what came of it. `version` is that of the results."""

    stage: Stage
    number: int
    seed: int
    version: int
    drawn: Draw
    wishes: Wishes
    by_id: dict[str, Entrant]


def pair_round(*, stage: Stage, by: User, now: datetime) -> Round:
    """Pair the next round as a draft that staff alone see, from a seed that anyone can compute again.

    The structure of the stage says how: `play.draws` is the one door to it.
    """
    plan = plan_round(stage)
    with writing():
        return write_round(plan, by, now)


def close_and_pair(*, round_: Round, by: User, now: datetime) -> Round:
    """Close a round and pair the next as a draft: both or neither."""
    plan = plan_after(round_)
    with writing():
        plan = close_planned(round_, plan, by, now)
        return write_round(plan, by, now)


def pair_again(*, round_: Round, by: User, now: datetime) -> Round:
    """Throw a draft away and pair its round once more: both or neither."""
    stage = Stage.objects.select_related("event").get(pk=round_.stage_id)
    _refuse_unless_draft(round_)
    plan = plan_round(stage, discarded=round_, reseed=not plays(by, stage.event))
    with writing():
        discard_draft(round_=round_, by=by, now=now)
        return write_round(plan, by, now)


def plan_round(
    stage: Stage, *, closed: Round | None = None, discarded: Round | None = None, reseed: bool = False
) -> Plan:
    """Compute the next round of a stage, outside any transaction.

    It is computed as it will be once `closed` is closed, or the draft `discarded` is thrown away, with `reseed` for
    another seed.
    """
    stage = Stage.objects.select_related("event").get(pk=stage.pk)
    number = _next_number(stage, closed, discarded)
    entrants = list(entered(stage))
    seed = round_seed(stage, number, seeds_used(stage, number) + reseed)
    wishes = wishes_of(stage, number, entrants)
    try:
        drawn = draw(stage, number, entrants, seed, wishes)
    except SwissError as error:
        raise cannot_pair(error)
    by_id = {entrant.public_id: entrant for entrant in entrants}
    return Plan(stage, number, seed, stage.results_version, drawn, wishes, by_id)


def plan_after(round_: Round) -> Plan:
    """Compute the round after one that can be closed and is not yet."""
    round_ = Round.objects.select_related("stage__event").get(pk=round_.pk)
    _refuse_unless_closable(round_, round_.stage.event)
    if round_.status != Round.Status.PUBLISHED:
        raise _not_open()
    return plan_round(round_.stage, closed=round_)


def write_round(plan: Plan, by: User, now: datetime) -> Round:
    """Write a planned round as a draft, inside a transaction; refused when it was computed from what is no more."""
    try:
        with transaction.atomic():
            return _write(plan, by, now)
    except IntegrityError:
        raise Refusal("already_paired", _("Somebody else has just paired this round."))


def close_planned(round_: Round, plan: Plan, by: User, now: datetime) -> Plan:
    """Close a round, inside the transaction that writes the planned next one; the plan, as of the results closed."""
    before, version = _close(round_, by, now)
    if before != plan.version:
        raise results_have_moved()
    return replace(plan, version=version)


def results_have_moved() -> Refusal:
    """What a plan was computed from is no more."""
    return Refusal("results_moved", _("Something changed while the round was being paired. Pair it again."))


def _next_number(stage: Stage, closed: Round | None, discarded: Round | None) -> int:
    """The round to pair, or the reason why none can be; `closed` and `discarded` as for `plan_round`."""
    if stage.event.status != Event.Status.RUNNING:
        raise Refusal("event_state", _("The event is not running."))
    last = last_round(stage)
    if last is not None and last == discarded:
        last = stage.rounds.filter(number__lt=last.number).order_by("-number").first()
    if last is None:
        _refuse_without_lists(stage)
        return stage.first_round
    if last == closed:
        last.status = Round.Status.CLOSED
    if last.status == Round.Status.DRAFT:
        raise Refusal("already_paired", _("This round is paired already; its pairings are a draft."))
    if last.status != Round.Status.CLOSED:
        tables = list(waiting_tables(last).values_list("table", flat=True))
        raise Refusal("results_missing", _("The round before is not closed."), details=tables)
    if played_out(stage, last):
        raise Refusal("rounds_over", _("All planned rounds are played."))
    return last.number + 1


def _refuse_without_lists(stage: Stage) -> None:
    """Cards are drafted once a stage has started, so its lists are asked for when its first round is paired."""
    missing = without_legal_list(stage) if is_drafted(stage) else []
    if missing:
        raise Refusal(
            "not_ready",
            _("Some players have drafted and have no legal decklist yet: wait for their lists, or drop them."),
            details=sorted(entrant.public_id for entrant in missing),
        )


def _write(plan: Plan, by: User, now: datetime) -> Round:
    stage, number, drawn = plan.stage, plan.number, plan.drawn
    event = Event.objects.select_for_update().get(pk=stage.event_id)
    record(
        event,
        by,
        "round.paired",
        now,
        object=f"r{number}",
        after={"seed": plan.seed, "algorithm": drawn.algorithm, "pairs": [list(table.ids) for table in drawn.tables]},
    )
    # Whoever changes a result holds the ledger's head until the end: from here on the results stand still.
    _refuse_if_moved(plan, event)
    round_ = Round.objects.create(
        stage=stage,
        number=number,
        seed=plan.seed,
        results_version=plan.version,
        algorithm=drawn.algorithm,
        cost=dict(drawn.cost),
        certified=drawn.certified,
        wishes=plan.wishes.as_json(),
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
    """Refuse to write a pairing computed from results, entrants or wishes that are not those of now."""
    fresh = Stage.objects.select_related("event").get(pk=plan.stage.pk)
    entrants = list(entered(fresh))
    alive = {entrant.public_id for entrant in entrants if entrant.status == Entrant.Status.REGISTERED}
    expected = {entrant.public_id for entrant in plan.by_id.values() if entrant.status == Entrant.Status.REGISTERED}
    same = (
        fresh.results_version == plan.version
        and event.status == Event.Status.RUNNING
        and alive == expected
        and wishes_of(fresh, plan.number, entrants) == plan.wishes
    )
    if not same:
        raise results_have_moved()


def _match(round_: Round, seated: Seated, drawn: Draw) -> Match:
    flags = {entrant: list(drawn.flags[entrant]) for entrant in seated.ids if drawn.flags.get(entrant)}
    kind = Match.Kind.PLAYED if len(seated.ids) > 1 else Match.Kind(seated.bye)
    return Match(round=round_, table=seated.table, kind=kind, flags=flags, node=seated.node)


def discard_draft(*, round_: Round, by: User, now: datetime) -> None:
    """Throw a draft away, so that the round can be paired again.

    It is then paired from another seed, unless who throws it away plays the event: nobody draws until content.
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
    """Show the pairings to all, with a clock that is ready to start; a bye is won from here on.

    Refused when a result was corrected since the draft was paired: it would stand on results that are no more.
    """
    with transaction.atomic():
        stage = Stage.objects.select_related("event").get(pk=round_.stage_id)
        Event.objects.select_for_update().get(pk=stage.event_id)
        draft = Round.objects.filter(pk=round_.pk, status=Round.Status.DRAFT)
        if not draft.update(status=Round.Status.PUBLISHED, published_at=now):
            raise Refusal("not_a_draft", _("These pairings are published or were thrown away."))
        Clock.objects.create(round=round_, seconds=60 * stage.round_minutes)
        played = Match.objects.filter(round=round_, table__isnull=False)
        Game.objects.bulk_create(
            Game(match=match, number=number) for match in played for number in range(1, stage.best_of + 1)
        )
        Match.objects.filter(round=round_, kind__in=AWARDS).update(games_drawn=0, authority=Match.Authority.AGREED)
        for kind in AWARDS:
            won = stage.best_of // 2 + 1 if kind == Match.Kind.BYE else 0
            Seat.objects.filter(round=round_, match__kind=kind).update(games_won=won, points=ALONE_POINTS[kind])
        entry = record(stage.event, by, "round.published", now, object=f"r{round_.number}")
        if Stage.objects.get(pk=stage.pk).results_version != round_.results_version:
            raise Refusal("results_moved", _("A result changed since. Throw the draft away and pair again."))
        results_moved(stage, entry.number, now)
        lock_late(entrants=paired_in(round_), now=now)
        serve_losses(round_, by, now)


def close_round(*, round_: Round, by: User, now: datetime) -> None:
    """Close a round of which every result counts: the standings count it, and the next can be paired."""
    with writing():
        _close(round_, by, now)


def _close(round_: Round, by: User, now: datetime) -> tuple[int, int]:
    """Close a round inside a transaction; the version of the results it was closed with, and the one it makes."""
    stage = Stage.objects.select_related("event").get(pk=round_.stage_id)
    _refuse_unless_closable(round_, Event.objects.select_for_update().get(pk=stage.event_id))
    published = Round.objects.filter(pk=round_.pk, status=Round.Status.PUBLISHED)
    if not published.update(status=Round.Status.CLOSED, closed_at=now):
        raise _not_open()
    entry = record(stage.event, by, "round.closed", now, object=f"r{round_.number}")
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
    """Take pairings back to a draft, as long as nobody has reported, the clock stands and no log is there."""
    with transaction.atomic():
        stage = Stage.objects.select_related("event").get(pk=round_.stage_id)
        event = Event.objects.select_for_update().get(pk=stage.event_id)
        _refuse_if_not_running(event)
        list(Match.objects.select_for_update().filter(round=round_).order_by("pk"))  # no report comes in between
        fresh = Round.objects.filter(pk=round_.pk, status=Round.Status.PUBLISHED).first()
        if fresh is None:
            raise _not_open()
        if has_begun(round_):
            raise Refusal("round_begun", _("This round has begun: its pairings stand."))
        Clock.objects.filter(round=round_).delete()
        Game.objects.filter(match__round=round_).delete()
        Match.objects.filter(round=round_, kind__in=AWARDS).update(games_drawn=None, authority="")
        hold_back(round_, by, now)
        unlock_late(entrants=paired_in(round_), locked_at=fresh.published_at or now)
        Match.objects.filter(round=round_).update(starts=None)
        Seat.objects.filter(round=round_).update(games_won=None, points=None, rank=None)
        Round.objects.filter(pk=round_.pk).update(status=Round.Status.DRAFT, published_at=None)
        entry = record(event, by, "round.unpublished", now, object=f"r{round_.number}")
        results_moved(stage, entry.number, now)
        Round.objects.filter(pk=round_.pk).update(results_version=entry.number)


def has_begun(round_: Round) -> bool:
    """Whether anything was done at a table of a round, or its clock was started."""
    traces = (
        Report.objects.filter(match__round=round_),
        Clock.objects.filter(round=round_, started_at__isnull=False),
        Game.objects.filter(match__round=round_, logs__isnull=False),
        TimeExtension.objects.filter(match__round=round_),
        Match.objects.filter(round=round_, calls__isnull=False),
        Match.objects.filter(round=round_, deck_checks__isnull=False),
        Loss.objects.filter(seat__round=round_, carried=False),
        Match.objects.filter(round=round_, table__isnull=False, games_drawn__isnull=False).exclude(
            kind__in=BY_LOSS, seats__losses__carried=True
        ),
    )
    return any(trace.exists() for trace in traces)


def undo_open(round_: Round) -> str:
    """The step of a round that can be taken back now: "unpublish", "reopen", or none; pages offer no other."""
    stage = round_.stage
    if stage.event.status != Event.Status.RUNNING:
        return ""
    if round_.status == Round.Status.PUBLISHED:
        return "" if has_begun(round_) else "unpublish"
    closed = round_.status == Round.Status.CLOSED
    return "reopen" if closed and not _is_followed(round_, stage.event) else ""


def _is_followed(round_: Round, event: Event) -> bool:
    """Whether another round was paired after one, or a later stage has started."""
    last = last_round_of(event)
    started_later = event.stages.filter(number__gt=round_.stage.number, started_at__isnull=False).exists()
    return last is None or last.pk != round_.pk or started_later


def reopen_round(*, round_: Round, by: User, now: datetime) -> None:
    """Open a closed round again, as long as nothing was paired or started after it: the standings leave it out."""
    with transaction.atomic():
        stage = Stage.objects.select_related("event").get(pk=round_.stage_id)
        event = Event.objects.select_for_update().get(pk=stage.event_id)
        _refuse_if_not_running(event)
        if _is_followed(round_, event):
            raise Refusal("round_followed", _("What came after this round stands on it: undo that first."))
        closed = Round.objects.filter(pk=round_.pk, status=Round.Status.CLOSED)
        if not closed.update(status=Round.Status.PUBLISHED, closed_at=None):
            raise Refusal("round_state", _("This round is not closed."))
        entry = record(event, by, "round.reopened", now, object=f"r{round_.number}")
        results_moved(stage, entry.number, now)


def _refuse_if_not_running(event: Event) -> None:
    if event.status != Event.Status.RUNNING:
        raise Refusal("event_state", _("The event is not running."))
