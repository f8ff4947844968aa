"""Round robins, draft pods, multiplayer tables and the cut."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.swiss.cut import Placed, cut
from tournaments.swiss.field import Field, Match, Player, SwissError
from tournaments.swiss.pods import Pod, pair_pod, passes_left, pod_sizes, pods_by_chance, pods_by_rank, receives_from
from tournaments.swiss.round_robin import round_robin
from tournaments.swiss.tables import FULL_POINTS, seat_tables, table_points, table_sizes


def ids(players: int) -> list[str]:
    return [f"P{number:03}" for number in range(1, players + 1)]


@given(st.integers(2, 40), st.booleans())
def test_everybody_meets_everybody_in_a_round_robin(players: int, twice: bool) -> None:
    rounds = round_robin(ids(players), twice=twice)
    met = Counter(frozenset(pair) for pairs in rounds for pair in pairs if None not in pair)
    assert met == {frozenset(pair): 1 + twice for pair in combinations(ids(players), 2)}
    for pairs in rounds:
        assert sorted(player for pair in pairs for player in pair if player) == ids(players)
    first = Counter(pair[0] for pairs in rounds for pair in pairs if None not in pair)
    assert max(first[player] for player in ids(players)) - min(first[player] for player in ids(players)) <= 2


@pytest.mark.parametrize(
    ("players", "code"),
    [([], "too_few_players"), (["A", "A"], "duplicate_player"), (ids(65), "too_many_players")],
)
def test_a_round_robin_of_an_invalid_field_is_rejected(players: list[str], code: str) -> None:
    with pytest.raises(SwissError) as caught:
        round_robin(players)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("players", "sizes"),
    [
        (6, (6,)), (7, (7,)), (8, (8,)), (11, (11,)), (12, (6, 6)), (13, (7, 6)), (16, (8, 8)), (17, (9, 8)),
        (20, (10, 10)), (21, (7, 7, 7)), (24, (8, 8, 8)), (28, (10, 9, 9)), (64, (8,) * 8),
    ],
)  # fmt: skip
def test_a_field_is_split_into_pods_of_about_eight(players: int, sizes: tuple[int, ...]) -> None:
    assert pod_sizes(players) == sizes


@given(st.integers(6, 600), st.integers(6, 11))
def test_pods_hold_everybody_and_differ_by_at_most_one(players: int, usual: int) -> None:
    sizes = pod_sizes(players, usual=usual)
    assert sum(sizes) == players
    assert 6 <= min(sizes) <= max(sizes) <= min(11, min(sizes) + 1)


def test_a_draft_of_five_players_is_rejected() -> None:
    with pytest.raises(SwissError) as caught:
        pod_sizes(5)
    assert caught.value.code == "too_few_players"


def test_pods_depend_on_the_seed_but_not_on_input_order() -> None:
    assert pods_by_chance(ids(17), seed=3) == pods_by_chance(ids(17)[::-1], seed=3)
    assert pods_by_chance(ids(17), seed=3) != pods_by_chance(ids(17), seed=4)
    best, _rest = pods_by_rank(ids(17), seed=3)
    assert sorted(best.players) == ids(9)


def test_boosters_are_passed_left_right_left_right() -> None:
    pod = Pod(("A", "B", "C", "D", "E", "F"))
    assert [passes_left(booster) for booster in (1, 2, 3, 4)] == [True, False, True, False]
    assert (receives_from(pod, "B", 1), receives_from(pod, "B", 2), receives_from(pod, "A", 1)) == ("A", "C", "F")


@given(st.integers(6, 11), st.integers(0, 999))
def test_a_pod_plays_across_the_table_then_by_points_without_rematches(players: int, seed: int) -> None:
    (pod,) = pods_by_chance(ids(players), seed=seed)
    field = tuple(Player(player) for player in pod.players)
    rounds: list[tuple[Match, ...]] = []
    met: Counter[frozenset[str]] = Counter()
    byes: Counter[str] = Counter()
    for _round in range(3):
        drawn = pair_pod(pod, Field(field, tuple(rounds)), seed=seed)
        if not rounds:
            half = players // 2
            assert all(pod.players.index(b) - pod.players.index(a) == half for a, b in drawn.pairs)
        met.update(frozenset(pair) for pair in drawn.pairs)
        byes.update([drawn.bye] if drawn.bye else [])
        bye = [Match(drawn.bye, None, 1, 0, 0, "bye")] if drawn.bye else []
        rounds.append((*(Match(a, b, 1, 0, 0) for a, b in drawn.pairs), *bye))
    assert max(met.values()) == 1
    assert sum(byes.values()) == 3 * (players % 2)
    assert max(byes.values(), default=0) <= 1


def test_a_player_who_dropped_before_the_first_round_of_a_pod_is_not_paired() -> None:
    pod = Pod(tuple(ids(6)))
    field = Field(tuple(Player(player, dropped=player == "P001") for player in pod.players), ())
    drawn = pair_pod(pod, field, seed=1)
    assert sorted([*(player for pair in drawn.pairs for player in pair), drawn.bye or ""]) == ids(6)[1:]


@pytest.mark.parametrize(
    ("players", "sizes"),
    [
        (2, (2,)), (3, (3,)), (4, (4,)), (5, (5,)), (6, (3, 3)), (7, (4, 3)), (8, (4, 4)), (9, (5, 4)),
        (10, (4, 3, 3)), (11, (4, 4, 3)), (13, (5, 4, 4)), (14, (4, 4, 3, 3)), (15, (4, 4, 4, 3)), (16, (4,) * 4),
    ],
)  # fmt: skip
def test_a_field_is_split_into_tables_of_about_four(players: int, sizes: tuple[int, ...]) -> None:
    assert table_sizes(players) == sizes


@given(st.integers(3, 500), st.integers(3, 5))
def test_tables_hold_everybody(players: int, usual: int) -> None:
    sizes = table_sizes(players, usual=usual)
    assert sum(sizes) == players
    assert 3 <= min(sizes) <= max(sizes) <= 5


def test_fields_that_no_set_of_tables_can_seat_are_rejected() -> None:
    for players, options, code in (
        (1, {}, "too_few_players"),
        (7, {"least": 4, "usual": 4, "most": 4}, "impossible"),
        (7, {"usual": 6}, "bad_table_size"),
    ):
        with pytest.raises(SwissError) as caught:
            table_sizes(players, **options)
        assert caught.value.code == code


@pytest.mark.slow
@settings(max_examples=10)
@given(st.integers(6, 40), st.integers(0, 999))
def test_tables_seat_everybody_once_and_do_not_depend_on_input_order(players: int, seed: int) -> None:
    points = {player: Random(player + str(seed)).randint(0, 48) for player in ids(players)}
    before = [seat_tables(dict.fromkeys(points, 0), [], seed=seed).tables]
    seating = seat_tables(points, before, seed=seed + 1)
    assert sorted(player for table in seating.tables for player in table) == ids(players)
    assert seat_tables(dict(reversed(points.items())), before, seed=seed + 1) == seating


def test_sixteen_players_sit_with_nobody_twice_in_two_rounds() -> None:
    first = seat_tables(dict.fromkeys(ids(16), 0), [], seed=5)
    assert first.cost == {"repeats": 0, "spread": 0}
    points = {
        player: won for table in first.tables for player, won in zip(table, table_points((1, 2, 3, 4)), strict=True)
    }
    second = seat_tables(points, [first.tables], seed=6)
    assert second.cost["repeats"] == 0


def test_players_of_equal_points_sit_together() -> None:
    points = {player: 24 if number < 4 else 0 for number, player in enumerate(ids(8))}
    assert [sorted(table) for table in seat_tables(points, [], seed=1).tables] == [ids(8)[:4], ids(8)[4:]]


def test_ranks_are_worth_evenly_spaced_shares_of_the_full_points() -> None:
    assert table_points((1, 2)) == (24, 0)
    assert table_points((2, 1, 3)) == (12, 24, 0)
    assert table_points((1, 2, 3, 4)) == (24, 16, 8, 0)
    assert table_points((1, 1, 3, 4)) == (20, 20, 8, 0)
    assert table_points((1, 2, 3, 4, 5)) == (24, 18, 12, 6, 0)


@given(st.lists(st.integers(0, 5), min_size=2, max_size=5))
def test_the_average_seat_of_a_table_gets_half_of_the_full_points(scores: list[int]) -> None:
    ranks = [1 + sum(other > score for other in scores) for score in scores]
    assert 2 * sum(table_points(ranks)) == FULL_POINTS * len(ranks)


@pytest.mark.parametrize("ranks", [(1,), (2, 2), (1, 3, 3, 4), (0, 1), (1, 2, 3, 4, 5, 6)])
def test_invalid_ranks_of_a_table_are_rejected(ranks: tuple[int, ...]) -> None:
    with pytest.raises(SwissError) as caught:
        table_points(ranks)
    assert caught.value.code == "bad_ranks"


LINES = [Placed("A", 1, 12), Placed("B", 2, 9), Placed("C", 2, 9), Placed("D", 4, 6), Placed("E", 5, 3)]


def test_the_cut_takes_the_top_players_or_those_with_enough_points() -> None:
    assert set(cut(LINES, seed=1, top=3).players) == {"A", "B", "C"}
    assert len(cut(LINES, seed=1, points=6).players) == 4
    assert len(cut(LINES, seed=1, top=2, points=6).players) == 2
    assert len(cut(LINES, seed=1).players) == 5


def test_equal_ranks_are_ordered_from_the_seed_and_named() -> None:
    drawn = {cut(LINES, seed=seed, top=2).players[1] for seed in range(20)}
    assert drawn == {"B", "C"}
    assert cut(LINES, seed=7, top=2) == cut(LINES[::-1], seed=7, top=2)
    assert set(cut(LINES, seed=7, top=2).drawn) == {"B", "C"}
    assert cut([line for line in LINES if line.player != "C"], seed=7, top=2).drawn == ()


def test_a_cut_to_one_player_is_rejected() -> None:
    with pytest.raises(SwissError) as caught:
        cut(LINES, seed=1, top=1)
    assert caught.value.code == "bad_cut"
