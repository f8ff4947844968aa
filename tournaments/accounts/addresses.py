"""The e-mail address of an account: confirm it, change it, and set a new password when the old one is forgotten.

All of this uses signed links that are stored nowhere. A link is valid as long as the state it was made for: using it,
or changing the address, invalidates it.

Only the mailbox learns whether an address has an account. No action here checks whether an address is taken: signing up
and changing the address do the same work either way, and the job that writes the e-mail decides which one to send. See
docs/decisions/0015-only-a-letter-tells-who-has-an-account.md.
"""

import secrets
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import Http404
from django.urls import reverse
from django.utils import translation
from django.utils.crypto import salted_hmac
from django.utils.encoding import force_bytes
from django.utils.formats import date_format
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.accounts.guardianship import ask_guardian, refuse_guardians_own
from tournaments.accounts.models import User
from tournaments.accounts.selectors import account_of_address
from tournaments.accounts.services import create_account, lower_address
from tournaments.common import jobs
from tournaments.common.ids import ALPHABET
from tournaments.common.mail import Letter, address_of, post, post_office, validate_email
from tournaments.common.refusals import InvalidInput, Refusal


class AddressTokens(PasswordResetTokenGenerator):
    """Tokens that prove access to a mailbox. Confirming or changing the address invalidates them."""

    key_salt = "arbitre.address"

    def _make_hash_value(self, user: Any, timestamp: int) -> str:
        return f"{user.pk}|{user.email}|{user.new_email}|{user.email_confirmed_at}|{timestamp}"


class ResetTokens(PasswordResetTokenGenerator):
    """Tokens for setting a new password, valid as long as the account has the address they were sent to."""

    def _make_hash_value(self, user: Any, timestamp: int) -> str:
        # Django's own value covers `email` only.
        return f"{super()._make_hash_value(user, timestamp)}{'' if user.email else user.new_email}"


ADDRESS_TOKENS = AddressTokens()
RESET_TOKENS = ResetTokens()


def sign_up(*, now: datetime, email: str, sign_in_name: str = "", guardian_email: str = "", **account: Any) -> User:
    """Create an account as `create_account` does, and enqueue a confirmation e-mail if an address was given.

    The address becomes the account's when the link in the e-mail is used. Until then the account signs in with its
    sign-in name; without one, it gets a name such as `player-7kq2m9`. With `guardian_email` it is a child's account,
    and its guardian is asked for consent (see `guardianship`).
    """
    email, sign_in_name = email.strip(), sign_in_name.strip()
    if email and not sign_in_name:
        sign_in_name = assigned_name()
    with transaction.atomic():
        user = create_account(email=None, new_email=email, sign_in_name=sign_in_name, **account)
        if user.new_email:
            ask_for_confirmation(user=user, now=now)
        if guardian_email.strip() and settings.GUARDIAN_UNDER:
            ask_guardian(user=user, email=guardian_email, now=now)
            user.guardian_pending = True
    return user


def assigned_name() -> str:
    """A random sign-in name for an account that chose none, such as `player-7kq2m9`."""
    return "player-" + "".join(secrets.choice(ALPHABET) for _ in range(6))


def ask_for_confirmation(*, user: User, now: datetime) -> None:
    """Enqueue the e-mail with the link that confirms the account's newest address.

    Raises Refusal `address_confirmed` if no address is waiting to be confirmed.
    """
    if not user.new_email and (not user.email or user.email_confirmed_at):
        raise Refusal("address_confirmed", _("There is no address to confirm."))
    with transaction.atomic():
        _ask("address", user, now)


def change_address(*, user: User, email: str, now: datetime) -> None:
    """Ask for another address, which replaces the current one once its link is used.

    Asking for the current one cancels a pending change. Raises InvalidInput `address_invalid`, and `guardian_own`
    for that of the account's guardian.
    """
    email = lower_address(email)
    try:
        validate_email(email)
    except ValidationError as error:
        raise InvalidInput("address_invalid", _("This is not an e-mail address."), details=error.messages)
    with transaction.atomic():
        refuse_guardians_own(user, email)
        user.new_email = "" if email == user.email else email
        user.save(update_fields=["new_email"])
        if user.new_email or not user.email_confirmed_at:
            _ask("address", user, now)


def confirm_address(*, user: User, token: str, now: datetime) -> None:
    """Use the link of an e-mail: the address it went to becomes the account's, and receives its notifications.

    Raises Refusal `link_spent` if the token is invalid or used, and InvalidInput `email_taken` if another account has
    confirmed the address in the meantime.
    """
    try:
        with transaction.atomic():
            user = User.objects.select_for_update().get(pk=user.pk)
            if not user.is_active or not ADDRESS_TOKENS.check_token(user, token):
                raise Refusal("link_spent", _("This link was already used or has expired. Request a new one."))
            user.email, user.new_email, user.email_confirmed_at = user.new_email or user.email, "", now
            user.save(update_fields=["email", "new_email", "email_confirmed_at"])
    except IntegrityError:
        raise InvalidInput("email_taken", _("There is already an account with this e-mail address."))


def confirmation_path(user: User) -> str:
    """The path that confirms the account's newest address."""
    return reverse("web:address", args=[user.public_id, ADDRESS_TOKENS.make_token(user)])


def ask_for_reset(*, email: str, now: datetime) -> None:
    """Enqueue the e-mail with a link to set a new password. Only the mailbox learns whether there is an account.

    Without an account, the same job is enqueued and sends nothing.
    """
    user = account_of_address(email)
    # A keyed digest, so that the table of jobs contains no address.
    asked = salted_hmac("arbitre.reset", lower_address(email), algorithm="sha256").hexdigest()[:20]
    payload = {"letter": "reset", "user": user and user.pk, "asked": now.isoformat()}
    with transaction.atomic():
        jobs.enqueue("accounts.letter", f"reset:{asked}", payload=payload, now=now)


def note_reset(*, user: User, now: datetime) -> None:
    """Confirm the address of an account whose password was set through the link of an e-mail.

    Whoever used the link has access to the mailbox.
    """
    unconfirmed = User.objects.filter(pk=user.pk, email_confirmed_at=None)
    if user.email or not user.new_email:
        unconfirmed.update(email_confirmed_at=now)
        return
    with suppress(IntegrityError), transaction.atomic():  # another account may have confirmed it in the meantime
        unconfirmed.update(email=user.new_email, new_email="", email_confirmed_at=now)


def user_of_address_link(public_id: str) -> User:
    """The active account named in the link of an e-mail. Raises Http404."""
    user = User.objects.filter(public_id=public_id, is_active=True).first()
    if user is None:
        raise Http404
    return user


def tell_of_change(*, user: User, change: str, now: datetime) -> None:
    """Enqueue the e-mail that says how signing in to an account has changed. `change` is a key of `CHANGES`.

    It goes to a confirmed address only; without one, nothing is sent.
    """
    if user.email and user.email_confirmed_at:
        _ask(change, user, now)


def tell_of_end(*, user: User, now: datetime) -> None:
    """Enqueue the e-mail that says when an account that nobody uses will be erased. It goes to a confirmed address."""
    if user.email and user.email_confirmed_at:
        _ask("end", user, now)


def _ask(letter: str, user: User, now: datetime) -> None:
    payload = {"letter": letter, "user": user.pk, "asked": now.isoformat()}
    jobs.enqueue("accounts.letter", f"{letter}:{user.public_id}", payload=payload, now=now)


def send_letter(*, letter: str, user_id: int | None, asked: str, now: datetime) -> None:
    """Write and send an e-mail about an account in its current state; send nothing if it is no longer needed.

    `letter` is `address`, `reset`, `end` or a key of `CHANGES`. If the address to be confirmed belongs to another
    account, its owner gets an e-mail about that account instead (`known`). `asked` is the time of the request, for
    which one e-mail is sent.
    """
    user = User.objects.filter(pk=user_id, is_active=True).first() if user_id else None
    if user is None or (letter == "address" and not user.new_email and user.email_confirmed_at):
        return
    if letter == "end" and user.end_warned_at is None:  # somebody has signed in meanwhile
        return
    to = user.new_email if letter == "address" and user.new_email else user.email or user.new_email
    owner = User.objects.filter(email=to).exclude(pk=user.pk).first()
    if owner is not None:
        letter, user = "known", owner
    if not to or not user.is_active:
        return
    with post_office(now) as connection, translation.override(user.language):
        key = f"{letter}:{user.public_id}:{asked}"
        written = _change_letter(letter) if letter in CHANGES else LETTERS[letter](user)
        post(written, to=to, language=user.language, key=key, now=now, connection=connection)


def _address_letter(user: User) -> Letter:
    return Letter(
        subject=_("Confirm your e-mail address"),
        lines=(
            _("This address was given for an account of Arbitre. Confirm that it is yours to get notifications here."),
            _("If this was not you, do nothing: you will get no more e-mails."),
        ),
        action=_("Confirm the address"),
        path=confirmation_path(user),
        why=_("You get this e-mail because your address was given for an account."),
    )


def _reset_letter(user: User) -> Letter:
    return Letter(
        subject=_("Choose a new password"),
        lines=(
            _("Somebody asked for a new password for your account. The link works once, for three days."),
            _("If it was not you, do nothing: your password stays as it is."),
        ),
        action=_("Choose a new password"),
        path=_reset_path(user),
        why=_("You get this e-mail because somebody asked for a new password with your address."),
    )


def _known_letter(user: User) -> Letter:
    sign_in = address_of(reverse("web:sign_in"))
    return Letter(
        subject=_("You already have an account"),
        lines=(
            _("Somebody tried to create an account on Arbitre with this address, but you already have one."),
            _("If it was you, sign in to your account: %(link)s") % {"link": sign_in},
            _("If you forgot your password, choose a new one. The link works once, for three days."),
            _("If it was not you, do nothing: your account stays as it is."),
        ),
        action=_("Choose a new password"),
        path=_reset_path(user),
        why=_("You get this e-mail because your address was given for an account."),
    )


def _change_letter(change: str) -> Letter:
    return Letter(
        subject=_("Your ways to sign in have changed"),
        lines=(
            str(CHANGES[change]),
            _("If it was you, there is nothing to do."),
            _("If it was not you, choose a new password at once and check your ways to sign in."),
        ),
        action=_("Check my ways to sign in"),
        path=reverse("mfa_index"),
        why=_("You get this e-mail because it is about the security of your account."),
    )


def _end_letter(user: User) -> Letter:
    day = date_format(user.end_warned_at + timedelta(days=30), "DATE_FORMAT") if user.end_warned_at else ""
    return Letter(
        subject=_("Your account will be erased"),
        lines=(
            _("You have not used your account on Arbitre for a long time. It will be erased after %(day)s.")
            % {"day": day},
            _("To keep it, sign in once before that day."),
            _("If you no longer need it, do nothing: your data is erased, and results stay under an anonymous id."),
        ),
        action=_("Sign in"),
        path=reverse("web:sign_in"),
        why=_("You get this e-mail because this address belongs to an account."),
    )


def _reset_path(user: User) -> str:
    return reverse("web:reset", args=[urlsafe_base64_encode(force_bytes(user.pk)), reset_token(user)])


def reset_token(user: User) -> str:
    """A token for setting a new password. Setting one invalidates it."""
    return RESET_TOKENS.make_token(user)


CHANGES = {
    "totp_activated": gettext_lazy("An authenticator app was added to your account."),
    "totp_deactivated": gettext_lazy("The authenticator app was removed from your account."),
    "webauthn_added": gettext_lazy("A passkey was added to your account."),
    "webauthn_removed": gettext_lazy("A passkey was removed from your account."),
    "recovery_codes_generated": gettext_lazy(
        "New recovery codes were created for your account. The old ones no longer work."
    ),
    "factors_removed": gettext_lazy("The operator removed every second factor of your account."),
    "password_changed": gettext_lazy("The password of your account was changed."),
    "account_connected": gettext_lazy("An account on another site was linked: it can now be used to sign in to yours."),
    "account_disconnected": gettext_lazy("An account on another site is no longer linked to yours."),
    "password_set": gettext_lazy("A password was added to your account."),
}
"""The changes to signing in that an account hears of by e-mail, and the sentence that says so."""

LETTERS = {"address": _address_letter, "reset": _reset_letter, "known": _known_letter, "end": _end_letter}
