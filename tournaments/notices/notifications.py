"""The e-mail notification that each kind of ledger entry causes: who gets it, and what it says.

A notification is written in the reader's language. Its audience is looked up when the e-mails are sent, so nobody is
notified of something that was undone in the meantime.
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
from tournaments.decks.selectors import no_legal_list, without_legal_list
from tournaments.events.models import Entrant, Event
from tournaments.events.selectors import current_stage, first_stage
from tournaments.notices.models import Kind
from tournaments.play.field import entered
from tournaments.play.models import Round, Seat

Status = Event.Status
BEFORE_THE_END = (Status.REGISTRATION, Status.LOCKED, Status.CHECK_IN, Status.RUNNING)


@dataclass(frozen=True)
class Notification:
    """The notification that a ledger entry causes.

    `audience` gives the entrants concerned, `line` the text for one of them, and `page` the name of the URL that the
    e-mail links to. If the text is the same for everybody, there is `alike` instead of `line`, evaluated only once.

    Texts are functions, because they are translated when the e-mail is written, in the reader's language.
    """

    kind: Kind
    audience: Callable[[Event, LedgerEntry], QuerySet[Entrant]]
    subject: Callable[[Event, LedgerEntry], str]
    line: Callable[[LedgerEntry, Entrant], str] | None = None
    page: str = "web:me"
    alike: Callable[[LedgerEntry], str] | None = None


def _pairing(event: Event, entry: LedgerEntry) -> QuerySet[Entrant]:
    """The entrants seated in a published round; nobody if its pairings were withdrawn or published again since."""
    # `published_at` ties the e-mail to this publication: pairings published again have an entry of their own, which
    # sends another e-mail.
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
    seat: Seat = entrant.here[0]  # type: ignore[attr-defined]  # prefetched by `_pairing`
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
    """The entrants to notify of a new place or time; nobody if a later change of either supersedes this one."""
    # Organizers often correct these twice in a row: only the last change is worth an e-mail.
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
    # After the lock the player can no longer do anything about it.
    if event.status != Status.REGISTRATION:
        return event.entrants.none()
    return without_legal_list(first_stage(event))


def _made_illegal(event: Event, entry: LedgerEntry) -> QuerySet[Entrant]:
    """The entrant whose list was legal until it was checked again; nobody if they have a legal one by now."""
    was = (entry.before or {}).get("legal")
    if not was or entry.after["legal"] or event.status not in BEFORE_THE_END:
        return event.entrants.none()
    return no_legal_list(current_stage(event)).filter(public_id=entry.object)


def _hearers(event: Event, entry: LedgerEntry) -> QuerySet[Entrant]:
    announcement = _announcement(entry)
    if announcement is None:
        return event.entrants.none()
    if announcement.match_id:
        return event.entrants.filter(seats__match=announcement.match_id)
    if announcement.stage is not None:
        return event.entrants.filter(pk__in=entered(announcement.stage).values("pk"), status=Entrant.Status.REGISTERED)
    return event.entrants.filter(status=Entrant.Status.REGISTERED)


def _announcement(entry: LedgerEntry) -> Announcement | None:
    return Announcement.objects.filter(public_id=entry.object, withdrawn_at=None).select_related("stage").first()


def _announced_text(entry: LedgerEntry) -> str:
    announcement = _announcement(entry)
    return announcement.text if announcement else ""


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

NOTIFICATIONS: dict[str, Notification] = {
    "round.published": Notification(
        Kind.PAIRING,
        _pairing,
        _of_event(lambda: _("Round %(number)s of %(event)s: where you sit")),
        _seat_line,
    ),
    "event.check_in_opened": Notification(
        Kind.EVENT,
        _living(Status.CHECK_IN),
        _of_event(lambda: _("Check-in is open: %(event)s")),
        _named(lambda: _("Say that %(name)s is there: on your page, or at the desk.")),
    ),
    "event.started": Notification(
        Kind.EVENT,
        _living(Status.RUNNING),
        _of_event(lambda: _("%(event)s has started")),
        _named(lambda: _("The first pairings come soon. The page of %(name)s shows the table.")),
    ),
    "event.details_changed": Notification(
        Kind.EVENT,
        _to_go_elsewhere,
        _of_event(lambda: _("Another place or time: %(event)s")),
        _where_and_when,
        page="web:event",
    ),
    "event.cancelled": Notification(
        Kind.EVENT,
        _living(Status.CANCELLED),
        _of_event(lambda: _("%(event)s is cancelled")),
        _named(lambda: _("The event does not take place, or goes no further. %(name)s need not come.")),
        page="web:event",
    ),
    "event.opened": Notification(
        Kind.DECK,
        _without_list,
        _of_event(lambda: _("A decklist is due: %(event)s")),
        _named(lambda: _("%(name)s has no legal decklist yet. Submit it before the event begins.")),
        page="web:deck",
    ),
    "deck.judged_again": Notification(
        Kind.DECK,
        _made_illegal,
        _of_event(lambda: _("A decklist is not legal any more: %(event)s")),
        _named(lambda: _("The list of %(name)s was checked again, and it breaks a rule now. Its page says which one.")),
        page="web:deck",
    ),
    "announcement.made": Notification(
        Kind.ANNOUNCEMENT,
        _hearers,
        _of_event(lambda: _("Announcement: %(event)s")),
        alike=_announced_text,
        page="web:event",
    ),
    "result.contested": Notification(
        Kind.DISPUTE, _at_the_table, _of_event(lambda: _("A result is contested: %(event)s")), _TABLE
    ),
    "dispute.claimed": Notification(
        Kind.DISPUTE, _at_the_table, _of_event(lambda: _("A result is said to be wrong: %(event)s")), _TABLE
    ),
    "dispute.appealed": Notification(
        Kind.DISPUTE, _at_the_table, _of_event(lambda: _("A ruling is appealed: %(event)s")), _TABLE
    ),
    "dispute.ruled": Notification(
        Kind.DISPUTE,
        _at_the_table,
        _of_event(lambda: _("A judge has ruled: %(event)s")),
        _named(
            lambda: _("It is about a match that %(name)s plays. Your page says what was decided, and how to appeal.")
        ),
    ),
    "entrant.moved_up": Notification(
        Kind.PLACE,
        _itself,
        _of_event(lambda: _("You have a place: %(event)s")),
        _named(lambda: _("%(name)s is off the waiting list and takes part. Submit a decklist where one is asked for.")),
    ),
}
# Sent not when it happens but a day before the event: most players submit their lists without a reminder.
LATER = {"event.opened"}


def page_of(notification: Notification, event: Event) -> str:
    """The path that the e-mail of a notification links to."""
    return reverse(notification.page, args=[event.public_id])
