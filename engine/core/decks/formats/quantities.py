"""The ways to split a line into a quantity and a card, and a line with several cards into its parts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.core.decks.formats.line import Line

MAX_PARTS = 80  # cards on a line

# Quantity before the card: "4 X", "4x X", "4 - X", "4: X", "x4 X", "[4] X", "(4x) X", "4xX", "4X".
_FIRST = (
    re.compile(r"(?P<n>[0-9]+)\s*[xX×*]?\s+(?:\|\s*)?(?P<name>\S.*)"),
    re.compile(r"(?P<n>[0-9]+)\s*[xX×*]?\s*(?:[,;|:=]|\s[-–—]\s)\s*(?P<name>\S.*)"),
    re.compile(r"[xX×]\s*(?P<n>[0-9]+)\s*[:,;]?\s+(?P<name>\S.*)"),
    re.compile(r"\[\s*[xX×]?\s*(?P<n>[0-9]+)\s*[xX×]?\s*\]\s*(?P<name>\S.*)"),
    re.compile(r"\(\s*[xX×]?\s*(?P<n>[0-9]+)\s*[xX×]?\s*\)\s*(?P<name>\S.*)"),
    re.compile(r"(?P<n>[0-9]+)[xX×*](?P<name>\S.*)"),
    re.compile(r"(?P<n>[0-9]+)(?P<name>[^\W\d_].*)"),
    re.compile(r"[xX×](?P<n>[0-9]+)(?P<name>[^\W\d_].*)"),
)
# A card code first and a bare quantity last: "BT1-010 Some Name 4".
_CODE_FIRST = re.compile(
    r"(?P<name>[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*[-_][0-9]+[A-Za-z0-9]*\s+\S.*)\s+(?P<n>[0-9]{1,2})"
)
# Quantity after the card: "X x4", "X 4x", "X, 4", "X: 4", "X - 4", "X | 4", "X (4)", "X [x4]".
_LAST = (
    re.compile(r"(?P<name>.*\S)\s+[xX×*]\s*(?P<n>[0-9]+)"),
    re.compile(r"(?P<name>.*\S)\s+(?P<n>[0-9]{1,3})\s*[xX×]"),
    re.compile(r"(?P<name>.*[^\s,;|:=])\s*[,;|:=]\s*(?:[xX×]\s*)?(?P<n>[0-9]{1,3})\s*[xX×]?"),
    re.compile(r"(?P<name>.*\S)\s+[-–—]+\s*(?:[xX×]\s*)?(?P<n>[0-9]{1,3})"),
    re.compile(r"(?P<name>.*\S)\s*[\[(]\s*(?:[xX×]\s*)?(?P<n>[0-9]{1,2})\s*[xX×]?\s*[\])]"),
)
_BARE = re.compile(r"[\[(]?\s*[xX×]?\s*[0-9]+\s*[xX×]?\s*[\])]?")
_SIGNED = re.compile(r"[-–—−+](?P<words>(?:[xX×]\s*)?[0-9].*)")
# Where one card may end and the next begin: before a quantity, else at a comma or the like.
_BORDERS = (
    re.compile(r"(?:\s*[,;|+&•·]\s*|\s+/+\s+|\s+(?=and |et |e ))(?:and |et |e )?(?=(?:[xX×]\s?)?[0-9])"),
    re.compile(r"\s+(?=[0-9]{1,2}\s*[xX×]?\s+[^\W\d])"),
    re.compile(r"\s*[,;|]\s*"),
)


def readings(line: Line) -> Iterator[tuple[int, str, bool]]:
    """Yield the ways to split a line into a quantity and a card, most likely first.

    The last value says whether the words were split. Without a quantity, it is 1.
    """
    if line.cards:
        for card in line.cards:
            yield line.count or 0, card, False
        return
    words, split = line.words, False
    for pattern in _FIRST:
        if match := pattern.fullmatch(words):
            split = True
            yield int(match["n"]), match["name"], True
    # Not after a quantity at the start: "4 Forest (3)" is the third picture of that card.
    for pattern in () if split else (*_LAST, _CODE_FIRST):
        if match := pattern.fullmatch(words):
            yield int(match["n"]), match["name"], True
    yield 1, words, False


def parts(words: str) -> Iterator[list[str]]:
    """Yield the ways to split a line that may have several cards, most likely first; nothing if it can have only one.

    >>> next(parts("2 Bolt, 3 Forest"))
    ['2 Bolt', '3 Forest']
    """
    for border in _BORDERS:
        found = [part for part in border.split(words) if part.strip()]
        if 1 < len(found) <= MAX_PARTS:
            yield found


def is_bare(words: str) -> bool:
    """Return whether the words are a quantity and nothing else."""
    return _BARE.fullmatch(words) is not None


def unsigned(words: str) -> str:
    """Return the words without the sign that stands before their quantity, "" if there is none: "-1 Bolt"."""
    match = _SIGNED.fullmatch(words)
    return match["words"] if match else ""
