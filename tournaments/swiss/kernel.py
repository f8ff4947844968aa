"""Exact pairing of fields of any size, by reducing large score groups to a handful of anonymous nodes.

Let `d` be the largest number of opponents any one player of a score group cannot meet. In a group of at least `2d + 2`
players, everybody can still meet at least half of the group. By Dirac's theorem the group can then be paired within
itself whenever its size is even, and a single swap always removes a rematch. All that matters to the rest of the field
is how many of its players leave the group.

The kernel holds every player of the other groups, the few players with unusually many barred opponents, and, for each
large group, some interchangeable nodes with the parity of its size. Its least cost is a lower bound for the cost of the
whole field once every large group has two anonymous nodes matched to each other; docs/pairing.md has the proof.
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

WHOLE = 32  # players up to which the field is matched as one graph
STILL_WHOLE = 300  # players up to which that is still done if the kernel leaves a level unproven
FIRST_SLOTS = 4  # anonymous nodes that a large group starts with
# At most this many players get nodes of their own, so that they do not raise the degree for everybody.
SINGLED_OUT = 16
IMPOSSIBLE = "the forbidden pairs leave no pairing of this field"
LEVELS = len(Cost._fields)


@dataclass(frozen=True, slots=True)
class Solution:
    """Pairs of player numbers, the player with the bye, and the cost.

    `proven` is the number of levels, counted from the first, that are proven to be least.
    """

    pairs: tuple[tuple[int, int], ...]
    bye: int | None
    cost: Cost
    proven: int

    @property
    def certified(self) -> bool:
        """Whether levels 1 to 4 are proven to be least."""
        return self.proven >= CERTIFIED


def solve(now: Situation, rng: Random, *, whole: int = WHOLE, limit: int = EDGE_LIMIT) -> Solution:
    """Pair the field: as one complete graph up to `whole` players, through its kernel above that.

    Up to `STILL_WHOLE` players the complete graph is solved as well if the kernel left a level unproven. If more than
    `limit` edges would be needed, the result is not certified. Raises `SwissError("impossible")` if the forbidden pairs
    leave no pairing.
    """
    if leaves_no_pairing(now):
        raise SwissError("impossible", IMPOSSIBLE)
    crowd = _crowd(now)
    found = _solve(now, crowd, {} if len(now.ids) <= whole else crowd.large(crowd.first()), rng, limit)
    if found.proven < LEVELS and whole < len(now.ids) <= STILL_WHOLE:
        return _solve(now, crowd, {}, rng, limit)
    return found


def _solve(now: Situation, crowd: Crowd, slots: Mapping[int, int], rng: Random, limit: int) -> Solution:
    """Match the kernel, with more anonymous nodes each time a group has no two of them matched to each other."""
    while True:
        found = mates(now, crowd.groups, crowd.nodes(slots), rng, limit=limit)
        if found is None and not slots:
            raise SwissError("impossible", IMPOSSIBLE)
        # Without a matching, every group counts as tight: too few nodes may be all that stands in the way.
        tight = sorted(slots.keys() - _spare(found.pairs if found else ()))
        if found is not None and not tight:
            return _solution(now, crowd, found, realize(now, crowd.groups, slots, found.pairs))
        slots = crowd.large({points: slots[points] + FIRST_SLOTS * (points in tight) for points in slots})


def _solution(now: Situation, crowd: Crowd, found: Mates, realized: Realized) -> Solution:
    bound = _bound(now, crowd.groups, found.pairs)
    proven = agreeing(realized.cost, bound) if found.exact else 0
    return Solution(tuple(realized.pairs), realized.bye, realized.cost, proven)


def agreeing(cost: Cost, bound: Cost) -> int:
    """The number of levels, counted from the first, on which a cost equals its lower bound."""
    return next((level for level, (own, least) in enumerate(zip(cost, bound, strict=True)) if own != least), LEVELS)


@dataclass(frozen=True, slots=True)
class Crowd:
    """The score groups, without the players in `alone`.

    Those have so many barred opponents that they get nodes of their own. `degree` is the largest number of opponents
    barred to any one player of the groups.
    """

    now: Situation
    groups: Mapping[int, Sequence[int]]
    alone: Sequence[int]
    degree: int

    def first(self) -> dict[int, int]:
        """The initial number of anonymous nodes of each group: a few, and one for each of its players in `alone`."""
        slots = dict.fromkeys(self.groups, FIRST_SLOTS)
        for player in self.alone:
            if self.now.points[player] in slots:
                slots[self.now.points[player]] += 1
        return slots

    def large(self, wanted: Mapping[int, int]) -> dict[int, int]:
        """The groups that are large with this many nodes, and the nodes of each, rounded up to the group's parity."""
        slots = {points: slots + (slots + len(self.groups[points])) % 2 for points, slots in wanted.items()}
        return {points: slots for points, slots in slots.items() if self._is_large(self.groups[points], slots)}

    def _is_large(self, members: Sequence[int], slots: int) -> bool:
        if len(members) < 2 * self.degree + 2 + slots:
            return False
        return all(sum(self.now.open(player, member) for member in members) >= slots for player in self.alone)

    def nodes(self, slots: Mapping[int, int]) -> list[Node]:
        """The nodes of the kernel, with `slots` anonymous ones for each large group."""
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
    """The points of the large groups that have two anonymous nodes matched to each other."""
    return {a.points for a, b in pairs if a == b}


def _bound(now: Situation, groups: Mapping[int, Sequence[int]], pairs: Iterable[tuple[Node, Node]]) -> Cost:
    """The cost of the kernel itself: a lower bound for each level, given the levels above it."""
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
    """The least cost of a pair across groups in which at least one of the two nodes is anonymous."""
    high, low = (first, second) if first.points > second.points else (second, first)
    floats = floats_of(now.downs[high.player]) if high.player >= 0 else 0
    floats += floats_of(now.ups[low.player]) if low.player >= 0 else 0
    return Cost(squares=(high.points - low.points) ** 2, floats=floats)
