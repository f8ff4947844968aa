"""The entry of somebody who came without an account, claimed later by one: a signed link that the desk gives.

The link is signed with the installation's key over the entry and the person typed in, and kept nowhere. Once the entry
is claimed that person stands behind it no more, so the link opens nothing.
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
from tournaments.events.naming import tell_names_apart
from tournaments.events.services import record

SALT = "arbitre.claim"


def typed_person(entrant: Entrant) -> Person | None:
    """The person typed at the desk who alone stands behind an entry; None where an account or a team does."""
    persons = [member.person for member in entrant.member_set.select_related("person")]
    return persons[0] if len(persons) == 1 and persons[0].account_id is None else None


def claim_signature(entrant: Entrant) -> str:
    """The secret half of the claim link of an entry; refused where an account has it already."""
    person = typed_person(entrant)
    if person is None or person.erased_at is not None:
        raise Refusal("already_claimed", _("This entry belongs to an account."))
    return signature_of(_claimed(entrant, person), salt=SALT)


def _claimed(entrant: Entrant, person: Person) -> str:
    return f"{entrant.public_id}/{person.public_id}"


def claim_address(entrant: Entrant, site: str) -> str:
    """The claim link of an entry."""
    return f"{site}{get_script_prefix()}claim/{entrant.public_id}/{claim_signature(entrant)}/"


def entrant_for_claim(public_id: str, signature: str) -> Entrant:
    """The entry whose claim link is held, while it opens it."""
    entrant = Entrant.objects.filter(public_id=public_id).select_related("event").first()
    person = typed_person(entrant) if entrant and entrant.event.is_public else None
    if entrant is None or person is None or not is_signature(signature, _claimed(entrant, person), salt=SALT):
        raise Http404
    return entrant


def claim_entry(*, entrant: Entrant, person: Person, by: User, now: datetime) -> Entrant:
    """Let an entry be that of a person for whom the account acts: its seat, lists and results are theirs now.

    The names typed at the desk are forgotten. Who is entered already has two entries: the desk merges them.
    """
    if person.account_id != by.pk:
        raise NotAllowed("not_your_person", _("You act for yourself and for those you have added."))
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=entrant.event_id)
        entrant = Entrant.objects.select_for_update().get(pk=entrant.pk)
        typed = typed_person(entrant)
        if typed is None:
            raise Refusal("already_claimed", _("This entry belongs to an account."))
        if Member.objects.filter(event=event, person=person).exists():
            raise Refusal(
                "already_registered", _("This person is entered already: ask the desk to merge both entries.")
            )
        Member.objects.filter(entrant=entrant).update(person=person)
        replace_person(typed, person)
        tell_names_apart(event)
        record(event, by, "entrant.claimed", now, object=entrant.public_id)
    return entrant


def replace_person(typed: Person, person: Person) -> None:
    """Forget a person typed at a desk who turned out to be another one, unless an entry elsewhere is theirs."""
    person_replaced.send(sender=Person, old=typed, new=person)
    if not Member.objects.filter(person=typed).exists():
        typed.delete()
