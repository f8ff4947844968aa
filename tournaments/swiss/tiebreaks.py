"""Tiebreaks: each one a small function from plain data to an exact rational."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

from tournaments.swiss.field import ALONE, DRAW, WIN, Field, Match, Player, points_of


@dataclass(slots=True)
class Tally:
    """What a player's matches add up to. `rounds` counts every round with a match, byes and losses by absence too."""

    points: int = 0
    rounds: int = 0
    won: int = 0
    lost: int = 0
    drawn: int = 0
    byes: int = 0
    game_points: int = 0
    games: int = 0
    opponents: list[str] = field(default_factory=list)


def tallies(event: Field) -> dict[str, Tally]:
    """The tally of every player. Rounds before a late entrant joined are losses and count, unless a match stands there.

    `points == 3·won + drawn + 3·byes` always holds: a half bye counts among the drawn, a zero bye among the lost.
    """
    out = {player.id: Tally() for player in event.players}
    for match in event.matches():
        for seat, points in enumerate(points_of(match)[: len(match.seats)]):
            _add(out[match.seats[seat]], match, seat, points)
    late = [player for player in event.players if player.joined > 1]
    for player, missed in _missed(event, late) if late else ():
        out[player].rounds += missed
        out[player].lost += missed
    return out


def _add(tally: Tally, match: Match, seat: int, points: int) -> None:
    tally.points += points
    tally.rounds += 1
    if match.kind == "bye":
        tally.byes += 1
    else:
        tally.won += points == WIN
        tally.drawn += points == DRAW
        tally.lost += points not in (WIN, DRAW)
    tally.game_points += 3 * (match.games_b if seat else match.games_a) + match.drawn
    tally.games += match.games_a + match.games_b + match.drawn
    if match.b is not None and match.kind not in ALONE:
        tally.opponents.append(match.a if seat else match.b)


def _missed(event: Field, late: Iterable[Player]) -> Iterable[tuple[str, int]]:
    seated = [{seat for match in matches for seat in match.seats} for matches in event.rounds]
    for player in late:
        yield player.id, sum(player.id not in seats for seats in seated[: player.joined - 1])


def match_points(tally: Tally) -> int:
    """MP = 3·won + 1·drawn + 3·byes, in points. Source: MTR appendix C, "Match points"."""
    return tally.points


def match_win(tally: Tally, floor: Fraction) -> Fraction:
    """MW = max(F, MP / 3n), n the rounds with a match, byes included; a share of 1. Source: MTR appendix C."""
    return max(floor, Fraction(tally.points, 3 * tally.rounds)) if tally.rounds else floor


def game_win(tally: Tally, floor: Fraction) -> Fraction:
    """GW = max(F, game points / 3·games): 3 a game won, 1 drawn, a bye as scored; a share of 1. Source: MTR, C."""
    return max(floor, Fraction(tally.game_points, 3 * tally.games)) if tally.games else floor


def opponents_match_win(tally: Tally, match_wins: Mapping[str, Fraction], floor: Fraction) -> Fraction:
    """OMW = mean of the MW of the opponents met, a rematch twice, byes skipped, F with none. Source: MTR appendix C."""
    return mean([match_wins[opponent] for opponent in tally.opponents], floor)


def opponents_game_win(tally: Tally, game_wins: Mapping[str, Fraction], floor: Fraction) -> Fraction:
    """OGW = mean of the floored GW of the opponents met, byes skipped, F with none. Source: MTR appendix C."""
    return mean([game_wins[opponent] for opponent in tally.opponents], floor)


def mean(values: Iterable[Fraction], empty: Fraction) -> Fraction:
    """The exact mean, over one common denominator; `empty` when there is no value."""
    if not (values := list(values)):
        return empty
    common = lcm(*(value.denominator for value in values))
    upper = sum(value.numerator * (common // value.denominator) for value in values)
    return Fraction(upper, common * len(values))
