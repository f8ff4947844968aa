"""Parts of a picture that know their size before they are painted, stacked and laid beside each other."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from PIL import ImageDraw

from tournaments.paper.lettering import font, wrapped

Paint = Callable[[ImageDraw.ImageDraw, int, int], None]


@dataclass(frozen=True)
class Block:
    """A part of a picture: its width and height in pixels, and what paints it at the place of its top left corner."""

    width: int
    height: int
    paint: Paint


@dataclass(frozen=True)
class Frame:
    """A rectangle around something: its colours, and the width of its line and of the band along its top in pixels."""

    fill: str = ""
    line: str = ""
    thick: int = 1
    band: str = ""
    pad: int = 8
    radius: int = 8


def nothing(width: int = 0, height: int = 0) -> Block:
    """Return an empty block."""
    return Block(width, height, lambda _draw, _x, _y: None)


def text(words: str, size: int, fill: str, width: int, *, bold: bool = False, most: int = 1, beside: int = 0) -> Block:
    """Write a text in at most `most` lines of `width` pixels (see `lettering.wrapped`)."""
    lines = wrapped(words, size, width, bold=bold, most=most, beside=beside)
    letters, step = font(size, bold=bold), round(size * 1.25)

    def paint(draw: ImageDraw.ImageDraw, x: int, y: int) -> None:
        for n, line in enumerate(lines):
            draw.text((x, y + n * step + size), line, font=letters, fill=fill, anchor="ls")

    widest = max((-int(-letters.getlength(line) // 1) for line in lines), default=0)
    return Block(widest, len(lines) * step, paint)


def stacked(blocks: Iterable[Block], gap: int = 0) -> Block:
    """Put blocks below each other; those without a height take no room."""
    shown = [block for block in blocks if block.height]

    def paint(draw: ImageDraw.ImageDraw, x: int, y: int) -> None:
        for block in shown:
            block.paint(draw, x, y)
            y += block.height + gap

    height = sum(block.height for block in shown) + gap * max(len(shown) - 1, 0)
    return Block(max((block.width for block in shown), default=0), height, paint)


def beside(blocks: Sequence[Block], gap: int = 0, *, middle: bool = False) -> Block:
    """Put blocks beside each other, in line at the top or, with `middle`, at half their height."""
    tallest = max((block.height for block in blocks), default=0)

    def paint(draw: ImageDraw.ImageDraw, x: int, y: int) -> None:
        for block in blocks:
            block.paint(draw, x, y + ((tallest - block.height) // 2 if middle else 0))
            x += block.width + gap

    return Block(sum(block.width for block in blocks) + gap * max(len(blocks) - 1, 0), tallest, paint)


def flowing(blocks: Iterable[Block], width: int, gap: int, between: int) -> Block:
    """Put blocks beside each other on as many lines of `width` pixels as they take, `between` pixels apart."""
    lines: list[list[Block]] = []
    used = 0
    for block in blocks:
        if not lines or used + gap + block.width > width:
            lines.append([])
            used = -gap
        lines[-1].append(block)
        used += gap + block.width
    return stacked((beside(line, gap, middle=True) for line in lines), between)


def framed(inside: Block, frame: Frame, width: int = 0, height: int = 0) -> Block:
    """Draw a rectangle around a block, of at least `width` and `height` pixels."""
    head = 6 if frame.band else 0
    width = max(width, inside.width + 2 * frame.pad)
    height = max(height, inside.height + 2 * frame.pad + head)

    def paint(draw: ImageDraw.ImageDraw, x: int, y: int) -> None:
        box = (x, y, x + width - 1, y + height - 1)
        if frame.band:
            draw.rounded_rectangle(box, frame.radius, fill=frame.band)
        if frame.fill:  # without a colour, Pillow would draw a white line
            draw.rounded_rectangle((x, y + head, *box[2:]), frame.radius, fill=frame.fill)
        if frame.line:
            draw.rounded_rectangle(box, frame.radius, outline=frame.line, width=frame.thick)
        inside.paint(draw, x + frame.pad, y + frame.pad + head)

    return Block(width, height, paint)
