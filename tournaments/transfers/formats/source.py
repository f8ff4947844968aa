"""A file of another program, decoded: a JSON document, a table with titles, or only text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, islice, takewhile

from django.utils.translation import gettext as _

from tournaments.common import sheets
from tournaments.common.letters import folded
from tournaments.common.refusals import InvalidInput
from tournaments.transfers.formats.bounds import (
    MAX_BYTES,
    MAX_COLUMNS,
    MAX_LINES,
    MAX_ROWS,
    MAX_TITLES,
    MAX_TRIED,
    clean,
    unreadable,
)
from tournaments.transfers.formats.values import Value, parsed

_NO_TEXT = re.compile(r"[\x00-\x08\x0e-\x1f]")
_JSON_START = re.compile(r'\s*(?:\{\s*["}]|\[\s*[\[{"\]]|\[\s*-?[0-9.]{1,40}\s*[,\]])')
_MARKUP = re.compile(r"\s*<(?:!doctype|\?xml|html|[a-z]+[ >])", re.IGNORECASE)


def title_key(title: str) -> str:
    """The title of a column for comparison: letters and digits only.

    >>> title_key("Match Wins") == title_key("MatchWins")
    True
    """
    return re.sub(r"[\W_]+", "", folded(title))


def line_breaks(text: str) -> int:
    """How many lines end in a text, counting CRLF twice."""
    return text.count("\n") + text.count("\r")


@dataclass(frozen=True, slots=True)
class Row:
    """A record of a table: the number of its line and its cells by `title_key`."""

    line: int
    cells: Mapping[str, str]

    @property
    def where(self) -> str:
        """The place of the record, for a refusal."""
        return _("Line %(line)d") % {"line": self.line}

    def text(self, *titles: str) -> str:
        """The first cell of these titles that is not empty, on one line."""
        cells = (self.cells[title] for title in titles if self.cells.get(title))
        return next((found for cell in cells if (found := clean(cell))), "")

    def whole(self, *titles: str) -> int | None:
        """The first cell of these titles as a whole number; None if they are empty."""
        found = self.text(*titles)
        if not found:
            return None
        if not re.fullmatch(r"-?[0-9]{1,9}(?:\.0+)?", found):
            why = _("A whole number is expected in the column “%(title)s”.") % {"title": titles[0]}
            raise unreadable(why, self.where)
        return int(found.partition(".")[0])

    def number_in(self, *titles: str) -> int | None:
        """The number in the first cell of these titles, as in `Table 12`; None if it has none."""
        found = re.search(r"[0-9]{1,6}", self.text(*titles))
        return int(found[0]) if found else None


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table: its titles by `title_key`, and its records, read one by one."""

    titles: Mapping[str, str]
    lines: Sequence[str]
    delimiter: str

    def has(self, *titles: str) -> bool:
        """Whether all of these columns are there."""
        return self.titles.keys() >= {*titles}

    def has_any(self, *titles: str) -> bool:
        """Whether one of these columns is there."""
        return not self.titles.keys().isdisjoint(titles)

    def rows(self) -> Iterator[Row]:
        """The records below the titles. Raises `transfer_unreadable` with the line."""
        keys = tuple(self.titles)
        for number, (line, cells) in enumerate(sheets.records(self.lines, self.delimiter)):
            if number > MAX_ROWS:
                raise unreadable(_("The file has too many lines."))
            if cells is None:
                why = _("A quotation mark in this line is never closed.")
                raise unreadable(why, _("Line %(line)d") % {"line": line})
            if number:
                yield Row(line, dict(zip(keys, cells, strict=False)))


@dataclass(frozen=True)
class Source:
    """The text of a file, and what it is made of.

    `ended`: whether DOS marked its end (Ctrl-Z); the mark is no part of the text.
    """

    text: str
    ended: bool = False

    @classmethod
    def of(cls, data: bytes) -> Source:
        """Decode a file. Raises `InvalidInput` `transfer_unreadable` if it is too large or no text."""
        if len(data) > MAX_BYTES:
            raise unreadable(_("The file is larger than 8 MiB."))
        try:
            _encoding, text = sheets.decoded(data)
        except InvalidInput:
            raise unreadable(_("This is not a text file.")) from None
        text = text.removeprefix("\ufeff")
        text, ended = sheets.ended(text)
        if not text.strip():
            raise unreadable(_("The file is empty."))
        if _NO_TEXT.search(text):
            raise unreadable(_("This is not a text file."))
        return cls(text, ended)

    @property
    def looks_like_json(self) -> bool:
        """Whether the file begins as JSON does, even if it is damaged further on."""
        return bool(_JSON_START.match(self.text))

    @property
    def is_list(self) -> bool:
        """Whether the file may be a list of players: text that is neither JSON nor markup."""
        return not self.looks_like_json and not _MARKUP.match(self.text)

    @cached_property
    def document(self) -> Value:
        """The file as JSON. Raises `transfer_unreadable`."""
        return parsed(self.text)

    @cached_property
    def json(self) -> Value:
        """The file as JSON; a missing value if it is none, for recognizing it."""
        if not self.looks_like_json:
            return Value(None)
        try:
            return self.document
        except InvalidInput:
            return Value(None)

    @cached_property
    def sheet(self) -> Sheet:
        """The file as a table whose first record holds the titles; no titles if it is none."""
        if not self.is_list or line_breaks(self.text) > MAX_LINES:
            return Sheet({}, (), ",")
        lines = sheets.lines_of(self.text)
        if len(lines[0]) > MAX_TITLES:
            return Sheet({}, (), ",")
        tried = list(takewhile(lambda total: total <= MAX_TRIED, accumulate(map(len, islice(lines, MAX_ROWS)))))
        delimiter = sheets.DELIMITERS[sheets.delimiter_of(lines[: len(tried)])]
        _line, cells = next(sheets.records(lines, delimiter), (0, None))
        if not cells or len(cells) > MAX_COLUMNS:
            return Sheet({}, (), delimiter)
        titles: dict[str, str] = {}
        for number, cell in enumerate(cells):
            key = title_key(cell)
            # A column without a title, or with that of an earlier one, keeps its place under a key nobody asks for.
            titles[key if key and key not in titles else f"#{number}"] = clean(cell, 60)
        return Sheet(titles, lines, delimiter)
