"""Read-only queries for pages and the API: calls, turns after time, penalties and the levels proposed."""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime

from django.db.models import Q, QuerySet

from tournaments.clubs.selectors import events_with_shared_penalties
from tournaments.common.models import LedgerNote
from tournaments.events.models import Entrant, Event
from tournaments.events.procedures import Ending, ending, read_procedures
from tournaments.judging.infractions import LADDERS, proposed
from tournaments.judging.models import Call, EndTurn, Penalty
from tournaments.play.models import Match, Round

OFFERED_FROM = 2  # minutes; shorter calls get no time extension
MOST_OFFERED = 60  # minutes


def live_calls(event: Event) -> QuerySet[Call]:
    """The calls of an event that wait or are being answered, oldest first, including escalated ones."""
    return _whole(Call.objects.filter(match__round__stage__event=event, status__in=Call.LIVE))


def calls_of(matches: Iterable[Match]) -> QuerySet[Call]:
    """All calls from matches, oldest first."""
    return _whole(Call.objects.filter(match__in=list(matches)))


def calls_in(round_: Round) -> QuerySet[Call]:
    """The live calls of a round, with their judges."""
    live = Call.objects.filter(match__round=round_, status__in=Call.LIVE)
    return live.select_related("claimed_by").prefetch_related("claimed_by__persons")


def live_call_of(match: Match) -> Call | None:
    """The call from a match that waits or is being answered, or None."""
    return _whole(match.calls.filter(status__in=Call.LIVE)).first()


def _whole(calls: QuerySet[Call]) -> QuerySet[Call]:
    return calls.select_related("match__round__stage__event", "seat__entrant", "claimed_by").prefetch_related(
        "match__seats__entrant__member_set__person",
        "seat__entrant__member_set__person",
        "claimed_by__persons",
    )


def minutes_lost(call: Call, now: datetime) -> int:
    """The minutes that a call has cost its table so far, from the call to its end, rounded up."""
    return _minutes(call.called_at, call.ended_at or now)


def _minutes(since: datetime, until: datetime) -> int:
    return max(0, -int(-(until - since).total_seconds() // 60))


def minutes_waited(call: Call, now: datetime) -> int:
    """The minutes that a table waited for its judge, rounded up: until the judge arrived, or said to be on the way."""
    return _minutes(call.called_at, call.arrived_at or call.claimed_at or call.ended_at or now)


def minutes_attended(call: Call, now: datetime) -> int:
    """The minutes since the judge arrived, rounded up; since the judge took the call if no arrival was noted."""
    came = call.arrived_at or call.claimed_at
    return _minutes(came, call.ended_at or now) if came else 0


def minutes_offered(call: Call, now: datetime) -> int:
    """The time extension in minutes to offer if the call ends now; 0 if it was short or the round is closed.

    The minutes since the judge arrived; all of them while no judge has taken the call.
    """
    lost = minutes_attended(call, now) if call.claimed_at else minutes_lost(call, now)
    is_open = call.match.round.status == Round.Status.PUBLISHED
    return min(lost, MOST_OFFERED) if is_open and lost >= OFFERED_FROM else 0


def end_turns(round_: Round) -> dict[int, EndTurn]:
    """The turns noted after time at the tables of a round, by the match's key."""
    return {noted.match_id: noted for noted in EndTurn.objects.filter(match__round=round_)}


def end_of(round_: Round) -> Ending:
    """How a match of a round ends once time is called: a number of turns, days or table rounds."""
    rule = read_procedures(round_.stage.event.procedures).match_end
    return ending(rule, bracket=round_.stage.is_bracket)


def open_match_of(entrant: Entrant) -> Match | None:
    """The match of an entrant in the current round, with or without a result; None for a bye."""
    seated = Match.objects.filter(round__status=Round.Status.PUBLISHED, seats__entrant=entrant, table__isnull=False)
    return seated.select_related("round__stage__event").first()


def proposal(entrant: Entrant, infraction: str) -> str:
    """The level that the ladder proposes for an infraction, from the entrant's earlier penalties in the event."""
    times = entrant.penalties.filter(infraction=infraction, withdrawn_at=None).count()
    return proposed(infraction, times)


def proposals(entrant: Entrant) -> dict[str, str]:
    """The level proposed for every infraction, by infraction. One query."""
    stands = Counter(entrant.penalties.filter(withdrawn_at=None).values_list("infraction", flat=True))
    return {infraction: proposed(infraction, stands[infraction]) for infraction in LADDERS}


def penalties_of(event: Event) -> QuerySet[Penalty]:
    """The penalties of an event, newest first."""
    return _with_related(Penalty.objects.filter(entrant__event=event)).order_by("-at", "-pk")


def penalties_of_entrant(entrant: Entrant) -> QuerySet[Penalty]:
    """The penalties of an entrant in its event, oldest first."""
    return _with_related(entrant.penalties.all())


def penalties_shared_with(entrant: Entrant, now: datetime) -> QuerySet[Penalty]:
    """The penalties of these persons at other events of the same club, newest first, as long as the club shows them.

    For head judges alone. Withdrawn ones are left out.
    """
    shared = events_with_shared_penalties(entrant.event, now)
    if shared is None:
        return Penalty.objects.none()
    events, since = shared
    persons = entrant.member_set.values("person")
    found = Penalty.objects.filter(entrant__event__in=events, entrant__member__person__in=persons, withdrawn_at=None)
    return _with_related(found.filter(at__gte=since)).order_by("-at", "-pk")


def penalties_at(matches: Iterable[Match]) -> QuerySet[Penalty]:
    """The penalties that were given or are served in these matches."""
    keys = [match.pk for match in matches]
    return _with_related(Penalty.objects.filter(Q(match__in=keys) | Q(loss__seat__match__in=keys)))


def notes_of(event: Event, penalties: Iterable[Penalty]) -> dict[int, str]:
    """What judges wrote about penalties, by the number of the ledger entry. Erased notes are missing."""
    wanted = [penalty.entry for penalty in penalties]
    notes = LedgerNote.objects.filter(entry__chain=event.public_id, entry__number__in=wanted)
    return dict(notes.values_list("entry__number", "text"))


def _with_related(penalties: QuerySet[Penalty]) -> QuerySet[Penalty]:
    return penalties.select_related(
        "entrant__event", "match__round", "by", "loss__seat__match__round__stage"
    ).prefetch_related("entrant__member_set__person", "by__persons")
