"""Counts what a file holds and is not read."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from tournaments.transfers.brought import Lost
from tournaments.transfers.formats.bounds import clean
from tournaments.transfers.formats.source import Sheet
from tournaments.transfers.formats.values import Value

MAX_DETAILS = 20
DETAIL = 60  # characters


class Losses:
    """What was not read: for each code of `words.LOST` how often, and which keys or columns."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._details: dict[str, dict[str, None]] = {}

    def add(self, code: str, *details: str, count: int = 1) -> None:
        """Count something that is not read; with a count of 0 or less nothing happens."""
        if count < 1:
            return
        self._counts[code] = self._counts.get(code, 0) + count
        named = self._details.setdefault(code, {})
        for detail in details:
            if (short := clean(detail, DETAIL)) and len(named) < MAX_DETAILS:
                named[short] = None

    def keys(self, value: Value, read: Collection[str], codes: Mapping[str, str]) -> None:
        """Count the keys of an object that are neither read nor empty, under their code or else `keys`."""
        for key, raw in value.object().items():
            if key not in read and raw not in (None, "", [], {}, False):
                self.add(codes.get(key, "keys"), key)

    def columns(self, sheet: Sheet, read: Collection[str], codes: Mapping[str, str]) -> None:
        """Count the columns of a table that are not read, under their code or else `columns`."""
        for key, title in sheet.titles.items():
            if key not in read and title:
                self.add(codes.get(key, "columns"), title)

    def all(self) -> tuple[Lost, ...]:
        """Everything counted, in the order in which it was first met."""
        return tuple(Lost(code, count, tuple(self._details[code])) for code, count in self._counts.items())
