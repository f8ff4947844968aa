"""Tiebreaks that add up the opponents' points: Buchholz, its cuts, and Sonneborn-Berger.

If the rules have `unplayed_as_draws`, rounds without a match count as in FIDE C.07, article 16 (edition of 1 March
2026). Otherwise they give nothing.
"""

from __future__ import annotations

from fractions import Fraction
from operator import itemgetter
from typing import NamedTuple

from tournaments.swiss.columns import Column, Part
from tournaments.swiss.crosstable import Crosstable, Line, lines
from tournaments.swiss.field import ALONE

FORFEITED = frozenset({"no_show", "forfeit"})
"""Kinds of two-player matches that were not played."""

ABSENT = (ALONE - {"bye"}) | {""}
"""Kinds of rounds without an opponent by the player's own choice or absence."""


class Term(NamedTuple):
    """What a round contributes to a sum: the opponent's points, in units of the rules.

    `played` is False for rounds left unplayed by the player's own choice; sorting puts these first, so they are cut
    first. `virtual` means that no actual opponent's points were used.
    """

    played: bool
    points: int
    line: Line
    virtual: bool


def buchholz(table: Crosstable) -> Column:
    """The sum of the opponents' match points."""
    return _sum(table, lowest=0, highest=0)


def buchholz_cut1(table: Crosstable) -> Column:
    """Buchholz without its lowest term; a round unplayed by choice is cut first."""
    return _sum(table, lowest=1, highest=0)


def buchholz_cut2(table: Crosstable) -> Column:
    """Buchholz without its two lowest terms; rounds unplayed by choice are cut first."""
    return _sum(table, lowest=2, highest=0)


def buchholz_median(table: Crosstable) -> Column:
    """Buchholz without its lowest and its highest term."""
    return _sum(table, lowest=1, highest=1)


def sonneborn_berger(table: Crosstable) -> Column:
    """The points of the opponents beaten, plus half the points of the opponents drawn with."""
    # `Line.won` is 2 for a win and 1 for a draw, so the column is in half units.
    unit = 2 * table.rules.unit
    found = table.cached(terms)

    def parts(i: int) -> tuple[Part, ...]:
        return tuple(_part(table, term, Fraction(term.points * term.line.won, unit)) for term in found[i])

    values = [sum([term.points * term.line.won for term in each]) for each in found]
    return Column(values, unit, "sum", parts)


def _sum(table: Crosstable, *, lowest: int, highest: int) -> Column:
    found = table.cached(terms)

    def parts(i: int) -> tuple[Part, ...]:
        cut = [id(term) for term in _cut(found[i], lowest, highest)]
        return tuple(
            _part(table, term, Fraction(term.points, table.rules.unit), "cut" if id(term) in cut else "")
            for term in found[i]
        )

    values = [
        sum([term.points for term in each]) - sum([term.points for term in _cut(each, lowest, highest)])
        for each in found
    ]
    return Column(values, table.rules.unit, "sum", parts)


def _cut(found: list[Term], lowest: int, highest: int) -> list[Term]:
    """The terms left out: the `lowest` first ones, then the `highest` greatest of the rest."""
    # No cut takes only the highest term, so nothing is left out here.
    if not lowest:
        return []
    ordered = sorted(found, key=_least_first)
    rest = sorted(ordered[lowest:], key=_points) if highest else []
    return ordered[:lowest] + rest[len(rest) - highest :]


# By `played`, then `points`: rounds unplayed by choice sort first.
_least_first = itemgetter(0, 1)
_points = itemgetter(1)


def _part(table: Crosstable, term: Term, value: Fraction, note: str = "") -> Part:
    name = table.name(term.line.opponent)
    return Part(value, name, term.line.round, note=note or ("virtual" if term.virtual else ""))


def terms(table: Crosstable) -> list[list[Term]]:
    """For each player, what each round contributes, in the order of the rounds."""
    found = table.cached(lines)
    if table.rules.unplayed_as_draws:
        adjusted = [_adjusted(table, player) for player in range(len(found))]
        return [[_unplayed(table, player, line, adjusted) for line in each] for player, each in enumerate(found)]
    tallies = table.tallies
    return [
        [Term(True, tallies[line.opponent].points, line, False) for line in each if line.opponent is not None]
        for each in found
    ]


def _by_choice(line: Line) -> bool:
    """Whether a round stayed unplayed by the player's choice or absence.

    That is a round without opponent other than a bye, or a lost forfeit.
    """
    return line.kind in ABSENT or (line.kind in FORFEITED and not line.won)


def _adjusted(table: Crosstable, player: int) -> int:
    """A player's points as they count for opponents: absences after the last round played are draws (article 16.3).

    A forfeit among them remains a loss.
    """
    total = table.tallies[player].points
    for line in reversed(table.cached(lines)[player]):
        # Only the trailing absences are adjusted.
        if not _by_choice(line):
            break
        if line.kind not in FORFEITED:
            total += table.rules.draw - line.points
    return total


def _unplayed(table: Crosstable, player: int, line: Line, adjusted: list[int]) -> Term:
    """The term of one round: the opponent met, or, if nothing was played, a virtual opponent.

    A virtual opponent has at most as many points as the player.
    """
    if line.opponent is not None and line.kind not in FORFEITED:
        return Term(True, adjusted[line.opponent], line, False)
    own = table.tallies[player].points
    if line.opponent is None:
        # As if the player had drawn with an opponent who draws every round.
        level = table.rules.draw * len(table.field.rounds)
    else:
        level = adjusted[line.opponent]
    return Term(not _by_choice(line), min(own, level), line, True)
