"""Pages anybody may look at: the events, one event, its entrants, pairings, a match."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from tournaments.audits.selectors import logs_shown
from tournaments.common.clock import now
from tournaments.common.names import folded, found_in
from tournaments.events.access import event_for_viewer, may, own_entrants, stage_for_viewer
from tournaments.events.models import Entrant, Event, Stage
from tournaments.events.presets import PRESETS
from tournaments.events.procedures import ending, read_procedures
from tournaments.events.selectors import current_stage, entrants_of, visible_events
from tournaments.play.access import match_for_viewer, round_for_viewer, seat_of
from tournaments.play.models import Match, Round
from tournaments.play.selectors import matches_of, newest_shown_round, shown_to_staff, visible_rounds
from tournaments.web.answers import show
from tournaments.web.meanings import OVER
from tournaments.web.procedure_words import ending_words, entry_words
from tournaments.web.views.reporting import report_box
from tournaments.web.views.rulings import dispute_lines
from tournaments.web.views.structures import cross_table, parts_of, pods_shown
from tournaments.web.words import DECK_FORMATS

EVENTS_A_PAGE = 50


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The events this visitor may see, what happens now first."""
    page = Paginator(visible_events(request.user), EVENTS_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "web/public/home.html", {"page_of": page, "groups": _by_phase(page)})


def _by_phase(events: Iterable[Event]) -> dict[str, list[Event]]:
    groups: dict[str, list[Event]] = {"drafts": [], "now": [], "open": [], "over": []}
    for event in events:
        if event.status == Event.Status.DRAFT:
            groups["drafts"].append(event)
        elif event.status == Event.Status.REGISTRATION:
            groups["open"].append(event)
        else:
            groups["over" if event.status in OVER else "now"].append(event)
    return groups


@require_safe
def event(request: HttpRequest, event_id: str) -> HttpResponse:
    """What an event is, where it stands, and the one thing to do next."""
    shown = event_for_viewer(request.user, event_id)
    stage = current_stage(shown)
    procedures = read_procedures(shown.procedures)
    context = {
        "event": shown,
        "stage": stage,
        "preset": PRESETS.get(shown.preset),
        "ending": ending_words(ending(procedures.match_end, bracket=stage.is_bracket)),
        "entry": entry_words(procedures.entry),
        "deck_format": DECK_FORMATS.get(stage.deck_format, stage.deck_format),
        "playing": shown.entrants.filter(status=Entrant.Status.REGISTERED).count(),
        "mine": own_entrants(request.user, shown),
        "round": newest_shown_round(shown),
        "now": now(),
    }
    return show(request, "web/public/event.html", context, fragment="web/public/_event.html")


@require_safe
def entrants(request: HttpRequest, event_id: str) -> HttpResponse:
    """Who plays, who waits for a place, who dropped."""
    shown = event_for_viewer(request.user, event_id)
    mine = own_entrants(request.user, shown)
    wanted = request.GET.get("find", "")
    listed = sorted(entrants_of(shown), key=lambda entrant: folded(entrant.name))
    found = [entrant for entrant in listed if found_in(wanted, entrant.name)]
    context = {"event": shown, "entrants": found, "total": len(listed), "mine": mine, "find": wanted}
    return show(request, "web/public/entrants.html", context, fragment="web/public/_entrants.html")


@dataclass(frozen=True)
class NameLine:
    """One line of the pairings by name."""

    name: str
    entrant: Entrant
    opponents: str
    match: Match


@require_safe
def pairings(request: HttpRequest, event_id: str, number: int) -> HttpResponse:
    """The tables of a round, by table or by name."""
    round_ = round_for_viewer(request.user, event_id, number)
    shown = round_.stage.event
    wanted = request.GET.get("find", "")
    by_name = request.GET.get("by") == "name"
    tables = shown_to_staff(matches_of(round_), request.user, round_)
    matches = [match for match in tables if _seats_somebody(match, wanted)]
    context = {
        "event": shown,
        "round": round_,
        "rounds": visible_rounds(shown, staff=may(request.user, shown, "view_staff_pages")),
        "matches": matches,
        "lines": [line for line in name_lines(matches) if found_in(wanted, line.name)] if by_name else [],
        "by_name": by_name,
        "find": wanted,
        "mine": own_entrants(request.user, shown),
        "clock": getattr(round_, "clock", None),
        "now": now(),
    }
    return show(request, "web/public/pairings.html", context, fragment="web/public/_pairings.html")


def _seats_somebody(match: Match, wanted: str) -> bool:
    return any(found_in(wanted, seat.entrant.name) for seat in match.seats.all())


def name_lines(matches: Iterable[Match]) -> list[NameLine]:
    """Everybody of a round by name, with table and opponents."""
    lines = []
    for match in matches:
        seats = list(match.seats.all())
        for seat in seats:
            others = ", ".join(other.entrant.name for other in seats if other is not seat)
            lines.append(NameLine(seat.entrant.name, seat.entrant, others, match))
    return sorted(lines, key=lambda line: folded(line.name))


@require_safe
def stage(request: HttpRequest, event_id: str, number: int) -> HttpResponse:
    """What is drawn of a stage: its bracket, its cross table or its draft pods."""
    shown = stage_for_viewer(request.user, event_id, number)
    drawn = shown.is_bracket or shown.kind in (Stage.Kind.ROUND_ROBIN, Stage.Kind.PODS)
    if not drawn or shown.started_at is None:
        return redirect(reverse("web:standings", args=[event_id]) + f"?stage={number}")
    entrants = {entrant.public_id: entrant for entrant in entrants_of(shown.event)}
    mine = own_entrants(request.user, shown.event)
    context = {
        "event": shown.event,
        "stage": shown,
        "mine": mine,
        "parts": parts_of(shown, entrants, mine) if shown.is_bracket else [],
        "cross": cross_table(shown, entrants) if shown.kind == Stage.Kind.ROUND_ROBIN else [],
        "pods": pods_shown(shown, entrants) if shown.kind == Stage.Kind.PODS else [],
        "structure_of": number,
        "stages": shown.event.stages.exclude(number__gt=1, started_at=None),
    }
    return show(request, "web/public/stage.html", context, fragment="web/public/_stage.html")


@require_safe
def match(request: HttpRequest, match_id: str) -> HttpResponse:
    """One match: who sits where, its result, who stands behind it and what proves it."""
    shown = match_for_viewer(request.user, match_id)
    return show(request, "web/public/match.html", match_context(request, shown), fragment="web/public/_match.html")


def match_context(request: HttpRequest, shown: Match) -> dict[str, Any]:
    """What the match page shows to this reader."""
    event_ = shown.round.stage.event
    seat = seat_of(request.user, shown)
    return {
        "event": event_,
        "match": shown,
        "round": shown.round,
        "seats": list(shown.seats.all()),
        "games": [game for game in shown.games.all() if game.evidence or game.ended],
        "seat": seat,
        "box": report_box(shown, seat) if seat else None,
        "disputes": dispute_lines(event_, [shown], names=False) if seat else [],
        "logs": logs_shown(request.user, shown),
        "judges": may(request.user, event_, "judge") and seat is None,
        "open": shown.round.status == Round.Status.PUBLISHED,
        "now": now(),
    }


@require_safe
def styleguide(request: HttpRequest) -> HttpResponse:
    """Every component on one page, in development only."""
    if not settings.DEBUG:
        raise Http404
    return render(request, "web/public/styleguide.html", {"now": now()})
