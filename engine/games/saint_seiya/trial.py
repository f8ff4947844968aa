"""The board of Saint Seiya on which a card is tried: it is in hand and on the terrain, with Force to take it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.games.saint_seiya.vocabulary import BRONZE, EVOLUE, HEROS, MARKET, PERSONNAGE

EXTRAS: tuple[Mapping[str, Any], ...] = (
    {"ref": "TRIAL-H", "name": "Héros", "kind": HEROS, "force": 1, "cosmos": 1, "soin": 1, "hero": "TRIAL"},
    {"ref": "TRIAL-E", "name": "Héros Chevalier", "kind": EVOLUE, "force": 3, "cosmos": 3, "hero": "TRIAL"},
    {"ref": "TRIAL-B", "name": "Armure de Bronze", "kind": BRONZE, "hero": "TRIAL"},
    {"ref": "TRIAL-1", "name": "3-3", "kind": PERSONNAGE, "force": 3, "cosmos": 3, "soin": 1, "cost_force": 3,
     "copies": 9},
    {"ref": "TRIAL-2", "name": "6-6", "kind": PERSONNAGE, "force": 6, "cosmos": 6, "cost_force": 6, "copies": 9},
)  # fmt: skip
PACKET = {"TRIAL-H": 9, "TRIAL-B": 1, "TRIAL-E": 5}


def board(card: Mapping[str, Any]) -> dict[str, Any]:
    """Return the board: the card is in hand and, if it is of the market, on the terrain."""
    ref = str(card["ref"])
    on_sale = card["kind"] in MARKET
    table: dict[str, Any] = {
        "armour": None, "relics": [], "marked": [], "aside": [], "destroyed": [], "pillars": [], "discard": ["TRIAL-H"],
    }  # fmt: skip
    seats = {
        "A": {**table, "hand": [ref, "TRIAL-2", "TRIAL-2", "TRIAL-1"], "deck": 5, "play": []},
        "B": {**table, "hand": 4, "deck": 5, "play": []},
    }
    terrain = [*([ref] if on_sale else []), *["TRIAL-1"] * 5, "TRIAL-2"][:6]
    found: dict[str, Any] = {
        "turn": {"n": 5, "seat": "A", "phase": "principale", "first": "A"},
        "state": {
            "seats": seats,
            "common": {
                "flames": 12,
                "sapphires": 0,
                "terrain": terrain,
                "reserve": 10,
                "reserve_discard": ["TRIAL-1"],
            },
        },
    }
    unseen = {"A": {"TRIAL-H": 5}, "B": {"TRIAL-H": 9}, "common": {"TRIAL-1": 10}}
    return {**found, "unseen": unseen, "decks": {seat: {"main": dict(PACKET)} for seat in seats}}
