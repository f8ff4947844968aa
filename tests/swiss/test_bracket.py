"""Brackets of every size: pairings of seeds, byes for the top seeds, and winners advancing."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.swiss.bracket import (
    NOBODY,
    Bracket,
    Played,
    Slot,
    consequences,
    double_elimination,
    is_over,
    places,
    read,
    seed_order,
    single_elimination,
    to_seat,
)
from tournaments.swiss.field import SwissError

SIZES = range(2, 65)


def seeds_of(players: int) -> list[str]:
    return [f"S{number}" for number in range(1, players + 1)]


def number(player: str) -> int:
    return int(player[1:])


def better(slot: Slot) -> str:
    assert slot.a and slot.b
    return min(slot.a, slot.b, key=number)


def play(bracket: Bracket, winner_of=better) -> tuple[dict[str, Slot], list[list[Slot]]]:
    """Play a bracket to its end. Returns its nodes, and the slots seated in each round."""
    seeds = seeds_of(bracket.players)
    played: dict[str, Played] = {}
    rounds = []
    while seated := to_seat(read(bracket, seeds, played)):
        rounds.append(list(seated))
        for slot in seated:
            winner = slot.winner if slot.state == "walkover" else winner_of(slot)
            played[slot.node.id] = Played(slot.a or NOBODY, slot.b or NOBODY, winner)
    return read(bracket, seeds, played), rounds


def test_eight_seeds_are_placed_as_in_the_magic_rules() -> None:
    assert seed_order(8) == (1, 8, 4, 5, 2, 7, 3, 6)


@pytest.mark.parametrize("players", SIZES)
def test_single_elimination_gives_the_top_seeds_byes_and_ranks_by_seed_without_upsets(players: int) -> None:
    bracket = single_elimination(players)
    slots, rounds = play(bracket)
    byes = sorted(number(slot.winner or "S0") for slot in rounds[0] if slot.state == "walkover")
    size = 1 << (players - 1).bit_length()
    assert byes == list(range(1, size - players + 1))
    assert sum(slot.state == "played" for slot in slots.values()) == players - 1
    assert len(rounds) == bracket.rounds == (players - 1).bit_length()
    assert is_over(slots)
    for slot in rounds[0]:
        if slot.state == "ready":
            assert number(slot.a or "") + number(slot.b or "") == size + 1
    ranked = places(bracket, slots, seeds_of(players))
    assert ranked[:2] == ((1, "S1"), (2, "S2"))
    assert [rank for rank, _player in ranked[2:4]] == [3, 3][: players - 2]


@pytest.mark.parametrize("players", SIZES)
def test_the_top_two_seeds_meet_only_in_the_final(players: int) -> None:
    slots, _rounds = play(single_elimination(players))
    final = list(slots.values())[-1]
    assert {final.a, final.b} == {"S1", "S2"}


def test_the_match_for_third_place_separates_the_losers_of_the_semi_finals() -> None:
    bracket = single_elimination(8, third_place=True)
    slots, rounds = play(bracket)
    assert [slot.node.id for slot in rounds[-1]] == ["T1", "W3.1"]
    assert places(bracket, slots, seeds_of(8))[:4] == ((1, "S1"), (2, "S2"), (3, "S3"), (4, "S4"))


@pytest.mark.parametrize("players", SIZES)
@pytest.mark.parametrize("reset", [True, False])
def test_everybody_but_the_winner_loses_twice_in_double_elimination(players: int, reset: bool) -> None:
    chance = Random(players)
    bracket = double_elimination(players, reset=reset)
    slots, rounds = play(bracket, lambda slot: chance.choice([slot.a, slot.b]))
    lost = dict.fromkeys(seeds_of(players), 0)
    for slot in slots.values():
        if slot.state == "played":
            lost[slot.loser or ""] += 1
    matches = sum(slot.state == "played" for slot in slots.values())
    champion = places(bracket, slots, seeds_of(players))[0][1]
    once = [player for player in lost if lost[player] < 2 and player != champion]
    assert is_over(slots)
    assert lost[champion] < 2
    assert len(once) <= int(not reset)
    assert matches == 2 * players - 2 + int(reset and lost[champion] == 1)
    for seated in rounds:
        players_of = [player for slot in seated for player in (slot.a, slot.b) if player]
        assert len(players_of) == len(set(players_of))


def test_the_grand_final_is_played_again_if_the_undefeated_player_loses_it() -> None:
    def upset(slot: Slot) -> str:
        return slot.b or "" if slot.node.id == "F1" else better(slot)

    bracket = double_elimination(4)
    slots, _rounds = play(bracket, upset)
    assert slots["F2"].state == "played"
    assert (slots["F2"].a, slots["F2"].b, slots["F2"].winner) == ("S2", "S1", "S1")
    slots, _rounds = play(bracket)
    assert slots["F2"].state == "empty"
    assert places(bracket, slots, seeds_of(4))[:2] == ((1, "S1"), (2, "S2"))


def test_the_opponent_of_a_dropped_player_advances() -> None:
    bracket = single_elimination(4)
    seeds = seeds_of(4)
    played = {"W1.1": Played("S1", "S4", "S4"), "W1.2": Played("S2", "S3", "S2")}
    slots = read(bracket, seeds, played, gone={"S4"})
    assert (slots["W2.1"].state, slots["W2.1"].winner) == ("walkover", "S2")
    assert [player for _rank, player in places(bracket, slots, seeds)] == ["S2", "S4", "S1", "S3"]
    assert is_over(slots)


def test_a_drop_does_not_unseat_a_seated_match() -> None:
    slots = read(single_elimination(2), ["S1", "S2"], {"W1.1": Played("S1", "S2", None)}, gone={"S1"})
    assert slots["W1.1"].state == "seated"
    assert to_seat(slots) == ()


@given(st.integers(2, 64), st.booleans(), st.randoms(use_true_random=False))
def test_a_bracket_can_be_finished_whoever_drops(players: int, twice: bool, chance: Random) -> None:
    bracket = double_elimination(players) if twice else single_elimination(players, third_place=chance.random() < 0.5)
    seeds = seeds_of(players)
    gone: set[str] = set()
    played: dict[str, Played] = {}
    while seated := to_seat(read(bracket, seeds, played, gone)):
        for slot in seated:
            assert slot.winner not in gone or slot.state == "ready"
            winner = slot.winner if slot.state == "walkover" else chance.choice([slot.a, slot.b])
            played[slot.node.id] = Played(slot.a or NOBODY, slot.b or NOBODY, winner)
        if len(gone) < players - 1 and chance.random() < 0.3:
            gone.add(chance.choice(seeds))
    slots = read(bracket, seeds, played, gone)
    assert is_over(slots)
    assert sorted(player for _rank, player in places(bracket, slots, seeds)) == sorted(seeds)


def test_a_changed_winner_lists_the_seats_that_change_and_the_matches_that_stand() -> None:
    bracket = single_elimination(4)
    played = {
        "W1.1": Played("S1", "S4", "S1"),
        "W1.2": Played("S2", "S3", "S2"),
        "W2.1": Played("S1", "S2", None),
    }
    seeds = seeds_of(4)
    (found,) = consequences(bracket, read(bracket, seeds, played), "W1.1", "S4")
    assert (found.node, found.out, found.into, found.decided) == ("W2.1", "S1", "S4", False)
    played["W2.1"] = Played("S1", "S2", "S1")
    (found,) = consequences(bracket, read(bracket, seeds, played), "W1.1", "S4")
    assert found.decided
    assert consequences(bracket, read(bracket, seeds, played), "W1.1", "S1") == ()
    assert consequences(bracket, read(bracket, seeds, played), "W2.1", "S2") == ()


def test_a_changed_winner_moves_two_players_in_double_elimination() -> None:
    bracket = double_elimination(4)
    played = {
        "W1.1": Played("S1", "S4", "S1"),
        "W1.2": Played("S2", "S3", "S2"),
        "W2.1": Played("S1", "S2", None),
        "L1.1": Played("S4", "S3", None),
    }
    found = consequences(bracket, read(bracket, seeds_of(4), played), "W1.1", "S4")
    assert {(change.node, change.out, change.into) for change in found} == {("W2.1", "S1", "S4"), ("L1.1", "S4", "S1")}


@pytest.mark.parametrize(("players", "code"), [(1, "too_few_players"), (2000, "too_many_players")])
def test_a_bracket_of_an_invalid_size_is_rejected(players: int, code: str) -> None:
    with pytest.raises(SwissError) as caught:
        single_elimination(players)
    assert caught.value.code == code


def test_a_wrong_number_of_seeds_is_rejected() -> None:
    with pytest.raises(SwissError) as caught:
        read(single_elimination(4), seeds_of(3), {})
    assert caught.value.code == "seeds_missing"
