"""What the cards of Altered do, as data by reference, and how the cards of an imported list get it.

`effects/core.json` maps the reference of one printing to an encoding (see `core.text.encodings`), which holds for all
printings of the same card.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from engine.core.text.encodings import Encodings, effects
from engine.core.text.encodings import shipped as shipped_with

GAME, FILE = "altered", "core.json"


def shipped() -> Encodings:
    """Return the encodings that come with the engine, by reference."""
    return shipped_with(GAME, FILE)


def join(printings: Iterable[Sequence[dict[str, Any]]], encodings: Encodings, day: str = "") -> None:
    """Add to cards what they do, if it is encoded. `printings` holds the printings of each card together.

    `day` (as 2025-03-14) says which text counts for a card that errata have changed: by default the newest.
    """
    for same in printings:
        found = next((encodings[card["ref"]] for card in same if card["ref"] in encodings), None)
        for card in same if found is not None else ():
            card.update(effects(found or {}, "played", day))
