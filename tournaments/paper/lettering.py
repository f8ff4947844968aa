"""Words in pictures: the fonts of the sheets, and text that is wrapped, made smaller or cut off until it fits."""

from functools import lru_cache
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageFont

from tournaments.common.names import one_line

FONTS = Path(__file__).parent / "fonts"
LONGEST = 400  # characters of a text that are looked at; no picture has room for more on its lines


@lru_cache(maxsize=64)
def font(size: int, *, bold: bool = False) -> ImageFont.FreeTypeFont:
    """Return a font of the sheets; `size` is in pixels."""
    return ImageFont.truetype(str(FONTS / ("DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf")), size)


@lru_cache(maxsize=4096)
def length(words: str, size: int, *, bold: bool = False) -> int:
    """Return the width of a line in pixels, rounded up."""
    return -int(-font(size, bold=bold).getlength(words) // 1)


def fitted(words: str, size: int, width: int, *, bold: bool = False) -> tuple[str, int]:
    """Fit a line into `width` pixels: first with a smaller font, down to half its size, then cut off.

    Returns the line and the size of its font.
    """
    least = size // 2
    while size > least and length(words, size, bold=bold) > width:
        size -= 2
    return shortened(words, size, width, bold=bold), size


def shortened(words: str, size: int, width: int, *, bold: bool = False) -> str:
    """Cut off a line that is wider than `width` pixels, with “…” at its end."""
    if len(words) <= LONGEST and length(words, size, bold=bold) <= width:
        return words
    return words[: _fits(words, size, width - length("…", size, bold=bold), bold=bold)].rstrip() + "…"


def wrapped(words: str, size: int, width: int, *, bold: bool = False, most: int = 1, beside: int = 0) -> list[str]:
    """Break a text into at most `most` lines of `width` pixels; the last one is cut off if there is more.

    `beside` is the width of something to the right of the first line. A word longer than a line is broken.
    """
    lines: list[str] = []
    rest = one_line(words[: LONGEST * most])
    while rest:
        room = width - (0 if lines else beside)
        if len(lines) == most - 1:
            return [*lines, shortened(rest, size, room, bold=bold)]
        count = _fits(rest, size, room, bold=bold)
        if count < len(rest):
            count = rest.rfind(" ", 0, count + 1) if " " in rest[: count + 1] else max(count, 1)
        lines.append(rest[:count].rstrip())
        rest = rest[count:].lstrip()
    return lines


def png(image: Image.Image) -> bytes:
    """Return a picture as a PNG without metadata: the same bytes for the same pixels."""
    out = BytesIO()
    image.save(out, "PNG", compress_level=3)  # a sixth larger than by default, in two thirds of the time
    return out.getvalue()


def _fits(words: str, size: int, width: int, *, bold: bool) -> int:
    """Return how many characters at the beginning of a text are at most `width` pixels wide."""
    words, low = words[:LONGEST], 0
    high = len(words)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if length(words[:middle], size, bold=bold) <= width else (low, middle - 1)
    return low
