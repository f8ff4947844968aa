"""Permissions for webhooks: an event's belong to those who manage the event, an account's to the account."""

from typing import Any

from django.http import Http404

from tournaments.events.access import require
from tournaments.integrations.models import Webhook


def webhook_for_owner(user: Any, public_id: str) -> Webhook:
    """A webhook that the account may see and change; else 404, or `NotAllowed` for a role that is too low."""
    webhook = Webhook.objects.filter(public_id=public_id).select_related("event", "owner").first()
    if webhook is None:
        raise Http404
    if webhook.event is not None:
        require(user, webhook.event, "manage_event")
    elif webhook.owner_id != getattr(user, "pk", None):
        raise Http404
    return webhook
