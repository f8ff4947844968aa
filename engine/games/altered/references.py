"""References that a decklist may write and no catalogue lists: unique cards, and numbers written without their zero.

Every unique card exists once, and no catalogue has them all. Its reference gives its family, which is that of the
common card of the same set and number, and a serial, but not its faction. A list that names a unique the catalogue does
not have adds the faction: `1 ALT_COREKS_B_BR_05_U_3612 (BR)`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from engine.core.cards.card import UNKNOWN_TEXT, Card
from engine.core.cards.card_index import bare_words
from engine.core.cards.unlisted import ParsedRef

OWNED = ("AX", "BR", "LY", "MU", "OR", "YZ")  # factions that have uniques
PRINTED = ("C", "R1", "R2")  # versions from which a family's name and kind are known
MAX_SERIAL = 65_535

_FAMILY = r"ALT_[A-Z0-9]{1,12}_[ABP]_[A-Z]{2}_[0-9]{1,3}"
_COMPLETE = re.compile(rf"(?P<family>{_FAMILY})_U_[0-9]{{1,5}} \((?P<faction>[A-Z]{{2}})\)")
_UNIQUE = re.compile(
    rf"(?P<family>{_FAMILY})_U_(?P<serial>[0-9]{{1,5}})(?:\s*[(\[](?P<faction>[A-Z]{{2}})[)\]])?(?:\s+(?P<rest>.+))?",
    re.IGNORECASE,
)
_SET = re.compile(r"ALT_(?P<set>[A-Z0-9]{1,12})_[ABP]_[A-Z]{2}_[0-9]{1,3}_", re.IGNORECASE)
_NUMBERED = re.compile(r"(?P<start>ALT_[A-Z0-9]{1,12}_[ABP]_[A-Z]{2}_)(?P<number>[0-9]{1,3})(?P<end>_[A-Z0-9]{1,2})")


class References:
    """Altered's implementation of `core.cards.unlisted.Unlisted`. A complete ref is `ALT_…_U_3612 (OR)`."""

    def card(self, cards: Mapping[str, Card], ref: str) -> Card | None:
        """Return a unique card of its family and of the faction in its ref; its figures and its text are unknown."""
        match = _COMPLETE.fullmatch(ref)
        family = match and _family(cards, match["family"])
        if not match or not family or match["faction"] not in OWNED:
            return None
        words = {**family.words, "rarity": "unique"}
        named = replace(family, ref=ref, factions=(match["faction"],), words=words)
        return replace(named, figures={}, text=UNKNOWN_TEXT, reprint_of="")

    def set_of(self, ref: str) -> str:
        """Return the set in a reference: CORE for ALT_CORE_B_AX_01_C."""
        match = _SET.match(ref)
        return match["set"].upper() if match else ""

    def read(self, cards: Mapping[str, Card], words: str, lang: str = "") -> ParsedRef | None:
        """Return the card that a line names, with its faction if it is a unique the catalogue does not have.

        Faults: `faction_needed`; `faction_mismatch` if the catalogue has another faction; `unknown_card`.
        """
        if match := _UNIQUE.fullmatch(words):
            return _unique(cards, match, lang)
        if match := _NUMBERED.fullmatch(words.upper()):
            return _numbered(cards, match)
        return None


def _unique(cards: Mapping[str, Card], match: re.Match[str], lang: str) -> ParsedRef | None:
    ref = f"{match['family']}_U_{match['serial']}".upper()
    faction = (match["faction"] or "").upper()
    listed = cards.get(ref)
    if listed is not None:
        if faction and faction not in listed.factions:
            return ParsedRef(fault="faction_mismatch", suggestions=(f"{ref} ({listed.factions[0]})",))
        return ParsedRef(ref) if _is_named(listed, match["rest"]) else None
    family = _family(cards, match["family"].upper())
    if family is None or int(match["serial"]) > MAX_SERIAL:
        return None
    suggestions = tuple(f"{ref} ({one}) {family.name_in(lang)}" for one in OWNED)
    if not _is_named(family, match["rest"]):
        return ParsedRef(fault="unknown_card", suggestions=suggestions)
    return (
        ParsedRef(f"{ref} ({faction})")
        if faction in OWNED
        else ParsedRef(fault="faction_needed", suggestions=suggestions)
    )


def _is_named(card: Card, words: str | None) -> bool:
    """Whether the words after a ref are missing, or are the card's name in some language."""
    return not words or bare_words(words) in [bare_words(name) for name in card.every_name]


def _numbered(cards: Mapping[str, Card], match: re.Match[str]) -> ParsedRef | None:
    """Return a card whose number has one zero more or less than in the catalogue."""
    number = int(match["number"])
    refs = (f"{match['start']}{digits}{match['end']}" for digits in (f"{number:02d}", f"{number}"))
    return next((ParsedRef(ref) for ref in refs if ref in cards), None)


def _family(cards: Mapping[str, Card], family: str) -> Card | None:
    return next((cards[ref] for version in PRINTED if (ref := f"{family}_{version}") in cards), None)


REFERENCES = References()
