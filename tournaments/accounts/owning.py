"""Things that one account owns, or a group of accounts together.

A club has such a group: its owners and organizers. What somebody gives to a club belongs to the group from then on; the
account it came from owns it no more, unless it is in the group too.
"""

from typing import Any

from django.db.models import Q

from tournaments.accounts.models import User


def owned_by(user: Any) -> Q:
    """The condition that rows with an `owner` and a `group` belong to this account; none do to a visitor."""
    if not user.is_authenticated:
        return Q(pk__in=())
    return Q(owner=user, group=None) | Q(group__in=user.groups.values("pk"))


def owns(user: User, thing: Any) -> bool:
    """Whether a thing with an `owner` and a `group` belongs to this account."""
    if thing.group_id is not None:
        return user.groups.filter(pk=thing.group_id).exists()
    return bool(thing.owner_id == user.pk)
