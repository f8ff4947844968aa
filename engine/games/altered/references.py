"""References that a list may write and no catalogue has: unique cards, and numbers without their zero.

A unique is one of a kind, and no catalogue has them all. Its reference tells its family, which is that of the common
card of the same set and number, and a serial, but not its faction: a list that names one the catalogue does not have
writes it, `1 ALT_COREKS_B_BR_05_U_3612 (BR)`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from engine.core.cardindex import bare_words
from engine.core.cards import UNKNOWN_TEXT, Card
from engine.core.unlisted import Written

OWNED = ("AX", "BR", "LY", "MU", "OR", "YZ")  # factions that have uniques
PRINTED = ("C", "R1", "R2")  # versions that tell a family's name and kind
MAX_SERIAL = 65_535

_FAMILY = r"ALT_[A-Z0-9]{1,12}_[ABP]_[A-Z]{2}_[0-9]{1,3}"
_COMPLETE = re.compile(rf"(?P<family>{_FAMILY})_U_[0-9]{{1,5}} \((?P<faction>[A-Z]{{2}})\)")
_UNIQUE = re.compile(
    rf"(?P<family>{_FAMILY})_U_(?P<serial>[0-9]{{1,5}})(?:\s*[(\[](?P<faction>[A-Z]{{2}})[)\]])?(?:\s+(?P<rest>.+))?",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"(?P<start>ALT_[A-Z0-9]{1,12}_[ABP]_[A-Z]{2}_)(?P<number>[0-9]{1,3})(?P<end>_[A-Z0-9]{1,2})")


class References:
    """How the game knows cards that are not listed (`core.unlisted`). A complete ref is `ALT_…_U_3612 (OR)`."""

    def card(self, cards: Mapping[str, Card], ref: str) -> Card | None:
        """A unique of its family, of the faction that completes its ref; its figures and its text are unknown."""
        match = _COMPLETE.fullmatch(ref)
        family = match and _family(cards, match["family"])
        if not match or not family or match["faction"] not in OWNED:
            return None
        words = {**family.words, "rarity": "unique"}
        named = replace(family, ref=ref, factions=(match["faction"],), words=words)
        return replace(named, figures={}, text=UNKNOWN_TEXT, reprint_of="")

    def read(self, cards: Mapping[str, Card], words: str) -> Written | None:
        """The unique that a line names, with a faction where the catalogue does not have it.

        Faults: `faction_needed`; `faction_mismatch` where the catalogue says another one; `unknown_card`.
        """
        if match := _UNIQUE.fullmatch(words):
            return _unique(cards, match)
        if match := _NUMBERED.fullmatch(words.upper()):
            return _numbered(cards, match)
        return None


def _unique(cards: Mapping[str, Card], match: re.Match[str]) -> Written | None:
    ref = f"{match['family']}_U_{match['serial']}".upper()
    faction = (match["faction"] or "").upper()
    listed = cards.get(ref)
    if listed is not None:
        if faction and faction not in listed.factions:
            return Written(fault="faction_mismatch", ways=(f"{ref} ({listed.factions[0]})",))
        return Written(ref) if _is_named(listed, match["rest"]) else None
    family = _family(cards, match["family"].upper())
    if family is None or int(match["serial"]) > MAX_SERIAL:
        return None
    ways = tuple(f"{ref} ({one}) {family.name}" for one in OWNED)
    if not _is_named(family, match["rest"]):
        return Written(fault="unknown_card", ways=ways)
    return Written(f"{ref} ({faction})") if faction in OWNED else Written(fault="faction_needed", ways=ways)


def _is_named(card: Card, words: str | None) -> bool:
    """Whether the words after a ref are nothing, or the name of the card in a language."""
    return not words or bare_words(words) in [bare_words(name) for name in card.every_name]


def _numbered(cards: Mapping[str, Card], match: re.Match[str]) -> Written | None:
    """A card whose number is written with a zero more or less than in the catalogue."""
    number = int(match["number"])
    refs = (f"{match['start']}{digits}{match['end']}" for digits in (f"{number:02d}", f"{number}"))
    return next((Written(ref) for ref in refs if ref in cards), None)


def _family(cards: Mapping[str, Card], family: str) -> Card | None:
    return next((cards[ref] for version in PRINTED if (ref := f"{family}_{version}") in cards), None)


REFERENCES = References()
