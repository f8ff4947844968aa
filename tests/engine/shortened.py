"""Logs shortened the way a scribe may shorten them: without implied entries, or without the cards drawn."""

from __future__ import annotations

from typing import Any

from engine.core.replay.replay import Replay
from engine.core.table.game import Move

# An `end_phase` is never needed before an `attack` or `end_turn` of the same player.
UNNEEDED = {"end_phase": ("attack", "end_turn")}


def without_implied(document: dict[str, Any]) -> dict[str, Any]:
    """Return the log without the entries that the next kept entry implies; claims noted at them are lost."""
    replay, moves = Replay(document, keep=False), document["moves"]
    given: list[dict[tuple[str, str], Move | None]] = []
    for _ in moves:
        state, game = replay.state, replay.game
        pairs = {(move["by"], move["do"]) for move in moves[len(given) : len(given) + 20]}
        given.append({pair: game.implied(state, *pair) for pair in sorted(pairs)})
        replay.step()
    kept = [moves[-1]]
    for move, implied in list(zip(moves, given, strict=True))[-2::-1]:
        found = implied.get((kept[-1]["by"], kept[-1]["do"]))
        same = found is not None and (found.by, found.do, found.args) == (move["by"], move["do"], move.get("args", {}))
        unneeded = move["by"] == kept[-1]["by"] and kept[-1]["do"] in UNNEEDED.get(move["do"], ())
        if not same and not unneeded:
            kept.append(move)
    return {**document, "moves": [{**move, "n": n} for n, move in enumerate(reversed(kept), 1)]}


def without_draws(document: dict[str, Any]) -> dict[str, Any]:
    """Return the log without its recorded draws; other chance (dice, cards revealed) stays."""
    moves = [dict(move) for move in document["moves"]]
    for move in moves:
        chance = [item for item in move.pop("chance", []) if "draw" not in item]
        if chance:
            move["chance"] = chance
    return {**document, "moves": moves}
