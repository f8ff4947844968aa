"""What the staff do by rule: the procedures of an event."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.endpoint import Endpoint
from tournaments.events.access import event_for_staff
from tournaments.events.procedures import read_procedures
from tournaments.events.services import change_procedures

ORGANIZE = ApiToken.Scope.ORGANIZE


class ProceduresView(Endpoint):
    """The procedures of an event."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="procedures_read", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, event_id: str) -> Response:
        """All of them, section by section: staff."""
        event = event_for_staff(request.user, event_id, "view_staff_pages")
        return Response(read_procedures(event.procedures).to_json())

    @extend_schema(operation_id="procedures_change", request=OpenApiTypes.OBJECT, responses=OpenApiTypes.OBJECT)
    def put(self, request: Request, event_id: str) -> Response:
        """Set them while the event is a draft; what is absent is the default: organizers and owners."""
        event = event_for_staff(request.user, event_id, "manage_event")
        change_procedures(event=event, procedures=request.data, by=request.user, now=self.now)
        event.refresh_from_db()
        return Response(read_procedures(event.procedures).to_json())
