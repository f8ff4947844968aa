"""Accounts that act for several persons: their owner, and children without an account of their own."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.http import Http404
from django.utils.translation import gettext as _

from tournaments.accounts.models import Person, User
from tournaments.accounts.services import checked_public_name, erase_person, own_person, rename
from tournaments.common.names import as_name
from tournaments.common.refusals import InvalidInput, Refusal

MAX_PERSONS = 12  # the owner included


def persons_of(user: User) -> list[Person]:
    """Everybody an account acts for, its owner first."""
    own_person(user)  # creates the owner's if it is missing, as after `createsuperuser`
    return list(user.persons.order_by("pk"))


def person_for_guardian(user: Any, public_id: str) -> Person:
    """The person with this id, if the account acts for them. Raises Http404."""
    person = Person.objects.filter(account=user, public_id=public_id).first() if user.is_authenticated else None
    if person is None:
        raise Http404
    return person


def add_person(*, guardian: User, given_name: str, **names: Any) -> Person:
    """Add a person without an account, such as a child, for whom the guardian registers, reports and submits lists.

    `names` are the other arguments of `_names`. Raises Refusal `too_many_persons` and InvalidInput `name_missing`.
    """
    names = _names(given_name, **names)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=guardian.pk)  # so that no other request adds a person meanwhile
        own_person(guardian)
        if guardian.persons.count() >= MAX_PERSONS:
            sentence = _("An account can act for at most twelve people.")
            raise Refusal("too_many_persons", sentence, details=[MAX_PERSONS])
        return Person.objects.create(account=guardian, **names)


def change_person(*, person: Person, given_name: str, **names: Any) -> None:
    """Set the names of a person. Arguments of `_names` that are left out are cleared."""
    rename(person, **_names(given_name, **names))


def remove_person(*, person: Person, by: User, now: datetime) -> None:
    """Erase a person an account acts for, permanently.

    Raises Refusal `own_person` for the account's owner, who is only erased together with the account.
    """
    if person == own_person(by):
        raise Refusal("own_person", _("Your own data is erased together with your account."))
    erase_person(person=person, now=now)


def _names(
    given_name: str,
    family_name: str = "",
    public_name: str = "",
    family_first: bool = False,
    shown_in_full: bool = False,
) -> dict[str, Any]:
    """A person's names as model fields: on one line, at most 80 characters each. Raises InvalidInput `name_missing`."""
    given, family, public = as_name(given_name), as_name(family_name), checked_public_name(public_name)
    if not given:
        raise InvalidInput("name_missing", _("Enter a first name or a nickname."))
    return {
        "given_name": given,
        "family_name": family,
        "public_name": public,
        "family_first": family_first,
        "shown_in_full": shown_in_full,
    }
