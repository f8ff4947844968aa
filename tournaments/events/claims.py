"""Claiming an entry: a player who was entered at the desk without an account links the entry to an account later.

The desk hands out a link, signed with the installation's key over the entry and the person typed at the desk. It is
not stored. Once the entry is claimed it belongs to another person, so the signature no longer matches.
"""

from datetime import datetime

from django.db import transaction
from django.http import Http404
from django.urls import get_script_prefix
from django.utils.translation import gettext as _

from tournaments.accounts.models import Person, User
from tournaments.accounts.signals import person_replaced
from tournaments.common.refusals import NotAllowed, Refusal
from tournaments.common.signatures import is_signature, signature_of
from tournaments.events.models import Entrant, Event, Member
from tournaments.events.naming import refresh_shown_names
from tournaments.events.services import record

SALT = "arbitre.claim"


def typed_person(entrant: Entrant) -> Person | None:
    """The person typed at the desk who is the only member of an entry; None for an account or a team."""
    persons = [member.person for member in entrant.member_set.select_related("person")]
    return persons[0] if len(persons) == 1 and persons[0].account_id is None else None


def claim_signature(entrant: Entrant) -> str:
    """The signature in the claim link of an entry; refused (`already_claimed`) if there is nobody to replace."""
    person = typed_person(entrant)
    if person is None or person.erased_at is not None:
        raise Refusal("already_claimed", _("This entry belongs to an account."))
    return signature_of(_claimed(entrant, person), salt=SALT)


def _claimed(entrant: Entrant, person: Person) -> str:
    return f"{entrant.public_id}/{person.public_id}"


def claim_address(entrant: Entrant, site: str) -> str:
    """The full claim link of an entry. `site` is the origin, such as `https://example.org`."""
    return f"{site}{get_script_prefix()}claim/{entrant.public_id}/{claim_signature(entrant)}/"


def entrant_for_claim(public_id: str, signature: str) -> Entrant:
    """The entry of a claim link; 404 if the link is wrong or was used already, or the event is a draft."""
    entrant = Entrant.objects.filter(public_id=public_id).select_related("event").first()
    person = typed_person(entrant) if entrant and entrant.event.is_public else None
    if entrant is None or person is None or not is_signature(signature, _claimed(entrant, person), salt=SALT):
        raise Http404
    return entrant


def claim_entry(*, entrant: Entrant, person: Person, by: User, now: datetime) -> Entrant:
    """Give an entry, with its seat, decklists and results, to a person of the account `by`.

    The name typed at the desk is deleted.

    Refused: `not_your_person`; `already_claimed`; `already_registered` if the person is in the event already (the desk
    can merge the two entries).
    """
    if person.account_id != by.pk:
        raise NotAllowed("not_your_person", _("You can only act for yourself and for the children you have added."))
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=entrant.event_id)
        entrant = Entrant.objects.select_for_update().get(pk=entrant.pk)
        typed = typed_person(entrant)
        if typed is None:
            raise Refusal("already_claimed", _("This entry belongs to an account."))
        if Member.objects.filter(event=event, person=person).exists():
            raise Refusal(
                "already_registered", _("This person is already entered: ask the desk to merge both entries.")
            )
        Member.objects.filter(entrant=entrant).update(person=person)
        replace_person(typed, person)
        refresh_shown_names(event)
        record(event, by, "entrant.claimed", now, object=entrant.public_id)
    return entrant


def replace_person(typed: Person, person: Person) -> None:
    """Replace a person typed at the desk by the `person` they turned out to be.

    The typed person is deleted, unless another entry still belongs to them.
    """
    # Before the deletion, so that receivers (league tables) can move what they store about the old person.
    person_replaced.send(sender=Person, old=typed, new=person)
    if not Member.objects.filter(person=typed).exists():
        typed.delete()
