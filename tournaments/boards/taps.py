"""How a move is made by tapping: the places and cards of a board that name it, in any order.

A move of a game is a verb with arguments. Each argument that names a place or a card is a *tap*: "@A/field/1" is a
place or a whole zone, "#A/DEMO-1" a card of seat A by its ref. What is neither, such as a number, is chosen from the
sentences of the moves that are left.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.face.tables import places_named

PAYING = ("pay", "with", "by")  # arguments that say how a card is paid: narrowing by them is never necessary


@dataclass(frozen=True)
class Taps:
    """The taps that a move needs, and those by which the way to pay for it can be chosen."""

    needed: tuple[str, ...]
    paying: tuple[str, ...] = ()


def taps_of(move: Mapping[str, Any], board: Mapping[str, Any], kinds: Mapping[str, str]) -> Taps:
    """Return the taps of a legal move on a board. `kinds` are the kinds of cards by ref."""
    by = str(move["by"])
    places, args = places_named(move["args"], by, board, kinds)
    needed = [f"@{place}" for place in places]
    cards = [tap for key, value in args.items() if key not in PAYING for tap in _taps(value, by, kinds)]
    paying = [tap for key, value in args.items() if key in PAYING for tap in _taps(value, by, kinds)]
    return Taps((*cards, *needed), tuple(paying))


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
