"""Reads the tables of a web page, which some programs save as `.xls`. Pure: no database.

Tags are only looked for, in one pass: the parser of the standard library takes minutes for a page of open comments.
"""

import csv
import html
import io
import re

_TAG = re.compile(r"<(?P<end>/?)(?P<name>[a-z]*)[^<>]*>", re.IGNORECASE)
_HIDDEN = ("script", "style", "title")


def as_csv(text: str) -> str:
    """The rows of all tables of a page as CSV with commas; "" if it has none.

    >>> as_csv("<html><table><tr><th>Name<tr><td>Ana &amp; Bo</table></html>")
    'Name\\nAna & Bo\\n'
    """
    written = io.StringIO()
    rows = csv.writer(written, lineterminator="\n")
    rows.writerows([" ".join(html.unescape(cell).split()) for cell in row] for row in _rows(_uncommented(text)))
    return written.getvalue()


def _uncommented(text: str) -> str:
    first, *others = text.split("<!--")
    return first + "".join(part.partition("-->")[2] for part in others)


def _rows(text: str) -> list[list[str]]:
    """The cells of each row that has any, as they stand in the page."""
    rows: list[list[list[str]]] = []
    inside, hidden, at = False, "", 0
    for tag in _TAG.finditer(text):
        if inside and not hidden:
            rows[-1][-1].append(text[at : tag.start()])
        at, name = tag.end(), tag["name"].lower()
        if name in _HIDDEN:
            hidden = "" if tag["end"] else hidden or name
        elif name in ("tr", "table"):
            inside = False
            rows += [] if tag["end"] or name == "table" else [[]]
        elif name in ("td", "th"):
            inside = not tag["end"]
            if inside:
                rows += [] if rows else [[]]
                rows[-1].append([])
        elif inside and name in ("br", "p", "div"):
            rows[-1][-1].append(" ")
    found = [["".join(cell) for cell in row] for row in rows]
    return [row for row in found if any(cell.strip() for cell in row)]
