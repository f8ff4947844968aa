"""Games between real starter decks of Altered.

The community's card list has no card texts, so the engine can execute none of the effects in these games.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from engine.core.cards.catalog import Catalog
from engine.core.decks.decklist import Decklist, parse
from engine.core.replay.selfplay import play
from engine.games.altered.cardlist import read_altered

DATA = Path(__file__).resolve().parents[4] / "shared" / "data" / "altered"
ABSENT = "../shared/data is absent"
STARTERS = ("01", "03", "05", "07", "09", "11")  # a hero and 39 cards each, none of them unique


@cache
def catalog() -> Catalog:
    """The catalogue read from the community's list without any encoding, so that all of its cards are unknown."""
    found = read_altered(DATA.joinpath("cards.json").read_bytes(), "altered-real", effects={}).catalog
    assert found is not None, "the list has no faults"
    return found


@cache
def starter(number: str) -> Decklist:
    """Return the starter deck whose file name begins with `number`."""
    (file,) = DATA.joinpath("decks").glob(f"{number}_*.txt")
    parsed = parse(file.read_text(encoding="utf-8"), catalog())
    assert not parsed.faults, "the starters are written by ref"
    return parsed.deck


def game(seed: int, first: str, second: str) -> dict[str, Any]:
    """Play a random game between two starters; cards without text may also be used as quick actions and supports."""
    decks: Mapping[str, Decklist] = {"A": starter(first), "B": starter(second)}
    return play("altered", seed, catalog=catalog(), decks=decks, hidden=("A", "B"))


def heroes(document: Mapping[str, Any]) -> list[str]:
    """The heroes of both decks, by seat."""
    return [seat["deck"]["commander"] for seat in document["seats"].values()]
