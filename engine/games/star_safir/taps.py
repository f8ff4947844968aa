"""The places that the coordinates of a move name: a territory, and slots in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

COORDINATES = ("territory", "slot", "attackers", "target", "to", "to_slot", "face")


def places(
    args: Mapping[str, Any], by: str, board: Mapping[str, Any], kinds: Mapping[str, str]
) -> tuple[list[str], dict[str, Any]]:
    """Return the places that the arguments of a move name, and its other arguments."""
    others = {key: value for key, value in args.items() if key not in COORDINATES}
    return list(_places(args, by, board, kinds)), others


def _places(args: Mapping[str, Any], by: str, board: Mapping[str, Any], kinds: Mapping[str, str]) -> Iterator[str]:
    territory = args.get("territory")
    if territory is None:
        return
    other = next((seat for seat in board["seats"] if seat != by), by)
    yield from (f"{by}/T{territory}/fighters/{slot}" for slot in args.get("attackers") or ())
    if "attackers" in args:
        yield f"{other}/T{territory}/" + (f"fighters/{args['target']}" if args.get("target") else "discard")
        return
    row = "magics" if kinds.get(args.get("card", "")) == "magie" or args.get("face") else "fighters"
    yield f"{by}/T{territory}/{row}/{args['slot']}" if args.get("slot") else f"{by}/T{territory}/{row}"
    if "to" in args:
        yield f"{by}/T{args['to']}/{row}/{args['to_slot']}"


def aims(move: Mapping[str, Any], board: Mapping[str, Any]) -> list[tuple[str, str]] | None:
    """Return whom an attack aims at, from each attacker; None for any other move."""
    args, by = move["args"], move["by"]
    others = [seat for seat in board["seats"] if seat != by]
    if move["do"] != "attack" or len(others) != 1:
        return None
    row = f"T{args['territory']}/fighters"
    target = f"{others[0]}/{row}/{args['target']}" if args.get("target") else f"{others[0]}/T{args['territory']}"
    return [(f"{by}/{row}/{slot}", target) for slot in args.get("attackers") or ()]
