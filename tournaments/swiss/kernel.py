"""Pairing a field of any size exactly: large score groups shrink to a handful of anonymous nodes.

In a score group of at least `2d + 2` players, `d` being the most opponents out of reach of one player, everybody can
still meet at least half of the group, so by Dirac's theorem it can be paired inside itself whenever its size is even,
and a single swap always mends a rematch. Only how many of its players leave it matters to the rest of the field. The
kernel holds every player of the other groups, the few whom many opponents are barred to, and, for each large group,
some interchangeable nodes of its parity. Its least cost is a lower bound on that of the field once every large group
keeps two anonymous nodes matched to each other; the proof stands in docs/pairing.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from tournaments.swiss.costs import CERTIFIED, Cost, bye_cost, floats_of, pair_cost, total
from tournaments.swiss.feasible import leaves_no_pairing
from tournaments.swiss.field import SwissError
from tournaments.swiss.mates import ANYONE, BYE, EDGE_LIMIT, Mates, Node, mates
from tournaments.swiss.realize import Realized, realize
from tournaments.swiss.situation import Situation

WHOLE = 32
STILL_WHOLE = 300
FIRST_SLOTS = 4
SINGLED_OUT = 16
IMPOSSIBLE = "the forbidden pairs leave no pairing of this field"
LEVELS = len(Cost._fields)


@dataclass(frozen=True, slots=True)
class Solution:
    """Pairs of player numbers, who has the bye, the cost, and how many levels, from the first, are proven least."""

    pairs: tuple[tuple[int, int], ...]
    bye: int | None
    cost: Cost
    proven: int

    @property
    def certified(self) -> bool:
        """Whether levels 1 to 4 are proven least."""
        return self.proven >= CERTIFIED


def solve(now: Situation, rng: Random, *, whole: int = WHOLE, limit: int = EDGE_LIMIT) -> Solution:
    """Pair the field: as one graph up to `whole` players, by its kernel above.

    Up to `STILL_WHOLE` players the whole graph has the last word where the kernel leaves a level open. What would need
    more than `limit` edges is not certified. Raises `SwissError("impossible")` if the forbidden pairs leave no pairing.
    """
    if leaves_no_pairing(now):
        raise SwissError("impossible", IMPOSSIBLE)
    crowd = _crowd(now)
    found = _solve(now, crowd, {} if len(now.ids) <= whole else crowd.large(crowd.first()), rng, limit)
    if found.proven < LEVELS and whole < len(now.ids) <= STILL_WHOLE:
        return _solve(now, crowd, {}, rng, limit)
    return found


def _solve(now: Situation, crowd: Crowd, slots: Mapping[int, int], rng: Random, limit: int) -> Solution:
    """Match the kernel with these anonymous nodes, and with more of them while a group keeps no two for itself."""
    while True:
        found = mates(now, crowd.groups, crowd.nodes(slots), rng, limit=limit)
        if found is None and not slots:
            raise SwissError("impossible", IMPOSSIBLE)
        tight = sorted(slots.keys() - _spare(found.pairs if found else ()))
        if found is not None and not tight:
            return _solution(now, crowd, found, realize(now, crowd.groups, slots, found.pairs))
        slots = crowd.large({points: slots[points] + FIRST_SLOTS * (points in tight) for points in slots})


def _solution(now: Situation, crowd: Crowd, found: Mates, made: Realized) -> Solution:
    bound = _bound(now, crowd.groups, found.pairs)
    proven = agreeing(made.cost, bound) if found.exact else 0
    return Solution(tuple(made.pairs), made.bye, made.cost, proven)


def agreeing(cost: Cost, bound: Cost) -> int:
    """The levels, from the first, on which a cost is its lower bound."""
    return next((level for level, (own, least) in enumerate(zip(cost, bound, strict=True)) if own != least), LEVELS)


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
        return all(sum(self.now.open(player, member) for member in members) >= slots for player in self.alone)

    def nodes(self, slots: Mapping[int, int]) -> list[Node]:
        """The nodes of the kernel with so many anonymous ones for each large group."""
        nodes = [Node(player, self.now.points[player]) for player in self.alone]
        for points, members in self.groups.items():
            if points in slots:
                nodes.extend([Node(ANYONE, points)] * slots[points])
            else:
                nodes.extend(Node(player, points) for player in members)
        if len(self.now.ids) % 2:
            nodes.append(Node(BYE, 0))
        return nodes


def _crowd(now: Situation) -> Crowd:
    degrees = now.degrees()
    usual = sorted(degrees, reverse=True)[SINGLED_OUT] if len(degrees) > SINGLED_OUT else max(degrees, default=0)
    groups: dict[int, list[int]] = {}
    for player, points in enumerate(now.points):
        if degrees[player] <= usual:
            groups.setdefault(points, []).append(player)
    return Crowd(now, groups, [player for player, degree in enumerate(degrees) if degree > usual], usual)


def _spare(pairs: Iterable[tuple[Node, Node]]) -> set[int]:
    """The large groups with two anonymous nodes matched to each other."""
    return {a.points for a, b in pairs if a == b}


def _bound(now: Situation, groups: Mapping[int, Sequence[int]], pairs: Iterable[tuple[Node, Node]]) -> Cost:
    """The kernel's own cost, the lower bound of each level given those above it."""
    costs = []
    for first, second in pairs:
        if second.player == BYE:
            members = (first.player,) if first.player >= 0 else groups[first.points]
            costs.append(min(bye_cost(now, player) for player in members))
        elif first.player >= 0 and second.player >= 0:
            costs.append(pair_cost(now, first.player, second.player))
        elif first.points != second.points:
            costs.append(_border_cost(now, first, second))
    return total(costs)


def _border_cost(now: Situation, first: Node, second: Node) -> Cost:
    """What meeting in another group costs at least, when one of the two nodes is anonymous."""
    high, low = (first, second) if first.points > second.points else (second, first)
    floats = floats_of(now.downs[high.player]) if high.player >= 0 else 0
    floats += floats_of(now.ups[low.player]) if low.player >= 0 else 0
    return Cost(squares=(high.points - low.points) ** 2, floats=floats)
