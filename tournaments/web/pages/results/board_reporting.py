"""The boards of a team match as one of its players sees them: how each stands, and what can be reported."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from tournaments.play.boards import boards_of, reporters_at, reports_at
from tournaments.play.models import Board, BoardReport, Match, Report, Round
from tournaments.web.pages.results.reporting import Choice, choices
from tournaments.web.words.results import score_words

Status = Report.Status


@dataclass(frozen=True)
class BoardBox:
    """One board of a team match as one of its players sees it.

    `side` is the side on which the reader reports this board (1 or 2), 0 if it is not theirs. `state` is one of:

    - `open`: nobody has reported
    - `mine`: the reader's own report waits for the opponent
    - `theirs`: the opponent's report waits for the reader
    - `differ`: the two reports differ
    - `contested`: a judge decides
    - `agreed`: both players agree

    For a board of others, `mine`, `theirs` and `differ` are all `reported`.
    """

    board: Board
    side: int
    state: str
    report: BoardReport | None
    own: BoardReport | None
    choices: list[Choice]

    @property
    def score(self) -> str:
        """The reported games, the reader's first; on a board of others, those of seat 1 first."""
        return self._score(self.report)

    @property
    def own_score(self) -> str:
        """The games of the reader's own report, the reader's first."""
        return self._score(self.own)

    @property
    def verdict(self) -> str:
        """Who wins by the report, as the reader sees it."""
        if self.report is None:
            return ""
        mine, theirs = self._turned(self.report)[:2]
        return _("a draw") if mine == theirs else _("you win") if mine > theirs else _("your opponent wins")

    def _turned(self, report: BoardReport) -> list[int]:
        first, second, drawn = report.games
        return [second, first, drawn] if self.side == 2 else [first, second, drawn]

    def _score(self, report: BoardReport | None) -> str:
        return score_words(self._turned(report)) if report else ""


def board_boxes(match: Match, user: Any) -> list[BoardBox]:
    """The boards of a team match that is being played, by number; empty for any other match."""
    playing = match.round.status == Round.Status.PUBLISHED and not match.has_result
    if not match.has_boards or not playing:
        return []
    boards = list(boards_of(match))
    reporters = reporters_at(boards)
    return [_box(board, user, [reporters[member] for member in (board.first_id, board.second_id)]) for board in boards]


def _box(board: Board, user: Any, actors: Sequence[int | None]) -> BoardBox:
    # Whoever acts for both players cannot confirm their own report: the desk enters the result.
    side = actors.index(user.pk) + 1 if actors.count(user.pk) == 1 else 0
    found = reports_at(board)
    state = _state(found, side)
    own, other = _own_first(found, side)
    report = found.get(Status.CONFIRMED) or found.get(Status.CONTESTED) or (other if state == "theirs" else own)
    if state == "differ":
        report = other
    given = choices(board.match.round.stage.best_of, side) if side else []
    common = [choice for choice in given if choice.kind == Match.Kind.PLAYED]
    return BoardBox(board, side, state, report, own, common)


def _state(found: Mapping[str, BoardReport], side: int) -> str:
    if Status.CONFIRMED in found:
        return "agreed"
    if Status.CONTESTED in found:
        return "contested"
    if Status.STANDING not in found:
        return "open"
    if side == 0:
        return "reported"
    if Status.COUNTER in found:
        return "differ"
    return "mine" if found[Status.STANDING].side == side else "theirs"


def _own_first(found: Mapping[str, BoardReport], side: int) -> tuple[BoardReport | None, BoardReport | None]:
    """The waiting report of the reader, and the one of the opponent."""
    waiting = [found[status] for status in (Status.STANDING, Status.COUNTER) if status in found]
    own = next((report for report in waiting if report.side == side), None)
    return own, next((report for report in waiting if report is not own), None)
