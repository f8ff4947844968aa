"""The board of Wakfu on which a card is tried: two creatures and generators of every element on each side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.replay.trial import lying
from engine.games.wakfu.vocabulary import ELEMENTS, GENERATOR, LEADER

EXTRAS: tuple[Mapping[str, Any], ...] = (
    {"ref": "TRIAL-L", "name": "Leader", "kind": LEADER, "pv": 20, "pa": 6, "pm": 3, "patt": 1,
     "mana": dict.fromkeys(ELEMENTS, 1)},
    {"ref": "TRIAL-1", "name": "1-1", "kind": "créature", "patt": 1, "drop": 1, "cost": {"Terre": 1}},
    {"ref": "TRIAL-2", "name": "2-2", "kind": "créature", "patt": 2, "drop": 2, "cost": {"Terre": 2}},
    {"ref": "TRIAL-3", "name": "4-3", "kind": "créature", "patt": 4, "drop": 3, "cost": {"Terre": 4}},
    *({"ref": f"TRIAL-{element}", "name": element, "kind": GENERATOR, "cost": {}, "mana": {element: 1}}
      for element in ELEMENTS),
)  # fmt: skip


def board(card: Mapping[str, Any]) -> dict[str, Any]:
    """Return the board: the card is in hand, a leader in play."""
    ref, leads = str(card["ref"]), card["kind"] == LEADER
    generators = [lying(f"TRIAL-{element}") for element in ELEMENTS for _ in range(4)]
    common = {"deck": 20, "discard": ["TRIAL-1"], "equipment": []}
    seats = {
        "A": {
            **common, "pv": 20, "hand": ["TRIAL-1", "TRIAL-2"] if leads else [ref, "TRIAL-1"],
            "leader": lying(ref if leads else "TRIAL-L"), "rest": generators,
            "combat": [lying("TRIAL-1"), lying("TRIAL-2")],
        },
        "B": {
            **common, "pv": 20, "hand": 4, "leader": lying("TRIAL-L"), "rest": [lying("TRIAL-Terre")],
            "combat": [lying("TRIAL-1"), lying("TRIAL-3")],
        },
    }  # fmt: skip
    found: dict[str, Any] = {
        "turn": {"n": 5, "seat": "A", "phase": "invocation", "first": "A"},
        "state": {"seats": seats},
    }
    main = {**dict.fromkeys(("TRIAL-1", "TRIAL-2", "TRIAL-3"), 12), **{f"TRIAL-{each}": 4 for each in ELEMENTS}}
    decks = {
        "A": {"commander": ref if leads else "TRIAL-L", "main": main if leads else {ref: 3, **main}},
        "B": {"commander": "TRIAL-L", "main": main},
    }
    return {**found, "decks": decks}
