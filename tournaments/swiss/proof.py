"""Search for a certificate that a pairing is optimal, with Edmonds' algorithm in its simplest form.

Nothing found here needs to be trusted: `certificate.refusals` checks it. As in docs/pairing.md, large score groups are
represented by a few anonymous nodes. In the certificate, their players have the figure 0, and each set holds all or
none of them; docs/pairing.md explains why that is enough. The search starts over after every step, which is slow but
short.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tournaments.swiss.certificate import BYE, Certificate, Position

WHOLE = 32
MOST = 300  # nodes of a graph; no certificate is searched for in larger ones
FIRST_NODES = 4
SINGLED_OUT = 16

Costs = list[list[int | None]]
Link = tuple[int, int]


def prove(position: Position) -> Certificate | None:
    """Find a certificate for the optimal pairings of a position.

    Returns None if the graph has more than `MOST` nodes, or if there is no pairing.
    """
    crowd = _Crowd(position)
    slots = {} if len(position.nodes) <= WHOLE else crowd.first()
    while True:
        nodes = crowd.nodes(slots)
        if len(nodes) > MOST:
            return None
        found = _Search(crowd.costs(nodes))
        matched = found.run()
        if not matched and not slots:
            return None
        # A group with two nodes matched to each other has nodes to spare: more of them would gain nothing. The others
        # get more nodes, until none is tight (docs/pairing.md).
        tight = slots.keys() - (_spare(nodes, found.mate) if matched else set())
        if matched and not tight:
            return _certificate(crowd, nodes, found)
        slots = crowd.large({points: count + FIRST_NODES * (points in tight) for points, count in slots.items()})


@dataclass(frozen=True, slots=True)
class _Node:
    """A player, the bye, or (with `player` None) any player of the large group with these points."""

    points: int
    player: str | None


def _spare(nodes: Sequence[_Node], mate: Sequence[int]) -> set[int]:
    """The points of the large groups that have two nodes matched to each other."""
    return {node.points for node, other in zip(nodes, mate, strict=True) if node == nodes[other]}


class _Crowd:
    """The score groups of a position, without the few players with unusually many barred opponents."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.barred: defaultdict[str, set[str]] = defaultdict(set)
        for one, two in map(sorted, position.met | position.forbidden):
            self.barred[one].add(two)
            self.barred[two].add(one)
        counts = sorted((len(self.barred[player]) for player in position.points), reverse=True)
        self.usual = counts[SINGLED_OUT] if len(counts) > SINGLED_OUT else max(counts, default=0)
        self.groups: defaultdict[int, list[str]] = defaultdict(list)
        self.alone: list[str] = []
        for player, points in sorted(position.points.items()):
            if len(self.barred[player]) <= self.usual:
                self.groups[points].append(player)
            else:
                self.alone.append(player)

    def first(self) -> dict[int, int]:
        """The initial number of nodes of each large group."""
        own = [self.position.points[player] for player in self.alone]
        return self.large({points: FIRST_NODES + own.count(points) for points in self.groups})

    def large(self, wanted: Mapping[int, int]) -> dict[int, int]:
        """The groups that are large with this many nodes, and the nodes of each, rounded up to the group's parity."""
        even = {points: count + (count + len(self.groups[points])) % 2 for points, count in wanted.items()}
        return {points: count for points, count in even.items() if self._is_large(self.groups[points], count)}

    def _is_large(self, members: list[str], count: int) -> bool:
        # So that those who stay in the group can always be paired among themselves (docs/pairing.md, point 4).
        if len(members) < 2 * self.usual + 2 + count:
            return False
        return all(sum(member not in self.barred[player] for member in members) >= count for player in self.alone)

    def nodes(self, slots: Mapping[int, int]) -> list[_Node]:
        """The nodes of the graph."""
        nodes = [_Node(self.position.points[player], player) for player in self.alone]
        for points, members in self.groups.items():
            if points in slots:
                nodes += [_Node(points, None)] * slots[points]
            else:
                nodes += [_Node(points, player) for player in members]
        return nodes + ([_Node(0, BYE)] if BYE in self.position.nodes else [])

    def costs(self, nodes: Sequence[_Node]) -> Costs:
        """The matrix of costs between the nodes; None for nodes that must not meet."""
        return [
            [None if i == j else self._cost(one, two) for j, two in enumerate(nodes)] for i, one in enumerate(nodes)
        ]

    def _cost(self, one: _Node, two: _Node) -> int | None:
        if one.player is not None and two.player is not None:
            may = self.position.may_meet(one.player, two.player)
            return self.position.cost(one.player, two.player) if may else None
        named, other = (one, two) if one.player is not None else (two, one)
        if named.player == BYE:
            # Any member may get the bye, so the node stands for the one for whom it costs least.
            return min(self.position.cost(BYE, player) for player in self.groups[other.points])
        return (one.points - two.points) ** 2


def _certificate(crowd: _Crowd, nodes: Sequence[_Node], found: _Search) -> Certificate:
    """The figures found by the search, with the players of large groups in place of their nodes."""
    figures = {
        node.player: value
        for node, value in zip(nodes, found.figures(), strict=True)
        if node.player is not None and value
    }
    count = Counter(nodes)
    sets = []
    for members, value in found.sets():
        inside = Counter(nodes[number] for number in members)
        # Drop sets that split the nodes of a large group. docs/pairing.md shows that nothing is lost by it.
        if all(inside[node] == count[node] for node in inside):
            named = {node.player for node in inside if node.player is not None}
            whole = [player for node in inside if node.player is None for player in crowd.groups[node.points]]
            sets.append((frozenset(named.union(whole)), value))
    return Certificate(scale=found.SCALE, players=figures, sets=sets)


@dataclass(eq=False, slots=True)
class _Blossom:
    """A node, or an odd cycle of blossoms.

    `links[i]` leads from `parts[i]` to the next part. `base` is the node matched outside.
    """

    nodes: list[int]
    base: int
    parts: list[_Blossom] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    value: int = 0
    label: str = ""
    via: Link | None = None

    def rebase(self, node: int, mate: list[int]) -> None:
        """Match all nodes inside except `node`, which can then be matched outside."""
        self.base = node
        if not self.parts:
            return
        at = next(number for number, part in enumerate(self.parts) if node in part.nodes)
        self.parts = self.parts[at:] + self.parts[:at]
        self.links = self.links[at:] + self.links[:at]
        self.parts[0].rebase(node, mate)
        # The first part is matched outside. Around the cycle, the others are matched in twos along every second link.
        for number in range(1, len(self.parts), 2):
            one, two = self.links[number]
            self.parts[number].rebase(one, mate)
            self.parts[number + 1].rebase(two, mate)
            mate[one], mate[two] = two, one


class _Search:
    """A perfect matching of least cost (`mate`), and the figures that prove it.

    Costs are doubled so that all figures are whole numbers. The `worth` of a node counts for all its pairs; the value
    of a blossom is subtracted for the pairs inside it.
    """

    # Costs are doubled once so that half slacks are whole, and again when values of blossoms are split between nodes.
    SCALE = 4

    def __init__(self, costs: Costs) -> None:
        size = len(costs)
        self.costs = [[None if cost is None else 2 * cost for cost in row] for row in costs]
        self.mate = [-1] * size
        self.worth = [0] * size
        self.top = [_Blossom([node], node) for node in range(size)]

    def run(self) -> bool:
        """Match everybody. Returns False if that is impossible."""
        if len(self.mate) % 2:
            return False
        while -1 in self.mate:
            self._open()
            if not self._grow() and not self._adjust():
                return False
        return True

    def figures(self) -> list[int]:
        """The figure of each node, in units of 1/`SCALE`.

        In a certificate, sets count for the pairs that leave them, so values of blossoms are converted here.
        """
        figures = [2 * worth for worth in self.worth]
        for members, value in self.sets():
            for node in members:
                figures[node] -= value
        return figures

    def sets(self) -> Iterator[tuple[list[int], int]]:
        """The blossoms with their values, in units of 1/`SCALE`."""
        waiting = self._tops()
        while waiting:
            blossom = waiting.pop()
            waiting += blossom.parts
            if blossom.parts and blossom.value:
                yield blossom.nodes, blossom.value

    def _tops(self) -> list[_Blossom]:
        return list({id(blossom): blossom for blossom in self.top}.values())

    def _open(self) -> None:
        """Expand the blossoms without value, and clear all labels."""
        waiting = self._tops()
        while waiting:
            blossom = waiting.pop()
            blossom.label, blossom.via = "", None
            if blossom.parts and not blossom.value:
                waiting += blossom.parts
                continue
            for node in blossom.nodes:
                self.top[node] = blossom

    def _slack(self, one: int, two: int) -> int | None:
        """What a pair costs beyond the figures of its ends; None if they must not meet."""
        cost = self.costs[one][two]
        return None if cost is None else cost - self.worth[one] - self.worth[two]

    def _grow(self) -> bool:
        """Grow trees from all unmatched nodes along pairs without slack, until two trees meet.

        Then match one more pair and return True.
        """
        queue: list[int] = []
        for blossom in self._tops():
            if self.mate[blossom.base] < 0:
                blossom.label = "outer"
                queue += blossom.nodes
        while queue:
            node = queue.pop()
            for other in range(len(self.mate)):
                here, there = self.top[node], self.top[other]
                if here is there or there.label == "inner" or self._slack(node, other) != 0:
                    continue
                if not there.label:
                    there.label, there.via = "inner", (node, other)
                    base = there.base
                    after = self.top[self.mate[base]]
                    after.label, after.via = "outer", (base, self.mate[base])
                    queue += after.nodes
                elif not self._shrink(node, other, queue):
                    for one, two in ((node, other), (other, node)):
                        self._flip(one, two)
                    return True
        return False

    def _path(self, node: int) -> list[_Blossom]:
        """The blossoms from a node's blossom to the root of its tree."""
        path = [self.top[node]]
        while (via := path[-1].via) is not None:
            path.append(self.top[via[0]])
        return path

    def _shrink(self, one: int, two: int, queue: list[int]) -> bool:
        """Merge the cycle closed by a pair into one blossom. Returns False if the two are in different trees."""
        first, second = self._path(one), self._path(two)
        if first[-1] is not second[-1]:
            return False
        # Both paths end at the root; drop what they share above the blossom where they meet.
        while len(first) > 1 and len(second) > 1 and first[-2] is second[-2]:
            first.pop()
            second.pop()
        top = first[-1]
        down = first[-2::-1]
        up = second[:-1]
        links = [part.via for part in down if part.via] + [(one, two)]
        links += [(part.via[1], part.via[0]) for part in up if part.via]
        parts = [top, *down, *up]
        made = _Blossom([node for part in parts for node in part.nodes], top.base, parts, links)
        made.label, made.via = "outer", top.via
        for part in parts:
            if part.label == "inner":
                queue += part.nodes
        for node in made.nodes:
            self.top[node] = made
        return True

    def _flip(self, one: int, two: int) -> None:
        """Match `one` to `two`, and swap matched and unmatched pairs up to the root of the tree of `one`."""
        while True:
            outer = self.top[one]
            outer.rebase(one, self.mate)
            self.mate[one] = two
            if outer.via is None:
                return
            inner = self.top[outer.via[0]]
            assert inner.via is not None, "an inner blossom hangs on an outer one"
            two, one = inner.via[1], inner.via[0]
            inner.rebase(two, self.mate)
            self.mate[two] = one

    def _adjust(self) -> bool:
        """Change the figures until a pair loses its slack or a blossom its value.

        Returns False if nothing ever would, which means there is no perfect matching.
        """
        step = self._step()
        if step is None:
            return False
        for blossom in self._tops():
            # Unlabeled blossoms keep their figures.
            change = {"outer": step, "inner": -step}.get(blossom.label, 0)
            for node in blossom.nodes:
                self.worth[node] += change
            if blossom.parts:
                blossom.value += 2 * change
        return True

    def _step(self) -> int | None:
        # `_adjust` takes two steps from the value of an inner blossom at once.
        steps = [blossom.value // 2 for blossom in self._tops() if blossom.parts and blossom.label == "inner"]
        outer = [node for node, top in enumerate(self.top) if top.label == "outer"]
        for one in outer:
            for two, there in enumerate(self.top):
                if there.label == "inner" or there is self.top[one]:
                    continue
                if (slack := self._slack(one, two)) is not None:
                    # Between two outer nodes both ends change, so the slack is used up twice as fast.
                    steps.append(slack // 2 if there.label else slack)
        return min(steps, default=None)
