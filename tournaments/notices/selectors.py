"""Read queries on an account's choice of e-mail notifications."""

from tournaments.accounts.models import User
from tournaments.notices.models import Kind, Silence


def wanted_kinds(user: User) -> list[str]:
    """The kinds of notifications that the account gets, in the order of `Kind`."""
    silent = set(Silence.objects.filter(user=user).values_list("kind", flat=True))
    return [kind for kind in Kind.values if kind not in silent]
