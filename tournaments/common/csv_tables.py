"""Tables for download, and their CSV form.

A CSV is UTF-8 with a byte-order mark, so that spreadsheets read accents correctly. A text cell that a spreadsheet would
evaluate as a formula gets an apostrophe in front.
"""

import csv
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from io import StringIO
from typing import Any

Row = tuple[Any, ...]
# Characters that start a formula in some spreadsheet, the full-width forms included.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


@dataclass(frozen=True)
class Table:
    """A table for download: its name, its column names, and rows with one value per column."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    def as_dicts(self) -> list[dict[str, Any]]:
        """The rows as dictionaries keyed by column name, with datetimes as ISO 8601 strings."""
        return [
            {
                name: value.isoformat() if isinstance(value, datetime) else value
                for name, value in zip(self.columns, row, strict=True)
            }
            for row in self.rows
        ]


def as_csv(table: Table) -> bytes:
    """Encode a table as CSV (RFC 4180) with a header row. None becomes an empty cell.

    The cells of `Table("players", ("name", "points"), (("Ana", 3), ("=1+1", None)))` are written as:

        name,points
        Ana,3
        '=1+1,
    """
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
    # Only text can be a formula: a negative number must stay a number.
    return f"'{text}" if isinstance(value, str) and _is_formula(text) else text


def _is_formula(text: str) -> bool:
    """Whether a spreadsheet might evaluate the text. Some skip leading blanks and invisible characters, so do we."""
    if text[:1].isalnum():  # fast path for nearly all cells
        return False
    seen = next((letter for letter in text if not letter.isspace() and unicodedata.category(letter) != "Cf"), "")
    return text.startswith(FORMULA) or seen in FORMULA
