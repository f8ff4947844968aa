"""Webhooks: told of what happens in an event, or in all events of an organizer."""

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.endpoint import Endpoint
from tournaments.api.schema import PAGING, page_of
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
from tournaments.events.models import Event
from tournaments.integrations.access import webhook_for_owner
from tournaments.integrations.models import Webhook
from tournaments.integrations.selectors import deliveries_of, webhooks_shown
from tournaments.integrations.services import (
    change_webhook,
    delete_webhook,
    make_webhook,
    send_again,
    send_test,
    turn_secret,
)

ORGANIZE = ApiToken.Scope.ORGANIZE


def _with_secret(webhook: Webhook, secret: str, status: int) -> Response:
    return Response({**WebhookSerializer(webhook).data, "secret": secret}, status=status)


class WebhooksView(Endpoint):
    """The webhooks of an account."""

    scopes = (ORGANIZE,)
    account_needed = True
    not_kept = ("secret",)
    throttle_classes = [*Endpoint.throttle_classes, PaperThrottle]

    @extend_schema(operation_id="webhooks_list", responses=WebhookSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Your webhooks for all events that you organize."""
        return Response(WebhookSerializer(webhooks_shown(request.user, None), many=True).data)

    @extend_schema(operation_id="webhooks_create", request=WebhookInput, responses={201: NewWebhookSerializer})
    def post(self, request: Request) -> Response:
        """A webhook for all events that you organize, now and later. Its secret is in this answer alone."""
        webhook, secret = make_webhook(by=request.user, now=self.now, **self.read(WebhookInput))
        return _with_secret(webhook, secret, 201)


class EventWebhooksView(Endpoint):
    """The webhooks of an event."""

    scopes = (ORGANIZE,)
    account_needed = True
    not_kept = ("secret",)
    throttle_classes = [*Endpoint.throttle_classes, PaperThrottle]

    @extend_schema(operation_id="events_webhooks", responses=WebhookSerializer(many=True))
    def get(self, request: Request, event_id: str) -> Response:
        """The webhooks of an event: organizers."""
        return Response(WebhookSerializer(webhooks_shown(request.user, self._event(request, event_id)), many=True).data)

    @extend_schema(operation_id="events_webhooks_create", request=WebhookInput, responses={201: NewWebhookSerializer})
    def post(self, request: Request, event_id: str) -> Response:
        """A webhook of an event: organizers. Its secret is in this answer alone."""
        event = self._event(request, event_id)
        webhook, secret = make_webhook(by=request.user, event=event, now=self.now, **self.read(WebhookInput))
        return _with_secret(webhook, secret, 201)

    def _event(self, request: Request, event_id: str) -> Event:
        return event_for_staff(request.user, event_id, "manage_event")


class WebhookView(Endpoint):
    """One webhook."""

    scopes = (ORGANIZE,)
    account_needed = True

    @extend_schema(operation_id="webhooks_read", responses=WebhookSerializer)
    def get(self, request: Request, webhook_id: str) -> Response:
        """A webhook of yours, or of an event that you organize."""
        return Response(WebhookSerializer(webhook_for_owner(request.user, webhook_id)).data)

    @extend_schema(operation_id="webhooks_change", request=WebhookChange, responses={200: WebhookSerializer})
    def patch(self, request: Request, webhook_id: str) -> Response:
        """Another address, other kinds; switched off, or on again with what is still to be sent."""
        webhook = webhook_for_owner(request.user, webhook_id)
        changed = change_webhook(webhook=webhook, by=request.user, now=self.now, **self.read(WebhookChange))
        return Response(WebhookSerializer(changed).data)

    @extend_schema(operation_id="webhooks_delete", responses={204: None})
    def delete(self, request: Request, webhook_id: str) -> Response:
        """Take it away with all that was to be sent."""
        delete_webhook(webhook=webhook_for_owner(request.user, webhook_id), by=request.user, now=self.now)
        return Response(status=204)


class WebhookSecretView(Endpoint):
    """The secret of a webhook turned."""

    scopes = (ORGANIZE,)
    not_kept = ("secret",)

    @extend_schema(operation_id="webhooks_turn_secret", request=None, responses={200: NewWebhookSerializer})
    def post(self, request: Request, webhook_id: str) -> Response:
        """A new secret, in this answer alone. The old one signs beside it for 24 hours."""
        webhook = webhook_for_owner(request.user, webhook_id)
        return _with_secret(webhook, turn_secret(webhook=webhook, by=request.user, now=self.now), 200)


class WebhookTestView(Endpoint):
    """A test message."""

    scopes = (ORGANIZE,)
    throttle_classes = [*Endpoint.throttle_classes, PaperThrottle]

    @extend_schema(operation_id="webhooks_test", request=None, responses={201: DeliverySerializer})
    def post(self, request: Request, webhook_id: str) -> Response:
        """Send a message of type `ping`. Its delivery tells how it went."""
        webhook = webhook_for_owner(request.user, webhook_id)
        return Response(DeliverySerializer(send_test(webhook=webhook, now=self.now)).data, status=201)


class DeliveriesView(Endpoint):
    """The delivery log."""

    account_needed = True

    @extend_schema(
        operation_id="webhooks_deliveries",
        parameters=[DeliveriesQuery, *PAGING],
        responses=page_of("Delivery", DeliverySerializer),
    )
    def get(self, request: Request, webhook_id: str) -> Response:
        """What was sent and is to be sent, the newest first; kept for 30 days."""
        found = deliveries_of(webhook_for_owner(request.user, webhook_id))
        return self.page(found.filter(**self.read_query(DeliveriesQuery)), DeliverySerializer)


class ResendView(Endpoint):
    """A delivery sent again."""

    scopes = (ORGANIZE,)
    throttle_classes = [*Endpoint.throttle_classes, PaperThrottle]

    @extend_schema(operation_id="webhooks_resend", request=None, responses={200: DeliverySerializer})
    def post(self, request: Request, webhook_id: str, delivery_id: str) -> Response:
        """Send a message again under its id, with its attempts afresh."""
        webhook = webhook_for_owner(request.user, webhook_id)
        delivery = deliveries_of(webhook).select_related("webhook").filter(public_id=delivery_id).first()
        if delivery is None:
            raise Http404
        return Response(DeliverySerializer(send_again(delivery=delivery, now=self.now)).data)
