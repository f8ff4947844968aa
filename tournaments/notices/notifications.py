"""The notification that each kind of ledger entry causes: who gets it, and what it says, by e-mail and as a push.

A notification is written in the reader's language. Its audience is looked up when it is sent, so nobody is notified of
something that was undone in the meantime.

A push lies open on the screen of a phone, so it says no more than the public page of the event: see `public_line`.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import Prefetch, Q, QuerySet
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from tournaments.announcements.models import Announcement
from tournaments.common.models import LedgerEntry
from tournaments.common.moments import local
from tournaments.decks.selectors import no_legal_list, without_legal_list
from tournaments.events.models import Application, Entrant, Event
from tournaments.events.selectors import current_stage, first_stage
from tournaments.events.visibility import PUBLIC
from tournaments.events.zones import zone_of
from tournaments.judging.models import Call
from tournaments.notices.models import Kind
from tournaments.play.access import shows_pairings
from tournaments.play.field import entered
from tournaments.play.models import Round, Seat

Status = Event.Status
NameOf = Callable[[Any], str]
Concerned = Entrant | Application
"""What a notification is about; an account gets it for each of its persons that are in it."""


class Addressed(NamedTuple):
    """An entrant or application that a notification is about, as one reader sees it.

    `is_own` says that it is the reader's own: the text then says “you”. Otherwise, for a team or somebody the reader
    acts for, it gives the name.
    """

    concerned: Any
    is_own: bool = False


LineOf = Callable[[LedgerEntry, Addressed, NameOf], str]
BEFORE_THE_END = (Status.REGISTRATION, Status.LOCKED, Status.CHECK_IN, Status.RUNNING)


@dataclass(frozen=True)
class Notification:
    """The notification that a ledger entry causes.

    `audience` gives the entrants concerned, or the applications for a place, `line` the text for one of them, and
    `page` the name of the URL that it links to. If the text is the same for everybody, there is `alike` instead of
    `line`, evaluated only once.
    `is_public` says whether the public page of the event shows that text now; `veiled` is what a push says if not.

    Texts are functions, because they are translated when the e-mail is written, in the reader's language.
    """

    kind: Kind
    audience: Callable[[Event, LedgerEntry], QuerySet[Any]]
    subject: Callable[[Event, LedgerEntry], str]
    line: LineOf | None = None
    page: str = "web:me"
    alike: Callable[[LedgerEntry], str] | None = None
    is_public: Callable[[Event, LedgerEntry], bool] = lambda event, entry: False
    veiled: Callable[[LedgerEntry], str] = lambda entry: _("Open Arbitre to read it.")


def _pairing(event: Event, entry: LedgerEntry) -> QuerySet[Entrant]:
    """The entrants seated in a published round; nobody if its pairings were withdrawn or published again since."""
    # `published_at` ties the e-mail to this publication: pairings published again have an entry of their own, which
    # sends another e-mail.
    found = Round.objects.filter(
        stage__event=event, number=_number(entry), status=Round.Status.PUBLISHED, published_at=entry.at
    )
    return _seated(event, found)


def _seated(event: Event, found: QuerySet[Round]) -> QuerySet[Entrant]:
    seats = Seat.objects.filter(round__in=found).select_related("match")
    others = Prefetch("match__seats", Seat.objects.prefetch_related("entrant__member_set__person"))
    return event.entrants.filter(seats__round__in=found).prefetch_related(
        Prefetch("seats", seats.prefetch_related(others), to_attr="here")
    )


def _moved(event: Event, entry: LedgerEntry) -> QuerySet[Entrant]:
    """The entrants at the tables of a published round where two players were swapped; nobody if it was a draft."""
    found = Round.objects.filter(
        stage__event=event, number=_number(entry), status=Round.Status.PUBLISHED, published_at__lte=entry.at
    )
    moved = [player for table in entry.before["tables"] for player in table["players"]]
    return _seated(event, found).filter(public_id__in=moved)


def _number(entry: LedgerEntry) -> int:
    return int(entry.object.removeprefix("r"))


def _pairings_are_public(event: Event, entry: LedgerEntry) -> bool:
    return _are_public(Round.objects.filter(stage__event=event, number=_number(entry), published_at=entry.at))


def _swap_is_public(event: Event, entry: LedgerEntry) -> bool:
    return _are_public(Round.objects.filter(stage__event=event, number=_number(entry), published_at__lte=entry.at))


def _are_public(found: QuerySet[Round]) -> bool:
    round_ = found.select_related("stage__event").first()
    return round_ is not None and shows_pairings({PUBLIC}, round_)


def _seat_line(entry: LedgerEntry, to: Addressed, name_of: NameOf) -> str:
    entrant = to.concerned
    seat: Seat = entrant.here[0]  # prefetched by `_pairing`
    words = {
        "name": "" if to.is_own else name_of(entrant),
        "number": _number(entry),
        "table": seat.match.table,
        "others": ", ".join(name_of(other.entrant) for other in seat.match.seats.all() if other.pk != seat.pk),
    }
    if seat.match.table is None:
        return (_("You sit out round %(number)s.") if to.is_own else _("%(name)s sits out round %(number)s.")) % words
    if to.is_own:
        return _("You play at table %(table)s against %(others)s.") % words
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


def _where_and_when(entry: LedgerEntry, to: Addressed, name_of: NameOf) -> str:
    event = to.concerned.event
    words = {"name": "" if to.is_own else name_of(to.concerned), "place": event.place, "when": ""}
    if event.starts_at:
        zone = zone_of(event)
        words["when"] = f"{date_format(local(event.starts_at, zone), 'DATETIME_FORMAT')} ({zone.key})"
    said = _own_place_and_time(event) if to.is_own else _place_and_time(event)
    return said % words


def _own_place_and_time(event: Event) -> str:
    if event.place and event.starts_at:
        return _("You play here: %(place)s, %(when)s.")
    if event.place:
        return _("You play here: %(place)s. The time is not set yet.")
    if event.starts_at:
        return _("You play on %(when)s. The place is not set yet.")
    return _("The place and the time are not set yet.")


def _place_and_time(event: Event) -> str:
    if event.place and event.starts_at:
        return _("%(name)s plays here: %(place)s, %(when)s.")
    if event.place:
        return _("%(name)s plays here: %(place)s. The time is not set yet.")
    if event.starts_at:
        return _("%(name)s plays on %(when)s. The place is not set yet.")
    return _("%(name)s: the place and the time are not set yet.")


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


def _is_for_everybody(event: Event, entry: LedgerEntry) -> bool:
    announcement = _announcement(entry)
    return announcement is not None and announcement.stage_id is None and announcement.match_id is None


def _at_the_table(event: Event, entry: LedgerEntry) -> QuerySet[Entrant]:
    of_dispute = Q(seats__match__disputes__public_id=entry.object)
    return event.entrants.filter(of_dispute | Q(seats__match__public_id=entry.object)).distinct()


def _itself(event: Event, entry: LedgerEntry) -> QuerySet[Entrant]:
    return event.entrants.filter(public_id=entry.object, status=Entrant.Status.REGISTERED)


def _callers(event: Event, entry: LedgerEntry) -> QuerySet[Entrant]:
    """The entrant who called; nobody if the judge has put the call back, or it is over."""
    calls = Call.objects.filter(public_id=entry.object, status=Call.Status.CLAIMED)
    return event.entrants.filter(seats__in=calls.values("seat"))


def _always(event: Event, entry: LedgerEntry) -> bool:
    return True


def _approved(event: Event, entry: LedgerEntry) -> QuerySet[Entrant]:
    """The entrant whose application was approved; nobody if they have left since."""
    return event.entrants.filter(public_id=entry.object).exclude(status=Entrant.Status.DROPPED)


def _approved_line(entry: LedgerEntry, to: Addressed, name_of: NameOf) -> str:
    return (_approved_to_wait if to.concerned.status == Entrant.Status.WAITING else _approved_to_play)(
        entry, to, name_of
    )


def _qualified(event: Event, entry: LedgerEntry) -> QuerySet[Entrant]:
    """The entrants who came in from another event and have not left since."""
    came = event.entrants.filter(public_id__in=entry.after.get("entrants", ()))
    return came.exclude(status=Entrant.Status.DROPPED)


def _qualified_line(entry: LedgerEntry, to: Addressed, name_of: NameOf) -> str:
    return (_qualified_to_wait if to.concerned.status == Entrant.Status.WAITING else _qualified_to_play)(
        entry, to, name_of
    )


def _declined(event: Event, entry: LedgerEntry) -> QuerySet[Application]:
    """The application that was declined; nobody if it was approved after all."""
    return event.applications.filter(public_id=entry.object, status=Application.Status.DECLINED)


def _declined_line(entry: LedgerEntry, to: Addressed, name_of: NameOf) -> str:
    words = {"name": "" if to.is_own else name_of(to.concerned), "reason": to.concerned.reason}
    if to.concerned.reason:
        own = _("The organizer did not accept your registration: %(reason)s")
        return (
            own if to.is_own else _("The organizer did not accept the registration of %(name)s: %(reason)s")
        ) % words
    own = _("Your registration was not accepted.")
    return (own if to.is_own else _("The registration of %(name)s was not accepted.")) % words


def _said(own: Callable[[], str], another: Callable[[], str]) -> LineOf:
    """The text of a notification: what the player reads, and what is read about a team or another player."""
    return lambda entry, to, name_of: own() if to.is_own else another() % {"name": name_of(to.concerned)}


def _of_event(words: Callable[[], str]) -> Callable[[Event, LedgerEntry], str]:
    return lambda event, entry: words() % {"event": event.name, "number": entry.object.removeprefix("r")}


_approved_to_wait = _said(
    lambda: _("Your registration is approved. The event is full: you are on the waiting list."),
    lambda: _("The registration of %(name)s is approved. The event is full: %(name)s is on the waiting list."),
)
_approved_to_play = _said(
    lambda: _("Your registration is approved. Submit a decklist if one is required."),
    lambda: _("The registration of %(name)s is approved. Submit a decklist if one is required."),
)
_qualified_to_wait = _said(
    lambda: _("You qualified in another event. This one is full: you are on the waiting list."),
    lambda: _("%(name)s qualified in another event. This one is full: %(name)s is on the waiting list."),
)
_qualified_to_play = _said(
    lambda: _("You qualified in another event and are entered here. If you cannot come, drop from your page."),
    lambda: _("%(name)s qualified in another event and is entered here. If %(name)s cannot come, drop from your page."),
)
_TABLE = _said(
    lambda: _("A judge will rule on your match: your page shows where it stands."),
    lambda: _("A judge will rule on a match of %(name)s: your page shows where it stands."),
)

NOTIFICATIONS: dict[str, Notification] = {
    "round.published": Notification(
        Kind.PAIRING,
        _pairing,
        _of_event(lambda: _("Round %(number)s of %(event)s: your table")),
        _seat_line,
        is_public=_pairings_are_public,
        veiled=lambda entry: _("Round %(number)s is published.") % {"number": _number(entry)},
    ),
    "round.swapped": Notification(
        Kind.PAIRING,
        _moved,
        _of_event(lambda: _("Round %(number)s of %(event)s: another table")),
        _seat_line,
        is_public=_swap_is_public,
        veiled=lambda entry: _("Your table in round %(number)s has changed.") % {"number": _number(entry)},
    ),
    "event.check_in_opened": Notification(
        Kind.EVENT,
        _living(Status.CHECK_IN),
        _of_event(lambda: _("Check-in is open: %(event)s")),
        _said(
            lambda: _("Check in on your page, or at the desk."),
            lambda: _("Check %(name)s in on your page, or at the desk."),
        ),
        is_public=_always,
    ),
    "event.started": Notification(
        Kind.EVENT,
        _living(Status.RUNNING),
        _of_event(lambda: _("%(event)s has started")),
        _said(
            lambda: _("The first pairings will be published soon. Your page will show your table."),
            lambda: _("The first pairings will be published soon. The page of %(name)s will show the table."),
        ),
        is_public=_always,
    ),
    "event.details_changed": Notification(
        Kind.EVENT,
        _to_go_elsewhere,
        _of_event(lambda: _("New place or time: %(event)s")),
        _where_and_when,
        page="web:event",
        is_public=_always,
    ),
    "event.cancelled": Notification(
        Kind.EVENT,
        _living(Status.CANCELLED),
        _of_event(lambda: _("%(event)s is cancelled")),
        _said(
            lambda: _("The event is cancelled or has been stopped. You do not need to come."),
            lambda: _("The event is cancelled or has been stopped. %(name)s does not need to come."),
        ),
        page="web:event",
        is_public=_always,
    ),
    "event.opened": Notification(
        Kind.DECK,
        _without_list,
        _of_event(lambda: _("Decklist missing: %(event)s")),
        _said(
            lambda: _("You have no legal decklist yet. Submit one before the event begins."),
            lambda: _("%(name)s has no legal decklist yet. Submit one before the event begins."),
        ),
        page="web:deck",
    ),
    "deck.judged_again": Notification(
        Kind.DECK,
        _made_illegal,
        _of_event(lambda: _("Decklist no longer legal: %(event)s")),
        _said(
            lambda: _("Your decklist was checked again and now breaks a rule. Its page says which one."),
            lambda: _("The list of %(name)s was checked again and now breaks a rule. The list’s page says which one."),
        ),
        page="web:deck",
    ),
    "announcement.made": Notification(
        Kind.ANNOUNCEMENT,
        _hearers,
        _of_event(lambda: _("Announcement: %(event)s")),
        alike=_announced_text,
        page="web:event",
        is_public=_is_for_everybody,
    ),
    "result.contested": Notification(
        Kind.DISPUTE, _at_the_table, _of_event(lambda: _("A result is contested: %(event)s")), _TABLE
    ),
    "dispute.claimed": Notification(
        Kind.DISPUTE, _at_the_table, _of_event(lambda: _("A result is contested: %(event)s")), _TABLE
    ),
    "dispute.appealed": Notification(
        Kind.DISPUTE, _at_the_table, _of_event(lambda: _("A ruling was appealed: %(event)s")), _TABLE
    ),
    "dispute.ruled": Notification(
        Kind.DISPUTE,
        _at_the_table,
        _of_event(lambda: _("A judge has ruled: %(event)s")),
        _said(
            lambda: _("A judge has ruled on your match: your page shows the ruling and how to appeal."),
            lambda: _("A judge has ruled on a match of %(name)s: your page shows the ruling and how to appeal."),
        ),
    ),
    "application.approved": Notification(
        Kind.PLACE, _approved, _of_event(lambda: _("Registration approved: %(event)s")), _approved_line
    ),
    "application.declined": Notification(
        Kind.PLACE,
        _declined,
        _of_event(lambda: _("Registration not accepted: %(event)s")),
        _declined_line,
        page="web:event",
    ),
    "entrant.moved_up": Notification(
        Kind.PLACE,
        _itself,
        _of_event(lambda: _("Off the waiting list: %(event)s")),
        _said(
            lambda: _("You are off the waiting list and have a place. Submit a decklist if one is required."),
            lambda: _("%(name)s is off the waiting list and has a place. Submit a decklist if one is required."),
        ),
    ),
    "entrant.qualified": Notification(
        Kind.PLACE,
        _qualified,
        _of_event(lambda: _("Qualified: %(event)s")),
        _qualified_line,
    ),
    "entrant.place_lost": Notification(
        Kind.PLACE,
        _itself,
        _of_event(lambda: _("Back on the waiting list: %(event)s")),
        _said(
            lambda: _(
                "You are now on the waiting list: the entry fee was not paid in time, and somebody else was waiting."
            ),
            lambda: _(
                "%(name)s is now on the waiting list: the entry fee was not paid in time, "
                "and somebody else was waiting."
            ),
        ),
    ),
    "call.claimed": Notification(
        Kind.CALL,
        _callers,
        _of_event(lambda: _("A judge is on the way: %(event)s")),
        _said(
            lambda: _("You called a judge, who is on the way."),
            lambda: _("%(name)s called a judge, who is on the way."),
        ),
        veiled=lambda entry: _("Stay at your table."),
    ),
}
# Sent not when it happens but a day before the event: most players submit their lists without a reminder.
LATER = {"event.opened"}


def public_line(
    notification: Notification, event: Event, entry: LedgerEntry, to: Addressed, off_stream: Collection[int]
) -> str:
    """The text for an entrant or an application, as far as the public page shows it now: what a push may say.

    `off_stream` has the keys of the entrants who keep their names off screens. Their names are withheld here too.
    """

    def name_of(other: Entrant) -> str:
        return _("name withheld") if other.pk in off_stream else other.name

    if not event.is_for_everybody or not notification.is_public(event, entry):
        return notification.veiled(entry)
    if notification.line is None:
        return notification.alike(entry) if notification.alike else ""
    return notification.line(entry, to, name_of)


def page_of(notification: Notification, event: Event) -> str:
    """The path that a notification links to."""
    return reverse(notification.page, args=[event.public_id])
