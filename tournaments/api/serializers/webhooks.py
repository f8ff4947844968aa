"""Webhooks and their deliveries."""

from rest_framework import serializers

from tournaments.api.serializers.base import BoundedList, Input
from tournaments.common.outgoing import LONGEST_URL
from tournaments.integrations.models import KINDS, Delivery, Webhook

KIND = [(kind, kind) for kind in KINDS]


class DeliveriesQuery(serializers.Serializer):
    """Filters for a list of deliveries."""

    status = serializers.ChoiceField(Delivery.Status.choices, required=False)


class WebhookInput(Input):
    """An https address, and the kinds of ledger entries to send to it."""

    url = serializers.CharField(max_length=LONGEST_URL)
    kinds = BoundedList(child=serializers.ChoiceField(KIND), min_length=1, max_length=len(KINDS))
    format = serializers.ChoiceField(
        Webhook.Format.choices,
        default="arbitre",
        required=False,
        help_text="The format of the messages; it cannot change.",
    )


class WebhookChange(Input):
    """What to change in a webhook. Whatever is left out stays."""

    url = serializers.CharField(max_length=LONGEST_URL, required=False)
    kinds = BoundedList(child=serializers.ChoiceField(KIND), min_length=1, max_length=len(KINDS), required=False)
    active = serializers.BooleanField(required=False, help_text="Switch off, or on again.")


class WebhookSerializer(serializers.Serializer):
    """A webhook, without its secret. `event` is null if it belongs to an account."""

    id = serializers.CharField(source="public_id")
    event = serializers.CharField(source="event.public_id", default=None, allow_null=True)
    owner = serializers.CharField(source="owner.public_id", help_text="An account.")
    url = serializers.CharField()
    format = serializers.ChoiceField(Webhook.Format.choices)
    kinds = serializers.ListField(child=serializers.ChoiceField(KIND))
    created_at = serializers.DateTimeField()
    failing_since = serializers.DateTimeField(allow_null=True, help_text="The first failure since the last success.")
    disabled_at = serializers.DateTimeField(allow_null=True)
    disabled_for = serializers.ChoiceField(["failing", "gone", "asked"], allow_blank=True)
    old_secret_until = serializers.DateTimeField(source="old_until", allow_null=True)


class NewWebhookSerializer(WebhookSerializer):
    """A webhook with its new secret, which is only in this response."""

    secret = serializers.CharField(allow_null=True, help_text="`whsec_…`; null for Discord and Slack, and in a replay.")


class DeliverySerializer(serializers.Serializer):
    """A message and its attempts.

    `id` is sent as its `webhook-id`; `number` is that of the ledger entry.
    """

    id = serializers.CharField(source="public_id")
    type = serializers.CharField(source="payload.type")
    event = serializers.CharField(source="chain", allow_blank=True)
    number = serializers.IntegerField(allow_null=True)
    status = serializers.ChoiceField(Delivery.Status.choices)
    attempts = serializers.IntegerField()
    answer = serializers.IntegerField(allow_null=True, help_text="The HTTP status of the last answer.")
    error = serializers.CharField(allow_blank=True, help_text="Why there was none.")
    created_at = serializers.DateTimeField()
    tried_at = serializers.DateTimeField(allow_null=True)
    next_at = serializers.DateTimeField(help_text="When the next attempt is due, while it is `pending`.")
