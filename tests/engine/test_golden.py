"""Golden playthroughs: a published ruleset must replay these whole games with the same states for ever.

`golden/regenerate.py` explains the files and when they may be written again.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.core.replay.replay import load_game
from tests.engine.golden.regenerate import FOLDER, GAMES, judged, states


def golden(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the content of a golden file, and the log it holds."""
    found = json.loads(FOLDER.joinpath(f"{name}.json").read_text(encoding="utf-8"))
    return found, {**found["header"], "moves": [row[0] for row in found["moves"]]}


@pytest.mark.parametrize("name", GAMES)
def test_the_state_after_every_move_matches_the_golden_file(name: str) -> None:
    found, log = golden(name)
    on_file = [(digest, changes) for _, digest, changes in found["moves"]]
    assert states(log) == [(found["start"], {}), *on_file]


@pytest.mark.parametrize("name", GAMES)
def test_the_report_matches_the_golden_file(name: str) -> None:
    found, log = golden(name)
    assert judged(log) == found["report"]
    assert found["report"]["verdict"] == "confirmed"


def played(prefix: str) -> list[dict[str, Any]]:
    """Return the entries of all golden games whose name starts with `prefix`."""
    return [move for name in GAMES if name.startswith(prefix) for move in golden(name)[1]["moves"]]


@pytest.mark.parametrize(("game", "prefix"), [("star-safir", "safir"), ("wakfu", "wakfu")])
def test_the_golden_games_use_every_verb_and_a_response(game: str, prefix: str) -> None:
    moves = played(prefix)
    assert set(load_game(game).habits) <= {move["do"] for move in moves}
    assert [move for move in moves if move.get("resp")]


def test_the_golden_games_of_altered_use_every_verb() -> None:
    assert set(load_game("altered").habits) <= {move["do"] for move in played("altered")}
