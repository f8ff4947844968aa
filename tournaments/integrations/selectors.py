"""Read queries on webhooks and their deliveries, for pages and the API."""

from typing import Any

from django.db.models import QuerySet

from tournaments.events.models import Event
from tournaments.integrations.models import Delivery, Webhook


def webhooks_shown(user: Any, event: Event | None) -> QuerySet[Webhook]:
    """The webhooks of an event or, without one, those of the account for all its events; oldest first."""
    listed = Webhook.objects.filter(event=event) if event else Webhook.objects.filter(event=None, owner=user)
    return listed.select_related("event", "owner")


def deliveries_of(webhook: Webhook) -> QuerySet[Delivery]:
    """All deliveries of a webhook, sent or not, newest first."""
    return webhook.deliveries.order_by("-pk")
