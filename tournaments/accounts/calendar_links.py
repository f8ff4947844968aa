"""The secret calendar link of an account: whoever has it can read when the account's events are, and nothing else.

Its signature is made from a key that is stored with the account, so the link can be shown again at any time, and a new
key makes the old link invalid.
"""

import secrets

from django.http import Http404

from tournaments.accounts.models import User
from tournaments.common.signatures import is_signature, signature_of

SALT = "arbitre.calendar"


def calendar_signature(user: User) -> str:
    """The signature in the account's calendar link; "" while it has none."""
    return signature_of(_signed(user), salt=SALT) if user.calendar_key else ""


def account_of_calendar_link(public_id: str, signature: str) -> User:
    """The account of a calendar link; 404 if the link is wrong, or no longer valid."""
    user = User.objects.filter(public_id=public_id, is_active=True).exclude(calendar_key="").first()
    if user is None or not is_signature(signature, _signed(user), salt=SALT):
        raise Http404
    return user


def make_calendar_link(*, user: User) -> None:
    """Make a calendar link. One that the account had before no longer works."""
    user.calendar_key = secrets.token_urlsafe(12)
    User.objects.filter(pk=user.pk).update(calendar_key=user.calendar_key)


def stop_calendar_link(*, user: User) -> None:
    """Make the calendar link of an account invalid. Idempotent."""
    user.calendar_key = ""
    User.objects.filter(pk=user.pk).update(calendar_key="")


def _signed(user: User) -> str:
    return f"{user.public_id}.{user.calendar_key}"
