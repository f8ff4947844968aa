"""Accounts that nobody uses: an e-mail says that they will end, and later they are erased.

An account is used when somebody signs in, while a browser is signed in, when a program uses one of its API tokens, and
when one of its persons enters an event. Of browsers and tokens, the day is stored. Which accounts never end is decided
in `archive.unused`, which knows events and clubs.
"""

from datetime import date, datetime, timedelta

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from tournaments.accounts.addresses import tell_of_end
from tournaments.accounts.models import ApiToken, User
from tournaments.accounts.services import ERASED_ADDRESS, erase_account

WARNED_BEFORE = timedelta(days=30)


def end_after() -> timedelta | None:
    """How long an account stays without use; None: it never ends."""
    return timedelta(days=settings.ACCOUNTS_END_AFTER) if settings.ACCOUNTS_END_AFTER else None


def note_browsers(now: datetime) -> None:
    """Store the day for the accounts that a browser is signed in to. One statement."""
    signed_in = Session.objects.filter(expire_date__gt=now).values("session_key")
    users = UserSession.objects.filter(session_key__in=signed_in).values("user")
    User.objects.filter(Q(used_on=None) | Q(used_on__lt=now.date()), pk__in=users).update(used_on=now.date())


def unused_since(until: datetime) -> QuerySet[User]:
    """The accounts that nobody signed in to since `until`, by any means. Entries are not looked at; operators count."""
    used = ApiToken.objects.filter(user=OuterRef("pk"), last_used_on__gte=until.date())
    return (
        User.objects
        .filter(is_active=True, is_staff=False, is_superuser=False, date_joined__lt=until)
        .filter(Q(last_login=None) | Q(last_login__lt=until))
        .filter(Q(used_on=None) | Q(used_on__lt=until.date()))
        .filter(~Exists(used))
        .exclude(email__endswith=ERASED_ADDRESS)
    )


def keep_used(unused: QuerySet[User]) -> None:
    """Forget the warnings of accounts that were used again, or that never end: they would be warned anew."""
    warned = User.objects.exclude(end_warned_at=None)
    back = warned.exclude(pk__in=unused.values("pk")).values_list("pk", flat=True)
    User.objects.filter(pk__in=list(back)).update(end_warned_at=None)


def warn(*, user: User, now: datetime) -> bool:
    """Say by e-mail that the account will end, to its confirmed address if it has one. False if it was said before."""
    with transaction.atomic():
        if not User.objects.filter(pk=user.pk, end_warned_at=None).update(end_warned_at=now):
            return False
        tell_of_end(user=user, now=now)
    return True


def end(*, user: User, unused: QuerySet[User], now: datetime) -> bool:
    """Erase an account if it still is in `unused` and was warned long enough ago. False if it is not."""
    with transaction.atomic():
        # Locked, so that somebody who signs in at this moment either keeps the account or does not get in.
        due = unused.filter(pk=user.pk, end_warned_at__lte=now - WARNED_BEFORE)
        locked = due.select_for_update(of=("self",)).first()
        if locked is None:
            return False
        erase_account(user=locked, now=now)
    return True


def end_of(user: User) -> date | None:
    """The first day on which an account that was warned may be erased."""
    return (user.end_warned_at + WARNED_BEFORE).date() if user.end_warned_at else None
