"""Where the pairs sit: the order of tables, fixed tables, and who has the first seat."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import count

from tournaments.swiss.field import SwissError
from tournaments.swiss.situation import Situation


def in_order(now: Situation, pairs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Tables by the higher match points, then the lower, then chance; in a pair, the higher first, then chance."""
    points = now.points
    seated = ((a, b) if (-points[a], a) < (-points[b], b) else (b, a) for a, b in pairs)
    return sorted(seated, key=lambda pair: (-points[pair[0]], -points[pair[1]], pair))


def first_seats(now: Situation, pairs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Who had the first seat less often has it; among equals the pair stays as it is."""
    sides = now.sides
    return [(b, a) if sides[a] > sides[b] else (a, b) for a, b in pairs]


def free_tables(taken: Container[int], places: Sequence[int] = ()) -> Iterator[int]:
    """Tables that are not taken: of `places` in their order, or counted from 1 where there are none.

    Raises `SwissError("tables_short")` when no place is left.
    """
    yield from (table for table in places or count(1) if table not in taken)
    raise SwissError("tables_short", "there are more pairs than tables", "tables")


def numbered(
    pairs: Sequence[tuple[str, ...]], fixed: Mapping[str, int], places: Sequence[int] = ()
) -> tuple[tuple[int, ...], dict[str, int]]:
    """The table of each pair, and, for each player who leaves a fixed table for the opponent's, that table.

    Three and more who sit together are numbered as a pair is. Fixed tables that are needed in this round are left out
    by the others. Of two players with fixed tables, the one at the lower number stays. `places` as in `free_tables`.
    """
    kept: dict[int, int] = {}
    moved: dict[str, int] = {}
    for at, pair in enumerate(pairs):
        tables = sorted((fixed[player], player) for player in pair if player in fixed)
        if tables:
            kept[at] = tables[0][0]
            moved.update((player, kept[at]) for _, player in tables[1:])
    free = free_tables(set(kept.values()), places)
    return tuple(kept[at] if at in kept else next(free) for at in range(len(pairs))), moved
