"""Altered logs without the entries and draws that may be left out, as a player in a hurry would record them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Entry = Mapping[str, Any]


def shortened(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the same game with as few entries as the engine needs, and without recorded draws."""
    moves = document["moves"]
    kept: list[Entry] = []
    for index in range(len(moves) - 1, -1, -1):
        if not (kept and needless(moves, index, kept[-1])):
            kept.append(moves[index])
    return {**document, "moves": [{**undrawn(entry), "n": n} for n, entry in enumerate(kept[::-1], 1)]}


def needless(moves: Sequence[Entry], index: int, after: Entry) -> bool:
    """Return whether `moves[index]` may be left out before the kept entry `after`."""
    entry = moves[index]
    # Chance other than a draw (a Tumult card revealed, a pick) cannot be reconstructed.
    if [kind for chance in entry.get("chance", ()) for kind in chance if kind != "draw"]:
        return False
    if entry["do"] == "adventure":
        return bool(after["do"] == "mana3")
    if entry["do"] == "expand" and entry["args"]["card"] is None:
        return after["do"] in ("play", "quick", "pass") or (after["do"] == "expand" and after["by"] != entry["by"])
    return entry["do"] == "pass" and second_pass(moves, index) and after["do"] in ("cleanup", "expand")


def second_pass(moves: Sequence[Entry], index: int) -> bool:
    """Return whether the pass at `index` is the second one of the day, which ends the afternoon."""
    for entry in moves[index - 1 :: -1]:
        if entry["do"] in ("expand", "mana3"):
            return False
        if entry["do"] == "pass":
            return True
    return False


def undrawn(entry: Entry) -> dict[str, Any]:
    """Return the entry without its recorded draws."""
    chance = [item for item in entry.get("chance", ()) if "draw" not in item]
    return {**{key: value for key, value in entry.items() if key != "chance"}, **({"chance": chance} if chance else {})}
