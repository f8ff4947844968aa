"""From the matched kernel to a pairing of players: concrete ones for the anonymous nodes, then each large group."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import sub

from tournaments.swiss.costs import Cost, bye_cost, cost_of, floats_of, pair_cost
from tournaments.swiss.mates import BYE, Node
from tournaments.swiss.options import FOLD, SLIDE
from tournaments.swiss.situation import Situation

LOOK = 64

Costing = Callable[[int], Cost]
Pairs = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Realized:
    """A pairing of the whole field, and what it costs."""

    pairs: Pairs
    bye: int | None
    cost: Cost


def realize(
    now: Situation,
    groups: Mapping[int, Sequence[int]],
    large: Iterable[int],
    matched: Iterable[tuple[Node, Node]],
) -> Realized:
    """Concrete players for the anonymous nodes of the `large` groups, then each of these groups inside itself."""
    pools = {points: list(groups[points]) for points in large}
    pairs: Pairs = []
    bye: int | None = None
    for first, second in sorted(matched, key=lambda pair: (pair[1].player != BYE, pair[0].player < 0, pair)):
        if second.player == BYE:
            bye = _take(pools, first, lambda p: bye_cost(now, p))
        elif first != second:
            pairs.append(_concrete(now, pools, first, second))
    for pool in pools.values():
        pairs.extend(_within(now, pool))
    return Realized(pairs, bye, cost_of(now, pairs, bye))


def _concrete(now: Situation, pools: Mapping[int, list[int]], first: Node, second: Node) -> tuple[int, int]:
    look = LOOK if now.order is None else None  # an order wants those at the border of the group, wherever they stand
    if first.player < 0:
        first, second = second, first
    if first.player < 0:
        a = _take(pools, first, lambda p: _leaving(now, p, second.points), look=look)
    else:
        a = first.player
    if second.player >= 0:
        return a, second.player
    return a, _take(pools, second, lambda p: pair_cost(now, a, p), shut=now.shut(a), look=look)


def _leaving(now: Situation, player: int, towards: int) -> Cost:
    """What it costs that this player leaves the own group: earlier floats, and the places to the border crossed."""
    down = now.points[player] > towards
    places = 0
    if now.order is not None:
        first, last = now.order.ends[now.points[player]]
        places = last - now.order.place[player] if down else now.order.place[player] - first
    return Cost(floats=floats_of((now.downs if down else now.ups)[player]), places=places)


def _take(
    pools: Mapping[int, list[int]],
    node: Node,
    cost: Costing,
    shut: frozenset[int] = frozenset(),
    look: int | None = None,
) -> int:
    """The cheapest of the first `look` members of a large group outside `shut`, taken out of its pool.

    Or the node's player. The bye looks at every member, for its cost has a proven level.
    """
    if node.player >= 0:
        return node.player
    pool = pools[node.points]
    best = min(islice((player for player in pool if player not in shut), look), key=cost)
    pool.remove(best)
    return best


def _within(now: Situation, pool: Sequence[int]) -> Pairs:
    """Pair a large group inside itself as its order wants, or by chance; what is barred or unwished is then swapped.

    In a group of `2d + 2` a swap mends every rematch: the two players reach at least as many as the group holds, so
    some pair is reached three times of four.
    """
    pairs = _ordered(now, pool)
    wishful = bool(now.clubs or now.sides)
    for i, (a, b) in enumerate(pairs):
        if not now.open(a, b):
            _swap(now, pairs, i, look=None)
        elif wishful and pair_cost(now, a, b).wishes:
            _swap(now, pairs, i, look=LOOK)
    return pairs


def _ordered(now: Situation, pool: Sequence[int]) -> Pairs:
    half = len(pool) // 2
    if now.order is None:
        return list(zip(pool[::2], pool[1::2], strict=True))
    place = now.order.place
    line = sorted(pool, key=lambda player: place[player])
    if now.order.kind == FOLD:
        return list(zip(line[:half], reversed(line[half:]), strict=True))
    if now.order.kind == SLIDE:
        return list(zip(line[:half], line[half:], strict=True))
    return list(zip(line[::2], line[1::2], strict=True))


def _swap(now: Situation, pairs: Pairs, i: int, look: int | None) -> None:
    """Exchange the opponents of pair i with those of another pair, where that gains most.

    With a `look` the nearest so many pairs are tried, for a gain. Without, pair i is barred and any swap is better: the
    search ends at the first, or `LOOK` pairs on where it matters which one it is.
    """
    a, b = pairs[i]
    matters = bool(now.clubs or now.sides or now.order)
    best: tuple[Cost, int, Pairs] | None = None
    for seen, k in enumerate(_outward(i, len(pairs))):
        if seen == look or (best is not None and not (matters and seen < LOOK)):
            break
        c, d = pairs[k]
        for made in ([(a, c), (b, d)], [(a, d), (b, c)]):
            if all(now.open(*pair) for pair in made):
                gain = _change(now, [pairs[i], pairs[k]], made)
                if (look is None or gain < Cost()) and (best is None or gain < best[0]):
                    best = gain, k, made
    if best is not None:
        _, k, (pairs[i], pairs[k]) = best


def _change(now: Situation, before: Pairs, after: Pairs) -> Cost:
    """What each level costs more after than before."""
    return Cost(*map(sub, cost_of(now, after, None), cost_of(now, before, None)))


def _outward(i: int, size: int) -> Iterator[int]:
    """The other numbers below `size`, the nearest to i first."""
    for step in range(1, size):
        if i + step < size:
            yield i + step
        if i - step >= 0:
            yield i - step
