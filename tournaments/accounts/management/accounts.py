"""Find the account that a command is about."""

from django.core.management import CommandError
from django.db.models import Q

from tournaments.accounts.models import User
from tournaments.common.management.typed import public_id


def account_named(text: str) -> User:
    """The active account with this e-mail address, sign-in name or id. Raises CommandError if there is none."""
    named = public_id(text)
    user = User.objects.filter(Q(email=named) | Q(sign_in_name=named) | Q(public_id=named), is_active=True).first()
    if user is None:
        waiting = User.objects.filter(new_email=named, is_active=True).exclude(new_email="")
        names = ", ".join(each.sign_in_name or each.public_id for each in waiting)
        if names:
            raise CommandError(f"nobody has confirmed this address yet: name the account that gave it, {names}")
        raise CommandError("there is no such account")
    return user
