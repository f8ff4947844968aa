"""An account that acts for several persons: oneself, and children who have no account of their own."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.http import Http404
from django.utils.translation import gettext as _

from tournaments.accounts.models import Person, User
from tournaments.accounts.services import erase_person, own_person, rename
from tournaments.common.names import one_line
from tournaments.common.refusals import InvalidInput, Refusal

MAX_PERSONS = 12


def persons_of(user: User) -> list[Person]:
    """Everybody an account acts for, oneself first."""
    own_person(user)  # which an account made without one is given now
    return list(user.persons.order_by("pk"))


def person_for_guardian(user: Any, public_id: str) -> Person:
    """A person for whom the account acts."""
    person = Person.objects.filter(account=user, public_id=public_id).first() if user.is_authenticated else None
    if person is None:
        raise Http404
    return person


def add_person(*, guardian: User, given_name: str, **names: Any) -> Person:
    """A person who has no account, such as a child: the guardian registers, reports and submits lists for them.

    `names` are those of `change_person`.
    """
    names = _names(given_name, **names)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=guardian.pk)  # the lock of how many there are
        own_person(guardian)
        if guardian.persons.count() >= MAX_PERSONS:
            sentence = _("An account acts for twelve persons at most.")
            raise Refusal("too_many_persons", sentence, details=[MAX_PERSONS])
        return Person.objects.create(account=guardian, **names)


def change_person(*, person: Person, given_name: str, **names: Any) -> None:
    """Correct the names of a person; what `names` leave out of `_names` is empty."""
    rename(person, **_names(given_name, **names))


def remove_person(*, person: Person, by: User, now: datetime) -> None:
    """Erase a person for whom an account acts, for good; oneself goes with the account alone."""
    if person == own_person(by):
        raise Refusal("own_person", _("You are erased with your account."))
    erase_person(person=person, now=now)


def _names(
    given_name: str,
    family_name: str = "",
    public_name: str = "",
    family_first: bool = False,
    shown_in_full: bool = False,
) -> dict[str, Any]:
    """The names of a person as they are kept. Raises InvalidInput `name_missing`."""
    given, family, public = (one_line(name)[:80] for name in (given_name, family_name, public_name))
    if not given:
        raise InvalidInput("name_missing", _("A first name or a nickname is needed."))
    return {
        "given_name": given,
        "family_name": family,
        "public_name": public,
        "family_first": family_first,
        "shown_in_full": shown_in_full,
    }
