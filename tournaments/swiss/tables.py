"""Tables of two to five players: how a field is split, who sits together, and what a rank at a table is worth."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from tournaments.swiss.field import SwissError

ALGORITHM = "tables-1"
LEAST, USUAL, MOST = 3, 4, 5
FULL_POINTS = 24
"""Table points of who is first at a table alone: the least number that makes every share below a whole number."""
_PASSES = 12
_WINDOW = 6


@dataclass(frozen=True, slots=True)
class Seating:
    """A round: tables with the strongest first, seats in their order; the cost of it.

    `cost` has `repeats` (over all pairs who sit together, how often they did before) and `spread` (over all tables, the
    squared distance of the points from the table's first).
    """

    tables: tuple[tuple[str, ...], ...]
    cost: Mapping[str, int]
    version: str = ALGORITHM


def table_sizes(players: int, *, usual: int = USUAL, least: int = LEAST, most: int = MOST) -> tuple[int, ...]:
    """The sizes of the tables of a field, larger ones first: each from `least` to `most`, as near to `usual` as can be.

    The rule: the sizes are together as near to `usual` as possible; of ways that are equal, the one with more tables,
    which are smaller and done sooner. With tables of 3 to 5 around 4: 6 is 3+3, 7 is 4+3, 9 is 5+4, 10 is 4+3+3, 11 is
    4+4+3. A field of fewer players than two tables need sits at one, down to two players. Raises `SwissError`
    `too_few_players` below two, `bad_table_size` for sizes out of order or beyond 2 to 5, and `impossible` when no
    number of such tables seats so many.
    """
    if not 2 <= least <= usual <= most <= MOST:
        raise SwissError("bad_table_size", f"tables have 2 to {MOST} seats, the least first", "usual")
    if players < 2:
        raise SwissError("too_few_players", "a table needs two players", "players")
    if players < least:
        return (players,)
    ways = [_even(players, tables) for tables in range(-(-players // most), players // least + 1)]
    if not ways:
        raise SwissError("impossible", f"{players} players cannot be split into such tables", "players")
    return min(ways, key=lambda sizes: (sum(abs(size - usual) for size in sizes), -len(sizes)))


def _even(players: int, tables: int) -> tuple[int, ...]:
    size, more = divmod(players, tables)
    return (size + 1,) * more + (size,) * (tables - more)


def seat_tables(
    points: Mapping[str, int],
    rounds: Sequence[Iterable[Sequence[str]]],
    *,
    seed: int,
    usual: int = USUAL,
    least: int = LEAST,
    most: int = MOST,
) -> Seating:
    """Seat the players of `points` (their table points so far) by score groups, so that few sit together again.

    `rounds` are the tables of the rounds before. Players are listed by points, equals by chance, and cut into tables;
    then players of tables near each other change places as long as that lowers first `repeats`, then `spread`. Good,
    not proven best. The answer depends on what is given and the seed, never on the order of the players.
    """
    rng = Random(f"{ALGORITHM}:{seed}")
    order = sorted(points)
    rng.shuffle(order)
    order.sort(key=lambda player: -points[player])
    tables: list[list[str]] = []
    for size in table_sizes(len(order), usual=usual, least=least, most=most):
        tables.append(order[sum(map(len, tables)) :][:size])
    met = _met(rounds)
    for _pass in range(_PASSES):
        if not _improved(tables, met, points):
            break
    for table in tables:
        rng.shuffle(table)
    return Seating(tuple(map(tuple, tables)), dict(zip(("repeats", "spread"), _cost(tables, met, points), strict=True)))


def _met(rounds: Iterable[Iterable[Sequence[str]]]) -> Mapping[str, Counter[str]]:
    met: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for tables in rounds:
        for table in tables:
            for a, b in combinations(table, 2):
                met[a][b] += 1
                met[b][a] += 1
    return met


def _cost(
    tables: Iterable[Sequence[str]], met: Mapping[str, Counter[str]], points: Mapping[str, int]
) -> tuple[int, int]:
    repeats = spread = 0
    for table in tables:
        top = max(points[player] for player in table)
        spread += sum((top - points[player]) ** 2 for player in table)
        repeats += sum(met[a][b] for a, b in combinations(table, 2) if a in met)
    return repeats, spread


def _improved(tables: list[list[str]], met: Mapping[str, Counter[str]], points: Mapping[str, int]) -> bool:
    """Change places between near tables wherever that costs less; whether any change was made."""
    changed = False
    for here, first in enumerate(tables):
        for second in tables[here + 1 : here + 1 + _WINDOW]:
            while _best_change(first, second, met, points):
                changed = True
    return changed


def _best_change(
    first: list[str], second: list[str], met: Mapping[str, Counter[str]], points: Mapping[str, int]
) -> bool:
    now = _cost((first, second), met, points)
    best, move = now, None
    for i in range(len(first)):
        for j in range(len(second)):
            first[i], second[j] = second[j], first[i]
            cost = _cost((first, second), met, points)
            if cost < best:
                best, move = cost, (i, j)
            first[i], second[j] = second[j], first[i]
    if move is None:
        return False
    i, j = move
    first[i], second[j] = second[j], first[i]
    return True


def table_points(ranks: Sequence[int]) -> tuple[int, ...]:
    """What the ranks of a table are worth: `FULL_POINTS` for the first, 0 for the last, the others evenly between.

    Tables of unequal size are comparable so: the middle of a table of three is worth as much as that of a table of
    five. Players of one rank share the average of the places they take. Raises `SwissError` `bad_ranks` when the ranks
    are not those of a table of 2 to 5: 1, 2, 2, 4 are, 1, 3, 3, 4 are not.
    """
    size = len(ranks)
    taken = Counter(ranks)
    if not 2 <= size <= MOST or any(rank != 1 + sum(other < rank for other in ranks) for rank in taken):
        raise SwissError("bad_ranks", "the ranks of a table start at 1, and equals leave the next ones free", "ranks")
    return tuple(FULL_POINTS * (2 * (size - rank) - taken[rank] + 1) // (2 * (size - 1)) for rank in ranks)
