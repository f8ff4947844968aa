"""Tiebreaks for team matches, whose games are the boards that each team won.

In an event of single players they count games in the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from tournaments.swiss.columns import Column, Part
from tournaments.swiss.crosstable import Crosstable
from tournaments.swiss.field import Match


class TeamMatch(NamedTuple):
    """One match of a team: the round, the opponent's number (None for a bye), and figures in half points.

    `boards` counts 2 for each board won and 1 for each drawn; `weighted` multiplies each by the weight of its board.
    """

    round: int
    opponent: int | None
    boards: int
    weighted: int


def board_points(table: Crosstable) -> Column:
    """Boards won plus half the boards drawn. A bye and a match that was not played count as they are scored."""
    return _own(table, lambda found: found.boards)


def berlin(table: Crosstable) -> Column:
    """Berlin: board points, each multiplied by the weight of its board: 1 for the last board, 2 for the one before it.

    Byes and matches that were not played board by board count nothing.
    """
    return _own(table, lambda found: found.weighted)


def board_buchholz(table: Crosstable) -> Column:
    """The sum of the opponents' board points."""
    points = [sum(each.boards for each in matches) for matches in table.cached(team_matches)]
    return _of_opponents(table, lambda found, opponent: points[opponent], 2)


def board_sonneborn_berger(table: Crosstable) -> Column:
    """The match points of each opponent, multiplied by the board points won against it. Source: Chess Olympiads."""
    tallies = table.tallies
    return _of_opponents(table, lambda found, opponent: tallies[opponent].points * found.boards, 2 * table.rules.unit)


def team_matches(table: Crosstable) -> list[list[TeamMatch]]:
    """The matches of each team, in the order of the rounds."""
    number = table.number
    out: list[list[TeamMatch]] = [[] for _ in table.players]
    for played, matches in enumerate(table.field.rounds, start=1):
        for match in matches:
            first, second = number[match.a], None if match.b is None else number[match.b]
            out[first].append(TeamMatch(played, second, 2 * match.games_a + match.drawn, _weighted(match, 0)))
            if second is not None:
                out[second].append(TeamMatch(played, first, 2 * match.games_b + match.drawn, _weighted(match, 1)))
    return out


def _weighted(match: Match, seat: int) -> int:
    halves = (2 * (board[seat] > board[1 - seat]) + (board[0] == board[1]) for board in match.boards)
    return sum(each * (len(match.boards) - place) for place, each in enumerate(halves))


def _own(table: Crosstable, halves: Callable[[TeamMatch], int]) -> Column:
    found = table.cached(team_matches)

    def parts(i: int) -> tuple[Part, ...]:
        return tuple(Part(Fraction(halves(each), 2), table.name(each.opponent), each.round) for each in found[i])

    return Column([sum(map(halves, each)) for each in found], 2, "sum", parts)


def _of_opponents(table: Crosstable, worth: Callable[[TeamMatch, int], int], unit: int) -> Column:
    found = [
        [(each, worth(each, each.opponent)) for each in matches if each.opponent is not None]
        for matches in table.cached(team_matches)
    ]

    def parts(i: int) -> tuple[Part, ...]:
        return tuple(Part(Fraction(value, unit), table.name(each.opponent), each.round) for each, value in found[i])

    return Column([sum(value for _each, value in each) for each in found], unit, "sum", parts)
