"""What cards do, as data by reference: the encodings that come with the engine, and how a card gets them.

An encoding may have `keywords`, `abilities` and `figures` as a card of a catalogue has them; none of them means that
the card has no effect. The figures replace those that the list has wrong. `needs` names what the language still lacks:
the card is then left to rulings as a whole.
`until` is the day on which an erratum changed the card, `then` its encoding from that day on, if the new text is known.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from engine.core.text import registry

Encodings = Mapping[str, Mapping[str, Any]]

ERRATUM = "erratum"  # what a card needs whose present text is not encoded


@cache
def shipped(game: str, file: str) -> Encodings:
    """Return the encodings of a game in a file of its `effects` folder, by reference."""
    text = files(registry.package(game)).joinpath("effects", file).read_text(encoding="utf-8")
    found: Encodings = json.loads(text)
    return found


def effects(encoding: Mapping[str, Any], trigger: str, day: str = "") -> dict[str, Any]:
    """Return the keys of a card that say what it does. Its text is empty: no text is shipped.

    `trigger` is any trigger of the game, under which the card says what its encoding lacks. `day` (as 2025-03-14) says
    which text counts if errata have changed it: by default the newest.
    """
    errata = "until" in encoding and (not day or day >= encoding["until"])
    if errata and "then" in encoding:
        return effects(encoding["then"], trigger, day)
    needs = [*encoding.get("needs", ()), *([ERRATUM] if errata else ())]
    lacking = [{"on": trigger, "do": [{"op": "manual", "needs": word}]} for word in needs]
    found: dict[str, Any] = {"text": "", **encoding.get("figures", {})}
    if "keywords" in encoding:
        found["keywords"] = list(encoding["keywords"])
    abilities = [*encoding.get("abilities", ()), *lacking]
    return {**found, "abilities": abilities} if abilities else found
