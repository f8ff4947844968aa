"""Corrects the name of an entrant that was typed at the desk."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import Person, User
from tournaments.common.names import as_name
from tournaments.common.refusals import InvalidInput, NotAllowed
from tournaments.events.models import Entrant, Event, Member
from tournaments.events.naming import refresh_shown_names
from tournaments.events.services import record


def rename_entrant(
    *,
    entrant: Entrant,
    given_name: str,
    family_name: str,
    by: User,
    now: datetime,
    family_first: bool = False,
    shown_in_full: bool = False,
) -> None:
    """Correct the name of a person who was entered at the desk.

    `shown_in_full`: the person agreed to have their whole name shown to everybody. The ledger entry says that the name
    was corrected, but not from what to what: names are stored only in `Person`, where they can be erased.

    Refused: `name_missing`, and `own_name` if the person has an account (they change their name there).
    """
    given, family = as_name(given_name), as_name(family_name)
    if not given:
        raise InvalidInput("name_missing", _("Enter a first name or a nickname."))
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=entrant.event_id)
        members = list(Member.objects.select_related("person").filter(entrant=entrant))
        if len(members) != 1 or members[0].person.account_id is not None:
            raise NotAllowed("own_name", _("This player has an account and can change the name there."))
        wanted = {
            "given_name": given,
            "family_name": family,
            "family_first": family_first,
            "shown_in_full": shown_in_full,
        }
        if not Person.objects.filter(pk=members[0].person_id).exclude(**wanted).update(**wanted):
            return
        refresh_shown_names(event)
        record(event, by, "entrant.renamed", now, object=entrant.public_id)
