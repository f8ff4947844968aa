"""Ratings by Glicko-2: Glickman (2013), "Example of the Glicko-2 system", http://www.glicko.net/glicko/glicko2.pdf.

A player has a rating r, a deviation RD (the uncertainty of the rating) and a volatility σ. With μ = (r - 1500) / s,
φ = RD / s and s = 173.7178, the results of one period against opponents j with scores x_j (1, ½ or 0) give

    g(φ) = 1 / √(1 + 3φ²/π²)            E_j = 1 / (1 + exp(-g(φ_j)(μ - μ_j)))
    1/v = Σ g(φ_j)² E_j (1 - E_j)       Δ = v Σ g(φ_j)(x_j - E_j)

The new volatility σ' = exp(x/2) solves

    e^x (Δ² - φ² - v - e^x) / (2(φ² + v + e^x)²) = (x - ln σ²) / τ²

and φ' = 1 / √(1/(φ² + σ'²) + 1/v),  μ' = μ + φ'² Σ g(φ_j)(x_j - E_j). Whoever did not play has φ' = √(φ² + σ²).

All players of a period are rated from their ratings before it, so the order of the results does not matter.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import exp, fsum, log, pi, sqrt

SCALE = 173.7178
START, DEVIATION, VOLATILITY = 1500.0, 350.0, 0.06
TAU = 0.5  # how much the volatility may change
CLOSE = 1e-9  # at which the search for the volatility stops


@dataclass(frozen=True)
class Rating:
    """A player's rating, with its deviation and volatility, and the number of matches behind it."""

    rating: float = START
    deviation: float = DEVIATION
    volatility: float = VOLATILITY
    matches: int = 0

    @property
    def mu(self) -> float:
        """The rating on the scale of the formulas."""
        return (self.rating - START) / SCALE

    @property
    def phi(self) -> float:
        """The deviation on the scale of the formulas."""
        return self.deviation / SCALE


@dataclass(frozen=True)
class Outcome:
    """A result between two players: `score` of the first is 1 for a win, ½ for a draw, 0 for a loss."""

    first: str
    second: str
    score: float


def rated(before: Mapping[str, Rating], outcomes: Iterable[Outcome]) -> dict[str, Rating]:
    """The ratings after one period. Players without a rating start with `Rating()`.

    >>> before = {"p": Rating(1500, 200), "a": Rating(1400, 30), "b": Rating(1550, 100), "c": Rating(1700, 300)}
    >>> after = rated(before, [Outcome("p", "a", 1), Outcome("p", "b", 0), Outcome("p", "c", 0)])["p"]
    >>> round(after.rating, 2), round(after.deviation, 2), round(after.volatility, 5)
    (1464.05, 151.52, 0.06)
    """
    met: defaultdict[str, list[tuple[str, float]]] = defaultdict(list)
    for each in outcomes:
        met[each.first].append((each.second, each.score))
        met[each.second].append((each.first, 1 - each.score))
    new = Rating()
    return {
        player: _after(before.get(player, new), [(before.get(other, new), score) for other, score in met[player]])
        for player in {**before, **dict.fromkeys(met)}
    }


def _after(player: Rating, met: list[tuple[Rating, float]]) -> Rating:
    if not met:
        wider = min(DEVIATION, SCALE * sqrt(player.phi**2 + player.volatility**2))
        return replace(player, deviation=wider)
    terms = [(_g(other.phi), _expected(player.mu, other), score) for other, score in met]
    # fsum rounds once, so that the order of the results does not change the last digits.
    variance = 1 / fsum(g * g * e * (1 - e) for g, e, _score in terms)
    gain = fsum(g * (score - e) for g, e, score in terms)
    volatility = _volatility(player, variance, variance * gain)
    phi = 1 / sqrt(1 / (player.phi**2 + volatility**2) + 1 / variance)
    mu = player.mu + phi * phi * gain
    return Rating(START + SCALE * mu, SCALE * phi, volatility, player.matches + len(met))


def _g(phi: float) -> float:
    return 1 / sqrt(1 + 3 * phi * phi / (pi * pi))


def _expected(mu: float, other: Rating) -> float:
    # Bounded, so that a result between players very far apart still has a variance.
    return min(1 - 1e-9, max(1e-9, 1 / (1 + exp(-_g(other.phi) * (mu - other.mu)))))


def _volatility(player: Rating, variance: float, delta: float) -> float:
    """The new volatility, by the Illinois algorithm (step 5 of the paper)."""
    start, square = log(player.volatility**2), player.phi**2

    def slope(x: float) -> float:
        grown = exp(x)
        bend = grown * (delta**2 - square - variance - grown) / (2 * (square + variance + grown) ** 2)
        return bend - (x - start) / TAU**2

    low = start
    if delta**2 > square + variance:
        high = log(delta**2 - square - variance)
    else:
        steps = 1
        while slope(start - steps * TAU) < 0:
            steps += 1
        high = start - steps * TAU
    at_low, at_high = slope(low), slope(high)
    while abs(high - low) > CLOSE:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = slope(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return exp(low / 2)
