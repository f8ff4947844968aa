"""Repairs of a published round, from the fewest changed tables to the optimal pairing."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from tests.swiss.brute import Past, every_pairing, levels_of, live_ids
from tests.swiss.fields import field_of, random_field, swiss_field, with_clubs_and_seeds
from tournaments.swiss.field import Field, Match, Player, SwissError
from tournaments.swiss.options import Options
from tournaments.swiss.pairing import Pairing, pair
from tournaments.swiss.repair import Choice, Forgotten, Mistake, Phantom, Published, WrongResult, corrected, repair

COST = ("rematches", "second_bye", "bye_points", "squares", "floats", "wishes")


def published(found: Pairing) -> Published:
    return Published(found.pairs, found.tables, found.bye)


def some_mistake(rng: Random, field: Field) -> Mistake:
    kind = rng.choice(("forgotten", "phantom", "wrong"))
    if kind == "forgotten":
        return Forgotten(Player("late", joined=9))
    if kind == "phantom" or not field.rounds:
        return Phantom(rng.choice(field.live()).id)
    number = rng.randrange(len(field.rounds))
    two = [match for match in field.rounds[number] if match.b is not None]
    match = rng.choice(two) if two else None
    if match is None:
        return Phantom(rng.choice(field.live()).id)
    return WrongResult(number + 1, Match(match.a, match.b, match.games_b, match.games_a, match.drawn))


def new_pairs(before: Published, pairs: list[tuple[str, str]], bye: str | None) -> int:
    kept = {frozenset(pair) for pair in before.pairs}
    return sum(frozenset(pair) not in kept for pair in pairs) + (bye not in (None, before.bye))


def assert_sound(field: Field, before: Published, choices: tuple[Choice, ...]) -> None:
    live = sorted(player.id for player in field.live())
    for choice in choices:
        found = choice.pairing
        seats = [seat for table in found.pairs for seat in table] + ([] if found.bye is None else [found.bye])
        assert sorted(seats) == live
        assert choice.new == new_pairs(before, list(found.pairs), found.bye)
        at = dict(zip(before.tables, before.pairs, strict=True))
        now = dict(zip(found.tables, found.pairs, strict=True))
        assert len(now) == len(found.pairs)
        told = {change.table for change in choice.changes}
        for table in at.keys() | now.keys():
            assert (set(at.get(table, ())) == set(now.get(table, ()))) == (table not in told)
        assert (None in told) == (before.bye != found.bye)
        where = {frozenset(pair): table for table, pair in at.items()}
        assert all(where.get(frozenset(pair), table) == table for table, pair in now.items())
    costs = [tuple(choice.pairing.cost.values()) for choice in choices]
    assert all(one > other for one, other in pairwise(costs))
    assert choices[-1].pairing.certified


@pytest.mark.parametrize("block", range(5))
def test_every_choice_matches_the_brute_force_optimum(block: int) -> None:
    rng = Random(block)
    for _ in range(12):
        field = with_clubs_and_seeds(random_field(rng, rng.randint(2, 7), rng.randint(0, 5)), rng)
        options = Options(clubs=rng.random() < 0.5, sides=rng.random() < 0.5)
        before = published(pair(field, seed=1, options=options))
        field = corrected(field, some_mistake(rng, field))
        choices = repair(field, before, seed=1, options=options)
        assert_sound(field, before, choices)
        past = Past(field)
        every = [
            (new_pairs(before, pairs, bye), levels_of(field, past, pairs, bye, options)[:6])
            for pairs, bye in every_pairing(live_ids(field, options))
        ]
        given = [(choice.new, tuple(choice.pairing.cost[name] for name in COST)) for choice in choices]
        assert given[0] == min(every)
        assert given[-1] == min(every, key=lambda way: (way[1], way[0]))
        for level in range(6):
            assert min(every, key=lambda way: (way[1][:level], way[0], way[1])) in given


@pytest.mark.parametrize(
    "players", [230, pytest.param(150, marks=pytest.mark.slow), pytest.param(401, marks=pytest.mark.slow)]
)
def test_a_large_field_can_be_repaired_at_few_tables_or_optimally(players: int) -> None:
    rng = Random(players)
    field = swiss_field(rng, players, 5)
    before = published(pair(field, seed=1))
    for mistake in (Forgotten(Player("late", joined=6)), Phantom("P003"), some_mistake(rng, field)):
        mended = corrected(field, mistake)
        choices = repair(mended, before, seed=1)
        assert_sound(mended, before, choices)
        assert choices[0].new <= 2
        assert choices[-1].new < 40


def test_a_repair_does_not_depend_on_input_order() -> None:
    rng = Random(6)
    field = swiss_field(rng, 31, 4)
    before = published(pair(field, seed=1))
    mended = corrected(field, Phantom("P004"))
    shuffled = Field(
        tuple(rng.sample(mended.players, len(mended.players))),
        tuple(tuple(rng.sample(matches, len(matches))) for matches in mended.rounds),
    )
    assert repair(shuffled, before, seed=1) == repair(mended, before, seed=1)


def test_a_forgotten_player_gets_the_bye_or_meets_the_player_who_had_it() -> None:
    field = Field(tuple(Player(i) for i in "abcd"), ())
    found = repair(corrected(field, Forgotten(Player("e"))), published(pair(field, seed=1)), seed=1)
    assert [(choice.new, choice.pairing.bye) for choice in found] == [(1, "e")]
    odd = Field(tuple(Player(i) for i in "abcde"), ())
    before = published(pair(odd, seed=1))
    (choice,) = repair(corrected(odd, Forgotten(Player("f"))), before, seed=1)
    assert choice.new == 1
    assert {frozenset((before.bye, "f"))} == {frozenset(p) for p in choice.pairing.pairs} - {
        frozenset(p) for p in before.pairs
    }


def test_the_opponent_of_a_phantom_meets_the_bye_player_at_the_same_table() -> None:
    odd = Field(tuple(Player(i) for i in "abcde"), ())
    before = published(pair(odd, seed=1))
    (gone, widow), table = before.pairs[1], before.tables[1]
    (choice,) = repair(corrected(odd, Phantom(gone)), before, seed=1)
    assert choice.new == 1
    at = dict(zip(choice.pairing.tables, choice.pairing.pairs, strict=True))
    assert set(at[table]) == {widow, before.bye}
    assert {change.table for change in choice.changes} == {table, None}


def test_after_a_wrong_result_the_round_can_be_kept_or_re_paired() -> None:
    field = field_of("abcd", [("a", "b", "2-0-0"), ("c", "d", "2-0-0")])
    before = published(pair(field, seed=1))
    mended = corrected(field, WrongResult(1, Match("c", "d", 0, 2, 0)))
    left, best = repair(mended, before, seed=1)
    assert (left.new, left.changes, left.pairing.cost["squares"]) == (0, (), 18)
    assert not left.pairing.certified
    assert (best.new, best.pairing.cost["squares"]) == (2, 0)
    assert best.pairing.certified


def test_a_round_published_for_very_few_players_is_paired_from_scratch() -> None:
    field = Field(tuple(Player(f"P{i:03}") for i in range(230)), ())
    (choice,) = repair(field, Published((("P000", "P001"),), (1,)), seed=1)
    assert choice.pairing.certified
    assert choice.new >= 114


def test_a_repair_respects_forbidden_pairs_and_fixed_tables() -> None:
    field = Field(tuple(Player(i) for i in "abcdef"), ())
    options = Options(tables={"a": 9})
    before = published(pair(field, seed=1, options=options))
    rival = next(seat for table in before.pairs if "a" in table for seat in table if seat != "a")
    for choice in repair(field, before, seed=1, forbidden=[("a", rival)], options=options):
        assert {"a", rival} not in [set(table) for table in choice.pairing.pairs]
        at = dict(zip(choice.pairing.tables, choice.pairing.pairs, strict=True))
        assert "a" in at[9]


def test_invalid_mistakes_are_rejected_with_their_code() -> None:
    field = field_of("ab", [("a", "b", "2-0-0")])
    for mistake, code in (
        (Phantom("z"), "unknown_player"),
        (WrongResult(2, Match("a", "b", 0, 2, 0)), "no_such_match"),
        (WrongResult(1, Match("a", "z", 0, 2, 0)), "no_such_match"),
    ):
        with pytest.raises(SwissError) as refused:
            corrected(field, mistake)
        assert refused.value.code == code
    for pairs, tables, bye, code in (
        ([("a", "b")], (1, 2), None, "bad_tables"),
        ([("a", "b"), ("c", "d")], (1, 1), None, "bad_tables"),
        ([("a", "b"), ("a", "d")], (1, 2), None, "paired_twice"),
        ([("a", "b")], (1,), "a", "paired_twice"),
    ):
        with pytest.raises(SwissError) as refused:
            Published(tuple(pairs), tables, bye)
        assert refused.value.code == code
    with pytest.raises(SwissError) as refused:
        repair(field, Published((("a", "b"),), (1,)), seed=1, forbidden=[("a", "b")])
    assert refused.value.code == "impossible"
