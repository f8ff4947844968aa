"""Events whose hours overlap: of one organizer, in one place, or of one player. The hours are reckoned."""

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Q, QuerySet

from tournaments.events.models import Entrant, Event, StaffRole, Stage
from tournaments.events.selectors import OVER
from tournaments.events.tables import tables_of

BETWEEN = timedelta(minutes=15)  # from one round to the next
LONGEST = timedelta(hours=24)  # an event is looked for no farther than this
FEWEST_ROUNDS = 3
_LIVE = [status for status in Event.Status.values if status not in OVER]
_ORGANIZERS = (StaffRole.Role.OWNER, StaffRole.Role.ORGANIZER)


@dataclass(frozen=True)
class Overlap:
    """Another event, its hours as reckoned, whether one organizer runs both, whether both are in one place, and which
    tables both have there."""

    event: Event
    starts_at: datetime
    ends_at: datetime
    same_organizer: bool = False
    same_place: bool = False
    tables: tuple[int, ...] = ()


def overlaps_of(event: Event) -> list[Overlap]:
    """The events that overlap with this one and have an organizer or the place in common, the earliest first.

    Drafts are seen by their organizers alone: one is named only where an organizer of this event runs it too.
    """
    if event.starts_at is None:
        return []
    (mine,) = _sized(Event.objects.filter(pk=event.pk))
    organizers = StaffRole.objects.filter(event=event, role__in=_ORGANIZERS).values("user")
    theirs = StaffRole.objects.filter(user__in=organizers, role__in=_ORGANIZERS).values("event")
    own = set(Event.objects.filter(pk__in=theirs, starts_at__range=_near(event.starts_at)).values_list("pk", flat=True))
    place = _place(event)
    here = Q(place__iexact=event.place) & ~Q(status=Event.Status.DRAFT) if place else Q(pk__in=[])
    others = _near_events(event).filter(Q(pk__in=own) | here)
    found = [_overlap(mine, other, own) for other in _sized(others)]
    return sorted((one for one in found if _meet(mine, one.event)), key=lambda one: (one.starts_at, one.event.pk))


def overlaps_of_entrants(event: Event, entrants: Iterable[Entrant]) -> list[Overlap]:
    """The other events that persons of these entrants have entered and that overlap with this one."""
    if event.starts_at is None:
        return []
    (mine,) = _sized(Event.objects.filter(pk=event.pk))
    persons = [member.person_id for entrant in entrants for member in entrant.member_set.all()]
    entered = Entrant.objects.filter(member__person__in=persons).exclude(status=Entrant.Status.DROPPED)
    others = _near_events(event).filter(pk__in=entered.values("event")).exclude(status=Event.Status.DRAFT)
    found = [_overlap(mine, other, ()) for other in _sized(others) if _meet(mine, other)]
    return sorted(found, key=lambda one: (one.starts_at, one.event.pk))


def hours_of(event: Event) -> tuple[datetime, datetime]:
    """From when to when an event with a start is played, about: the rounds of its stages, and a pause after each."""
    assert event.starts_at is not None
    length = sum((_length(stage, _players(event)) for stage in event.stages.all()), timedelta())
    return event.starts_at, event.starts_at + min(length, LONGEST)


def ranges(tables: Collection[int]) -> str:
    """Tables as ranges.

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


def _sized(events: QuerySet[Event]) -> list[Event]:
    """Events with their stages and how many play."""
    playing = Count("entrants", filter=Q(entrants__status=Entrant.Status.REGISTERED))
    return list(events.annotate(playing=playing).prefetch_related("stages"))


def _players(event: Event) -> int:
    return max(event.capacity or 0, getattr(event, "playing", 0), 2)


def _length(stage: Stage, players: int) -> timedelta:
    rounds = stage.rounds_planned or max(FEWEST_ROUNDS, math.ceil(math.log2(players)))
    return rounds * (timedelta(minutes=stage.round_minutes) + BETWEEN)


def _meet(one: Event, other: Event) -> bool:
    (start, end), (their_start, their_end) = hours_of(one), hours_of(other)
    return start < their_end and their_start < end


def _place(event: Event) -> str:
    return event.place.strip().casefold()


def _overlap(mine: Event, other: Event, own: Collection[int]) -> Overlap:
    """Tables are shared unless both say a place, and another one."""
    places = {_place(event) for event in (mine, other)} - {""}
    tables = _tables(mine) & _tables(other) if len(places) < 2 else set()
    same_place = len(places) == 1 and _place(mine) == _place(other)
    return Overlap(other, *hours_of(other), other.pk in own, same_place, tuple(sorted(tables)))


def _tables(event: Event) -> set[int]:
    """The tables of all stages; a stage that says none counts them from 1."""
    counted = range(1, math.ceil(_players(event) / 2) + 1)
    return {table for stage in event.stages.all() for table in (tables_of(stage) or counted)}
