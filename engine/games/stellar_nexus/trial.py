"""The board of Stellar Nexus on which a card is tried: two creatures on each side, and ten resources to play it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.replay.trial import lying
from engine.games.stellar_nexus.vocabulary import FACTIONS, HEROS, JETON, RESSOURCE

EXTRAS: tuple[Mapping[str, Any], ...] = (
    {"ref": "TRIAL-H", "name": "Héros", "kind": HEROS, "pv": 20},
    {"ref": "TRIAL-1", "name": "1-2", "kind": "créature", "cost": 1, "atk": 1, "end": 2},
    {"ref": "TRIAL-2", "name": "2-3", "kind": "créature", "cost": 2, "atk": 2, "end": 3},
    {"ref": "TRIAL-3", "name": "4-4", "kind": "créature", "cost": 4, "atk": 4, "end": 4},
    *({"ref": f"TRIAL-R{n}", "name": faction, "kind": RESSOURCE, "factions": [faction]}
      for n, faction in enumerate(FACTIONS, 1)),
)  # fmt: skip


def board(card: Mapping[str, Any]) -> dict[str, Any]:
    """Return the board: the card is in hand, or in play if that is where its kind is used."""
    ref, kind = str(card["ref"]), card["kind"]
    in_play = kind in (HEROS, RESSOURCE, JETON)
    resources = [*([ref] * (kind == RESSOURCE)), *(f"TRIAL-R{n}" for n in range(1, 6) for _ in (1, 2))]
    rest = {"deck": 20, "resource_pile": 5, "hidden_hero": None, "exile": [], "equipment": [], "graveyard": ["TRIAL-1"]}
    field = ["TRIAL-1", "TRIAL-2", *([ref] * (kind == JETON))]
    seats = {
        "A": {
            **rest, "pv": 20, "hand": ["TRIAL-1", "TRIAL-2"] if in_play else [ref, "TRIAL-1"],
            "hero": ref if kind == HEROS else "TRIAL-H", "resources": [lying(each) for each in resources],
            "field": [lying(each) for each in field],
        },
        "B": {
            **rest, "pv": 20, "hand": 5, "hero": "TRIAL-H", "resources": [lying("TRIAL-R1")] * 3,
            "field": [lying("TRIAL-1"), lying("TRIAL-3")],
        },
    }  # fmt: skip
    found: dict[str, Any] = {
        "turn": {"n": 5, "seat": "A", "phase": "principale1", "first": "A"},
        "state": {"seats": seats},
    }
    main = {"TRIAL-1": 20, "TRIAL-2": 20, "TRIAL-3": 20, **{f"TRIAL-R{n}": 6 for n in range(1, 6)}}
    mine = dict(main) if kind == HEROS else {ref: 3, **main}
    decks = {
        "A": {"commander": ref if kind == HEROS else "TRIAL-H", "main": mine},
        "B": {"commander": "TRIAL-H", "main": main},
    }
    return {**found, "decks": decks}
