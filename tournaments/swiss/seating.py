"""Where pairs sit: the order of tables, fixed tables, and who gets the first seat."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import count

from tournaments.swiss.field import SwissError
from tournaments.swiss.situation import Situation


def in_order(now: Situation, pairs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Sort the pairs by table: by the higher match points, then the lower, then chance.

    Inside a pair, the player with more points comes first. Equals are ordered by number, which was drawn from the seed.
    """
    points = now.points
    seated = ((a, b) if (-points[a], a) < (-points[b], b) else (b, a) for a, b in pairs)
    return sorted(seated, key=lambda pair: (-points[pair[0]], -points[pair[1]], pair))


def first_seats(now: Situation, pairs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Give the first seat to the player who had it less often; equals stay as they are."""
    sides = now.sides
    return [(b, a) if sides[a] > sides[b] else (a, b) for a, b in pairs]


def free_tables(taken: Container[int], places: Sequence[int] = ()) -> Iterator[int]:
    """Tables that are not taken: those of `places` in order, or counted from 1 if `places` is empty.

    Raises `SwissError("tables_short")` once no table is left.
    """
    yield from (table for table in places or count(1) if table not in taken)
    raise SwissError("tables_short", "there are more pairs than tables", "tables")


def numbered(
    pairs: Sequence[tuple[str, ...]], fixed: Mapping[str, int], places: Sequence[int] = ()
) -> tuple[tuple[int, ...], dict[str, int]]:
    """The table of each pair, and the players who had to leave a fixed table, with their new table.

    Groups of three or more players are numbered like pairs. Fixed tables in use this round are not given to other
    pairs. Of two players with fixed tables, the one with the lower number stays. `places` is as in `free_tables`.
    """
    kept: dict[int, int] = {}
    moved: dict[str, int] = {}
    for at, pair in enumerate(pairs):
        # The lowest fixed table wins; the others in the group leave theirs.
        tables = sorted((fixed[player], player) for player in pair if player in fixed)
        if tables:
            kept[at] = tables[0][0]
            moved.update((player, kept[at]) for _, player in tables[1:])
    free = free_tables(set(kept.values()), places)
    return tuple(kept[at] if at in kept else next(free) for at in range(len(pairs))), moved
