"""The board of Star Safir on which a card is tried: three territories, some fighters, and 9 PI to play it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.replay.trial import lying
from engine.games.star_safir.vocabulary import FIGHTING

EXTRAS: tuple[Mapping[str, Any], ...] = (
    {"ref": "TRIAL-1", "name": "1-1-2", "kind": "combattant", "atk": 1, "val": 1, "def": 2},
    {"ref": "TRIAL-2", "name": "2-2-3", "kind": "combattant", "atk": 2, "val": 2, "def": 3},
    {"ref": "TRIAL-3", "name": "4-3-4", "kind": "combattant", "atk": 4, "val": 3, "def": 4},
    {"ref": "TRIAL-4", "name": "Magie", "kind": "magie", "val": 1},
    {"ref": "TRIAL-5", "name": "Commandant", "kind": "commandant"},
)


def board(card: Mapping[str, Any]) -> dict[str, Any]:
    """Return the board: the card is in hand, or where its kind is when it is not played from there."""
    ref, kind = str(card["ref"]), card["kind"]
    leads, token = kind == "commandant", kind == "jeton"
    hand = ["TRIAL-1", "TRIAL-4"] if leads or token else [ref, "TRIAL-1", "TRIAL-4"]
    own = {
        "T1": _territory(ref if token else "TRIAL-1", "TRIAL-2"),
        "T2": _territory("TRIAL-2", discard=["TRIAL-1"] if kind in FIGHTING else ["TRIAL-1", "TRIAL-2"]),
        "T3": _territory(),
    }
    other = {"T1": _territory("TRIAL-1", "TRIAL-3"), "T2": _territory("TRIAL-2"), "T3": _territory()}
    main = {"TRIAL-1": 20, "TRIAL-2": 20, "TRIAL-3": 10, "TRIAL-4": 10}
    mine = dict(main) if leads else {ref: 3, **main}
    seats = {
        "A": {"pv": 5, "pi": 9, "hand": hand, "deck": 20, "commander": lying(ref if leads else "TRIAL-5"), **own},
        "B": {"pv": 5, "pi": 9, "hand": 5, "deck": 20, "commander": lying("TRIAL-5"), **other},
    }
    found: dict[str, Any] = {
        "turn": {"n": 5, "seat": "A", "phase": "invocation", "first": "A"},
        "state": {"seats": {seat: {**side, "aside": None} for seat, side in seats.items()}},
    }
    decks = {
        "A": {"commander": ref if leads else "TRIAL-5", "main": mine},
        "B": {"commander": "TRIAL-5", "main": main},
    }
    return {**found, "decks": decks}


def _territory(*fighters: str, discard: list[str] | None = None) -> dict[str, Any]:
    row = [lying(ref) for ref in fighters]
    return {"fighters": [*row, *[None] * (3 - len(row))], "magics": [None] * 3, "discard": discard or []}
