"""Staff invited by a link: made for a role, sent by letter or passed on by hand, taken once.

The link is signed with the installation's key and kept nowhere; the row says whether it still opens.
"""

from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from tournaments.accounts.models import Person, User
from tournaments.common import jobs
from tournaments.common.mail import Letter, post, post_office
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.common.signatures import is_signature, signature_of
from tournaments.events.models import Event, Invitation, StaffRole
from tournaments.events.services import record

SALT = "arbitre.invitation"
DAYS = 14  # a link opens
MOST = 50  # open ones of an event
LETTERS_A_DAY = 50  # of one account


def invite(*, event: Event, role: str, by: User, now: datetime, email: str = "") -> Invitation:
    """Make a link for a role, and have it sent where an address is given."""
    email = email.strip().lower()
    _check(role, email)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=by.pk)  # the lock of how many letters there are
        event = Event.objects.select_for_update().get(pk=event.pk)
        sent = Invitation.objects.filter(made_by=by, made_at__gt=now - timedelta(days=1)).count()
        if open_invitations(event, now).count() >= MOST or (email and sent >= LETTERS_A_DAY):
            raise Refusal("too_many_invitations", _("Too many invitations: withdraw some, or wait until tomorrow."))
        made = Invitation.objects.create(
            event=event, role=role, email=email, made_by=by, made_at=now, expires_at=now + timedelta(days=DAYS)
        )
        record(event, by, "staff.invited", now, object=made.public_id, after={"role": role})
        if email:
            payload = {"invitation": made.pk}
            jobs.enqueue("events.invite", made.public_id, payload=payload, now=now)
            jobs.enqueue("events.forget_address", made.public_id, payload=payload, now=now, run_after=made.expires_at)
    return made


def _check(role: str, email: str) -> None:
    if role not in StaffRole.Role.values:
        raise InvalidInput("role_unknown", _("There is no such role."), details=list(StaffRole.Role.values))
    if email:
        try:
            validate_email(email)
        except ValidationError as error:
            raise InvalidInput("address_invalid", _("This is no e-mail address."), details=error.messages)


def accept(*, invitation: Invitation, by: User, now: datetime) -> StaffRole:
    """Take the role of a link. The same account a second time changes nothing; nobody else takes it after."""
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=invitation.event_id)
        opens = Invitation.objects.filter(pk=invitation.pk, accepted_by=None, withdrawn_at=None, expires_at__gt=now)
        if not opens.update(accepted_by=by, email=""):
            held = StaffRole.objects.filter(event=event, user=by, role=invitation.role).first()
            if held and Invitation.objects.filter(pk=invitation.pk, accepted_by=by).exists():
                return held
            raise Refusal("invitation_spent", _("This invitation is not open any more. Ask for a new one."))
        granted, made = StaffRole.objects.get_or_create(event=event, user=by, role=invitation.role)
        after = {"role": invitation.role, "invitation": invitation.public_id}
        if made:
            record(event, by, "staff.granted", now, object=by.public_id, after=after)
    return granted


def withdraw(*, invitation: Invitation, by: User, now: datetime) -> None:
    """Close a link. Twice is once; a role that was taken stays."""
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=invitation.event_id)
        if Invitation.objects.filter(pk=invitation.pk, accepted_by=None, withdrawn_at=None).update(
            withdrawn_at=now, email=""
        ):
            record(event, by, "staff.invitation_withdrawn", now, object=invitation.public_id)


def open_invitations(event: Event, now: datetime) -> QuerySet[Invitation]:
    """The links of an event that still open."""
    return event.invitations.filter(accepted_by=None, withdrawn_at=None, expires_at__gt=now)


def secret_of(invitation: Invitation) -> str:
    """The secret half of an invitation's link."""
    return signature_of(invitation.public_id, salt=SALT)


def path_of(invitation: Invitation) -> str:
    """The page of an invitation's link."""
    return reverse("web:invitation", args=[invitation.public_id, secret_of(invitation)])


def invitation_for_holder(public_id: str, secret: str) -> Invitation:
    """The invitation whose link is held."""
    found = Invitation.objects.filter(public_id=public_id).select_related("event").first()
    if found is None or not is_signature(secret, public_id, salt=SALT):
        raise Http404
    return found


def send_invitation(*, invitation_id: int, now: datetime) -> None:
    """Send the link of an invitation while it opens, in the language of its account, else of who invites."""
    found = Invitation.objects.filter(pk=invitation_id).select_related("event", "made_by").first()
    if found is None or not found.email or found.withdrawn_at or found.expires_at <= now:
        return
    known = User.objects.filter(email=found.email, is_active=True).first()
    language = (known or found.made_by).language
    with post_office(now) as connection, translation.override(language):
        letter = Letter(
            subject=_("You are invited to the team of %(event)s") % {"event": found.event.name},
            lines=(
                _("Somebody who runs %(event)s invites you to take a part in it.") % {"event": found.event.name},
                _("The link works once, for %(days)d days; you need an account to use it.") % {"days": DAYS},
            ),
            action=_("See the invitation"),
            path=path_of(found),
            why=_("You get this letter because the organizer of an event gave your address."),
        )
        post(letter, to=found.email, language=language, key=f"invite:{found.public_id}", now=now, connection=connection)


def forget_address(*, invitation_id: int) -> None:
    """Forget where an invitation was sent, once it opens no more."""
    Invitation.objects.filter(pk=invitation_id).update(email="")


def forget_addresses(*, person: Person, **_signal: object) -> None:
    """Forget with an account where it was invited, and how its events are reached."""
    if person.account is not None:
        Invitation.objects.filter(email=person.account.email or "-").update(email="")
        Event.objects.filter(created_by=person.account).exclude(contact="").update(contact="")
