"""All logs of an event audited again."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.endpoint import Endpoint
from tournaments.api.schema import PAGING, page_of
from tournaments.api.serializers.bulk import BulkChangeSerializer, BulkDetailSerializer, BulkInput, BulkSerializer
from tournaments.api.throttles import PaperThrottle
from tournaments.audits.access import bulk_for_judge, event_for_bulk
from tournaments.audits.bulk import bulks_of, cancel_bulk, changes_of, start_bulk
from tournaments.audits.models import BulkAudit

JUDGE = ApiToken.Scope.JUDGE


def _answer(bulk: BulkAudit, status: int = 200) -> Response:
    return Response(BulkDetailSerializer(bulk).data, status=status)


class BulkAuditsView(Endpoint):
    """The bulk audits of an event."""

    scopes = (JUDGE,)
    account_needed = True
    throttle_classes = [*Endpoint.throttle_classes, PaperThrottle]

    @extend_schema(operation_id="bulk_audits_list", parameters=PAGING, responses=page_of("BulkAudit", BulkSerializer))
    def get(self, request: Request, event_id: str) -> Response:
        """Those asked for, the newest first. Judges who do not play the event."""
        return self.page(bulks_of(event_for_bulk(request.user, event_id)), BulkSerializer)

    @extend_schema(operation_id="bulk_audits_start", request=BulkInput, responses={201: BulkDetailSerializer})
    def post(self, request: Request, event_id: str) -> Response:
        """Have every audited log audited again, with interpretations switched or as they are. Nothing else changes.

        Judges who do not play the event; one at a time.
        """
        event = event_for_bulk(request.user, event_id)
        options = self.read(BulkInput)["options"]
        return _answer(start_bulk(event=event, options=options, by=request.user, now=self.now), 201)


class BulkAuditView(Endpoint):
    """One bulk audit."""

    account_needed = True

    @extend_schema(operation_id="bulk_audits_read", responses=BulkDetailSerializer)
    def get(self, request: Request, bulk_id: str) -> Response:
        """How far it is, and how many verdicts change from what to what. Judges who do not play the event."""
        return _answer(bulk_for_judge(request.user, bulk_id))


class BulkCancelView(Endpoint):
    """A bulk audit cancelled."""

    scopes = (JUDGE,)

    @extend_schema(operation_id="bulk_audits_cancel", request=None, responses={200: BulkDetailSerializer})
    def post(self, request: Request, bulk_id: str) -> Response:
        """Let the logs that still wait be. Judges who do not play the event."""
        bulk = bulk_for_judge(request.user, bulk_id)
        cancel_bulk(bulk=bulk, by=request.user, now=self.now)
        bulk.refresh_from_db(fields=["cancelled_at"])
        return _answer(bulk)


class BulkChangesView(Endpoint):
    """What a bulk audit found."""

    account_needed = True

    @extend_schema(
        operation_id="bulk_audits_changes", parameters=PAGING, responses=page_of("BulkChange", BulkChangeSerializer)
    )
    def get(self, request: Request, bulk_id: str) -> Response:
        """The logs in which something changes, by round and table. Judges who do not play the event."""
        return self.page(changes_of(bulk_for_judge(request.user, bulk_id)), BulkChangeSerializer)
