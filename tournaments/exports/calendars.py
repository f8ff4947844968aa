"""Events as iCalendar files: one event, those of a player or member of the staff, of an organizer, or of a club.

An entry keeps its UID, and its SEQUENCE is the number of the event's last ledger entry, so a calendar that reads the
file again replaces what it had.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import icalendar
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from tournaments.accounts.calendar_links import calendar_signature
from tournaments.accounts.models import User
from tournaments.clubs.models import Club
from tournaments.common.mail import address_of
from tournaments.common.models import LedgerEntry
from tournaments.common.moments import local
from tournaments.events.access import ACTIONS
from tournaments.events.models import Entrant, Event, StaffRole
from tournaments.events.overlaps import hours_of
from tournaments.events.selectors import events_for_search_engines
from tournaments.events.zones import zone_of

MOST = 200  # events of one calendar, newest first
KEPT_DAYS = 365  # after which an event leaves a calendar
REFRESH = timedelta(hours=6)


class Part(NamedTuple):
    """What an account does at an event: a sentence for its calendar, and whether it is certain."""

    sentence: str = ""
    certain: bool = True
    plays: bool = False


def event_calendar(event: Event) -> bytes:
    """One event that has a start time, as a calendar file."""
    (dated,) = _dated(Event.objects.filter(pk=event.pk))
    return _file(event.name, [_entry(dated, Part())])


def account_calendar(user: User, now: datetime) -> bytes:
    """The events that an account plays in or works at, in its language, with the times at which lists are due.

    No names of people are in it, not even those of children that the account registered.
    """
    with translation.override(user.language):
        entered = dict(_entered(user))
        roles = StaffRole.objects.filter(user=user).values("event")
        shown = Event.objects.filter(Q(pk__in=entered) | Q(pk__in=roles)).exclude(status=Event.Status.DRAFT)
        entries = []
        for event in _dated(_recent(shown, now)):
            part = entered.get(event.pk, Part(_("You are on the staff.")))
            entries.append(_entry(event, part))
            if part.plays and event.lists_due_at is not None and event.lists != Event.Lists.NONE:
                entries.append(_deadline(event))
        return _file(_("My tournaments"), entries)


def organizer_calendar(user: User, now: datetime) -> bytes:
    """The public events of which an account is owner or organizer."""
    entries = [_entry(event, Part()) for event in _dated(_recent(organized_publicly(user), now))]
    return _file(_("Tournaments"), entries)


def organized_publicly(user: User) -> QuerySet[Any]:
    """The public events of which an account is owner or organizer."""
    held = StaffRole.objects.filter(user=user, role__in=ACTIONS["manage_event"])
    return events_for_search_engines().filter(pk__in=held.values("event"))


def club_calendar(club: Club, now: datetime) -> bytes:
    """The public events of a club."""
    events = events_for_search_engines().filter(club_entry__club=club)
    return _file(club.name, [_entry(event, Part()) for event in _dated(_recent(events, now))])


def club_link(club: Club) -> str:
    """The path of a club's calendar."""
    return reverse("web:club_ics", args=[club.public_id])


def account_link(user: User) -> str:
    """The address of an account's calendar; "" while it has no link."""
    signature = calendar_signature(user)
    return address_of(reverse("web:account_ics", args=[user.public_id, signature])) if signature else ""


def webcal(address: str) -> str:
    """The same address in the scheme at which devices offer to subscribe to a calendar; "" for ""."""
    return "webcal:" + address.partition(":")[2] if address else ""


def _entered(user: User) -> Iterable[tuple[int, Part]]:
    """The events that the account's persons have entered, by key; a place is better than the waiting list."""
    entrants = Entrant.objects.filter(member__person__account=user).exclude(status=Entrant.Status.DROPPED)
    found = set(entrants.values_list("event", "status"))
    for event, status in sorted(found, key=lambda each: each[1] == Entrant.Status.REGISTERED):
        certain = status == Entrant.Status.REGISTERED
        yield (
            event,
            Part(_("You play in this event.") if certain else _("You are on the waiting list."), certain, certain),
        )


def _recent(events: QuerySet[Any], now: datetime) -> QuerySet[Any]:
    return events.filter(starts_at__gte=now - timedelta(days=KEPT_DAYS)).order_by("-starts_at", "-pk")[:MOST]


def _dated(events: QuerySet[Any]) -> list[Any]:
    """Load events with their stages, players, and the number and time of their last ledger entry."""
    last = LedgerEntry.objects.filter(chain=OuterRef("public_id")).order_by("-number")
    found = Event.objects.filter(pk__in=[event.pk for event in events], starts_at__isnull=False).annotate(
        playing=Count("entrants", filter=Q(entrants__status=Entrant.Status.REGISTERED)),
        revision=Subquery(last.values("number")[:1]),
        moved_at=Subquery(last.values("at")[:1]),
    )
    return list(found.prefetch_related("stages").order_by("starts_at", "pk"))


def _entry(event: Any, part: Part) -> icalendar.Event:
    start, end = hours_of(event)
    entry = _timed(event, "", start, end)
    entry.add("summary", event.name)
    if event.place:
        entry.add("location", event.place)
    estimate = _("The end time is an estimate: all the rounds, with a break after each.")
    entry.add("description", "\n".join(filter(None, [part.sentence, estimate, _address(event)])))
    cancelled = event.status == Event.Status.CANCELLED
    entry.add("status", "CANCELLED" if cancelled else "CONFIRMED" if part.certain else "TENTATIVE")
    return entry


def _deadline(event: Any) -> icalendar.Event:
    """The time at which lists are due, as an entry that takes no time."""
    entry = _timed(event, "-lists", event.lists_due_at, event.lists_due_at)
    entry.add("summary", _("Decklist due: %(event)s") % {"event": event.name})
    entry.add("description", _address(event))
    entry.add("status", "CANCELLED" if event.status == Event.Status.CANCELLED else "CONFIRMED")
    entry.add("transp", "TRANSPARENT")
    return entry


def _timed(event: Any, which: str, start: datetime, end: datetime) -> icalendar.Event:
    """An entry with its times in the zone of the event. `which` tells the entries of one event apart."""
    zone = zone_of(event)
    entry = icalendar.Event()
    # Not the host: a site that moves keeps the entries of its calendars.
    entry.add("uid", f"{event.public_id}{which}@arbitre")
    entry.add("dtstamp", event.moved_at or event.created_at)
    entry.add("last-modified", event.moved_at or event.created_at)
    entry.add("sequence", event.revision or 0)
    entry.add("dtstart", local(start, zone))
    entry.add("dtend", local(end, zone))
    entry.add("url", _address(event))
    return entry


def _address(event: Event) -> str:
    return address_of(reverse("web:event", args=[event.public_id]))


def _file(name: str, entries: Iterable[icalendar.Event]) -> bytes:
    calendar = icalendar.Calendar()
    calendar.add("prodid", "-//Arbitre//Tournaments//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", name)
    calendar.add("refresh-interval", REFRESH, parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", REFRESH)
    for entry in entries:
        calendar.add_component(entry)
    calendar.add_missing_timezones()
    file: bytes = calendar.to_ical()
    return file
