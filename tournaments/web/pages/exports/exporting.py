"""Exports of an event's tables as CSV, JSON or text, and the page of all decklists."""

from collections.abc import Collection

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from tournaments.common.csv_tables import as_csv
from tournaments.common.names import found_in
from tournaments.decks.access import lists_are_open
from tournaments.events.access import event_for_viewer, may, may_read_hidden, readers_of
from tournaments.events.models import Event
from tournaments.events.selectors import stages_begun
from tournaments.exports.access import event_for_export
from tournaments.exports.datasets import as_json, table_of
from tournaments.exports.decklists import as_text, legality_of, overview_of
from tournaments.standings.access import shows_all_standings, shows_standings, shows_statistics
from tournaments.standings.selectors import stage_to_show
from tournaments.web.paging import page_of
from tournaments.web.words.stages import STRUCTURES

WORDS = {
    "entrants": _("Entrants"),
    "answers": _("Answers of the entrants"),
    "pairings": _("Pairings"),
    "results": _("Results"),
    "standings": _("Standings"),
    "final": _("Final ranking"),
    "categories": _("Prize categories"),
    "boards": _("Board standings"),
    "board_results": _("Boards of each match"),
    "decks": _("Decklists"),
    "metagame": _("Statistics"),
}
TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json", "txt": "text/plain; charset=utf-8"}


@require_safe
def exports(request: HttpRequest, event_id: str) -> HttpResponse:
    """The list of exports that this reader may download."""
    event = event_for_viewer(request.user, event_id)
    readers = readers_of(request.user, event)
    shown = {
        "decks": may_read_hidden(request.user, event, "read_decks") or lists_are_open(event, readers),
        "answers": may(request.user, event, "run_desk"),
        "metagame": shows_statistics(request.user, event),
        "final": shows_all_standings(readers, event),
        "categories": shows_all_standings(readers, event) and event.prize_categories.exists(),
        "board_results": event.has_boards,
        "boards": event.has_boards and shows_standings(readers, stage_to_show(event)),
    }
    tables = [
        line
        for name, words in WORDS.items()
        if shown.get(name, True)
        for line in (_standings_of(event, readers) if name == "standings" else [(name, words, "")])
    ]
    organizes = may(request.user, event, "manage_event")
    return render(request, "web/public/exports.html", {"event": event, "tables": tables, "organizes": organizes})


def _standings_of(event: Event, readers: Collection[str]) -> list[tuple[str, object, str]]:
    """The standings of each stage that has begun and that these readers may see: table, words, and query."""
    stages = [stage for stage in stages_begun(event) if shows_standings(readers, stage)]
    if len(stages_begun(event)) == 1:
        return [("standings", WORDS["standings"], "") for _stage in stages]
    said = gettext("Stage %(number)d, %(structure)s: standings")
    return [
        ("standings", said % {"number": stage.number, "structure": STRUCTURES[stage.kind]}, f"?stage={stage.number}")
        for stage in stages
    ]


@require_safe
def export(request: HttpRequest, event_id: str, table: str, form: str) -> HttpResponse:
    """Download one table as CSV or JSON; decklists also as text."""
    asked = request.GET.get("stage", "")
    stage = int(asked) if asked.isdecimal() and len(asked) < 3 else None
    event = event_for_export(request.user, event_id, table, stage)
    if form not in TYPES or (form == "txt" and table != "decks"):
        raise Http404
    answer = HttpResponse(_content(request, event, table, form, stage), content_type=TYPES[form])
    answer["Content-Disposition"] = f'attachment; filename="{event.public_id}-{table}.{form}"'
    return answer


def _content(request: HttpRequest, event: Event, table: str, form: str, stage: int | None) -> bytes:
    if form == "txt":
        return as_text(event).encode()
    made = table_of(event, table, readers_of(request.user, event), stage)
    return as_csv(made) if form == "csv" else as_json(event, made)


@require_safe
def decks(request: HttpRequest, event_id: str) -> HttpResponse:
    """The current decklists of all entrants, for readers who may see them."""
    event = event_for_export(request.user, event_id, "decks")
    language, legality = get_language() or "en", legality_of(event)
    wanted = request.GET.get("find", "")[:80]
    if wanted:
        # Searching needs every list read; otherwise only those of the page are.
        lines = overview_of(event, language)
        page = page_of(request, [line for line in lines if found_in(wanted, f"{line.name} {line.profile.lead}")])
    else:
        page = page_of(request, list(legality))
        page.object_list = overview_of(event, language, only=list(page))
    context = {
        "event": event,
        "page_of": page,
        "total": len(legality),
        "faulty": sum(not legal for legal in legality.values()),
        "find": wanted,
    }
    return render(request, "web/public/decks.html", context)
