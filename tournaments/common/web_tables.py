"""Reads the tables of a web page, which some programs save as `.xls`. Pure: no database."""

import csv
import io
from html.parser import HTMLParser


class _Tables(HTMLParser):
    """Collects the cells of the tables, row by row. Scripts and styles are no text."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.inside = False
        self.hidden = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "style"):
            self.hidden = tag
        elif tag == "tr":
            self.rows.append([])
            self.inside = False
        elif tag in ("td", "th"):
            if not self.rows:
                self.rows.append([])
            self.rows[-1].append("")
            self.inside = True
        elif tag == "br" and self.inside:
            self.rows[-1][-1] += " "

    def handle_endtag(self, tag: str) -> None:
        if tag == self.hidden:
            self.hidden = ""
        elif tag in ("td", "th", "tr", "table"):
            self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside and not self.hidden:
            self.rows[-1][-1] += data


def as_csv(text: str) -> str:
    """The rows of all tables of a page as CSV with commas; "" if it has none.

    >>> as_csv("<html><table><tr><th>Name<tr><td>Ana &amp; Bo</table></html>")
    'Name\\nAna & Bo\\n'
    """
    parser = _Tables()
    parser.feed(text)
    parser.close()
    written = io.StringIO()
    rows = csv.writer(written, lineterminator="\n")
    rows.writerows([" ".join(cell.split()) for cell in row] for row in parser.rows if any(row))
    return written.getvalue()
