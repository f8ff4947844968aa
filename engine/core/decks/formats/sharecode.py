"""Altered's share codes, version 1: a decklist as bits, in base64url without padding.

The numbers in brackets are bits:

- the version (4) and the number of groups (8);
- for each group, the set (8) and the number of cards (6);
- for each card, the copies (2; 0 means that 6 bits follow, which hold the copies less 3), a bit for boosters or else
  the product (2), the faction (3), the number (as many bits as its set needs), the rarity (2, or 3 in sets with a fifth
  rarity), and for uniques a serial (16).
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from engine.core.decks.formats.line import MAX_LINE, Line, listed
from engine.core.text.errors import Malformed

VERSION = 1
MAX_COPIES = 65
MAX_SERIAL = 65_535
MAX_REFS = 63  # cards of a group


class Set(NamedTuple):
    """A set: its number in a code, and how many bits its card numbers and its rarities take."""

    code: int
    number: int
    rarity: int


SETS: Mapping[str, Set] = {
    "COREKS": Set(1, 5, 2), "CORE": Set(2, 5, 2), "ALIZE": Set(3, 6, 2), "BISE": Set(4, 6, 2), "TCS3": Set(5, 6, 2),
    "WCQ25": Set(6, 5, 2), "WCS25": Set(7, 5, 2), "CYCLONE": Set(8, 7, 2), "DUSTER": Set(9, 7, 3),
    "DUSTERTOP": Set(10, 5, 2), "DUSTERCB": Set(11, 7, 3), "DUSTEROP": Set(12, 7, 3),
}  # fmt: skip
PRODUCTS = {"P": 1, "A": 2}  # boosters ("B") have a bit of their own
FACTIONS = {"AX": 1, "BR": 2, "LY": 3, "MU": 4, "OR": 5, "YZ": 6, "NE": 7}
RARITIES = {"C": 0, "R1": 1, "R2": 2, "U": 3, "E": 4}

_CODE = re.compile(r"E[A-Za-z0-9_-]{2,}={0,2}")
_REF = re.compile(r"ALT_([A-Z0-9]+)_([ABP])_([A-Z]{2})_([0-9]{1,3})_(C|R1|R2|U|E)(?:_([0-9]{1,9}))?")


class _BitReader:
    """Bits read from left to right."""

    def __init__(self, data: bytes) -> None:
        self.digits = "".join(f"{byte:08b}" for byte in data)
        self.at = 0

    def take(self, count: int) -> int:
        """Return the next `count` bits as a number. Raises Malformed `bad_code` past the end."""
        found = self.digits[self.at : self.at + count]
        if len(found) < count:
            raise _bad("it is cut short")
        self.at += count
        return int(found, 2)


def looks_like(content: str) -> bool:
    """Return whether the text is a single word that can be read as a share code to its end. Refs and names cannot."""
    word = content.strip()
    # A code is longer than a line of text: 500 entries take about 3,000 characters.
    if len(word) > MAX_LINE * 10 or not _CODE.fullmatch(word):
        return False
    try:
        list(_cards(word))
    except Malformed:
        return False
    return True


def read(content: str) -> tuple[Line, ...]:
    """Return the cards of a code in order.

    A number below 10 may be written with one or two digits. Raises Malformed.
    """
    return listed(Line(1, refs[0], "entry", "", count, refs) for refs, count in _cards(content.strip()) if count)


def write(cards: Iterable[tuple[str, int]]) -> str:
    """Return the code of a list of (ref, copies). Sets keep the order in which they first occur; 0 copies are left out.

    Raises Malformed `bad_code` for a ref that a code cannot hold, more than 65 copies, or a serial above 65,535.
    """
    groups: dict[str, list[str]] = {}
    for ref, count in cards:
        if count:
            groups.setdefault(_set_of(ref), []).append(_copies(ref, count) + _card(ref))
    parts = [
        (name, found[start : start + MAX_REFS])
        for name, found in groups.items()
        for start in range(0, len(found), MAX_REFS)
    ]
    digits = f"{VERSION:04b}{len(parts):08b}"
    digits += "".join(f"{SETS[name].code:08b}{len(found):06b}{''.join(found)}" for name, found in parts)
    digits += "0" * (-len(digits) % 8)
    data = bytes(int(digits[at : at + 8], 2) for at in range(0, len(digits), 8))
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _bad(why: str) -> Malformed:
    return Malformed("bad_code", f"no share code: {why}")


def _cards(word: str) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield the possible refs of each card and its copies. Raises Malformed `bad_code`."""
    bare = word.rstrip("=")
    try:
        bits = _BitReader(base64.urlsafe_b64decode(bare + "=" * (-len(bare) % 4)))
    except ValueError:
        raise _bad("it is not base64") from None
    if bits.take(4) != VERSION:
        raise _bad(f"only version {VERSION} is known")
    for _ in range(bits.take(8)):
        name = _named({name: found.code for name, found in SETS.items()}, bits.take(8), "set")
        for _ in range(bits.take(6)):
            yield _read_card(bits, name)
    # Fewer than eight bits left are padding of the last byte.
    if len(bits.digits) - bits.at >= 8:
        raise _bad("it goes on after its last card")


def _read_card(bits: _BitReader, name: str) -> tuple[tuple[str, ...], int]:
    count = bits.take(2)
    if not count:
        more = bits.take(6)
        count = more + 3 if more else 0
    product = "B" if bits.take(1) else _named(PRODUCTS, bits.take(2), "product")
    faction = _named(FACTIONS, bits.take(3), "faction")
    number = bits.take(SETS[name].number)
    rarity = _named(RARITIES, bits.take(SETS[name].rarity), "rarity")
    serial = f"_{bits.take(16)}" if rarity == "U" else ""
    refs = [f"ALT_{name}_{product}_{faction}_{digits}_{rarity}{serial}" for digits in (f"{number:02d}", f"{number}")]
    return tuple(dict.fromkeys(refs)), count


def _named(names: Mapping[str, int], code: int, what: str) -> str:
    for name, number in names.items():
        if number == code:
            return name
    raise _bad(f"no {what} has the number {code}")


def _set_of(ref: str) -> str:
    match = _REF.fullmatch(ref)
    if match is None or match[1] not in SETS:
        raise _bad(f"it has no room for {ref[:60]!r}")
    return match[1]


def _copies(ref: str, count: int) -> str:
    if not 0 < count <= MAX_COPIES:
        raise _bad(f"{count} copies of {ref[:60]}, and it counts to {MAX_COPIES}")
    return f"{count:02b}" if count <= 3 else f"00{count - 3:06b}"


def _card(ref: str) -> str:
    """Return the bits of a card whose set is known."""
    match = _REF.fullmatch(ref)
    assert match is not None, "its set was read from it"
    name, product, faction, number, rarity, serial = match.groups()
    room = SETS[name]
    fits = faction in FACTIONS and int(number) < 1 << room.number and RARITIES[rarity] < 1 << room.rarity
    if not fits or (rarity == "U") != (serial is not None) or int(serial or 0) > MAX_SERIAL:
        raise _bad(f"it has no room for {ref[:60]!r}")
    found = "1" if product == "B" else f"0{PRODUCTS[product]:02b}"
    found += f"{FACTIONS[faction]:03b}{int(number):0{room.number}b}{RARITIES[rarity]:0{room.rarity}b}"
    return found + (f"{int(serial):016b}" if serial is not None else "")
