"""Staff invitations: links that give one role at an event, once, to whoever accepts them.

A link is sent by e-mail or passed on by hand. It is signed with the installation's key and not stored; the row of the
invitation says whether it is still valid.
"""

from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from tournaments.accounts.models import Person, User
from tournaments.common import jobs
from tournaments.common.mail import Letter, post, post_office, validate_email
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.common.signatures import is_signature, signature_of
from tournaments.events.models import Event, Invitation, StaffRole
from tournaments.events.services import give_role, record, require_role

SALT = "arbitre.invitation"
DAYS = 14  # that a link is valid
MOST = 50  # valid invitations per event
LETTERS_A_DAY = 50  # per account, so that invitations cannot be used to send spam


def invite(
    *, event: Event, role: str, by: User, now: datetime, email: str = "", table: int | None = None
) -> Invitation:
    """Create an invitation to a role, and e-mail the link if an address is given.

    `table` is for scribes, as in `grant_role`.

    Refused: `role_unknown`, `table_not_taken`, `address_invalid`, `too_many_invitations`. The e-mail is sent by a job;
    a second job deletes the address once the invitation expires.
    """
    email = email.strip().lower()
    require_role(role, table)
    _check(email)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=by.pk)  # so that requests at once cannot exceed the daily limit
        event = Event.objects.select_for_update().get(pk=event.pk)
        sent = Invitation.objects.filter(made_by=by, made_at__gt=now - timedelta(days=1)).count()
        if open_invitations(event, now).count() >= MOST or (email and sent >= LETTERS_A_DAY):
            raise Refusal("too_many_invitations", _("Too many invitations: withdraw some, or wait until tomorrow."))
        invitation = Invitation.objects.create(
            event=event,
            role=role,
            table=table,
            email=email,
            made_by=by,
            made_at=now,
            expires_at=now + timedelta(days=DAYS),
        )
        after = {"role": role} if table is None else {"role": role, "table": table}
        record(event, by, "staff.invited", now, object=invitation.public_id, after=after)
        if email:
            payload = {"invitation": invitation.pk}
            jobs.enqueue("events.invite", invitation.public_id, payload=payload, now=now)
            jobs.enqueue(
                "events.forget_address", invitation.public_id, payload=payload, now=now, run_after=invitation.expires_at
            )
    return invitation


def _check(email: str) -> None:
    if email:
        try:
            validate_email(email)
        except ValidationError as error:
            raise InvalidInput("address_invalid", _("This is not an e-mail address."), details=error.messages)


def accept(*, invitation: Invitation, by: User, now: datetime) -> StaffRole:
    """Accept an invitation: give its role to the account `by`. Idempotent for the account that accepted it.

    Refused: `invitation_spent` if it was accepted by somebody else, withdrawn, or has expired, or if the role was
    revoked since.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=invitation.event_id)
        # A conditional update: if two accounts accept at once, only one of them matches.
        opens = Invitation.objects.filter(pk=invitation.pk, accepted_by=None, withdrawn_at=None, expires_at__gt=now)
        if not opens.update(accepted_by=by, email=""):
            role = StaffRole.objects.filter(event=event, user=by, role=invitation.role).first()
            if role and Invitation.objects.filter(pk=invitation.pk, accepted_by=by).exists():
                return role
            raise Refusal("invitation_spent", _("This invitation is no longer valid. Ask for a new one."))
        return give_role(
            event=event,
            user=by,
            role=invitation.role,
            table=invitation.table,
            by=by,
            now=now,
            invitation=invitation.public_id,
        )


def withdraw(*, invitation: Invitation, by: User, now: datetime) -> None:
    """Withdraw an invitation. Idempotent. If it was accepted already, the role stays."""
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=invitation.event_id)
        if Invitation.objects.filter(pk=invitation.pk, accepted_by=None, withdrawn_at=None).update(
            withdrawn_at=now, email=""
        ):
            record(event, by, "staff.invitation_withdrawn", now, object=invitation.public_id)


def open_invitations(event: Event, now: datetime) -> QuerySet[Invitation]:
    """The invitations of an event that can still be accepted."""
    return event.invitations.filter(accepted_by=None, withdrawn_at=None, expires_at__gt=now)


def secret_of(invitation: Invitation) -> str:
    """The signature in an invitation's link."""
    return signature_of(invitation.public_id, salt=SALT)


def path_of(invitation: Invitation) -> str:
    """The path of an invitation's link, signature included."""
    return reverse("web:invitation", args=[invitation.public_id, secret_of(invitation)])


def invitation_for_holder(public_id: str, secret: str) -> Invitation:
    """The invitation of a link, valid or not; 404 if the signature is wrong."""
    found = Invitation.objects.filter(public_id=public_id).select_related("event").first()
    if found is None or not is_signature(secret, public_id, salt=SALT):
        raise Http404
    return found


def send_invitation(*, invitation_id: int, now: datetime) -> None:
    """E-mail the link of an invitation that is still valid.

    The language is that of the account with this address, else that of the inviting account.
    """
    found = Invitation.objects.filter(pk=invitation_id).select_related("event", "made_by").first()
    if found is None or not found.email or found.withdrawn_at or found.expires_at <= now:
        return
    known = User.objects.filter(email=found.email, is_active=True).first()
    language = (known or found.made_by).language
    with post_office(now) as connection, translation.override(language):
        letter = Letter(
            subject=_("You are invited to the staff of %(event)s") % {"event": found.event.name},
            lines=(
                _("An organizer of %(event)s invites you to join its staff.") % {"event": found.event.name},
                _("The link works once, for %(days)d days; you need an account to use it.") % {"days": DAYS},
            ),
            action=_("See the invitation"),
            path=path_of(found),
            why=_("You get this e-mail because the organizer of an event gave your address."),
        )
        post(letter, to=found.email, language=language, key=f"invite:{found.public_id}", now=now, connection=connection)


def forget_address(*, invitation_id: int) -> None:
    """Delete the address that an invitation was sent to; called when it expires."""
    Invitation.objects.filter(pk=invitation_id).update(email="")


def forget_addresses(*, person: Person, **_signal: object) -> None:
    """When the last person of an account is erased, delete its address from invitations and the contact of its events.

    A guardian who removes a child keeps both.
    """
    if person.account is not None and not Person.objects.filter(account=person.account).exists():
        # An account without an address must not match the invitations that have none either, hence the "-".
        Invitation.objects.filter(email=person.account.email or "-").update(email="")
        Event.objects.filter(created_by=person.account).exclude(contact="").update(contact="")
