"""How roles in a club become roles at its events.

A role in a club gives the same role at each of its events that is not over, and at those that it holds later. Each such
role is an ordinary `StaffRole` with a `Grant` beside it. It can be taken back at one event without touching the others,
and comes back only if the role in the club is given anew. A role that somebody had at an event anyway stays when the
one in the club goes.

The functions are called inside a transaction in which the club is locked.
"""

from collections.abc import Iterable
from datetime import datetime

from tournaments.accounts.models import User
from tournaments.clubs.access import MANAGERS
from tournaments.clubs.models import Club, ClubEvent, ClubRole, Grant
from tournaments.events.models import Event, StaffRole
from tournaments.events.selectors import OVER
from tournaments.events.services import give_role, record


def spread(role: ClubRole, by: User, now: datetime) -> int:
    """Give a role at every event of the club that is not over. Returns at how many it was new."""
    events = _locked(Event.objects.filter(club_entry__club=role.club).exclude(status__in=OVER))
    return sum([_give(role, event, by, now) for event in events])


def receive(club: Club, event: Event, by: User, now: datetime) -> int:
    """Give everybody's role in the club at one event, which is locked. Returns how many roles were new."""
    return sum([_give(role, event, by, now) for role in club.roles.select_related("user", "club")])


def take_back(roles: Iterable[ClubRole], by: User, now: datetime, event: Event | None = None) -> None:
    """Take back what roles in a club gave, at one event or at all, also where the event is over.

    An event keeps an owner: where it would have none, the role stays, as that of the person alone.
    """
    grants = Grant.objects.filter(club_role__in=[role.pk for role in roles])
    if event is not None:
        grants = grants.filter(staff_role__event=event)
    _locked(Event.objects.filter(staff_roles__club_grant__in=grants.values("pk")))
    for grant in grants.select_related("staff_role__event", "staff_role__user").order_by("staff_role__event", "pk"):
        _take(grant, by, now)


def keep_group(club: Club) -> None:
    """Make the club's group what it says: its owners and organizers, who own what was given to the club."""
    club.group.user_set.set(User.objects.filter(club_roles__club=club, club_roles__role__in=MANAGERS).distinct())


def tell(events: Iterable[Event], by: User, now: datetime) -> None:
    """Write to the ledgers of events to which club and convention they belong, so that their pages follow."""
    for event in _locked(events):
        entry = ClubEvent.objects.filter(event=event).select_related("club", "convention").first()
        convention = entry.convention if entry else None
        belongs = {
            "club": entry.club.public_id if entry else None,
            "convention": convention.public_id if convention else None,
        }
        record(event, by, "event.club_changed", now, after=belongs)


def _locked(events: Iterable[Event]) -> list[Event]:
    keys = sorted({event.pk for event in events})
    return list(Event.objects.select_for_update().filter(pk__in=keys).order_by("pk"))


def _give(role: ClubRole, event: Event, by: User, now: datetime) -> bool:
    if StaffRole.objects.filter(event=event, user=role.user, role=role.role).exists():
        return False
    given = give_role(event=event, user=role.user, role=role.role, table=None, by=by, now=now, club=role.club.public_id)
    Grant.objects.create(club_role=role, staff_role=given)
    return True


def _take(grant: Grant, by: User, now: datetime) -> None:
    held = grant.staff_role
    owners = StaffRole.objects.filter(event=held.event, role=StaffRole.Role.OWNER)
    if held.role == StaffRole.Role.OWNER and not owners.exclude(pk=held.pk).exists():
        grant.delete()
        return
    held.delete()
    record(held.event, by, "staff.revoked", now, object=held.user.public_id, before={"role": held.role})
