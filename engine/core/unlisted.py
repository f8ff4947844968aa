"""Cards that no catalogue can list one by one, such as Altered's uniques: a decklist tells what their ref does not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from engine.core.card import Card


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

    def read(self, cards: Mapping[str, Card], words: str) -> ParsedRef | None:
        """Read the words of a decklist line about such a card. Returns None if they are not about one."""
        ...
