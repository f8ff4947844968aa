"""The board standings of a team event."""

from itertools import groupby

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.events.access import event_for_viewer
from tournaments.events.selectors import stages_begun
from tournaments.standings.boards import board_standings as rows_of
from tournaments.standings.words import figure
from tournaments.web.pages.standings.standings import stage_asked


@require_safe
def board_standings(request: HttpRequest, event_id: str) -> HttpResponse:
    """What each member of a team scored, board by board; 404 if teams do not play by boards."""
    event = event_for_viewer(request.user, event_id)
    stage = stage_asked(request, event)
    if not event.has_boards:
        raise Http404
    rows = [(row, figure(str(row.points), share=False)) for row in rows_of(stage)]
    boards = [(number, list(lines)) for number, lines in groupby(rows, key=lambda line: line[0].board)]
    context = {"event": event, "stage": stage, "boards": boards, "stages": stages_begun(event)}
    return render(request, "web/public/board_standings.html", context)
