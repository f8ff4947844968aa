"""The standings, the explanation of a rank, what the newest results changed, and the TRF export."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from tournaments.common.names import found_in
from tournaments.events.access import event_for_viewer, may, readers_of, stage_for_viewer
from tournaments.events.models import Entrant, Event, Stage
from tournaments.events.selectors import entrants_of, public_names, stages_begun
from tournaments.play.access import require_pairings
from tournaments.play.selectors import rounds_closed
from tournaments.profiles.links import links_in
from tournaments.standings.access import require_standings
from tournaments.standings.changes import Moved
from tournaments.standings.selectors import (
    changes_of,
    computing_failed,
    ranking_of,
    stage_to_show,
    standings_of,
    trf_of,
)
from tournaments.standings.team_files import players_trf
from tournaments.standings.words import MADE, NOTES, Words, figure, record_words, words_of
from tournaments.swiss.columns import Part
from tournaments.swiss.standings import Figure, Row, SwissRow
from tournaments.web.answers import show, wants_fragment
from tournaments.web.blanks import marked, own_ids, own_in
from tournaments.web.pages.standings.categories import awards_shown
from tournaments.web.paging import page_of
from tournaments.web.shared import answer_with, body_for_all, nothing_else, rendered_once
from tournaments.web.words.results import KINDS


@dataclass(frozen=True)
class Term:
    """A value in the standings, with the words for its column."""

    words: Words
    shown: str


def stage_asked(request: HttpRequest, event: Event) -> Stage:
    """The stage in the address (`?stage=1`), or the newest with results, if the reader may see its standings."""
    wanted = request.GET.get("stage", "")
    named = wanted.isdecimal() and len(wanted) < 3
    stage = stage_for_viewer(request.user, event.public_id, int(wanted)) if named else stage_to_show(event)
    return require_standings(request.user, stage)


def _opened_stage(request: HttpRequest, event: Event) -> Stage:
    """The same, if the reader may also see its pairings: for pages that name every opponent."""
    return require_pairings(request.user, stage_asked(request, event))


STANDINGS_TOPICS = "standings round stage event entrant"
WITH_AWARDS = f"{STANDINGS_TOPICS} prize answers"


@require_safe
@rendered_once(WITH_AWARDS, own=nothing_else, linked=True)
def standings(request: HttpRequest, event_id: str) -> HttpResponse:
    """The newest standings, and whether newer ones are still being computed."""
    event = event_for_viewer(request.user, event_id)
    stage = stage_asked(request, event)

    def body() -> str:
        return render_to_string("web/public/_standings.html", _ranked(request, stage), request)

    table = body_for_all(request, event_id, STANDINGS_TOPICS, body, linked=True)
    if wants_fragment(request):
        return answer_with(request, table)
    mine = own_in(request, event)
    context = {
        "event": event,
        "stage": stage,
        "table": marked(table.text, mine),
        "counted": rounds_closed(stage),
        "find": request.GET.get("find", ""),
        "own_ids": own_ids(request, mine),
        "standings_of": stage.number,
        "awards": awards_shown(request, event, readers_of(request.user, event)),
        "stages": stages_begun(event),
    }
    return show(request, "web/public/standings.html", context)


def _ranked(request: HttpRequest, stage: Stage) -> dict[str, Any]:
    """Template context of one page of the newest standings. It must not hold anything personal: it is cached."""
    event, state = stage.event, standings_of(stage)
    words = [(name, words_of(name)) for name in state.terms]
    wanted = request.GET.get("find", "")
    names = public_names(event) if wanted else {}
    page = page_of(request, [row for row in state.rows if found_in(wanted, names.get(row["entrant"], ""))])
    return {
        "event": event,
        "stage": stage,
        "state": state,
        "after": stage.first_round - 1 + state.round_number,
        "page_of": page,
        "rows": _with_names(event, list(page), words),
        "find": wanted,
        "links": links_in(event.public_id).by_entrant,
        "points": words_of("points"),
        "terms": [words for _name, words in words],
        "failed": bool(state.computing and computing_failed(stage)),
        "stages": stages_begun(event),
    }


def _with_names(event: Event, rows: list[dict[str, Any]], words: list[tuple[str, Words]]) -> list[dict[str, Any]]:
    entrants = _some(event, [row["entrant"] for row in rows])
    return [
        {
            **row,
            "shown_points": figure(row["points"], share=False),
            "shown_record": record_words(row["record"], row.get("byes", 0)),
            "who": entrants.get(row["entrant"]),
            "terms": [Term(column, figure(row["exact"][name], share=column.share)) for name, column in words],
        }
        for row in rows
    ]


def _some(event: Event, ids: Iterable[str]) -> dict[str, Entrant]:
    return {entrant.public_id: entrant for entrant in entrants_of(event).filter(public_id__in=list(ids))}


@dataclass(frozen=True)
class OpenPart:
    """One part of a figure: the opponent, the round, the value, the counts behind it (such as `6 / 9`), and a note."""

    who: Entrant | None
    round: int
    shown: str
    counts: str
    note: object


@dataclass(frozen=True)
class OpenFigure:
    """A figure of the standings with how it is computed (`made`) and its parts."""

    term: Term
    made: object
    parts: list[OpenPart]


@require_safe
def standing(request: HttpRequest, event_id: str, entrant_id: str) -> HttpResponse:
    """Why an entrant has its rank: each figure with its parts, and what separates it from its neighbors."""
    event = event_for_viewer(request.user, event_id)
    stage = _opened_stage(request, event)
    ranking = ranking_of(stage)
    if entrant_id not in ranking.place:
        raise Http404
    row = ranking.rows[ranking.place[entrant_id]]
    ahead, behind = ranking.neighbours(row)
    named = [other[0].player for other in (ahead, behind) if other]
    named += [part.player for each in row.explain for part in each.parts]
    entrants = _some(event, {row.player, *filter(None, named)})
    context = {
        "event": event,
        "stage": stage,
        "row": row,
        "who": entrants[row.player],
        "figures": [_opened(each, entrants) for each in row.explain],
        "ahead": _neighbour(ahead, entrants),
        "behind": _neighbour(behind, entrants),
        "shares_rank": sum(other.rank == row.rank for other in ranking.rows) - 1,
    }
    return show(request, "web/public/standing.html", context, fragment="web/public/_standing.html")


def _neighbour(found: tuple[Row | SwissRow, str] | None, entrants: dict[str, Entrant]) -> dict[str, object] | None:
    return {"who": entrants[found[0].player], "by": words_of(found[1]).short} if found else None


def _opened(each: Figure, entrants: dict[str, Entrant]) -> OpenFigure:
    words = words_of(each.name)
    parts = [_part(part, entrants, share=words.share) for part in each.parts]
    return OpenFigure(Term(words, figure(each.value, share=words.share)), MADE.get(each.how, ""), parts)


def _part(part: Part, entrants: dict[str, Entrant], *, share: bool) -> OpenPart:
    counts = f"{part.got} / {part.of}" if part.of is not None else ""
    # A note is a special case of the calculation, or else the kind of the result.
    note = NOTES.get(part.note) or KINDS.get(part.note) or ""
    return OpenPart(entrants.get(part.player), part.round, figure(part.value, share=share), counts, note)


@dataclass(frozen=True)
class NamedMove:
    """A change of rank, with the entrant."""

    who: Entrant | None
    move: Moved


@require_safe
def standings_changes(request: HttpRequest, event_id: str) -> HttpResponse:
    """What the newest results changed: ranks, and who moved across the line of the cut."""
    event = event_for_viewer(request.user, event_id)
    since = request.GET.get("since", "")
    found = changes_of(stage_asked(request, event), since=int(since) if since.isdecimal() and len(since) < 10 else None)
    page = page_of(request, found.moved if found else [])
    entrants = _some(event, [move.entrant for move in page])
    context = {
        "event": event,
        "changes": found,
        "page_of": page,
        "moves": [NamedMove(entrants.get(move.entrant), move) for move in page],
    }
    return show(request, "web/public/standings_changes.html", context, fragment="web/public/_standings_changes.html")


@require_safe
def standings_trf(request: HttpRequest, event_id: str) -> HttpResponse:
    """Download the stage as a TRF file, for chess software. The desk's has what is planned for the next round.

    With `?players`, that of a team event has the players with their boards, instead of the teams.
    """
    event = event_for_viewer(request.user, event_id)
    stage = _opened_stage(request, event)
    if "players" in request.GET:
        file = players_trf(stage)
    else:
        file = trf_of(stage, public_names(event), desk=may(request.user, event, "run_desk"))
    response = HttpResponse(file, content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{event.public_id}.trf"'
    return response
