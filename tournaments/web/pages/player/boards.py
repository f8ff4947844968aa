"""Actions of a player at one board of a team match: report it, confirm the opponent's report, or contest it."""

import re

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournaments.common.clock import now
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.play import services as play
from tournaments.play.access import board_for_player
from tournaments.play.models import Board, BoardReport
from tournaments.web.form_tokens import accepted_once
from tournaments.web.pages.player.player import to_seat
from tournaments.web.pages.results.forms import ContestForm
from tournaments.web.requests import SignedInRequest


@login_required
@require_POST
@accepted_once
def board_report(request: SignedInRequest, match_id: str, number: int) -> HttpResponse:
    """Report the result of one board."""
    board = board_for_player(request.user, match_id, number)
    play.report_board(board=board, by=request.user, games=_games(request), now=now())
    return to_seat(request, board.match)


def _games(request: HttpRequest) -> list[int]:
    sent = request.POST.get("games", "")
    if not re.fullmatch(r"\d-\d-\d", sent, re.ASCII):
        raise InvalidInput("score_invalid", _("Enter the games won by each side, and the games drawn."))
    return [int(part) for part in sent.split("-")]


@login_required
@require_POST
@accepted_once
def board_confirm(request: SignedInRequest, match_id: str, number: int) -> HttpResponse:
    """Confirm the opponent's report that the page showed, or accept it in place of one's own."""
    board = board_for_player(request.user, match_id, number)
    play.confirm_board(report=_shown_report(board, request), by=request.user, now=now())
    return to_seat(request, board.match)


@login_required
@require_POST
@accepted_once
def board_contest(request: SignedInRequest, match_id: str, number: int) -> HttpResponse:
    """Contest the report that the page showed, which calls a judge."""
    board = board_for_player(request.user, match_id, number)
    form = ContestForm(request.POST)
    reason = form.cleaned_data["reason"] if form.is_valid() else request.POST.get("reason", "")[:2000]
    play.contest_board(report=_shown_report(board, request), by=request.user, now=now(), reason=reason)
    return to_seat(request, board.match)


def _shown_report(board: Board, request: HttpRequest) -> BoardReport:
    """The report that the page showed, by its key in the form. Raises Refusal `report_changed` if there is none."""
    number = request.POST.get("report", "")
    found = board.reports.filter(pk=int(number)).first() if number.isdecimal() and len(number) < 18 else None
    if found is None:
        raise Refusal("report_changed", _("The report has changed in the meantime: look at it again."))
    found.board = board
    return found
