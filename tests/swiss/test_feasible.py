"""Forbidden pairs that leave no pairing are recognized before any costs are computed."""

from collections.abc import Iterable
from random import Random

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.swiss.feasible import leaves_no_pairing
from tournaments.swiss.field import Field, Player, SwissError
from tournaments.swiss.pairing import pair
from tournaments.swiss.situation import Situation, read


def field(players: int) -> Field:
    return Field(tuple(Player(f"P{number}") for number in range(players)), ())


def situation(players: int, pairs: Iterable[tuple[int, int]]) -> Situation:
    return read(field(players), [(f"P{a}", f"P{b}") for a, b in pairs], Random(1))


def can_be_paired(now: Situation) -> bool:
    """Slow reference: a maximum matching in the graph of pairs that may meet."""
    graph = networkx.complement(networkx.Graph([(a, b) for a, barred in enumerate(now.forbidden) for b in barred]))
    size = len(now.ids)
    graph.add_nodes_from(range(size))
    free = [player for player in range(size) if not now.forbidden[player]]
    graph.add_edges_from((a, b) for a in free for b in range(size) if a != b)
    if size % 2:
        graph.add_edges_from((player, "bye") for player in range(size))
    return 2 * len(networkx.max_weight_matching(graph, maxcardinality=True)) == graph.number_of_nodes()


@given(st.integers(2, 14), st.integers(0, 2**32), st.integers(1, 5), st.floats(0.4, 1))
@settings(max_examples=150)
def test_the_quick_check_agrees_with_a_matching_of_the_whole_field(
    players: int, seed: int, few: int, share: float
) -> None:
    rng = Random(seed)
    pairs = [(a, b) for a in range(min(few, players)) for b in range(a + 1, players) if rng.random() < share]
    now = situation(players, pairs)
    if leaves_no_pairing(now):
        assert not can_be_paired(now)
    elif 2 * few + 2 * few + 2 <= players:
        assert can_be_paired(now), "with so large a crowd the answer is certain"


@pytest.mark.parametrize("players", [1000, 1001])
def test_three_players_with_one_possible_opponent_between_them_leave_no_pairing(players: int) -> None:
    pairs = [(a, b) for a in (0, 1, 2) for b in range(3, players - 1)] + [(0, 1), (0, 2), (1, 2)]
    assert leaves_no_pairing(situation(players, pairs))
    with pytest.raises(SwissError) as caught:
        pair(field(players), seed=1, forbidden=[(f"P{a}", f"P{b}") for a, b in pairs])
    assert caught.value.code == "impossible"


def test_a_player_who_may_meet_nobody_can_have_the_bye_of_an_odd_field() -> None:
    assert not leaves_no_pairing(situation(101, [(0, b) for b in range(1, 101)]))
    assert leaves_no_pairing(situation(100, [(0, b) for b in range(1, 100)]))


def test_with_too_many_forbidden_pairs_the_answer_is_left_to_the_search() -> None:
    everybody = [(a, b) for a in range(8) for b in range(a + 1, 8)]
    assert not leaves_no_pairing(situation(8, everybody))
    with pytest.raises(SwissError):
        pair(field(8), seed=1, forbidden=[(f"P{a}", f"P{b}") for a, b in everybody])
