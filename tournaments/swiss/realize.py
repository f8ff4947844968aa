"""Turn a matched kernel into a pairing of players.

Anonymous nodes become concrete players, then each large group is paired within itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from tournaments.swiss.costs import Cost, bye_cost, cost_of, floats_of, least_wishes, pair_cost, places, wishes
from tournaments.swiss.mates import BYE, Node
from tournaments.swiss.options import FOLD, SLIDE
from tournaments.swiss.situation import Situation

# Bounds on the candidates considered, to keep large groups fast. Only levels that are not certified depend on them.
WINDOW = 64
FEW = 8

Costing = Callable[[int], Cost]
Pair = tuple[int, int]
Pairs = list[Pair]


@dataclass(frozen=True, slots=True)
class Realized:
    """A pairing of the whole field, and its cost."""

    pairs: Pairs
    bye: int | None
    cost: Cost


def realize(
    now: Situation,
    groups: Mapping[int, Sequence[int]],
    large: Iterable[int],
    matched: Iterable[tuple[Node, Node]],
) -> Realized:
    """Pick players for the anonymous nodes of the `large` groups, then pair each of these groups within itself.

    `groups` holds the members of the score groups by points; `matched` holds the pairs of nodes, with the bye second.
    """
    pools = {points: list(groups[points]) for points in large}
    pairs: Pairs = []
    bye: int | None = None
    # The bye takes the member for whom it is cheapest, so it chooses first; then real players, then anonymous ones.
    for first, second in sorted(matched, key=lambda pair: (pair[1].player != BYE, pair[0].player < 0, pair)):
        if second.player == BYE:
            bye = _take(pools, first, lambda p: bye_cost(now, p))
        elif first != second:
            pairs.append(_concrete(now, pools, first, second))
    for pool in pools.values():
        pairs.extend(_within(now, pool))
    return Realized(pairs, bye, cost_of(now, pairs, bye))


def _concrete(now: Situation, pools: Mapping[int, list[int]], first: Node, second: Node) -> tuple[int, int]:
    window = WINDOW if now.order is None else None  # with an order, the best are at the border of the group
    if first.player < 0:
        first, second = second, first
    if first.player < 0:
        a = _take(pools, first, lambda p: _leaving(now, p, second.points), window=window)
    else:
        a = first.player
    if second.player >= 0:
        return a, second.player
    return a, _take(pools, second, lambda p: pair_cost(now, a, p), barred=now.barred(a), window=window)


def _leaving(now: Situation, player: int, towards: int) -> Cost:
    """The cost of this player leaving their group: earlier floats, and the distance to the border that is crossed."""
    down = now.points[player] > towards
    away = 0
    if now.order is not None:
        first, last = now.order.ends[now.points[player]]
        away = last - now.order.place[player] if down else now.order.place[player] - first
    return Cost(floats=floats_of((now.downs if down else now.ups)[player]), places=away)


def _take(
    pools: Mapping[int, list[int]],
    node: Node,
    cost: Costing,
    barred: frozenset[int] = frozenset(),
    window: int | None = None,
) -> int:
    """Remove and return the cheapest of the first `window` members of a large group that are not in `barred`.

    A node with a player of its own returns that player. For the bye every member is considered, because its cost is
    certified.
    """
    if node.player >= 0:
        return node.player
    pool = pools[node.points]
    best = min(islice((player for player in pool if player not in barred), window), key=cost)
    pool.remove(best)
    return best


def _within(now: Situation, pool: Sequence[int]) -> Pairs:
    """Pair a large group within itself, in its order or at random.

    Barred pairs are then removed by swaps, and missed wishes where a swap helps.
    """
    pairs = _ordered(now, pool)
    for i, pair in enumerate(pairs):
        if not now.open(*pair):
            _separate(now, pairs, i)
    if now.clubs or now.sides:
        for i, pair in enumerate(pairs):
            if missed := wishes(now, *pair) - sum(least_wishes(now, player) for player in pair):
                _grant(now, pairs, i, missed)
    return pairs


def _ordered(now: Situation, pool: Sequence[int]) -> Pairs:
    half = len(pool) // 2
    if now.order is None:
        if not now.sides:
            return list(zip(pool[::2], pool[1::2], strict=True))
        # Pairs players who went first most often with those who went first least often.
        line = sorted(pool, key=lambda player: now.sides[player])
        return list(zip(line[:half], reversed(line[half:]), strict=True))
    place = now.order.place
    line = sorted(pool, key=lambda player: place[player])
    if now.order.kind == FOLD:
        return list(zip(line[:half], reversed(line[half:]), strict=True))
    if now.order.kind == SLIDE:
        return list(zip(line[:half], line[half:], strict=True))
    return list(zip(line[::2], line[1::2], strict=True))


def _separate(now: Situation, pairs: Pairs, i: int) -> None:
    """Swap opponents between a barred pair and a nearby pair such that both new pairs may meet.

    With an order, take the best of a few such swaps. In a group of at least `2d + 2` players a swap exists: together
    the two players can meet at least as many as there are others, so some other pair has three of the four possible
    links to them.
    """
    swaps = ((k, new) for k in _outward(i, len(pairs)) for new in _exchanges(now, pairs[i], pairs[k]))
    few = islice(swaps, 1 if now.order is None else FEW)
    k, (pairs[i], pairs[k]) = min(few, key=lambda swap: sum(places(now, *pair) for pair in swap[1]))


def _grant(now: Situation, pairs: Pairs, i: int, missed: int) -> None:
    """Swap opponents with the one of the nearest `WINDOW` pairs that fulfills the most wishes.

    `missed` is the most that can be gained, so the search stops there.
    """
    best, at, chosen = 0, i, (pairs[i], pairs[i])
    for k in islice(_outward(i, len(pairs)), WINDOW):
        before = wishes(now, *pairs[i]) + wishes(now, *pairs[k])
        for new in _exchanges(now, pairs[i], pairs[k]):
            if (gain := before - sum(wishes(now, *pair) for pair in new)) > best:
                best, at, chosen = gain, k, new
        if best >= missed:
            break
    if best:
        pairs[i], pairs[at] = chosen


def _exchanges(now: Situation, one: Pair, two: Pair) -> Iterator[tuple[Pair, Pair]]:
    """The ways to swap opponents between two pairs that create no barred pair."""
    (a, b), (c, d) = one, two
    if now.open(a, c) and now.open(b, d):
        yield (a, c), (b, d)
    if now.open(a, d) and now.open(b, c):
        yield (a, d), (b, c)


def _outward(i: int, size: int) -> Iterator[int]:
    """The other numbers below `size`, nearest to i first."""
    for step in range(1, size):
        if i + step < size:
            yield i + step
        if i - step >= 0:
            yield i - step
