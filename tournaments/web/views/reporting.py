"""What a player sees of the result of the own match: what stands, and the scores that can be given."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournaments.play.models import Match, Report, Round, Seat
from tournaments.play.selectors import is_of_one_account, standing_report
from tournaments.web.words import score_words


@dataclass(frozen=True)
class Choice:
    """A common score as a button: how it reads for the person, and the value posted (seat 1 first)."""

    words: str
    score: str
    value: str
    kind: str = Match.Kind.PLAYED


@dataclass(frozen=True)
class ReportBox:
    """The state of a match's result as one of its players sees it.

    `state` is "open", "mine" (own report waits), "theirs" (the opponent's waits), "disputed", "settled", "closed" or
    "alone" (everybody at the table is the account's).
    """

    state: str
    seat: Seat
    report: Report | None
    choices: list[Choice]
    ranked: bool = False

    @property
    def own_score(self) -> str:
        """The reported games, the reader's first; of a table of several the ranks in the order of the seats."""
        if self.ranked:
            return score_words(self.report.games) if self.report else ""
        return _seen_from(self.seat, self.report.games) if self.report else ""

    @property
    def verdict(self) -> str:
        """The report in words: who wins by it, or the own rank at a table of several."""
        if self.ranked:
            rank = self.report.games[self.seat.number - 1][0] if self.report else 0
            return _("your rank: %(rank)d") % {"rank": rank}
        first, second, _drawn = self.report.games if self.report else (0, 0, 0)
        mine, theirs = (first, second) if self.seat.number == 1 else (second, first)
        return _("a draw") if mine == theirs else _("you win") if mine > theirs else _("your opponent wins")


def report_box(match: Match, seat: Seat) -> ReportBox:
    """The box for one seat of a match."""
    report = standing_report(match)
    stage = match.round.stage
    given = [] if match.has_ranks else choices(stage.best_of, seat.number, draws=not stage.is_bracket)
    return ReportBox(_state(match, seat, report), seat, report, given, match.has_ranks)


def _state(match: Match, seat: Seat, report: Report | None) -> str:
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
    return "mine" if report.seat_id == seat.pk else "theirs"


def choices(best_of: int, seat_number: int, *, draws: bool = True) -> list[Choice]:
    """The common scores of a best of 1, 3 or 5, the person's own wins first; without draws in a bracket."""
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


def _written(mine: int, theirs: int, drawn: int) -> str:
    return f"{mine}–{theirs}" + (f"–{drawn}" if drawn else "")
