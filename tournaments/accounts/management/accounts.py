"""Find the account that a command is about."""

from django.core.management import CommandError
from django.db.models import Q

from tournaments.accounts.models import User


def account_named(text: str) -> User:
    """The active account with this e-mail address, sign-in name or id. Raises CommandError if there is none."""
    named = text.strip().lower()
    user = User.objects.filter(Q(email=named) | Q(sign_in_name=named) | Q(public_id=named), is_active=True).first()
    if user is None:
        raise CommandError("there is no such account")
    return user
