"""Cost of a pairing as levels that are compared in order, and their exact packing into one integer.

docs/pairing.md defines the levels. The matching works on single integers, so each level gets a weight that is greater
than everything below it can add up to in a whole matching.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import mul
from typing import NamedTuple

from tournaments.swiss.field import SwissError
from tournaments.swiss.matching import weight_limit
from tournaments.swiss.options import FOLD, STANDING
from tournaments.swiss.situation import Order, Situation

# The caps bound the weights below, which must fit in 128 bits for fields of any size.
FLOATS_CAP = 3
WISHES_CAP = 3
EVEN_SIDES = 1
SIDES_CAP = 2
CLUB_MATES = 1
PAIR_WISHES = WISHES_CAP + CLUB_MATES + 2 * SIDES_CAP
"""The most that one pair, or the bye, can cost in wishes."""

PLACES_CAP = 63
# Random low bits of each weight, which choose between pairings of equal cost. Large fields leave room for fewer bits.
CHANCE_BITS = 40
LEAST_CHANCE_BITS = 8


class Cost(NamedTuple):
    """The levels of a cost, most important first. A certificate covers the first four."""

    rematches: int = 0
    second_bye: int = 0
    bye_points: int = 0
    squares: int = 0
    floats: int = 0
    wishes: int = 0
    places: int = 0


NOTHING = Cost()
"""The cost of a pair without any defect. Most pairs are like this, so the object is shared."""
CERTIFIED = 4
"""The number of levels that a certificate covers."""


def total(costs: Iterable[Cost]) -> Cost:
    """Add costs level by level."""
    return Cost(*map(sum, zip(*costs, strict=True))) if (costs := list(costs)) else Cost()


def floats_of(history: int) -> int:
    """The cost of one more float for a player who has floated `history` times in that direction, capped."""
    return min(history, FLOATS_CAP)


def again(times: int) -> int:
    """The cost of one more meeting or bye after `times` earlier ones: 0 for the first repeat, capped.

    The first repeat is already counted as a rematch or a second bye.
    """
    return min(max(times - 1, 0), WISHES_CAP)


def wishes(now: Situation, a: int, b: int) -> int:
    """Count the wishes that a pair violates: club mates meeting, and sides that become uneven."""
    missed = 0
    if now.clubs and now.clubs[a] and now.clubs[a] == now.clubs[b]:
        missed += CLUB_MATES
    if now.sides:
        one, two = now.sides[a], now.sides[b]
        # Either player may take the first seat; whichever leaves the sides more even counts.
        missed += min(_uneven(one + 1) + _uneven(two - 1), _uneven(one - 1) + _uneven(two + 1))
    return missed


def least_wishes(now: Situation, player: int) -> int:
    """The wishes a player violates with any opponent, because the sides are too uneven to fix in one round."""
    return _uneven(abs(now.sides[player]) - 1) if now.sides and now.sides[player] else 0


def _uneven(sides: int) -> int:
    return min(max(abs(sides) - EVEN_SIDES, 0), SIDES_CAP)


def places(now: Situation, a: int, b: int) -> int:
    """The squared number of places the pair is off from the order's ideal, capped."""
    return 0 if now.order is None else min(off(now.order, now.points[a], now.points[b], a, b), PLACES_CAP) ** 2


def off(order: Order, points_a: int, points_b: int, a: int, b: int) -> int:
    """How many places b is away from the opponent that the order intends for a.

    Players with different points should be neighbours in the order.
    """
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
    gap = now.points[a] - now.points[b]
    plain = not (now.clubs or now.sides or now.order)
    # The most common case by far, worth a shortcut in fields of thousands.
    if plain and not times and not gap:
        return NOTHING
    # From here on `a` has at least as many points, so in a pair that floats `a` goes down and `b` up.
    if gap < 0:
        a, b = b, a
    floats = floats_of(now.downs[a]) + floats_of(now.ups[b]) if gap else 0
    wished = again(times) + (0 if plain else wishes(now, a, b))
    return Cost(int(times > 0), 0, 0, gap * gap, floats, wished, 0 if plain else places(now, a, b))


def bye_cost(now: Situation, player: int) -> Cost:
    """The cost of giving a player the bye.

    If somebody asked for the bye and this player did not, that is a missed wish.
    """
    missed = int(now.wanted and not now.asked[player])
    byes = now.byes[player]
    return Cost(second_bye=int(byes > 0), bye_points=now.points[player], wishes=missed + again(byes))


def cost_of(now: Situation, pairs: Iterable[tuple[int, int]], bye: int | None) -> Cost:
    """The cost of a whole pairing."""
    plain = not (now.clubs or now.sides or now.order)
    # Skips the pairs that cost nothing, again for speed in large fields.
    costly = (pair_cost(now, a, b) for a, b in pairs if not plain or b in now.met[a] or now.points[a] != now.points[b])
    return total([*costly, *(() if bye is None else (bye_cost(now, bye),))])


@dataclass(frozen=True, slots=True)
class Scale:
    """Weight of one unit of each level: greater than everything below it can add up to in a whole matching."""

    weights: Cost
    chance_bits: int

    def weigh(self, cost: Cost) -> int:
        """Pack a cost into one integer. Sums of these compare as sums of costs do."""
        return sum(map(mul, cost, self.weights))


def scale_for(nodes: int, points: Iterable[int], *, ordered: bool = False) -> Scale:
    """The scale for a matching with this many nodes and these match points, with as many bits for chance as fit.

    Set `ordered` if places are counted. Raises `SwissError("too_wide")` if the levels do not fit exactly.
    """
    most = tops(nodes, points, ordered=ordered)
    for bits in range(CHANCE_BITS, LEAST_CHANCE_BITS - 1, -1):
        # Each pair adds less than `1 << bits` at random, and a matching has fewer pairs than this.
        chance = (nodes // 2 + 1) << bits
        weights = Cost(*units((*most, chance))[:-1])
        # The heaviest edge weighs less: one rematch, and everything below it.
        if 3 * weights.rematches <= weight_limit(nodes):
            return Scale(weights, bits)
    raise SwissError("too_wide", "the field is too large for its number of rounds to be weighed exactly")


def tops(nodes: int, points: Iterable[int], *, ordered: bool) -> Cost:
    """The most each level can add up to in a matching with this many nodes and these match points."""
    points = list(points)
    pairs, top = nodes // 2 + 1, max(points, default=0)
    spread = top - min(points, default=0)
    return Cost(
        rematches=pairs,
        second_bye=1,  # there is one bye at most
        bye_points=top,
        squares=pairs * spread * spread,
        floats=pairs * 2 * FLOATS_CAP,
        wishes=pairs * PAIR_WISHES,
        places=pairs * PLACES_CAP**2 if ordered else 0,
    )


def units(most: Sequence[int]) -> list[int]:
    """The weight of one unit of each level, given the most each can add up to. The last level has weight 1."""
    weights = [1]
    for top in reversed(most[1:]):
        weights.append(weights[-1] * (top + 1))
    return weights[::-1]
