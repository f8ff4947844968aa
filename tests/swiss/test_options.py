"""Soft wishes, byes awarded by hand and fixed tables work as described, at no cost on more important levels."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from tests.swiss.brute import least_levels
from tests.swiss.fields import field_of, random_field, swiss_field, with_clubs_and_seeds
from tournaments.swiss.field import KINDS, Field, Match, Player, SwissError
from tournaments.swiss.options import ORDERS, Options
from tournaments.swiss.pairing import Pairing, pair
from tournaments.swiss.scoring import Scoring

PLAIN_LEVELS = ("rematches", "second_bye", "bye_points", "squares", "floats")


def with_every_kind(field: Field, rng: Random) -> Field:
    """The same meetings with results of every kind except disqualification, which would remove players."""
    alone = ("bye", "half_bye", "zero_bye", "missed")
    two = sorted(KINDS - {*alone, "disqualified"})
    rounds = []
    for matches in field.rounds:
        rounds.append(
            tuple(
                Match(m.a, None, 0, 0, 0, rng.choice(alone))
                if m.b is None
                else Match(m.a, m.b, 2, 1, 0, rng.choice(two))
                for m in matches
            )
        )
    return Field(field.players, tuple(rounds))


def some_options(rng: Random, field: Field) -> Options:
    awarded = {rng.choice(field.players).id: rng.choice(("bye", "half_bye", "zero_bye"))} if rng.random() < 0.3 else {}
    gone = {player.id for player in field.players if player.dropped}
    return Options(
        order=rng.choice(("random", "fold", "slide")),
        last=rng.random() < 0.2,
        clubs=rng.random() < 0.5,
        sides=rng.random() < 0.5,
        awarded={player: kind for player, kind in awarded.items() if player not in gone},
    )


def levels(found: Pairing) -> tuple[int, ...]:
    names = (*PLAIN_LEVELS, "wishes")
    return (*(found.cost[name] for name in names), found.cost.get("places", 0))


@pytest.mark.parametrize("block", range(6))
def test_with_any_options_every_level_matches_the_brute_force_minimum(block: int) -> None:
    rng = Random(block)
    for _ in range(25):
        field = random_field(rng, rng.randint(2, 8), rng.randint(0, 7), drops=rng.randint(0, 1), odd_byes=1)
        field = with_every_kind(with_clubs_and_seeds(field, rng), rng)
        options = some_options(rng, field)
        found = pair(field, seed=1, options=options)
        assert levels(found) == (least_levels(field, options=options) or (0,) * 7)
        assert found.proven == 7


@pytest.mark.slow
@pytest.mark.parametrize("players", [9, 10])
def test_nine_and_ten_players_with_any_options_match_brute_force(players: int) -> None:
    rng = Random(players)
    for _ in range(40):
        field = swiss_field(rng, players, rng.randint(0, 9), drops=rng.randint(0, 1))
        field = with_every_kind(with_clubs_and_seeds(field, rng), rng)
        options = some_options(rng, field)
        assert levels(pair(field, seed=1, options=options)) == least_levels(field, options=options)


@pytest.mark.parametrize("players", [40, 90, 350])
@pytest.mark.parametrize("order", ORDERS)
def test_wishes_cost_nothing_on_more_important_levels(players: int, order: str) -> None:
    rng = Random(players)
    field = with_clubs_and_seeds(swiss_field(rng, players, 4), rng)
    plain = pair(field, seed=1)
    wished = pair(field, seed=1, options=Options(order=order, clubs=True, sides=True))
    assert [wished.cost[name] for name in PLAIN_LEVELS[:4]] == [plain.cost[name] for name in PLAIN_LEVELS[:4]]
    assert wished.certified


@pytest.mark.parametrize("players", [9, 120])
def test_the_pairing_does_not_depend_on_input_order_with_any_options(players: int) -> None:
    rng = Random(players)
    field = with_clubs_and_seeds(swiss_field(rng, players, 4), rng)
    for order in ORDERS:
        options = Options(order=order, clubs=True, sides=True, tables={"P001": 7})
        shuffled = Field(
            tuple(rng.sample(field.players, players)),
            tuple(tuple(rng.sample(matches, len(matches))) for matches in field.rounds),
        )
        assert pair(shuffled, seed=5, options=options) == pair(field, seed=5, options=options)


@pytest.mark.parametrize("order", ["fold", "slide", "standing"])
def test_avoiding_rematches_in_a_large_group_moves_few_players_out_of_order(order: str) -> None:
    field = with_clubs_and_seeds(swiss_field(Random(8), 800, 4), Random(8))
    found = pair(field, seed=1, options=Options(order=order))
    assert found.cost["rematches"] == 0
    assert found.cost["places"] < 3 * len(found.pairs)


@pytest.mark.parametrize("players", [16, 200])
def test_fold_pairs_first_seed_with_last_and_slide_with_middle(players: int) -> None:
    field = Field(tuple(Player(f"P{seed:03}", seed=seed) for seed in range(1, players + 1)), ())
    half = players // 2
    fold = pair(field, seed=1, options=Options(order="fold"))
    assert {frozenset(table) for table in fold.pairs} == {
        frozenset((f"P{seed:03}", f"P{players + 1 - seed:03}")) for seed in range(1, half + 1)
    }
    slide = pair(field, seed=1, options=Options(order="slide"))
    assert {frozenset(table) for table in slide.pairs} == {
        frozenset((f"P{seed:03}", f"P{seed + half:03}")) for seed in range(1, half + 1)
    }
    assert fold.cost["places"] == slide.cost["places"] == 0
    assert fold.flags == slide.flags == {}


def test_order_by_standing_pairs_neighbours_in_the_standings() -> None:
    # Eight players after two rounds: players with equal points are separated by their opponents' results.
    field = field_of(
        "abcdefgh",
        [("a", "b", "2-0-0"), ("c", "d", "2-0-0"), ("e", "f", "2-0-0"), ("g", "h", "2-0-0")],
        [("a", "c", "2-0-0"), ("e", "g", "2-0-0"), ("b", "d", "2-0-0"), ("f", "h", "2-0-0")],
    )
    found = pair(field, seed=3, options=Options(order="standing", last=True))
    assert found.cost["rematches"] == 0
    assert ("a", "e") in [tuple(sorted(table)) for table in found.pairs]
    assert {frozenset(table) for table in found.pairs} >= {frozenset("dh")}


def test_club_mates_meet_only_in_the_last_round_or_if_unavoidable() -> None:
    field = Field(tuple(Player(f"{club}{i}", club=club) for club in "xyz" for i in range(60)), ())
    for seed in range(3):
        kept = pair(field, seed=seed, options=Options(clubs=True))
        assert all(a[0] != b[0] for a, b in kept.pairs)
        last = pair(field, seed=seed, options=Options(clubs=True, last=True))
        assert any(a[0] == b[0] for a, b in last.pairs)
        assert last.cost["wishes"] == 0
    mates = Field((Player("a", club="x"), Player("b", club="x")), ())
    found = pair(mates, seed=1, options=Options(clubs=True))
    assert found.flags == {"a": ("club_mates",), "b": ("club_mates",)}
    assert found.cost["wishes"] == 1


def test_clubs_have_no_effect_unless_the_option_is_set() -> None:
    bare = Field(tuple(Player(f"P{i}") for i in range(20)), ())
    clubs = Field(tuple(Player(f"P{i}", club="x") for i in range(20)), ())
    assert pair(bare, seed=4) == pair(clubs, seed=4)


def test_sides_stay_balanced_over_an_event() -> None:
    rng = Random(3)
    field = Field(tuple(Player(f"P{i:02}") for i in range(24)), ())
    first = dict.fromkeys((player.id for player in field.players), 0)
    for number in range(6):
        found = pair(field, seed=number, options=Options(sides=True))
        for a, b in found.pairs:
            first[a] += 1
            first[b] -= 1
        assert max(map(abs, first.values())) <= 1 + found.cost["wishes"]
        matches = tuple(Match(a, b, *rng.choice(((2, 0, 0), (0, 2, 0)))) for a, b in found.pairs)
        field = Field(field.players, (*field.rounds, matches))
    assert max(map(abs, first.values())) <= 2


def test_sides_that_cannot_be_balanced_are_flagged() -> None:
    once = [("a", "x", "1-1-0"), ("b", "y", "1-1-0")]
    twice = [("a", "y", "1-1-0"), ("b", "x", "1-1-0")]
    past = field_of("abxy", once, twice)
    field = Field((Player("a"), Player("b"), Player("x", dropped=True), Player("y", dropped=True)), past.rounds)
    found = pair(field, seed=1, options=Options(sides=True))
    assert found.flags == {"a": ("sides_uneven",), "b": ("sides_uneven",)}
    assert found.cost["wishes"] == 2


def test_an_awarded_bye_removes_the_player_from_the_round_and_keeps_its_kind() -> None:
    field = Field(tuple(Player(i) for i in "abcde"), ())
    found = pair(field, seed=1, options=Options(awarded={"c": "half_bye"}))
    assert found.bye is None
    assert found.awarded == {"c": "half_bye"}
    assert found.flags == {"c": ("bye_awarded",)}
    assert sorted(seat for table in found.pairs for seat in table) == list("abde")


def test_a_player_who_asked_for_the_bye_in_vain_is_flagged() -> None:
    field = Field((Player("a", bye=True), Player("b", bye=True), Player("c")), ())
    found = pair(field, seed=1)
    other = {"a": "b", "b": "a"}[found.bye or ""]
    assert "bye_not_given" in found.flags[other]


def test_a_fixed_table_is_kept_and_skipped_by_other_pairs() -> None:
    field = Field(tuple(Player(f"P{i}") for i in range(8)), ())
    found = pair(field, seed=1, options=Options(tables={"P3": 2, "P7": 30}))
    at = {seat: table for table, pair_ in zip(found.tables, found.pairs, strict=True) for seat in pair_}
    together = at["P3"] == at["P7"]
    assert at["P3"] == 2
    assert at["P7"] == (2 if together else 30)
    assert sorted(found.tables) == ([1, 2, 3, 4] if together else [1, 2, 3, 30])


def test_if_two_players_with_fixed_tables_meet_one_moves_and_is_flagged() -> None:
    field = Field((Player("a"), Player("b")), ())
    found = pair(field, seed=1, options=Options(tables={"a": 9, "b": 4}))
    assert found.tables == (4,)
    assert found.flags == {"a": ("table_left",)}


def test_a_repeated_pull_down_is_flagged() -> None:
    # a already met d with fewer points; now a has 3 points and e has none.
    past = (Match("a", None, 2, 0, 0, "bye"),), (Match("a", "d", 0, 2, 0),)
    field = Field((Player("a"), Player("e"), Player("d", dropped=True)), past)
    found = pair(field, seed=1)
    assert found.flags["a"] == ("pulled_down", "pulled_again")
    assert found.flags["e"] == ("pulled_up",)


@pytest.mark.parametrize(
    ("options", "code", "path"),
    [
        ({"order": "rank"}, "unknown_order", "options.order"),
        ({"awarded": {"a": "missed"}}, "unknown_award", "options.awarded.a"),
        ({"tables": {"a": 0}}, "bad_table", "options.tables.a"),
        ({"tables": {"a": 2, "b": 2}}, "table_taken", "options.tables.b"),
        ({"awarded": {"z": "bye"}}, "unknown_player", "options.awarded.z"),
        ({"tables": {"z": 1}}, "unknown_player", "options.tables.z"),
        ({"awarded": {"c": "bye"}}, "not_live", "options.awarded.c"),
    ],
)
def test_an_invalid_option_is_rejected_with_code_and_path(options: dict[str, object], code: str, path: str) -> None:
    field = Field((Player("a"), Player("b"), Player("c", dropped=True)), ())
    with pytest.raises(SwissError) as refused:
        pair(field, seed=1, options=Options(**options))
    assert (refused.value.code, refused.value.path) == (code, path)


def test_score_groups_follow_the_points_of_the_event() -> None:
    """With 2, 1 and 0 points two draws equal a win and a loss; with 3, 1 and 0 they do not."""
    drawn = ("C", "D"), ("D", "C")
    rounds = tuple(
        (Match("A", "B", *games, 0), Match(*pair_, 1, 1, 0), Match("E", "F", *games, 0))
        for games, pair_ in zip(((2, 0), (0, 2)), drawn, strict=True)
    )
    field = Field(tuple(Player(name) for name in "ABCDEF"), rounds)
    by_two = Scoring(Fraction(2), Fraction(1), Fraction(0))
    assert pair(field, seed=1).cost["squares"] > 0
    assert pair(field, seed=1, options=Options(scoring=by_two)).cost["squares"] == 0
    assert Scoring(Fraction(1), Fraction(1, 2), Fraction(0)).worth() == (2, 1, 0)
