"""The cost of a pairing: levels compared in order, and their exact packing in one integer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import mul
from typing import NamedTuple

from tournaments.swiss.field import SwissError
from tournaments.swiss.matching import weight_limit
from tournaments.swiss.options import FOLD, STANDING
from tournaments.swiss.situation import Order, Situation

FLOATS_CAP = 3
WISHES_CAP = 3
EVEN_SIDES = 1
SIDES_CAP = 2
CLUB_MATES = 1
PAIR_WISHES = WISHES_CAP + CLUB_MATES + 2 * SIDES_CAP
"""The most that one pair, or the bye, can cost in wishes."""

PLACES_CAP = 63
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
    places: int = 0


CERTIFIED = 4
"""The levels that a certificate speaks of."""


def total(costs: Iterable[Cost]) -> Cost:
    """The sum, level by level."""
    return Cost(*map(sum, zip(*costs, strict=True))) if (costs := list(costs)) else Cost()


def floats_of(history: int) -> int:
    """What one more float costs a player who floated that way `history` times, capped."""
    return min(history, FLOATS_CAP)


def again(times: int) -> int:
    """What a meeting or a bye beyond the second costs, `times` being those already had, capped."""
    return min(max(times - 1, 0), WISHES_CAP)


def wishes(now: Situation, a: int, b: int) -> int:
    """The wishes of the options that the pair misses: club mates, and sides that cannot be kept even."""
    missed = 0
    if now.clubs and now.clubs[a] and now.clubs[a] == now.clubs[b]:
        missed += CLUB_MATES
    if now.sides:
        one, two = now.sides[a], now.sides[b]
        missed += min(_uneven(one + 1) + _uneven(two - 1), _uneven(one - 1) + _uneven(two + 1))
    return missed


def least_wishes(now: Situation, player: int) -> int:
    """The wishes of the options that a player misses with any opponent: sides are too uneven for one round."""
    return _uneven(abs(now.sides[player]) - 1) if now.sides and now.sides[player] else 0


def _uneven(sides: int) -> int:
    return min(max(abs(sides) - EVEN_SIDES, 0), SIDES_CAP)


def places(now: Situation, a: int, b: int) -> int:
    """The square of how many places the pair is off from what the order wants, capped."""
    return 0 if now.order is None else min(off(now.order, now.points[a], now.points[b], a, b), PLACES_CAP) ** 2


def off(order: Order, points_a: int, points_b: int, a: int, b: int) -> int:
    """How many places b is off from the opponent whom the order wants for a; neighbours, where the points differ."""
    one, two = order.place[a], order.place[b]
    apart = abs(one - two)
    if points_a != points_b or order.kind == STANDING:
        return apart - 1
    first, last = order.ends[points_a]
    if order.kind == FOLD:
        return abs(one + two - first - last)
    return abs(apart - (last - first + 1) // 2)


def pair_cost(now: Situation, a: int, b: int) -> Cost:
    """The cost of pairing players a and b."""
    times = now.met[a].count(b)
    if now.points[a] < now.points[b]:
        a, b = b, a
    gap = now.points[a] - now.points[b]
    floats = floats_of(now.downs[a]) + floats_of(now.ups[b]) if gap else 0
    return Cost(
        rematches=int(times > 0),
        squares=gap * gap,
        floats=floats,
        wishes=again(times) + wishes(now, a, b),
        places=places(now, a, b),
    )


def bye_cost(now: Situation, player: int) -> Cost:
    """The cost of giving the bye to a player: a wish is missed when others asked for it and this one did not."""
    missed = int(now.wanted and not now.asked[player])
    byes = now.byes[player]
    return Cost(second_bye=int(byes > 0), bye_points=now.points[player], wishes=missed + again(byes))


def cost_of(now: Situation, pairs: Iterable[tuple[int, int]], bye: int | None) -> Cost:
    """The cost of a whole pairing."""
    plain = not (now.clubs or now.sides or now.order)
    costly = (pair_cost(now, a, b) for a, b in pairs if not plain or b in now.met[a] or now.points[a] != now.points[b])
    return total([*costly, *(() if bye is None else (bye_cost(now, bye),))])


@dataclass(frozen=True, slots=True)
class Scale:
    """What one unit of each level weighs: more than everything below it can weigh in a whole matching."""

    weights: Cost
    chance_bits: int

    def weigh(self, cost: Cost) -> int:
        """One integer that orders sums of costs as the levels do."""
        return sum(map(mul, cost, self.weights))


def scale_for(nodes: int, points: Iterable[int], *, ordered: bool = False) -> Scale:
    """The scale for a matching of so many nodes with these match points, as much room for chance as fits.

    `ordered`: places are counted. Raises `SwissError("too_wide")` when the levels cannot be held exactly.
    """
    most = tops(nodes, points, ordered=ordered)
    for bits in range(CHANCE_BITS, LEAST_CHANCE_BITS - 1, -1):
        chance = (nodes // 2 + 1) << bits
        weights = Cost(*units((*most, chance))[:-1])
        if 3 * weights.rematches <= weight_limit(nodes):
            return Scale(weights, bits)
    raise SwissError("too_wide", "the field is too large for its number of rounds to be weighed exactly")


def tops(nodes: int, points: Iterable[int], *, ordered: bool) -> Cost:
    """The most that each level can add up to in a matching of so many nodes with these match points."""
    points = list(points)
    pairs, top = nodes // 2 + 1, max(points, default=0)
    spread = top - min(points, default=0)
    return Cost(
        rematches=pairs,
        second_bye=1,
        bye_points=top,
        squares=pairs * spread * spread,
        floats=pairs * 2 * FLOATS_CAP,
        wishes=pairs * PAIR_WISHES,
        places=pairs * PLACES_CAP**2 if ordered else 0,
    )


def units(most: Sequence[int]) -> list[int]:
    """What one unit of each level weighs, given the most that each adds up to; of the last level, 1."""
    weights = [1]
    for top in reversed(most[1:]):
        weights.append(weights[-1] * (top + 1))
    return weights[::-1]
