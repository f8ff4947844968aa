"""Versions of a card that share its name, such as Altered's commons and rares: how lists write which one is meant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from engine.core.cards.card import Card


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the marks beside a name ask for: rarities and factions (empty for any), and a variant ("" for any)."""

    rarities: frozenset[str] = frozenset()
    factions: frozenset[str] = frozenset()
    variant: str = ""


class Versions(Protocol):
    """How a game tells the versions of a card apart."""

    def marks(self, words: str) -> Iterator[tuple[str, Wanted]]:
        """Yield the words with one more mark of a version removed each time, and what the marks ask for.

        Example: "Baba Yaga (Rare, Ordis)" gives "Baba Yaga (Rare" and "Baba Yaga".
        """
        ...

    def fitting(self, cards: Sequence[Card], wanted: Wanted) -> list[Card]:
        """Return the versions that the marks may mean."""
        ...

    def fault(self, wanted: Wanted) -> str:
        """Return the code of the fault if no version fits."""
        ...

    def label(self, card: Card, lang: str) -> str:
        """Return the marks of a card in `lang`, in brackets, as `marks` reads them back."""
        ...
