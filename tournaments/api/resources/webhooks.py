"""Webhooks of an event, or of an account for all events that it organizes."""

from django.http import Http404
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.addresses import EVENT, WEBHOOK
from tournaments.api.resource import Resource, operation
from tournaments.api.serializers.webhooks import (
    DeliveriesQuery,
    DeliverySerializer,
    NewWebhookSerializer,
    WebhookChange,
    WebhookInput,
    WebhookSerializer,
)
from tournaments.api.throttles import PaperThrottle
from tournaments.events.access import event_for_staff
from tournaments.integrations.access import webhook_for_owner
from tournaments.integrations.models import Webhook
from tournaments.integrations.selectors import deliveries_of, webhooks_shown
from tournaments.integrations.services import (
    change_webhook,
    delete_webhook,
    make_webhook,
    resend,
    rotate_secret,
    send_test,
)

ORGANIZE = ApiToken.Scope.ORGANIZE


class Webhooks(Resource):
    """The webhooks of an account."""

    scopes = (ORGANIZE,)
    account_needed = True

    def _with_secret(self, webhook: Webhook, secret: str) -> Response:
        # Not by `answer`: the model's own `secret` is the seed, which nobody must see.
        return Response({**WebhookSerializer(webhook).data, "secret": secret or None}, status=self.operation.status)

    @operation("GET", "webhooks/", name="webhooks", lists=WebhookSerializer)
    def webhooks_list(self, request: Request) -> Response:
        """Your webhooks for all events that you organize."""
        return self.answer(webhooks_shown(self.user, None))

    @operation(
        "POST",
        "webhooks/",
        takes=WebhookInput,
        answers=NewWebhookSerializer,
        status=201,
        not_kept=("secret",),
        throttle=PaperThrottle,
    )
    def webhooks_create(self, request: Request) -> Response:
        """Create a webhook for all events that you organize, now and later. Its secret is only in this response."""
        webhook, secret = make_webhook(**self.arguments())
        return self._with_secret(webhook, secret)

    @operation("GET", f"{EVENT}webhooks/", name="event_webhooks", lists=WebhookSerializer)
    def events_webhooks(self, request: Request, event_id: str) -> Response:
        """The webhooks of an event. For organizers and owners."""
        event = event_for_staff(self.user, event_id, "manage_event")
        return self.answer(webhooks_shown(self.user, event))

    @operation(
        "POST",
        f"{EVENT}webhooks/",
        takes=WebhookInput,
        answers=NewWebhookSerializer,
        status=201,
        not_kept=("secret",),
        throttle=PaperThrottle,
    )
    def events_webhooks_create(self, request: Request, event_id: str) -> Response:
        """Create a webhook for an event. Its secret is only in this response. For organizers and owners."""
        event = event_for_staff(self.user, event_id, "manage_event")
        webhook, secret = make_webhook(event=event, **self.arguments())
        return self._with_secret(webhook, secret)

    @operation("GET", WEBHOOK, name="webhook", answers=WebhookSerializer)
    def webhooks_read(self, request: Request, webhook_id: str) -> Response:
        """A webhook of yours, or of an event that you organize."""
        return self.answer(webhook_for_owner(self.user, webhook_id))

    @operation("PATCH", WEBHOOK, takes=WebhookChange, answers=WebhookSerializer)
    def webhooks_change(self, request: Request, webhook_id: str) -> Response:
        """Change the address or the kinds, switch the webhook off, or switch it on again and send what is waiting."""
        webhook = webhook_for_owner(self.user, webhook_id)
        changed = change_webhook(webhook=webhook, **self.arguments())
        return self.answer(changed)

    @operation("DELETE", WEBHOOK)
    def webhooks_delete(self, request: Request, webhook_id: str) -> Response:
        """Delete a webhook, with the messages that have not been sent."""
        delete_webhook(webhook=webhook_for_owner(self.user, webhook_id), **self.arguments())
        return self.answer()

    @operation("POST", f"{WEBHOOK}secret/", name="webhook_secret", answers=NewWebhookSerializer, not_kept=("secret",))
    def webhooks_turn_secret(self, request: Request, webhook_id: str) -> Response:
        """Create a new secret, which is only in this response. For 24 hours the old one signs messages as well."""
        webhook = webhook_for_owner(self.user, webhook_id)
        return self._with_secret(webhook, rotate_secret(webhook=webhook, **self.arguments()))

    @operation(
        "POST", f"{WEBHOOK}test/", name="webhook_test", answers=DeliverySerializer, status=201, throttle=PaperThrottle
    )
    def webhooks_test(self, request: Request, webhook_id: str) -> Response:
        """Send a message of type `ping`, and return its delivery."""
        webhook = webhook_for_owner(self.user, webhook_id)
        return self.answer(send_test(webhook=webhook, now=self.now))

    @operation("GET", f"{WEBHOOK}deliveries/", name="deliveries", query=DeliveriesQuery, pages=DeliverySerializer)
    def webhooks_deliveries(self, request: Request, webhook_id: str) -> Response:
        """Sent and pending messages of the last 30 days, newest first."""
        found = deliveries_of(webhook_for_owner(self.user, webhook_id))
        return self.answer(found.filter(**self.read_query()))

    @operation(
        "POST",
        f"{WEBHOOK}deliveries/<slug:delivery_id>/resend/",
        name="resend",
        answers=DeliverySerializer,
        throttle=PaperThrottle,
    )
    def webhooks_resend(self, request: Request, webhook_id: str, delivery_id: str) -> Response:
        """Send a message again with the same id and a fresh set of attempts."""
        webhook = webhook_for_owner(self.user, webhook_id)
        delivery = deliveries_of(webhook).select_related("webhook").filter(public_id=delivery_id).first()
        if delivery is None:
            raise Http404
        return self.answer(resend(delivery=delivery, now=self.now))
