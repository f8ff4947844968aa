"""The edges left out of a matching are edges that no optimal matching uses."""

from __future__ import annotations

from random import Random

import pytest

from tests.swiss.fields import random_field, swiss_field
from tournaments.swiss.costs import Cost, bye_cost, pair_cost, total
from tournaments.swiss.mates import BYE, EDGE_LIMIT, Mates, Node, mates
from tournaments.swiss.options import Options
from tournaments.swiss.situation import Situation, read


def nodes_of(now: Situation) -> list[Node]:
    nodes = [Node(player, points) for player, points in enumerate(now.points)]
    return [*nodes, Node(BYE, 0)] if len(nodes) % 2 else nodes


def cost_of(now: Situation, found: Mates) -> Cost:
    return total(
        bye_cost(now, a.player) if b.player == BYE else pair_cost(now, a.player, b.player) for a, b in found.pairs
    )


@pytest.mark.parametrize("block", range(4))
def test_leaving_out_useless_edges_changes_no_level_of_the_cost(block: int) -> None:
    rng, fewer = Random(block), 0
    for _ in range(30):
        players, rounds = rng.randint(6, 50), rng.randint(1, 9)
        field = swiss_field(rng, players, rounds) if rng.random() < 0.6 else random_field(rng, players, rounds)
        ids = [player.id for player in field.players]
        forbidden = [tuple(rng.sample(ids, 2)) for _ in range(rng.choice((0, 0, 4)))]
        now = read(field, forbidden, rng, Options(sides=rng.random() < 0.3))
        # With every edge, then with those that the bound on squares leaves.
        whole = mates(now, {}, nodes_of(now), Random(1), dense=10**6)
        pruned = mates(now, {}, nodes_of(now), Random(1), dense=0)
        if whole is None or pruned is None:
            assert whole is pruned
            continue
        assert pruned.exact
        assert cost_of(now, pruned) == cost_of(now, whole)
        fewer += not cost_of(now, whole).rematches
    assert fewer > 10


def test_beyond_the_edge_limit_only_neighbours_are_matched_and_the_result_is_not_exact() -> None:
    now = read(swiss_field(Random(1), 61, 5), (), Random(1))
    found = mates(now, {}, nodes_of(now), Random(1), dense=0, limit=10)
    assert found is not None
    assert not found.exact
    assert not cost_of(now, found).rematches
    assert mates(now, {}, nodes_of(now), Random(1), dense=0, limit=EDGE_LIMIT).exact
