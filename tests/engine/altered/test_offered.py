"""In every position that the scenarios of Altered reach, `candidates` lists exactly the moves that `check` accepts."""

from __future__ import annotations

import json
from dataclasses import astuple
from typing import Any

import pytest

from engine.core.replay.replay import load_game
from engine.core.table.context import Context
from engine.core.table.game import Move
from engine.core.table.state import to_json
from tests.engine import scenario as runner
from tests.engine.altered import cast
from tests.engine.altered.domain import every_argument

GAME = "altered"
REACHED = [item for _, item in runner.SCENARIOS if item["game"] == GAME and "given" in item]


def named(item: dict[str, Any]) -> list[str]:
    """Return the refs that a scenario mentions, in order."""
    words = json.dumps([item["given"], item["moves"]]).replace("/", '"').replace(" ", '"').split('"')
    cards = cast.catalog().cards
    return list(dict.fromkeys(word for word in words if word in cards))


def about(move: Move, refs: list[str]) -> bool:
    """Return whether the cards of a move are among `refs`.

    A hidden hand may hold any card of the catalogue, so `candidates` also offers moves outside the tried domain.
    """
    cards = cast.catalog().cards
    said = (str(move.args.get(key, "")).rpartition("/")[2] for key in ("card", "pick"))
    return all(word in refs for word in said if word in cards)


@pytest.mark.parametrize("item", REACHED, ids=[item["name"] for item in REACHED])
def test_candidates_are_exactly_the_moves_that_check_accepts(item: dict[str, Any]) -> None:
    game, state, refs = load_game(GAME), runner.start(item), named(item)
    # The last move of such a scenario is refused: the comparison takes place in the position before it.
    refused = any(word in item["expect"] for word in ("refused", "error"))
    runner.play({**item, "moves": item["moves"][: -1 if refused else None]}, state, Context(state))
    before, verbs = to_json(state), game.verbs()
    legal = [json.dumps(astuple(move)) for move in every_argument(state, refs) if not verbs[move.do].check(state, move)]
    offered = [json.dumps(astuple(move)) for move in game.candidates(state) if about(move, refs)]
    assert sorted(legal) == sorted(offered)
    assert to_json(state) == before
