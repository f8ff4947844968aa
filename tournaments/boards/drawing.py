"""Draw a board as HTML: named regions with their cards, in reading order. `board.css` lays them out.

The HTML has no scripts, no styles and no addresses of its own except those of pictures, and everything that comes from
cards and players is escaped.
"""

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from engine.face.boards import speaker
from engine.face.tables import aims
from tournaments.boards.reading import Board, Fact, Figure, Side, Slot, Track, Zone


def draw(board: Board, language: str = "en", *, arrows: Iterable[tuple[str, str]] = (), refused: bool = False) -> str:
    """Draw a board that was read by `read_board`.

    `arrows` are pairs of places, from a card to what it attacks or aims at; `board.js` draws them. `refused` says that
    they are those of a move that was not made.
    """
    return _Drawing(language).board(board, list(arrows), refused)


def arrows_of(move: Mapping[str, Any], board: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the arrows of a move: from each card that acts to the place that it aims at, as pairs of places.

    `board` is the one before the move. Only places on it are returned.
    """
    found = aims(move, board)
    if found is not None:
        return found
    args = move["args"]
    aim = next((args[key] for key in ("on", "target", "attacker", "facing") if _place(args.get(key))), None)
    acting = [value for key, value in args.items() for value in _listed(value) if _place(value) and value != aim]
    return [(place, aim) for place in acting] if aim else []


def _place(value: Any) -> bool:
    return isinstance(value, str) and "/" in value


def _image(address: str) -> str:
    """Draw the picture of a card. It has a fixed size, so that nothing moves when it comes, or never does."""
    return (
        f'<img class="tile__image" src="{escape(address)}" alt="" width="250" height="150" loading="lazy" '
        'decoding="async" referrerpolicy="no-referrer">'
    )


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


class _Drawing:
    def __init__(self, language: str) -> None:
        self.say = speaker(language)

    def board(self, board: Board, arrows: list[tuple[str, str]], refused: bool) -> str:
        """Draw the far sides, the middle, the near side, and what the cards do not show."""
        *far, near = board.sides
        result = f' <strong class="board__result">{escape(board.result)}</strong>' if board.result else ""
        seats = " board--many" if len(board.sides) > 2 else ""
        pairs = f' data-arrows="{escape(" ".join(f"{one}>{two}" for one, two in arrows))}"' if arrows else ""
        pairs += " data-refused" if refused and arrows else ""
        parts = [
            f'<div class="board board--{board.game}{seats}"{pairs}>',
            f'<p class="board__turn">{escape(board.turn)}{result}</p>',
            *(self.side(side, "far") for side in far),
            self.middle(board.common, board.track),
            self.side(near, "near"),
            self.more(board),
            "</div>",
        ]
        return "".join(parts)

    def side(self, side: Side, end: str) -> str:
        """Draw a seat: its counters and piles, then its lines."""
        active = " side--active" if side.active else ""
        turn = f' <span class="side__turn">{escape(self.say("drawn.to_play"))}</span>' if side.active else ""
        # The letter by which markers and places name the seat; a screen reader hears the player instead.
        letter = f'<span class="walker walker--{escape(side.seat)}" aria-hidden="true">{escape(side.seat)}</span>'
        name = f'<p class="side__name">{letter}<strong>{escape(side.name)}</strong>{turn}</p>'
        lines = "".join(self.line(line, side.name) for line in side.lines)
        return (
            f'<section class="side side--{end}{active}" '
            f'aria-label="{escape(side.name)}" data-seat="{escape(side.seat)}">'
            f'<div class="side__bar">{name}{self.facts(side.facts)}{self.piles(side.piles)}</div>{lines}</section>'
        )

    def middle(self, common: Side | None, track: Track | None) -> str:
        """Draw what lies between the seats."""
        if common is None and track is None:
            return ""
        label = escape(self.say("drawn.common"))
        drawn = self.track(track) if track else ""
        if common is not None:
            bar = self.facts(common.facts) + self.piles(common.piles)
            drawn += f'<div class="side__bar">{bar}</div>' if bar else ""
            drawn += "".join(self.line(line, "") for line in common.lines)
        return f'<section class="middle" aria-label="{label}">{drawn}</section>'

    def track(self, track: Track) -> str:
        """Draw the regions, with the markers that stand on each."""
        drawn = []
        for n, region in enumerate(track.regions):
            here = [(words, seat) for at, words, seat in track.walkers if at == n]
            marks = "".join(
                f'<span class="walker walker--{escape(seat)}"><span aria-hidden="true">{escape(seat)}</span>'
                f'<span class="sr-only">{escape(words)}</span></span>'
                for words, seat in here
            )
            label = self.say("drawn.region", n=n)
            drawn.append(
                f'<li class="region{" is-changed" if region.change else ""}">'
                f'<span class="sr-only">{escape(label)}: </span>'
                f'<span class="region__name">{escape(region.words)}</span>{self.change(region.change)}{marks}</li>'
            )
        return f'<ol class="track" role="list">{"".join(drawn)}</ol>'

    def facts(self, facts: Iterable[Fact]) -> str:
        """Draw counters."""
        drawn = "".join(
            f'<div class="count count--{escape(fact.key)}{self._changed(fact.was)}"><dt>{escape(fact.words)}</dt>'
            f"<dd>{escape(str(fact.value))}{self._was(fact.was)}</dd></div>"
            for fact in facts
        )
        return f'<dl class="side__counts">{drawn}</dl>' if drawn else ""

    def piles(self, piles: Iterable[Zone]) -> str:
        """Draw piles: their number of cards, and the cards themselves on demand."""
        drawn = "".join(
            self.pile(zone) for zone in piles if zone.shape == "counted" or zone.count is None or zone.count
        )
        return f'<div class="side__piles">{drawn}</div>' if drawn else ""

    def pile(self, zone: Zone) -> str:
        """Draw one pile."""
        count = "?" if zone.count is None else str(zone.count)
        head = f'<span class="pile__name">{escape(zone.words)}</span> <span class="num">{count}</span>'
        head += self._was(zone.was)
        classes = f"pile{self._changed(zone.was)}"
        if not zone.cards or zone.count is None:
            return f'<span class="{classes}" data-zone="{escape(zone.path)}">{head}</span>'
        cards = "".join(f"<li>{self.slot(slot)}</li>" for slot in zone.cards)
        key = escape(zone.path.replace("/", "-"))
        return (
            f'<details class="{classes}" id="pile-{key}" data-zone="{escape(zone.path)}"><summary>{head}</summary>'
            f'<ul class="cards" role="list">{cards}</ul></details>'
        )

    def line(self, line: Iterable[Zone], owner: str) -> str:
        """Draw zones that lie beside each other."""
        return f'<div class="line">{"".join(self.zone(zone, owner) for zone in line)}</div>'

    def zone(self, zone: Zone, owner: str) -> str:
        """Draw one zone as a named region."""
        name = zone.path.partition("/")[2].replace("/", "-")
        label = escape(f"{zone.words}, {owner}" if owner else zone.words)
        if zone.shape == "pile":
            inner = self.pile(zone) if zone.cards else f'<span class="pile">{escape(zone.words)} 0</span>'
            return f'<div class="zone zone--pile zone--{escape(name)}">{inner}</div>'
        cards = "".join(f"<li>{self.slot(slot)}</li>" for slot in zone.slots)
        return (
            f'<div class="zone zone--{zone.shape} zone--{escape(name)}{self.room(zone)}" '
            f'role="group" aria-label="{label}" data-zone="{escape(zone.path)}">'
            f'<p class="zone__name" aria-hidden="true">{escape(zone.words)}</p>'
            f'<ol class="cards" role="list">{cards}</ol></div>'
        )

    def room(self, zone: Zone) -> str:
        """Return the class that gives a row more room the more cards it has."""
        return f" has-{min(len(zone.cards), 8)}" if zone.shape == "row" and len(zone.cards) > 1 else ""

    def slot(self, slot: Slot) -> str:
        """Draw a card, or the place of one."""
        place = f' data-place="{escape(slot.place)}"'
        change = self.change(slot.change)
        changed = " is-changed" if slot.change else ""
        if slot.empty:
            words = change or f'<span class="sr-only">{escape(slot.name)}</span>'
            return f'<div class="tile tile--empty{changed}"{place}>{words}</div>'
        notes = "".join(f'<span class="tile__note">{escape(note)}</span>' for note in slot.notes)
        tilted = " is-tilted" if slot.tilted else ""
        if slot.hidden:
            return (
                f'<div class="tile tile--hidden{tilted}{changed}"{place}>'
                f'<span class="tile__name">{escape(slot.name)}</span>{notes}{change}</div>'
            )
        face = slot.face
        hue = "" if face.hue is None else f" hue-{face.hue}"
        cost = ""
        if face.cost:
            words = escape(self.say("drawn.cost", value=face.cost))
            cost = f'<span class="tile__cost" title="{words}"><span class="sr-only">{words}</span>'
            cost += f'<span aria-hidden="true">{escape(face.cost)}</span></span>'
        image = _image(face.image) if face.image else ""
        kind = self.say(f"kind.{face.kind}") if face.kind else ""
        figures = "".join(map(self.figure, slot.figures))
        return (
            f'<div class="tile{hue}{tilted}{changed}"{place} data-ref="{escape(slot.ref)}">{image}{cost}'
            f'<span class="tile__name">{escape(slot.name)}</span><span class="tile__kind">{escape(kind)}</span>'
            f'<span class="tile__figures">{figures}</span>{notes}{change}</div>'
        )

    def figure(self, figure: Figure) -> str:
        """Draw a figure of a card."""
        other = "" if figure.printed is None else " is-other"
        return (
            f'<span class="figure-of figure-of--{escape(figure.key)}{other}">'
            f'<span class="figure-of__name">{escape(figure.words)}</span> '
            f"<span>{figure.value}</span>{self._printed(figure.printed)}</span> "
        )

    def change(self, change: str) -> str:
        """Draw in words what the move did to a place."""
        return f'<span class="tile__change">{escape(change)}</span>' if change else ""

    def more(self, board: Board) -> str:
        """Draw what the cards do not show, and what is not known."""
        told = "".join(f"<li>{escape(line)}</li>" for line in board.told)
        unknown = "".join(f"<li>{escape(fact)}</li>" for fact in board.unknown)
        count = escape(self.say("drawn.unknown", n=len(board.unknown)))
        lines = f'<ul class="board__more">{told}</ul>' if told else ""
        return lines + (
            f'<details class="details" id="unknown"><summary>{count}</summary><ul>{unknown}</ul></details>'
            if unknown
            else ""
        )

    def _changed(self, was: object) -> str:
        return "" if was is None else " is-changed"

    def _was(self, was: object) -> str:
        return "" if was is None else f' <span class="was">{escape(self.say("drawn.was", was=was))}</span>'

    def _printed(self, printed: int | None) -> str:
        if printed is None:
            return ""
        return f' <span class="sr-only">({escape(self.say("drawn.printed", value=printed))})</span>'
