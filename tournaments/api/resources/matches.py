"""Matches: reports by players and their confirmation, results entered by the desk, time extensions."""

from django.http import Http404
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.addresses import BOARD, MATCH
from tournaments.api.permissions import require_scope
from tournaments.api.resource import Resource, operation
from tournaments.api.resources.reader import reader_of
from tournaments.api.serializers.base import NothingInput
from tournaments.api.serializers.play import (
    BoardReportInput,
    ConfirmInput,
    ContestInput,
    DeskResultInput,
    MatchDetailSerializer,
    MinutesInput,
    ReportInput,
    StartInput,
)
from tournaments.api.throttles import ReportThrottle
from tournaments.events.access import require
from tournaments.play import services as play
from tournaments.play.access import board_for_player, match_for_player, match_for_staff, match_for_viewer, seat_of
from tournaments.play.models import Board, BoardReport, Match, Report, Round
from tournaments.play.selectors import matches_of, newest_report_id

PLAY, JUDGE, ORGANIZE = ApiToken.Scope.PLAY, ApiToken.Scope.JUDGE, ApiToken.Scope.ORGANIZE


def match_answer(view: Resource, match: Match) -> Response:
    """Return a match as it is in the database now, as the reader sees it."""
    fresh = matches_of(match.round).get(pk=match.pk)
    return view.answer(fresh, **reader_of(view.user, match.round.stage.event))


def report_of(match: Match, key: int) -> Report:
    """Return the report with this key, if it is one of the match; otherwise 404."""
    report = match.reports.filter(pk=key).first()
    if report is None:
        raise Http404
    return report


def board_report_of(board: Board, key: int) -> BoardReport:
    """Return the report with this key, if it is one of the board; otherwise 404."""
    report = board.reports.filter(pk=key).first()
    if report is None:
        raise Http404
    report.board = board
    return report


class Matches(Resource):
    """One match."""

    scopes = (PLAY,)

    @operation("GET", MATCH, name="match", answers=MatchDetailSerializer)
    def matches_read(self, request: Request, match_id: str) -> Response:
        """A match of a published round. Matches of a draft are for staff who do not play."""
        match = match_for_viewer(self.user, match_id)
        if match.round.status == Round.Status.DRAFT and seat_of(self.user, match) is not None:
            raise Http404
        return match_answer(self, match)

    @operation(
        "POST",
        f"{MATCH}report/",
        name="report",
        takes=ReportInput,
        answers=MatchDetailSerializer,
        throttle=ReportThrottle,
    )
    def matches_report(self, request: Request, match_id: str) -> Response:
        """Report the result of your match.

        The same report by the opponent confirms it. A different one becomes the `differing_report`, until one of the
        two confirms the other's report, reports the same, or calls a judge.
        """
        match = match_for_player(self.user, match_id)
        play.report_result(match=match, **self.arguments())
        return match_answer(self, match)

    @operation(
        "POST",
        f"{MATCH}confirm/",
        name="confirm",
        takes=ConfirmInput,
        answers=MatchDetailSerializer,
        throttle=ReportThrottle,
    )
    def matches_confirm(self, request: Request, match_id: str) -> Response:
        """Confirm your opponent's report: the result then counts. Idempotent."""
        match = match_for_player(self.user, match_id)
        report = report_of(match, self.read()["report"])
        play.confirm_result(match=match, report=report, by=self.user, now=self.now)
        return match_answer(self, match)

    @operation(
        "POST",
        f"{MATCH}contest/",
        name="contest",
        takes=ContestInput,
        answers=MatchDetailSerializer,
        throttle=ReportThrottle,
    )
    def matches_contest(self, request: Request, match_id: str) -> Response:
        """Contest your opponent's report: a judge decides. If two reports differ, any player of the match may."""
        match = match_for_player(self.user, match_id)
        wanted = self.read()
        report = report_of(match, wanted["report"])
        play.contest_result(match=match, report=report, by=self.user, now=self.now, reason=wanted["reason"])
        return match_answer(self, match)

    @operation(
        "POST",
        f"{BOARD}report/",
        name="board_report",
        takes=BoardReportInput,
        answers=MatchDetailSerializer,
        throttle=ReportThrottle,
    )
    def matches_report_board(self, request: Request, match_id: str, number: int) -> Response:
        """Report the result of your own board in a team match.

        The same report by your opponent confirms it. The match counts once the players of every board agree.
        """
        board = board_for_player(self.user, match_id, number)
        play.report_board(board=board, **self.arguments())
        return match_answer(self, board.match)

    @operation(
        "POST",
        f"{BOARD}confirm/",
        name="board_confirm",
        takes=ConfirmInput,
        answers=MatchDetailSerializer,
        throttle=ReportThrottle,
    )
    def matches_confirm_board(self, request: Request, match_id: str, number: int) -> Response:
        """Confirm your opponent's report of your board. Idempotent."""
        board = board_for_player(self.user, match_id, number)
        report = board_report_of(board, self.read()["report"])
        play.confirm_board(report=report, by=self.user, now=self.now)
        return match_answer(self, board.match)

    @operation(
        "POST",
        f"{BOARD}contest/",
        name="board_contest",
        takes=ContestInput,
        answers=MatchDetailSerializer,
        throttle=ReportThrottle,
    )
    def matches_contest_board(self, request: Request, match_id: str, number: int) -> Response:
        """Contest your opponent's report of your board: a judge decides, and the other boards go on."""
        board = board_for_player(self.user, match_id, number)
        wanted = self.read()
        report = board_report_of(board, wanted["report"])
        play.contest_board(report=report, by=self.user, now=self.now, reason=wanted["reason"])
        return match_answer(self, board.match)

    @operation(
        "POST", f"{MATCH}start/", name="start", takes=StartInput, answers=MatchDetailSerializer, scopes=(PLAY, ORGANIZE)
    )
    def matches_start(self, request: Request, match_id: str) -> Response:
        """Choose which seat starts. For the higher-seeded player (scope `play`), or the desk (scope `organize`)."""
        try:
            match = match_for_player(self.user, match_id)
        except Http404:
            match = match_for_staff(self.user, match_id, "run_desk")
            require_scope(request, ORGANIZE)
        else:
            require_scope(request, PLAY)
        play.choose_start(match=match, **self.arguments())
        return match_answer(self, match)

    @operation(
        "POST",
        f"{MATCH}result/",
        name="result",
        takes=DeskResultInput,
        answers=MatchDetailSerializer,
        scopes=(ORGANIZE,),
    )
    def matches_result(self, request: Request, match_id: str) -> Response:
        """Enter the result. For the desk, except for their own matches. The same result again changes nothing.

        If a later round was paired before a correction, `paired_before` in the response is its number: it may need a
        repair.
        """
        match = match_for_staff(self.user, match_id, "run_desk")
        wanted = self.read()
        if wanted["reopen"]:
            require(self.user, match.round.stage.event, "reopen_event")
        # A client that leaves `seen` out replaces a report that waits, and needs no reason for it.
        wanted.setdefault("seen", newest_report_id(match))
        play.enter_result(match=match, by=self.user, now=self.now, **wanted)
        return match_answer(self, match)

    @operation(
        "POST", f"{MATCH}undo/", name="undo", takes=NothingInput, answers=MatchDetailSerializer, scopes=(ORGANIZE,)
    )
    def matches_undo(self, request: Request, match_id: str) -> Response:
        """Undo your own last entry at this table, with the drops on its slip. For the desk."""
        match = match_for_staff(self.user, match_id, "run_desk")
        play.undo_result(match=match, **self.arguments())
        return match_answer(self, match)

    @operation(
        "POST",
        f"{MATCH}extension/",
        name="extension",
        takes=MinutesInput,
        answers=MatchDetailSerializer,
        scopes=(JUDGE, ORGANIZE),
    )
    def matches_extend(self, request: Request, match_id: str) -> Response:
        """Give one table more time. For judges and the desk, except for their own matches."""
        match = match_for_staff(self.user, match_id, "extend_time")
        play.extend_table(match=match, **self.arguments())
        return match_answer(self, match)
