"""A table to take away, and how it becomes CSV.

A CSV is UTF-8 with a byte-order mark, so that spreadsheets read accents; a cell that such a program would take for a
formula gets an apostrophe in front.
"""

import csv
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from io import StringIO
from typing import Any

Row = tuple[Any, ...]
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


@dataclass(frozen=True)
class Table:
    """A table: its name, the names of its columns, its rows."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    def as_dicts(self) -> list[dict[str, Any]]:
        """The rows with their columns' names; instants as ISO 8601."""
        return [
            {
                name: value.isoformat() if isinstance(value, datetime) else value
                for name, value in zip(self.columns, row, strict=True)
            }
            for row in self.rows
        ]


def as_csv(table: Table) -> bytes:
    """A table as CSV (RFC 4180), empty cells for what is not there."""
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow(table.columns)
    writer.writerows([_cell(value) for value in row] for row in table.rows)
    return out.getvalue().encode("utf-8-sig")


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.isoformat()
    text = str(value)
    return f"'{text}" if isinstance(value, str) and _is_formula(text) else text


def _is_formula(text: str) -> bool:
    """Whether a spreadsheet may calculate a cell: also behind blanks and what does not show, which some leave out."""
    seen = next((letter for letter in text if not letter.isspace() and unicodedata.category(letter) != "Cf"), "")
    return text.startswith(FORMULA) or seen in FORMULA
