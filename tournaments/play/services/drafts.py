"""Gestures on draft pairings: two players change places, one gets the bye, two are seated together.

They are done by hand, so the round is not proven any more; whoever pairs it again starts from its seed.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.refusals import NotAllowed, Refusal
from tournaments.events.access import plays
from tournaments.events.models import Entrant, Event, Stage
from tournaments.events.tables import tables_of
from tournaments.play.models import Match, Round, Seat
from tournaments.play.selectors import hand_to_undo
from tournaments.play.services.entries import record
from tournaments.play.wishes import awarded_in, cannot_pair
from tournaments.swiss.field import SwissError
from tournaments.swiss.seating import free_tables

BY_HAND = "by_hand"


def swap_players(*, round_: Round, first: Entrant, second: Entrant, by: User, now: datetime) -> None:
    """Two entrants of a draft change places, a bye included. The same again undoes it."""
    with transaction.atomic():
        round_ = _draft(round_, by)
        was = _kept(round_)
        seats = [_seat(round_, entrant) for entrant in (first, second)]
        if seats[0].match_id == seats[1].match_id:
            raise Refusal("same_table", _("These two sit at one table already."))
        _exchange(*seats)
        _note(round_, by, "round.swapped", now, (first, second), was)


def give_bye(*, round_: Round, entrant: Entrant, by: User, now: datetime) -> None:
    """Give an entrant of a draft the bye: in place of who has it; where nobody has, the opponent has one too."""
    with transaction.atomic():
        round_ = _draft(round_, by)
        was = _kept(round_)
        seat = _seat(round_, entrant)
        if seat.match.table is None:
            return
        if round_.stage.is_tables:
            raise Refusal("no_bye_here", _("At tables of several nobody has a bye: swap two players instead."))
        byes = Seat.objects.filter(round=round_, match__table=None).select_related("match", "entrant")
        byes = byes.exclude(entrant__public_id__in=awarded_in(round_))
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
    """Let two entrants of a draft meet: who sat opposite the first changes places with the second.

    Two who have byes get a table of their own.
    """
    with transaction.atomic():
        round_ = _draft(round_, by)
        if round_.stage.is_tables:
            raise Refusal("no_bye_here", _("At tables of several nobody has a bye: swap two players instead."))
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
    """The entries of an entrant's draft pod, by key; none where there are no pods."""
    own = stage.entries.filter(entrant=entrant).exclude(pod=None).first()
    return list(stage.entries.filter(pod=own.pod).values_list("pk", flat=True)) if own else []


def _draft(round_: Round, by: User) -> Round:
    """The round, locked, if it is a draft that this member of staff may change by hand."""
    stage = Stage.objects.select_related("event").get(pk=round_.stage_id)
    event = Event.objects.select_for_update().get(pk=stage.event_id)
    fresh = Round.objects.filter(pk=round_.pk).select_related("stage__event").first()
    if fresh is None or fresh.status != Round.Status.DRAFT:
        raise Refusal("not_a_draft", _("These pairings are published or were thrown away."))
    if plays(by, event):
        raise NotAllowed("staff_who_play", _("Staff who play do not change draft pairings by hand."))
    if stage.is_bracket:
        raise Refusal("bracket_fixed", _("Who meets whom in a bracket follows from the seeds and the results."))
    return fresh


def _seat(round_: Round, entrant: Entrant) -> Seat:
    seat = Seat.objects.filter(round=round_, entrant=entrant).select_related("match", "entrant").first()
    if seat is None:
        raise Refusal("not_seated", _("This entrant is not seated in this round."))
    if entrant.public_id in awarded_in(round_):
        raise Refusal(
            "bye_awarded", _("Throw the draft away, take the bye back, and pair again: it was awarded to this entrant.")
        )
    return seat


def _exchange(first: Seat, second: Seat) -> None:
    """Two entrants change seats. The seats are made anew: nobody sits twice in a round, not for a moment."""
    Seat.objects.filter(pk__in=(first.pk, second.pk)).delete()
    Seat.objects.bulk_create([
        Seat(round_id=first.round_id, match=first.match, number=first.number, entrant=second.entrant),
        Seat(round_id=first.round_id, match=second.match, number=second.number, entrant=first.entrant),
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


def undo_hand(*, round_: Round, by: User, now: datetime) -> None:
    """Take the last change by hand back, with the proof that the draft had before it."""
    with transaction.atomic():
        round_ = _draft(round_, by)
        entry = hand_to_undo(round_)
        if entry is None:
            raise Refusal("nothing_by_hand", _("The last thing done to this draft is no change by hand."))
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
    """A draft as it is, so that a change can be taken back."""
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
    """Of a draft as it was, the tables that are not so any more."""
    now = _kept(round_)["tables"]
    return {**was, "tables": [table for table in was["tables"] if table not in now]}


def _note(round_: Round, by: User, code: str, now: datetime, moved: Sequence[Entrant], was: dict[str, Any]) -> None:
    """Say that the round is not what the algorithm found, and who was moved; its flags speak of others no more."""
    ids = [entrant.public_id for entrant in moved]
    for match in round_.matches.prefetch_related("seats__entrant"):
        seated = [seat.entrant.public_id for seat in match.seats.all()]
        kept = {player: flags for player, flags in match.flags.items() if player in seated and player not in ids}
        hand = {player: [BY_HAND] for player in seated if player in ids}
        if match.flags != {**kept, **hand}:
            Match.objects.filter(pk=match.pk).update(flags={**kept, **hand})
    algorithm = round_.algorithm.removesuffix("+hand") + "+hand"
    Round.objects.filter(pk=round_.pk).update(algorithm=algorithm, certified=False, cost={})
    before = _differing(round_, was)
    record(round_.stage.event, by, code, now, object=f"r{round_.number}", before=before, after={"entrants": ids})
