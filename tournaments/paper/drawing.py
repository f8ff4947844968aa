"""Draws sheets as A4 PDF pages, directly on the canvas. Without a layout engine even a large round is drawn quickly.

The font is DejaVu Sans (Latin, Greek, Cyrillic and more; no Chinese, Japanese or Korean). A character that it does not
have is drawn as a box; the print pages of the site show it, as they use the fonts of the reader. Coordinates are in
points from the bottom left corner.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from io import BytesIO
from itertools import accumulate, count, groupby
from pathlib import Path

from django.utils.translation import gettext as _
from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.lib.utils import simpleSplit
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from tournaments.common import qr
from tournaments.common.names import TURNING, one_line
from tournaments.paper.sheets import SLIPS_A_PAGE, Column, DeckSheet, LinkSheet, ListSheet, Sheet, Slip, SlipSheet

WIDTH, HEIGHT = A4
MARGIN = 12 * mm
RIGHT = WIDTH - MARGIN
STRIP = HEIGHT / SLIPS_A_PAGE
PLAIN, BOLD = "DejaVuSans", "DejaVuSans-Bold"
MISSING = "□"
BOX = 4.2 * mm
LABEL = 32 * mm  # room for a label before its box or line
LINE = 6 * mm
Progress = Callable[[int], None]


def document_of(sheets: Sequence[Sheet], progress: Progress = lambda percent: None) -> bytes:
    """Draw sheets as one PDF, each beginning on a new page, with texts in the active language.

    `progress` is called with the percentage of pages done. The same sheets give the same bytes.
    """
    _load_fonts()
    out = BytesIO()
    canvas = Canvas(out, pagesize=A4, invariant=True, pageCompression=1)  # invariant: no date, no random id
    canvas.setTitle(one_line(" · ".join(dict.fromkeys([sheets[0].title, sheets[0].event]))) if sheets else "")
    pages = [page for sheet in sheets for page in _pages_of(sheet)]
    for number, page in enumerate(pages):
        page(canvas)
        canvas.showPage()
        progress(100 * (number + 1) // len(pages))
    if not pages:
        _text(canvas, MARGIN, HEIGHT - MARGIN - 12, _("There is nothing to print."), 12)
    canvas.save()
    return out.getvalue()


Page = Callable[[Canvas], None]


def _pages_of(sheet: Sheet) -> list[Page]:
    if isinstance(sheet, SlipSheet):
        return [partial(_slip_page, sheet, slips) for slips in sheet.pages]
    if isinstance(sheet, DeckSheet):
        return _deck_pages(sheet)
    if isinstance(sheet, LinkSheet):
        return _link_pages(sheet)
    return _list_pages(sheet)


@lru_cache(maxsize=1)
def _load_fonts() -> None:
    folder = Path(__file__).parent / "fonts"
    for name in (PLAIN, BOLD):
        pdfmetrics.registerFont(TTFont(name, folder / f"{name}.ttf"))


# Cached, because the sheets of a round repeat the same names.
@lru_cache(maxsize=20_000)
def _printable(text: str, font: str = PLAIN) -> str:
    """`text` with a box for each character that the font does not have, and without bidirectional controls."""
    known = pdfmetrics.getFont(font).face.charToGlyph
    return "".join(letter if ord(letter) in known else MISSING for letter in text if letter not in TURNING)


@lru_cache(maxsize=20_000)
def _width(text: str, font: str, size: float) -> float:
    width: float = pdfmetrics.stringWidth(text, font, size)
    return width


def _fitted(text: str, font: str, size: float, width: float) -> tuple[list[str], float]:
    """Fit a text into `width`: first with a smaller font (down to 70 %), then on several lines; it is never cut.

    Returns the lines and their font size.
    """
    text = _printable(text, font)
    natural = _width(text, font, size)
    if natural <= width:
        return [text], size
    smaller = size * width / natural
    if smaller >= 0.7 * size:
        return [text], smaller
    size *= 0.7
    lines = [part for line in simpleSplit(text, font, size, width) for part in _broken(line, font, size, width)]
    return lines, size


def _broken(word: str, font: str, size: float, width: float) -> Iterator[str]:
    """Split a word that is wider than its column into pieces that fit."""
    while _width(word, font, size) > width and len(word) > 1:
        fits = next(end for end in range(len(word) - 1, 0, -1) if end == 1 or _width(word[:end], font, size) <= width)
        yield word[:fits]
        word = word[fits:]
    yield word


def _text(canvas: Canvas, x: float, y: float, text: str, size: float, font: str = PLAIN) -> None:
    canvas.setFont(font, size)
    canvas.drawString(x, y, _printable(text, font))


def _text_right(canvas: Canvas, x: float, y: float, text: str, size: float, font: str = PLAIN) -> None:
    canvas.setFont(font, size)
    canvas.drawRightString(x, y, _printable(text, font))


def _block(canvas: Canvas, x: float, middle: float, text: str, font: str, size: float, width: float) -> None:
    """Draw a text vertically centered at `middle`, on as many lines as it needs."""
    lines, size = _fitted(text, font, size, width)
    canvas.setFont(font, size)
    top = middle + (len(lines) / 2 - 0.85) * size * 1.15
    for number, line in enumerate(lines):
        canvas.drawString(x, top - number * size * 1.15, line)


# ------------------------------------------------------------------------------------------------------------- slips

_BOXES = MARGIN + 72 * mm  # the left edge of a seat's boxes
_DROP = MARGIN + 116 * mm
_SIGN = MARGIN + 132 * mm


def _slip_page(sheet: SlipSheet, slips: Sequence[Slip | None], canvas: Canvas) -> None:
    canvas.setLineWidth(0.6)
    for place, slip in enumerate(slips):
        if slip is not None:
            _slip(canvas, sheet, slip, HEIGHT - place * STRIP)
    canvas.setDash(2, 3)
    for place in range(1, SLIPS_A_PAGE):
        canvas.line(0, place * STRIP, WIDTH, place * STRIP)
    canvas.setDash()


def _slip(canvas: Canvas, sheet: SlipSheet, slip: Slip, top: float) -> None:
    head, foot = top - 17 * mm, top - STRIP + 15 * mm
    _text(canvas, MARGIN, top - 9 * mm, _("Table"), 8)
    _text(canvas, MARGIN + 14 * mm, top - 12 * mm, str(slip.table), 24, BOLD)
    lines, size = _fitted(sheet.event, PLAIN, 9, 120 * mm)
    for place, line in enumerate(reversed(lines)):
        _text_right(canvas, RIGHT, top - 8 * mm + place * size * 1.15, line, size)
    _text_right(canvas, RIGHT, top - 12 * mm, sheet.title, 9, BOLD)
    _text(canvas, MARGIN, top - 16 * mm, slip.starts, 7.5)
    _text(canvas, _BOXES, top - 15.5 * mm, _column_words(slip), 6.5)
    _text(canvas, _DROP, top - 15.5 * mm, _("Drop"), 6.5)
    _text(canvas, _SIGN, top - 15.5 * mm, _("Signature"), 6.5)
    height = (head - foot) / (len(slip.seats) + len(slip.boards))
    for number, seat in enumerate(slip.seats):
        middle = head - (number + 0.5) * height
        canvas.line(MARGIN, middle + height / 2, RIGHT, middle + height / 2)
        _block(canvas, MARGIN, middle, seat.name, BOLD, 12, 55 * mm)
        _text_right(canvas, _BOXES - 3 * mm, middle - 2.5, seat.told, 6.5)
        _seat_boxes(canvas, slip, middle)
        canvas.rect(_DROP, middle - BOX / 2, BOX, BOX)
        canvas.line(_SIGN, middle - BOX / 2, RIGHT, middle - BOX / 2)
    for number, names in enumerate(slip.boards, 1):
        middle = head - (len(slip.seats) + number - 0.5) * height
        canvas.line(MARGIN, middle + height / 2, RIGHT, middle + height / 2)
        _block(canvas, MARGIN, middle, f"{number}. {' – '.join(names)}", PLAIN, 10, 66 * mm)
        for place, result in enumerate(slip.results):
            _text(canvas, _BOXES + place * 14 * mm, middle - 4, result, 11)
    canvas.line(MARGIN, foot, RIGHT, foot)
    _foot(canvas, slip, foot - 6.5 * mm)


def _column_words(slip: Slip) -> str:
    if slip.boards:
        return _("Boards (circle)")
    return _("Rank and points") if slip.several else _won_words(slip)


def _won_words(slip: Slip) -> str:
    return _("Winner") if slip.best_of == 1 else _("Games won (circle)")


def _seat_boxes(canvas: Canvas, slip: Slip, middle: float) -> None:
    """Draw the boxes of a seat: rank and points at a table of several; the winner of a single game; else games won."""
    y = middle - BOX / 2
    if slip.boards:
        return  # a team match has no games of its own: its boards have lines below
    if slip.several:
        canvas.rect(_BOXES, y, 1.6 * BOX, BOX)
        canvas.rect(_BOXES + 2.2 * BOX, y, 3 * BOX, BOX)
    elif slip.best_of == 1:
        canvas.rect(_BOXES, y, BOX, BOX)
    else:
        _figures(canvas, _BOXES, middle, slip.wins)


def _figures(canvas: Canvas, x: float, middle: float, figures: range) -> None:
    for figure in figures:
        _text(canvas, x + figure * 8.5 * mm, middle - 4, str(figure), 11)


def _foot(canvas: Canvas, slip: Slip, middle: float) -> None:
    """Draw the foot of a slip: games drawn, time extension, penalties with the judge's initials."""
    x = MARGIN
    if not slip.several and not slip.boards:
        _text(canvas, x, middle - 2.5, _("Draw") if slip.best_of == 1 else _("Draws"), 7.5)
        if slip.best_of == 1:
            canvas.rect(x + 14 * mm, middle - BOX / 2, BOX, BOX)
        else:
            _figures(canvas, x + 14 * mm, middle, slip.draws)
    x = MARGIN + 53 * mm
    _text(canvas, x, middle - 2.5, _("Extension (min)"), 7.5)
    canvas.rect(x + LABEL, middle - BOX / 2, 2.4 * BOX, BOX)
    x = MARGIN + 102 * mm
    _text(canvas, x, middle - 2.5, _("Penalties, judge"), 7.5)
    canvas.rect(x + 27 * mm, middle - 5 * mm, RIGHT - x - 27 * mm, 10 * mm)


# ------------------------------------------------------------------------------------------------------------- lists


def _heading(canvas: Canvas, title: str, event: str, number: int, pages: int) -> float:
    """Draw the head of a page. Returns the height at which its content begins."""
    lines, size = _fitted(event, PLAIN, 9, RIGHT - MARGIN - 30 * mm)
    for place, line in enumerate(lines):
        _text(canvas, MARGIN, HEIGHT - MARGIN - 2 * mm - place * size * 1.15, line, size)
    _text_right(canvas, RIGHT, HEIGHT - MARGIN - 2 * mm, f"{number} / {pages}", 9)
    y = HEIGHT - MARGIN - 10 * mm - (len(lines) - 1) * size * 1.15
    _text(canvas, MARGIN, y, title, 16, BOLD)
    below: float = y - 8 * mm
    return below


def _list_pages(sheet: ListSheet) -> list[Page]:
    """Lay out a list on pages: rows are as high as their lines, and each page repeats the headings."""
    usable = RIGHT - MARGIN
    widths = [column.share * usable - 3 * mm for column in sheet.columns]
    fonts = [_font_of(column) for column in sheet.columns]
    rows = [
        [_fitted(text, font, 10.5, width) for text, font, width in zip(row, fonts, widths, strict=True)]
        for row in sheet.rows
    ]
    room = HEIGHT - 2 * MARGIN - 30 * mm
    chunks: list[list[int]] = [[]]
    used = 0.0
    for place, row in enumerate(rows):
        height = _row_height(row)
        if used + height > room and chunks[-1]:
            chunks.append([])
            used = 0.0
        chunks[-1].append(place)
        used += height
    return [
        partial(_list_page, sheet, [rows[place] for place in chunk], number, len(chunks))
        for number, chunk in zip(count(1), chunks, strict=False)
    ]


Cell = tuple[list[str], float]


def _font_of(column: Column) -> str:
    return BOLD if column.figures else PLAIN


def _row_height(row: Sequence[Cell]) -> float:
    return max([float(LINE), *(len(lines) * size * 1.15 + 2 * float(mm) for lines, size in row)])


def _list_page(sheet: ListSheet, rows: Sequence[Sequence[Cell]], number: int, pages: int, canvas: Canvas) -> None:
    y = _heading(canvas, sheet.title, sheet.event, number, pages)
    shares = accumulate((column.share for column in sheet.columns[:-1]), initial=0.0)
    starts = [MARGIN + (RIGHT - MARGIN) * share for share in shares]
    for column, x in zip(sheet.columns, starts, strict=True):
        _text(canvas, x, y, column.heading, 8)
    canvas.setLineWidth(0.8)
    canvas.line(MARGIN, y - 1.5 * mm, RIGHT, y - 1.5 * mm)
    canvas.setLineWidth(0.25)
    y -= 1.5 * mm
    for row in rows:
        height = _row_height(row)
        for (lines, size), x, column in zip(row, starts, sheet.columns, strict=True):
            canvas.setFont(_font_of(column), size)
            for place, line in enumerate(lines):
                canvas.drawString(x, y - 4.3 * mm - place * size * 1.15, line)
        y -= height
        canvas.line(MARGIN, y, RIGHT, y)


# ------------------------------------------------------------------------------------------------------- deck checks


def _deck_pages(sheet: DeckSheet) -> list[Page]:
    """Lay out a decklist in two columns of lines with a box each, on as many pages as it needs."""
    lines: list[tuple[int, str]] = []
    for name, cards in sheet.sections:
        lines.append((0, f"{name} ({sum(copies for copies, _name in cards)})"))
        lines += cards
    a_column = int((HEIGHT - 2 * MARGIN - 42 * mm) // LINE)
    chunks = [lines[start : start + 2 * a_column] for start in range(0, len(lines), 2 * a_column)] or [[]]
    return [partial(_deck_page, sheet, chunk, a_column, number, len(chunks)) for number, chunk in enumerate(chunks, 1)]


def _deck_page(
    sheet: DeckSheet, lines: Sequence[tuple[int, str]], a_column: int, number: int, pages: int, canvas: Canvas
) -> None:
    y = _heading(canvas, sheet.name, f"{sheet.event} · {sheet.title} · {sheet.digest}", number, pages)
    canvas.setLineWidth(0.6)
    half = (RIGHT - MARGIN) / 2
    for place, (copies, name) in enumerate(lines):
        x = MARGIN + half * (place // a_column)
        middle = y - (place % a_column + 0.5) * LINE
        if copies:
            canvas.rect(x, middle - 1.7 * mm, 3.4 * mm, 3.4 * mm)
            _text(canvas, x + 6 * mm, middle - 3, str(copies), 9, BOLD)
            _block(canvas, x + 13 * mm, middle, name, PLAIN, 9, half - 16 * mm)
        else:
            _text(canvas, x, middle - 3, name, 10, BOLD)
    foot = MARGIN + 4 * mm
    for x, words in (
        (MARGIN, _("Cards counted")),
        (MARGIN + 55 * mm, _("Extension (min)")),
        (MARGIN + 115 * mm, _("Judge")),
    ):
        _text(canvas, x, foot, words, 7.5)
        canvas.line(x + LABEL, foot - 1, x + 50 * mm, foot - 1)


# -------------------------------------------------------------------------------------------------------- seat links

LINKS_ACROSS, LINKS_DOWN = 2, 5
CODE = 38 * mm


def _link_pages(sheet: LinkSheet) -> list[Page]:
    """Lay out seat links as cards to cut out, ten per page."""
    a_page = LINKS_ACROSS * LINKS_DOWN
    return [partial(_link_page, sheet, sheet.cards[at : at + a_page]) for at in range(0, len(sheet.cards), a_page)]


def _link_page(sheet: LinkSheet, cards: Sequence[tuple[str, str]], canvas: Canvas) -> None:
    width, height = WIDTH / LINKS_ACROSS, HEIGHT / LINKS_DOWN
    for place, (name, address) in enumerate(cards):
        left = width * (place % LINKS_ACROSS)
        middle = HEIGHT - height * (place // LINKS_ACROSS + 0.5)
        _code(canvas, left + 8 * mm, middle - CODE / 2, address)
        text = left + 12 * mm + CODE
        room = width - CODE - 18 * mm
        _block(canvas, text, middle + 8 * mm, name, BOLD, 13, room)
        _block(canvas, text, middle - 4 * mm, sheet.event, PLAIN, 9, room)
        _block(canvas, text, middle - 12 * mm, sheet.title, PLAIN, 9, room)
    canvas.setLineWidth(0.4)
    canvas.setDash(2, 3)
    canvas.line(width, 0, width, HEIGHT)
    for row in range(1, LINKS_DOWN):
        canvas.line(0, row * height, WIDTH, row * height)
    canvas.setDash()


def _code(canvas: Canvas, x: float, y: float, address: str) -> None:
    """Draw a QR code. Each run of dark modules in a row is one rectangle, which keeps the file small."""
    rows = qr.modules(address)
    side = CODE / len(rows)
    path = canvas.beginPath()
    for number, row in enumerate(rows):
        at = 0
        for dark, run in groupby(row):
            length = len(list(run))
            if dark:
                path.rect(x + at * side, y + CODE - (number + 1) * side, length * side, side)
            at += length
    canvas.drawPath(path, stroke=0, fill=1)
