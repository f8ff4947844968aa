"""Round-robin schedules: everybody plays everybody once or twice, by the circle method."""

from __future__ import annotations

from collections.abc import Sequence

from tournaments.swiss.field import SwissError

MAX_PLAYERS = 64
Pairs = tuple[tuple[str, str | None], ...]
"""One round. With an odd number of players, the one with the bye comes last, paired with None."""


def round_robin(players: Sequence[str], *, twice: bool = False) -> tuple[Pairs, ...]:
    """The rounds of a round robin for 2 to `MAX_PLAYERS` players.

    There is one round fewer than players, or as many if their number is odd. The first player stays in place and the
    others move one place around the circle. First seats alternate, so that nobody has them much more often than others;
    `twice` adds all rounds again with the seats exchanged. Raises `SwissError` `too_few_players`, `too_many_players` or
    `duplicate_player`.

        round_robin(["A", "B", "C"])[0]  # (("B", "C"), ("A", None))
    """
    if len(players) < 2:
        raise SwissError("too_few_players", "a round robin needs two players", "players")
    if len(players) > MAX_PLAYERS:
        raise SwissError("too_many_players", f"a round robin has at most {MAX_PLAYERS} players", "players")
    if len(set(players)) < len(players):
        raise SwissError("duplicate_player", "a player is listed twice", "players")
    circle: list[str | None] = [*players, *([None] if len(players) % 2 else [])]
    once = []
    for number in range(len(circle) - 1):
        once.append(_round(circle, number))
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return (*once, *(_turned(pairs) for pairs in once)) if twice else tuple(once)


def _round(circle: Sequence[str | None], number: int) -> Pairs:
    pairs: list[tuple[str, str | None]] = []
    bye: list[tuple[str, str | None]] = []
    for place in range(len(circle) // 2):
        a, b = circle[place], circle[-1 - place]
        # The fixed player changes seats from round to round. The others change as they move to the next place.
        if (number if place == 0 else place) % 2:
            a, b = b, a
        if a is None or b is None:
            alone = b if a is None else a
            bye = [(alone, None)] if alone is not None else []
        else:
            pairs.append((a, b))
    return (*pairs, *bye)


def _turned(pairs: Pairs) -> Pairs:
    return tuple((a, b) if b is None else (b, a) for a, b in pairs)
