"""An event's name, places, place and time, changed after it was created.

It stands here because lists are judged by the day, and places let in who waits.
"""

import zoneinfo
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypedDict, Unpack

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.decks.models import Decklist
from tournaments.events.models import Entrant, Event
from tournaments.events.services import check_bounds, record
from tournaments.play.services.events import move_up

MAX_NAME = MAX_PLACE = 120
Status = Event.Status
_OVER = (Status.FINISHED, Status.ARCHIVED, Status.CANCELLED)
_BEFORE_START = (Status.REGISTRATION, Status.LOCKED, Status.CHECK_IN)
_CHAINED = ("capacity", "time_zone", "starts_at")  # the others are words: a note beside the ledger


@dataclass(frozen=True)
class Changed:
    """An event as it is now; how many the change let in from the waiting list, and how many more play than it holds."""

    event: Event
    moved_up: int = 0
    too_many: int = 0


class Details(TypedDict, total=False):
    """What may be changed. A capacity of None is no limit, a time zone of "" that of the site."""

    name: str
    capacity: int | None
    place: str
    time_zone: str
    starts_at: datetime | None


def change_details(*, event: Event, by: User, now: datetime, **given: Unpack[Details]) -> Changed:
    """Change what is given; the rest stays.

    More places let in who waits longest, until the event starts; fewer take nobody out. Refused: `event_state`,
    `name_missing`, `out_of_bounds`, `time_zone_unknown`, and `day_judged` when another day is chosen and lists were
    judged by the suspensions of the one before.
    """
    chosen = _checked(dict(given))
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        if event.status in _OVER:
            raise Refusal("event_state", _("The event is over."))
        before = {name: getattr(event, name) for name in chosen}
        changed = sorted(name for name in chosen if chosen[name] != before[name])
        if not changed:
            return _outcome(event, 0)
        if "starts_at" in changed:
            _check_day(event, before["starts_at"], chosen["starts_at"])
        for name in changed:
            setattr(event, name, chosen[name])
        event.save(update_fields=changed)
        told = [{name: _plain(values[name]) for name in changed if name in _CHAINED} for values in (before, chosen)]
        note = "\n".join(chosen[name] for name in ("name", "place") if name in changed)
        after = {**told[1], "changed": changed}
        record(event, by, "event.details_changed", now, before=told[0], after=after, note=note)
        return _outcome(event, _let_in(event, by, now) if "capacity" in changed else 0)


def _checked(chosen: dict[str, Any]) -> dict[str, Any]:
    for name, most in (("name", MAX_NAME), ("place", MAX_PLACE)):
        if name in chosen:
            chosen[name] = " ".join(chosen[name].replace("\x00", "").split())[:most]
    if not chosen.get("name", "-"):
        raise InvalidInput("name_missing", _("The event needs a name."))
    check_bounds(capacity=chosen.get("capacity"))
    zone = chosen.get("time_zone")
    if zone and zone not in zoneinfo.available_timezones():
        raise InvalidInput("time_zone_unknown", _("There is no such time zone."), details=[zone[:40]])
    return chosen


def _check_day(event: Event, before: datetime | None, after: datetime | None) -> None:
    """The day as lists are judged by it."""
    days = [moment.date() if moment else None for moment in (before, after)]
    if days[0] != days[1] and Decklist.objects.filter(stage__event=event, checked=True).exists():
        raise Refusal("day_judged", _("Decklists were judged by the suspensions of that day: it stays."))


def _let_in(event: Event, by: User, now: datetime) -> int:
    """Give free places to who waits; how many came in."""
    if event.status not in _BEFORE_START:
        return 0
    waiting = event.entrants.filter(status=Entrant.Status.WAITING).count()
    free = waiting if event.capacity is None else max(0, event.capacity - _playing(event))
    return sum(move_up(event, by, now) for _place in range(min(free, waiting)))


def _playing(event: Event) -> int:
    return event.entrants.filter(status=Entrant.Status.REGISTERED).count()


def _outcome(event: Event, moved_up: int) -> Changed:
    too_many = 0 if event.capacity is None else max(0, _playing(event) - event.capacity)
    return Changed(event, moved_up, too_many)


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value
