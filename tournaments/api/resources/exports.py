"""Exports: whole tables of an event."""

from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse
from rest_framework.request import Request

from tournaments.api.addresses import EVENT
from tournaments.api.resource import Resource, operation
from tournaments.api.serializers.exports import EventExportQuery
from tournaments.common.csv_tables import as_csv
from tournaments.events.access import readers_of
from tournaments.exports.access import event_for_export
from tournaments.exports.datasets import as_json, table_of
from tournaments.exports.decklists import as_text


class Exports(Resource):
    """One table of an event."""

    @operation(
        "GET",
        f"{EVENT}exports/<slug:table>/",
        name="export",
        query=EventExportQuery,
        responses={
            (200, "application/json"): OpenApiResponse(OpenApiTypes.OBJECT, "`event`, `table`, `rows`."),
            (200, "text/csv"): OpenApiResponse(OpenApiTypes.STR, "With `as=csv`."),
            (200, "text/plain"): OpenApiResponse(OpenApiTypes.STR, "With `as=txt`: decks alone."),
        },
    )
    def exports_read(self, request: Request, event_id: str, table: str) -> HttpResponse:
        """A whole table: `entrants`, `pairings`, `results`, `standings`, `final`, `categories`, `decks` or `metagame`.

        Public, except for `decks`, which is for anybody the event shows its decklists to, and `metagame`, which is for
        the same readers once the event is over. Staff who may read decklists and do not play can read both at any time.
        """
        query = self.read_query()
        form, stage = query["as"], query.get("stage")
        event = event_for_export(self.user, event_id, table, stage)
        if form == "txt" and table != "decks":
            raise Http404
        if form == "txt":
            return HttpResponse(as_text(event), content_type="text/plain; charset=utf-8")
        made = table_of(event, table, readers_of(self.user, event), stage)
        if form == "csv":
            return HttpResponse(as_csv(made), content_type="text/csv; charset=utf-8")
        return HttpResponse(as_json(event, made), content_type="application/json")
