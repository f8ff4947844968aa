"""How a move is made by tapping: the places and cards of a board that name it, in any order.

A move of a game is a verb with arguments. Each argument that names a place or a card is a *tap*: "@A/field/1" is a
place or a whole zone, "#A/DEMO-1" a card of seat A by its ref. What is neither, such as a number, is chosen from the
sentences of the moves that are left.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

PAYING = ("pay", "with", "by")  # arguments that say how a card is paid: narrowing by them is never necessary
TERRITORIES = ("territory", "slot", "attackers", "target", "to", "to_slot", "face")  # coordinates in Star Safir


@dataclass(frozen=True)
class Taps:
    """The taps that a move needs, and those by which the way to pay for it can be chosen."""

    needed: tuple[str, ...]
    paying: tuple[str, ...] = ()


def taps_of(move: Mapping[str, Any], board: Mapping[str, Any], kinds: Mapping[str, str]) -> Taps:
    """Return the taps of a legal move on a board. `kinds` are the kinds of cards by ref."""
    args, by = dict(move["args"]), str(move["by"])
    needed = list(_territories(args, by, board, kinds)) if board["game"] == "star-safir" else []
    if board["game"] == "star-safir":
        args = {key: value for key, value in args.items() if key not in TERRITORIES}
    if "expedition" in args and args["expedition"] is not None:
        needed.append(f"@{by}/exp_{args.pop('expedition')}")
    cards = [tap for key, value in args.items() if key not in PAYING for tap in _taps(value, by, kinds)]
    paying = [tap for key, value in args.items() if key in PAYING for tap in _taps(value, by, kinds)]
    return Taps((*cards, *needed), tuple(paying))


def _territories(args: Mapping[str, Any], by: str, board: Mapping[str, Any], kinds: Mapping[str, str]) -> Iterator[str]:
    """Yield the places that coordinates of Star Safir name."""
    territory = args.get("territory")
    if territory is None:
        return
    other = next((seat for seat in board["seats"] if seat != by), by)
    yield from (f"@{by}/T{territory}/fighters/{slot}" for slot in args.get("attackers") or ())
    if "attackers" in args:
        yield f"@{other}/T{territory}/" + (f"fighters/{args['target']}" if args.get("target") else "discard")
        return
    row = "magics" if kinds.get(args.get("card", "")) == "magie" or args.get("face") else "fighters"
    yield f"@{by}/T{territory}/{row}/{args['slot']}" if args.get("slot") else f"@{by}/T{territory}/{row}"
    if "to" in args:
        yield f"@{by}/T{args['to']}/{row}/{args['to_slot']}"


def _taps(value: Any, by: str, kinds: Mapping[str, str]) -> Iterator[str]:
    if isinstance(value, list | tuple):
        for item in value:
            yield from _taps(item, by, kinds)
    elif isinstance(value, Mapping):
        yield from _taps(value.get("card"), by, kinds)
    elif isinstance(value, str):
        if "/" in value and not value.startswith("/"):
            yield f"@{value}"
        elif value in kinds or value == "?":
            yield f"#{by}/{value}"
