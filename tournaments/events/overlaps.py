"""Finds events at overlapping times: with the same organizer, in the same place, or entered by the same player.

Events have no end time, so their hours are estimated from the rounds of their stages (`hours_of`).
"""

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Q, QuerySet

from tournaments.common.letters import folded
from tournaments.events.hall_tables import tables_of
from tournaments.events.models import Entrant, Event, StaffRole, Stage
from tournaments.events.selectors import OVER

BETWEEN = timedelta(minutes=15)  # break after each round
LONGEST = timedelta(hours=24)  # no event is taken to last longer, so only starts within this are looked at
FEWEST_ROUNDS = 3
_LIVE = [status for status in Event.Status.values if status not in OVER]
_ORGANIZERS = (StaffRole.Role.OWNER, StaffRole.Role.ORGANIZER)


@dataclass(frozen=True)
class Overlap:
    """Another event, its estimated hours, and what it has in common with the event it was compared to.

    `tables` are the table numbers that both events use.
    """

    event: Event
    starts_at: datetime
    ends_at: datetime
    same_organizer: bool = False
    same_place: bool = False
    tables: tuple[int, ...] = ()


def overlaps_of(event: Event) -> list[Overlap]:
    """The events that overlap with this one and share an organizer or the place, earliest first.

    Only its own staff may know of a draft, and only some people of an event that is not listed: these are included only
    if the events share an organizer.
    """
    if event.starts_at is None:
        return []
    (mine,) = sized(Event.objects.filter(pk=event.pk))
    organizers = StaffRole.objects.filter(event=event, role__in=_ORGANIZERS).values("user")
    theirs = StaffRole.objects.filter(user__in=organizers, role__in=_ORGANIZERS).values("event")
    own = set(Event.objects.filter(pk__in=theirs, starts_at__range=_near(event.starts_at)).values_list("pk", flat=True))
    place = _place(event)
    listed = Q(listing=Event.Listing.PUBLIC) & ~Q(status=Event.Status.DRAFT)
    # Compared here, since databases disagree on which letters are equal.
    near = _near_events(event).filter(listed).values_list("pk", "place") if place else []
    here = {key for key, theirs in near if _as_place(theirs) == place}
    others = _near_events(event).filter(pk__in=own | here)
    found = [_overlap(mine, other, own) for other in sized(others)]
    return sorted((one for one in found if _meet(mine, one.event)), key=lambda one: (one.starts_at, one.event.pk))


def overlaps_of_entrants(event: Event, entrants: Iterable[Entrant]) -> list[Overlap]:
    """The other events that members of these entrants have entered and that overlap with this one, earliest first.

    `entrants` need their `member_set` prefetched.
    """
    if event.starts_at is None:
        return []
    (mine,) = sized(Event.objects.filter(pk=event.pk))
    persons = [member.person_id for entrant in entrants for member in entrant.member_set.all()]
    entered = Entrant.objects.filter(member__person__in=persons).exclude(status=Entrant.Status.DROPPED)
    others = _near_events(event).filter(pk__in=entered.values("event")).exclude(status=Event.Status.DRAFT)
    found = [_overlap(mine, other, ()) for other in sized(others) if _meet(mine, other)]
    return sorted(found, key=lambda one: (one.starts_at, one.event.pk))


def hours_of(event: Event) -> tuple[datetime, datetime]:
    """The estimated start and end of an event that has a start time: its rounds, with a break after each."""
    assert event.starts_at is not None
    length = sum((_length(stage, expected_players(event)) for stage in event.stages.all()), timedelta())
    return event.starts_at, event.starts_at + min(length, LONGEST)


def ranges(tables: Collection[int]) -> str:
    """Table numbers as text of ranges.

    >>> ranges([1, 2, 3, 7])
    '1-3, 7'
    """
    runs: list[list[int]] = []
    for table in sorted(tables):
        if runs and table == runs[-1][-1] + 1:
            runs[-1][1:] = [table]
        else:
            runs.append([table])
    return ", ".join("-".join(map(str, run)) for run in runs)


def _near(start: datetime) -> tuple[datetime, datetime]:
    return start - LONGEST, start + LONGEST


def _near_events(event: Event) -> QuerySet[Event]:
    assert event.starts_at is not None
    return Event.objects.filter(starts_at__range=_near(event.starts_at), status__in=_LIVE).exclude(pk=event.pk)


def sized(events: QuerySet[Event]) -> list[Event]:
    """Load events with their stages and the number of registered entrants (`playing`)."""
    playing = Count("entrants", filter=Q(entrants__status=Entrant.Status.REGISTERED))
    return list(events.annotate(playing=playing).prefetch_related("stages"))


def expected_players(event: Event) -> int:
    # Registration may still be going on, so the event is assumed to fill up.
    return max(event.capacity or 0, getattr(event, "playing", 0), 2)


def _length(stage: Stage, players: int) -> timedelta:
    # Without a plan: as many Swiss rounds as it takes to leave a single player unbeaten.
    rounds = stage.rounds_planned or max(FEWEST_ROUNDS, math.ceil(math.log2(players)))
    return rounds * (timedelta(minutes=stage.round_minutes) + BETWEEN)


def _meet(one: Event, other: Event) -> bool:
    (start, end), (their_start, their_end) = hours_of(one), hours_of(other)
    return start < their_end and their_start < end


def _place(event: Event) -> str:
    return _as_place(event.place)


def _as_place(text: str) -> str:
    return " ".join(folded(text).split())


def _overlap(mine: Event, other: Event, own: Collection[int]) -> Overlap:
    """Compare two events. They share tables unless they name two different places."""
    places = {_place(event) for event in (mine, other)} - {""}
    tables = _tables(mine) & _tables(other) if len(places) < 2 else set()
    same_place = len(places) == 1 and _place(mine) == _place(other)
    return Overlap(other, *hours_of(other), other.pk in own, same_place, tuple(sorted(tables)))


def _tables(event: Event) -> set[int]:
    """The tables of all stages; a stage that lists none numbers them from 1."""
    counted = range(1, math.ceil(expected_players(event) / 2) + 1)
    return {table for stage in event.stages.all() for table in (tables_of(stage) or counted)}
