"""Manual edits of draft pairings: swap two players, give the bye, seat two players together, undo.

Two players can still be swapped once their pairings are published, until the clock starts.

After an edit the round is marked as changed (`+hand` in its algorithm) and no longer certified. Pairing it again starts
from the seed.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.models import LedgerEntry
from tournaments.common.refusals import NotAllowed, Refusal
from tournaments.decks.services import lock_late
from tournaments.events.access import plays
from tournaments.events.hall_tables import tables_of
from tournaments.events.models import Entrant, Event, Stage
from tournaments.play.boards import open_boards
from tournaments.play.models import Clock, Match, Round, Seat
from tournaments.play.pairing_inputs import awarded_in, cannot_pair
from tournaments.play.selectors import edit_to_undo, paired_in
from tournaments.play.services.entries import record
from tournaments.play.services.losses import serve_losses
from tournaments.play.services.repairs import begun_tables
from tournaments.play.services.results import results_moved
from tournaments.swiss.field import SwissError
from tournaments.swiss.seating import free_tables

BY_HAND = "by_hand"


def swap_players(*, round_: Round, first: Entrant, second: Entrant, by: User, now: datetime) -> None:
    """Swap the seats of two entrants; one of them may have a bye. Repeating it swaps them back.

    The round is a draft, or published and its clock has not started (`round_begun`). At the tables of a published round
    nothing may have been done (`table_begun`, with their numbers).
    """
    with transaction.atomic():
        round_ = _swappable(round_, by, now)
        was = _kept(round_)
        seats = [_seat(round_, entrant) for entrant in (first, second)]
        if seats[0].match_id == seats[1].match_id:
            raise Refusal("same_table", _("These two already sit at the same table."))
        published = round_.status == Round.Status.PUBLISHED
        if published:
            _refuse_if_begun(round_, seats)
        _exchange(*seats)
        entry = _note(round_, by, "round.swapped", now, (first, second), was)
        if published:
            _seated_anew(round_, [seat.match for seat in seats], by, now)
            results_moved(round_.stage, entry.number, now)


def give_bye(*, round_: Round, entrant: Entrant, by: User, now: datetime) -> None:
    """Give an entrant of a draft the bye. The entrant who has it takes the free seat.

    If nobody has a bye, the entrant's opponent gets one too. In a draft in pods, only a bye of the same pod is
    exchanged. Raises Refusal `no_bye_here` at multiplayer tables.
    """
    with transaction.atomic():
        round_ = _draft(round_, by)
        was = _kept(round_)
        seat = _seat(round_, entrant)
        if seat.match.table is None:
            return
        if round_.stage.is_tables:
            raise Refusal("no_bye_here", _("Multiplayer tables have no byes: swap two players instead."))
        byes = Seat.objects.filter(round=round_, match__table=None).select_related("match", "entrant")
        byes = byes.exclude(entrant__public_id__in=awarded_in(round_))
        # Players only play inside their pod, so a bye of another pod must stay there.
        holder = byes.filter(entrant__stage_entries__in=_pod_of(round_.stage, entrant)).first() or (
            byes.first() if round_.stage.kind != Stage.Kind.PODS else None
        )
        if holder is not None:
            _exchange(seat, holder)
            _note(round_, by, "round.bye_given", now, (entrant, holder.entrant), was)
            return
        other = seat.match.seats.exclude(pk=seat.pk).select_related("entrant").get()
        seat.match.delete()
        for alone in (entrant, other.entrant):
            match = Match.objects.create(round=round_, table=None, kind=Match.Kind.BYE)
            Seat.objects.create(round=round_, match=match, number=1, entrant=alone)
        _note(round_, by, "round.bye_given", now, (entrant, other.entrant), was)


def seat_together(*, round_: Round, first: Entrant, second: Entrant, by: User, now: datetime) -> None:
    """Pair two entrants of a draft with each other: the opponent of the first swaps seats with the second.

    If the first has a bye, they swap seats with the opponent of the second. Two entrants with byes get a table of their
    own.
    """
    with transaction.atomic():
        round_ = _draft(round_, by)
        if round_.stage.is_tables:
            raise Refusal("no_bye_here", _("Multiplayer tables have no byes: swap two players instead."))
        was = _kept(round_)
        mine, theirs = (_seat(round_, entrant) for entrant in (first, second))
        if mine.match_id == theirs.match_id:
            return
        opposite = mine.match.seats.exclude(pk=mine.pk).first()
        away = theirs.match.seats.exclude(pk=theirs.pk).first()
        if opposite is not None:
            _exchange(opposite, theirs)
        elif away is not None:
            _exchange(mine, away)
        else:
            _merge(round_, (first, second))
        _note(round_, by, "round.seated", now, (first, second), was)


def _pod_of(stage: Stage, entrant: Entrant) -> list[int]:
    """The keys of the stage entries in the entrant's draft pod; empty without pods."""
    own = stage.entries.filter(entrant=entrant).exclude(pod=None).first()
    return list(stage.entries.filter(pod=own.pod).values_list("pk", flat=True)) if own else []


def swap_open(round_: Round, user: Any, now: datetime) -> bool:
    """Whether this member of staff can swap players of a published round, as far as the whole round is concerned."""
    stage = round_.stage
    published = round_.status == Round.Status.PUBLISHED and stage.event.status == Event.Status.RUNNING
    return published and not stage.is_bracket and not _clock_runs(round_, now) and not plays(user, stage.event)


def _clock_runs(round_: Round, now: datetime) -> bool:
    return Clock.objects.filter(round=round_, started_at__lte=now).exists()


def _swappable(round_: Round, by: User, now: datetime) -> Round:
    fresh = _open(round_, by, (Round.Status.DRAFT, Round.Status.PUBLISHED))
    if fresh.status == Round.Status.PUBLISHED:
        # Reports lock the match, so no table can begin between the check and the change.
        list(Match.objects.select_for_update().filter(round=fresh).order_by("pk"))
        if _clock_runs(fresh, now):
            raise Refusal("round_begun", _("This round has begun: its pairings can no longer change."))
    return fresh


def _refuse_if_begun(round_: Round, seats: Sequence[Seat]) -> None:
    """Refuse to change tables of a published round at which something was done, or a penalty counts."""
    matches = [seat.match_id for seat in seats]
    if Seat.objects.filter(match__in=matches, match__kind=Match.Kind.MISSED).exists():
        raise Refusal("not_seated", _("This entrant is not seated in this round."))
    marked = Match.objects.filter(Q(seats__losses__isnull=False) | Q(seats__emptiness__isnull=False), pk__in=matches)
    begun = begun_tables(round_) | {table for table in marked.values_list("table", flat=True) if table is not None}
    touched = sorted(begun & {seat.match.table for seat in seats})
    if touched:
        raise Refusal("table_begun", _("Something has already happened at a table that would change."), details=touched)


def _seated_anew(round_: Round, matches: Sequence[Match], by: User, now: datetime) -> None:
    """Do for changed tables of a published round what publishing did for the others."""
    Match.objects.filter(pk__in=[match.pk for match in matches]).update(starts=None)
    open_boards(round_.stage, Match.objects.filter(pk__in=[match.pk for match in matches]))
    # Locked as if when the round was published: by that time unpublishing recognizes the lists to unlock.
    lock_late(entrants=paired_in(round_), now=round_.published_at or now)
    serve_losses(round_, by, now)


def _draft(round_: Round, by: User) -> Round:
    """The round, with its event locked, if it is a draft that this member of staff may edit; else a refusal."""
    return _open(round_, by, (Round.Status.DRAFT,))


def _open(round_: Round, by: User, statuses: Collection[str]) -> Round:
    stage = Stage.objects.select_related("event").get(pk=round_.stage_id)
    event = Event.objects.select_for_update().get(pk=stage.event_id)
    fresh = Round.objects.filter(pk=round_.pk).select_related("stage__event").first()
    if fresh is None or fresh.status not in statuses:
        raise Refusal("not_a_draft", _("These pairings have been published or discarded."))
    if plays(by, event):
        raise NotAllowed("staff_who_play", _("Staff who play cannot change draft pairings by hand."))
    if stage.is_bracket:
        raise Refusal("bracket_fixed", _("In a bracket, pairings follow from the seeds and the results."))
    return fresh


def _seat(round_: Round, entrant: Entrant) -> Seat:
    seat = Seat.objects.filter(round=round_, entrant=entrant).select_related("match", "entrant").first()
    if seat is None:
        raise Refusal("not_seated", _("This entrant is not seated in this round."))
    if entrant.public_id in awarded_in(round_):
        raise Refusal(
            "bye_awarded", _("Discard the draft, withdraw the bye and pair again: it was awarded to this entrant.")
        )
    return seat


def _exchange(first: Seat, second: Seat) -> None:
    """Swap the entrants of two seats."""
    # Deleted and created again: an update would put an entrant into the round twice for a moment, which the database
    # refuses.
    Seat.objects.filter(pk__in=(first.pk, second.pk)).delete()
    Seat.objects.bulk_create([
        # The points of a bye that is published belong to the seat, whoever takes it.
        Seat(
            round_id=seat.round_id,
            match=seat.match,
            number=seat.number,
            entrant=entrant,
            games_won=seat.games_won,
            points=seat.points,
        )
        for seat, entrant in ((first, second.entrant), (second, first.entrant))
    ])


def _merge(round_: Round, entrants: Sequence[Entrant]) -> None:
    Match.objects.filter(round=round_, seats__entrant__in=entrants).delete()
    tables = Match.objects.filter(round=round_).values_list("table", flat=True)
    taken = {table for table in tables if table is not None}
    try:
        table = next(free_tables(taken, tables_of(round_.stage)))
    except SwissError as error:
        raise cannot_pair(error)
    match = Match.objects.create(round=round_, table=table, kind=Match.Kind.PLAYED)
    Seat.objects.bulk_create(
        Seat(round=round_, match=match, number=number, entrant=entrant) for number, entrant in enumerate(entrants, 1)
    )


def undo_edit(*, round_: Round, by: User, now: datetime) -> None:
    """Undo the last manual edit of a draft, and restore its algorithm, cost and certificate of before.

    Raises Refusal `nothing_by_hand` if the last change of the round was not an edit.
    """
    with transaction.atomic():
        round_ = _draft(round_, by)
        entry = edit_to_undo(round_)
        if entry is None:
            raise Refusal("nothing_by_hand", _("The last change to this draft was not made by hand."))
        kept = entry.before
        players = [player for table in kept["tables"] for player in table["players"]]
        Match.objects.filter(
            pk__in=Seat.objects.filter(round=round_, entrant__public_id__in=players).values("match")
        ).delete()
        by_id = {entrant.public_id: entrant for entrant in Entrant.objects.filter(public_id__in=players)}
        for table in kept["tables"]:
            match = Match.objects.create(round=round_, table=table["table"], kind=table["kind"], flags=table["flags"])
            Seat.objects.bulk_create(
                Seat(round=round_, match=match, number=number, entrant=by_id[player])
                for number, player in enumerate(table["players"], 1)
            )
        Round.objects.filter(pk=round_.pk).update(**kept["round"])
        record(round_.stage.event, by, "round.hand_undone", now, object=f"r{round_.number}", after=entry.after)


def _kept(round_: Round) -> dict[str, Any]:
    """The tables of a draft and how its pairing was found, for the ledger entry from which an edit is undone."""
    matches = round_.matches.prefetch_related("seats__entrant").order_by("pk")
    tables = [
        {
            "table": match.table,
            "kind": match.kind,
            "players": [seat.entrant.public_id for seat in match.seats.all()],
            "flags": match.flags,
        }
        for match in matches
    ]
    proof = {"algorithm": round_.algorithm, "certified": round_.certified, "cost": round_.cost}
    return {"tables": tables, "round": proof}


def _differing(round_: Round, was: dict[str, Any]) -> dict[str, Any]:
    """What an edit changed of a draft: of `was`, only the tables that are not the same now."""
    now = _kept(round_)["tables"]
    return {**was, "tables": [table for table in was["tables"] if table not in now]}


def _note(
    round_: Round, by: User, code: str, now: datetime, moved: Sequence[Entrant], was: dict[str, Any]
) -> LedgerEntry:
    """Record a manual edit: mark the round as changed, replace the flags of moved players, write the ledger entry.

    Flags explain why the algorithm seated a player so, and do not apply to players who were moved.
    """
    ids = [entrant.public_id for entrant in moved]
    for match in round_.matches.prefetch_related("seats__entrant"):
        seated = [seat.entrant.public_id for seat in match.seats.all()]
        kept = {player: flags for player, flags in match.flags.items() if player in seated and player not in ids}
        hand = {player: [BY_HAND] for player in seated if player in ids}
        if match.flags != {**kept, **hand}:
            Match.objects.filter(pk=match.pk).update(flags={**kept, **hand})
    # Appended once, however many edits there are.
    algorithm = round_.algorithm.removesuffix("+hand") + "+hand"
    Round.objects.filter(pk=round_.pk).update(algorithm=algorithm, certified=False, cost={})
    before = _differing(round_, was)
    return record(round_.stage.event, by, code, now, object=f"r{round_.number}", before=before, after={"entrants": ids})
