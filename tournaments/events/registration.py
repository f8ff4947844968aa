"""How people come to an event: who can find it, and what registration asks of them.

The settings are fields of the event. What each of them means is said in `events.listing` and `events.approval`. Pages
and API register people through `register_person` and `apply_for_place`, which check everything that registration asks.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import Person, User
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.events import approval, services
from tournaments.events.bans import refuse_banned
from tournaments.events.consent import check_age, keep_consent
from tournaments.events.models import Application, Entrant, Event
from tournaments.events.questions import keep_answers, questions_of, read_answers
from tournaments.events.services import record

SETTINGS = ("listing", "approval", "consent_under")


def choose_registration(*, event: Event, by: User, now: datetime, **wanted: Any) -> Event:
    """Change settings of `SETTINGS`; those not in `wanted` stay. Possible at any time. Returns the changed event.

    Refused: `listing_unknown`, `out_of_bounds`, `teams_not_approved` (teams register without approval).
    """
    if wanted.get("listing", Event.Listing.PUBLIC) not in Event.Listing.values:
        raise InvalidInput("listing_unknown", _("There is no such choice."), details=list(Event.Listing.values))
    check_age(wanted.get("consent_under"))
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        before = {name: getattr(event, name) for name in SETTINGS}
        changed = [name for name in SETTINGS if name in wanted and wanted[name] != before[name]]
        if event.is_team_event and wanted.get("approval"):
            raise Refusal("teams_not_approved", _("Teams register without approval."))
        if changed:
            for name in changed:
                setattr(event, name, wanted[name])
            event.save(update_fields=changed)
            changes = [{name: table[name] for name in changed} for table in (before, wanted)]
            record(event, by, "event.registration_chosen", now, before=changes[0], after=changes[1])
    return event


def asks_something(event: Event) -> bool:
    """Whether registration asks more than who it is for."""
    return event.consent_under is not None or bool(questions_of(event))


def register_person(
    *,
    event: Event,
    person: Person,
    by: User,
    now: datetime,
    answers: Mapping[str, str] | None = None,
    consent: str = "",
    team_name: str = "",
) -> Entrant:
    """Register a person, with the answers to the event's questions by number, and how a consent is given.

    For a team event, `team_name` is the name of the team whose captain they are.

    Refused as `services.register`; `registration_not_accepted`, `answers_invalid`, `consent_missing`, `consent_own`.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        entrant = services.register(event=event, person=person, by=by, now=now, team_name=team_name)
        meet(event, person, by, now, answers or {}, consent)
    return entrant


def apply_for_place(
    *,
    event: Event,
    person: Person,
    by: User,
    now: datetime,
    answers: Mapping[str, str] | None = None,
    consent: str = "",
) -> Application:
    """Apply for a place for a person, with the answers to the event's questions by number, and how a consent is given.

    Refused as `approval.apply`; `registration_not_accepted`, `answers_invalid`, `consent_missing`, `consent_own`.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        application = approval.apply(event=event, person=person, by=by, now=now)
        meet(event, person, by, now, answers or {}, consent)
    return application


def meet(event: Event, person: Person, by: User, now: datetime, answers: Mapping[str, str], consent: str) -> None:
    """Check and store what registration asks of a person. Call it in a transaction, which a refusal rolls back."""
    refuse_banned(event, person, now)
    keep_consent(event, person, consent, by, now)
    keep_answers(event, person, read_answers(event, answers, required=True), by, now)
