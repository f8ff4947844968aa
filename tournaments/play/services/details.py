"""Change an event's name, description, capacity, place, times and decklist setting after its creation.

This belongs to play and not to `events`: a new day depends on decklists that were checked for the old one, and more
places let in entrants from the waiting list.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypedDict, Unpack

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.moments import check_dates
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.decks.models import Decklist, Pool
from tournaments.decks.services import refuse_pools_of_teams
from tournaments.events.models import Entrant, Event
from tournaments.events.selectors import current_stage
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
# Values that go into the ledger. Free text does not, because it may contain names and could never be erased there:
# name and place go into the erasable note of the entry.
_CHAINED = ("capacity", "time_zone", "lists", *_TIMES)
# Where and when an event was stays in calendars and histories, so a mistake in it can be corrected afterwards as well.
_ALWAYS = {"place", "time_zone", *_TIMES}


@dataclass(frozen=True)
class Changed:
    """The changed event, with consequences for its entrants.

    `moved_up` is how many came in from the waiting list, `too_many` how many more are registered than the new capacity.
    """

    event: Event
    moved_up: int = 0
    too_many: int = 0


class Details(TypedDict, total=False):
    """What may be changed.

    `capacity` None is no limit, `time_zone` "" is that of the site, and a time of None is no time.
    """

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
    """Change the given details of an event; all others stay.

    More places let in the entrants who have waited longest, until the event starts. Fewer places take nobody out.
    Raises InvalidInput `name_missing`, `out_of_bounds`, `time_zone_unknown`, `description_too_long`, `link_wrong`,
    `times_wrong`, `date_out_of_range` or `lists_unknown`; Refusal:

    - `event_state`: the event is over, so only its place and times can be corrected; or the change of lists comes too
      late
    - `decks_exist`: lists that are already there would not be collected any more
    - `day_judged`: the day would change, and lists were checked against the suspensions of the old one
    """
    chosen = _checked(dict(given))
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        before = {name: getattr(event, name) for name in chosen}
        changed = sorted(name for name in chosen if chosen[name] != before[name])
        if not changed:
            return _outcome(event, 0)
        if event.status in _OVER and not set(changed) <= _ALWAYS:
            raise Refusal("event_state", _("The event is over: only its place and times can still be corrected."))
        if "starts_at" in changed:
            _check_day(event, before["starts_at"], chosen["starts_at"])
        if "lists" in changed:
            if event.is_team_event and chosen["lists"] != Event.Lists.NONE:
                refuse_pools_of_teams(current_stage(event))
            _check_lists(event, chosen["lists"])
        for name in changed:
            setattr(event, name, chosen[name])
        # Checked once they are set: of two times, one may be new and the other stay.
        if {"registration_opens_at", "registration_closes_at"} & set(changed):
            _check_times(event)
        event.save(update_fields=changed)
        chained = [{name: _plain(values[name]) for name in changed if name in _CHAINED} for values in (before, chosen)]
        note = "\n".join(chosen[name] for name in ("name", "place") if name in changed)
        after = {**chained[1], "changed": changed}
        record(event, by, "event.details_changed", now, before=chained[0], after=after, note=note)
        return _outcome(event, _let_in(event, by, now) if "capacity" in changed else 0)


def _checked(chosen: dict[str, Any]) -> dict[str, Any]:
    for name, most in (("name", MAX_NAME), ("place", MAX_PLACE), ("fee", MAX_FEE)):
        if name in chosen:
            # PostgreSQL cannot store NUL characters.
            chosen[name] = " ".join(chosen[name].replace("\x00", "").split())[:most]
    if not chosen.get("name", "-"):
        raise InvalidInput("name_missing", _("The event needs a name."))
    check_bounds(capacity=chosen.get("capacity"))
    check_zone(chosen.get("time_zone", ""))
    check_dates(**{name: chosen[name] for name in _TIMES if name in chosen})
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
    """The decklist settings that an event may choose now, its present one included.

    Lists can be made required only before the lock, and not turned off once there are any. Nothing changes once play
    has begun.
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
    """Refuse a decklist setting that comes too late. `event` has the old setting."""
    if lists in lists_choices(event):
        return
    if lists == Event.Lists.NONE and event.status in (*_BEFORE_LOCK, *_BEFORE_START):
        raise Refusal("decks_exist", _("Decklists have been submitted already: the event has to keep collecting them."))
    if event.status in _BEFORE_START:
        raise Refusal("event_state", _("Registration is closed: players could no longer submit a required list."))
    raise Refusal("event_state", _("The event has started: what is collected can no longer change."))


def _check_day(event: Event, before: datetime | None, after: datetime | None) -> None:
    """Refuse another day once lists were checked by the suspensions of the old one."""
    days = [moment.date() if moment else None for moment in (before, after)]
    if days[0] != days[1] and Decklist.objects.filter(stage__event=event, checked=True).exists():
        raise Refusal(
            "day_judged", _("Decklists were checked against the suspensions of that day, so it cannot change.")
        )


def _let_in(event: Event, by: User, now: datetime) -> int:
    """Give free places to waiting entrants; returns how many came in."""
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
