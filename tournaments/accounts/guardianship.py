"""The consent of a guardian to a child's account. No date of birth is stored.

People who sign up and are younger than `GUARDIAN_UNDER` give the e-mail address of a guardian. Until the guardian
consents by the link in an e-mail, the account can change nothing but itself (`allow`), so nothing of it becomes public.
Another e-mail then brings a link with which the guardian can withdraw at any time; that erases the account.
"""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404
from django.urls import reverse
from django.utils import translation
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _

from tournaments.accounts.models import Guardianship, User
from tournaments.accounts.services import erase_account, lower_address
from tournaments.common import jobs
from tournaments.common.mail import Letter, post, post_office, validate_email
from tournaments.common.refusals import InvalidInput, NotAllowed, Refusal

WAITS = timedelta(days=30)  # after the first request; then the account is erased


class ConsentTokens(PasswordResetTokenGenerator):
    """Tokens with which a guardian consents, for three days. Consenting, or naming another guardian, uses them up."""

    key_salt = "arbitre.guardian"

    def _make_hash_value(self, user: Any, timestamp: int) -> str:
        asked = user.guardianship
        return f"{user.pk}|{asked.email}|{asked.confirmed_at}|{timestamp}"


CONSENT_TOKENS = ConsentTokens()


def ask_guardian(*, user: User, email: str, now: datetime) -> None:
    """Name the guardian of a child's account, or another one, and enqueue the e-mail that asks for consent.

    Raises Refusal `guardian_known` once a guardian has consented, InvalidInput `guardian_invalid` and `guardian_own`.
    """
    email = lower_address(email)
    try:
        validate_email(email)
    except ValidationError as error:
        raise InvalidInput("guardian_invalid", _("This is not an e-mail address."), details=error.messages)
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=user.pk)
        if email in (user.email, user.new_email):
            raise _own()
        asked = Guardianship.objects.filter(user=user).first()
        if asked and asked.confirmed_at:
            raise Refusal("guardian_known", _("Your guardian has already consented."))
        Guardianship.objects.update_or_create(user=user, defaults={"email": email}, create_defaults=_new(email, now))
        User.objects.filter(pk=user.pk).update(guardian_pending=True)
        _enqueue("consent", user, now)


def refuse_guardians_own(user: User, email: str) -> None:
    """Refuse the guardian's address as that of the child (InvalidInput `guardian_own`)."""
    if Guardianship.objects.filter(user=user, email=email).exists():
        raise _own()


def _own() -> InvalidInput:
    return InvalidInput("guardian_own", _("You and your guardian need different e-mail addresses."))


def _new(email: str, now: datetime) -> dict[str, Any]:
    return {"email": email, "asked_at": now, "under": settings.GUARDIAN_UNDER}


def allow(user: User) -> None:
    """Refuse what an account may not do before its guardian has consented. Raises NotAllowed `guardian_needed`."""
    if user.guardian_pending:
        sentence = _("Your guardian has to consent first. Your account page says how.")
        raise NotAllowed("guardian_needed", sentence)


def child_of_link(public_id: str) -> User:
    """The account with a guardian that the link of an e-mail names. Raises Http404."""
    found = User.objects.filter(public_id=public_id, is_active=True).select_related("guardianship")
    user = found.exclude(guardianship=None).first()
    if user is None:
        raise Http404
    return user


def consent(*, user: User, token: str, now: datetime) -> None:
    """Store that the guardian consents. Raises Refusal `link_spent` if the link is invalid, expired or was used."""
    with transaction.atomic():
        child = _locked(user)
        if not CONSENT_TOKENS.check_token(child, token):
            raise _spent()
        Guardianship.objects.filter(user=child).update(confirmed_at=now)
        User.objects.filter(pk=child.pk).update(guardian_pending=False)
        _enqueue("consented", child, now)


def withdraw(*, user: User, token: str, now: datetime) -> None:
    """Erase the account, as its guardian refuses or withdraws the consent. Raises Refusal `link_spent`."""
    with transaction.atomic():
        child = _locked(user)
        if not may_withdraw(child, token):
            raise _spent()
        erase_account(user=child, now=now)


def may_consent(user: User, token: str) -> bool:
    """Whether the link of an e-mail lets a guardian consent."""
    return CONSENT_TOKENS.check_token(user, token)


def may_withdraw(user: User, token: str) -> bool:
    """Whether the link of an e-mail lets a guardian refuse or withdraw the consent."""
    consented = user.guardianship.confirmed_at is not None
    return constant_time_compare(token, _withdrawal(user)) if consented else CONSENT_TOKENS.check_token(user, token)


def guardian_path(user: User) -> str:
    """The path at which a guardian consents or refuses, and withdraws once they have consented."""
    token = CONSENT_TOKENS.make_token(user) if user.guardianship.confirmed_at is None else _withdrawal(user)
    return reverse("web:guardian", args=[user.public_id, token])


def _withdrawal(user: User) -> str:
    """The token to withdraw a consent with. It is valid as long as the consent stands."""
    given = user.guardianship
    value = f"{user.pk}|{given.email}|{given.confirmed_at}"
    return salted_hmac("arbitre.guardian.withdrawal", value, algorithm="sha256").hexdigest()


def _locked(user: User) -> User:
    User.objects.select_for_update().get(pk=user.pk)
    child = User.objects.select_related("guardianship").filter(pk=user.pk, is_active=True).exclude(guardianship=None)
    found = child.first()
    if found is None:
        raise _spent()
    return found


def _spent() -> Refusal:
    return Refusal("link_spent", _("This link was already used or has expired. Request a new one."))


def waiting_too_long(now: datetime) -> QuerySet[User]:
    """The accounts whose guardian has not consented in time."""
    return User.objects.filter(is_active=True, guardian_pending=True, guardianship__asked_at__lt=now - WAITS)


def end_waiting(*, user: User, now: datetime) -> bool:
    """Erase an account whose guardian has not consented in time. False if the guardian just has."""
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        late = waiting_too_long(now).filter(pk=user.pk).first()
        if late is None:
            return False
        erase_account(user=late, now=now)
    return True


def _enqueue(letter: str, user: User, now: datetime) -> None:
    payload = {"letter": letter, "user": user.pk, "asked": now.isoformat()}
    jobs.enqueue("accounts.guardian_letter", f"{letter}:{user.public_id}", payload=payload, now=now)


def send_guardian_letter(*, letter: str, user_id: int, asked: str, now: datetime) -> None:
    """Write to the guardian of an account: `consent` asks for it, `consented` brings the link to withdraw it."""
    user = User.objects.filter(pk=user_id, is_active=True).select_related("guardianship").first()
    if user is None or not hasattr(user, "guardianship"):
        return
    if (user.guardianship.confirmed_at is None) != (letter == "consent"):
        return
    with post_office(now) as connection, translation.override(user.language):
        written = _asking(user) if letter == "consent" else _consented(user)
        key = f"guardian:{letter}:{user.public_id}:{asked}"
        post(written, to=user.guardianship.email, language=user.language, key=key, now=now, connection=connection)


def _asking(user: User) -> Letter:
    # Only the sign-in name, which has no room for a message to a stranger.
    said = {"name": user.sign_in_name or user.public_id, "age": user.guardianship.under}
    return Letter(
        subject=_("A child asks for your consent"),
        lines=(
            _("Somebody younger than %(age)d made the account %(name)s on Arbitre and named you as their guardian.")
            % said,
            _("Until you consent, the account cannot enter events, and nothing of it is public."),
            _("If you do not know the child, do nothing: the account is erased after 30 days."),
        ),
        action=_("Consent or refuse"),
        path=guardian_path(user),
        why=_("You get this e-mail because your address was given as that of a guardian."),
    )


def _consented(user: User) -> Letter:
    return Letter(
        subject=_("You have consented to a child’s account"),
        lines=(
            _("The account %(name)s on Arbitre can now enter events.") % {"name": user.sign_in_name or user.public_id},
            _("Keep this e-mail: with its link you can withdraw your consent at any time. The account is then erased."),
        ),
        action=_("Withdraw my consent"),
        path=guardian_path(user),
        why=_("You get this e-mail because your address was given as that of a guardian."),
    )
