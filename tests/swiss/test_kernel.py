"""Pairing through the kernel costs as much as pairing the whole field, and certificates are never wrong."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from tests.swiss.fields import field_of, random_field, swiss_field
from tournaments.swiss import kernel
from tournaments.swiss.costs import PAIR_WISHES, Cost, pair_cost, scale_for, tops
from tournaments.swiss.field import Field, Match, Player, SwissError
from tournaments.swiss.kernel import Solution, solve
from tournaments.swiss.matching import cheapest_perfect, weight_limit
from tournaments.swiss.situation import Situation, read

# As `whole`: this solves the complete graph, while 0 always goes through the kernel.
EVERYBODY = 10**9


def some_pairs(rng: Random, field: Field, number: int) -> list[tuple[str, str]]:
    ids = [player.id for player in field.players]
    return [(a, b) for a, b in (rng.sample(ids, 2) for _ in range(number))]


def situation(rng: Random, players: int, rounds: int, *, by_score: bool) -> Situation:
    drops = rng.randint(0, players // 8)
    if by_score:
        field = swiss_field(rng, players, rounds, drops=drops)
    else:
        field = random_field(rng, players, rounds, drops=drops, odd_byes=3)
    forbidden = some_pairs(rng, field, rng.choice((0, 0, 3)))
    if rng.random() < 0.4:
        ids = [player.id for player in field.players]
        for hub in ids[: rng.randint(1, 3)]:
            forbidden += [(hub, other) for other in rng.sample(ids, rng.randrange(players)) if other != hub]
    return read(field, forbidden, rng)


def attempt(now: Situation, *, whole: int) -> Solution | None:
    try:
        return solve(now, Random(1), whole=whole)
    except SwissError as refused:
        assert refused.code == "impossible"
        return None


def assert_sound(now: Situation, found: Solution) -> None:
    seats = [p for pair in found.pairs for p in pair] + ([] if found.bye is None else [found.bye])
    assert sorted(seats) == list(range(len(now.ids)))
    assert not any(b in now.forbidden[a] for a, b in found.pairs)
    assert found.cost.rematches == sum(b in now.met[a] for a, b in found.pairs)
    assert found.cost.squares == sum((now.points[a] - now.points[b]) ** 2 for a, b in found.pairs)


@pytest.mark.parametrize("by_score", [True, False])
@pytest.mark.parametrize("block", [0, *(pytest.param(block, marks=pytest.mark.slow) for block in range(1, 5))])
def test_the_kernel_costs_the_same_as_the_whole_field(block: int, by_score: bool) -> None:
    rng = Random(f"{block}{by_score}")
    shrunk = 0
    for _ in range(60):
        now = situation(rng, rng.randint(12, 90), rng.randint(1, 4), by_score=by_score)
        exact = attempt(now, whole=EVERYBODY)
        found = attempt(now, whole=0)
        if exact is None or found is None:
            assert exact is found
            continue
        assert_sound(now, found)
        assert found.certified
        assert found.cost[:4] == exact.cost[:4]
        crowd = kernel._crowd(now)
        shrunk += bool(crowd.large(crowd.first()))
    assert shrunk > 12


def test_a_group_that_many_players_must_leave_gets_more_anonymous_nodes() -> None:
    # Ten players with 3 points must not meet each other, so ten of the forty without points must be pulled up.
    top, low = [f"T{i}" for i in range(10)], [f"L{i:02}" for i in range(40)]
    rest = low[:10]
    field = field_of([*top, *low], [(t, r, "2-0-0") for t, r in zip(top, rest, strict=True)])
    forbidden = [(a, b) for a in top for b in top if a < b]
    now = read(field, forbidden, Random(3))
    found = solve(now, Random(1), whole=0)
    assert_sound(now, found)
    assert found.certified
    assert found.cost == solve(now, Random(1), whole=EVERYBODY).cost == Cost(squares=90)


def leaders_who_all_met(leaders: int, *crowds: tuple[int, int]) -> Field:
    """Leaders who have drawn with each other in every round, above crowds of (size, byes had)."""
    tops = [f"T{i:02}" for i in range(leaders)]
    circle, rounds = list(tops), []
    for number in range(leaders - 1):
        pairs = [Match(circle[i], circle[-1 - i], 1, 1, 0) for i in range(leaders // 2)]
        byes = [Match(f"C{i}-{k:02}", None, 2, 0, 0, "bye") for i, (n, had) in enumerate(crowds) if number < had
                for k in range(n)]  # fmt: skip
        rounds.append((*pairs, *byes))
        circle.insert(1, circle.pop())
    low = [f"C{i}-{k:02}" for i, (size, _) in enumerate(crowds) for k in range(size)]
    return Field(tuple(Player(i) for i in [*tops, *low]), tuple(rounds))


@pytest.mark.parametrize(("leaders", "crowd"), [(10, 60), (20, 90)])
def test_too_few_anonymous_nodes_never_cause_a_rematch(leaders: int, crowd: int) -> None:
    now = read(leaders_who_all_met(leaders, (crowd, 0)), (), Random(3))
    found = solve(now, Random(1), whole=0)
    assert_sound(now, found)
    assert found.certified
    assert found.cost.rematches == 0
    assert found.cost.squares == leaders * (leaders - 1) ** 2


def test_leaders_who_have_all_met_are_paired_with_the_nearest_group() -> None:
    now = read(leaders_who_all_met(10, (60, 2), (60, 1), (60, 0)), (), Random(3))
    found = solve(now, Random(1))
    assert_sound(now, found)
    assert found.certified
    assert found.cost.rematches == 0
    assert found.cost.squares == 10 * 3**2


def test_the_bye_of_a_large_group_goes_to_a_player_who_has_had_none() -> None:
    byes = [Match(f"B{i:02}", None, 2, 0, 0, "bye") for i in range(80)]
    wins = [Match(f"W{i}", f"L{i}", 2, 0, 0) for i in range(5)]
    names = [match.a for match in (*byes, *wins)]
    players = (*(Player(i) for i in names), *(Player(f"L{i}", dropped=True) for i in range(5)))
    field = Field(players, ((*byes, *wins),))
    for seed in range(5):
        now = read(field, (), Random(seed))
        found = solve(now, Random(seed))
        assert found.certified
        assert found.bye is not None
        assert now.ids[found.bye].startswith("W")


@pytest.mark.parametrize("players", [140, 141])
def test_beyond_the_edge_limit_a_round_is_paired_without_a_certificate(players: int) -> None:
    now = situation(Random(players), players, 5, by_score=True)
    found = solve(now, Random(1), limit=10)
    assert_sound(now, found)
    assert not found.certified
    assert found.cost.rematches == 0


def test_one_player_with_many_forbidden_opponents_does_not_enlarge_the_kernel() -> None:
    field = swiss_field(Random(2), 300, 5)
    ids = [player.id for player in field.players]
    now = read(field, [(ids[0], other) for other in ids[1:200]], Random(1))
    found = solve(now, Random(1), limit=5_000)
    assert_sound(now, found)
    assert found.certified
    assert found.cost[:4] == solve(now, Random(1), whole=EVERYBODY).cost[:4]


def test_a_field_that_cannot_be_paired_is_rejected_by_every_method() -> None:
    field = field_of([f"P{i}" for i in range(30)])
    alone = [("P0", f"P{i}") for i in range(1, 30)]
    now = read(field, alone, Random(1))
    for whole, limit in ((0, 10**6), (100, 10**6), (0, 2)):
        with pytest.raises(SwissError) as refused:
            solve(now, Random(1), whole=whole, limit=limit)
        assert refused.value.code == "impossible"


def test_one_unit_of_a_level_outweighs_all_levels_below() -> None:
    for nodes, top in ((2, 3), (100, 30), (1500, 60), (1500, 3000), (200_000, 60)):
        scale = scale_for(nodes, [0, top])
        pairs = nodes // 2
        chance = (1 << scale.chance_bits) - 1
        below = pairs * chance
        for level, most in (
            ("wishes", PAIR_WISHES * pairs),
            ("floats", 6 * pairs),
            ("squares", top * top * pairs),
            ("bye_points", top),
            ("second_bye", 1),
            ("rematches", pairs),
        ):
            unit = scale.weigh(Cost(**{level: 1}))
            assert unit > below
            below += most * unit
        heaviest = scale.weigh(Cost(1, 0, 0, top * top, 6, PAIR_WISHES)) + chance
        assert heaviest <= weight_limit(nodes)
        assert weight_limit(nodes) * 8 * nodes < 2**126


@pytest.mark.parametrize("nodes", [8, 9])
def test_the_most_a_level_can_add_up_to_grows_with_the_number_of_pairs(nodes: int) -> None:
    most, pairs = tops(nodes, [1, 4, 7], ordered=False), 5
    assert most[:4] == (pairs, 1, 7, pairs * 6**2)


def test_levels_too_wide_for_exact_integers_are_rejected() -> None:
    with pytest.raises(SwissError) as refused:
        scale_for(200_000, [0, 3_000_000])
    assert refused.value.code == "too_wide"
    with pytest.raises(OverflowError):
        cheapest_perfect(2, [(0, 1, 2**126)])


def test_the_matching_is_exact_with_the_largest_weights() -> None:
    rng = Random(2)
    for _ in range(40):
        limit = weight_limit(6)
        edges = {(i, j): limit - rng.randrange(1000) for i in range(6) for j in range(i + 1, 6)}
        pairs = cheapest_perfect(6, [(i, j, cost) for (i, j), cost in edges.items()])
        assert pairs is not None
        least = min(
            sum(edges[min(p[k], p[k + 1]), max(p[k], p[k + 1])] for k in (0, 2, 4)) for p in permutations(range(6))
        )
        assert sum(edges[pair] for pair in pairs) == least


def test_the_cost_of_a_pair_is_symmetric() -> None:
    now = situation(Random(1), 30, 4, by_score=False)
    for a in range(10):
        for b in range(10, 20):
            assert pair_cost(now, a, b) == pair_cost(now, b, a)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(4))
def test_the_kernels_of_hundreds_of_players_cost_the_same_as_their_whole_fields(block: int) -> None:
    rng, shrunk = Random(block), 0
    for _ in range(15):
        now = situation(rng, rng.randint(90, 220), rng.randint(2, 9), by_score=True)
        exact, found = attempt(now, whole=EVERYBODY), attempt(now, whole=0)
        if exact is None or found is None:
            assert exact is found
            continue
        assert_sound(now, found)
        assert found.certified
        assert found.cost[: found.proven] == exact.cost[: found.proven]
        crowd = kernel._crowd(now)
        shrunk += bool(crowd.large(crowd.first()))
    assert shrunk > 5
