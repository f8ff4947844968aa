"""Draws a picture of an event's winners to share: a PNG in the size of link previews, in the fonts of the sheets."""

from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw

from tournaments.paper.lettering import fitted, font, png

SIZE = (1200, 630)
MARGIN = 72
FELT, PAPER, BRASS, SOFT = "#0e5a4a", "#fffefa", "#f1c674", "#c9e2d8"
FIRST, OTHERS = 62, 42  # font sizes, in pixels, of the winner and of the others
MOST_LINES = 4
INDENT = 110


@dataclass(frozen=True)
class Line:
    """A line of the podium: the rank, the name, and the leader of the deck if it is shown."""

    rank: int
    name: str
    lead: str = ""


def winners_picture(title: str, facts: str, lines: Sequence[Line]) -> bytes:
    """Draw the picture: `title` of the event, `facts` (when and where), and the first `MOST_LINES` of `lines`.

    Returns a PNG of `SIZE` pixels. The same arguments give the same bytes.
    """
    image = Image.new("RGB", SIZE, FELT)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 14, SIZE[1]), fill=BRASS)
    _write(draw, (MARGIN, 72), title, 46, PAPER, bold=True)
    _write(draw, (MARGIN, 114), facts, 25, SOFT, bold=False)
    draw.line((MARGIN, 138, SIZE[0] - MARGIN, 138), fill=BRASS, width=3)
    shown = list(lines)[:MOST_LINES]
    down = 232
    for line in shown:
        down = _line(draw, line, down, size=FIRST if line is shown[0] else OTHERS, gap=24 if len(shown) > 3 else 36)
    draw.text((SIZE[0] - MARGIN, SIZE[1] - 30), "Arbitre", font=font(24, bold=True), fill=SOFT, anchor="rs")
    return png(image)


def _line(draw: ImageDraw.ImageDraw, line: Line, down: int, *, size: int, gap: int) -> int:
    """Draw a line of the podium with its baseline at `down`. Returns the baseline of the next one."""
    _write(draw, (MARGIN, down), str(line.rank), size, BRASS, bold=True)
    _write(draw, (MARGIN + INDENT, down), line.name, size, PAPER, bold=True)
    if line.lead:
        _write(draw, (MARGIN + INDENT, down + 38), line.lead, 25, SOFT, bold=False)
        down += gap
    return down + (100 if size == FIRST else 76)


def _write(draw: ImageDraw.ImageDraw, at: tuple[int, int], words: str, size: int, fill: str, *, bold: bool) -> None:
    """Write one line that fits within the margin (see `lettering.fitted`)."""
    line, size = fitted(words, size, SIZE[0] - MARGIN - at[0], bold=bold)
    draw.text(at, line, font=font(size, bold=bold), fill=fill, anchor="ls")
