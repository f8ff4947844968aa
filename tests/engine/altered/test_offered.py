"""What Altered offers is what it lets through, on the positions that its scenarios reach."""

from __future__ import annotations

import json
from dataclasses import astuple
from typing import Any

import pytest

from engine.core.context import Context
from engine.core.game import Move
from engine.core.replay import load_game
from engine.core.state import to_json
from tests.engine import scenario as runner
from tests.engine.altered import cast
from tests.engine.altered.domain import every_argument

GAME = "altered"
REACHED = [item for _, item in runner.SCENARIOS if item["game"] == GAME and "given" in item]


def named(item: dict[str, Any]) -> list[str]:
    """The cards that a scenario names, in order."""
    words = json.dumps([item["given"], item["moves"]]).replace("/", '"').replace(" ", '"').split('"')
    cards = cast.catalog().cards
    return list(dict.fromkeys(word for word in words if word in cards))


def about(move: Move, refs: list[str]) -> bool:
    """Whether a move is within the domain: any card of the catalogue may be in a hand nobody saw."""
    cards = cast.catalog().cards
    said = (str(move.args.get(key, "")).rpartition("/")[2] for key in ("card", "pick"))
    return all(word in refs for word in said if word in cards)


@pytest.mark.parametrize("item", REACHED, ids=[item["name"] for item in REACHED])
def test_what_is_offered_is_what_check_lets_through(item: dict[str, Any]) -> None:
    game, state, refs = load_game(GAME), runner.start(item), named(item)
    refused = any(word in item["expect"] for word in ("refused", "error"))
    runner.play({**item, "moves": item["moves"][: -1 if refused else None]}, state, Context(state))
    before, verbs = to_json(state), game.verbs()
    legal = [json.dumps(astuple(move)) for move in every_argument(state, refs) if not verbs[move.do].check(state, move)]
    offered = [json.dumps(astuple(move)) for move in game.candidates(state) if about(move, refs)]
    assert sorted(legal) == sorted(offered)
    assert to_json(state) == before
