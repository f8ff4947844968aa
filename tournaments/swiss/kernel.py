"""Pairing a field of any size exactly: large score groups shrink to a handful of anonymous nodes.

In a score group of at least `2d + 2` players, `d` being the most opponents out of reach of one player, everybody can
still meet at least half of the group, so by Dirac's theorem it can be paired inside itself whenever its size is even,
and a single swap always mends a rematch. Only how many of its players leave it matters to the rest of the field. The
kernel holds every player of the other groups, the few whom many opponents are barred to, and, for each large group,
some interchangeable nodes of its parity. Its least cost is a lower bound on that of the field once every large group
keeps two anonymous nodes matched to each other; the proof stands in docs/pairing.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from random import Random
from typing import NamedTuple

from tournaments.swiss.costs import (
    Cost,
    Scale,
    again,
    bye_cost,
    floats_of,
    pair_cost,
    scale_for,
    total,
)
from tournaments.swiss.field import SwissError
from tournaments.swiss.matching import cheapest_perfect
from tournaments.swiss.situation import Situation

NODE_LIMIT = 1_500
WHOLE = 64
FIRST_SLOTS = 4
LOOK = 64
FIRST_WIDTH = 12
SINGLED_OUT = 16

ANYONE = -1
BYE = -2

Edges = list[tuple[int, int, int]]
Costing = Callable[[int], Cost]


class Node(NamedTuple):
    """A node of the kernel: a player's number, `ANYONE` of the score group of these points, or `BYE`."""

    player: int
    points: int


@dataclass(frozen=True, slots=True)
class Solution:
    """Pairs of player numbers, who has the bye, the cost, and whether levels 1 to 4 are proven least."""

    pairs: tuple[tuple[int, int], ...]
    bye: int | None
    cost: Cost
    certified: bool


def solve(now: Situation, rng: Random, *, whole: int = WHOLE, limit: int = NODE_LIMIT) -> Solution:
    """Pair the field: exactly while the kernel has at most `limit` nodes, whole when it has at most `whole` players.

    Raises `SwissError("impossible")` if the forbidden pairs leave no pairing at all.
    """
    crowd = _crowd(now)
    slots = {} if len(now.ids) <= whole else crowd.large(crowd.first())
    best: Solution | None = None
    while (nodes := _nodes(now, crowd, slots)) and len(nodes) <= limit:
        mates = _mates(now, crowd.groups, nodes, rng)
        tight = sorted(slots.keys() - _spare(mates or ()))
        if mates is not None:
            best = _realize(now, crowd.groups, slots, mates, proven=not tight)
            if not tight:
                return best
        elif not slots:
            raise SwissError("impossible", "the forbidden pairs leave no pairing of this field")
        wider = {points: slots[points] + FIRST_SLOTS * (points in tight) for points in slots}
        slots = crowd.large(wider)
    if best is not None and not best.cost.rematches:
        return best
    return _near_first(now, rng) if now.ids else Solution((), None, Cost(), True)


@dataclass(frozen=True, slots=True)
class Crowd:
    """The score groups without the few `alone` whom so many opponents are barred to that they stand for themselves.

    `degree`: the most opponents barred to one player of the groups.
    """

    now: Situation
    groups: Mapping[int, Sequence[int]]
    alone: Sequence[int]
    degree: int

    def first(self) -> dict[int, int]:
        """The anonymous nodes each group starts with: a few, and one for each of its players that stands alone."""
        slots = dict.fromkeys(self.groups, FIRST_SLOTS)
        for player in self.alone:
            if self.now.points[player] in slots:
                slots[self.now.points[player]] += 1
        return slots

    def large(self, wanted: Mapping[int, int]) -> dict[int, int]:
        """The anonymous nodes, made of the group's parity, of each group that is large with so many of them."""
        slots = {points: slots + (slots + len(self.groups[points])) % 2 for points, slots in wanted.items()}
        return {points: slots for points, slots in slots.items() if self._is_large(self.groups[points], slots)}

    def _is_large(self, members: Sequence[int], slots: int) -> bool:
        if len(members) < 2 * self.degree + 2 + slots:
            return False
        return all(sum(_open(self.now, player, member) for member in members) >= slots for player in self.alone)


def _crowd(now: Situation) -> Crowd:
    degrees = now.degrees()
    usual = sorted(degrees, reverse=True)[SINGLED_OUT] if len(degrees) > SINGLED_OUT else max(degrees, default=0)
    groups: dict[int, list[int]] = {}
    for player, points in enumerate(now.points):
        if degrees[player] <= usual:
            groups.setdefault(points, []).append(player)
    return Crowd(now, groups, [player for player, degree in enumerate(degrees) if degree > usual], usual)


def _nodes(now: Situation, crowd: Crowd, slots: Mapping[int, int]) -> list[Node]:
    nodes = [Node(player, now.points[player]) for player in crowd.alone]
    for points, members in crowd.groups.items():
        if points in slots:
            nodes.extend([Node(ANYONE, points)] * slots[points])
        else:
            nodes.extend(Node(player, points) for player in members)
    if len(now.ids) % 2:
        nodes.append(Node(BYE, 0))
    return nodes


def _spare(mates: Iterable[tuple[Node, Node]]) -> set[int]:
    """The large groups with two anonymous nodes matched to each other."""
    return {a.points for a, b in mates if a == b}


def _mates(
    now: Situation, groups: Mapping[int, Sequence[int]], nodes: Sequence[Node], rng: Random
) -> list[tuple[Node, Node]] | None:
    real = [node for node in nodes if node.player != BYE]
    scale = scale_for(len(nodes), now.points)
    edges = _pair_edges(now, real, scale, rng)
    if len(real) < len(nodes):
        edges += _bye_edges(now, groups, real, scale, rng)
    pairs = cheapest_perfect(len(nodes), edges)
    return None if pairs is None else [(nodes[i], nodes[j]) for i, j in pairs]


def _pair_edges(
    now: Situation, nodes: Sequence[Node], scale: Scale, rng: Random, near: Sequence[Iterable[int]] | None = None
) -> Edges:
    """Every edge between two nodes (or only from each node to `near`), weighed as `pair_cost` says, and chance.

    Anonymous nodes have no history: what they cost is the least that any member of their group could.
    """
    at = {node.player: i for i, node in enumerate(nodes) if node.player >= 0}
    met = [_meetings(now, node, at) for node in nodes]
    barred = [{at[o] for o in now.forbidden[n.player] if o in at} if n.player >= 0 else set() for n in nodes]
    points = [node.points for node in nodes]
    down = [floats_of(now.downs[n.player]) * scale.floats if n.player >= 0 else 0 for n in nodes]
    up = [floats_of(now.ups[n.player]) * scale.floats if n.player >= 0 else 0 for n in nodes]
    chance, bits, size = rng.getrandbits, scale.chance_bits, len(nodes)
    edges: Edges = []
    for i in range(size):
        here, mine, shut = points[i], met[i], barred[i]
        for j in range(i + 1, size) if near is None else near[i]:
            if j in shut:
                continue
            weight = chance(bits)
            if gap := here - points[j]:
                weight += gap * gap * scale.squares + (down[i] + up[j] if gap > 0 else up[i] + down[j])
            if j in mine:
                weight += scale.rematches + again(mine[j]) * scale.wishes
            edges.append((i, j, weight))
    return edges


def _meetings(now: Situation, node: Node, at: Mapping[int, int]) -> dict[int, int]:
    if node.player < 0:
        return {}
    return {at[other]: times for other, times in now.met[node.player].items() if other in at}


def _bye_edges(
    now: Situation, groups: Mapping[int, Sequence[int]], real: Sequence[Node], scale: Scale, rng: Random
) -> Edges:
    least: dict[int, Cost] = {}
    edges: Edges = []
    for i, node in enumerate(real):
        if node.player >= 0:
            cost = bye_cost(now, node.player)
        else:
            if node.points not in least:
                least[node.points] = min(bye_cost(now, player) for player in groups[node.points])
            cost = least[node.points]
        edges.append((i, len(real), scale.weigh(cost) + rng.getrandbits(scale.chance_bits)))
    return edges


def _realize(
    now: Situation,
    groups: Mapping[int, Sequence[int]],
    slots: Mapping[int, int],
    mates: Sequence[tuple[Node, Node]],
    *,
    proven: bool,
) -> Solution:
    """Concrete players for the anonymous nodes, then each large group inside itself."""
    pools = {points: list(groups[points]) for points in slots}
    pairs: list[tuple[int, int]] = []
    bye: int | None = None
    for first, second in sorted(mates, key=lambda pair: (pair[1].player != BYE, pair[0].player < 0, pair)):
        if second.player == BYE:
            bye = _take(pools, first, lambda p: bye_cost(now, p))
        elif first != second:
            pairs.append(_concrete(now, pools, first, second))
    for pool in pools.values():
        pairs.extend(_within(now, pool))
    cost = _cost(now, pairs, bye)
    proven = proven and cost.certifiable == _bound(now, groups, mates).certifiable
    return Solution(tuple(pairs), bye, cost, proven)


def _concrete(now: Situation, pools: Mapping[int, list[int]], first: Node, second: Node) -> tuple[int, int]:
    if first.player < 0:
        first, second = second, first
    if first.player < 0:
        falls = now.downs if first.points > second.points else now.ups
        a = _take(pools, first, lambda p: Cost(floats=floats_of(falls[p])))
    else:
        a = first.player
    if second.player >= 0:
        return a, second.player
    return a, _take(pools, second, lambda p: pair_cost(now, a, p), shut=now.met[a].keys() | now.forbidden[a])


def _take(pools: Mapping[int, list[int]], node: Node, cost: Costing, shut: Iterable[int] = ()) -> int:
    """The cheapest of the first members of a large group outside `shut`, taken out of its pool; or the node's player.

    The bye looks at every member (its cost has a proven level), the others at the first `LOOK` that are in reach.
    """
    if node.player >= 0:
        return node.player
    pool = pools[node.points]
    out = frozenset(shut)
    open_to = (player for player in pool if player not in out)
    best = min(islice(open_to, LOOK) if out else open_to, key=cost)
    pool.remove(best)
    return best


def _within(now: Situation, pool: Sequence[int]) -> list[tuple[int, int]]:
    """Pair a large group inside itself in its order of chance; each rematch is mended by one swap with another pair.

    In a group of `2d + 2` such a swap exists: the two players reach at least as many as the group holds, so some pair
    is reached three times of four.
    """
    pairs = list(zip(pool[::2], pool[1::2], strict=True))
    for i, (a, b) in enumerate(pairs):
        if _open(now, a, b):
            continue
        for k in chain(range(i + 1, len(pairs)), range(i)):
            c, d = pairs[k]
            if _open(now, a, d) and _open(now, b, c):
                c, d = d, c
            if _open(now, a, c) and _open(now, b, d):
                pairs[i], pairs[k] = (a, c), (b, d)
                break
    return pairs


def _open(now: Situation, a: int, b: int) -> bool:
    return b not in now.met[a] and b not in now.forbidden[a]


def _cost(now: Situation, pairs: Iterable[tuple[int, int]], bye: int | None) -> Cost:
    costs = [pair_cost(now, a, b) for a, b in pairs]
    if bye is not None:
        costs.append(bye_cost(now, bye))
    return total(costs)


def _bound(now: Situation, groups: Mapping[int, Sequence[int]], mates: Iterable[tuple[Node, Node]]) -> Cost:
    """The kernel's own cost, the lower bound (its levels 1 to 4)."""
    costs = []
    for first, second in mates:
        if second.player == BYE:
            members = (first.player,) if first.player >= 0 else groups[first.points]
            costs.append(min(bye_cost(now, player) for player in members))
        elif first.player >= 0 and second.player >= 0:
            costs.append(pair_cost(now, first.player, second.player))
        else:
            costs.append(Cost(squares=(first.points - second.points) ** 2))
    return total(costs)


def _near_first(now: Situation, rng: Random) -> Solution:
    """Past the kernel's bound: neighbours in the order of points, ever wider, without rematches; at last everybody."""
    order = sorted(range(len(now.ids)), key=lambda player: (-now.points[player], player))
    nodes = [Node(player, now.points[player]) for player in order]
    width = FIRST_WIDTH
    while width < len(nodes):
        pairs = _sparse(now, nodes, width, rng)
        if pairs is not None:
            return _built(now, pairs, certified=False)
        width *= 4
    if len(nodes) % 2:
        nodes.append(Node(BYE, 0))
    mates = _mates(now, {}, nodes, rng)
    if mates is None:
        raise SwissError("impossible", "the forbidden pairs leave no pairing of this field")
    return _built(now, mates, certified=True)


def _sparse(now: Situation, nodes: Sequence[Node], width: int, rng: Random) -> list[tuple[Node, Node]] | None:
    near = [list(islice(_reach(now, nodes, i), width)) for i in range(len(nodes))]
    odd = len(nodes) % 2
    scale = scale_for(len(nodes) + odd, now.points)
    edges = _pair_edges(now, nodes, scale, rng, near)
    if odd:
        edges += sorted(_bye_edges(now, {}, nodes, scale, rng), key=lambda edge: edge[2])[:width]
    pairs = cheapest_perfect(len(nodes) + odd, edges)
    everyone = [*nodes, Node(BYE, 0)]
    return None if pairs is None else [(everyone[i], everyone[j]) for i, j in pairs]


def _reach(now: Situation, nodes: Sequence[Node], i: int) -> Iterable[int]:
    return (j for j in range(i + 1, len(nodes)) if _open(now, nodes[i].player, nodes[j].player))


def _built(now: Situation, mates: Iterable[tuple[Node, Node]], *, certified: bool) -> Solution:
    pairs = tuple((a.player, b.player) for a, b in mates if b.player != BYE)
    bye = next((a.player for a, b in mates if b.player == BYE), None)
    return Solution(pairs, bye, _cost(now, pairs, bye), certified)
