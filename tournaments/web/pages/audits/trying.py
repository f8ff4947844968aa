"""Trying moves on a board: what the rules in a judge's browser need for a position. Nothing is stored."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournaments.audits import tables
from tournaments.audits.access import log_for_judge, position_for_judge
from tournaments.events.models import Event
from tournaments.web.pages.audits.audits import players_of
from tournaments.web.pages.audits.keeping import players_at
from tournaments.web.words.boards import language


@never_cache
@login_required
@require_safe
def audit_table(request: HttpRequest, log_id: str, n: int) -> JsonResponse:
    """A log up to move `n`, as JSON (`tables.table_after`)."""
    log = log_for_judge(request.user, log_id)
    found = tables.table_after(log, n, players=players_of(log), language=language())
    if found is None:
        raise Http404
    return JsonResponse(found)


@never_cache
@login_required
@require_safe
def position_table(request: HttpRequest, position_id: str) -> JsonResponse:
    """A saved board, as JSON (`tables.table_to_try`)."""
    found = position_for_judge(request.user, position_id)
    return JsonResponse(table_of(found.match.round.stage.event, found.document, players_at(found.match)))


def table_of(event: Event, document: Mapping[str, Any], players: Mapping[str, str]) -> dict[str, Any]:
    """What the rules in a browser need for a declared position, in the language of the page."""
    return tables.table_to_try(document, event, players, language())
