"""What each entry of a ledger tells by letter, to whom, and in which words.

A telling is written under the reader's language. Its audience is asked for when the letters are sent, so that what was
taken back meanwhile tells nobody.
"""

import zoneinfo
from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings
from django.db.models import Prefetch, Q, QuerySet
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from tournaments.announcements.models import Announcement
from tournaments.common.models import LedgerEntry
from tournaments.decks.selectors import without_legal_list
from tournaments.events.models import Entrant, Event
from tournaments.events.selectors import first_stage
from tournaments.notices.models import Kind
from tournaments.play.field import entered
from tournaments.play.models import Round, Seat

Status = Event.Status
BEFORE_THE_END = (Status.REGISTRATION, Status.LOCKED, Status.CHECK_IN, Status.RUNNING)


@dataclass(frozen=True)
class Telling:
    """Whom an entry concerns, what it is called, and what it says to an entrant. `page` is where its link leads.

    One that says the same to everybody has no `line` but `alike`, which is asked once for all letters.
    """

    kind: Kind
    audience: Callable[[Event, LedgerEntry], QuerySet[Entrant]]
    subject: Callable[[Event, LedgerEntry], str]
    line: Callable[[LedgerEntry, Entrant], str] | None = None
    page: str = "web:me"
    alike: Callable[[LedgerEntry], str] | None = None


def _pairing(event: Event, entry: LedgerEntry) -> QuerySet[Entrant]:
    """Who sits in the round, as long as it is the one that was published."""
    found = Round.objects.filter(
        stage__event=event, number=_number(entry), status=Round.Status.PUBLISHED, published_at=entry.at
    )
    seats = Seat.objects.filter(round__in=found).select_related("match")
    others = Prefetch("match__seats", Seat.objects.prefetch_related("entrant__member_set__person"))
    return event.entrants.filter(seats__round__in=found).prefetch_related(
        Prefetch("seats", seats.prefetch_related(others), to_attr="here")
    )


def _number(entry: LedgerEntry) -> int:
    return int(entry.object.removeprefix("r"))


def _seat_line(entry: LedgerEntry, entrant: Entrant) -> str:
    seat: Seat = entrant.here[0]  # type: ignore[attr-defined]  # `_seated` read it
    words = {
        "name": entrant.name,
        "number": _number(entry),
        "table": seat.match.table,
        "others": ", ".join(other.entrant.name for other in seat.match.seats.all() if other.pk != seat.pk),
    }
    if seat.match.table is None:
        return _("%(name)s sits round %(number)s out.") % words
    return _("%(name)s: table %(table)s against %(others)s.") % words


def _living(*states: str) -> Callable[[Event, LedgerEntry], QuerySet[Entrant]]:
    def audience(event: Event, entry: LedgerEntry) -> QuerySet[Entrant]:
        if event.status not in states:
            return event.entrants.none()
        return event.entrants.exclude(status=Entrant.Status.DROPPED)

    return audience


def _to_go_elsewhere(event: Event, entry: LedgerEntry) -> QuerySet[Entrant]:
    """Who is entered, when place or time changed; a later change tells it instead."""
    moved = {"place", "starts_at", "time_zone"}
    later = LedgerEntry.objects.filter(chain=entry.chain, code=entry.code, number__gt=entry.number)
    if not moved & set(entry.after.get("changed", ())) or any(
        moved & set(other.after.get("changed", ())) for other in later
    ):
        return event.entrants.none()
    return _living(*BEFORE_THE_END)(event, entry).select_related("event")


def _where_and_when(entry: LedgerEntry, entrant: Entrant) -> str:
    event = entrant.event
    words = {"name": entrant.name, "place": event.place, "when": ""}
    if event.starts_at:
        zone = zoneinfo.ZoneInfo(event.time_zone or settings.TIME_ZONE)
        words["when"] = f"{date_format(event.starts_at.astimezone(zone), 'j M Y, H:i')} ({zone.key})"
    if event.place and event.starts_at:
        return _("%(name)s plays here: %(place)s, %(when)s.") % words
    if event.place:
        return _("%(name)s plays here: %(place)s. The time is not said yet.") % words
    if event.starts_at:
        return _("%(name)s plays on %(when)s. The place is not said yet.") % words
    return _("Where and when %(name)s plays is not said yet.") % words


def _without_list(event: Event, entry: LedgerEntry) -> QuerySet[Entrant]:
    if event.status != Status.REGISTRATION:
        return event.entrants.none()
    return without_legal_list(first_stage(event))


def _hearers(event: Event, entry: LedgerEntry) -> QuerySet[Entrant]:
    said = _announcement(entry)
    if said is None:
        return event.entrants.none()
    if said.match_id:
        return event.entrants.filter(seats__match=said.match_id)
    if said.stage is not None:
        return event.entrants.filter(pk__in=entered(said.stage).values("pk"), status=Entrant.Status.REGISTERED)
    return event.entrants.filter(status=Entrant.Status.REGISTERED)


def _announcement(entry: LedgerEntry) -> Announcement | None:
    return Announcement.objects.filter(public_id=entry.object, withdrawn_at=None).select_related("stage").first()


def _said(entry: LedgerEntry) -> str:
    said = _announcement(entry)
    return said.text if said else ""


def _at_the_table(event: Event, entry: LedgerEntry) -> QuerySet[Entrant]:
    of_dispute = Q(seats__match__disputes__public_id=entry.object)
    return event.entrants.filter(of_dispute | Q(seats__match__public_id=entry.object)).distinct()


def _itself(event: Event, entry: LedgerEntry) -> QuerySet[Entrant]:
    return event.entrants.filter(public_id=entry.object, status=Entrant.Status.REGISTERED)


def _named(words: Callable[[], str]) -> Callable[[LedgerEntry, Entrant], str]:
    return lambda entry, entrant: words() % {"name": entrant.name}


def _of_event(words: Callable[[], str]) -> Callable[[Event, LedgerEntry], str]:
    return lambda event, entry: words() % {"event": event.name, "number": entry.object.removeprefix("r")}


_TABLE = _named(lambda: _("It is about a match that %(name)s plays. A judge decides; your page says how things stand."))

TELLINGS: dict[str, Telling] = {
    "round.published": Telling(
        Kind.PAIRING,
        _pairing,
        _of_event(lambda: _("Round %(number)s of %(event)s: where you sit")),
        _seat_line,
    ),
    "event.check_in_opened": Telling(
        Kind.EVENT,
        _living(Status.CHECK_IN),
        _of_event(lambda: _("Check-in is open: %(event)s")),
        _named(lambda: _("Say that %(name)s is there: on your page, or at the desk.")),
    ),
    "event.started": Telling(
        Kind.EVENT,
        _living(Status.RUNNING),
        _of_event(lambda: _("%(event)s has started")),
        _named(lambda: _("The first pairings come soon. The page of %(name)s shows the table.")),
    ),
    "event.details_changed": Telling(
        Kind.EVENT,
        _to_go_elsewhere,
        _of_event(lambda: _("Another place or time: %(event)s")),
        _where_and_when,
        page="web:event",
    ),
    "event.cancelled": Telling(
        Kind.EVENT,
        _living(Status.CANCELLED),
        _of_event(lambda: _("%(event)s is cancelled")),
        _named(lambda: _("The event does not take place, or goes no further. %(name)s need not come.")),
        page="web:event",
    ),
    "event.opened": Telling(
        Kind.DECK,
        _without_list,
        _of_event(lambda: _("A decklist is due: %(event)s")),
        _named(lambda: _("%(name)s has no legal decklist yet. Submit it before the event begins.")),
        page="web:deck",
    ),
    "announcement.made": Telling(
        Kind.ANNOUNCEMENT, _hearers, _of_event(lambda: _("Announcement: %(event)s")), alike=_said, page="web:event"
    ),
    "result.contested": Telling(
        Kind.DISPUTE, _at_the_table, _of_event(lambda: _("A result is contested: %(event)s")), _TABLE
    ),
    "dispute.claimed": Telling(
        Kind.DISPUTE, _at_the_table, _of_event(lambda: _("A result is said to be wrong: %(event)s")), _TABLE
    ),
    "dispute.appealed": Telling(
        Kind.DISPUTE, _at_the_table, _of_event(lambda: _("A ruling is appealed: %(event)s")), _TABLE
    ),
    "dispute.ruled": Telling(
        Kind.DISPUTE,
        _at_the_table,
        _of_event(lambda: _("A judge has ruled: %(event)s")),
        _named(
            lambda: _("It is about a match that %(name)s plays. Your page says what was decided, and how to appeal.")
        ),
    ),
    "entrant.moved_up": Telling(
        Kind.PLACE,
        _itself,
        _of_event(lambda: _("You have a place: %(event)s")),
        _named(lambda: _("%(name)s is off the waiting list and takes part. Submit a decklist where one is asked for.")),
    ),
}
LATER = {"event.opened"}  # told not when it happens, but some time before the event begins


def page_of(telling: Telling, event: Event) -> str:
    """Where the link of a letter leads."""
    return reverse(telling.page, args=[event.public_id])
