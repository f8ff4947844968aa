"""Cards that no catalogue can list one by one, such as Altered's uniques: a decklist tells what their ref does not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from engine.core.cards.card import Card


@dataclass(frozen=True, slots=True)
class ParsedRef:
    """What a decklist line says about such a card: its complete ref, or the code of a fault and ways to write it."""

    ref: str = ""
    fault: str = ""
    suggestions: tuple[str, ...] = ()


class Unlisted(Protocol):
    """How a game derives these cards from the cards in its catalogue."""

    def card(self, cards: Mapping[str, Card], ref: str) -> Card | None:
        """Return the card of a complete ref, or None if there is no such card."""
        ...

    def read(self, cards: Mapping[str, Card], words: str, lang: str = "") -> ParsedRef | None:
        """Read the words of a decklist line about such a card; suggestions name it in `lang`.

        Returns None if the words are not about such a card.
        """
        ...

    def set_of(self, ref: str) -> str:
        """Return the set that a ref names, "" if it names none."""
        ...
