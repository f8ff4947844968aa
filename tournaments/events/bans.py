"""The ban list of an organizer: people who cannot register for any event that the account owns.

A person is named, or an e-mail address, of which only a keyed digest is stored. The reason is private. A banned person
gets a neutral refusal. The desk is warned of a name on the list, and may go ahead.
"""

import hashlib
import hmac
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import Http404
from django.utils.translation import gettext as _

from tournaments.accounts.models import Person, User
from tournaments.accounts.services import lower_address
from tournaments.common.mail import validate_email
from tournaments.common.moments import check_dates
from tournaments.common.names import one_line
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.events.entry_files import Line, name_key
from tournaments.events.models import Ban, Entrant, Event, StaffRole

MOST = 500  # per account
LONGEST_REASON = 300


def bans_of(owner: User) -> QuerySet[Ban]:
    """The ban list of an account with the persons, newest first; expired bans are still on it."""
    return owner.bans.select_related("person").order_by("-pk")


def ban_person(*, owner: User, person: Person, now: datetime, reason: str = "", until: date | None = None) -> Ban:
    """Ban a person, or change the reason and the end of their ban. `until` is the last day, None for no end.

    Refused: `too_many_bans`, `reason_too_long`.
    """
    return _ban(owner, now, reason, until, person=person)


def ban_address(*, owner: User, email: str, now: datetime, reason: str = "", until: date | None = None) -> Ban:
    """Ban whoever registers with this e-mail address. Only a digest of it is stored, so it cannot be shown again.

    Refused: `address_invalid`, `too_many_bans`, `reason_too_long`.
    """
    email = lower_address(email)
    try:
        validate_email(email)
    except ValidationError as error:
        raise InvalidInput("address_invalid", _("This is not an e-mail address."), details=error.messages)
    return _ban(owner, now, reason, until, address=_digest(owner, email))


def _ban(owner: User, now: datetime, reason: str, until: date | None, **whom: Any) -> Ban:
    check_dates(until=until)
    reason = one_line(reason)
    if len(reason) > LONGEST_REASON:
        raise InvalidInput("reason_too_long", _("A reason has at most 300 characters."))
    with transaction.atomic():
        User.objects.select_for_update().get(pk=owner.pk)  # so that two requests at once cannot exceed the limit
        known = Ban.objects.filter(owner=owner, **whom).exists()
        if not known and owner.bans.count() >= MOST:
            raise Refusal("too_many_bans", _("A ban list has at most 500 entries: remove some first."))
        values = {"reason": reason, "until": until}
        ban, _made = Ban.objects.update_or_create(
            owner=owner, **whom, defaults=values, create_defaults={**values, "made_at": now}
        )
    return ban


def lift_ban(*, ban: Ban) -> None:
    """Remove an entry from the ban list."""
    ban.delete()


def ban_for_owner(user: Any, pk: int) -> Ban:
    """An entry of the account's own ban list; else 404."""
    ban = Ban.objects.filter(pk=pk, owner=user).first() if user.is_authenticated else None
    if ban is None:
        raise Http404
    return ban


def refuse_banned(event: Event, person: Person, now: datetime) -> None:
    """Refuse a person whom an owner of the event has banned (`registration_not_accepted`), without saying why."""
    owners = [held.user for held in _owners(event).select_related("user")]
    email = person.account.email if person.account else None
    named = Q(person=person)
    if email:
        named |= Q(address__in=[_digest(owner, email) for owner in owners])
    if _in_force(now).filter(named, owner__in=owners).exists():
        sentence = _("The organizer does not accept this registration.")
        if event.contact:
            sentence += " " + _("Contact: %(contact)s") % {"contact": event.contact}
        raise Refusal("registration_not_accepted", sentence)


def is_name_banned(entrant: Entrant, now: datetime) -> bool:
    """Whether a member of an entrant has the name of somebody whom an owner of the event has banned."""
    persons = [member.person for member in entrant.member_set.select_related("person")]
    names = {name_key(person.given_name, person.family_name) for person in persons}
    return not names.isdisjoint(_banned_names(entrant.event, now))


def banned_lines(event: Event, lines: Sequence[Line], now: datetime) -> list[int]:
    """The numbers of the lines whose name, or e-mail address, is on the ban list of an owner of the event."""
    names = _banned_names(event, now)
    owners = [held.user for held in _owners(event).select_related("user")]
    digests = set(_in_force(now).filter(owner__in=owners, person=None).values_list("address", flat=True))

    def is_banned(line: Line) -> bool:
        known = line.email if digests else ""
        return line.key in names or (bool(known) and any(_digest(owner, known) in digests for owner in owners))

    return [line.number for line in lines if is_banned(line)]


def _banned_names(event: Event, now: datetime) -> set[str]:
    owners = _owners(event).values("user")
    banned = _in_force(now).filter(owner__in=owners, person__isnull=False)
    names = banned.values_list("person__given_name", "person__family_name")
    return {name_key(given, family) for given, family in names}


def _owners(event: Event) -> QuerySet[StaffRole]:
    return event.staff_roles.filter(role=StaffRole.Role.OWNER)


def _in_force(now: datetime) -> QuerySet[Ban]:
    return Ban.objects.filter(Q(until=None) | Q(until__gte=now.date()))


def _digest(owner: User, email: str) -> str:
    # Keyed by the installation and the account: no two lists can be compared, and no address can be guessed from one.
    said = f"arbitre.ban {owner.public_id} {lower_address(email)}"
    return hmac.digest(settings.SECRET_KEY.encode(), said.encode(), hashlib.sha256).hex()


def bans_about(account: User) -> QuerySet[Ban]:
    """The bans that name a person of an account, or its e-mail address; for the account's request for its data."""
    return Ban.objects.filter(Q(person__account=account) | Q(address__in=_digests_of(account.email))).order_by("pk")


def _digests_of(email: str | None) -> list[str]:
    """An address as each list that names addresses would hold it."""
    if not email:
        return []
    owners = User.objects.filter(pk__in=Ban.objects.exclude(address=None).values("owner"))
    return [_digest(owner, email) for owner in owners]


def forget_bans(*, person: Person, **_signal: object) -> None:
    """When a person is erased, delete their bans; with the last person of an account, its list and its address."""
    Ban.objects.filter(person=person).delete()
    account = person.account
    if account is not None and not Person.objects.filter(account=account).exists():
        Ban.objects.filter(owner=account).delete()
        Ban.objects.filter(address__in=_digests_of(account.email)).delete()


def follow_person(*, old: Person, new: Person, **_signal: object) -> None:
    """When a person typed at the desk turns out to be another, move their bans to lists that do not name the other."""
    owners = list(Ban.objects.filter(person=new).values_list("owner", flat=True))
    Ban.objects.filter(person=old).exclude(owner__in=owners).update(person=new)
