"""Tiebreaks, each a small function from a crosstable to a column of exact figures.

docs/tiebreaks.md describes each of them. Those in `RELATIVE` compare only players who are tied so far, so they also get
the ranks so far.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from tournaments.swiss.columns import Column, Part, mean, no_parts, share
from tournaments.swiss.crosstable import Crosstable, Line, lines
from tournaments.swiss.encounters import direct
from tournaments.swiss.opponents import (
    FORFEITED,
    buchholz,
    buchholz_cut1,
    buchholz_cut2,
    buchholz_median,
    sonneborn_berger,
)
from tournaments.swiss.team_tiebreaks import berlin, board_buchholz, board_points, board_sonneborn_berger

ZERO = Fraction(0)
CHANCES = 2**64


def points(table: Crosstable) -> Column:
    """Match points: 3·won + drawn + 3·byes, unless scheme or event count otherwise. Source: MTR appendix C."""

    def parts(i: int) -> tuple[Part, ...]:
        return tuple(
            Part(Fraction(line.points, table.rules.unit), table.name(line.opponent), line.round, note=line.kind)
            for line in table.cached(lines)[i]
        )

    return Column([tally.points for tally in table.tallies], table.rules.unit, "sum", parts)


def match_win(table: Crosstable) -> Column:
    """MW: match points divided by the points possible, within the scheme's bounds, as a share of 1.

    Source: MTR appendix C.
    """
    rules = table.rules
    got = [tally.credit for tally in table.tallies]
    of = [rules.whole_share * tally.counted for tally in table.tallies]
    if rules.dropped_most == 1:
        return share(got, of, floor=rules.floor)
    # Only schemes that cap the share of players who dropped need the bounds, one for each player.
    most = [rules.dropped_most if player.dropped else Fraction(1) for player in table.players]
    return share(got, of, floor=rules.floor, most=most.__getitem__)


def game_win(table: Crosstable) -> Column:
    """GW with the scheme's floor, as it enters the OGW of others, as a share of 1. Source: MTR appendix C."""
    return _games(table, table.rules.floor)


def omw(table: Crosstable) -> Column:
    """Opponents' match-win share: the mean of their MW, or the floor without opponents. Source: MTR appendix C."""
    return _mean(table, match_win, table.rules.floor)


def gw(table: Crosstable) -> Column:
    """Game-win share: (3·games won + drawn games) / 3·games, with the floor unless the rules want it raw.

    Source: MTR appendix C.
    """
    return table.cached(game_win) if table.rules.gw_floored else _games(table, ZERO)


def ogw(table: Crosstable) -> Column:
    """Opponents' game-win share: the mean of their floored GW, or the floor without opponents.

    Source: MTR appendix C.
    """
    return _mean(table, game_win, table.rules.floor)


def oomw(table: Crosstable) -> Column:
    """Opponents' opponents' match-win share: the mean of the opponents' OMW, or the floor without opponents."""
    return _mean(table, omw, table.rules.floor)


def omw_1000(table: Crosstable) -> Column:
    """BBB: OMW in thousandths, rounded to the nearest integer, halves up. Source: Yu-Gi-Oh! tournament policy."""
    return _thousandths(table, omw)


def oomw_1000(table: Crosstable) -> Column:
    """CCC: opponents' opponents' match-win share in thousandths. Source: Yu-Gi-Oh! tournament policy."""
    return _thousandths(table, oomw)


def lost_squares(table: Crosstable) -> Column:
    """DDD: the sum of the squared numbers of the rounds lost. A later loss is better."""

    def parts(i: int) -> tuple[Part, ...]:
        return tuple(
            Part(Fraction(line.round**2), table.name(line.opponent), line.round, note=line.kind)
            for line in table.cached(lines)[i]
            if line.kind and not line.won
        )

    values = [sum(line.round**2 for line in each if line.kind and not line.won) for each in table.cached(lines)]
    return Column(values, 1, "sum", parts)


def points_a_round(table: Crosstable) -> Column:
    """Match points per round with a match, without bounds. SoS is the mean of these."""
    unit = table.rules.unit
    return share(
        [tally.points for tally in table.tallies], [unit * tally.rounds for tally in table.tallies], floor=ZERO
    )


def sos(table: Crosstable) -> Column:
    """Strength of schedule: the mean of the opponents' points per round, 0 without opponents. Source: Netrunner."""
    return _mean(table, points_a_round, ZERO)


def esos(table: Crosstable) -> Column:
    """Extended strength of schedule: the mean of the opponents' SoS, 0 without opponents."""
    return _mean(table, sos, ZERO)


def cumulative(table: Crosstable) -> Column:
    """The sum of the running totals of match points after each round. Earlier points count more often."""
    played = len(table.field.rounds)

    def parts(i: int) -> tuple[Part, ...]:
        so_far, out = 0, []
        for line in table.cached(lines)[i]:
            so_far += line.points
            out.append(Part(Fraction(so_far, table.rules.unit), round=line.round))
        return tuple(out)

    values = [sum(line.points * (played - line.round + 1) for line in each) for each in table.cached(lines)]
    return Column(values, table.rules.unit, "sum", parts)


def wins(table: Crosstable) -> Column:
    """Matches won, without byes."""
    return Column([tally.won for tally in table.tallies], 1, "count", no_parts)


def win(table: Crosstable) -> Column:
    """WIN: rounds that gave the points of a win, played or not. Source: FIDE C.07, article 7.1."""
    return Column([sum(line.won == 2 for line in each) for each in table.cached(lines)], 1, "count", no_parts)


def won(table: Crosstable) -> Column:
    """WON: matches won by playing, without byes and forfeits. Source: FIDE C.07, article 7.2."""

    def count(each: Sequence[Line]) -> int:
        return sum(line.won == 2 and line.opponent is not None and line.kind not in FORFEITED for line in each)

    return Column([count(each) for each in table.cached(lines)], 1, "count", no_parts)


def games_won(table: Crosstable) -> Column:
    """Games won, without those of byes."""
    return Column([tally.games_won for tally in table.tallies], 1, "count", no_parts)


def random(table: Crosstable) -> Column:
    """A random draw from the seed and the player's id.

    The figure is the first 64 bits of the SHA-256 hash of `seed:id`, divided by 2^64.
    """
    # By hashing and not by shuffling: a late entry does not change the draw of the others.
    drawn = [hashlib.sha256(f"{table.seed}:{player.id}".encode()).digest()[:8] for player in table.players]
    return Column([int.from_bytes(each, "big") for each in drawn], CHANCES, "count", no_parts)


def opponents_rank(table: Crosstable, ranks: Sequence[int]) -> Column:
    """The mean of the opponents' ranks so far. Lower is better, and a player without opponents comes last.

    Opponents without a rank (0: disqualified) are left out.
    """

    def parts(i: int) -> tuple[Part, ...]:
        return tuple(Part(Fraction(ranks[j]), table.players[j].id) for j in table.met[i] if ranks[j])

    met = [[j for j in each if ranks[j]] for each in table.met]
    ranked = Column(ranks, 1, "count", no_parts)
    # Worse than any rank.
    plain = mean(ranked, met, (), empty=Fraction(len(ranks) + 1))
    return Column(plain.values, plain.unit, "mean", parts, least=True)


ABSOLUTE: Mapping[str, Callable[[Crosstable], Column]] = {
    each.__name__: each
    for each in (
        points,
        omw,
        gw,
        ogw,
        oomw,
        omw_1000,
        oomw_1000,
        lost_squares,
        sos,
        esos,
        buchholz,
        buchholz_cut1,
        buchholz_cut2,
        buchholz_median,
        sonneborn_berger,
        cumulative,
        wins,
        win,
        won,
        games_won,
        board_points,
        board_buchholz,
        board_sonneborn_berger,
        berlin,
        random,
    )
}
"""Tiebreaks that are computed for each player alone, by name."""

RELATIVE: Mapping[str, Callable[[Crosstable, Sequence[int]], Column]] = {
    each.__name__: each for each in (direct, opponents_rank)
}
"""Tiebreaks that need the ranks so far, by name."""


def _games(table: Crosstable, floor: Fraction) -> Column:
    """Game-win shares; players without games get the given floor."""
    won = [tally.game_points for tally in table.tallies]
    return share(won, [3 * tally.games for tally in table.tallies], floor=floor)


def _mean(table: Crosstable, inner: Callable[[Crosstable], Column], empty: Fraction) -> Column:
    names = [player.id for player in table.players]
    return mean(table.cached(inner), table.met, names, empty=empty)


def _thousandths(table: Crosstable, exact: Callable[[Crosstable], Column]) -> Column:
    column = table.cached(exact)
    # In integers: `round` rounds halves to even, and floats are not exact.
    values = [int((2000 * value + column.unit) // (2 * column.unit)) for value in column.values]

    def parts(i: int) -> tuple[Part, ...]:
        return (Part(column.of(i) * 1000),)

    return Column(values, 1, "rounded", parts)
