"""Standings: an ordered list of exact terms for each player, ranks shared where all terms are equal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from tournaments.swiss.field import Field, SwissError
from tournaments.swiss.tiebreaks import (
    Tally,
    game_win,
    match_points,
    match_win,
    opponents_game_win,
    opponents_match_win,
    tallies,
)

FLOOR = Fraction(1, 3)
SCHEMES = ("mtr",)
TERMS = {"mtr": ("omw", "gw", "ogw")}
"""The terms after the match points, in the order in which they break ties."""


@dataclass(frozen=True, slots=True)
class Met:
    """One opponent in a row's explanation: the values that entered the means of OMW and OGW."""

    player: str
    match_win: Fraction
    game_win: Fraction


@dataclass(frozen=True, slots=True)
class Explain:
    """What a row's figures are made of: n, game points, games, and the opponents in the order they were met."""

    rounds: int
    game_points: int
    games: int
    opponents: tuple[Met, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the standings. `record` is (won, lost, drawn) without the byes; `terms` are shares of 1."""

    rank: int
    player: str
    points: int
    terms: Mapping[str, Fraction]
    record: tuple[int, int, int]
    byes: int
    explain: Explain


def standings(
    field: Field, scheme: str = "mtr", *, floor: Fraction = FLOOR, gw_floored: bool = True
) -> tuple[Row, ...]:
    """The standings after the rounds of the field, first rank first, equal ranks in the order of ids.

    `floor` is the least match-win and game-win share (1/3, or 0.33 in the letter of the rules); `gw_floored=False`
    leaves a player's own GW as it is, opponents' GW being floored always. Who dropped keeps a row; who was disqualified
    has none, and still counts as an opponent. Raises `SwissError` `unknown_scheme`, or `bad_floor` outside 0 to 1.
    """
    if scheme not in SCHEMES:
        raise SwissError("unknown_scheme", f"{scheme!r} is no scheme of standings; schemes: {', '.join(SCHEMES)}")
    if not 0 <= floor <= 1:
        raise SwissError("bad_floor", "the floor is a share between 0 and 1")
    tally_of = tallies(field)
    match_wins = {player: match_win(tally, floor) for player, tally in tally_of.items()}
    game_wins = {player: game_win(tally, floor) for player, tally in tally_of.items()}
    out = field.disqualified()
    lines: list[tuple[str, Tally, dict[str, Fraction]]] = []
    for player in sorted(tally_of.keys() - out):
        tally = tally_of[player]
        terms = {
            "omw": opponents_match_win(tally, match_wins, floor),
            "gw": game_wins[player] if gw_floored or not tally.games else game_win(tally, Fraction(0)),
            "ogw": opponents_game_win(tally, game_wins, floor),
        }
        lines.append((player, tally, terms))
    lines.sort(key=lambda line: (match_points(line[1]), *line[2].values()), reverse=True)
    return _ranked(lines, match_wins, game_wins)


def _ranked(
    lines: list[tuple[str, Tally, dict[str, Fraction]]],
    match_wins: Mapping[str, Fraction],
    game_wins: Mapping[str, Fraction],
) -> tuple[Row, ...]:
    rows: list[Row] = []
    for place, (player, tally, terms) in enumerate(lines, start=1):
        level = bool(rows) and (rows[-1].points, rows[-1].terms) == (match_points(tally), terms)
        rank = rows[-1].rank if level else place
        met = tuple(Met(other, match_wins[other], game_wins[other]) for other in tally.opponents)
        explain = Explain(tally.rounds, tally.game_points, tally.games, met)
        record = (tally.won, tally.lost, tally.drawn)
        rows.append(Row(rank, player, match_points(tally), terms, record, tally.byes, explain))
    return tuple(rows)
