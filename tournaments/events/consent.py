"""The consent of a guardian, at events that ask for it for players under an age.

No date of birth is stored: at registration the player says that they have reached the age, or a guardian, who acts for
them here, gives the consent. The desk notes a consent on paper. Stored with it are the account, the time, and the
sentence that was chosen, in the language in which it was read.
"""

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from tournaments.accounts.models import Person, User
from tournaments.accounts.services import own_person
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.events.models import Consent, Entrant, Event, Member
from tournaments.events.services import record

AGES = (10, 21)  # from, to
How = Consent.How
SAID_AT_REGISTRATION = (How.OF_AGE, How.GUARDIAN)


def check_age(age: int | None) -> None:
    """Refuse an age outside of `AGES` (`out_of_bounds`). None is no age."""
    if age is not None and not AGES[0] <= age <= AGES[1]:
        raise InvalidInput("out_of_bounds", _("Some values are not possible."), details=["consent_under"])


def sentence_of(how: str, age: int) -> str:
    """What somebody agrees to who gives a consent at registration, in the current language."""
    if how == How.OF_AGE:
        return _("The player is %(age)d or older") % {"age": age}
    return _("The player is younger than %(age)d, and I consent as their guardian") % {"age": age}


def keep_consent(event: Event, person: Person, how: str, by: User, now: datetime) -> None:
    """Store what was said at registration. Does nothing if the event asks for no consent, or has the person's already.

    Refused: `consent_missing`; `consent_own` if an account gives it for its own person. Call it in a transaction with
    the event's row locked.
    """
    if event.consent_under is None or (not how and Consent.objects.filter(event=event, person=person).exists()):
        return
    if how not in SAID_AT_REGISTRATION:
        sentence = _("Say that the player is %(age)d or older, or that you consent as the guardian.")
        raise InvalidInput("consent_missing", sentence % {"age": event.consent_under})
    if how == How.GUARDIAN and own_person(by) == person:
        sentence = _("A guardian has to consent, with an account that acts for the player, or on paper at the desk.")
        raise InvalidInput("consent_own", sentence)
    said = {"how": how, "at": now, "by": by, "sentence": sentence_of(how, event.consent_under)}
    Consent.objects.update_or_create(event=event, person=person, defaults=said)


def note_consent(*, entrant: Entrant, noted: bool, by: User, now: datetime) -> None:
    """Note at the desk that a guardian consented on paper, or take any consent of the entrant back. Idempotent.

    Refused: `consent_not_asked`, `event_state`.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=entrant.event_id)
        if event.consent_under is None:
            raise Refusal("consent_not_asked", _("This event does not ask for consent."))
        if event.status in (Event.Status.ARCHIVED, Event.Status.CANCELLED):
            raise Refusal("event_state", _("The event is over."))
        given = Consent.objects.filter(event=event, person__member__entrant=entrant)
        persons = [member.person for member in entrant.member_set.select_related("person")]
        if noted == (given.count() == len(persons)):
            return
        if noted:
            for person in persons:
                on_paper = {"how": How.PAPER, "at": now, "by": by}
                Consent.objects.get_or_create(event=event, person=person, defaults=on_paper)
        else:
            Consent.objects.filter(pk__in=list(given.values_list("pk", flat=True))).delete()
        record(event, by, "consent.noted", now, object=entrant.public_id, after={"noted": noted})


def consent_of(event: Event, person: Person) -> Consent | None:
    """The consent for a person, with the account that gave or noted it, or None."""
    given = Consent.objects.filter(event=event, person=person)
    return given.select_related("by").prefetch_related("by__persons").first()


def without_consent(event: Event) -> QuerySet[Entrant]:
    """The entrants, those who dropped included, of whom the event needs a consent and has none."""
    if event.consent_under is None:
        return event.entrants.none()
    given = Consent.objects.filter(event=event).values("person")
    # Of a team, everybody needs one.
    lacking = Member.objects.filter(event=event).exclude(person__in=given).order_by()
    return event.entrants.filter(pk__in=lacking.values("entrant"))


def forget_consents(*, person: Person, **_signal: object) -> None:
    """When a person is erased, delete how old they said to be, and who consented."""
    Consent.objects.filter(person=person).delete()


def follow_person(*, old: Person, new: Person, **_signal: object) -> None:
    """When a person typed at the desk turns out to be another, move the consents that the other lacks."""
    given = list(Consent.objects.filter(person=new).values_list("event", flat=True))
    Consent.objects.filter(person=old).exclude(event__in=given).update(person=new)
