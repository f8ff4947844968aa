"""The seeds of a bracket that was read lead to the matches that were played."""

from __future__ import annotations

from random import Random

import pytest

from tests.transfers import samples
from tests.transfers.read import brought
from tests.transfers.test_challonge import VERSION_1
from tournaments.swiss.bracket import Played, read, single_elimination
from tournaments.transfers.brackets import fitted
from tournaments.transfers.brought import BroughtMatch, BroughtStage
from tournaments.transfers.formats.matches import decided, unfinished
from tournaments.transfers.seeding import fitting


def check(stage: BroughtStage) -> None:
    """Every match of the stage has its place in a bracket, in its round."""
    found = fitted(stage)
    assert found is not None
    placed = [[table.match for table in tables if len(table.match.seats) == 2] for tables in found.rounds]
    assert [sorted(tables, key=repr) for tables in placed] == [sorted(tables, key=repr) for tables in stage.rounds]


def played_out(rng: Random, seeds: list[str], upto: int) -> list[list[BroughtMatch]]:
    """The matches of a bracket with these seeds, with `upto` results."""
    bracket = single_elimination(len(seeds))
    played: dict[str, Played] = {}
    rounds: dict[int, list[BroughtMatch]] = {}
    for node in bracket.nodes:
        slot = read(bracket, seeds, played)[node.id]
        if slot.state != "ready" or slot.a is None or slot.b is None:
            continue
        first, second = slot.a, slot.b
        winner = rng.choice([first, second]) if upto > 0 else ""
        upto -= 1
        rounds.setdefault(node.round, []).append(
            decided(first, second, winner) if winner else unfinished(first, second)
        )
        played[node.id] = Played(first, second, winner or None)
    return [rounds[number] for number in sorted(rounds)]


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6, 8, 11, 16])
def test_seeds_that_fit_stay_and_others_are_made_to_fit(players):
    rng = Random(players)
    seeds = [f"P{number:02}" for number in range(players)]
    for upto in range(players):
        rounds = played_out(rng, seeds, upto)
        assert fitting(rounds, seeds) == tuple(seeds)
        mixed = rng.sample(seeds, players)
        made = fitting(rounds, mixed)
        assert sorted(made) == seeds
        if players.bit_count() == 1 and upto == players - 1:  # with byes, who has none cannot get any seed
            check(BroughtStage("single_elimination", tuple(map(tuple, rounds)), seeds=made))


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_the_match_for_third_place_is_placed_beside_the_final(order):
    semi_finals = (decided("A", "D", "A"), decided("B", "C", "C"))
    last = (unfinished("A", "C"), decided("D", "B", "B"))
    stage = BroughtStage("single_elimination", (semi_finals, tuple(last[at] for at in order)), seeds=tuple("ABCD"))
    found = fitted(stage)
    assert found is not None and found.third_place
    assert {table.node: table.match for table in found.rounds[1]} == {"W2.1": last[0], "T1": last[1]}


def test_a_bracket_that_is_paired_anew_keeps_the_order():
    rounds = [[decided("A", "D", "A"), decided("B", "C", "B")], [decided("A", "D", "D")]]
    assert fitting(rounds, ["A", "B", "C", "D"]) == ("A", "B", "C", "D")
    assert fitting([], []) == ()


def test_the_brackets_of_the_samples_have_their_matches():
    for data in (samples.NRTM, samples.LIMITLESS, samples.TOPDECK, samples.MELEE_PAIRINGS, VERSION_1):
        check(brought(data).stages[-1])
