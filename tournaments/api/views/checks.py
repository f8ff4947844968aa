"""The signed head of an event's ledger, and checks of the event."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.endpoint import Endpoint
from tournaments.api.serializers.checks import CheckSerializer, SignedHeadSerializer
from tournaments.api.throttles import CheckThrottle
from tournaments.archive.access import reads_faults
from tournaments.archive.selectors import state_of_check
from tournaments.archive.services import ask_for_check
from tournaments.common import heads
from tournaments.events.access import event_for_staff, event_for_viewer
from tournaments.events.models import Event


def _answer(user: Any, event: Event, status: int = 200) -> Response:
    shown = {"event": event, "state": state_of_check(event)}
    context = {"reads_faults": reads_faults(user, event)}
    return Response(CheckSerializer(shown, context=context).data, status=status)


class HeadView(Endpoint):
    """The signed head of an event's ledger."""

    @extend_schema(operation_id="head_read", responses=SignedHeadSerializer)
    def get(self, request: Request, event_id: str) -> Response:
        """Where the ledger ends now, signed: whoever may see the event.

        Keep it: `manage.py verify --head` tells later whether the ledger still contains this entry.
        """
        event = event_for_viewer(request.user, event_id)
        return Response(SignedHeadSerializer(heads.head_of(event.public_id)).data)


class ChecksView(Endpoint):
    """Checks of an event."""

    scopes = (ApiToken.Scope.ORGANIZE,)
    throttle_classes = [*Endpoint.throttle_classes, CheckThrottle]

    @extend_schema(operation_id="checks_read", responses=CheckSerializer)
    def get(self, request: Request, event_id: str) -> Response:
        """What the last check of the event found: whoever may see it; each fault is for its staff."""
        return _answer(request.user, event_for_viewer(request.user, event_id))

    @extend_schema(operation_id="checks_ask", request=None, responses={202: CheckSerializer})
    def post(self, request: Request, event_id: str) -> Response:
        """Have the event verified now: organizers. While a check waits or runs, no second one is started."""
        event = event_for_staff(request.user, event_id, "manage_event")
        ask_for_check(event=event, now=self.now)
        return _answer(request.user, event, 202)
