"""Read the first sheet of an XLSX workbook as CSV text, with the standard library alone.

Only the values of cells are read: no formulas, dates or styles. Line numbers are those of the sheet.
"""

from __future__ import annotations

import csv
import io
import re
import struct
import zipfile
import zlib
from collections.abc import Callable
from typing import Any
from xml.parsers import expat

from engine.core.text.errors import Malformed

MAX_UNPACKED = 32 * 1024 * 1024  # bytes of the parts that are read
MAX_ROWS = 20_100
MAX_COLUMNS = 200
# What `zipfile` and `expat` raise for a damaged file.
BROKEN = (
    *(zipfile.BadZipFile, zlib.error, struct.error, expat.ExpatError),
    *(NotImplementedError, RuntimeError, EOFError, OSError, ValueError, LookupError),
)
SIGNATURE = b"PK\x03\x04"
_SHEET = re.compile(r"xl/worksheets/sheet(?P<number>[0-9]{1,4})\.xml")
_PLACE = re.compile(r"(?P<column>[A-Z]{1,3})(?P<row>[0-9]{1,7})")


def csv_of(content: bytes) -> str:
    """Return the first sheet of a workbook as CSV.

    Raises Malformed: `workbook` if it is no XLSX file that can be read, `too_large` (over 32 MiB unpacked),
    `too_many_cards` (over 20,100 lines or 200 columns), `doctype_refused`.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            sheets = {int(match["number"]): name for name in archive.namelist() if (match := _SHEET.fullmatch(name))}
            if not sheets:
                raise _unreadable()
            shared = _shared(archive) if "xl/sharedStrings.xml" in archive.namelist() else []
            cells = _Cells(shared)
            _parse(_part(archive, sheets[min(sheets)]), cells.start, cells.end, cells.characters)
    except BROKEN:
        raise _unreadable() from None
    return cells.text()


def _unreadable() -> Malformed:
    return Malformed("workbook", "no XLSX workbook that can be read: save the sheet as CSV")


def _part(archive: zipfile.ZipFile, name: str) -> bytes:
    """Return one part of the workbook. `zipfile` reads no more than the size that is checked here."""
    part = archive.getinfo(name)
    if part.file_size > MAX_UNPACKED:
        raise Malformed("too_large", f"the workbook is larger than {MAX_UNPACKED} bytes")
    if part.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise _unreadable()
    return archive.read(name)


def _parse(
    content: bytes,
    start: Callable[[str, dict[str, str]], None],
    end: Callable[[str], None],
    characters: Callable[[str], None],
) -> None:
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _doctype
    parser.StartElementHandler = lambda tag, attributes: start(tag.rpartition(" ")[2], attributes)
    parser.EndElementHandler = lambda tag: end(tag.rpartition(" ")[2])
    parser.CharacterDataHandler = characters
    parser.Parse(content, True)


def _doctype(*_: Any) -> None:
    raise Malformed("doctype_refused", "a workbook declares no document type")


def _shared(archive: zipfile.ZipFile) -> list[str]:
    """Return the strings to which cells refer by number."""
    found: list[str] = []
    open_tags: list[str] = []

    def start(tag: str, attributes: dict[str, str]) -> None:
        open_tags.append(tag)
        if tag == "si":
            found.append("")

    def end(tag: str) -> None:
        open_tags.pop()

    def characters(text: str) -> None:
        # Phonetic readings ("rPh") are no part of the text.
        if open_tags[-1] == "t" and "rPh" not in open_tags and found:
            found[-1] += text

    _parse(_part(archive, "xl/sharedStrings.xml"), start, end, characters)
    return found


class _Cells:
    """Collects the cells of a sheet while it is parsed: their values by row and column, from 0."""

    def __init__(self, shared: list[str]) -> None:
        self.shared = shared
        self.rows: dict[int, dict[int, str]] = {}
        self.place = (0, 0)
        self.kind = ""
        self.value = ""
        self.inside = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "c":
            match = _PLACE.fullmatch(attributes.get("r", ""))
            if match is None:
                raise _unreadable()
            self.place = (int(match["row"]) - 1, _column(match["column"]))
            self.kind, self.value = attributes.get("t", "n"), ""
            if self.place[0] >= MAX_ROWS or self.place[1] >= MAX_COLUMNS:
                raise Malformed("too_many_cards", f"more than {MAX_ROWS} lines or {MAX_COLUMNS} columns")
        self.inside = tag in ("v", "t")

    def characters(self, text: str) -> None:
        if self.inside:
            self.value += text

    def end(self, tag: str) -> None:
        self.inside = False
        if tag == "c" and self.value:
            row, column = self.place
            self.rows.setdefault(row, {})[column] = self._words()

    def _words(self) -> str:
        if self.kind != "s":
            return self.value
        number = int(self.value) if self.value.isascii() and self.value.isdecimal() and len(self.value) < 9 else -1
        if not 0 <= number < len(self.shared):
            raise _unreadable()
        return self.shared[number]

    def text(self) -> str:
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        for row in range(max(self.rows, default=-1) + 1):
            cells = self.rows.get(row, {})
            # Line breaks in a cell would shift the numbers of the lines below.
            writer.writerow([" ".join(cells.get(n, "").split()) for n in range(max(cells, default=-1) + 1)])
        return out.getvalue()


def _column(letters: str) -> int:
    """Return the number of a column, from 0.

    >>> _column("A"), _column("AB")
    (0, 27)
    """
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1
