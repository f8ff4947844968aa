"""Permissions for devices: each belongs to one account."""

from typing import Any

from django.http import Http404

from tournaments.notices.models import PushSubscription


def device_for_owner(user: Any, public_id: str) -> PushSubscription:
    """A device that shows the account's notifications; else 404."""
    device = PushSubscription.objects.filter(public_id=public_id, user=getattr(user, "pk", None)).first()
    if device is None:
        raise Http404
    return device
