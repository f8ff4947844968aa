"""Multiplayer tables of two to five: splitting a field, seating it, and the points for a rank at a table."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random

from tournaments.swiss import table_solver
from tournaments.swiss.field import SwissError
from tournaments.swiss.table_bounds import Met, fewest_repeats, least_spread

ALGORITHM = "tables-1"
SOLVED = "tables-2"
"""The version of seatings in which `table_solver` found better tables than the exchange of players did."""
LEAST, USUAL, MOST = 3, 4, 5
FULL_POINTS = 24
"""Points for being alone in first place: the smallest number for which all shares below are integers."""
# Bounds on the local search, so that its time grows linearly with the number of tables.
_PASSES = 12
_WINDOW = 6


@dataclass(frozen=True, slots=True)
class Seating:
    """A round of tables, strongest first, with the players in the order of their seats.

    `cost` holds `repeats` (over all pairs at one table, how often they sat together before) and `spread` (over all
    tables, the squared differences between the points of each player and the highest at the table). `bound` holds, for
    the same keys, what is proven of every seating: none has fewer repeats, and none with as few has less spread.
    """

    tables: tuple[tuple[str, ...], ...]
    cost: Mapping[str, int]
    bound: Mapping[str, int]
    version: str = ALGORITHM

    @property
    def certified(self) -> bool:
        """Whether it is proven that no seating is better."""
        return self.cost == self.bound


def table_sizes(players: int, *, usual: int = USUAL, least: int = LEAST, most: int = MOST) -> tuple[int, ...]:
    """Split a field into tables of `least` to `most` players, larger tables first.

    The sizes are together as close to `usual` as possible. If that is a tie, there are more tables, because smaller
    ones are done sooner. With tables of 3 to 5 around 4: 6 is 3+3, 7 is 4+3, 9 is 5+4, 10 is 4+3+3, 11 is 4+4+3. Fewer
    players than `least` sit at a single table, down to two players. Raises `SwissError` `too_few_players` below two,
    `bad_table_size` for sizes out of order or outside 2 to 5, and `impossible` if no number of such tables seats
    everybody.
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
    effort: float = table_solver.EFFORT,
) -> Seating:
    """Seat players by score groups so that few of them sit together again.

    `points` holds the table points of each player so far, and `rounds` the tables of earlier rounds. Players are sorted
    by points (equals at random) and cut into tables. Players of nearby tables then swap places as long as that lowers
    first `repeats`, then `spread`. If the result is not proven to be the best by counting, and OR-tools is installed,
    `table_solver` looks for better tables with the given effort, 0 for none. Without it the result depends only on the
    arguments and the seed, not on the order of the players; with it, also on the version of OR-tools.
    """
    rng = Random(f"{ALGORITHM}:{seed}")
    order = sorted(points)
    # Shuffle before the stable sort: players with equal points end up in random order.
    rng.shuffle(order)
    order.sort(key=lambda player: -points[player])
    sizes = table_sizes(len(order), usual=usual, least=least, most=most)
    met = _met(rounds)
    found = _exchanged(order, sizes, met, points)
    if effort and not found.certified and len(order) <= table_solver.MOST_PLAYERS and table_solver.available():
        found = _solved(found, order, sizes, met, points, effort)
    tables = [list(table) for table in found.tables]
    for table in tables:
        # Seats must not follow the points.
        rng.shuffle(table)
    return replace(found, tables=tuple(map(tuple, tables)))


def recounted(
    points: Mapping[str, int],
    rounds: Sequence[Iterable[Sequence[str]]],
    tables: Sequence[Sequence[str]],
    *,
    effort: float = table_solver.EFFORT,
) -> Seating:
    """The cost of given tables, and what is proven of every seating with tables of the same sizes.

    If the tables are not proven to be the best by counting, `table_solver` looks for better ones. It returns those if
    there are any, with the version `SOLVED`: the given tables are the best if the result is certified and is theirs.
    """
    order = sorted((player for table in tables for player in table), key=lambda player: (-points[player], player))
    sizes, met = [len(table) for table in tables], _met(rounds)
    bound = fewest_repeats(order, met, sizes), least_spread([points[player] for player in order], sizes)
    found = Seating(tuple(map(tuple, tables)), _figures(_cost(tables, met, points)), _figures(bound), "")
    if effort and not found.certified and len(order) <= table_solver.MOST_PLAYERS and table_solver.available():
        found = _solved(found, order, sizes, met, points, effort)
    return found


def _exchanged(order: Sequence[str], sizes: Sequence[int], met: Met, points: Mapping[str, int]) -> Seating:
    """Cut the order into tables, and swap players as long as that costs less."""
    tables: list[list[str]] = []
    for size in sizes:
        tables.append([*order[sum(map(len, tables)) :][:size]])
    for _pass in range(_PASSES):
        if not _improved(tables, met, points):
            break
    bound = fewest_repeats(order, met, sizes), least_spread([points[player] for player in order], sizes)
    return Seating(tuple(map(tuple, tables)), _figures(_cost(tables, met, points)), _figures(bound))


def _solved(
    found: Seating, order: Sequence[str], sizes: Sequence[int], met: Met, points: Mapping[str, int], effort: float
) -> Seating:
    """The same seating with a better bound, or a better one."""
    problem = table_solver.Problem(order, [points[player] for player in order], met, sizes)
    before = found.cost["repeats"], found.cost["spread"]
    bound = found.bound["repeats"], found.bound["spread"]
    solution = table_solver.improved(problem, found.tables, before, bound, effort=effort)
    proven = _figures((solution.repeats_bound, solution.spread_bound))
    cost = _cost(solution.tables, met, points)
    if cost >= before:
        return replace(found, bound=proven)
    return Seating(solution.tables, _figures(cost), proven, SOLVED)


def _figures(cost: tuple[int, int]) -> dict[str, int]:
    return dict(zip(("repeats", "spread"), cost, strict=True))


def _met(rounds: Iterable[Iterable[Sequence[str]]]) -> Mapping[str, Counter[str]]:
    """How often two players sat together in these rounds."""
    met: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for tables in rounds:
        for table in tables:
            for a, b in combinations(table, 2):
                met[a][b] += 1
                met[b][a] += 1
    return met


def _cost(tables: Iterable[Sequence[str]], met: Met, points: Mapping[str, int]) -> tuple[int, int]:
    repeats = spread = 0
    for table in tables:
        top = max(points[player] for player in table)
        spread += sum((top - points[player]) ** 2 for player in table)
        repeats += sum(met[a].get(b, 0) for a, b in combinations(table, 2) if a in met)
    return repeats, spread


def _improved(tables: list[list[str]], met: Met, points: Mapping[str, int]) -> bool:
    """Swap players between nearby tables wherever that costs less. Returns whether anything changed."""
    changed = False
    for here, first in enumerate(tables):
        for second in tables[here + 1 : here + 1 + _WINDOW]:
            while _best_change(first, second, met, points):
                changed = True
    return changed


def _best_change(first: list[str], second: list[str], met: Met, points: Mapping[str, int]) -> bool:
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
    """The points for the ranks of a table: `FULL_POINTS` for first, 0 for last, and evenly spaced in between.

    This makes tables of different size comparable: the middle of a table of three gets as much as the middle of a table
    of five. Tied players share the average of the places they take. Raises `SwissError` `bad_ranks` if these are not
    valid ranks of a table of 2 to 5 players: 1, 2, 2, 4 are valid, 1, 3, 3, 4 are not.

        table_points([1, 2, 2, 4])  # (24, 12, 12, 0)
    """
    size = len(ranks)
    taken = Counter(ranks)
    if not 2 <= size <= MOST or any(rank != 1 + sum(other < rank for other in ranks) for rank in taken):
        raise SwissError("bad_ranks", "the ranks of a table start at 1, and equals leave the next ones free", "ranks")
    return tuple(FULL_POINTS * (2 * (size - rank) - taken[rank] + 1) // (2 * (size - 1)) for rank in ranks)
