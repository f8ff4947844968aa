"""Read queries on what an account is notified of, and on which devices."""

from datetime import datetime
from typing import Any

from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef, Q, QuerySet

from tournaments.accounts.models import User
from tournaments.common.mail import sends_mail
from tournaments.notices.models import KINDS, OFF_AT_FIRST, Channel, Kind, PushSubscription, Silence, Wish


def wanted_kinds(user: User, channel: Channel = Channel.LETTER) -> list[str]:
    """The kinds of notifications that the account gets by a channel, in the order of `Kind`."""
    silent = set(Silence.objects.filter(user=user, channel=channel).values_list("kind", flat=True))
    wished = set(Wish.objects.filter(user=user).values_list("kind", flat=True))
    return [kind for kind in KINDS[channel] if (kind in wished if kind in OFF_AT_FIRST else kind not in silent)]


def gets_letter(user: User, kind: Kind) -> bool:
    """Whether an account gets e-mails of a kind: it wants them, has confirmed its address, and the site sends any."""
    return bool(user.email and user.email_confirmed_at) and sends_mail() and kind in wanted_kinds(user)


def devices_of(user: User) -> QuerySet[PushSubscription]:
    """The devices that show the account's notifications, oldest first."""
    return user.push_subscriptions.order_by("created_at", "pk")


def reachable(now: datetime) -> QuerySet[PushSubscription]:
    """The devices whose browsers are still signed in, and those that were added with an API token."""
    signed_in = Session.objects.filter(session_key=OuterRef("session__session_key"), expire_date__gt=now)
    return PushSubscription.objects.filter(Q(session=None) | Exists(signed_in))


def devices_as_data(user: User) -> list[dict[str, Any]]:
    """What is stored about these devices, JSON-able; the keys of their browsers are left out."""
    return [
        {
            "id": device.public_id,
            "browser": device.browser,
            "push_service": device.endpoint,
            "added": device.created_at.isoformat(),
            "last_notified": device.pushed_at.isoformat() if device.pushed_at else None,
        }
        for device in devices_of(user)
    ]


def failing_devices() -> int:
    """Count the devices to which nothing could be sent since the last success."""
    return PushSubscription.objects.exclude(failing_since=None).count()
