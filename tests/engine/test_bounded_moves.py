"""However many cards a log declares on the table, the moves listed for it stay few: see `core.table.game.Wanted`."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.replay.replay import load_game
from engine.core.table.game import MOST_GROUPS, Move, Wanted
from tests.engine.scenario import start

MANY = 60  # cards, as many as a deck may have
TARGETS = 6  # cards of the terrain
MODES = 2  # by Force and by Cosmos
POSITIONS: Mapping[str, tuple[dict[str, Any], str, str]] = {
    "saint-seiya": (
        {"seats": {"A": {"play": ["P-3-3-0-F3C4 @common/terrain/1"] * MANY}}}, "acquire", "with",
    ),
    "wakfu": ({"turn": {"phase": "attaque"}, "seats": {"A": {"combat": ["C-1-1-T1"] * MANY}}}, "attack", "attackers"),
}  # fmt: skip


@given(st.integers(0, 14), st.integers(0, 3))
def test_groups_are_all_groups_up_to_the_bound_and_then_the_whole(count: int, fewest: int) -> None:
    cards = range(count)
    every = [group for size in range(fewest, count + 1) for group in combinations(cards, size)]
    listed = list(Wanted().groups(cards, fewest))
    assert listed == every if len(every) <= MOST_GROUPS + 1 else listed == [*every[:MOST_GROUPS], tuple(cards)]


@pytest.mark.parametrize("game", POSITIONS)
def test_the_moves_with_groups_of_many_cards_are_bounded_and_include_that_of_all(game: str) -> None:
    given_, verb, key = POSITIONS[game]
    state = start({"game": game, "given": given_})
    found = [move for move in load_game(game).candidates(state) if move.do == verb]
    assert 0 < len(found) <= TARGETS * MODES * (MOST_GROUPS + 1)
    assert max(len(move.args[key]) for move in found) >= MANY


@pytest.mark.parametrize("game", POSITIONS)
def test_a_group_that_is_not_listed_can_be_played(game: str) -> None:
    given_, verb, key = POSITIONS[game]
    state = start({"game": game, "given": given_})
    loaded = load_game(game)
    whole = max((move for move in loaded.candidates(state) if move.do == verb), key=lambda move: len(move.args[key]))
    unlisted = Move(whole.by, whole.do, {**whole.args, key: whole.args[key][:-1]})
    assert unlisted not in loaded.candidates(state)
    assert loaded.verbs()[verb].check(state, unlisted) == []
