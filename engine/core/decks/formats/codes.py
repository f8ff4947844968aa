"""Lists of bare codes: Yu-Gi-Oh's `.ydk` and `ydke://`, and a single line of codes, as tabletop simulators read it."""

from __future__ import annotations

import base64
import binascii
import re
import struct
from collections import Counter
from collections.abc import Iterator

from engine.core.decks.formats.line import Line, listed, split_lines
from engine.core.text.errors import Malformed

_CODE = re.compile(r"[A-Z]{1,5}[0-9]{0,3}-[0-9]{2,4}[a-z]?(?:-[0-9]{1,2})?")
_PASSCODE = re.compile(r"[0-9]{1,10}")
_ZONES = {"#main": "", "#extra": "", "!side": "side", "#side": "side"}


def looks_like(content: str) -> bool:
    """Return whether the text is a single line of two or more codes."""
    words = content.split(None, 1)
    if not words or not _CODE.fullmatch(words[0]) or len(content.strip().splitlines()) != 1:
        return False
    codes = content.split()
    return len(codes) > 1 and all(_CODE.fullmatch(code) for code in codes)


def read_codes(content: str) -> tuple[Line, ...]:
    """Read one copy for each code. `OGN-265-1` may also be `OGN-265`, without the number of the artwork."""
    counted = Counter(content.split())
    # The line the codes are on: blank lines may come before it.
    number = len(content) - len(content.lstrip())
    number = content[:number].count("\n") + 1
    return listed(
        Line(number, code, "entry", "", count, tuple(dict.fromkeys((code, _without_picture(code)))))
        for code, count in counted.items()
    )


def _without_picture(code: str) -> str:
    return code.rpartition("-")[0] if code.count("-") > 1 else code


def read_ydk(content: str) -> tuple[Line, ...]:
    """Read one passcode on each line below `#main`, `#extra` or `!side`. The extra deck counts as part of the deck."""
    found: list[Line] = []
    section = ""
    for number, raw in enumerate(split_lines(content), 1):
        word = raw.strip()
        if word in _ZONES:
            section = _ZONES[word]
        elif _PASSCODE.fullmatch(word, 0) and word.isascii():
            found.append(_passcode(number, int(word), 1, section))
        elif word and not word.startswith(("#", "!", "//")):
            found.append(Line(number, word, "long" if len(raw) > 400 else "entry", section, 1, (word[:400],)))
    return tuple(found)


def read_ydke(content: str) -> tuple[Line, ...]:
    """Read `ydke://main!extra!side!`, where each part is base64 of 32-bit passcodes, little endian.

    Raises Malformed `bad_code`.
    """
    parts = content.strip()[len("ydke://") :].removesuffix("!").split("!")
    if len(parts) != 3:
        raise Malformed("bad_code", "a ydke:// address has three parts, each ended by an exclamation mark")
    return listed(line for part, section in zip(parts, ("", "", "side"), strict=True) for line in _part(part, section))


def _part(part: str, section: str) -> Iterator[Line]:
    try:
        data = base64.b64decode(part.encode(), validate=True)
    except (binascii.Error, ValueError):
        raise Malformed("bad_code", "a part of a ydke:// address is not base64") from None
    if len(data) % 4:
        raise Malformed("bad_code", "a part of a ydke:// address is cut short")
    codes = Counter(code for (code,) in struct.iter_unpack("<I", data))
    for code, count in codes.items():
        yield _passcode(1, code, count, section)


# A passcode has eight digits, but some programs drop its leading zeros, and a ydke:// part holds a bare number. Both
# spellings are offered, since a catalogue may use either.
def _passcode(number: int, code: int, count: int, section: str) -> Line:
    return Line(number, f"{code}", "entry", section, count, tuple(dict.fromkeys((f"{code}", f"{code:08d}"))))
