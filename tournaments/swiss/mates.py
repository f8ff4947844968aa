"""Minimum-cost matching of the nodes of a kernel, leaving out edges that no optimal matching can use.

Small kernels are matched with every edge. For larger ones, a first matching is found among neighbors in the order of
points. If it has no rematch and the cheapest bye, only its squares can be improved: edges that no matching with at most
that many squares can contain are left out, and the rest is matched exactly. docs/pairing.md proves the bound.
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

DENSE = 80  # nodes up to which every edge is used
EDGE_LIMIT = 1_200_000  # beyond this, an exact matching would take too long
FIRST_WIDTH = 12  # neighbors of each node tried first

ANYONE = -1
BYE = -2

Edges = list[tuple[int, int, int]]
Near = Callable[[int], Iterable[int]]


class Node(NamedTuple):
    """A node of the kernel: a player's number, `ANYONE` of the score group with these points, or `BYE`."""

    player: int
    points: int


@dataclass(frozen=True, slots=True)
class Mates:
    """A perfect matching of the nodes. `exact` means that no matching of these nodes costs less."""

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
    """Match the nodes at the least cost, or return None if the forbidden pairs leave no matching.

    `nodes` has the `BYE` last, if there is one. `groups` holds the members of the score groups that have anonymous
    nodes. Up to `dense` nodes, all edges are used. If more than `limit` edges would be needed, only neighbors are
    matched, and the result is not `exact`.
    """
    graph = _graph(now, groups, nodes, rng)
    size = len(graph.nodes)
    # With few nodes, the shortcut below would save nothing.
    if size <= dense:
        return graph.matched(graph.everybody, exact=True)
    first = _among_neighbours(graph)
    if first is None:
        return graph.matched(graph.everybody, exact=True)
    # A cheaper bye may need more squares, so the bound below would not hold.
    if not graph.has_cheapest_bye(first):
        return graph.matched(graph.everybody, exact=True) if size * size // 2 <= limit else first
    within = graph.within_squares(sum((a.points - b.points) ** 2 for a, b in first.pairs if b.player != BYE))
    if sum(map(len, within)) > limit:
        return first
    return graph.matched(within.__getitem__, exact=True)


def _among_neighbours(graph: _Graph) -> Mates | None:
    """The cheapest matching without rematches among neighbors in the order of points.

    The number of neighbors grows until a matching exists; None if there is none.
    """
    width = FIRST_WIDTH
    while width < 4 * len(graph.nodes):
        near = [list(islice(graph.open_to(i, graph.everybody(i)), width)) for i in range(len(graph.real))]
        if (found := graph.matched(near.__getitem__, exact=False)) is not None:
            return found
        # Missing edges may be the only reason for the failure, so widen quickly up to the whole field.
        width *= 4
    return None


def _graph(now: Situation, groups: Mapping[int, Sequence[int]], nodes: Iterable[Node], rng: Random) -> _Graph:
    # In one fixed order: random bits are drawn edge by edge, and a seed must always give the same pairing.
    ordered = sorted(nodes, key=lambda node: (node.player == BYE, -node.points, node.player))
    real = [node for node in ordered if node.player != BYE]
    scale = scale_for(len(ordered), now.points, ordered=now.order is not None)
    byes = _bye_costs(now, groups, real) if len(real) < len(ordered) else []
    return _Graph(now, ordered, real, byes, scale, rng)


def _bye_costs(now: Situation, groups: Mapping[int, Sequence[int]], real: Iterable[Node]) -> list[Cost]:
    """The cost of the bye at each node; at an anonymous node, the least over the members of its group."""
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
    """The nodes in the order of points, with the bye last.

    `byes` holds the cost of the bye at each other node, and is empty without a bye.
    """

    now: Situation
    nodes: Sequence[Node]
    real: Sequence[Node]
    byes: Sequence[Cost]
    scale: Scale
    rng: Random

    def everybody(self, i: int) -> Iterable[int]:
        """All nodes after node i, without the bye."""
        return range(i + 1, len(self.real))

    def open_to(self, i: int, others: Iterable[int]) -> Iterator[int]:
        """Those of the nodes `others` that node i has not met and may meet."""
        mine = self.real[i].player
        if mine < 0:
            return iter(others)
        barred = self.now.barred(mine)
        return (j for j in others if self.real[j].player not in barred)

    def matched(self, near: Near, *, exact: bool) -> Mates | None:
        """The cheapest matching that uses the edges from each node to those `near` it, and all edges of the bye."""
        edges = self._edges(near)
        chance, bits = self.rng.getrandbits, self.scale.chance_bits
        edges += [(i, len(self.real), self.scale.weigh(cost) + chance(bits)) for i, cost in enumerate(self.byes)]
        pairs = cheapest_perfect(len(self.nodes), edges)
        return None if pairs is None else Mates([(self.nodes[i], self.nodes[j]) for i, j in pairs], exact)

    def _edges(self, near: Near) -> Edges:
        """All edges from a node to those near it, weighed by the same rules as `pair_cost`, plus chance.

        Anonymous nodes have no history, so their edges cost the least that any member of the group could.
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
            barred = now.forbidden[a] if a >= 0 else nobody
            for j in near(i):
                b = players[j]
                if b in barred:
                    continue
                # Inlined from `costs.pair_cost`: this loop dominates the time of a large pairing.
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
        """Whether no other bye would cost less on the levels above the squares."""
        if not self.byes:
            return True
        at = dict(zip(self.real, self.byes, strict=True))
        given = next(a for a, b in found.pairs if b.player == BYE)
        return at[given][:3] == min(self.byes)[:3]

    def within_squares(self, squares: int) -> list[list[int]]:
        """For each node, the later nodes it can meet in a matching of at most this many squares.

        The bye is assumed to be where it costs least. Where the number of nodes above a step between two levels of
        points is odd, at least one pair crosses it, at a cost of at least the square of the step.
        """
        levels = [(points, len(list(nodes))) for points, nodes in groupby(self.real, key=lambda node: node.points)]
        # The player with the bye meets nobody, so one node of that level does not count.
        bye_points = min(self.byes).bye_points if self.byes else None
        above = accumulate(size - (points == bye_points) for points, size in levels)
        steps = [(a - b) ** 2 for (a, _), (b, _) in pairwise(levels)]
        odd = [step * (count % 2) for step, count in zip(steps, above, strict=False)]
        least = sum(odd)
        # A pair that crosses a step flips the parity there: an odd step needs no further crossing, an even one does.
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
