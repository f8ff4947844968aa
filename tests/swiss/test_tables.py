"""Multiplayer tables: true bounds, the solver against trying everything, and no proof claimed in vain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.swiss import table_solver
from tournaments.swiss.table_bounds import fewest_repeats, least_spread
from tournaments.swiss.tables import ALGORITHM, SOLVED, _cost, _met, recounted, seat_tables, table_points, table_sizes

Tables = list[tuple[str, ...]]
needs_solver = pytest.mark.skipif(not table_solver.available(), reason="OR-tools is not installed")


def every_seating(players: Sequence[str], sizes: Sequence[int]) -> Iterator[Tables]:
    """All ways to cut a field into tables of these sizes, in any order."""
    if not players:
        yield []
        return
    first, others = players[0], list(players[1:])
    for size in set(sizes):
        left = list(sizes)
        left.remove(size)
        for table in _subsets(others, size - 1):
            rest = [player for player in others if player not in table]
            for tables in every_seating(rest, left):
                yield [(first, *table), *tables]


def _subsets(players: Sequence[str], size: int) -> Iterator[tuple[str, ...]]:
    if not size:
        yield ()
        return
    for at, player in enumerate(players):
        for others in _subsets(players[at + 1 :], size - 1):
            yield (player, *others)


def an_event(players: int, rounds: int, seed: int) -> tuple[dict[str, int], list[Tables]]:
    """The points and the tables of an event after some rounds of random results."""
    rng = Random(seed)
    points = {f"P{number:02}": 0 for number in range(players)}
    played: list[Tables] = []
    for number in range(rounds):
        tables = list(seat_tables(points, played, seed=seed + number, effort=0).tables)
        played.append(tables)
        for table in tables:
            order = rng.sample(range(1, len(table) + 1), len(table))
            for player, won in zip(table, table_points(order), strict=True):
                points[player] += won
    return points, played


@settings(max_examples=25)
@given(st.integers(3, 9), st.integers(0, 3), st.integers(0, 999))
def test_no_seating_is_below_the_bounds(players: int, rounds: int, seed: int) -> None:
    points, played = an_event(players, rounds, seed)
    sizes, met = table_sizes(players), _met(played)
    costs = [_cost(tables, met, points) for tables in every_seating(sorted(points), sizes)]
    assert fewest_repeats(sorted(points), met, sizes) <= min(repeats for repeats, _spread in costs)
    assert least_spread(list(points.values()), sizes) == min(spread for _repeats, spread in costs), "it is reached"


@needs_solver
@settings(max_examples=25)
@given(st.integers(3, 9), st.integers(1, 3), st.integers(0, 999))
def test_a_certified_seating_is_the_best_of_all(players: int, rounds: int, seed: int) -> None:
    points, played = an_event(players, rounds, seed)
    met = _met(played)
    found = seat_tables(points, played, seed=seed)
    best = min(_cost(tables, met, points) for tables in every_seating(sorted(points), table_sizes(players)))
    assert found.certified, "a field as small as this is always solved"
    assert (found.cost["repeats"], found.cost["spread"]) == best == _cost(found.tables, met, points)


@pytest.mark.slow
@needs_solver
@pytest.mark.parametrize(("players", "rounds"), [(17, 3), (24, 4), (37, 3)])
def test_the_solver_is_never_worse_than_exchanging_and_gives_the_same_again(players: int, rounds: int) -> None:
    better = 0
    for seed in range(3):
        points, played = an_event(players, rounds, seed)
        exchanged = seat_tables(points, played, seed=seed, effort=0)
        solved = seat_tables(points, played, seed=seed, effort=0.3)
        assert sorted(player for table in solved.tables for player in table) == sorted(points)
        assert sorted(map(len, solved.tables)) == sorted(table_sizes(players))
        before, after = ((each.cost["repeats"], each.cost["spread"]) for each in (exchanged, solved))
        assert after <= before and (solved.version == SOLVED) == (after < before)
        assert solved.bound["repeats"] <= solved.cost["repeats"]
        assert seat_tables(dict(reversed(points.items())), played, seed=seed, effort=0.3) == solved
        better += after < before
    assert better, "somewhere there is something to gain"


def test_without_the_solver_nothing_is_claimed_that_counting_does_not_prove(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_solver, "available", lambda: False)
    first = seat_tables(dict.fromkeys("ABCDEFGH", 0), [], seed=1)
    assert first.certified and first.version == ALGORITHM, "nobody has met, and all have the same points"
    points, played = an_event(24, 4, 0)
    later = seat_tables(points, played, seed=0)
    assert not later.certified and later.version == ALGORITHM
    assert later.bound["spread"] == least_spread(list(points.values()), table_sizes(24)) < later.cost["spread"]


@needs_solver
def test_work_without_end_is_cut_off_and_the_gap_is_told() -> None:
    points, played = an_event(17, 4, 1)
    found = seat_tables(points, played, seed=1, effort=0.01)
    assert not found.certified
    assert found.bound["repeats"] <= found.cost["repeats"] and found.bound["spread"] <= found.cost["spread"]


@needs_solver
@pytest.mark.slow
def test_given_tables_are_recounted_and_better_ones_are_found() -> None:
    points, played = an_event(24, 4, 0)
    best = seat_tables(points, played, seed=0)
    again = recounted(points, played, best.tables)
    assert again.certified and (again.cost, again.tables) == (best.cost, best.tables)
    exchanged = seat_tables(points, played, seed=0, effort=0)
    better = recounted(points, played, exchanged.tables)
    assert better.version == SOLVED and better.cost == best.cost != exchanged.cost
    assert recounted(points, played, exchanged.tables, effort=0).cost == exchanged.cost
