"""The tables of an event, whole."""

from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request

from tournaments.api.endpoint import Endpoint
from tournaments.api.serializers.exports import ExportQuery
from tournaments.common.tables import as_csv
from tournaments.events.access import readers_of
from tournaments.exports.access import event_for_export
from tournaments.exports.decklists import as_text
from tournaments.exports.tables import as_json, table_of


class ExportView(Endpoint):
    """One table of an event."""

    @extend_schema(
        operation_id="exports_read",
        parameters=[ExportQuery],
        responses={
            (200, "application/json"): OpenApiResponse(OpenApiTypes.OBJECT, "`event`, `table`, `rows`."),
            (200, "text/csv"): OpenApiResponse(OpenApiTypes.STR, "With `as=csv`."),
            (200, "text/plain"): OpenApiResponse(OpenApiTypes.STR, "With `as=txt`: decks alone."),
        },
    )
    def get(self, request: Request, event_id: str, table: str) -> HttpResponse:
        """A table: `entrants`, `pairings`, `results`, `standings`; `decks` for those to whom they are open."""
        event = event_for_export(request.user, event_id, table)
        form = self.read_query(ExportQuery)["as"]
        if form == "txt" and table != "decks":
            raise Http404
        if form == "txt":
            return HttpResponse(as_text(event), content_type="text/plain; charset=utf-8")
        made = table_of(event, table, readers_of(request.user, event))
        if form == "csv":
            return HttpResponse(as_csv(made), content_type="text/csv; charset=utf-8")
        return HttpResponse(as_json(event, made), content_type="application/json")
