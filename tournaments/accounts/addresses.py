"""The e-mail address of an account: confirmed, changed, and the way back in when the password is forgotten.

All of it goes by links that are signed and kept nowhere. A link holds as long as what it was made for stands:
using it, or changing the address, spends it.

Who has an account with an address is told to its mailbox alone. No gesture here asks whether an address is taken:
signing up and changing the address do the same whoever has it, and the job that writes the letter decides which.
"""

import secrets
from contextlib import suppress
from datetime import datetime
from typing import Any

from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.http import Http404
from django.urls import reverse
from django.utils import translation
from django.utils.crypto import salted_hmac
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.accounts.selectors import account_of_address
from tournaments.accounts.services import create_account, lower_address
from tournaments.common import jobs
from tournaments.common.ids import ALPHABET
from tournaments.common.mail import Letter, address_of, post, post_office
from tournaments.common.refusals import InvalidInput, Refusal


class AddressTokens(PasswordResetTokenGenerator):
    """Tokens that prove that somebody reads a mailbox."""

    key_salt = "arbitre.address"

    def _make_hash_value(self, user: Any, timestamp: int) -> str:
        return f"{user.pk}|{user.email}|{user.new_email}|{user.email_confirmed_at}|{timestamp}"


class ResetTokens(PasswordResetTokenGenerator):
    """Tokens that let a new password be chosen, for as long as the account has the address they were sent to."""

    def _make_hash_value(self, user: Any, timestamp: int) -> str:
        return f"{super()._make_hash_value(user, timestamp)}{'' if user.email else user.new_email}"


ADDRESS_TOKENS = AddressTokens()
RESET_TOKENS = ResetTokens()


def sign_up(*, now: datetime, email: str, sign_in_name: str = "", **account: Any) -> User:
    """Make an account as `create_account` does, and have a letter sent to its address, if it has one.

    The address becomes the account's when the link of that letter is used. Until then the account signs in by its
    sign-in name; it is given one when it chose none.
    """
    email, sign_in_name = email.strip(), sign_in_name.strip()
    if email and not sign_in_name:
        sign_in_name = "player-" + "".join(secrets.choice(ALPHABET) for _ in range(6))
    with transaction.atomic():
        user = create_account(email=None, new_email=email, sign_in_name=sign_in_name, **account)
        if user.new_email:
            ask_for_confirmation(user=user, now=now)
    return user


def ask_for_confirmation(*, user: User, now: datetime) -> None:
    """Have the link sent that confirms the account's newest address."""
    if not user.new_email and (not user.email or user.email_confirmed_at):
        raise Refusal("address_confirmed", _("There is no address to confirm."))
    with transaction.atomic():
        _ask("address", user, now)


def change_address(*, user: User, email: str, now: datetime) -> None:
    """Name another address: it takes the place of the present one once its link is used."""
    email = lower_address(email)
    try:
        validate_email(email)
    except ValidationError as error:
        raise InvalidInput("address_invalid", _("This is no e-mail address."), details=error.messages)
    with transaction.atomic():
        user.new_email = "" if email == user.email else email
        user.save(update_fields=["new_email"])
        if user.new_email or not user.email_confirmed_at:
            _ask("address", user, now)


def confirm_address(*, user: User, token: str, now: datetime) -> None:
    """Use the link of a letter: the address it went to is the account's, and notices go there."""
    try:
        with transaction.atomic():
            user = User.objects.select_for_update().get(pk=user.pk)
            if not user.is_active or not ADDRESS_TOKENS.check_token(user, token):
                raise Refusal("link_spent", _("This link was used already or is too old. Ask for a new one."))
            user.email, user.new_email, user.email_confirmed_at = user.new_email or user.email, "", now
            user.save(update_fields=["email", "new_email", "email_confirmed_at"])
    except IntegrityError:
        raise InvalidInput("email_taken", _("An account with this e-mail address exists already."))


def ask_for_reset(*, email: str, now: datetime) -> None:
    """Have a link sent by which a new password is chosen. Only the mailbox learns whether there is an account.

    Without one, a job is asked for all the same; it has nothing to send.
    """
    user = account_of_address(email)
    asked = salted_hmac("arbitre.reset", lower_address(email), algorithm="sha256").hexdigest()[:20]
    payload = {"letter": "reset", "user": user and user.pk, "asked": now.isoformat()}
    with transaction.atomic():
        jobs.enqueue("accounts.letter", f"reset:{asked}", payload=payload, now=now)


def note_reset(*, user: User, now: datetime) -> None:
    """Whoever chose a password by the link of a letter reads the mailbox: its address is confirmed."""
    unconfirmed = User.objects.filter(pk=user.pk, email_confirmed_at=None)
    if user.email or not user.new_email:
        unconfirmed.update(email_confirmed_at=now)
        return
    with suppress(IntegrityError), transaction.atomic():  # somebody else may have confirmed it meanwhile
        unconfirmed.update(email=user.new_email, new_email="", email_confirmed_at=now)


def user_of_address_link(public_id: str) -> User:
    """The account that the link of a letter names."""
    user = User.objects.filter(public_id=public_id, is_active=True).first()
    if user is None:
        raise Http404
    return user


def _ask(letter: str, user: User, now: datetime) -> None:
    payload = {"letter": letter, "user": user.pk, "asked": now.isoformat()}
    jobs.enqueue("accounts.letter", f"{letter}:{user.public_id}", payload=payload, now=now)


def send_letter(*, letter: str, user_id: int | None, asked: str, now: datetime) -> None:
    """Write and send a letter about an account, as things stand now; nothing when there is nothing to say any more.

    Where the address to be confirmed is another account's, the letter tells its owner of that account instead.
    """
    user = User.objects.filter(pk=user_id, is_active=True).first() if user_id else None
    if user is None or (letter == "address" and not user.new_email and user.email_confirmed_at):
        return
    to = user.new_email if letter == "address" and user.new_email else user.email or user.new_email
    owner = User.objects.filter(email=to).exclude(pk=user.pk).first()
    if owner is not None:
        letter, user = "known", owner
    if not to or not user.is_active:
        return
    with post_office(now) as connection, translation.override(user.language):
        key = f"{letter}:{user.public_id}:{asked}"
        post(LETTERS[letter](user), to=to, language=user.language, key=key, now=now, connection=connection)


def _address_letter(user: User) -> Letter:
    return Letter(
        subject=_("Confirm your e-mail address"),
        lines=(
            _("This address was given for an account of Arbitre. Confirm that it is yours, and notices can come here."),
            _("If you gave it nowhere, do nothing: no more letters will come."),
        ),
        action=_("Confirm the address"),
        path=reverse("web:address", args=[user.public_id, ADDRESS_TOKENS.make_token(user)]),
        why=_("You get this letter because your address was given for an account."),
    )


def _reset_letter(user: User) -> Letter:
    return Letter(
        subject=_("Choose a new password"),
        lines=(
            _("Somebody asked for a new password of your account. The link works once, for three days."),
            _("If it was not you, do nothing: your password stays as it is."),
        ),
        action=_("Choose a new password"),
        path=_reset_path(user),
        why=_("You get this letter because a new password was asked for with your address."),
    )


def _known_letter(user: User) -> Letter:
    sign_in = address_of(reverse("web:sign_in"))
    return Letter(
        subject=_("You already have an account"),
        lines=(
            _("Somebody gave this address for another account of Arbitre. You already have an account with it."),
            _("If it was you, sign in to your account: %(link)s") % {"link": sign_in},
            _("If you forgot your password, choose a new one. The link works once, for three days."),
            _("If it was not you, do nothing: your account stays as it is."),
        ),
        action=_("Choose a new password"),
        path=_reset_path(user),
        why=_("You get this letter because your address was given for an account."),
    )


def _reset_path(user: User) -> str:
    return reverse("web:reset", args=[urlsafe_base64_encode(force_bytes(user.pk)), reset_token(user)])


def reset_token(user: User) -> str:
    """What lets a new password be chosen, until it is used."""
    return RESET_TOKENS.make_token(user)


LETTERS = {"address": _address_letter, "reset": _reset_letter, "known": _known_letter}
