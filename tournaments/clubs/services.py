"""Actions of a club's staff: the club itself, who has which role in it, its venues, and the events it holds.

Each action is one transaction that locks the club first, then events, and writes to the club's ledger. The ledger holds
no names, only ids and codes.
"""

from datetime import datetime
from typing import Any

from django.contrib.auth.models import Group
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.accounts.selectors import account_of_address
from tournaments.clubs import flow
from tournaments.clubs.models import Club, ClubEvent, ClubRole, Venue, club_id
from tournaments.common import clock, ledger
from tournaments.common.names import as_name
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.events.hall_tables import tables_in, written
from tournaments.events.models import Event
from tournaments.events.selectors import OVER
from tournaments.events.zones import check_zone

MAX_CLUBS = 20  # that an account may own
MAX_VENUES = 50
MAX_ROLES = 200
LONGEST_ABOUT = 5_000
MOST_MONTHS = 24
_TEXTS = {"place": 120, "about": LONGEST_ABOUT, "contact": 200, "link": 300}


def create_club(*, name: str, by: User, now: datetime, **said: Any) -> Club:
    """Create a club owned by `by`. `said` is what `change_club` takes.

    Refused: `name_missing`, `out_of_bounds` (with the names), `too_many_clubs`.
    """
    values = _checked({"name": name, **said})
    with transaction.atomic():
        User.objects.select_for_update().get(pk=by.pk)  # so that two requests at once cannot exceed the limit
        if by.club_roles.filter(role=ClubRole.Role.OWNER).count() >= MAX_CLUBS:
            raise Refusal(
                "too_many_clubs",
                _("You already own twenty clubs, the most that one account can have."),
                details=[MAX_CLUBS],
            )
        key = club_id()
        club = Club.objects.create(**values, public_id=key, group=Group.objects.create(name=key), created_at=now)
        ClubRole.objects.create(club=club, user=by, role=ClubRole.Role.OWNER)
        flow.keep_group(club)
        ledger.open_chain(club.public_id)
        record(club, by, "club.created", now)
    return club


def change_club(*, club: Club, by: User, now: datetime, **said: Any) -> Club:
    """Change the `name`, `place`, `about`, `contact`, `link` or `penalty_months` of a club; the others stay.

    The ledger says which of them changed, and for how long penalties are shown from then on. Idempotent.

    Refused: `name_missing`, `out_of_bounds` (with the names).
    """
    values = _checked(said)
    with transaction.atomic():
        club = Club.objects.select_for_update().get(pk=club.pk)
        changed = sorted(name for name, value in values.items() if getattr(club, name) != value)
        if changed:
            before = {"penalty_months": club.penalty_months}
            for name in changed:
                setattr(club, name, values[name])
            club.save(update_fields=changed)
            if "name" in changed:
                flow.tell(_open_events(club), by, now)
            after = {"penalty_months": club.penalty_months, "fields": changed}
            record(club, by, "club.changed", now, before=before, after=after)
    return club


def _checked(said: dict[str, Any]) -> dict[str, Any]:
    values = dict(said)
    if "name" in values:
        values["name"] = as_name(values["name"], 120)
        if not values["name"]:
            raise InvalidInput("name_missing", _("The club needs a name."))
    months = values.get("penalty_months", 0)
    wrong = [name for name, longest in _TEXTS.items() if len(values.get(name, "")) > longest]
    wrong += [] if 0 <= months <= MOST_MONTHS else ["penalty_months"]
    if wrong:
        raise InvalidInput("out_of_bounds", _("These values are too long or too large."), details=wrong)
    return values


def delete_club(*, club: Club, by: User, now: datetime) -> None:
    """Delete a club. Its events stay, with the staff they have; its ledger stays too. Idempotent.

    Formats and catalogues go back to the accounts that gave them.
    """
    with transaction.atomic():
        events = list(_open_events(club))
        if Club.objects.filter(pk=club.pk).delete()[0]:
            Group.objects.filter(pk=club.group_id).delete()
            flow.tell(events, by, now)
            record(club, by, "club.deleted", now)


def _open_events(club: Club) -> QuerySet[Event]:
    return Event.objects.filter(club_entry__club=club).exclude(status__in=OVER)


def grant_role(*, club: Club, email: str, role: str, by: User, now: datetime) -> ClubRole:
    """Give the account with this e-mail address a role in the club and at its events. Idempotent.

    Refused: `role_unknown`, `account_unknown`, `too_many_roles`.
    """
    if role not in ClubRole.Role.values:
        raise InvalidInput("role_unknown", _("There is no such role."), details=list(ClubRole.Role.values))
    user = _account(email)
    with transaction.atomic():
        club = Club.objects.select_for_update().get(pk=club.pk)
        if club.roles.count() >= MAX_ROLES and not club.roles.filter(user=user, role=role).exists():
            raise Refusal("too_many_roles", _("A club can give two hundred roles at most."), details=[MAX_ROLES])
        return _give(club, user, role, by, now)


def _account(email: str) -> User:
    user = account_of_address(email)
    if user is None:
        raise InvalidInput("account_unknown", _("There is no account with this e-mail address."))
    return user


def _give(club: Club, user: User, role: str, by: User, now: datetime) -> ClubRole:
    held, new = ClubRole.objects.get_or_create(club=club, user=user, role=role)
    at = flow.spread(held, by, now)
    flow.keep_group(club)
    if new or at:
        record(club, by, "club.role_granted", now, object=user.public_id, after={"role": role, "events": at})
    return held


def revoke_role(*, role: ClubRole, by: User, now: datetime) -> None:
    """Revoke a role in a club, and the roles that came from it at the club's events. Idempotent.

    Refused: `last_owner`, as a club keeps at least one owner.
    """
    with transaction.atomic():
        club = Club.objects.select_for_update().get(pk=role.club_id)
        held = club.roles.filter(pk=role.pk).select_related("user").first()
        if held is None:
            return
        owners = club.roles.filter(role=ClubRole.Role.OWNER)
        if held.role == ClubRole.Role.OWNER and not owners.exclude(pk=held.pk).exists():
            raise Refusal("last_owner", _("A club needs at least one owner."))
        flow.take_back([held], by, now)
        held.delete()
        flow.keep_group(club)
        record(club, by, "club.role_revoked", now, object=held.user.public_id, before={"role": held.role})


def hand_over(*, club: Club, email: str, by: User, now: datetime, stay: bool = True) -> ClubRole:
    """Make the account with this e-mail address an owner of the club in the place of `by`, with one ledger entry.

    The club's events follow. `by` stays as an organizer, and keeps what other roles they have, or leaves the club.

    Refused: `account_unknown`, `owner_already` if the account is an owner or is that of `by`, `not_owner`.
    """
    user = _account(email)
    roles = ClubRole.Role
    with transaction.atomic():
        club = Club.objects.select_for_update().get(pk=club.pk)
        mine = club.roles.filter(user=by)
        if not mine.filter(role=roles.OWNER).exists():
            raise Refusal("not_owner", _("Only an owner can hand the club over."))
        owner, new = ClubRole.objects.get_or_create(club=club, user=user, role=roles.OWNER)
        if not new:
            raise Refusal("owner_already", _("This account already owns the club."))
        flow.spread(owner, by, now)
        if stay:
            flow.spread(ClubRole.objects.get_or_create(club=club, user=by, role=roles.ORGANIZER)[0], by, now)
        given_up = mine.filter(role=roles.OWNER) if stay else mine
        flow.take_back(list(given_up), by, now)
        given_up.delete()
        flow.keep_group(club)
        before, after = {"owner": by.public_id}, {"owner": user.public_id, "stays": stay}
        record(club, by, "club.handed_over", now, object=user.public_id, before=before, after=after)
    return owner


def add_event(*, club: Club, event: Event, by: User, now: datetime) -> ClubEvent:
    """Add an event to a club, and give the club's staff their roles there. Idempotent.

    Refused: `event_elsewhere` if another club holds it, `event_state` if it is over.
    """
    with transaction.atomic():
        club = Club.objects.select_for_update().get(pk=club.pk)
        event = Event.objects.select_for_update().get(pk=event.pk)
        if event.status in OVER:
            raise Refusal("event_state", _("The event is over: it stays with its club."))
        entry, new = ClubEvent.objects.get_or_create(event=event, defaults={"club": club, "added_at": now})
        if entry.club_id != club.pk:
            raise Refusal("event_elsewhere", _("This event belongs to another club, which has to remove it first."))
        if new:
            given = flow.receive(club, event, by, now)
            flow.tell([event], by, now)
            record(club, by, "club.event_added", now, object=event.public_id, after={"roles": given})
    return entry


def remove_event(*, club: Club, event: Event, by: User, now: datetime) -> None:
    """Remove an event from its club, along with the roles that came from the club. Idempotent."""
    with transaction.atomic():
        club = Club.objects.select_for_update().get(pk=club.pk)
        event = Event.objects.select_for_update().get(pk=event.pk)
        if ClubEvent.objects.filter(club=club, event=event).delete()[0]:
            flow.take_back(list(club.roles.all()), by, now, event)
            flow.tell([event], by, now)
            record(club, by, "club.event_removed", now, object=event.public_id)


def save_venue(*, club: Club, name: str, by: User, now: datetime, time_zone: str = "", hall: str = "") -> Venue:
    """Add a venue to a club, or change the one with this name.

    Refused: `name_missing`, `time_zone_unknown`, `tables_invalid`, `too_many_venues`.
    """
    name = as_name(name, 120)
    if not name:
        raise InvalidInput("name_missing", _("The venue needs a name."))
    check_zone(time_zone)
    tables_in(hall)
    with transaction.atomic():
        club = Club.objects.select_for_update().get(pk=club.pk)
        if club.venues.count() >= MAX_VENUES and not club.venues.filter(name=name).exists():
            raise Refusal("too_many_venues", _("A club can have fifty venues at most."), details=[MAX_VENUES])
        values = {"time_zone": time_zone, "hall": written(hall)}
        venue, _new = Venue.objects.update_or_create(club=club, name=name, defaults=values)
        record(club, by, "club.venue_saved", now, object=f"venue-{venue.pk}")
    return venue


def delete_venue(*, venue: Venue, by: User, now: datetime) -> None:
    """Delete a venue. Events keep the name of the place that they took from it. Idempotent."""
    with transaction.atomic():
        club, key = venue.club, venue.pk
        if Venue.objects.filter(pk=key).delete()[0]:
            record(club, by, "club.venue_deleted", now, object=f"venue-{key}")


def forget_account(*, user: User, **_signal: object) -> None:
    """Take an erased account out of its clubs. A club without an owner goes to its organizer of longest standing."""
    roles, at = ClubRole.Role, clock.now()
    own = user.club_roles.values("club")  # not a join: PostgreSQL locks no rows of a query with DISTINCT
    for club in Club.objects.select_for_update().filter(pk__in=own).order_by("pk"):
        club.roles.filter(user=user).delete()
        flow.keep_group(club)
        heir = club.roles.filter(role=roles.ORGANIZER).select_related("user").first()
        if heir is not None and not club.roles.filter(role=roles.OWNER).exists():
            flow.spread(ClubRole.objects.create(club=club, user=heir.user, role=roles.OWNER), user, at)
            record(club, user, "club.handed_over", at, object=heir.user.public_id)


def record(
    club: Club, by: User, code: str, now: datetime, *, object: str = "", before: Any = None, after: Any = None
) -> None:
    """Write one entry to the ledger of a club. Call it last in a transaction."""
    ledger.record(
        chain=club.public_id,
        actor=by.public_id,
        code=code,
        object=object or club.public_id,
        now=now,
        before=before,
        after=after,
    )
