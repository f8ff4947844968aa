"""Reports of a single board of a team match, by the two players who sit at it.

They work like reports of a whole match (`results`): one player reports, the other confirms or reports something else,
and a judge is called only when one of them asks. The match is decided once the players of every board agree. Until then
it has no result, and a report of the whole match has to say the same about the boards that are agreed.

A captain acts at the boards of members without an account. Every action locks the match first, so that of two that come
at once the second sees what the first did.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.refusals import InvalidInput, NotAllowed, Refusal
from tournaments.play.boards import agreed_boards, boards_of, reporters_at
from tournaments.play.models import Board, BoardReport, Match, Report, Round
from tournaments.play.services.entries import record
from tournaments.play.services.results import (
    WAITING,
    checked_score,
    count_report,
    locked_match,
    open_dispute,
    possible_games,
    write_report,
)

Status = Report.Status


def report_board(*, board: Board, by: User, games: Sequence[Any], now: datetime) -> BoardReport:
    """Report the result of one board as its player: games won by the player of seat 1, by that of seat 2, and drawn.

    The same report by the opponent confirms it; a different one becomes a counter report. Reporting the same again
    changes nothing, and a player's own waiting report is replaced.

    Raises InvalidInput `score_invalid`; NotAllowed `not_your_board`, or `one_account` if one account acts for both
    players; Refusal `round_state`, `event_state`, `disputed` while a judge decides about this board,
    `already_confirmed` if it is agreed or the match has a result.
    """
    with transaction.atomic():
        match, board, side = _locked(board, by)
        score = _played(games, match.round.stage.best_of)
        agreed = board.reports.filter(status=Status.CONFIRMED).first()
        if agreed is not None and agreed.games == score:
            return agreed
        _refuse_settled(match, agreed)
        _refuse_contested(board)
        standing = board.reports.filter(status=Status.STANDING).first()
        if standing is None:
            return _write(match, board, by, side, score, now)
        counter = board.reports.filter(status=Status.COUNTER).first()
        own, other = (standing, counter) if standing.side == side else (counter, standing)
        if own is not None and own.games == score:
            return own
        if other is not None and other.games == score:
            return _agree(match, board, other, by, side, now)
        status = Status.STANDING if own is standing else Status.COUNTER
        board.reports.filter(status=status).update(status=Status.REPLACED)
        return _write(match, board, by, side, score, now, status)


def confirm_board(*, report: BoardReport, by: User, now: datetime) -> None:
    """Confirm the opponent's report of a board, or accept it if two differ. Idempotent.

    The match counts once all its boards are agreed. Raises what `report_board` raises; NotAllowed `own_report`; Refusal
    `report_changed` if the report does not wait any more.
    """
    with transaction.atomic():
        match, board, side = _locked(report.board, by)
        shown = _waiting(board, report)
        if shown.status == Status.CONFIRMED:
            return
        _refuse_settled(match, None)
        if shown.side == side:
            raise NotAllowed("own_report", _("Your opponent has to confirm your report."))
        _agree(match, board, shown, by, side, now)


def contest_board(*, report: BoardReport, by: User, now: datetime, reason: str = "") -> None:
    """Contest a report of a board: a judge is called, and the match is disputed until the judge rules.

    The other boards can still be reported. The opponent may contest; while two reports differ, both players may. Raises
    what `report_board` raises; NotAllowed `own_report`; Refusal `already_confirmed`, `report_changed`.
    """
    with transaction.atomic():
        match, board, side = _locked(report.board, by)
        shown = _waiting(board, report)
        _refuse_settled(match, shown if shown.status == Status.CONFIRMED else None)
        if shown.side == side and not board.reports.filter(status=Status.COUNTER).exists():
            raise NotAllowed("own_report", _("Report another result to change your own."))
        board.reports.filter(status__in=WAITING).update(status=Status.CONTESTED)
        open_dispute(match, by, now, note=reason, board=board.number)


def _locked(board: Board, by: User) -> tuple[Match, Board, int]:
    """The match, locked; its board as it is now; and the side on which this account reports: 1 or 2."""
    match = locked_match(board.match)
    fresh = boards_of(match).get(number=board.number)
    reporters = reporters_at([fresh])
    actors = [reporters[member] for member in (fresh.first_id, fresh.second_id)]
    if by.pk not in actors:
        raise NotAllowed("not_your_board", _("Only the two players of this board can report its result."))
    if actors[0] == actors[1]:
        raise NotAllowed("one_account", _("You act for all players at this table: the desk enters the result."))
    if match.round.status == Round.Status.CLOSED:
        raise Refusal("round_state", _("This round is closed: ask the desk."))
    return match, fresh, actors.index(by.pk) + 1


def _played(games: Sequence[Any], best_of: int) -> list[int]:
    score = list(possible_games(games, best_of))
    if sum(score) == 0:
        raise InvalidInput("score_invalid", _("Enter at least one game of this board."))
    return score


def _refuse_settled(match: Match, agreed: BoardReport | None) -> None:
    if agreed is not None:
        raise Refusal("already_confirmed", _("This board has a result that both players agreed on: ask the desk."))
    if match.has_result:
        raise Refusal("already_confirmed", _("This match already has another result: ask the desk."))


def _refuse_contested(board: Board) -> None:
    if board.reports.filter(status=Status.CONTESTED).exists():
        raise Refusal("disputed", _("The result is contested. A judge will decide."))


def _waiting(board: Board, report: BoardReport) -> BoardReport:
    """The current state of the report that the player saw. Refusal `report_changed` if it no longer waits."""
    fresh = board.reports.filter(pk=report.pk).first()
    if fresh is None or fresh.status not in (*WAITING, Status.CONFIRMED):
        raise Refusal("report_changed", _("The report has changed in the meantime: look at it again."))
    return fresh


def _write(
    match: Match, board: Board, by: User, side: int, score: list[int], now: datetime, status: str = Status.STANDING
) -> BoardReport:
    report = BoardReport.objects.create(board=board, by=by, side=side, games=score, status=status, at=now)
    _record(match, board, by, "result.board_reported", score, now)
    return report


def _agree(match: Match, board: Board, report: BoardReport, by: User, side: int, now: datetime) -> BoardReport:
    board.reports.filter(status__in=WAITING).exclude(pk=report.pk).update(status=Status.REPLACED)
    report.status = Status.CONFIRMED
    report.save(update_fields=["status"])
    _record(match, board, by, "result.board_confirmed", report.games, now)
    _settle_if_complete(match, by, side, now)
    return report


def _settle_if_complete(match: Match, by: User, side: int, now: datetime) -> None:
    """Let the match count once all boards are agreed.

    A match that its boards cannot decide waits for the desk: a bracket with equal boards, or a loss that they do not
    count.
    """
    agreed = agreed_boards(match)
    if len(agreed) < match.round.stage.event.team_size or match.disputed:
        return
    try:
        score = checked_score(match, [agreed[number] for number in sorted(agreed)], Match.Kind.PLAYED)
    except InvalidInput:
        return
    # Replaced first: at most one report of a match stands.
    match.reports.filter(status__in=WAITING).update(status=Status.REPLACED)
    report = write_report(match, by, match.seats.get(number=side), score, Match.Kind.PLAYED, now)
    count_report(match, report, by, now)


def _record(match: Match, board: Board, by: User, code: str, score: Sequence[int], now: datetime) -> None:
    after = {"board": board.number, "games": list(score)}
    record(match.round.stage.event, by, code, now, object=match.public_id, after=after)
