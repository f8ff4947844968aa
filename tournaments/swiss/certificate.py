"""Independent proof that a pairing is optimal on levels 1 to 4 of its cost.

This module shares no code with the search in `kernel.py`: it recounts the costs from the definition in docs/pairing.md
and checks a `Certificate` instead of trusting it. A certificate assigns a number, its figure, to every player (and to
the bye), and a non-negative figure to some sets of players of odd size, such that for any two who may be paired

    figure of one + figure of the other + figures of the sets that hold exactly one of them  <=  cost of the pair.

Every pairing has at least one pair that leaves each odd set. So the sum of all figures is a lower bound for the cost of
every pairing, and a pairing that costs exactly this sum is optimal. (These are the dual variables of the weighted
perfect matching problem, with cut constraints for the odd sets.) The code below is the whole proof checker; it is meant
to be read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, combinations_with_replacement

from tournaments.swiss.field import Match

BYE = ""
"""The node that is paired with the player who has the bye."""

NOT_PLAYED = ("bye", "half_bye", "zero_bye", "missed", "no_show", "forfeit", "disqualified")
"""Kinds in which a loss gives no points, even if the event awards points for a loss."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """The figures, in units of 1/`scale`.

    `players` maps ids to figures (`BYE` for the bye; missing means 0). `sets` lists the odd sets with their figures.
    """

    scale: int
    players: Mapping[str, int]
    sets: Sequence[tuple[frozenset[str], int]]


@dataclass(frozen=True, slots=True)
class Worth:
    """What a win, a draw and a loss are worth, in half points."""

    win: int = 6
    draw: int = 2
    loss: int = 0

    @staticmethod
    def of(scoring: Mapping[str, object]) -> Worth:
        """Read the `scoring` of a round's options; missing entries are 3, 1 and 0 points.

        Raises `ValueError` if a value is not a multiple of a half.
        """
        halves = {name: Fraction(str(scoring[name])) * 2 for name in ("win", "draw", "loss") if name in scoring}
        if any(value.denominator != 1 for value in halves.values()):
            raise ValueError("points are halves")
        return Worth(**{name: int(value) for name, value in halves.items()})


class Position:
    """The players of a round and everything the costs depend on: points, previous opponents and byes.

    `players` are the ids to pair, without those who were awarded a bye. `rounds` holds all earlier matches, including
    those of players who are not paired now.
    """

    def __init__(
        self,
        players: Collection[str],
        rounds: Iterable[Iterable[Match]],
        forbidden: Iterable[tuple[str, str]] = (),
        worth: Worth | None = None,
    ) -> None:
        self.nodes = [*sorted(players), *([BYE] if len(players) % 2 else [])]
        self.points = dict.fromkeys(players, 0)
        self.met: set[frozenset[str]] = set()
        self.byes: set[str] = set()
        self.forbidden = {frozenset(pair) for pair in forbidden}
        for matches in rounds:
            for match in matches:
                self._count(match, worth or Worth())
        # Larger than any level below the first can add up to, so one integer compares costs level by level.
        self.unit = 1 + len(self.nodes) * (1 + max(self.points.values(), default=0)) ** 2

    def _count(self, match: Match, worth: Worth) -> None:
        if match.b is None:
            gained = {"bye": worth.win, "half_bye": worth.draw}.get(match.kind, 0)
            self._give(match.a, gained)
            if match.kind == "bye":
                self.byes.add(match.a)
            return
        # Any two-player match counts as having met, even a forfeit.
        self.met.add(frozenset((match.a, match.b)))
        for player, own, other in ((match.a, match.games_a, match.games_b), (match.b, match.games_b, match.games_a)):
            self._give(player, _points(match.kind, own, other, worth))

    def _give(self, player: str, points: int) -> None:
        # Matches of players who left the event still count for their opponents.
        if player in self.points:
            self.points[player] += points

    def may_meet(self, one: str, two: str) -> bool:
        """Whether the pair is not forbidden."""
        return frozenset((one, two)) not in self.forbidden

    def cost(self, one: str, two: str) -> int:
        """Levels 1 to 4 of the cost of a pair or of the bye, packed in one integer.

        The levels are rematch, second bye, points of the bye and squared difference of points.
        """
        if one == BYE or two == BYE:
            player = two if one == BYE else one
            return self.unit * (self.unit * (player in self.byes) + self.points[player])
        return self.unit**3 * (frozenset((one, two)) in self.met) + self.squares(one, two)

    def levels(self, cost: int | Fraction) -> str:
        """Describe the cost of a whole pairing in words, with points as the event counts them."""
        if cost < 0 or cost != int(cost):
            return f"a cost of {cost}"
        rest, squares = divmod(int(cost), self.unit)
        rest, points = divmod(rest, self.unit)
        rematches, byes = divmod(rest, self.unit)
        return f"{rematches} rematches, {byes} second byes, a bye at {points / 2:g} points, {squares / 4:g} squares"

    def squares(self, one: str, two: str) -> int:
        """The squared difference of the points of two players, which is the least this pair can cost."""
        return (self.points[one] - self.points[two]) ** 2


def _points(kind: str, own: int, other: int, worth: Worth) -> int:
    """The points of a player who won `own` games of a two-player match while the opponent won `other`."""
    if kind == "intentional_draw":
        return worth.draw
    if kind in ("played", "time") and own == other:
        return worth.draw
    if kind != "double_loss" and own > other:
        return worth.win
    return 0 if kind in NOT_PLAYED else worth.loss


def refusals(
    position: Position, pairs: Iterable[Sequence[str]], bye: str | None, certificate: Certificate
) -> list[str]:
    """Check a certificate and list the reasons why it does not prove that the pairing is optimal; empty if it does.

    `pairs` and `bye` are the published pairing, by id.
    """
    paired = [tuple(pair) for pair in pairs] + ([(bye, BYE)] if bye is not None else [])
    found = _pairing_refusals(position, paired) or _set_refusals(position, certificate)
    if found:
        return found
    figures = certificate.players
    # The lower bound that the figures claim; it is only valid if no edge is refused below.
    bound = sum(figures.values()) + sum(figure for _members, figure in certificate.sets)
    cost = sum(position.cost(one, two) for one, two in paired)
    if bound != certificate.scale * cost:
        proven = Fraction(bound, certificate.scale)
        found.append(f"the pairing has {position.levels(cost)}; proven is {position.levels(proven)}")
    return found + _edge_refusals(position, certificate)


def _pairing_refusals(position: Position, paired: Sequence[tuple[str, ...]]) -> list[str]:
    if any(len(pair) != 2 for pair in paired):
        return ["a pair is of two"]
    if sorted(player for pair in paired for player in pair) != sorted(position.nodes):
        return ["not everybody is paired once"]
    return [f"{one} and {two} must not meet" for one, two in paired if not position.may_meet(one, two)]


def _set_refusals(position: Position, certificate: Certificate) -> list[str]:
    nodes = set(position.nodes)
    if certificate.scale < 1 or not certificate.players.keys() <= nodes:
        return ["figures of others than the players"]
    wrong = [
        members for members, figure in certificate.sets if len(members) % 2 == 0 or figure < 0 or not members <= nodes
    ]
    return [f"a set of {len(members)} is even, negative or of others" for members in wrong]


def _edge_refusals(position: Position, certificate: Certificate) -> list[str]:
    """The pairs whose figures add up to more than they cost.

    Checking every pair would be quadratic in the players, so players with the same points, figure and sets are compared
    as groups first. If the figures of two groups are at most the squared difference, which every pair costs at least,
    none of their pairs can fail.
    """
    figures = certificate.players
    inside = dict.fromkeys(position.nodes, 0)
    for number, (members, _figure) in enumerate(certificate.sets):
        for node in members:
            # The sets of a player as a bit mask: the sets that hold exactly one of two players are then the XOR.
            inside[node] |= 1 << number
    alike: dict[tuple[int, int, int], list[str]] = {}
    for node in position.nodes:
        if node != BYE:
            alike.setdefault((position.points[node], figures.get(node, 0), inside[node]), []).append(node)
    found = []
    for one, two in combinations_with_replacement(alike, 2):
        figure = one[1] + two[1] + _separating(certificate, one[2] ^ two[2])
        if figure > certificate.scale * (one[0] - two[0]) ** 2:
            found += _dear(position, certificate.scale, figure, alike[one], alike[two] if two != one else None)
    if BYE in inside:
        for (_points_had, own, sets), players in alike.items():
            figure = own + figures.get(BYE, 0) + _separating(certificate, sets ^ inside[BYE])
            found += _dear(position, certificate.scale, figure, players, [BYE])
    return found


def _separating(certificate: Certificate, sets: int) -> int:
    return sum(figure for number, (_members, figure) in enumerate(certificate.sets) if sets >> number & 1)


def _dear(position: Position, scale: int, figure: int, ones: list[str], twos: list[str] | None) -> list[str]:
    """The pairs of these players that may meet and cost less than their figures add up to."""
    pairs = combinations(ones, 2) if twos is None else ((one, two) for one in ones for two in twos)
    return [
        f"{one} and {two or 'the bye'} cost less than their figures"
        for one, two in pairs
        if position.may_meet(one, two) and figure > scale * position.cost(one, two)
    ]
