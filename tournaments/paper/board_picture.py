"""Draws a board as a picture to share: a PNG that can be read on a phone in a chat, in the colours of the pages."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from PIL import Image, ImageDraw

from tournaments.boards.reading import Board, Fact, Figure, Side, Slot, Track, Zone
from tournaments.paper.blocks import Block, Frame, beside, flowing, framed, nothing, stacked, text
from tournaments.paper.lettering import font, length, png

WIDTH = 1200
TALLEST = 4000  # pixels; what is below is cut off
EDGE, GAP, PAD = 28, 8, 8
INNER = WIDTH - 2 * EDGE
# The colours of app.css in the light, and those of factions in board.css.
PAPER, SHEET, SUNK, INK, SOFT = "#f5f3ec", "#fffefa", "#ece8dc", "#1b211e", "#55605a"
LINE, STRONG, FELT, WASH, BRASS, PALE = "#d8d3c4", "#868a7c", "#0e5a4a", "#dcebe4", "#f1c674", "#c9e2d8"
HUES = (
    "#b3382c", "#9a6324", "#8a7a12", "#5d8a1e", "#2d8a45", "#14877a",
    "#1f7f9e", "#2b66b5", "#4f55c0", "#7a47b0", "#b0418a", "#7d5a50",
)  # fmt: skip
TINTS = {"foret": "#2f8f4e", "montagne": "#b0722f", "eau": "#2f7fb8"}  # figures that players know by their colour
CARD = 176  # least width of a card in pixels
WIDEST = 260
LONG_WORD = 40  # letters of a word that are measured
NAME, SMALL = 22, 18  # sizes of the names of cards, and of the smallest words that matter
MOST_CARDS = 18  # of one zone; the others are counted
MOST_REGIONS, MOST_NOTES, MOST_LINES = 12, 4, 6
FEW = 3  # zones whose names are written although they are empty
SLIM = 150  # width of a zone without cards beside others
CHANGED = 4  # width of the line around what the move changed


@dataclass(frozen=True)
class Caption:
    """What is written around a board.

    `title` is that of the event, `facts` are its round, table and game, `moment` says after which move it is. `move` is
    that move as a sentence, `sight` says who sees the board like this, and `source` is the id of what it comes from.
    """

    title: str
    facts: str
    moment: str
    move: str = ""
    sight: str = ""
    source: str = ""


def board_picture(board: Board, caption: Caption) -> bytes:
    """Draw a board with its caption.

    Returns a PNG, `WIDTH` pixels wide and at most `TALLEST` high. The same arguments give the same bytes.
    """
    head, foot = _head(caption), _foot(caption)
    middle = stacked([_turn(board), *_sides(board), _told(board.told)], GAP)
    height = min(head.height + middle.height + foot.height + 4 * GAP, TALLEST)
    image = Image.new("RGB", (WIDTH, height), PAPER)
    draw = ImageDraw.Draw(image)
    head.paint(draw, 0, 0)
    middle.paint(draw, EDGE, head.height + GAP)
    draw.rectangle((0, height - foot.height - GAP, WIDTH, height), fill=PAPER)
    foot.paint(draw, EDGE, height - foot.height - GAP)
    return png(image)


def _head(caption: Caption) -> Block:
    """Draw the band at the top: the event, the round, table and game, and the moment."""
    width = INNER - 8
    lines = stacked([
        text(caption.title, 36, SHEET, width, bold=True, most=2),
        text(caption.facts, 26, PALE, width, most=2),
        text(caption.moment, 28, BRASS, width, bold=True, most=2),
    ])  # fmt: skip
    return framed(lines, Frame(FELT, pad=EDGE - 8, radius=0), WIDTH)


def _foot(caption: Caption) -> Block:
    """Draw the last move as a sentence, and where the picture comes from."""
    move = nothing()
    if caption.move:
        said = text(caption.move, 26, INK, INNER - 4 * PAD, bold=True, most=3)
        move = framed(said, Frame(WASH, FELT, 2, pad=2 * PAD), INNER)
    name = text("Arbitre", 24, FELT, INNER, bold=True)
    source = text(caption.source, 20, SOFT, INNER)
    sight = text(caption.sight, 20, SOFT, INNER - name.width - source.width - 48)
    space = nothing(max(INNER - name.width - source.width - sight.width - 24, 0))
    return stacked([move, beside([sight, space, source, nothing(24), name], middle=True)], GAP)


def _turn(board: Board) -> Block:
    result = text(board.result, 26, FELT, INNER, bold=True, most=2)
    return stacked([text(board.turn, 26, INK, INNER, bold=True, most=2), result])


def _sides(board: Board) -> Iterator[Block]:
    """Yield the far sides, what lies between the players, and the near side, from the top down."""
    *far, near = board.sides
    letters = [side.seat for side in reversed(board.sides)]
    for side in far:
        yield stacked([_bar(side, letters), *_lines(reversed(side.lines))], GAP // 2)
    if board.track:
        yield _track(board.track, letters)
    if board.common:
        bar = flowing([*map(_fact, board.common.facts), *map(_pile, board.common.piles)], INNER, 12, 4)
        yield stacked([bar, *_lines(board.common.lines)], GAP // 2)
    yield stacked([*_lines(near.lines), _bar(near, letters)], GAP // 2)


def _bar(side: Side, letters: Sequence[str]) -> Block:
    """Draw the name of a seat with its counters and piles."""
    width = INNER - 2 * PAD
    mark = _marker(side.seat, letters, True)
    name = beside([mark, text(side.name, 26, INK, width - mark.width - 10, bold=True, most=2)], 10, middle=True)
    piles = [_pile(zone) for zone in side.piles if zone.shape == "counted" or zone.count is None or zone.count]
    counts = [*map(_fact, side.facts), *piles]
    frame = Frame(WASH if side.active else SHEET, FELT if side.active else LINE, 3 if side.active else 1)
    return framed(flowing([name, *counts], width, 14, 4), frame, INNER)


def _fact(fact: Fact) -> Block:
    return _count(fact.words, str(fact.value), fact.was, 30)


def _pile(zone: Zone) -> Block:
    return _count(zone.words, "?" if zone.count is None else str(zone.count), zone.was, 24)


def _count(words: str, value: str, was: object, size: int) -> Block:
    """Draw a counter or a pile, with the value before the move if that differs."""
    shown = value if was is None else f"{was} → {value}"
    parts = [text(words, 22, SOFT, INNER // 2), text(shown, size, INK, INNER // 3, bold=True)]
    frame = Frame(pad=4) if was is None else Frame(WASH, FELT, CHANGED, pad=6)
    return framed(beside(parts, 6, middle=True), frame)


def _marker(seat: str, letters: Sequence[str], first: bool) -> Block:
    """Draw the letter of a seat in its colour: in a circle, or in a square for the second counter of a track."""
    fill = (INK, FELT, HUES[8], HUES[0], HUES[2])[letters.index(seat) % 5]

    def paint(draw: ImageDraw.ImageDraw, x: int, y: int) -> None:
        draw.rounded_rectangle((x, y, x + 33, y + 33), 17 if first else 5, fill=fill)
        draw.text((x + 17, y + 17), seat[:1], font=font(22, bold=True), fill=SHEET, anchor="mm")

    return Block(34, 34, paint)


# ------------------------------------------------------------------------------------------------ zones and their cards


def _lines(lines: Iterable[Sequence[Zone]]) -> Iterator[Block]:
    """Draw lines of zones. If nothing lies in any zone of a line, only their names are written, if they are few."""
    for zones in lines:
        if any(zone.cards or zone.count is None or _changed(zone) for zone in zones):
            yield _line(zones)
        elif len(zones) <= FEW:
            width = (INNER - GAP * (len(zones) - 1)) // len(zones)
            yield beside([_name_only(zone, width) for zone in zones], GAP)


def _line(zones: Sequence[Zone]) -> Block:
    """Draw zones that lie beside each other."""
    widths = _widths(zones)
    drawn = [_zone(zone, width) for zone, width in zip(zones, widths, strict=True)]
    tallest = max(block.height for block in drawn)
    frames = [Frame(pad=0) if zone.shape == "pile" else Frame(SUNK, LINE, pad=0) for zone in zones]
    return beside(
        [framed(block, frame, width, tallest) for block, frame, width in zip(drawn, frames, widths, strict=True)], GAP
    )


def _changed(zone: Zone) -> bool:
    return zone.was is not None or any(slot.change for slot in zone.slots)


def _name_only(zone: Zone, width: int) -> Block:
    return framed(text(f"{zone.words} –", SMALL, SOFT, width - 2 * PAD), Frame("", LINE, pad=5), width)


def _widths(zones: Sequence[Zone]) -> list[int]:
    """Share the width of the picture among zones: equally among those of one kind, else by their cards."""
    room = INNER - GAP * (len(zones) - 1)
    if len({zone.shape for zone in zones}) == 1:
        return [room // len(zones)] * len(zones)
    columns = _columns([len(_tiles(zone)) for zone in zones], room)
    each = min((room - SLIM * columns.count(0)) // max(sum(columns), 1), WIDEST)
    *widths, _last = [count * each if count else SLIM for count in columns]
    return [*widths, room - sum(widths)]


def _columns(wanted: Sequence[int], room: int) -> list[int]:
    """Give each zone with cards a column, and further columns to those that would have the most rows."""
    columns = [min(count, 1) for count in wanted]
    while sum(columns) < (room - SLIM * columns.count(0)) // CARD:
        rows = [-(-want // count) if count else 0 for want, count in zip(wanted, columns, strict=True)]
        if max(rows) < 2:
            break
        columns[rows.index(max(rows))] += 1
    return columns


def _zone(zone: Zone, width: int) -> Block:
    """Draw a zone with its cards on as many rows as they take."""
    if zone.shape == "pile":
        return framed(_pile(zone), Frame(pad=2), width)
    tiles = _tiles(zone)
    room = width - 2 * PAD
    columns = max(min(len(tiles), (room + GAP) // CARD), 1)
    each = min((room - GAP * (columns - 1)) // columns, WIDEST)
    rows = [tiles[n : n + columns] for n in range(0, len(tiles), columns)]
    more = len(zone.cards) - sum(count for slot, count in tiles if not slot.empty)
    named = text(f"{zone.words} (+{more})" if more else zone.words, SMALL, SOFT, room, most=2)
    return framed(stacked([named, *(_row(row, each) for row in rows)], 5), Frame(pad=PAD - 2), width)


def _tiles(zone: Zone) -> list[tuple[Slot, int]]:
    """Return the cards of a zone, with how many of them lie beside each other without any difference."""
    if zone.shape == "slots":
        return [(slot, 1) for slot in zone.slots[:MOST_CARDS]]
    alike = [list(slots) for _key, slots in groupby(zone.slots, key=_look)]
    return [(slots[0], len(slots)) for slots in alike if not slots[0].empty or slots[0].change][:MOST_CARDS]


def _look(slot: Slot) -> object:
    return (slot.name, slot.face, slot.figures, slot.notes, slot.hidden, slot.tilted, slot.change)


def _row(tiles: Sequence[tuple[Slot, int]], width: int) -> Block:
    """Draw cards beside each other, all as high as the tallest."""
    inside = [_card(slot, count, width - 2 * PAD) for slot, count in tiles]
    tallest = max(block.height for block in inside) + 2 * PAD + 6
    frames = [_frame(slot) for slot, _count in tiles]
    return beside([framed(block, frame, width, tallest) for block, frame in zip(inside, frames, strict=True)], GAP)


def _frame(slot: Slot) -> Frame:
    hue = _hue(slot)
    line, thick = (FELT, CHANGED) if slot.change else (LINE if slot.empty else STRONG, 1)
    if slot.empty:
        return Frame("", line, thick)
    if slot.hidden:
        return Frame(SUNK, line, thick, SOFT)
    return Frame(_mixed(hue, SHEET), line, thick, hue)


def _hue(slot: Slot) -> str:
    return STRONG if slot.face.hue is None else HUES[slot.face.hue % len(HUES)]


def _card(slot: Slot, count: int, width: int) -> Block:
    """Draw what a card shows: its name and cost, its figures, its notes, and what the move did to it."""
    change = text(slot.change, SMALL, FELT, width, bold=True, most=3)
    if slot.empty:
        number = slot.place.rpartition("/")[2]
        return stacked([text(number if number.isdecimal() else "", SMALL, SOFT, width), change])
    name = _name(slot, width)
    copies = [text(f"×{count}", 24, INK, width, bold=True)] if count > 1 else []
    figures = flowing([*copies, *map(_figure, slot.figures)], width, 6, 3)
    notes = [text(note, SMALL, SOFT, width, most=3) for note in slot.notes[:MOST_NOTES]]
    lying = [_lying(width)] if slot.tilted else []
    return stacked([name, figures, *lying, *notes, change], 3)


def _name(slot: Slot, width: int) -> Block:
    """Write the name of a card, with its cost at the right of the first line."""
    cost = nothing()
    if slot.face.cost:
        cost = framed(text(slot.face.cost, 20, SHEET, 80, bold=True), Frame(_hue(slot), pad=3, radius=12))
    taken = cost.width + 6 if cost.width else 0
    longest = max(slot.name.split(), key=len, default="")[:LONG_WORD]
    size = next(
        (size for size in (NAME, NAME - 2, NAME - 4) if length(longest, size, bold=True) <= width - taken), NAME - 6
    )
    fill = SOFT if slot.hidden or slot.tilted else INK
    name = text(slot.name, size, fill, width, bold=True, most=3, beside=taken)

    def paint(draw: ImageDraw.ImageDraw, x: int, y: int) -> None:
        name.paint(draw, x, y)
        cost.paint(draw, x + width - cost.width, y - 3)

    return Block(width, max(name.height, cost.height), paint)


def _figure(figure: Figure) -> Block:
    """Draw a figure of a card, framed if it is not the printed one."""
    tint = TINTS.get(figure.key, "")
    other = figure.printed is not None
    value = text(str(figure.value), 22, SHEET if tint else INK, 120, bold=True)
    words = nothing() if tint else text(figure.words, 15, SOFT, 120)
    frame = Frame(tint, (INK if tint else FELT) if other else "", 3, pad=4 if tint or other else 0, radius=6)
    return framed(beside([words, value], 0 if tint else 3, middle=True), frame)


def _lying(width: int) -> Block:
    """Draw the bar of a card that is turned sideways."""
    return Block(width, 6, lambda draw, x, y: draw.rectangle((x, y + 1, x + width - 1, y + 4), fill=STRONG))


# ------------------------------------------------------------------------------------------ what is not on any side


def _track(track: Track, letters: Sequence[str]) -> Block:
    """Draw the regions with the markers on them, and below what each marker is."""
    regions = track.regions[:MOST_REGIONS]
    each = (INNER - 4 * (len(regions) - 1)) // max(len(regions), 1)
    firsts = {seat: words for _at, words, seat in reversed(track.walkers)}
    markers = [(at, words, _marker(seat, letters, firsts[seat] == words)) for at, words, seat in track.walkers]
    inside = []
    for n, region in enumerate(regions):
        name = text(region.words, SMALL, SOFT, each - 12, most=3)
        here = flowing([marker for at, _words, marker in markers if at == n], each - 12, 4, 4)
        inside.append(stacked([name, here, text(region.change, SMALL, FELT, each - 12, bold=True, most=2)], 5))
    tallest = max((block.height for block in inside), default=0) + 12
    frames = [Frame(SHEET, FELT if region.change else STRONG, CHANGED if region.change else 1) for region in regions]
    drawn = [
        framed(block, Frame(frame.fill, frame.line, frame.thick, pad=6), each, tallest)
        for block, frame in zip(inside, frames, strict=True)
    ]
    named = [
        beside([marker, text(words, 20, INK, INNER // 2 - 80, most=2)], 8, middle=True)
        for _at, words, marker in markers
    ]
    return stacked([beside(drawn, 4), flowing(named, INNER, 24, 4)], GAP)


def _told(lines: Sequence[str]) -> Block:
    """Write what the cards do not show."""
    told = [text(line, 20, SOFT, INNER, most=2) for line in lines[:MOST_LINES]]
    return stacked([*told, text("…" if len(lines) > MOST_LINES else "", 20, SOFT, INNER)], 2)


def _mixed(colour: str, ground: str) -> str:
    """Return a colour that is one eighth of `colour` on `ground`."""
    parts = [(int(colour[n : n + 2], 16) + 7 * int(ground[n : n + 2], 16)) // 8 for n in (1, 3, 5)]
    return "#" + "".join(f"{part:02x}" for part in parts)
