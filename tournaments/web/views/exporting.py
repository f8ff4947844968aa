"""The tables of an event to take away."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from tournaments.events.access import event_for_viewer, may_read_hidden
from tournaments.exports.access import event_for_export
from tournaments.exports.tables import as_csv, as_json, table_of

WORDS = {
    "entrants": _("Entrants"),
    "pairings": _("Pairings"),
    "results": _("Results"),
    "standings": _("Standings"),
    "decks": _("Decklists"),
}
TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json"}


@require_safe
def exports(request: HttpRequest, event_id: str) -> HttpResponse:
    """What there is to take away."""
    event = event_for_viewer(request.user, event_id)
    reads = may_read_hidden(request.user, event, "read_decks")
    tables = [(name, words) for name, words in WORDS.items() if name != "decks" or reads]
    return render(request, "web/public/exports.html", {"event": event, "tables": tables})


@require_safe
def export(request: HttpRequest, event_id: str, table: str, form: str) -> HttpResponse:
    """One table as CSV or JSON."""
    event = event_for_export(request.user, event_id, table)
    if form not in TYPES:
        raise Http404
    made = table_of(event, table)
    answer = HttpResponse(as_csv(made) if form == "csv" else as_json(event, made), content_type=TYPES[form])
    answer["Content-Disposition"] = f'attachment; filename="{event.public_id}-{table}.{form}"'
    return answer
