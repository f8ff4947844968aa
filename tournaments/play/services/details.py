"""An event's name, description, places, place, times and lists, changed after it was created.

It stands here because lists are judged by the day, and places let in who waits.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypedDict, Unpack

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.decks.models import Decklist, Pool
from tournaments.events.models import Entrant, Event
from tournaments.events.services import check_bounds, check_lists, record
from tournaments.events.zones import check_zone
from tournaments.play.services.events import move_up

MAX_NAME = MAX_PLACE = MAX_FEE = 120
MAX_LINK = 300
MAX_DESCRIPTION = 10_000
Status = Event.Status
_OVER = (Status.FINISHED, Status.ARCHIVED, Status.CANCELLED)
_BEFORE_START = (Status.REGISTRATION, Status.LOCKED, Status.CHECK_IN)
_BEFORE_LOCK = (Status.DRAFT, Status.REGISTRATION)
_TIMES = ("starts_at", "registration_opens_at", "registration_closes_at", "lists_due_at")
_CHAINED = ("capacity", "time_zone", "lists", *_TIMES)  # the others are words: a note beside the ledger


@dataclass(frozen=True)
class Changed:
    """An event as it is now; how many the change let in from the waiting list, and how many more play than it holds."""

    event: Event
    moved_up: int = 0
    too_many: int = 0


class Details(TypedDict, total=False):
    """What may be changed. A capacity of None is no limit, a time zone of "" that of the site, a time of None none."""

    name: str
    capacity: int | None
    place: str
    time_zone: str
    starts_at: datetime | None
    description: str
    link: str
    fee: str
    lists: str
    registration_opens_at: datetime | None
    registration_closes_at: datetime | None
    lists_due_at: datetime | None


def change_details(*, event: Event, by: User, now: datetime, **given: Unpack[Details]) -> Changed:
    """Change what is given; the rest stays.

    More places let in who waits longest, until the event starts; fewer take nobody out. Refused: `event_state`,
    `name_missing`, `out_of_bounds`, `time_zone_unknown`, `description_too_long`, `link_wrong`, `times_wrong`,
    `lists_unknown`, `decks_exist` where lists that are there would not be collected any more, and `day_judged` when
    another day is chosen and lists were judged by the suspensions of the one before.
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
        if "lists" in changed:
            _check_lists(event, chosen["lists"])
        for name in changed:
            setattr(event, name, chosen[name])
        _check_times(event)
        event.save(update_fields=changed)
        told = [{name: _plain(values[name]) for name in changed if name in _CHAINED} for values in (before, chosen)]
        note = "\n".join(chosen[name] for name in ("name", "place") if name in changed)
        after = {**told[1], "changed": changed}
        record(event, by, "event.details_changed", now, before=told[0], after=after, note=note)
        return _outcome(event, _let_in(event, by, now) if "capacity" in changed else 0)


def _checked(chosen: dict[str, Any]) -> dict[str, Any]:
    for name, most in (("name", MAX_NAME), ("place", MAX_PLACE), ("fee", MAX_FEE)):
        if name in chosen:
            chosen[name] = " ".join(chosen[name].replace("\x00", "").split())[:most]
    if not chosen.get("name", "-"):
        raise InvalidInput("name_missing", _("The event needs a name."))
    check_bounds(capacity=chosen.get("capacity"))
    check_zone(chosen.get("time_zone", ""))
    if "description" in chosen:
        chosen["description"] = chosen["description"].replace("\x00", "").replace("\r\n", "\n").strip()
        if len(chosen["description"]) > MAX_DESCRIPTION:
            raise InvalidInput("description_too_long", _("A description has at most 10,000 characters."))
    if "link" in chosen:
        chosen["link"] = _checked_link(chosen["link"])
    if "lists" in chosen:
        check_lists(chosen["lists"])
    return chosen


def _checked_link(link: str) -> str:
    link = link.strip()
    try:
        if link:
            URLValidator(schemes=["http", "https"])(link)
    except ValidationError:
        raise InvalidInput("link_wrong", _("A link begins with https:// or http://.")) from None
    if len(link) > MAX_LINK:
        raise InvalidInput("link_wrong", _("A link has at most 300 characters."))
    return link


def _check_times(event: Event) -> None:
    opens, closes = event.registration_opens_at, event.registration_closes_at
    if opens is not None and closes is not None and closes <= opens:
        raise InvalidInput("times_wrong", _("Registration closes before it opens."))


def lists_choices(event: Event) -> list[str]:
    """What an event may choose about decklists now, its present choice included.

    Lists are asked for before the lock alone, and lists that are there go on being collected. Nothing changes once
    play has begun.
    """
    choices = set(Event.Lists.values)
    if event.status not in (*_BEFORE_LOCK, *_BEFORE_START):
        choices = set()
    if event.status not in _BEFORE_LOCK:
        choices.discard(Event.Lists.REQUIRED)
    if any(kind.objects.filter(entrant__event=event).exists() for kind in (Decklist, Pool)):
        choices.discard(Event.Lists.NONE)
    return [choice for choice in Event.Lists.values if choice in choices or choice == event.lists]


def _check_lists(event: Event, lists: str) -> None:
    """Refuse a choice that comes too late; `event` as it was before."""
    if lists in lists_choices(event):
        return
    if lists == Event.Lists.NONE and event.status in (*_BEFORE_LOCK, *_BEFORE_START):
        raise Refusal("decks_exist", _("Decklists are there already: they go on being collected."))
    if event.status in _BEFORE_START:
        raise Refusal("event_state", _("Registration is closed: players could not hand in a required list any more."))
    raise Refusal("event_state", _("Play has begun: what is asked for stays."))


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
