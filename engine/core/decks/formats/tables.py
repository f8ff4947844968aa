"""Tables with a header: CSV and tabbed text of spreadsheets, sites and collection programs, and Markdown tables.

The header says what each column holds, in English, French or Italian. Columns with other headers are ignored.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from itertools import chain

from engine.core.decks.formats.headings import section_of
from engine.core.decks.formats.line import MAX_LINE, Line, listed, quantity, split_lines
from engine.core.decks.formats.words import data

_DELIMITERS = "\t;,"
_EXCEL = re.compile(r"sep=.", re.IGNORECASE)  # the first line by which Excel is told the delimiter
_RULE = re.compile(r"\|?[\s:|-]*-{2}[\s:|-]*\|?")  # below the header of a Markdown table

Columns = dict[str, int]
"""The number of the column that holds each of: quantity, name, ref, section."""


def looks_like(content: str) -> bool:
    """Return whether the first line that is not empty is a header with a column for cards and one for quantities."""
    return _header_of(content.splitlines()) is not None


def read(content: str) -> tuple[Line, ...]:
    """Return one entry for each row with a card. Rows in a maybeboard have the section `apart`.

    Raises Malformed `too_many_lines`.
    """
    lines = split_lines(content)
    header = _header_of(lines)
    assert header is not None, "the table was recognized by it"
    number, delimiter, columns = header
    return listed(_entries(_rows(lines[number:], delimiter), number, columns))


def _header_of(lines: Sequence[str]) -> tuple[int, str, Columns] | None:
    """Return the number of the header's line, the delimiter, and the columns; None if the text does not begin so."""
    for number, line in enumerate(lines, 1):
        if not line.strip() or _EXCEL.fullmatch(line.strip()):
            continue
        for delimiter in "|" if line.lstrip().startswith("|") else _DELIMITERS:
            columns = _columns(next(_rows([line], delimiter))[1])
            if "quantity" in columns and columns.keys() & {"name", "ref"}:
                return number, delimiter, columns
        return None
    return None


def _columns(cells: Sequence[str]) -> Columns:
    """Return the columns of a header. If two have the same meaning, the first counts: `Count`, `Tradelist Count`."""
    found: Columns = {}
    for index, cell in enumerate(cells):
        word = cell.strip().strip("*").casefold().replace("_", " ")
        for meaning, words in data()["columns"].items():
            if word in words:
                found.setdefault(meaning, index)
    return found


def _rows(lines: Sequence[str], delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that have cells, each with the number of its last line, counted from the first of `lines`."""
    if delimiter == "|":
        for number, line in enumerate(lines, 1):
            if line.strip() and not _RULE.fullmatch(line.strip()):
                yield number, line.strip().strip("|").split("|")
        return
    # The newlines were removed, and a quoted cell may go on over several lines.
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter)
    for cells in reader:
        if cells:
            yield reader.line_num, cells


def _entries(rows: Iterator[tuple[int, list[str]]], above: int, columns: Columns) -> Iterator[Line]:
    def cell(cells: Sequence[str], meaning: str) -> str:
        index = columns.get(meaning, len(cells))
        return " ".join(cells[index].split()) if index < len(cells) else ""

    for number, cells in rows:
        cards = [words for words in (cell(cells, "ref"), cell(cells, "name")) if words]
        section = _section(cell(cells, "section"))
        # A row without a card is a total, or empty.
        if not cards or section == "about":
            continue
        words = " ".join(chain([cell(cells, "quantity")], cards)).strip()
        kind = "long" if max(map(len, cards)) > MAX_LINE else "entry"
        yield Line(above + number, words, kind, section, quantity(cell(cells, "quantity")), tuple(cards))


def _section(cell: str) -> str:
    """Return the section that a cell names; "" for the deck. Of several categories, the first counts."""
    section = section_of(re.split(r"[,;]", cell)[0].strip())
    return "" if section == "main" else section
