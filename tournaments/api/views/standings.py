"""Standings: the newest table, a rank opened to its terms, what a correction changed, TRF, the scheme."""

from typing import Any

from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.endpoint import Endpoint
from tournaments.api.serializers.events import StandingsQuery
from tournaments.api.serializers.standings import (
    ChangesQuery,
    ChangesSerializer,
    SchemeInput,
    SchemeSerializer,
    StandingsSerializer,
    WhySerializer,
)
from tournaments.events.access import event_for_staff, event_for_viewer, stage_for_viewer
from tournaments.events.models import Entrant, Event, Stage
from tournaments.events.selectors import current_stage, entrants_of
from tournaments.play.access import require_pairings
from tournaments.play.field import OWN_SCHEMES, terms_of
from tournaments.standings.access import require_standings
from tournaments.standings.selectors import (
    changes_of,
    computing_failed,
    decimal,
    ranking_of,
    standings_of,
    trf_of,
)
from tournaments.standings.services import choose_scheme
from tournaments.swiss.columns import Part
from tournaments.swiss.schemes import SCHEMES, scheme_of
from tournaments.swiss.standings import Figure, Row, SwissRow

ORGANIZE = ApiToken.Scope.ORGANIZE
Names = dict[str, Entrant]
STAGE = OpenApiParameter("stage", int, description="Another stage than the one being played.")


def stage_asked(view: Endpoint, event: Event) -> Stage:
    """The stage that the query names, or the one being played, when its standings are shown to this account."""
    user, wanted = view.request.user, view.read_query(StandingsQuery).get("stage")
    stage = current_stage(event) if wanted is None else stage_for_viewer(user, event.public_id, wanted)
    return require_standings(user, stage)


def opened_stage_asked(view: Endpoint, event: Event) -> Stage:
    """The same, when its pairings are shown too: of it every opponent is told."""
    return require_pairings(view.request.user, stage_asked(view, event))


def _names(event: Event) -> Names:
    return {entrant.public_id: entrant for entrant in entrants_of(event)}


class StandingsView(Endpoint):
    """Who leads."""

    @extend_schema(operation_id="standings_read", parameters=[STAGE], responses=StandingsSerializer)
    def get(self, request: Request, event_id: str) -> Response:
        """The newest standings of the stage being played, or of another."""
        event = event_for_viewer(request.user, event_id)
        return Response(StandingsSerializer(_standings(event, stage_asked(self, event))).data)


def _standings(event: Event, stage: Stage) -> dict[str, Any]:
    shown = standings_of(stage)
    names = _names(event) if shown.rows else {}
    return {
        "stage": stage.number,
        "round": shown.table.round_number if shown.table else 0,
        "scheme": shown.table.scheme if shown.table else stage.scheme,
        "version": shown.table.results_version if shown.table else 0,
        "computing": shown.computing,
        "failed": computing_failed(stage) if shown.computing else "",
        "computed_at": shown.table.computed_at if shown.table else None,
        "rows": [_standing(row, names, shown.terms) for row in shown.rows],
    }


def _standing(row: dict[str, Any], names: Names, terms: list[str]) -> dict[str, Any]:
    # The order of the terms is the table's: PostgreSQL keeps none of a stored object.
    return {
        "rank": row["rank"],
        "entrant": names[row["entrant"]],
        "points": row["points"],
        "record": row["record"],
        "tiebreaks": {name: row[name] for name in terms},
        "exact": {name: row["exact"][name] for name in terms},
    }


class StandingView(Endpoint):
    """Why a rank is what it is."""

    @extend_schema(operation_id="standings_why", parameters=[STAGE], responses=WhySerializer)
    def get(self, request: Request, event_id: str, entrant_id: str) -> Response:
        """Every figure of an entrant down to its terms, and what parts it from its neighbours."""
        event = event_for_viewer(request.user, event_id)
        ranking = ranking_of(opened_stage_asked(self, event))
        if entrant_id not in ranking.place:
            raise Http404
        row, names = ranking.rows[ranking.place[entrant_id]], _names(event)
        ahead, behind = ranking.neighbours(row)
        shown = {
            "version": ranking.version,
            "scheme": ranking.scheme,
            "rank": row.rank,
            "entrant": names[row.player],
            "figures": [_figure(figure, names) for figure in row.explain],
            "ahead": _neighbour(ahead, names),
            "behind": _neighbour(behind, names),
        }
        return Response(WhySerializer(shown).data)


def _neighbour(found: tuple[Row | SwissRow, str] | None, names: Names) -> dict[str, Any] | None:
    return {"entrant": names[found[0].player], "rank": found[0].rank, "by": found[1]} if found else None


def _figure(figure: Figure, names: Names) -> dict[str, Any]:
    return {
        "name": figure.name,
        "value": decimal(figure.value),
        "exact": str(figure.value),
        "how": figure.how,
        "parts": [_part(part, names) for part in figure.parts],
    }


def _part(part: Part, names: Names) -> dict[str, Any]:
    return {
        "round": part.round,
        "opponent": names.get(part.player),
        "value": decimal(part.value),
        "exact": str(part.value),
        "got": part.got,
        "of": part.of,
        "note": part.note,
    }


class ChangesView(Endpoint):
    """What a correction changed."""

    @extend_schema(
        operation_id="standings_changes",
        parameters=[
            STAGE,
            OpenApiParameter("since", int, description="A version; left out, that of the table before the newest."),
            OpenApiParameter(
                "cut", int, description="How many places lead on; left out, as the next stage has it, or as proposed."
            ),
        ],
        responses=ChangesSerializer,
    )
    def get(self, request: Request, event_id: str) -> Response:
        """Whose rank or points the newest results changed, and who crossed the line of the cut."""
        event = event_for_viewer(request.user, event_id)
        found = changes_of(stage_asked(self, event), **self.read_query(ChangesQuery))
        if found is None:
            return Response(ChangesSerializer({"before": None, "after": None, "cut": 0, "moved": []}).data)
        names = _names(event)
        shown = {
            "before": found.before.results_version,
            "after": found.after.results_version,
            "cut": found.cut,
            "moved": [{**vars(move), "up": move.up, "entrant": names[move.entrant]} for move in found.moved],
        }
        return Response(ChangesSerializer(shown).data)


class TrfView(Endpoint):
    """The stage for chess software."""

    @extend_schema(operation_id="standings_trf", parameters=[STAGE], responses={(200, "text/plain"): OpenApiTypes.STR})
    def get(self, request: Request, event_id: str) -> HttpResponse:
        """The stage being played in TRF16, with the ranks of the results as they are now."""
        event = event_for_viewer(request.user, event_id)
        names = {entrant_id: entrant.name for entrant_id, entrant in _names(event).items()}
        return HttpResponse(trf_of(opened_stage_asked(self, event), names), content_type="text/plain; charset=utf-8")


class SchemeView(Endpoint):
    """By what the standings are ordered."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="scheme_read", responses=SchemeSerializer)
    def get(self, request: Request, event_id: str) -> Response:
        """The scheme of the stage being played."""
        return _scheme(event_for_viewer(request.user, event_id))

    @extend_schema(operation_id="scheme_choose", request=SchemeInput, responses=SchemeSerializer)
    def put(self, request: Request, event_id: str) -> Response:
        """Order the standings by another scheme or list of tiebreaks: organizers and owners."""
        event = event_for_staff(request.user, event_id, "manage_event")
        choose_scheme(event=event, by=request.user, now=self.now, **self.read(SchemeInput))
        return _scheme(event)


def _scheme(event: Event) -> Response:
    name = current_stage(event).scheme
    if name in OWN_SCHEMES:
        return Response(SchemeSerializer({"scheme": name, "tiebreaks": terms_of(name), "schemes": [name]}).data)
    scheme = scheme_of(name)
    shown = {"scheme": scheme.name, "tiebreaks": scheme.tiebreaks, "schemes": list(SCHEMES)}
    return Response(SchemeSerializer(shown).data)
