"""Time to rank a large event by every scheme, compared with plain fractions in the same run.

The comparison is what a careful programmer would write first: for each player the mean of `Fraction`s for OMW and OGW,
then a sort. Both are exact, and their orders are compared. The event is random, and its matches are read again each
time.
"""

import argparse
from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from random import Random

from bench._clock import milliseconds, race, ratio
from tests.swiss.fields import swiss_field
from tournaments.swiss.field import Field, points_of
from tournaments.swiss.schemes import schemes
from tournaments.swiss.standings import standings

THIRD = Fraction(1, 3)


def plain(field: Field) -> Mapping[str, tuple[Fraction, ...]]:
    """Match points, OMW, GW and OGW of every player, as fractions."""
    points = {player.id: 0 for player in field.players}
    rounds, games, game_points = dict(points), dict(points), dict(points)
    met: dict[str, list[str]] = {player.id: [] for player in field.players}
    for match in field.matches():
        for seat, gained in zip(match.seats, points_of(match), strict=False):
            points[seat] += gained
            rounds[seat] += 1
            games[seat] += match.games_a + match.games_b + match.drawn
            game_points[seat] += 3 * (match.games_a if seat == match.a else match.games_b) + match.drawn
        if match.b is not None:
            met[match.a].append(match.b)
            met[match.b].append(match.a)

    def shares(got: Mapping[str, int], of: Mapping[str, int]) -> dict[str, Fraction]:
        return {i: max(THIRD, Fraction(got[i], 3 * of[i])) if of[i] else THIRD for i in got}

    def mean(values: Mapping[str, Fraction], player: str) -> Fraction:
        return sum((values[other] for other in met[player]), Fraction(0)) / len(met[player]) if met[player] else THIRD

    matches_won, games_won = shares(points, rounds), shares(game_points, games)
    return {i: (Fraction(points[i]), mean(matches_won, i), games_won[i], mean(games_won, i)) for i in points}


def plain_order(field: Field) -> list[str]:
    """The players, best first, equals by id."""
    keys = plain(field)
    return sorted(sorted(keys), key=keys.__getitem__, reverse=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--runs", type=int, default=7)
    args = parser.parse_args()
    field = swiss_field(Random(1), args.players, args.rounds, drops=args.players // 20)
    # A comparison of times would mean nothing if the answers differed.
    if [row.player for row in standings(field)] != plain_order(field):
        raise SystemExit("the plain way ranks otherwise")
    contenders = {name: [partial(standings, field, name)] for name in schemes()}
    times = race({**contenders, "plain": [partial(plain_order, field)]}, args.runs)
    print(f"{args.players} players, {args.rounds} rounds, {sum(map(len, field.rounds))} matches; processor time")
    for name in schemes():
        milliseconds(name, times[name])
    milliseconds("mtr in fractions, the plain way", times["plain"])
    ratio("ratio plain / mtr", times["plain"] / times["mtr"], "more is better")


if __name__ == "__main__":
    main()
