"""Cards that no catalogue can list one by one, such as Altered's uniques: a decklist says what their ref does not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from engine.core.cards import Card


@dataclass(frozen=True, slots=True)
class Written:
    """What the words of a list say of such a card: its complete ref, or the code of a fault and ways to write it."""

    ref: str = ""
    fault: str = ""
    ways: tuple[str, ...] = ()


class Unlisted(Protocol):
    """How a game knows these cards from the cards that are listed."""

    def card(self, cards: Mapping[str, Card], ref: str) -> Card | None:
        """The card of a complete ref; None if that is no card."""
        ...

    def read(self, cards: Mapping[str, Card], words: str) -> Written | None:
        """What the words of a list say of one; None where they are about no such card."""
        ...
