"""The devices that show an account's push notifications: add, remove, and try one."""

from datetime import datetime

from allauth.usersessions.models import UserSession
from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common import jobs
from tournaments.common.outgoing import target_of
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.notices.models import PushSubscription
from tournaments.notices.sealing import are_keys

MOST = 20  # devices of an account


def add_device(
    *, user: User, endpoint: str, p256dh: str, auth: str, browser: str, now: datetime,
    session: UserSession | None = None,
) -> PushSubscription:  # fmt: skip
    """Show the account's notifications in a browser, given by its push endpoint and its keys. Idempotent.

    A browser shows those of one account only: the last that added it. With `session`, the sign-in of the browser, they
    end when it ends.

    Refused: `subscription_invalid`, `too_many_devices`.
    """
    if target_of(endpoint) is None or not are_keys(p256dh, auth):
        raise InvalidInput("subscription_invalid", _("This is not a push subscription of a browser."))
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        others = PushSubscription.objects.filter(user=user).exclude(endpoint=endpoint)
        if others.count() >= MOST:
            raise Refusal("too_many_devices", _("Twenty devices already show your notifications. Remove one first."))
        kept = {"user": user, "session": session, "p256dh": p256dh, "auth": auth, "browser": browser[:80]}
        device, _made = PushSubscription.objects.update_or_create(
            endpoint=endpoint, defaults={**kept, "failing_since": None}, create_defaults={**kept, "created_at": now}
        )
    return device


def remove_device(*, device: PushSubscription) -> None:
    """Stop showing notifications on a device. Idempotent."""
    PushSubscription.objects.filter(pk=device.pk).delete()


def keep_device(*, user: User, public_id: str, session: UserSession) -> None:
    """Tie a device to the new session of its browser, which got one when the password was changed there."""
    PushSubscription.objects.filter(user=user, public_id=public_id).update(session=session)


def try_device(*, device: PushSubscription, now: datetime) -> None:
    """Enqueue a test notification for one device."""
    with transaction.atomic():
        jobs.enqueue("notices.try_push", device.public_id, payload={"device": device.public_id}, now=now)


def forget_devices(*, user: User) -> None:
    """Remove all devices of an account that is being erased."""
    PushSubscription.objects.filter(user=user).delete()
