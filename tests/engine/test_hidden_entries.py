"""The entries of a game for the eyes of one seat: no card that another seat drew is named, and they replay alike."""

from __future__ import annotations

import pytest

import engine
from engine.core.replay import selfplay
from engine.core.replay.hidden_entries import concealed
from engine.core.replay.recorder import open_game


@pytest.mark.parametrize("name", engine.games())
def test_draws_of_others_are_unknown_and_the_game_goes_on_alike(name: str) -> None:
    for seed in range(4):
        log = selfplay.play(name, seed, hidden=())
        header = {key: value for key, value in log.items() if key not in ("moves", "claimed")}
        moves = log["moves"][:60]
        own = [move["n"] for move in moves if move["by"] == "A"]
        found = concealed(header, moves, own=own)
        drawn = [chance for move in found if move["by"] != "A" for chance in move.get("chance", [])]
        assert all(
            set(chance.get(kind, ["?"])) == {"?"} for chance in drawn for kind in ("draw", "look") if chance.get(kind)
        )
        assert [move for move in found if move["n"] in own] == [
            {key: value for key, value in move.items() if key != "h"} for move in moves if move["n"] in own
        ]
        whole, cut = open_game(header), open_game(header)
        for entry, hidden in zip(moves, found, strict=True):
            whole.accept(entry)
            cut.accept(hidden)
        public = [{key: value for key, value in game.board(None).items() if key == "turn"} for game in (whole, cut)]
        assert public[0] == public[1]
        assert cut.result == whole.result
