"""Read queries on clubs, for pages and the API."""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from tournaments.accounts.models import User
from tournaments.accounts.selectors import name_of
from tournaments.clubs.access import roles_in
from tournaments.clubs.models import Club, ClubEvent, ClubRole, Convention
from tournaments.common.models import LedgerEntry
from tournaments.common.names import natural
from tournaments.events.access import ACTIONS
from tournaments.events.models import Event, StaffRole
from tournaments.events.selectors import OVER, visible_events

MONTH = timedelta(days=365.25 / 12)


def all_clubs() -> list[Any]:
    """All clubs by name; `size` is the number of their public events."""
    return _by_name(_sized())


def _sized() -> QuerySet[Any]:
    shown = Q(entries__event__listing=Event.Listing.PUBLIC) & ~Q(entries__event__status=Event.Status.DRAFT)
    return Club.objects.annotate(size=Count("entries", filter=shown)).order_by("pk")


def _by_name(clubs: QuerySet[Any]) -> list[Any]:
    """Sorted here, since databases disagree on the order of letters with accents."""
    return sorted(clubs, key=lambda club: natural(club.name))


def clubs_of(user: Any) -> list[Any]:
    """The clubs in which an account has a role, as `all_clubs`."""
    if not user.is_authenticated:
        return []
    return _by_name(_sized().filter(Exists(ClubRole.objects.filter(club=OuterRef("pk"), user=user))))


def club_of(event: Event) -> Club | None:
    """The club that holds an event, or None."""
    entry = ClubEvent.objects.filter(event=event).select_related("club").first()
    return entry.club if entry else None


def public_convention_of(event: Event) -> Convention | None:
    """The convention that an event is part of, if everybody may see it, or None."""
    return Convention.objects.filter(entries__event=event, is_public=True).first()


def events_of(club: Club, user: Any) -> QuerySet[Event]:
    """The events of a club that lists show to this user (`visible_events`)."""
    return visible_events(user).filter(club_entry__club=club)


def upcoming(club: Club, user: Any) -> QuerySet[Event]:
    """The events of a club that are not over, the next one first, those without a date last."""
    return events_of(club, user).exclude(status__in=OVER).order_by(*_BY_START)


_BY_START = ("starts_at", "pk")


def past(club: Club, user: Any) -> QuerySet[Event]:
    """The events of a club that are over, newest first."""
    return events_of(club, user).filter(status__in=OVER).order_by("-starts_at", "-pk")


def conventions_shown(club: Club, user: Any) -> QuerySet[Convention]:
    """The conventions of a club that this user may see: its staff see all of them, others the public ones."""
    return club.conventions.all() if roles_in(user, club) else club.conventions.filter(is_public=True)


def events_to_add(club: Club, user: User) -> QuerySet[Event]:
    """Events that the account owns, that are not over, and that no club holds."""
    owned = StaffRole.objects.filter(user=user, role__in=ACTIONS["invite_staff"])
    open_ = Event.objects.filter(pk__in=owned.values("event"), club_entry=None).exclude(status__in=OVER)
    return open_.order_by("-created_at", "-pk")


def team_of(club: Club) -> list[tuple[ClubRole, str]]:
    """The roles in a club in the order they were given, each with the name of the person who has it."""
    roles = club.roles.select_related("user").prefetch_related("user__persons")
    return [(role, name_of(role.user)) for role in roles]


def ledger_of(club: Club, most: int = 100) -> QuerySet[LedgerEntry]:
    """The newest entries of a club's ledger."""
    return LedgerEntry.objects.filter(chain=club.public_id).order_by("-number")[:most]


def events_with_shared_penalties(event: Event, now: datetime) -> tuple[QuerySet[Event], datetime] | None:
    """The other events of the club that holds an event, and the moment since which their penalties are shown there.

    None if no club holds it, or if the club shows none.
    """
    club = club_of(event)
    if club is None or not club.penalty_months:
        return None
    others = Event.objects.filter(club_entry__club=club).exclude(pk=event.pk)
    return others, now - club.penalty_months * MONTH
