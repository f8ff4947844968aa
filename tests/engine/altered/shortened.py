"""A log without the entries and the draws that it may leave out, as a player in a hurry would keep it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Entry = Mapping[str, Any]


def shortened(document: Mapping[str, Any]) -> dict[str, Any]:
    """The same game with as few entries as the engine can do with; nobody noted a draw."""
    moves = document["moves"]
    kept: list[Entry] = []
    for index in range(len(moves) - 1, -1, -1):
        if not (kept and needless(moves, index, kept[-1])):
            kept.append(moves[index])
    return {**document, "moves": [{**undrawn(entry), "n": n} for n, entry in enumerate(kept[::-1], 1)]}


def needless(moves: Sequence[Entry], index: int, after: Entry) -> bool:
    """Whether an entry may be left out before the one that is kept after it."""
    entry = moves[index]
    if [kind for chance in entry.get("chance", ()) for kind in chance if kind != "draw"]:
        return False
    if entry["do"] == "adventure":
        return bool(after["do"] == "mana3")
    if entry["do"] == "expand" and entry["args"]["card"] is None:
        return after["do"] in ("play", "quick", "pass") or (after["do"] == "expand" and after["by"] != entry["by"])
    return entry["do"] == "pass" and second_pass(moves, index) and after["do"] in ("cleanup", "expand")


def second_pass(moves: Sequence[Entry], index: int) -> bool:
    """Whether the other player passed before this one on the same day."""
    for entry in moves[index - 1 :: -1]:
        if entry["do"] in ("expand", "mana3"):
            return False
        if entry["do"] == "pass":
            return True
    return False


def undrawn(entry: Entry) -> dict[str, Any]:
    """The entry without the draws that somebody noted."""
    chance = [item for item in entry.get("chance", ()) if "draw" not in item]
    return {**{key: value for key, value in entry.items() if key != "chance"}, **({"chance": chance} if chance else {})}
