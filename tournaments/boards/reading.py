"""Turn the JSON of a board into what there is to draw: sides, lines of zones, cards, counters, and what changed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from engine.face.boards import COMMON, layout_of
from engine.face.tables import table_of
from tournaments.boards.faces import Face, Faces, no_faces
from tournaments.boards.words import BoardWords

SPELT_OUT = {"ref", "name", "kind", "cost", "printed", "marks", "on", "owner"}  # the other keys: figures and flags
TILTED = ("engaged", "epuise", "turned", "used")  # marks of a card that is turned sideways
NO_FACE = Face("")


@dataclass(frozen=True)
class Figure:
    """A figure of a card, such as its attack: the current value, and the printed one if it differs."""

    key: str
    words: str
    value: int
    printed: int | None = None


@dataclass(frozen=True)
class Fact:
    """A counter of a seat, with its value before the move (`was`) if that differs."""

    key: str
    words: str
    value: object
    was: object = None


@dataclass(frozen=True)
class Slot:
    """A place for a card: empty, unknown, or a card with its face, its figures and its notes.

    `place` is where it lies, such as "A/T1/fighters/2". `change` says in words what the move did to it.
    """

    place: str
    name: str
    ref: str = ""
    face: Face = NO_FACE
    figures: tuple[Figure, ...] = ()
    notes: tuple[str, ...] = ()
    empty: bool = False
    hidden: bool = False
    tilted: bool = False
    change: str = ""


@dataclass(frozen=True)
class Zone:
    """A zone with its cards, or only their number where nobody sees them.

    `shape` is "row", "slots" (numbered places), "single", "pile" (counted, its cards shown on demand) or "counted".
    `was` is the number of cards before the move, if that differs.
    """

    path: str
    words: str
    shape: str
    slots: tuple[Slot, ...] = ()
    count: int | None = 0
    was: int | None = None

    @property
    def cards(self) -> tuple[Slot, ...]:
        """The slots that are not empty."""
        return tuple(slot for slot in self.slots if not slot.empty)


@dataclass(frozen=True)
class Side:
    """What one seat has: counters, lines of zones from the middle of the table outwards, and piles."""

    seat: str
    name: str
    facts: tuple[Fact, ...]
    lines: tuple[tuple[Zone, ...], ...]
    piles: tuple[Zone, ...]
    active: bool = False

    @property
    def zones(self) -> tuple[Zone, ...]:
        """All zones, those of the lines first."""
        return (*(zone for line in self.lines for zone in line), *self.piles)


@dataclass(frozen=True)
class Region:
    """A region of a track. `change` says in words what the move did to it."""

    words: str
    change: str = ""


@dataclass(frozen=True)
class Track:
    """A row of regions, and the markers that walk along it: (region, words, seat) each. The first region is 0."""

    regions: tuple[Region, ...]
    walkers: tuple[tuple[int, str, str], ...]


@dataclass(frozen=True)
class Board:
    """A whole board. Sides are ordered as the players sit: the last seat at the top, the nearest one at the bottom.

    `common` is what lies between the seats, None if nothing does. `told` are lines about what the cards do not show;
    `unknown` are the facts that a declared position leaves out.
    """

    game: str
    turn: str
    sides: tuple[Side, ...]
    common: Side | None
    track: Track | None
    result: str
    told: tuple[str, ...]
    unknown: tuple[str, ...]


def read_board(
    board: Mapping[str, Any],
    players: Mapping[str, str],
    before: Mapping[str, Any] | None = None,
    *,
    language: str = "en",
    faces: Faces = no_faces,
    near: str | None = None,
) -> Board:
    """Read a board of the engine's `views.board`.

    `players` are names by seat; `faces` gives what a card shows by its ref, None if it is not known. With the board
    `before` the move, everything that it changed is marked. `near` is the seat drawn at the bottom, by default the
    first.
    """
    words = BoardWords(board, players, language, faces)
    reader = _Reader(board, before, words, faces)
    seats = [*board["seats"]]
    start = seats.index(near) if near in seats else 0
    sides = [reader.side(seat) for seat in reversed([*seats[start:], *seats[:start]])]
    return Board(
        game=board["game"],
        turn=words.turn(),
        sides=tuple(sides),
        common=reader.common(),
        track=reader.track(),
        result=words.result(),
        told=tuple(words.lines()),
        unknown=tuple(reader.fact(path) for path in board.get("unknown", ())),
    )


class _Reader:
    """Reads the sides, zones and cards of one board. Without a board `before`, nothing is marked as changed."""

    def __init__(
        self,
        board: Mapping[str, Any],
        before: Mapping[str, Any] | None,
        words: BoardWords,
        faces: Faces,
    ) -> None:
        self.board = board
        self.words = words
        self.say = words.say
        self.faces = faces
        self.layout = layout_of(board["game"])
        self.table = table_of(board["game"])
        self.before = {**before["seats"], COMMON: before.get(COMMON, {})} if before else None
        self.unknown = frozenset(board.get("unknown", ()))

    def side(self, seat: str) -> Side:
        """Read what a seat has."""
        zones = {zone.path.partition("/")[2]: zone for zone in self._zones(self.board["seats"][seat], seat)}
        lines = [tuple(zones.pop(name) for name in line if name in zones) for line in self.table.lines]
        if self.table.facing is not None:
            lines[:0] = self._facing(zones.pop(self.table.facing[1]))
        # Rows that no line has lie in front of the hand; empty ones are left out.
        rows = [name for name, zone in zones.items() if zone.shape in ("row", "slots")]
        lines[-1:-1] = [(zone,) for zone in map(zones.pop, rows) if zone.cards]
        active = self.board["turn"]["seat"] == seat
        facts = self._facts(self.board["seats"][seat], seat)
        kept = tuple(line for line in lines if line)
        return Side(seat, self.words.seat(seat), facts, kept, tuple(zones.values()), active)

    def common(self) -> Side | None:
        """Read what belongs to no seat; None if there is nothing."""
        found = self.board.get(COMMON) or {}
        zones = [zone for zone in self._zones(found, COMMON) if zone.path != f"{COMMON}/{self.table.track}"]
        rows = tuple((zone,) for zone in zones if zone.shape in ("row", "slots") and zone.slots)
        piles = tuple(zone for zone in zones if zone.shape not in ("row", "slots") and zone.count)
        facts = self._facts(found, COMMON)
        return Side("", self.say("drawn.common"), facts, rows, piles) if rows or piles or facts else None

    def track(self) -> Track | None:
        """Read the regions between the seats, and how far each of the two counters of each seat has walked."""
        cards = (self.board.get(COMMON) or {}).get(self.table.track)
        if not cards or not self.table.walkers:
            return None
        path = f"{COMMON}/{self.table.track}"
        changes = _changes(self._was(path, cards) or [], cards, self.say)
        slots = [self._slot(card, f"{path}/{n}", changes[n - 1]) for n, card in enumerate(cards, 1)]
        middle = [_region(slot, self.say("drawn.face_down")) for slot in slots for _half in (0, 1)]
        regions = (Region(self.say("drawn.hero_region")), *middle, Region(self.say("drawn.companion_region")))
        last = len(regions) - 1
        hero, companion = self.table.walkers
        walkers = []
        for seat, side in self.board["seats"].items():
            name = self.words.seat(seat)
            if side[hero] is not None and side[companion] is not None:
                walkers.append((min(side[hero], last), self.say("drawn.hero_of", name=name), seat))
                walkers.append((max(last - side[companion], 0), self.say("drawn.companion_of", name=name), seat))
        return Track(regions, tuple(walkers))

    def fact(self, path: str) -> str:
        """Name a fact that is not known."""
        if path.startswith(("memory.", "turn.")):
            return self.words.noted(path)
        seat, *places = path.replace(".", "/").split("/")
        own = [] if seat == COMMON else [self.words.seat(seat)]
        return ", ".join([*own, *(place if place.isdecimal() else self.words.zone(place) for place in places)])

    def _facts(self, side: Mapping[str, Any], seat: str) -> tuple[Fact, ...]:
        facts = []
        for key, value in side.items():
            if key not in (*self.layout.counters, *self.layout.shared):
                continue
            was = self._was(f"{seat}/{key}", value)
            shown = "?" if value is None else value
            facts.append(Fact(key, self.words.zone(key), shown, was if was != value else None))
        return tuple(facts)

    def _zones(self, side: Mapping[str, Any], seat: str, below: str = "") -> Iterator[Zone]:
        for key, value in side.items():
            name = f"{below}{key}"
            if isinstance(value, Mapping) and "ref" not in value:
                yield from self._zones(value, seat, f"{name}/")
            elif name not in (*self.layout.counters, *self.layout.shared):
                yield self._zone(value, seat, name)

    def _zone(self, value: Any, seat: str, name: str) -> Zone:
        words, path = self.words.path(name), f"{seat}/{name}"
        if path in self.unknown or f"{seat}.{name}" in self.unknown:
            return Zone(path, words, "pile", (self._not_known(path),), None)
        if isinstance(value, int):
            was = self._was(path, value)
            return Zone(path, words, "counted", (), value, was if was != value else None)
        if isinstance(value, list):
            was = self._was(path, value) or []
            changes = _changes(was, value, self.say)
            slots = tuple(self._slot(item, f"{path}/{n}", changes[n - 1]) for n, item in enumerate(value, 1))
            count = len([item for item in value if item is not None])
            shape = "slots" if f"{name}/1" in self.layout.capacity else "row" if self._laid(name) else "pile"
            return Zone(path, words, shape, slots, count, len(was) if len(was) != len(value) else None)
        slot = self._slot(value, path, _change(self._was(path, value), value, self.say))
        return Zone(path, words, "single", (slot,), int(value is not None))

    def _laid(self, name: str) -> bool:
        """Return whether the cards of a zone are laid out: those in play, and those of a hand."""
        return self.layout.in_play(name) or name in self.layout.rows or name == "hand"

    def _facing(self, played: Zone) -> Iterator[tuple[Zone, ...]]:
        """Yield the cards that face each slot of the middle, then those that face none."""
        assert self.table.facing is not None
        row = self.table.facing[0]
        opposite: dict[str, list[Slot]] = {}
        side = self._was_now(played.path)
        for slot, card in zip(played.slots, side, strict=False):
            on = card.get("on", "") if isinstance(card, Mapping) else ""
            opposite.setdefault(on if on.startswith(f"{COMMON}/{row}/") else "", []).append(slot)
        count = sum(1 for zone in self.layout.common if zone.startswith(f"{row}/"))
        yield tuple(
            self._row(played.path, self.say("drawn.facing", n=n), opposite.get(f"{COMMON}/{row}/{n}", ()))
            for n in range(1, count + 1)
        )
        if opposite.get(""):
            yield (self._row(played.path, self.say("drawn.not_facing"), opposite[""]),)

    def _row(self, path: str, words: str, slots: Sequence[Slot]) -> Zone:
        return Zone(path, words[:1].upper() + words[1:], "row", tuple(slots), len(slots))

    def _slot(self, item: Any, place: str, change: str) -> Slot:
        if place in self.unknown:
            return self._not_known(place)
        if item is None:
            return Slot(place, self.say("drawn.empty"), empty=True, change=change)
        if isinstance(item, str) or item["ref"] == "?":
            notes = () if isinstance(item, str) else self._notes(item)
            return Slot(place, self.say("drawn.unknown_card"), notes=notes, hidden=True, change=change)
        face = self.faces(item["ref"]) or Face(item.get("name") or item["ref"], item.get("kind", ""))
        if not face.cost and type(item.get("cost")) is int:
            face = replace(face, cost=str(item["cost"]))
        tilted = any(item.get("marks", {}).get(mark) for mark in TILTED)
        return Slot(
            place, face.name, item["ref"], face, self._figures(item), self._notes(item), tilted=tilted, change=change
        )

    def _not_known(self, place: str) -> Slot:
        return Slot(place, self.say("drawn.not_known"), hidden=True)

    def _figures(self, item: Mapping[str, Any]) -> tuple[Figure, ...]:
        """Return the figures of a card, in the order and with the names of its game."""
        printed = item.get("printed") or {}
        return tuple(
            Figure(key, self.say(f"figure.{key}"), value, printed.get(key) if printed.get(key) != value else None)
            for key, value in item.items()
            if key not in SPELT_OUT and type(value) is int  # not `isinstance`: a flag is a bool, which is an int too
        )

    def _notes(self, item: Mapping[str, Any]) -> tuple[str, ...]:
        """Return what is special about a card: its flags and marks, what it is attached to, and whose it is."""
        flags = [self.say(f"card.{key}") for key, value in item.items() if value is True]
        marks = [self.say(f"mark.{key}", n=count) for key, count in item.get("marks", {}).items()]
        about = [self.say(f"card.{key}", what=self.words.item(item[key])) for key in ("on", "owner") if key in item]
        return (*flags, *marks, *about)

    def _was(self, path: str, now: Any) -> Any:
        """Return what was at a path before the move; `now` without an earlier board, None if nothing was there."""
        return now if self.before is None else _at(self.before, path)

    def _was_now(self, path: str) -> Any:
        """Return what is at a path now."""
        return _at({**self.board["seats"], COMMON: self.board.get(COMMON, {})}, path) or []


def _at(sides: Mapping[str, Any], path: str) -> Any:
    found: Any = sides
    for part in path.split("/"):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def _region(slot: Slot, face_down: str) -> Region:
    return Region(face_down if slot.hidden or slot.tilted else slot.name, slot.change)


def _change(was: Any, now: Any, say: Any) -> str:
    """Return what the move did to a place, in words; empty if nothing."""
    if was == now:
        return ""
    if now is None:
        return str(say("drawn.left", card=_name(was) or say("drawn.unknown_card")))
    return str(say("drawn.changed") if was is not None and _name(was) == _name(now) else say("drawn.new"))


def _changes(was: Sequence[Any], now: Sequence[Any], say: Any) -> list[str]:
    """Return what the move did to each card of a zone.

    Numbered slots are compared one by one. In a row, cards move up when one leaves, so each card is compared with any
    card of the same name that was there.
    """
    if None in (*was, *now):  # only slots can be empty
        return [_change(old, new, say) for old, new in zip_longest(was, now)][: len(now)]
    left = list(was)
    changes = []
    for card in now:
        same = card if card in left else next((old for old in left if _name(old) == _name(card)), None)
        if same is not None:
            left.remove(same)
        changes.append(_change(same, card, say))
    return changes


def _name(card: Any) -> str:
    return str(card.get("name") or card["ref"]) if isinstance(card, Mapping) and card["ref"] != "?" else ""
