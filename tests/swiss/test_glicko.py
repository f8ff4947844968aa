"""Glicko-2: the example of the paper, a second implementation, and what holds for any results."""

from math import exp, log, pi, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.swiss.glicko import DEVIATION, TAU, Outcome, Rating, rated

PLAYERS = "abcdefg"
results = st.lists(
    st.tuples(st.sampled_from(PLAYERS), st.sampled_from(PLAYERS), st.sampled_from([0, 0.5, 1])).filter(
        lambda each: each[0] != each[1]
    ),
    max_size=12,
)
ratings = st.dictionaries(
    st.sampled_from(PLAYERS),
    # Not further apart: after an upset between extremes, the equation for the volatility has several solutions.
    st.builds(Rating, st.floats(1200, 1800), st.floats(30, 350), st.floats(0.03, 0.09)),
)
slowly = settings(max_examples=60)


def outcomes(told: list[tuple[str, str, float]]) -> list[Outcome]:
    return [Outcome(*each) for each in told]


def plain(player: Rating, met: list[tuple[Rating, float]]) -> tuple[float, float, float]:
    """The formulas of the paper written out, with the volatility found by halving an interval."""
    scale = 173.7178
    mu, phi = (player.rating - 1500) / scale, player.deviation / scale
    if not met:
        return player.rating, min(350.0, scale * sqrt(phi**2 + player.volatility**2)), player.volatility
    inverse, total = 0.0, 0.0
    for other, score in met:
        g = 1 / sqrt(1 + 3 * (other.deviation / scale) ** 2 / pi**2)
        e = 1 / (1 + exp(-g * (mu - (other.rating - 1500) / scale)))
        inverse += g**2 * e * (1 - e)
        total += g * (score - e)
    v = 1 / inverse
    delta = v * total

    def f(x: float) -> float:
        return (
            exp(x) * (delta**2 - phi**2 - v - exp(x)) / (2 * (phi**2 + v + exp(x)) ** 2)
            - (x - log(player.volatility**2)) / TAU**2
        )

    low, high = -40.0, 20.0
    for _step in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    sigma = exp(low / 2)
    phi = 1 / sqrt(1 / (phi**2 + sigma**2) + 1 / v)
    return 1500 + scale * (mu + phi**2 * total), scale * phi, sigma


def test_the_example_of_the_paper() -> None:
    before = {"p": Rating(1500, 200), "a": Rating(1400, 30), "b": Rating(1550, 100), "c": Rating(1700, 300)}
    after = rated(before, outcomes([("p", "a", 1), ("p", "b", 0), ("c", "p", 1)]))["p"]
    # The paper gives 1464.06, 151.52 and 0.05999: it rounds on the way.
    assert after.rating == pytest.approx(1464.06, abs=0.011)
    assert after.deviation == pytest.approx(151.52, abs=0.005)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)
    assert after.matches == 3


@slowly
@given(ratings, results)
def test_another_implementation_agrees(before: dict[str, Rating], told: list[tuple[str, str, float]]) -> None:
    after = rated(before, outcomes(told))
    for player, found in after.items():
        met = [(before.get(b, Rating()), score) for a, b, score in told if a == player]
        met += [(before.get(a, Rating()), 1 - score) for a, b, score in told if b == player]
        expected = plain(before.get(player, Rating()), met)
        assert (found.rating, found.deviation, found.volatility) == pytest.approx(expected, rel=1e-5)


@slowly
@given(ratings, results, st.randoms())
def test_the_order_of_the_results_does_not_matter(before, told, random) -> None:
    shuffled = list(told)
    random.shuffle(shuffled)
    one, two = rated(before, outcomes(told)), rated(before, outcomes(shuffled))
    for player in one:
        assert one[player].rating == pytest.approx(two[player].rating, abs=1e-6)


def test_a_winner_gains_a_loser_loses_and_a_draw_draws_them_together() -> None:
    before = {"a": Rating(1600, 80), "b": Rating(1400, 80)}
    won, drawn = rated(before, [Outcome("a", "b", 1)]), rated(before, [Outcome("a", "b", 0.5)])
    assert won["a"].rating > 1600 and won["b"].rating < 1400
    assert drawn["a"].rating < 1600 and drawn["b"].rating > 1400


def test_who_does_not_play_becomes_less_certain_but_never_more_than_at_the_start() -> None:
    before = {"a": Rating(1700, 60), "b": Rating(1500, DEVIATION)}
    after = rated(before, [])
    assert after["a"].rating == 1700 and 60 < after["a"].deviation < 62
    assert after["b"].deviation == DEVIATION


def test_a_result_between_players_very_far_apart_can_be_rated() -> None:
    after = rated({"a": Rating(6000, 30), "b": Rating(-6000, 30)}, [Outcome("a", "b", 0)])
    assert after["a"].rating < 6000 and after["b"].rating > -6000
