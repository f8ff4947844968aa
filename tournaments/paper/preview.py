"""Draws the picture that messengers and social networks show beside a link: a PNG in the size of link previews."""

import hashlib
import unicodedata
from dataclasses import astuple, dataclass
from functools import lru_cache

from PIL import Image, ImageDraw, features
from reportlab.pdfbase.ttfonts import TTFontFile

from tournaments.paper.blocks import Block, Frame, beside, framed, nothing, stacked, text
from tournaments.paper.lettering import FONTS, png, wrapped

SIZE = (1200, 630)
MARGIN = 72
WIDTH = SIZE[0] - 2 * MARGIN
FELT, PAPER, BRASS, SOFT, INK = "#0e5a4a", "#fffefa", "#f1c674", "#c9e2d8", "#1b211e"
TITLES = (76, 64, 54, 46)  # font sizes, in pixels, from which the title takes the first that fits
TITLE_LINES = 3
DRAWING = 2  # counted up when the same words are drawn otherwise
_RIGHT_TO_LEFT = {"R", "AL", "AN"}


@dataclass(frozen=True)
class Preview:
    """The words of a preview.

    `about` stands above the `title`, such as the game; the `facts` below it say when, where and how many; `state` says
    how far it is, or who has won. Each may be empty, except for the title.
    """

    title: str
    about: str = ""
    facts: tuple[str, ...] = ()
    state: str = ""

    @property
    def version(self) -> str:
        """A digest of what the picture shows, as 16 hexadecimal digits: another one means another picture."""
        return hashlib.sha256(repr((DRAWING, astuple(self))).encode()).hexdigest()[:16]

    @property
    def description(self) -> str:
        """Everything but the title on one line."""
        return " · ".join(filter(None, [self.about, *self.facts, self.state]))


def preview_picture(preview: Preview) -> bytes:
    """Draw a preview: a PNG of `SIZE` pixels. The same words give the same bytes.

    Words that the font has no letters for are left out; the link itself is shown with its title beside the picture.
    """
    image = Image.new("RGB", SIZE, FELT)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 14, SIZE[1]), fill=BRASS)
    about, title, *facts = (words if is_drawable(words) else "" for words in _lines(preview))
    if not title:
        about, title = "", about or "Arbitre"
    head = stacked([text(about, 32, BRASS, WIDTH, bold=True), _title(title)], 14)
    below = stacked([text(line, 34, SOFT, WIDTH) for line in facts if line], 6)
    stacked([head, below], 34).paint(draw, MARGIN, 60)
    foot = _foot(preview.state if is_drawable(preview.state) else "")
    foot.paint(draw, MARGIN, SIZE[1] - 56 - foot.height)
    return png(image)


def is_drawable(words: str) -> bool:
    """Whether the font has every letter of a text, and writes it in the right order.

    >>> is_drawable("Trophée de Lyon"), is_drawable("Кубок"), is_drawable("大会")
    (True, True, False)
    """
    if not features.check("raqm") and any(unicodedata.bidirectional(letter) in _RIGHT_TO_LEFT for letter in words):
        return False
    known = _letters()
    return all(ord(letter) in known for letter in words if not letter.isspace())


@lru_cache(maxsize=1)
def _letters() -> frozenset[int]:
    """The code points for which both fonts have a glyph."""
    files = (TTFontFile(str(FONTS / name)) for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"))
    regular, bold = (frozenset(file.charToGlyph) for file in files)
    return regular & bold


def _lines(preview: Preview) -> list[str]:
    return [preview.about, preview.title, *preview.facts]


def _title(words: str) -> Block:
    """Write the title in the largest font in which it takes at most `TITLE_LINES` lines, or is cut off."""
    for size in TITLES:
        lines = wrapped(words, size, WIDTH, bold=True, most=TITLE_LINES if size == TITLES[-1] else 2)
        if not lines[-1].endswith("…") or size == TITLES[-1]:
            return text(words, size, PAPER, WIDTH, bold=True, most=len(lines))
    raise AssertionError("the last size always returns")


def _foot(state: str) -> Block:
    """Draw the state in a frame at the left, and the name of the program at the right."""
    name = text("Arbitre", 28, SOFT, 200, bold=True)
    room = WIDTH - name.width - 80
    shown = framed(text(state, 38, INK, room, bold=True), Frame(BRASS, pad=16, radius=12)) if state else nothing()
    return beside([shown, nothing(WIDTH - shown.width - name.width), name], middle=True)
