"""Lists that sites give as JSON: TCG-Arena's `deckList`, Scryfall's `entries`, SWUDB's `deck`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from engine.core.deckformats.line import Line, listed, quantity, section_of
from engine.core.errors import Malformed

MAX_DIGITS = 9  # of a number; a longer one is kept as text, which is no quantity
_ORDER = "categoriesOrder"
_PARTS = ("leader", "secondleader", "base", "deck", "sideboard")


def read(content: str) -> tuple[Line, ...] | None:
    """The entries by category, or None for a document of none of those sites. Raises Malformed `wrong_type`."""
    try:
        document = json.loads(content.strip(), parse_float=str, parse_int=_integer, parse_constant=str)
    except (ValueError, RecursionError):
        return None
    if not isinstance(document, dict):
        return None
    groups: Any = document.get("deckList", document.get("entries"))
    if groups is None and isinstance(document.get("deck"), list):
        groups = {key: document[key] for key in _PARTS if document.get(key) is not None}
    if groups is None:
        return None
    if isinstance(groups, list):
        groups = {"deck": groups}
    if not isinstance(groups, dict):
        raise Malformed("wrong_type", "the cards are an object from category to list, or a list", path="deckList")
    return (*_title(document), *listed(_entries(groups)))


def _integer(digits: str) -> int | str:
    return int(digits) if len(digits) <= MAX_DIGITS else digits


def _title(document: Mapping[str, Any]) -> Iterator[Line]:
    metadata = document.get("metadata")
    for place in (document, metadata if isinstance(metadata, dict) else {}):
        name = place.get("name")
        if isinstance(name, str) and name:
            yield Line(0, name, "metadata")


def _entries(groups: Mapping[str, Any]) -> Iterator[Line]:
    for category, held in groups.items():
        section = {"main": ""}.get(found := section_of(category.replace("_", " ")), found)
        if section in ("about", "apart") or category == _ORDER:
            continue
        cards = [held] if isinstance(held, dict) and "count" in held else held
        cards = list(cards.values()) if isinstance(cards, dict) else cards
        if not isinstance(cards, list):
            raise Malformed("wrong_type", "a category is a list of cards", path=category[:40])
        for index, card in enumerate(cards):
            yield _entry(card, section, f"{category[:40]}[{index}]")


def _entry(card: Any, section: str, path: str) -> Line:
    """A card: its id or its name, and how many (one, where nothing is said)."""
    if not isinstance(card, dict):
        raise Malformed("wrong_type", "a card is an object", path=path)
    digest = card.get("card_digest")
    named = [digest.get("name"), card.get("raw_text")] if isinstance(digest, dict) else [card.get("id")]
    words = [word for word in (*named, card.get("name")) if isinstance(word, str) and word.strip()]
    if not words:
        raise Malformed("wrong_type", "a card has an id or a name, a string", path=path)
    count = quantity(card.get("count", card.get("quantity", 1)))
    return Line(0, words[0], "entry", section, count, tuple(word[:400] for word in words))
