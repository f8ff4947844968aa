"""The signed head of an event's ledger, and checks of the event."""

from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.addresses import EVENT
from tournaments.api.resource import Resource, operation
from tournaments.api.serializers.checks import CheckSerializer, SignedHeadSerializer
from tournaments.api.throttles import CheckThrottle
from tournaments.archive.access import reads_faults
from tournaments.archive.selectors import state_of_check
from tournaments.archive.services import ask_for_check
from tournaments.common import heads
from tournaments.events.access import event_for_staff, event_for_viewer
from tournaments.events.models import Event


class EventChecks(Resource):
    """The signed head of an event's ledger."""

    scopes = (ApiToken.Scope.ORGANIZE,)

    @operation("GET", f"{EVENT}head/", name="head", answers=SignedHeadSerializer)
    def head_read(self, request: Request, event_id: str) -> Response:
        """The current end of the ledger, signed. For anybody who may see the event.

        Keep it: `manage.py verify --head` can tell later whether the ledger still contains this entry.
        """
        event = event_for_viewer(self.user, event_id)
        return self.answer(heads.head_of(event.public_id))

    @operation("GET", f"{EVENT}checks/", name="checks", answers=CheckSerializer)
    def checks_read(self, request: Request, event_id: str) -> Response:
        """The result of the last check. For anybody who may see the event; the faults are for staff who do not play."""
        return self._last_check(event_for_viewer(self.user, event_id))

    @operation("POST", f"{EVENT}checks/", answers=CheckSerializer, status=202, throttle=CheckThrottle)
    def checks_ask(self, request: Request, event_id: str) -> Response:
        """Have the event checked now. While a check is waiting or running, no second one is started.

        For organizers and owners.
        """
        event = event_for_staff(self.user, event_id, "manage_event")
        ask_for_check(event=event, now=self.now)
        return self._last_check(event)

    def _last_check(self, event: Event) -> Response:
        shown = {"event": event, "state": state_of_check(event)}
        return self.answer(shown, reads_faults=reads_faults(self.user, event))
