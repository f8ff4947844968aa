"""Bulk audits: all logs of an event audited again."""

from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.addresses import EVENT
from tournaments.api.resource import Resource, operation
from tournaments.api.schema import page_of
from tournaments.api.serializers.bulk import BulkChangeSerializer, BulkDetailSerializer, BulkInput, BulkSerializer
from tournaments.api.throttles import PaperThrottle
from tournaments.audits.access import bulk_for_judge, event_for_bulk
from tournaments.audits.bulk import bulks_of, cancel_bulk, changes_of, start_bulk

JUDGE = ApiToken.Scope.JUDGE


class BulkAudits(Resource):
    """The bulk audits of an event."""

    scopes = (JUDGE,)
    account_needed = True

    @operation(
        "GET",
        f"{EVENT}bulk-audits/",
        name="bulk_audits",
        pages=BulkSerializer,
        responses={200: page_of("BulkAudit", BulkSerializer)},
    )
    def bulk_audits_list(self, request: Request, event_id: str) -> Response:
        """The bulk audits that were requested, newest first. For judges who do not play the event."""
        return self.answer(bulks_of(event_for_bulk(self.user, event_id)))

    @operation(
        "POST",
        f"{EVENT}bulk-audits/",
        takes=BulkInput,
        answers=BulkDetailSerializer,
        status=201,
        throttle=PaperThrottle,
    )
    def bulk_audits_start(self, request: Request, event_id: str) -> Response:
        """Have every audited log of the event audited again, under other interpretations or the same ones.

        It changes no verdict, result or evidence. One at a time. For judges who do not play the event.
        """
        event = event_for_bulk(self.user, event_id)
        options = self.read()["options"]
        return self.answer(start_bulk(event=event, options=options, by=self.user, now=self.now))

    @operation("GET", "bulk-audits/<slug:bulk_id>/", name="bulk_audit", answers=BulkDetailSerializer)
    def bulk_audits_read(self, request: Request, bulk_id: str) -> Response:
        """The progress of a bulk audit, and how many verdicts changed to what. For judges who do not play the event."""
        return self.answer(bulk_for_judge(self.user, bulk_id))

    @operation("POST", "bulk-audits/<slug:bulk_id>/cancel/", name="bulk_cancel", answers=BulkDetailSerializer)
    def bulk_audits_cancel(self, request: Request, bulk_id: str) -> Response:
        """Cancel a bulk audit: logs that are still waiting are skipped. For judges who do not play the event."""
        bulk = bulk_for_judge(self.user, bulk_id)
        cancel_bulk(bulk=bulk, **self.arguments())
        bulk.refresh_from_db(fields=["cancelled_at"])  # the service updates the row, not this instance
        return self.answer(bulk)

    @operation("GET", "bulk-audits/<slug:bulk_id>/changes/", name="bulk_changes", pages=BulkChangeSerializer)
    def bulk_audits_changes(self, request: Request, bulk_id: str) -> Response:
        """The logs whose audit came out differently, by round and table. For judges who do not play the event."""
        return self.answer(changes_of(bulk_for_judge(self.user, bulk_id)))
