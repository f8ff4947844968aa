"""What an account wants to be told by letter."""

from tournaments.accounts.models import User
from tournaments.notices.models import Kind, Silence


def wanted_kinds(user: User) -> list[str]:
    """The kinds of notices that the account gets, in their order."""
    silent = set(Silence.objects.filter(user=user).values_list("kind", flat=True))
    return [kind for kind in Kind.values if kind not in silent]
