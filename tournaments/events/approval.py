"""Registration by approval: people apply for a place, and the desk approves or declines.

An application is no entrant: it takes no place, is paired nowhere, and is public nowhere. An approved one becomes an
entrant, or joins the waiting list if the event is full by then. A declined one can still be approved; the person cannot
apply again.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from tournaments.accounts.models import Person, User
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.events.models import Application, Entrant, Event
from tournaments.events.services import enter_approved, record, require_registration

Status = Application.Status
MOST = 500  # decided at once
LONGEST_REASON = 500
APPROVE, DECLINE = "approve", "decline"
CAN_BE: Mapping[str, tuple[str, ...]] = {APPROVE: (Status.WAITING, Status.DECLINED), DECLINE: (Status.WAITING,)}


def apply(*, event: Event, person: Person, by: User, now: datetime) -> Application:
    """Apply for a place at an event while its registration is open.

    Refused: `registration_closed`, `approval_not_needed`, `already_registered`, `already_applied`.
    """
    try:
        with transaction.atomic():
            event = Event.objects.select_for_update().get(pk=event.pk)
            require_registration(event, now)
            if not event.approval:
                raise Refusal("approval_not_needed", _("This event needs no approval: register directly."))
            inside = event.entrants.filter(member__person=person).exclude(status=Entrant.Status.DROPPED)
            if inside.exists():
                raise Refusal("already_registered", _("This person is already registered."))
            application = Application.objects.create(event=event, person=person, applied_at=now)
            record(event, by, "application.made", now, object=application.public_id)
            return application
    except IntegrityError:  # the constraint `one_application_at_once`
        raise Refusal("already_applied", _("This person has already applied."))


def withdraw(*, application: Application, by: User, now: datetime) -> None:
    """Withdraw an application that waits. Idempotent. Refused: `application_decided`."""
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=application.event_id)
        waiting = Application.objects.filter(pk=application.pk, status=Status.WAITING)
        if waiting.update(status=Status.WITHDRAWN, decided_at=now):
            record(event, by, "application.withdrawn", now, object=application.public_id)
        elif Application.objects.values_list("status", flat=True).get(pk=application.pk) != Status.WITHDRAWN:
            raise Refusal("application_decided", _("This application has already been decided."))


def approve(*, application: Application, by: User, now: datetime) -> Entrant:
    """Approve an application that waits or was declined, and enter the person. Returns the entrant.

    Refused: `application_decided`, `already_registered`, `registration_closed`, `event_full`.
    """
    try:
        with transaction.atomic():
            _decide(application, APPROVE, "", now)
            entrant = enter_approved(event=application.event, person=application.person, by=by, now=now)
            after = {"application": application.public_id, "status": entrant.status}
            record(application.event, by, "application.approved", now, object=entrant.public_id, after=after)
            return entrant
    except IntegrityError:  # the constraint `a_person_enters_once`
        raise Refusal("already_registered", _("This person is already registered."))


def decline(*, application: Application, reason: str, by: User, now: datetime) -> None:
    """Decline an application that waits. The person reads the reason, which may be "".

    Refused: `application_decided`, `reason_too_long`.
    """
    reason = " ".join(reason.split())
    if len(reason) > LONGEST_REASON:
        raise InvalidInput("reason_too_long", _("A reason has at most 500 characters."))
    with transaction.atomic():
        _decide(application, DECLINE, reason, now)
        record(application.event, by, "application.declined", now, object=application.public_id)


def _decide(application: Application, decision: str, reason: str, now: datetime) -> None:
    """Change the state of an application, with its event locked, if that can still be done."""
    application.event = Event.objects.select_for_update().get(pk=application.event_id)
    status = Status.APPROVED if decision == APPROVE else Status.DECLINED
    here = Application.objects.filter(pk=application.pk, status__in=CAN_BE[decision])
    if not here.update(status=status, reason=reason, decided_at=now):
        raise Refusal("application_decided", _("This application has already been decided."))
    application.status, application.reason, application.decided_at = status, reason, now


@dataclass
class Decided:
    """The applications on which was decided, and those for which it was refused, with the refusal."""

    done: list[Application] = field(default_factory=list)
    refused: list[tuple[Application, Refusal]] = field(default_factory=list)


def decide(
    *, event: Event, applications: Collection[str], decision: str, by: User, now: datetime, reason: str = ""
) -> Decided:
    """Approve or decline several applications, given by their public ids, in the order in which they were made.

    Each has its own transaction and ledger entry, so a refusal for one leaves the others done. Nothing is done for
    anybody if an id is unknown (`application_unknown`, with the ids), the decision is (`decision_unknown`), there are
    more than `MOST` (`too_many_applications`), or the reason is too long (`reason_too_long`).
    """
    if decision not in CAN_BE:
        raise InvalidInput("decision_unknown", _("There is no such choice."), details=list(CAN_BE))
    wanted = set(applications)
    if len(wanted) > MOST:
        raise InvalidInput("too_many_applications", _("Choose at most 500 applications at once."), details=[MOST])
    found = list(applications_of(event).filter(public_id__in=wanted))
    if unknown := sorted(wanted - {application.public_id for application in found}):
        raise InvalidInput(
            "application_unknown", _("Some of these are not applications to this event."), details=unknown
        )
    report = Decided()
    for application in found:
        try:
            if decision == APPROVE:
                approve(application=application, by=by, now=now)
            else:
                decline(application=application, reason=reason, by=by, now=now)
        except InvalidInput:
            raise
        except Refusal as refusal:
            report.refused.append((application, refusal))
        else:
            report.done.append(application)
    return report


def applications_of(event: Event) -> QuerySet[Application]:
    """All applications to an event with their persons, oldest first."""
    return event.applications.select_related("person", "event")


def forget_reasons(*, person: Person, **_signal: object) -> None:
    """When a person is erased, delete the reasons why their applications were declined."""
    Application.objects.filter(person=person).exclude(reason="").update(reason="")
