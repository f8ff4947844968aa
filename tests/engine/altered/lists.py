"""The cards named in the deck scenarios of Altered.

`H-OR` is a hero of Ordis, `C-OR-1` a common of Ordis, `R-…` a rare, `U-…` a unique, `E-…` an exalted card; `MANA` is a
Mana Convergence, `TOKEN` another token. `C2-OR-1` prints `C-OR-1` again, `R-OR-1` is the rare of the same name.
`C-OR-19` was suspended from 2025-01-30 to 2025-05-12; `C-OR-20` is banned from 2025-10-03 on.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from engine.core.cards.catalog import Catalog, load_catalog

FACTIONS = ("AX", "BR", "LY", "OR")
RARITIES = {"C": "common", "R": "rare", "U": "unique", "E": "exalted"}


@cache
def catalog() -> Catalog:
    """The catalogue of the cards above, with twenty numbers for each faction and rarity."""
    cards: list[dict[str, Any]] = [
        {"ref": f"{letter}-{faction}-{n}", "name": f"Card {faction} {n if letter in 'CR' else f'{n}{letter}'}",
         "kind": "personnage", "factions": [faction], "rarity": rarity}
        for letter, rarity in RARITIES.items() for faction in FACTIONS for n in range(1, 21)
    ]  # fmt: skip
    cards += [
        {"ref": f"H-{faction}", "name": f"Hero {faction}", "kind": "héros", "factions": [faction]}
        for faction in FACTIONS
    ]
    cards += [
        {"ref": "C2-OR-1", "name": "Card OR 1", "kind": "personnage", "factions": ["OR"], "rarity": "common",
         "reprint_of": "C-OR-1"},
        {"ref": "MANA", "name": "Mana", "kind": "mana", "factions": ["NE"]},
        {"ref": "TOKEN", "name": "Token", "kind": "jeton", "factions": ["OR"]},
    ]  # fmt: skip
    legality = [
        {"name": "Card OR 19", "where": {"rarity": "common"}, "from": "2025-01-30", "until": "2025-05-13"},
        {"name": "Card OR 20", "faction": "OR", "from": "2025-10-03", "status": "banned"},
    ]
    return load_catalog({"id": "test-altered", "game": "altered", "cards": cards, "legality": legality})


def filler(count: int) -> list[str]:
    """Return `count` filler cards: commons of Ordis from `C-OR-2` on, three copies each."""
    return [f"C-OR-{n // 3 + 2}" for n in range(count)]
