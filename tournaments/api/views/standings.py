"""Standings: the newest table, a rank opened to its terms, what a correction changed, TRF, the scheme."""

from typing import Any

from django.http import Http404, HttpResponse
from django.utils.translation import get_language
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
    FinalSerializer,
    SchemeInput,
    SchemeSerializer,
    ScoringInput,
    ScoringSerializer,
    StandingsSerializer,
    WhySerializer,
)
from tournaments.events.access import event_for_staff, event_for_viewer, readers_of, stage_for_viewer
from tournaments.events.models import Entrant, Event, Stage
from tournaments.events.scoring import SCORING_PRESETS, preset_of, read_scoring
from tournaments.events.selectors import current_stage, entrants_of
from tournaments.play.access import require_pairings
from tournaments.play.field import OWN_SCHEMES, terms_of
from tournaments.standings.access import require_all_standings, require_standings
from tournaments.standings.selectors import (
    changes_of,
    computing_failed,
    decimal,
    final_rows,
    ranking_of,
    standings_of,
    trf_of,
)
from tournaments.standings.services import choose_scheme, choose_scoring
from tournaments.standings.winners import winners_of
from tournaments.standings.words import tiebreak_choices, words_of
from tournaments.swiss.columns import Part
from tournaments.swiss.crosstable import Rules
from tournaments.swiss.schemes import SCHEMES, scheme_of
from tournaments.swiss.scoring import POINTS
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
        "round": shown.round_number,
        "scheme": shown.table.scheme if shown.table else stage.scheme,
        "version": shown.table.results_version if shown.table else 0,
        "computing": shown.computing,
        "failed": computing_failed(stage) if shown.computing else "",
        "computed_at": shown.table.computed_at if shown.table else None,
        "rows": [_standing(row, names, shown.terms) for row in shown.rows],
    }


class FinalView(Endpoint):
    """Who won."""

    @extend_schema(operation_id="final_ranking", responses=FinalSerializer)
    def get(self, request: Request, event_id: str) -> Response:
        """One ranking over all stages: the places of the last stage first, then the others by the stages before."""
        event = require_all_standings(request.user, event_for_viewer(request.user, event_id))
        names, readers = _names(event), readers_of(request.user, event)
        shown = {
            "final": event.is_over,
            "rows": [{"byes": 0, **row, "entrant": names[row["entrant"]]} for row in final_rows(event)],
            "winners": [
                vars(each) | {"deck": each.deck is not None}
                for each in winners_of(event, readers, get_language() or "en")
            ],
        }
        return Response(FinalSerializer(shown).data)


def _standing(row: dict[str, Any], names: Names, terms: list[str]) -> dict[str, Any]:
    # The order of the terms is the table's: PostgreSQL keeps none of a stored object.
    return {
        "rank": row["rank"],
        "entrant": names[row["entrant"]],
        "points": row["points"],
        "record": row["record"],
        "byes": row.get("byes", 0),
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
        wanted = self.read(SchemeInput)
        tiebreaks = ",".join(wanted.get("tiebreaks", ()))
        scheme = f"{wanted['scheme']}:{tiebreaks}" if tiebreaks else wanted["scheme"]
        choose_scheme(event=event, by=request.user, now=self.now, scheme=scheme)
        return _scheme(event)


def _scheme(event: Event) -> Response:
    name = current_stage(event).scheme
    if name in OWN_SCHEMES:
        shown = {"scheme": name, "tiebreaks": terms_of(name), "schemes": [name], "available": []}
        return Response(SchemeSerializer(shown).data)
    scheme = scheme_of(name)
    shown = {
        "scheme": scheme.name,
        "tiebreaks": scheme.tiebreaks,
        "schemes": list(SCHEMES),
        "available": [{"name": name, **words_of(name)._asdict()} for name, _short in tiebreak_choices()],
    }
    return Response(SchemeSerializer(shown).data)


class ScoringView(Endpoint):
    """What a match is worth."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="scoring_read", responses=ScoringSerializer)
    def get(self, request: Request, event_id: str) -> Response:
        """Points for a win, a draw and a loss, and the floor of win percentages."""
        return _scoring(event_for_viewer(request.user, event_id))

    @extend_schema(operation_id="scoring_choose", request=ScoringInput, responses=ScoringSerializer)
    def put(self, request: Request, event_id: str) -> Response:
        """Choose them: organizers and owners, until the event is over or a later stage has started."""
        event = event_for_staff(request.user, event_id, "manage_event")
        wanted = self.read(ScoringInput)
        scoring = SCORING_PRESETS[wanted["preset"]].scoring if "preset" in wanted else wanted
        choose_scoring(event=event, by=request.user, now=self.now, scoring=scoring)
        event.refresh_from_db()
        return _scoring(event)


def _scoring(event: Event) -> Response:
    scheme = current_stage(event).scheme
    base = Rules() if scheme in OWN_SCHEMES else scheme_of(scheme).rules
    rules = read_scoring(event.scoring).rules(base)
    shown = {
        "preset": preset_of(event.scoring),
        "chosen": event.scoring,
        **{name: getattr(rules, name) / rules.unit for name in POINTS},
        "floor": str(rules.floor),
        "presets": SCORING_PRESETS.values(),
    }
    return Response(ScoringSerializer(shown).data)
