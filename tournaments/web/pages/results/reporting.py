"""The result of a player's own match, as the player sees it: its state, and the scores that can be reported."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournaments.play.loading import differing_reports
from tournaments.play.models import Game, Match, Report, Round, Seat
from tournaments.play.selectors import is_of_one_account, waiting_of
from tournaments.swiss.teams import boards_won, is_by_board
from tournaments.web.words.results import score_words


@dataclass(frozen=True)
class Choice:
    """A button for a common score.

    `words` and `score` are from the player's view; `value` is what is posted, with seat 1 first.
    """

    words: str
    score: str
    value: str
    kind: str = Match.Kind.PLAYED

    @property
    def games(self) -> list[int]:
        """Games won by seat 1, by seat 2, and drawn."""
        return [int(part) for part in self.value.split("-")]


@dataclass(frozen=True)
class ReportBox:
    """The result of a match as one of its players sees it.

    `state` is one of:

    - `open`: nobody has reported
    - `mine`: the player's own report waits for the opponent
    - `theirs`: the opponent's report waits for this player
    - `differ`: the player's report (`own`) and another one (`report`) differ
    - `between`: the reports of two other players of the table differ
    - `disputed`: a judge decides
    - `settled`: the result counts
    - `closed`: the round is not being played
    - `alone`: the same account plays all seats, so nobody else could confirm a report
    """

    state: str
    seat: Seat
    report: Report | None
    choices: list[Choice]
    ranked: bool = False
    own: Report | None = None
    boards: bool = False
    proposal: Choice | None = None  # the result that proven games give, if they decide the match

    @property
    def own_score(self) -> str:
        """The reported games, the reader's first; for a multiplayer table, the ranks in seat order."""
        return self._score(self.report)

    @property
    def verdict(self) -> str:
        """The report in words: who wins, or the reader's rank at a multiplayer table."""
        return self._verdict(self.report)

    @property
    def mine(self) -> tuple[str, str]:
        """The reader's own report when two reports differ: its score and what it means."""
        return self._score(self.own), self._verdict(self.own)

    @property
    def other_choices(self) -> list[Choice]:
        """The common scores that have not been reported."""
        given = [(report.games, report.kind) for report in (self.report, self.own) if report]
        return [choice for choice in self.choices if (choice.games, choice.kind) not in given]

    def _score(self, report: Report | None) -> str:
        if report is None:
            return ""
        if is_by_board(report.games):
            return _seen_by_board(self.seat, report.games)
        return score_words(report.games) if self.ranked else _seen_from(self.seat, report.games)

    def _verdict(self, report: Report | None) -> str:
        if report is None:
            return ""
        if self.ranked:
            return _("your rank: %(rank)d") % {"rank": report.games[self.seat.number - 1][0]}
        first, second, _drawn = boards_won(report.games) if is_by_board(report.games) else report.games
        mine, theirs = (first, second) if self.seat.number == 1 else (second, first)
        return _("a draw") if mine == theirs else _("you win") if mine > theirs else _("your opponent wins")


def report_box(match: Match, seat: Seat, games: Iterable[Game] = ()) -> ReportBox:
    """The result of a match as the player of this seat sees it. `games` are those of the match, if any is proven."""
    # Lists read the reports of all matches at once; a single match reads its own.
    standing, counter = waiting_of(match) if hasattr(match, "waiting_reports") else differing_reports(match)
    stage = match.round.stage
    given = (
        [] if match.has_ranks or match.has_boards else choices(stage.best_of, seat.number, draws=not stage.is_bracket)
    )
    own, other = (counter, standing) if counter is not None and counter.seat_id == seat.pk else (standing, counter)
    state = _state(match, seat, standing, counter)
    if state != "differ":
        own, other = None, standing
    proposal = proposed(given, match, games) if state == "open" else None
    return ReportBox(state, seat, other, given, match.has_ranks, own, match.has_boards, proposal)


def proposed(given: Iterable[Choice], match: Match, games: Iterable[Game]) -> Choice | None:
    """The choice that says what the replayed games of a match do; None unless they decide it."""
    won = dict.fromkeys((seat.pk for seat in sorted(match.seats.all(), key=lambda seat: seat.number)), 0)
    needed = match.round.stage.best_of // 2 + 1
    for game in sorted(games, key=lambda game: game.number):
        if game.winner_id in won and game.evidence == Match.Evidence.REPLAYED and max(won.values()) < needed:
            won[game.winner_id] += 1
    if not won or max(won.values()) < needed:
        return None
    value = "-".join(map(str, (*won.values(), 0)))
    return next((choice for choice in given if choice.value == value), None)


def _state(match: Match, seat: Seat, report: Report | None, counter: Report | None) -> str:
    if match.disputed:
        return "disputed"
    if match.games_drawn is not None:
        return "settled"
    if match.round.status != Round.Status.PUBLISHED:
        return "closed"
    if is_of_one_account(match):
        return "alone"
    if report is None:
        return "open"
    if counter is not None:
        return "differ" if seat.pk in (report.seat_id, counter.seat_id) else "between"
    return "mine" if report.seat_id == seat.pk else "theirs"


def choices(best_of: int, seat_number: int, *, draws: bool = True) -> list[Choice]:
    """The common scores of a best of 1, 3 or 5, the player's wins first; without draws for a bracket."""
    needed = best_of // 2 + 1
    wins = [(needed, lost, 0) for lost in range(needed)]
    level = (0, 0, 1) if best_of == 1 else (needed - 1, needed - 1, 0)
    decided = [
        *(_choice(_("I won"), score, seat_number) for score in wins),
        *(_choice(_("I lost"), (lost, won, drawn), seat_number) for won, lost, drawn in wins),
    ]
    if not draws:
        return decided
    return [
        *decided,
        _choice(_("Draw"), level, seat_number),
        _choice(_("Intentional draw"), (0, 0, 0), seat_number, Match.Kind.INTENTIONAL_DRAW),
    ]


def _choice(words: str, score: tuple[int, int, int], seat_number: int, kind: str = Match.Kind.PLAYED) -> Choice:
    mine, theirs, drawn = score
    first, second = (mine, theirs) if seat_number == 1 else (theirs, mine)
    return Choice(words, _written(mine, theirs, drawn), f"{first}-{second}-{drawn}", kind)


def _seen_from(seat: Seat, games: list[int]) -> str:
    first, second, drawn = games
    return _written(*((first, second) if seat.number == 1 else (second, first)), drawn)


def _seen_by_board(seat: Seat, boards: list[list[int]]) -> str:
    """Boards won by the reader's team and by the other, then the games of each board in the same order."""
    every = ", ".join(_seen_from(seat, board) for board in boards)
    return f"{_seen_from(seat, list(boards_won(boards)))} ({every})"


def _written(mine: int, theirs: int, drawn: int) -> str:
    return f"{mine}–{theirs}" + (f"–{drawn}" if drawn else "")
