"""Reads the text files that spreadsheets and other programs write: their encoding, their delimiter and their records.

Pure: no database. Nothing here knows what the columns mean.
"""

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from django.utils.translation import gettext as _

from tournaments.common.letters import folded
from tournaments.common.refusals import InvalidInput

MAX_LINES_IN_CELL = 200  # a decklist may be as long; a quoted cell longer than this is a quote that was never closed
# `utf-8-sig` reads UTF-8 with and without the byte order mark that spreadsheets write.
ENCODINGS: Mapping[str, str] = {"utf-8": "utf-8-sig", "utf-16": "utf-16", "windows-1252": "cp1252"}
DELIMITERS: Mapping[str, str] = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}


def decoded(data: bytes, wanted: str | None = None) -> tuple[str, str]:
    """The name of the encoding and the text. `wanted` is a key of `ENCODINGS`; without it, the encoding is guessed.

    Raises `InvalidInput` `encoding_wrong`.
    """
    # UTF-16 is recognized by its byte order mark. Text in windows-1252 is hardly ever valid UTF-8, so UTF-8 goes first.
    guesses = ("utf-16",) if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8", "windows-1252")
    for encoding in (wanted,) if wanted else guesses:
        try:
            return encoding, data.decode(ENCODINGS[encoding])
        except UnicodeError:
            continue
    raise InvalidInput("encoding_wrong", _("The file is not text in this encoding."), details=list(ENCODINGS))


def is_json(text: str) -> bool:
    """Whether a file, or its first line, is an object or a list in JSON. Read as a list, it would be one odd name."""
    start = text.lstrip()
    if start[:1] not in ("{", "["):
        return False
    for some in (start, start.splitlines()[0]):
        try:
            return isinstance(json.loads(some), dict | list)
        except (ValueError, RecursionError):
            continue
    return False


def lines_of(text: str) -> list[str]:
    """The lines of a text with their line endings, which may be LF, CRLF or CR."""
    return list(io.StringIO(text, newline=""))


def records(lines: Sequence[str], delimiter: str) -> Iterator[tuple[int, tuple[str, ...] | None]]:
    """Yield each record with the number of its first line; None instead of cells if its quotes are never closed.

    `delimiter` is the character itself. Blank records, and those of nothing but delimiters, are skipped.
    """
    at = 0
    while at < len(lines):
        # A new reader for each record: with a single one, a quote that is never closed would swallow the rest of the
        # file. This way it costs one line.
        reader = csv.reader(lines[at : at + MAX_LINES_IN_CELL], delimiter=delimiter, strict=True)
        cells: tuple[str, ...] | None
        try:
            cells, used = tuple(next(reader)), reader.line_num
        except csv.Error:
            cells, used = None, 1
        if cells is None or any(cell.strip(" ,;|\t\r\n") for cell in cells):
            yield at + 1, cells
        at += used


def delimiter_of(lines: Sequence[str]) -> str:
    """The key of the delimiter that splits most of the first 20 records into equally many columns (at least two)."""

    def evenness(name: str) -> tuple[int, int]:
        widths = [len(cells) for _at, cells in islice(records(lines, DELIMITERS[name]), 20) if cells]
        usual = max(set(widths), key=widths.count) if widths else 0
        # Lines of one column are no evidence for a delimiter, so they do not count as even.
        return (widths.count(usual) if usual > 1 else 0, usual)

    return max(DELIMITERS, key=evenness)


def plain_title(title: str) -> str:
    """The title of a column for comparison: folded, and its words separated by single spaces.

    >>> plain_title("Prénom_participant :")
    'prenom participant'
    """
    return " ".join(re.sub(r"[\W_]+", " ", folded(title)).split())
