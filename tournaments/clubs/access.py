"""Permissions in a club: who may do what, and the functions through which views get clubs and conventions.

Everybody may see a club. Its staff pages answer 404 to people without a role in it, and 403 to those whose role does
not cover the action.
"""

from collections.abc import Mapping
from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _

from tournaments.clubs.models import Club, ClubRole, Convention, Venue
from tournaments.common import confidential
from tournaments.common.refusals import NotAllowed
from tournaments.events.models import Event

Role = ClubRole.Role
MANAGERS = frozenset({Role.OWNER, Role.ORGANIZER})

ACTIONS: Mapping[str, frozenset[str]] = {
    "view": frozenset(Role),
    "manage": MANAGERS,
    "give_roles": frozenset({Role.OWNER}),
}


def roles_in(user: Any, club: Club) -> frozenset[str]:
    """The roles that an account has in a club; empty for a visitor."""
    if not user.is_authenticated:
        return frozenset()
    return frozenset(club.roles.filter(user=user).values_list("role", flat=True))


def may(user: Any, club: Club, action: str) -> bool:
    """Whether one of the account's roles covers `action`, a key of `ACTIONS`.

    If so, no browser keeps the answer to the current request: see `common.confidential`.
    """
    covered = bool(roles_in(user, club) & ACTIONS[action])
    if covered:
        confidential.mark()
    return covered


def require(user: Any, club: Club, action: str) -> None:
    """Raise a 404 if the user has no role in the club, `NotAllowed` (403) if none of their roles covers `action`."""
    confidential.mark()
    roles = roles_in(user, club)
    if not roles:
        raise Http404
    if not roles & ACTIONS[action]:
        raise NotAllowed("role_too_low", _("Your role in this club does not allow this."))


def club_for_viewer(public_id: str) -> Club:
    """The club with this public id, which everybody may see; else 404."""
    club = Club.objects.filter(public_id=public_id).first()
    if club is None:
        raise Http404
    return club


def club_for_staff(user: Any, public_id: str, action: str) -> Club:
    """The club with this public id, if the user may do `action` there (see `require`)."""
    club = club_for_viewer(public_id)
    require(user, club, action)
    return club


def clubs_managed_by(user: Any) -> Any:
    """A query set of the clubs of which the account is owner or organizer."""
    if not user.is_authenticated:
        return Club.objects.none()
    return Club.objects.filter(roles__user=user, roles__role__in=MANAGERS).distinct()


def event_of_club(club: Club, event_id: str) -> Event:
    """An event of a club; 404 if the club does not hold it."""
    event = Event.objects.filter(public_id=event_id, club_entry__club=club).first()
    if event is None:
        raise Http404
    return event


def role_of_club(club: Club, pk: int) -> ClubRole:
    """A role that somebody has in the club; else 404."""
    role = club.roles.filter(pk=pk).select_related("user", "club").first()
    if role is None:
        raise Http404
    return role


def venue_of_club(club: Club, pk: int) -> Venue:
    """A venue of the club; else 404."""
    venue = club.venues.filter(pk=pk).first()
    if venue is None:
        raise Http404
    return venue


def convention_for_viewer(user: Any, public_id: str) -> Convention:
    """A convention: a public one, or one of a club in which the user has a role; else 404."""
    convention = Convention.objects.filter(public_id=public_id).select_related("club").first()
    if convention is None or not (convention.is_public or roles_in(user, convention.club)):
        raise Http404
    return convention


def convention_for_staff(user: Any, public_id: str, action: str) -> Convention:
    """A convention of a club in which the user may do `action` (see `require`)."""
    convention = Convention.objects.filter(public_id=public_id).select_related("club").first()
    if convention is None:
        raise Http404
    require(user, convention.club, action)
    return convention
