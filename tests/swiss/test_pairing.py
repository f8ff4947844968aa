"""A round is paired at the least cost, fairly, and reproducibly from the same input and seed."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.swiss.brute import avoids_every_rematch, least_levels
from tests.swiss.fields import field_of, random_field, swiss_field
from tournaments.swiss.field import Field, Match, Player, SwissError
from tournaments.swiss.pairing import ALGORITHM, Pairing, pair
from tournaments.swiss.simulate import simulate

LEVELS = ("rematches", "second_bye", "bye_points", "squares", "floats", "wishes")

histories = st.builds(
    lambda seed, players, rounds, drops: random_field(Random(seed), players, rounds, drops=drops, odd_byes=1),
    st.integers(0, 10**9),
    st.integers(0, 16),
    st.integers(0, 7),
    st.integers(0, 4),
)


def levels(found: Pairing) -> tuple[int, ...]:
    return (*(found.cost[level] for level in LEVELS), found.cost.get("places", 0))


def seats(found: Pairing) -> list[str]:
    return [seat for table in found.pairs for seat in table] + ([found.bye] if found.bye is not None else [])


@pytest.mark.parametrize("block", range(10))
def test_every_small_field_is_paired_at_the_brute_force_minimum(block: int) -> None:
    rng = Random(block)
    for _ in range(40):
        players = rng.randint(1, 9)
        field = random_field(rng, players, rng.randint(0, 8), drops=rng.randint(0, 2), odd_byes=rng.randint(0, 1))
        found = pair(field, seed=rng.randrange(1000))
        assert levels(found) == (least_levels(field) or (0,) * 7)
        assert found.certified
        assert found.proven == 7


@pytest.mark.parametrize("block", range(4))
def test_forbidden_pairs_never_meet_and_the_cost_is_still_minimal(block: int) -> None:
    rng = Random(1000 + block)
    for _ in range(25):
        field = random_field(rng, rng.randint(2, 8), rng.randint(0, 5))
        ids = [player.id for player in field.players]
        forbidden = [tuple(rng.sample(ids, 2)) for _ in range(rng.randint(1, 6))]
        least = least_levels(field, frozenset(map(frozenset, forbidden)))
        if least is None:
            with pytest.raises(SwissError) as refused:
                pair(field, seed=1, forbidden=forbidden)
            assert refused.value.code == "impossible"
        else:
            assert levels(pair(field, seed=1, forbidden=forbidden)) == least


@pytest.mark.parametrize("players", [10, 11])
def test_ten_and_eleven_players_late_in_an_event_match_brute_force(players: int) -> None:
    rng = Random(players)
    for _ in range(3):
        field = swiss_field(rng, players, 7, drops=players % 2)
        assert levels(pair(field, seed=3)) == least_levels(field)


@given(histories, st.integers(0, 2**64))
@settings(max_examples=150)
def test_each_live_player_is_paired_exactly_once_and_nobody_else(field: Field, seed: int) -> None:
    found = pair(field, seed=seed)
    live = sorted(player.id for player in field.players if not player.dropped)
    assert sorted(seats(found)) == live
    assert (found.bye is None) == (len(live) % 2 == 0)


@given(histories, st.integers(0, 2**64), st.randoms(use_true_random=False))
@settings(max_examples=100)
def test_the_pairing_does_not_depend_on_input_order(field: Field, seed: int, chance: Random) -> None:
    players, rounds = list(field.players), [list(matches) for matches in field.rounds]
    chance.shuffle(players)
    for matches in rounds:
        chance.shuffle(matches)
        matches[:] = [
            # Seats are part of the order too; by default they play no role in the pairing.
            m if m.b is None or chance.random() < 0.5 else Match(m.b, m.a, m.games_b, m.games_a, m.drawn, m.kind)
            for m in matches
        ]
    shuffled = Field(tuple(players), tuple(tuple(matches) for matches in rounds))
    assert pair(shuffled, seed=seed) == pair(field, seed=seed)


@given(histories, st.integers(0, 2**64))
@settings(max_examples=100)
def test_rematches_and_second_byes_are_flagged_exactly_when_they_are_counted(field: Field, seed: int) -> None:
    found = pair(field, seed=seed)
    flags = [flag for said in found.flags.values() for flag in said]
    assert flags.count("rematch_forced") == 2 * found.cost["rematches"]
    assert flags.count("second_bye") == found.cost["second_bye"]
    assert flags.count("pulled_down") == flags.count("pulled_up")
    assert bool(flags.count("pulled_down")) == bool(found.cost["squares"])


@given(st.integers(0, 10**9), st.sampled_from(range(3, 23, 2)), st.integers(1, 6))
@settings(max_examples=40)
def test_nobody_gets_a_second_bye_while_somebody_has_had_none(seed: int, players: int, rounds: int) -> None:
    rng = Random(seed)
    field = Field(tuple(Player(f"P{i}") for i in range(players)), ())
    had: set[str] = set()
    for number in range(min(rounds, players // 2)):
        found = pair(field, seed=number)
        assert found.bye is not None
        assert found.cost["rematches"] or found.bye not in had
        had.add(found.bye)
        matches = [Match(a, b, *rng.choice(((2, 0, 0), (0, 2, 0), (1, 1, 0)))) for a, b in found.pairs]
        field = Field(field.players, (*field.rounds, (*matches, Match(found.bye, None, 2, 0, 0, "bye"))))


def test_seven_rounds_of_eight_players_have_no_avoidable_rematch() -> None:
    rng = Random(5)
    field = Field(tuple(Player(f"P{i}") for i in range(8)), ())
    for number in range(7):
        found = pair(field, seed=number)
        least = least_levels(field)
        assert least is not None
        assert found.cost["rematches"] == least[0]
        matches = tuple(Match(a, b, *rng.choice(((2, 0, 0), (0, 2, 0)))) for a, b in found.pairs)
        field = Field(field.players, (*field.rounds, matches))


def test_a_field_where_everybody_has_met_is_paired_with_flagged_rematches() -> None:
    field = field_of("ab", [("a", "b", "2-0-0")])
    found = pair(field, seed=1)
    assert found.pairs == (("a", "b"),)
    assert found.cost["rematches"] == 1
    assert found.flags == {"a": ("pulled_down", "rematch_forced"), "b": ("pulled_up", "rematch_forced")}


def test_an_empty_field_and_a_single_player_can_be_paired() -> None:
    assert pair(Field((), ()), seed=1).pairs == ()
    alone = pair(field_of("a"), seed=1)
    assert (alone.pairs, alone.bye, alone.flags) == ((), "a", {"a": ("bye_lowest",)})


def test_a_dropped_player_is_not_paired() -> None:
    field = Field((Player("a"), Player("b", dropped=True), Player("c")), ())
    assert set(seats(pair(field, seed=1))) == {"a", "c"}


def test_a_disqualified_player_is_not_paired() -> None:
    match = Match("a", "b", 2, 0, 0, "disqualified")
    field = Field(tuple(Player(i) for i in "abcd"), ((match, Match("c", "d", 2, 0, 0)),))
    assert set(seats(pair(field, seed=1))) == {"a", "c", "d"}


def test_the_bye_goes_to_a_higher_group_if_only_that_avoids_a_rematch() -> None:
    # c and d have 0 points and have only met a and b; giving either of them the bye forces a rematch.
    field = field_of(
        "abcde",
        [("a", "c", "2-0-0"), ("b", "d", "2-0-0"), ("e", None, "2-0-0")],
        [("a", "d", "2-0-0"), ("b", "c", "2-0-0")],
        [("e", "c", "2-0-0"), ("a", "b", "1-1-0")],
        [("e", "d", "2-0-0")],
    )
    found = pair(field, seed=1)
    assert found.cost["rematches"] == 0
    assert {"c", "d"} in [set(table) for table in found.pairs]
    assert found.bye is not None
    assert "bye_raised" in found.flags[found.bye]


def test_the_player_who_asked_for_the_bye_gets_it_among_equals() -> None:
    for seed in range(20):
        found = pair(Field(tuple(Player(i, bye=i == "c") for i in "abcde"), ()), seed=seed)
        assert found.bye == "c"
        assert found.flags["c"] == ("bye_lowest", "bye_asked")
        assert found.cost["wishes"] == 0


def test_a_player_is_not_pulled_down_twice_if_another_can_be() -> None:
    # a, b and c have 3 points and one of them must meet e, who has none; a was pulled down before, against d.
    byes = tuple(Match(player, None, 2, 0, 0, "bye") for player in "abc")
    players = (*(Player(i) for i in "abce"), Player("d", dropped=True))
    field = Field(players, (byes, (Match("a", "d", 0, 2, 0),)))
    pulled = [p for s in range(30) for p, said in pair(field, seed=s).flags.items() if "pulled_down" in said]
    assert set(pulled) == {"b", "c"}


def test_the_first_round_is_drawn_from_the_seed() -> None:
    field = Field(tuple(Player(f"P{i}") for i in range(200)), ())
    assert pair(field, seed=1) == pair(field, seed=1)
    assert pair(field, seed=1).pairs != pair(field, seed=2).pairs
    first = [pair(field, seed=s).pairs[0] for s in range(20)]
    assert len(set(first)) > 15


def test_tables_are_listed_by_points_highest_first() -> None:
    field = swiss_field(Random(4), 90, 5)
    points: dict[str, int] = dict.fromkeys((p.id for p in field.players), 0)
    for match in field.matches():
        for seat, won, lost in ((match.a, match.games_a, match.games_b), (match.b, match.games_b, match.games_a)):
            points[seat or ""] = points.get(seat or "", 0) + (3 if won > lost else 1 if won == lost else 0)
    tables = [(points[a], points[b]) for a, b in pair(field, seed=1).pairs]
    assert all(high >= low for high, low in tables)
    assert tables == sorted(tables, reverse=True)


def test_a_pairing_names_the_version_of_its_algorithm() -> None:
    assert pair(field_of("ab"), seed=1).version == ALGORITHM


def test_a_forbidden_pair_with_an_unknown_player_is_rejected() -> None:
    with pytest.raises(SwissError) as refused:
        pair(field_of("ab"), seed=1, forbidden=[("a", "z")])
    assert (refused.value.code, refused.value.path) == ("unknown_player", "options.forbidden[0]")


def test_a_third_meeting_is_avoided_if_a_second_is_possible_instead() -> None:
    twice = [("a", "b", "1-1-0"), ("c", "d", "1-1-0")]
    field = field_of("abcd", twice, twice, [("a", "c", "1-1-0"), ("b", "d", "1-1-0")],
                     [("a", "d", "1-1-0"), ("b", "c", "1-1-0")])  # fmt: skip
    for seed in range(20):
        assert {"a", "b"} not in [set(table) for table in pair(field, seed=seed).pairs]


@given(st.integers(0, 10**9), st.integers(2, 12), st.integers(1, 9))
@settings(max_examples=60)
def test_a_rematch_is_made_exactly_when_exhaustive_search_finds_no_alternative(
    seed: int, players: int, rounds: int
) -> None:
    field = random_field(Random(seed), players, rounds, odd_byes=1)
    assert (pair(field, seed=seed).cost["rematches"] == 0) == avoids_every_rematch(field)


@pytest.mark.slow
@given(st.integers(0, 10**9), st.integers(2, 12), st.integers(1, 11), st.integers(0, 3))
@settings(max_examples=1500)
def test_late_in_small_events_a_rematch_is_made_exactly_when_there_is_no_alternative(
    seed: int, players: int, rounds: int, drops: int
) -> None:
    field = swiss_field(Random(seed), players, rounds, drops=min(drops, players - 1))
    assert (pair(field, seed=seed).cost["rematches"] == 0) == avoids_every_rematch(field)


def test_players_who_have_not_joined_are_not_paired_and_returning_players_are() -> None:
    first = field_of("abcd", [("a", "b", "2-0-0"), ("c", "d", "2-0-0")])
    players = (Player("a"), Player("b", dropped=True), Player("c"), Player("d"), Player("e", joined=2))
    assert set(seats(pair(Field(players, first.rounds), seed=1))) == {"a", "c", "d", "e"}
    assert "e" not in seats(pair(Field((*players[:4], Player("e", joined=3)), first.rounds), seed=1))
    back = Field((Player("a"), Player("b"), *players[2:4]), (*first.rounds, (Match("a", "c", 2, 0, 0),)))
    assert set(seats(pair(back, seed=1))) == {"a", "b", "c", "d"}


@pytest.mark.slow
def test_every_round_of_a_simulated_event_is_certified() -> None:
    for players in (65, 130, 301, 700, 2_000):
        event = simulate(players=players, rounds=7, seed=players)
        for number in range(8):
            found = pair(Field(event.players, event.rounds[:number]), seed=number)
            assert found.certified, (players, number)
            assert found.cost["rematches"] == 0
