"""The board of Altered on which a card is tried: an afternoon with characters in both expeditions, and ten orbs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.replay.trial import lying
from engine.games.altered.vocabulary import HEROS, JETON, PERMANENT, PERSONNAGE, SORT, TUMULTE, TYPES

EXTRAS: tuple[Mapping[str, Any], ...] = (
    {"ref": "TRIAL-H", "name": "Héros", "kind": HEROS, "reserve_limit": 2, "landmark_limit": 2},
    *({"ref": f"TRIAL-{n}", "name": f"{n}-{n}-{n}", "kind": PERSONNAGE, "main": n, "reserve": n,
       **dict.fromkeys(TYPES, n)} for n in (1, 2, 3)),
    {"ref": "TRIAL-S", "name": "Sort", "kind": SORT, "main": 1, "reserve": 1},
    {"ref": "TRIAL-P", "name": "Permanent", "kind": PERMANENT, "main": 1, "reserve": 1},
    *({"ref": f"TRIAL-T{n}", "name": f"Tumulte {n}", "kind": TUMULTE, "ouest": {each: 1},
       "est": {other: 1 for other in TYPES if other != each}} for n, each in enumerate(TYPES, 1)),
)  # fmt: skip


def board(card: Mapping[str, Any]) -> dict[str, Any]:
    """Return the board: the card is in hand and in Reserve, a hero or a token in play."""
    ref, kind = str(card["ref"]), card["kind"]
    held = kind in (PERSONNAGE, SORT, PERMANENT)
    empty = {"discard": ["TRIAL-1"], "exile": [], "spent": 0, "heros": 2, "compagnon": 2, "deck": 20}
    heroes_row = ["TRIAL-1", *([ref] * (kind == JETON))]
    seats = {
        "A": {
            **empty, "hand": [ref, ref, "TRIAL-1"] if held else ["TRIAL-1", "TRIAL-S"], "mana": 10,
            "hero": lying(ref if kind == HEROS else "TRIAL-H"), "landmarks": [lying("TRIAL-P")],
            "reserve": [lying(ref if held else "TRIAL-2")], "exp_heros": [lying(each) for each in heroes_row],
            "exp_compagnon": [lying("TRIAL-2", boost=1)],
        },
        "B": {
            **empty, "hand": 5, "mana": 5, "hero": lying("TRIAL-H"), "landmarks": [lying("TRIAL-P")],
            "reserve": [lying("TRIAL-1")], "exp_heros": [lying("TRIAL-1")], "exp_compagnon": [lying("TRIAL-3")],
        },
    }  # fmt: skip
    found: dict[str, Any] = {
        "turn": {"n": 3, "seat": "A", "phase": "apres-midi", "first": "A"},
        "state": {
            "seats": seats,
            "common": {"limbo": [], "tumultes": [lying(f"TRIAL-T{n}") for n in (1, 2, 3)]},
        },
    }
    main = {"TRIAL-1": 12, "TRIAL-2": 12, "TRIAL-3": 12, "TRIAL-S": 12, "TRIAL-P": 12}
    decks = {
        "A": {
            "commander": ref if kind == HEROS else "TRIAL-H",
            "main": {ref: 4, **main} if held or kind == JETON else dict(main),
        },
        "B": {"commander": "TRIAL-H", "main": main},
    }
    return {**found, "decks": decks}
