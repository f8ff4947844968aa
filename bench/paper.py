"""Time to make match slips as a PDF, drawn on the canvas as the service does, compared with other ways.

The others, in the same run, are the print page as HTML (which a browser still has to lay out), and, if WeasyPrint is
installed, a PDF of the first slips of that page (all of them would take minutes), compared per slip.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from bench._installation import ready

ready()

from django.template.loader import render_to_string

from tournaments.paper.drawing import document_of
from tournaments.paper.sheets import Slip, SlipSeat, SlipSheet

FEW = 40
CSS = Path(__file__).resolve().parents[1] / "tournaments" / "web" / "static" / "web" / "print.css"


def slips(tables: int) -> SlipSheet:
    """A sheet of slips with names of typical length, some with accents."""
    names = ("Éloïse D.", "Nicolò B.", "Łukasz Ż.", "Maximilian Oberstaufenbach", "Zoë")
    made = (
        Slip(table, tuple(SlipSeat(names[(table + seat) % 5] + f" {table}", 3 * seat) for seat in range(2)), 3)
        for table in range(1, tables + 1)
    )
    return SlipSheet("Match slip, round 3", "Grand Prix d’Été", tuple(made))


def as_html(sheet: SlipSheet) -> str:
    """The slips of the print page."""
    page = "".join(
        '<section class="slips">'
        + "".join(render_to_string("print/_slip.html", {"slip": slip, "sheet": sheet}) for slip in page)
        + "</section>"
        for page in sheet.pages
    )
    return f"<!DOCTYPE html><html><head><title>{sheet.title}</title></head><body>{page}</body></html>"


def by_weasyprint(sheet: SlipSheet) -> bytes | None:
    """The print page as a PDF by WeasyPrint; None if it is not installed."""
    try:
        from weasyprint import CSS as Style
        from weasyprint import HTML
    except (ImportError, OSError):
        return None
    made: bytes = HTML(string=as_html(sheet)).write_pdf(stylesheets=[Style(filename=str(CSS))])
    return made


def timed(way: Callable[[SlipSheet], object], sheet: SlipSheet, runs: int) -> tuple[float, int]:
    """The median time of some runs in seconds, and the size of the result."""
    spent, made = [], None
    for _run in range(runs):
        start = time.perf_counter()
        made = way(sheet)
        spent.append(time.perf_counter() - start)
    return statistics.median(spent), len(made) if made else 0  # type: ignore[arg-type]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    sheet = slips(arguments.tables)
    document_of([slips(1)])  # fonts are loaded once per process
    ours, size = timed(lambda shown: document_of([shown]), sheet, arguments.runs)
    print(f"{arguments.tables} slips, {len(sheet.pages)} pages")
    print(f"drawn            {ours:8.2f} s  {size / 1024:8.0f} KiB")
    html, size = timed(as_html, sheet, arguments.runs)
    print(f"HTML alone       {html:8.2f} s  {size / 1024:8.0f} KiB   ratio {html / ours:5.2f}")
    few = min(FEW, arguments.tables)
    weasy, size = timed(by_weasyprint, slips(few), 1)
    if size:
        ratio = (weasy / few) / (ours / arguments.tables)
        print(f"WeasyPrint       {weasy:8.2f} s  for {few} slips          ratio {ratio:5.2f} a slip")
    else:
        print("WeasyPrint       not installed here")


if __name__ == "__main__":
    main()
