"""Matching the nodes of a kernel at the least cost, with no more edges than an optimum can use.

A small kernel is matched with every edge. In a larger one a first pairing is found among neighbours in the order of
points. When it has no rematch, and the bye where it costs least, only its squares can be improved upon: an edge that no
pairing with so few squares can hold is left out, and what remains is matched exactly. The bound is proven in
docs/pairing.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, groupby, islice, pairwise
from random import Random
from typing import NamedTuple

from tournaments.swiss.costs import Cost, Scale, again, bye_cost, floats_of, places, scale_for, wishes
from tournaments.swiss.matching import cheapest_perfect
from tournaments.swiss.situation import Situation

DENSE = 80
EDGE_LIMIT = 1_200_000
FIRST_WIDTH = 12

ANYONE = -1
BYE = -2

Edges = list[tuple[int, int, int]]
Near = Callable[[int], Iterable[int]]


class Node(NamedTuple):
    """A node of the kernel: a player's number, `ANYONE` of the score group of these points, or `BYE`."""

    player: int
    points: int


@dataclass(frozen=True, slots=True)
class Mates:
    """A perfect matching of the nodes; `exact`: no matching of them costs less."""

    pairs: Sequence[tuple[Node, Node]]
    exact: bool


def mates(
    now: Situation,
    groups: Mapping[int, Sequence[int]],
    nodes: Iterable[Node],
    rng: Random,
    *,
    dense: int = DENSE,
    limit: int = EDGE_LIMIT,
) -> Mates | None:
    """Match the nodes, of which a `BYE` is the last; None if the forbidden pairs leave no matching of them.

    `groups` are the members of the score groups that have anonymous nodes. Up to `dense` nodes have every edge; what
    would need more than `limit` edges is matched among neighbours, and not `exact`.
    """
    graph = _graph(now, groups, nodes, rng)
    size = len(graph.nodes)
    if size <= dense:
        return graph.matched(graph.everybody, exact=True)
    first = _among_neighbours(graph)
    if first is None:
        return graph.matched(graph.everybody, exact=True)
    if not graph.has_cheapest_bye(first):
        return graph.matched(graph.everybody, exact=True) if size * size // 2 <= limit else first
    within = graph.within_squares(sum((a.points - b.points) ** 2 for a, b in first.pairs if b.player != BYE))
    if sum(map(len, within)) > limit:
        return first
    return graph.matched(within.__getitem__, exact=True)


def _among_neighbours(graph: _Graph) -> Mates | None:
    """The cheapest matching among ever more neighbours in the order of points, without rematches; None if none is."""
    width = FIRST_WIDTH
    while width < 4 * len(graph.nodes):
        near = [list(islice(graph.open_to(i, graph.everybody(i)), width)) for i in range(len(graph.real))]
        if (found := graph.matched(near.__getitem__, exact=False)) is not None:
            return found
        width *= 4
    return None


def _graph(now: Situation, groups: Mapping[int, Sequence[int]], nodes: Iterable[Node], rng: Random) -> _Graph:
    ordered = sorted(nodes, key=lambda node: (node.player == BYE, -node.points, node.player))
    real = [node for node in ordered if node.player != BYE]
    scale = scale_for(len(ordered), now.points, ordered=now.order is not None)
    byes = _bye_costs(now, groups, real) if len(real) < len(ordered) else []
    return _Graph(now, ordered, real, byes, scale, rng)


def _bye_costs(now: Situation, groups: Mapping[int, Sequence[int]], real: Iterable[Node]) -> list[Cost]:
    """What the bye costs at each node; at an anonymous one, the least that any member of its group would."""
    least: dict[int, Cost] = {}
    costs = []
    for node in real:
        if node.player >= 0:
            costs.append(bye_cost(now, node.player))
            continue
        if node.points not in least:
            least[node.points] = min(bye_cost(now, player) for player in groups[node.points])
        costs.append(least[node.points])
    return costs


@dataclass(frozen=True, slots=True)
class _Graph:
    """The nodes in the order of points, the bye last; `byes`: its cost at each other node, empty without a bye."""

    now: Situation
    nodes: Sequence[Node]
    real: Sequence[Node]
    byes: Sequence[Cost]
    scale: Scale
    rng: Random

    def everybody(self, i: int) -> Iterable[int]:
        """All nodes after node i, the bye left out."""
        return range(i + 1, len(self.real))

    def open_to(self, i: int, others: Iterable[int]) -> Iterator[int]:
        """Those of the nodes that node i has not met and may meet."""
        mine = self.real[i].player
        if mine < 0:
            return iter(others)
        shut = self.now.shut(mine)
        return (j for j in others if self.real[j].player not in shut)

    def matched(self, near: Near, *, exact: bool) -> Mates | None:
        """The cheapest matching with the edges from each node to those `near` it, and all edges of the bye."""
        edges = self._edges(near)
        chance, bits = self.rng.getrandbits, self.scale.chance_bits
        edges += [(i, len(self.real), self.scale.weigh(cost) + chance(bits)) for i, cost in enumerate(self.byes)]
        pairs = cheapest_perfect(len(self.nodes), edges)
        return None if pairs is None else Mates([(self.nodes[i], self.nodes[j]) for i, j in pairs], exact)

    def _edges(self, near: Near) -> Edges:
        """Every edge from a node to those near it, weighed as `pair_cost` says, and chance.

        Anonymous nodes have no history: what they cost is the least that any member of their group could.
        """
        now, nodes, unit = self.now, self.real, self.scale.weights
        chance, bits = self.rng.getrandbits, self.scale.chance_bits
        wished = bool(now.clubs or now.sides or now.order)
        players = [node.player for node in nodes]
        points = [node.points for node in nodes]
        down = [floats_of(now.downs[p]) * unit.floats if p >= 0 else 0 for p in players]
        up = [floats_of(now.ups[p]) * unit.floats if p >= 0 else 0 for p in players]
        nobody: frozenset[int] = frozenset()
        edges: Edges = []
        for i, a in enumerate(players):
            here = points[i]
            met = frozenset(now.met[a]) if a >= 0 else nobody
            shut = now.forbidden[a] if a >= 0 else nobody
            for j in near(i):
                b = players[j]
                if b in shut:
                    continue
                weight = chance(bits)
                if gap := here - points[j]:
                    weight += gap * gap * unit.squares + down[i] + up[j]
                if b in met:
                    weight += unit.rematches + again(now.met[a].count(b)) * unit.wishes
                if wished and a >= 0 and b >= 0:
                    weight += wishes(now, a, b) * unit.wishes + places(now, a, b) * unit.places
                edges.append((i, j, weight))
        return edges

    def has_cheapest_bye(self, found: Mates) -> bool:
        """Whether no node could have the bye at a lower cost of the levels above the squares."""
        if not self.byes:
            return True
        at = dict(zip(self.real, self.byes, strict=True))
        given = next(a for a, b in found.pairs if b.player == BYE)
        return at[given][:3] == min(self.byes)[:3]

    def within_squares(self, squares: int) -> list[list[int]]:
        """For each node, those after it whom it can meet in a matching of so many squares or fewer.

        The bye is taken to be where it costs least. Between two neighbouring levels of points, an odd number of nodes
        above makes some pair cross; each crossing costs at least the square of the step.
        """
        levels = [(points, len(list(nodes))) for points, nodes in groupby(self.real, key=lambda node: node.points)]
        gone = min(self.byes).bye_points if self.byes else None
        above = accumulate(size - (points == gone) for points, size in levels)
        steps = [(a - b) ** 2 for (a, _), (b, _) in pairwise(levels)]
        odd = [step * (count % 2) for step, count in zip(steps, above, strict=False)]
        least = sum(odd)
        # Meeting across a border turns its parity: what crossed it already need not, what did not must.
        turned = [0, *accumulate(step - 2 * need for step, need in zip(steps, odd, strict=True))]
        starts = [0, *accumulate(size for _, size in levels)]
        near = []
        for high, (points, size) in enumerate(levels):
            fits = [
                low
                for low in range(high, len(levels))
                if least + (points - levels[low][0]) ** 2 + turned[low] - turned[high] <= squares
            ]
            for i in range(starts[high], starts[high] + size):
                there = chain.from_iterable(range(max(starts[low], i + 1), starts[low + 1]) for low in fits)
                near.append(list(self.open_to(i, there)))
        return near
