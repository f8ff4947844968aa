"""The tables of an event to take away."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from tournaments.common.names import found_in
from tournaments.common.tables import as_csv
from tournaments.decks.access import lists_are_open
from tournaments.events.access import event_for_viewer, may, may_read_hidden, readers_of
from tournaments.events.models import Event
from tournaments.events.selectors import current_stage
from tournaments.exports.access import event_for_export
from tournaments.exports.decklists import as_text, overview_of
from tournaments.exports.tables import as_json, table_of
from tournaments.standings.access import shows_all_standings, shows_standings, shows_statistics
from tournaments.web.paging import page_of

WORDS = {
    "entrants": _("Entrants"),
    "pairings": _("Pairings"),
    "results": _("Results"),
    "standings": _("Standings"),
    "final": _("Final ranking"),
    "decks": _("Decklists"),
    "metagame": _("Statistics"),
}
TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json", "txt": "text/plain; charset=utf-8"}


@require_safe
def exports(request: HttpRequest, event_id: str) -> HttpResponse:
    """What there is to take away."""
    event = event_for_viewer(request.user, event_id)
    readers = readers_of(request.user, event)
    shown = {
        "decks": may_read_hidden(request.user, event, "read_decks") or lists_are_open(event, readers),
        "metagame": shows_statistics(request.user, event),
        "standings": shows_standings(readers, current_stage(event)),
        "final": shows_all_standings(readers, event),
    }
    tables = [(name, words) for name, words in WORDS.items() if shown.get(name, True)]
    organizes = may(request.user, event, "manage_event")
    return render(request, "web/public/exports.html", {"event": event, "tables": tables, "organizes": organizes})


@require_safe
def export(request: HttpRequest, event_id: str, table: str, form: str) -> HttpResponse:
    """One table as CSV or JSON."""
    event = event_for_export(request.user, event_id, table)
    if form not in TYPES or (form == "txt" and table != "decks"):
        raise Http404
    answer = HttpResponse(_content(request, event, table, form), content_type=TYPES[form])
    answer["Content-Disposition"] = f'attachment; filename="{event.public_id}-{table}.{form}"'
    return answer


def _content(request: HttpRequest, event: Event, table: str, form: str) -> bytes:
    if form == "txt":
        return as_text(event).encode()
    made = table_of(event, table, readers_of(request.user, event))
    return as_csv(made) if form == "csv" else as_json(event, made)


@require_safe
def decks(request: HttpRequest, event_id: str) -> HttpResponse:
    """All lists that count, for those to whom they are open."""
    event = event_for_export(request.user, event_id, "decks")
    lines = overview_of(event, get_language() or "en")
    wanted = request.GET.get("find", "")[:80]
    found = [line for line in lines if found_in(wanted, f"{line.name} {line.profile.lead}")]
    context = {
        "event": event,
        "page_of": page_of(request, found),
        "total": len(lines),
        "faulty": sum(not line.decklist.legal for line in lines),
        "find": wanted,
    }
    return render(request, "web/public/decks.html", context)
