"""From the matched kernel to a pairing of players: concrete ones for the anonymous nodes, then each large group."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from tournaments.swiss.costs import Cost, bye_cost, cost_of, floats_of, least_wishes, pair_cost, places, wishes
from tournaments.swiss.mates import BYE, Node
from tournaments.swiss.options import FOLD, SLIDE
from tournaments.swiss.situation import Situation

LOOK = 64
FEW = 8

Costing = Callable[[int], Cost]
Pair = tuple[int, int]
Pairs = list[Pair]


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
    away = 0
    if now.order is not None:
        first, last = now.order.ends[now.points[player]]
        away = last - now.order.place[player] if down else now.order.place[player] - first
    return Cost(floats=floats_of((now.downs if down else now.ups)[player]), places=away)


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
    """Pair a large group inside itself as its order wants, or by chance; what is barred or unwished is then swapped."""
    pairs = _ordered(now, pool)
    for i, pair in enumerate(pairs):
        if not now.open(*pair):
            _mend(now, pairs, i)
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
        line = sorted(pool, key=lambda player: now.sides[player])
        return list(zip(line[:half], reversed(line[half:]), strict=True))
    place = now.order.place
    line = sorted(pool, key=lambda player: place[player])
    if now.order.kind == FOLD:
        return list(zip(line[:half], reversed(line[half:]), strict=True))
    if now.order.kind == SLIDE:
        return list(zip(line[:half], line[half:], strict=True))
    return list(zip(line[::2], line[1::2], strict=True))


def _mend(now: Situation, pairs: Pairs, i: int) -> None:
    """Exchange the opponents of a barred pair with those of a near pair that allows it, the best of a few by the order.

    In a group of `2d + 2` there is one: the two players reach at least as many as the group holds, so some pair is
    reached three times of four.
    """
    ways = ((k, made) for k in _outward(i, len(pairs)) for made in _exchanges(now, pairs[i], pairs[k]))
    few = islice(ways, 1 if now.order is None else FEW)
    k, (pairs[i], pairs[k]) = min(few, key=lambda way: sum(places(now, *pair) for pair in way[1]))


def _grant(now: Situation, pairs: Pairs, i: int, missed: int) -> None:
    """Exchange opponents with the one of the nearest `LOOK` pairs that gains most wishes; `missed`: the most it can."""
    best, at, chosen = 0, i, (pairs[i], pairs[i])
    for k in islice(_outward(i, len(pairs)), LOOK):
        before = wishes(now, *pairs[i]) + wishes(now, *pairs[k])
        for made in _exchanges(now, pairs[i], pairs[k]):
            if (gain := before - sum(wishes(now, *pair) for pair in made)) > best:
                best, at, chosen = gain, k, made
        if best >= missed:
            break
    if best:
        pairs[i], pairs[at] = chosen


def _exchanges(now: Situation, one: Pair, two: Pair) -> Iterator[tuple[Pair, Pair]]:
    """The ways to exchange opponents between two pairs that make no barred pair."""
    (a, b), (c, d) = one, two
    if now.open(a, c) and now.open(b, d):
        yield (a, c), (b, d)
    if now.open(a, d) and now.open(b, c):
        yield (a, d), (b, c)


def _outward(i: int, size: int) -> Iterator[int]:
    """The other numbers below `size`, the nearest to i first."""
    for step in range(1, size):
        if i + step < size:
            yield i + step
        if i - step >= 0:
            yield i - step
