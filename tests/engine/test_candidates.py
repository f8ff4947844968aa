"""In positions reached by scenarios of Star Safir, `candidates` lists exactly the moves that `check` accepts."""

from __future__ import annotations

import json
from dataclasses import astuple
from typing import Any

import pytest

from engine.core.replay.replay import load_game
from engine.core.table.context import Context
from engine.core.table.game import Move
from engine.core.table.state import to_json
from tests.engine import cast
from tests.engine import scenario as runner
from tests.engine.domain import every_argument

SHOWN = ("choices", "effects", "hidden_magics", "interpretations", "keywords", "moments", "reasons")
FILES = tuple(f"{runner.GAME}, {name}" for name in SHOWN)
PLAYED = [(file, item) for file, item in runner.SCENARIOS if file in FILES and "given" in item]


def named(item: dict[str, Any]) -> list[str]:
    """Return the refs that a scenario mentions, in order."""
    words = json.dumps([item["given"], item["moves"]]).replace("/", '"').split('"')
    cards = cast.catalog().cards
    return list(dict.fromkeys(word for word in words if word in cards))


def about(move: Move, refs: list[str]) -> bool:
    """Return whether the cards of a move are among `refs`.

    A hidden hand may hold any card of the catalogue, so `candidates` also offers moves outside the tried domain.
    """
    return move.args.get("card", "?") in (*refs, "?", None) and _picked(move) in (*refs, None)


def _picked(move: Move) -> str | None:
    """Return the ref that an answer picks, or None if it picks something else."""
    pick = move.args.get("pick")
    return pick if pick in cast.catalog().cards else None


@pytest.mark.parametrize(("file", "item"), PLAYED, ids=[f"{file}: {item['name']}" for file, item in PLAYED])
def test_candidates_are_exactly_the_moves_that_check_accepts(file: str, item: dict[str, Any]) -> None:
    game, state, refs = load_game(runner.GAME), runner.start(item), named(item)
    # The last move of such a scenario is refused: the comparison takes place in the position before it.
    refused = any(word in item["expect"] for word in ("refused", "error"))
    runner.play({**item, "moves": item["moves"][: -1 if refused else None]}, state, Context(state))
    before, verbs = to_json(state), game.verbs()
    legal = [json.dumps(astuple(move)) for move in every_argument(refs) if not verbs[move.do].check(state, move)]
    offered = [json.dumps(astuple(move)) for move in game.candidates(state) if about(move, refs)]
    assert sorted(legal) == sorted(offered)
    assert to_json(state) == before
