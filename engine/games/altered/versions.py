"""The versions of an Altered card: a common, a rare of its faction (R1) and one of another (R2), uniques, exalted.

Articles and players write the rarity beside the name, sometimes with the faction: `Baba Yaga (R)`, `[C] Baba Yaga`,
`Baba Yaga (Ordis Rare)`, `Baba Yaga R2`. "F" is a rare out of its faction on some sites, and a foil card on others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import reduce

from engine.core.cards.card import Card
from engine.core.cards.card_index import bare_words
from engine.core.cards.versions import Wanted

FACTIONS = {
    "AX": "Axiom", "BR": "Bravos", "LY": "Lyra", "MU": "Muna", "OR": "Ordis", "YZ": "Yzmir", "NE": "Neutral",
}  # fmt: skip
RARITIES = {
    "common": {"en": "Common", "fr": "Commune", "it": "Comune"},
    "rare": {"en": "Rare", "fr": "Rare", "it": "Rara"},
    "unique": {"en": "Unique", "fr": "Unique", "it": "Unica"},
    "exalted": {"en": "Exalted", "fr": "Exaltée", "it": "Esaltata"},
}
MAX_MARKS = 4  # words beside a name
OWN, OTHER, LETTER = "R1", "R2", "F"  # a rare of the card's own faction, one of another; "F" alone

_WORDS = {
    "common": ("c", "com", "comm", "common", "commons", "commun", "commune", "communs", "comune", "comuni"),
    "rare": ("r", "rare", "rares", "rara", "raro", "rari"),
    "unique": ("u", "uni", "unique", "uniques", "unica", "unico"),
    "exalted": ("e", "ex", "exalted", "exalte", "exaltee", "esaltata", "esaltato"),
}
_FOREIGN = ("r2", "rf", "fr", "hf", "oof", "hors faction", "fuori fazione", "out of faction")
_MARKS: dict[str, Wanted] = {
    **{word: Wanted(rarities=frozenset({rarity})) for rarity, words in _WORDS.items() for word in words},
    **{code.lower(): Wanted(factions=frozenset({code})) for code in FACTIONS},
    **{name.lower(): Wanted(factions=frozenset({code})) for code, name in FACTIONS.items()},
    "neutre": Wanted(factions=frozenset({"NE"})), "neutrale": Wanted(factions=frozenset({"NE"})),
    "r1": Wanted(frozenset({"rare"}), variant=OWN),
    "f": Wanted(variant=LETTER),
    **{word: Wanted(frozenset({"rare"}), variant=OTHER) for word in _FOREIGN},
}  # fmt: skip
_LAST = re.compile(
    r"(?P<rest>.*?[^\s,;:/(\[{-])[\s,;:/(\[{-]+"
    r"(?P<mark>hors faction|fuori fazione|out of faction|[^\W\d_]+[12]?)[)\]}\s]*",
    re.IGNORECASE,
)
_FIRST = re.compile(r"(?:[(\[{*]\s*(?P<boxed>[^\W\d_]+[12]?)\s*[)\]}*]|(?P<bare>[Rr][12]))[\s:-]*(?P<rest>\S.*)")


class AlteredVersions:
    """Altered's implementation of `core.cards.versions.Versions`."""

    def marks(self, words: str) -> Iterator[tuple[str, Wanted]]:
        """Yield the words without the marks at their end, then without one at their start too."""
        found: list[Wanted] = []
        rest = words
        first = _FIRST.fullmatch(rest)
        if first and (mark := _MARKS.get(bare_words(first["boxed"] or first["bare"]))):
            found.append(mark)
            rest = first["rest"]
            yield rest, mark
        while len(found) < MAX_MARKS and (last := _LAST.fullmatch(rest)):
            mark = _MARKS.get(bare_words(last["mark"]))
            if mark is None:
                return
            found.append(mark)
            rest = last["rest"]
            yield rest, reduce(_both, found)

    def fitting(self, cards: Sequence[Card], wanted: Wanted) -> list[Card]:
        """Return the versions of that rarity and faction. Beside a rarity, "F" says that a card is foil."""
        found = [
            card
            for card in cards
            if (not wanted.rarities or card.words.get("rarity", "common") in wanted.rarities)
            and (not wanted.factions or not wanted.factions.isdisjoint(card.factions))
        ]
        if wanted.variant == LETTER:
            foreign = [card for card in found if not wanted.rarities and _variant(card) == OTHER]
            return foreign or found
        # The refs of some rares do not say which of the two they are.
        return [card for card in found if not wanted.variant or _variant(card) in ("", wanted.variant)]

    def fault(self, wanted: Wanted) -> str:
        """Return `unique_without_ref` for a unique, which a name does not identify, else `no_such_version`."""
        return "unique_without_ref" if "unique" in wanted.rarities else "no_such_version"

    def label(self, card: Card, lang: str) -> str:
        """Return the rarity and the faction of a card: "(Rare, Ordis)"."""
        rarity = RARITIES[card.words.get("rarity", "common")].get(lang or "en", "")
        return f"({', '.join([rarity, *(FACTIONS.get(code, code) for code in card.factions)])})"


def _both(one: Wanted, other: Wanted) -> Wanted:
    return Wanted(
        one.rarities | other.rarities if not (one.rarities and other.rarities) else one.rarities & other.rarities,
        one.factions | other.factions,
        one.variant or other.variant,
    )


def _variant(card: Card) -> str:
    """Return R1 or R2 as the ref of a rare says, "" if it says neither."""
    end = card.ref.rpartition("_")[2]
    return end if end in (OWN, OTHER) else ""


VERSIONS = AlteredVersions()
