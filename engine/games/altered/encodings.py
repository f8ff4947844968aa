"""What cards do, as data by reference, and how the cards of an imported list get it.

`effects/core.json` maps the reference of one printing to an encoding, which holds for all printings of the same card.
An encoding may have `keywords`, `abilities` and `figures` as a card of a catalogue has them; none of them means that
the card has no effect. `needs` names what the language still lacks: the card is then left to rulings as a whole.
`until` is the day on which an erratum changed the card, `then` its encoding from that day on, if the new text is known.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

Encodings = Mapping[str, Mapping[str, Any]]

FILE = "core.json"
ERRATUM = "erratum"  # what a card needs whose present text is not encoded


@cache
def shipped() -> Encodings:
    """Return the encodings that come with the engine, by reference."""
    text = files("engine.games.altered").joinpath("effects", FILE).read_text(encoding="utf-8")
    found: Encodings = json.loads(text)
    return found


def join(printings: Iterable[Sequence[dict[str, Any]]], encodings: Encodings, day: str = "") -> None:
    """Add to cards what they do, if it is encoded. `printings` holds the printings of each card together.

    `day` (as 2025-03-14) says which text counts for a card that errata have changed: by default the newest.
    """
    for same in printings:
        found = next((encodings[card["ref"]] for card in same if card["ref"] in encodings), None)
        for card in same if found is not None else ():
            card.update(_effects(found or {}, day))


def _effects(encoding: Mapping[str, Any], day: str) -> dict[str, Any]:
    """Return the keys of a card that say what it does. Its text is empty: no text is shipped."""
    errata = "until" in encoding and (not day or day >= encoding["until"])
    if errata and "then" in encoding:
        return _effects(encoding["then"], day)
    needs = [*encoding.get("needs", ()), *([ERRATUM] if errata else ())]
    lacking = [{"on": "played", "do": [{"op": "manual", "needs": word}]} for word in needs]
    found: dict[str, Any] = {"text": "", **encoding.get("figures", {})}
    if "keywords" in encoding:
        found["keywords"] = list(encoding["keywords"])
    abilities = [*encoding.get("abilities", ()), *lacking]
    return {**found, "abilities": abilities} if abilities else found
