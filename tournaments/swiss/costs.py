"""The cost of a pairing: six levels compared in order, and their exact packing in one integer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from tournaments.swiss.field import SwissError
from tournaments.swiss.matching import weight_limit
from tournaments.swiss.situation import Situation

FLOATS_CAP = 3
WISHES_CAP = 3
CHANCE_BITS = 40
LEAST_CHANCE_BITS = 8


class Cost(NamedTuple):
    """The levels, the weightiest first. The first four are what a certificate speaks of."""

    rematches: int = 0
    second_bye: int = 0
    bye_points: int = 0
    squares: int = 0
    floats: int = 0
    wishes: int = 0

    @property
    def certifiable(self) -> tuple[int, ...]:
        """Levels 1 to 4."""
        return tuple(self)[:4]


def total(costs: Iterable[Cost]) -> Cost:
    """The sum, level by level."""
    return Cost(*map(sum, zip(*costs, strict=True))) if (costs := list(costs)) else Cost()


def floats_of(history: int) -> int:
    """What one more float costs a player who floated that way `history` times, capped."""
    return min(history, FLOATS_CAP)


def again(times: int) -> int:
    """What a meeting or a bye beyond the second costs, `times` being those already had, capped."""
    return min(max(times - 1, 0), WISHES_CAP)


def pair_cost(now: Situation, a: int, b: int) -> Cost:
    """The cost of pairing players a and b."""
    times = now.met[a].get(b, 0)
    if now.points[a] < now.points[b]:
        a, b = b, a
    gap = now.points[a] - now.points[b]
    floats = floats_of(now.downs[a]) + floats_of(now.ups[b]) if gap else 0
    return Cost(rematches=int(times > 0), squares=gap * gap, floats=floats, wishes=again(times))


def bye_cost(now: Situation, player: int) -> Cost:
    """The cost of giving the bye to a player: a wish is missed when others asked for it and this one did not."""
    missed = int(any(now.asked) and not now.asked[player])
    byes = now.byes[player]
    return Cost(second_bye=int(byes > 0), bye_points=now.points[player], wishes=missed + again(byes))


@dataclass(frozen=True, slots=True)
class Scale:
    """What one unit of each level weighs: more than everything below it can weigh in a whole matching."""

    chance_bits: int
    wishes: int
    floats: int
    squares: int
    bye_points: int
    second_bye: int
    rematches: int

    def weigh(self, cost: Cost) -> int:
        """One integer that orders sums of costs as the levels do."""
        return (
            cost.rematches * self.rematches
            + cost.second_bye * self.second_bye
            + cost.bye_points * self.bye_points
            + cost.squares * self.squares
            + cost.floats * self.floats
            + cost.wishes * self.wishes
        )


def scale_for(nodes: int, points: Iterable[int]) -> Scale:
    """The scale for a matching of so many nodes with these match points, as much room for chance as fits.

    Raises `SwissError("too_wide")` when the levels cannot be held exactly.
    """
    points = list(points)
    top = max(points, default=0)
    spread = top - min(points, default=0)
    for bits in range(CHANCE_BITS, LEAST_CHANCE_BITS - 1, -1):
        scale = _scale(bits, nodes // 2 + 1, spread, top)
        widest = 3 * scale.rematches
        if widest <= weight_limit(nodes):
            return scale
    raise SwissError("too_wide", "the field is too large for its number of rounds to be weighed exactly")


def _scale(bits: int, pairs: int, spread: int, top: int) -> Scale:
    wishes = pairs << bits
    floats = wishes * (pairs * (WISHES_CAP + 1) + 1)
    squares = floats * (pairs * 2 * FLOATS_CAP + 1)
    bye_points = squares * (pairs * spread * spread + 1)
    second_bye = bye_points * (top + 1)
    return Scale(bits, wishes, floats, squares, bye_points, second_bye, rematches=second_bye * 2)
