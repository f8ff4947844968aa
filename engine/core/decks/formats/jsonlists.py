"""Lists that sites export as JSON: TCG-Arena's `deckList`, Scryfall's `entries`, SWUDB's `deck`, Moxfield's `boards`.

Builders of single games, such as those of Wakfu, write `cards` or a bare list.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from engine.core.decks.formats.headings import section_of
from engine.core.decks.formats.line import Line, listed, quantity
from engine.core.text.errors import Malformed

MAX_DIGITS = 9  # digits of a number; a longer one is kept as text, which is not a quantity
_ORDER = "categoriesOrder"
_PARTS = ("leader", "secondleader", "base", "deck", "sideboard")
_BOARDS = ("commanders", "companions", "mainboard", "sideboard", "maybeboard")  # Moxfield, at the top or in `boards`
_GROUPS = ("deckList", "entries", "boards", "cards", "cartes", "carte")
_NAMES = ("name", "nom", "nome", "cardName")
_COUNTS = ("count", "quantity", "qty", "quantite", "quantité", "quantita", "nombre", "amount", "number")


def read(content: str) -> tuple[Line, ...] | None:
    """Return the entries by category, or None if the document is not from one of these sites.

    Raises Malformed `wrong_type`.
    """
    # Floats and long integers are kept as text, so that no number of the document can fail to be converted.
    try:
        document = json.loads(content.strip(), parse_float=str, parse_int=_integer, parse_constant=str)
    except (ValueError, RecursionError):
        return None
    if isinstance(document, list):
        document = {"cards": document}
    if not isinstance(document, dict):
        return None
    groups = _groups(document)
    if groups is None:
        return None
    if isinstance(groups, list):
        groups = {"deck": groups}
    if not isinstance(groups, dict):
        raise Malformed("wrong_type", "the cards must be an object from category to list, or a list", path="deckList")
    return (*_title(document), *listed(_entries(groups)))


def _groups(document: Mapping[str, Any]) -> Any:
    """Return the cards of a document, by category or as a list; None if it is not from one of these sites."""
    for key in _GROUPS:
        if document.get(key) is not None:
            return document[key]
    deck = document.get("deck")
    if isinstance(deck, list):
        return {key: document[key] for key in _PARTS if document.get(key) is not None}
    if isinstance(deck, dict) and any(isinstance(deck.get(key), dict | list) for key in _GROUPS):
        return _groups(deck)
    boards = {key: document[key] for key in _BOARDS if isinstance(document.get(key), dict)}
    return boards if "mainboard" in boards else None


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
        # The main deck is the default section, which lines leave empty.
        section = {"main": ""}.get(found := section_of(category.replace("_", " ")), found)
        if section == "about" or category == _ORDER:
            continue
        # A category is a list of cards, an object of cards by key, or a single card (SWUDB's leader and base).
        held = held["cards"] if isinstance(held, dict) and isinstance(held.get("cards"), dict | list) else held
        cards = [held] if isinstance(held, dict) and "count" in held else held
        cards = list(cards.values()) if isinstance(cards, dict) else cards
        if not isinstance(cards, list):
            raise Malformed("wrong_type", "a category must be a list of cards", path=category[:40])
        for index, card in enumerate(cards):
            yield _entry(card, section, f"{category[:40]}[{index}]")


def _entry(card: Any, section: str, path: str) -> Line:
    """Return a card: its id or name, and how many copies (one by default)."""
    if not isinstance(card, dict):
        raise Malformed("wrong_type", "a card must be an object", path=path)
    digest, inner = card.get("card_digest"), card.get("card")
    named = [digest.get("name"), card.get("raw_text")] if isinstance(digest, dict) else [card.get("id")]
    named += [inner.get("name")] if isinstance(inner, dict) else [inner]
    words = [word for word in (*named, *map(card.get, _NAMES)) if isinstance(word, str) and word.strip()]
    if not words:
        raise Malformed("wrong_type", "a card has an id or a name, a string", path=path)
    count = quantity(next((card[key] for key in _COUNTS if key in card), 1))
    return Line(0, words[0], "entry", section, count, tuple(word[:400] for word in words))
