"""Simulated events, for tests and benchmarks."""

from __future__ import annotations

from random import Random

from tournaments.swiss.field import MAX_PLAYERS, MAX_ROUNDS, Field, Match, Player, SwissError
from tournaments.swiss.pairing import pair
from tournaments.swiss.teams import boards_won

# Draws per 100 matches, then the number of levels of strength. A game is won with 50 % plus the difference of levels.
_DRAWS = 4
_STRENGTHS = 40


def simulate(*, players: int, rounds: int, seed: int, boards: int = 1) -> Field:
    """Simulate an event of best-of-3 matches.

    Stronger players win more often, and about 4 % of the matches are drawn. With several `boards`, each player is a
    team, and the games of a match are the boards that each team won. Raises `SwissError` `too_many_players` or
    `too_many_rounds` for sizes out of range.
    """
    if not 0 <= players <= MAX_PLAYERS:
        raise SwissError("too_many_players", f"from 0 to {MAX_PLAYERS} players", "--players")
    if not 0 <= rounds <= MAX_ROUNDS:
        raise SwissError("too_many_rounds", f"from 0 to {MAX_ROUNDS} rounds", "--rounds")
    # A stream of its own: the results must not change with the algorithm that pairs.
    rng = Random(f"simulate:{seed}")
    width = len(str(players))
    cast = tuple(Player(f"P{number:0{width}}", seed=number) for number in range(1, players + 1))
    strength = {player.id: rng.randrange(_STRENGTHS) for player in cast}
    field = Field(cast, ())
    for number in range(rounds if players else 0):
        found = pair(field, seed=seed + number)
        matches = [_met(a, b, strength[a] - strength[b], rng, boards) for a, b in found.pairs]
        if found.bye is not None:
            matches.append(Match(found.bye, None, 2 if boards == 1 else boards // 2 + 1, 0, 0, "bye"))
        field = Field(cast, (*field.rounds, tuple(matches)))
    return field


def _met(a: str, b: str, edge: int, rng: Random, boards: int) -> Match:
    if boards == 1:
        return _played(a, b, edge, rng)
    played = (_played(a, b, edge, rng) for _board in range(boards))
    return Match(a, b, *boards_won([(each.games_a, each.games_b, each.drawn) for each in played]))


def _played(a: str, b: str, edge: int, rng: Random) -> Match:
    if rng.randrange(100) < _DRAWS:
        return Match(a, b, 1, 1, rng.randrange(2))
    won = [0, 0]
    while max(won) < 2:
        won[rng.randrange(100) >= 50 + edge] += 1
    return Match(a, b, won[0], won[1], 0)
