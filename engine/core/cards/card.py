"""A single printing of a card: immutable facts, as read from a catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.core.abilities.program import Program

UNKNOWN_TEXT = "?"  # the text of a card whose text the catalogue does not have


@dataclass(frozen=True, slots=True)
class Card:
    """One printing of a card.

    - `ref` is its key; `reprint_of` is the ref of the original printing ("" if this is the original).
    - `names` are its names in other languages, by language code ("en"). `text` is "?" if the text is not known.
    - `subtypes` are the printed subtypes ("ROBOT"), in the spelling of the catalogue.
    - `figures` are the integers printed on it, by name ("atk"); `words` other facts ("rarity": "rare"); `amounts`
      integers by kind ("mana": {"Terre": 2}). What a card does not have is absent.
    - `program` is what its keywords and abilities compile to; None for a card without any.
    - `executable` says that the engine can play the card without a ruling: every keyword is enforced, every ability is
      well formed, and if the text says more than keywords, there are abilities for it.
    """

    ref: str
    name: str
    kind: str
    factions: tuple[str, ...] = ()
    figures: Mapping[str, int] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    amounts: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    keywords: tuple[Mapping[str, Any], ...] = ()
    abilities: tuple[Mapping[str, Any], ...] = ()
    text: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    reprint_of: str = ""
    subtypes: tuple[str, ...] = ()
    program: Program | None = field(default=None, compare=False, repr=False)
    executable: bool = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        found = self.program
        whole = self.vanilla if found is None else found.sound and self._covers_text(found)
        object.__setattr__(self, "executable", whole)

    def _covers_text(self, found: Program) -> bool:
        return bool(self.abilities or found.into is not None or not self.unsaid)

    @property
    def original(self) -> str:
        """The ref of the original printing, which all printings of the card share."""
        return self.reprint_of or self.ref

    def name_in(self, lang: str) -> str:
        """Return the card's name in a language ("en"), or its main name if it has none."""
        return self.names.get(lang, self.name)

    @property
    def every_name(self) -> tuple[str, ...]:
        """The card's names in all known languages, its main name first."""
        return tuple(dict.fromkeys((self.name, *self.names.values())))

    @property
    def vanilla(self) -> bool:
        """Whether the card has figures but no effect: no keyword, no ability and no other text."""
        return not (self.keywords or self.abilities or (self.text and self.unsaid))

    @property
    def unsaid(self) -> str:
        """The part of the text that is neither a keyword of the card nor the name of its kind."""
        if self.text in ("", UNKNOWN_TEXT):
            return self.text
        text = self.text.casefold()
        # Longest first: a keyword may contain another ("Rempart+" and "Rempart").
        for word in sorted([self.kind, *(str(keyword.get("kw", "")) for keyword in self.keywords)], key=len)[::-1]:
            text = text.replace(word.casefold(), "")
        return text.strip(" \t\r\n|.,;:+")
