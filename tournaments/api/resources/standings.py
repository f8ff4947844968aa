"""Standings: the newest table, the explanation of a rank, what a correction changed, TRF, scheme and scoring."""

from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpResponse
from django.utils.translation import get_language
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.addresses import EVENT
from tournaments.api.pagination import part_asked
from tournaments.api.resource import Resource, operation
from tournaments.api.schema import PART
from tournaments.api.serializers.events import StandingsQuery
from tournaments.api.serializers.standings import (
    BoardRowSerializer,
    ChangesQuery,
    ChangesSerializer,
    FinalSerializer,
    SchemeInput,
    SchemeSerializer,
    ScoringInput,
    ScoringSerializer,
    StandingsSerializer,
    TrfQuery,
    WhySerializer,
)
from tournaments.decks.access import lists_are_open
from tournaments.events.access import event_for_staff, event_for_viewer, may, readers_of, stage_for_viewer
from tournaments.events.models import Entrant, Event, Stage
from tournaments.events.scoring import SCORING_PRESETS, preset_of, read_scoring
from tournaments.events.selectors import current_stage, entrants_of
from tournaments.play.access import require_pairings
from tournaments.play.field import OWN_SCHEMES, terms_of
from tournaments.standings.access import require_all_standings, require_standings
from tournaments.standings.awards import awards_of
from tournaments.standings.boards import board_standings
from tournaments.standings.selectors import (
    changes_of,
    computing_failed,
    decimal,
    final_rows,
    ranking_of,
    stage_to_show,
    standings_of,
    trf_of,
)
from tournaments.standings.services import choose_scheme, choose_scoring
from tournaments.standings.team_files import players_trf
from tournaments.standings.winners import winners_of
from tournaments.standings.words import tiebreak_choices, words_of
from tournaments.swiss.columns import Part
from tournaments.swiss.crosstable import Rules
from tournaments.swiss.schemes import scheme_of, schemes
from tournaments.swiss.scoring import POINTS
from tournaments.swiss.standings import Figure, Row, SwissRow

ORGANIZE = ApiToken.Scope.ORGANIZE
Names = dict[str, Entrant]
STAGE = OpenApiParameter("stage", int, description="Another stage than the newest with a closed round.")


def stage_asked(view: Resource, event: Event) -> Stage:
    """Return the stage named in the query, or the newest one with results.

    Raises a 404 if there is no such stage, and NotAllowed `hidden_now` if its standings are hidden from this account.
    """
    user, wanted = view.user, view.read_query(StandingsQuery).get("stage")
    stage = stage_to_show(event) if wanted is None else stage_for_viewer(user, event.public_id, wanted)
    return require_standings(user, stage)


def opened_stage_asked(view: Resource, event: Event) -> Stage:
    """Return the same stage, for responses that name opponents.

    Raises NotAllowed `hidden_now` if its pairings are hidden from this account, too.
    """
    return require_pairings(view.user, stage_asked(view, event))


def _names(event: Event) -> Names:
    return {entrant.public_id: entrant for entrant in entrants_of(event)}


def _names_in(event: Event, entrants: Sequence[str]) -> Names:
    """The entrants with these public ids, by public id."""
    found = entrants_of(event).filter(public_id__in=entrants) if entrants else ()
    return {entrant.public_id: entrant for entrant in found}


class Standings(Resource):
    """The standings."""

    scopes = (ORGANIZE,)

    @operation(
        "GET",
        f"{EVENT}standings/",
        name="standings",
        parameters=[STAGE, *PART],
        answers=StandingsSerializer,
        conditional=True,
    )
    def standings_read(self, request: Request, event_id: str) -> Response:
        """The newest standings of the current stage, or of another one; all rows, or a part of them."""
        event = event_for_viewer(self.user, event_id)
        stage = stage_asked(self, event)
        return self.answer(_standings(event, stage, part_asked(request)))

    @operation("GET", f"{EVENT}final/", name="final", parameters=PART, answers=FinalSerializer, conditional=True)
    def final_ranking(self, request: Request, event_id: str) -> Response:
        """One ranking over all stages: the places of the last stage first, then the others by the earlier stages."""
        event = require_all_standings(self.user, event_for_viewer(self.user, event_id))
        every, readers = final_rows(event), readers_of(self.user, event)
        rows = every[part_asked(request)]
        awards = awards_of(event, decks=lists_are_open(event, readers))
        winners = {entrant for award in awards for entrant in award.entrants}
        names = _names_in(event, [*(row["entrant"] for row in rows), *winners])
        shown = {
            "final": event.is_over,
            "count": len(every),
            "rows": [{"byes": 0, **row, "entrant": names[row["entrant"]]} for row in rows],
            "winners": [
                vars(each) | {"deck": each.deck is not None}
                for each in winners_of(event, readers, get_language() or "en")
            ],
            "categories": [vars(each) | {"won_by": [names[who] for who in each.entrants]} for each in awards],
        }
        return self.answer(shown)

    @operation(
        "GET", f"{EVENT}standings/boards/", name="board_standings", query=StandingsQuery, lists=BoardRowSerializer
    )
    def standings_boards(self, request: Request, event_id: str) -> Response:
        """The score of each member of a team at each board, in the closed rounds of the current stage or another one.

        Empty unless teams play the event by boards.
        """
        return self.answer(board_standings(stage_asked(self, event_for_viewer(self.user, event_id))))

    @operation(
        "GET",
        f"{EVENT}standings/changes/",
        name="standings_changes",
        parameters=[
            STAGE,
            OpenApiParameter("since", int, description="A version; left out, that of the table before the newest."),
            OpenApiParameter(
                "cut", int, description="How many places lead on; left out, as the next stage has it, or as proposed."
            ),
            *PART,
        ],
        answers=ChangesSerializer,
        conditional=True,
    )
    def standings_changes(self, request: Request, event_id: str) -> Response:
        """The entrants whose rank or points the newest results changed, and who crossed the cut line."""
        event = event_for_viewer(self.user, event_id)
        found, part = changes_of(stage_asked(self, event), **self.read_query(ChangesQuery)), part_asked(request)
        if found is None:
            nothing: dict[str, Any] = {"before": None, "after": None, "cut": 0, "count": 0, "moved": []}
            return self.answer(nothing)
        moved = found.moved[part]
        names = _names_in(event, [move.entrant for move in moved])
        shown = {
            "before": found.before.results_version,
            "after": found.after.results_version,
            "cut": found.cut,
            "count": len(found.moved),
            "moved": [{**vars(move), "up": move.up, "entrant": names[move.entrant]} for move in moved],
        }
        return self.answer(shown)

    @operation(
        "GET",
        f"{EVENT}standings/trf/",
        name="standings_trf",
        parameters=[
            STAGE,
            OpenApiParameter(
                "players", bool, description="Of a team event: the players with their boards, not the teams."
            ),
        ],
        responses={(200, "text/plain"): OpenApiTypes.STR},
    )
    def standings_trf(self, request: Request, event_id: str) -> HttpResponse:
        """The current stage, or another one, in TRF, with the ranks by the current results and the planned rounds.

        For the desk, with the byes awarded for the next round and the forbidden pairs.
        """
        event = event_for_viewer(self.user, event_id)
        stage = opened_stage_asked(self, event)
        if self.read_query(TrfQuery)["players"]:
            return HttpResponse(players_trf(stage), content_type="text/plain; charset=utf-8")
        names = {entrant_id: entrant.name for entrant_id, entrant in _names(event).items()}
        file = trf_of(stage, names, desk=may(self.user, event, "run_desk"))
        return HttpResponse(file, content_type="text/plain; charset=utf-8")

    # After the two above: `changes` and `trf` are slugs too.
    @operation(
        "GET", f"{EVENT}standings/<slug:entrant_id>/", name="standing", parameters=[STAGE], answers=WhySerializer
    )
    def standings_why(self, request: Request, event_id: str, entrant_id: str) -> Response:
        """Why an entrant has its rank: every figure with its terms, and what separates it from its neighbors."""
        event = event_for_viewer(self.user, event_id)
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
        return self.answer(shown)

    @operation("GET", f"{EVENT}scheme/", name="scheme", answers=SchemeSerializer)
    def scheme_read(self, request: Request, event_id: str) -> Response:
        """The scheme of the current stage. For anybody who may see the event."""
        return self.answer(_scheme(event_for_viewer(self.user, event_id)))

    @operation("PUT", f"{EVENT}scheme/", takes=SchemeInput, answers=SchemeSerializer)
    def scheme_choose(self, request: Request, event_id: str) -> Response:
        """Order the standings by another scheme or list of tiebreaks. For organizers and owners."""
        event = event_for_staff(self.user, event_id, "manage_event")
        wanted = self.changed({"scheme": current_stage(event).scheme.partition(":")[0]})
        tiebreaks = ",".join(wanted.get("tiebreaks", ()))
        scheme = f"{wanted['scheme']}:{tiebreaks}" if tiebreaks else wanted["scheme"]
        choose_scheme(event=event, by=self.user, now=self.now, scheme=scheme)
        return self.answer(_scheme(event))

    @operation("GET", f"{EVENT}scoring/", name="scoring", answers=ScoringSerializer)
    def scoring_read(self, request: Request, event_id: str) -> Response:
        """The points for a win, a draw and a loss, and the floor of percentages. For anybody who may see the event."""
        return self.answer(_scoring(event_for_viewer(self.user, event_id)))

    @operation("PUT", f"{EVENT}scoring/", takes=ScoringInput, answers=ScoringSerializer)
    def scoring_choose(self, request: Request, event_id: str) -> Response:
        """Choose them, until the event is over or a later stage has started. For organizers and owners."""
        event = event_for_staff(self.user, event_id, "manage_event")
        wanted = self.changed(event.scoring)
        scoring = SCORING_PRESETS[wanted["preset"]].scoring if "preset" in wanted else wanted
        choose_scoring(event=event, by=self.user, now=self.now, scoring=scoring)
        event.refresh_from_db()
        return self.answer(_scoring(event))


def _standings(event: Event, stage: Stage, part: slice) -> dict[str, Any]:
    shown = standings_of(stage)
    rows = shown.rows[part]
    names = _names_in(event, [row["entrant"] for row in rows])
    return {
        "stage": stage.number,
        "round": shown.round_number,
        "scheme": shown.table.scheme if shown.table else stage.scheme,
        "version": shown.table.results_version if shown.table else 0,
        "computing": shown.computing,
        "failed": computing_failed(stage) if shown.computing else "",
        "computed_at": shown.table.computed_at if shown.table else None,
        "count": len(shown.rows),
        "rows": [_standing(row, names, shown.terms) for row in rows],
    }


def _standing(row: dict[str, Any], names: Names, terms: list[str]) -> dict[str, Any]:
    # In the order of `terms`: PostgreSQL does not keep the order of keys in stored JSON.
    return {
        "rank": row["rank"],
        "entrant": names[row["entrant"]],
        "points": row["points"],
        "record": row["record"],
        "byes": row.get("byes", 0),
        "tiebreaks": {name: row[name] for name in terms},
        "exact": {name: row["exact"][name] for name in terms},
    }


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


def _scheme(event: Event) -> dict[str, Any]:
    name = current_stage(event).scheme
    if name in OWN_SCHEMES:
        return {"scheme": name, "tiebreaks": terms_of(name), "schemes": [name], "available": []}
    scheme = scheme_of(name)
    return {
        "scheme": scheme.name,
        "tiebreaks": scheme.tiebreaks,
        "schemes": list(schemes()),
        "available": [{"name": name, **words_of(name)._asdict()} for name, _short in tiebreak_choices()],
    }


def _scoring(event: Event) -> dict[str, Any]:
    scheme = current_stage(event).scheme
    base = Rules() if scheme in OWN_SCHEMES else scheme_of(scheme).rules
    rules = read_scoring(event.scoring).rules(base)
    return {
        "preset": preset_of(event.scoring),
        "chosen": event.scoring,
        **{name: getattr(rules, name) / rules.unit for name in POINTS},
        "floor": str(rules.floor),
        "presets": SCORING_PRESETS.values(),
    }
