"""The state of a game: objects in zones, counters, and for each seat the cards not seen yet.

The state can be written to JSON and read back without loss.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

from engine.core.cards.card import Card
from engine.core.cards.catalog import Cards
from engine.core.text import strictjson
from engine.core.text.interrupt import go_on

COMMON = "common"  # the owner of what belongs to no seat
# Keys of the notes that decide which cards act by their text. Objects under "live" came into play with effects, under
# "form" they show their other face, and under "inert" they were made by an effect and their text does nothing.
LIVE = ("live", "form", "inert")


class Outcome(NamedTuple):
    """How a game ended: `winner` is a seat, "draw", or None if the rules leave it to a judge.

    `depends_on` lists the interpretations that matter for it, which the state does not store.
    """

    winner: str | None
    reason: str
    rule: str
    depends_on: tuple[str, ...] = ()


@dataclass(frozen=True)
class Layout:
    """The zones and counters of one game: those that every seat has, and those that belong to no seat.

    - `zones`: paths below a seat ("hand", "T1/fighters/2").
    - `capacity`: how many objects a zone may hold, if there is a limit.
    - `hidden`: who sees the cards of a zone that is not public, "owner" or "nobody".
    - `counters`: the smallest and the largest value of each counter.
    - `face_down`: the slots in which a card may lie face down.
    - `common`, `shared`: the zones and counters that belong to no seat, below "common".
    - `resolving`: those of the common zones in which cards of the players lie while they resolve.
    - `lead`: the zone of a card that leads the deck but is not part of it, such as a commander.
    - `rows`: the zones in play whose cards are named by their place in the row ("field/2", from 1) and may bear
      `marks`.
    - `grave`: the zone that cards of a row go to when they leave play.
    - `apart`: the kinds of card that are never in a deck or a hand.
    - `made`: the kinds of card that effects make, in addition to the copies of a decklist.
    - `grows`: whether players acquire cards during a game, so that decklists do not tell what hidden cards are.
    - `opening`: the notes of the set-up, which mean nothing once a turn has begun.
    - `idle`: the public zones in which the text of a card does nothing, such as discards and exile. In every other
      public zone it may.
    """

    zones: tuple[str, ...]
    capacity: Mapping[str, int]
    hidden: Mapping[str, str]
    counters: Mapping[str, tuple[int, int | None]]
    face_down: tuple[str, ...] = ()
    common: tuple[str, ...] = ()
    shared: Mapping[str, tuple[int, int | None]] = field(default_factory=dict)
    resolving: tuple[str, ...] = ()
    lead: str = "commander"
    rows: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    grave: str = ""
    apart: tuple[str, ...] = ()
    made: tuple[str, ...] = ()
    grows: bool = False
    opening: tuple[str, ...] = ("ready",)
    idle: tuple[str, ...] = ()
    _shapes: dict[tuple[str, ...], Shape] = field(default_factory=dict, init=False, compare=False, repr=False)

    def in_play(self, zone: str) -> bool:
        """Return whether the cards of a zone are in play: a row ("field"), or slots side by side ("T1/fighters")."""
        return zone in self.rows or f"{zone}/1" in (*self.zones, *self.common)

    def shape(self, seats: tuple[str, ...]) -> Shape:
        """Return the layout with full paths for these seats. Computed once for each set of seats."""
        found = self._shapes.get(seats)
        if found is None:
            zones = [(f"{seat}/{zone}", zone) for seat in seats for zone in self.zones]
            zones += [(f"{COMMON}/{zone}", zone) for zone in self.common]
            found = self._shapes[seats] = Shape(
                tuple(path for path, _ in zones),
                {path: self.capacity[zone] for path, zone in zones if zone in self.capacity},
                {
                    **{f"{seat}.{name}": limits for seat in seats for name, limits in self.counters.items()},
                    **{f"{COMMON}.{name}": limits for name, limits in self.shared.items()},
                },
                tuple(path for path, zone in zones if zone not in self.hidden and zone not in self.idle),
                tuple(path for path, zone in zones if zone not in self.hidden),
            )
        return found


class Shape(NamedTuple):
    """A layout with full paths: zones, capacities, and bounds of counters.

    `acting` are the zones in which the text of a card may do something, `public` those whose cards everybody sees.
    """

    zones: tuple[str, ...]
    capacity: Mapping[str, int]
    bounds: Mapping[str, tuple[int, int | None]]
    acting: tuple[str, ...]
    public: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Terms:
    """What does not change during a game: its rules and options, the seats, and the cards.

    `host` is the game as the interpreter of effects sees it; read it with `effects.host.host_of`. Its class works on
    states, so this module cannot name it without a circle of imports.
    """

    game: str
    ruleset: str
    seats: tuple[str, ...]
    options: Mapping[str, str]
    cards: Cards
    layout: Layout
    host: object
    capacity: Mapping[str, int] = field(default_factory=dict)
    bounds: Mapping[str, tuple[int, int | None]] = field(default_factory=dict)


def terms(
    game: str,
    ruleset: str,
    seats: tuple[str, ...],
    options: Mapping[str, str],
    cards: Mapping[str, Card],
    layout: Layout,
    host: object,
) -> Terms:
    """Return the terms of a game, with capacities and bounds by full path, as the reducers need them."""
    shape = layout.shape(seats)
    cards = cards if isinstance(cards, Cards) else Cards(cards)
    return Terms(game, ruleset, seats, options, cards, layout, host, shape.capacity, shape.bounds)


@dataclass(slots=True)
class State:
    """One position. It is changed only by `events.apply`.

    An object is a number: the index, in `refs`, `owners` and `where`, of its card (None while nobody has identified
    it), its owner and its zone.

    - `unseen`: by seat, the registered list minus the cards identified so far. A seat without a list has no entry.
    - `memory`: notes of what a board does not show, such as who attacked.
    - `unknown`: the facts that a declared position leaves out.
    - `agenda`: the stack of JSON frames that effects still have to resolve, while an answer is awaited.
    - `lasting`: the effects that last for a while, each a tuple of JSON values.
    - `marks`: by object, how many marks of each name lie on it (damage, tokens); none is 0.
    - `hosts`: by attached object, the object it is attached to (an equipment to its creature, a blocker to its
      attacker).
    - `acting`: a cache of the cards in force that have a word in a part of their program (`effects.force.acting`). The
      reducers remove the entries that a change may make wrong.
    """

    terms: Terms = field(compare=False, repr=False)
    counters: dict[str, int]
    zones: dict[str, list[int]]
    refs: list[str | None] = field(default_factory=list)
    owners: list[str] = field(default_factory=list)
    where: list[str] = field(default_factory=list)
    unseen: dict[str, dict[str, int]] = field(default_factory=dict)
    turn: int = 0
    seat: str | None = None
    phase: str = "preparation"
    first: str | None = None
    memory: dict[str, list[int | str]] = field(default_factory=dict)
    result: Outcome | None = None
    unknown: tuple[str, ...] = ()
    agenda: tuple[Mapping[str, Any], ...] = ()
    lasting: list[tuple[Any, ...]] = field(default_factory=list)
    marks: dict[int, dict[str, int]] = field(default_factory=dict)
    hosts: dict[int, int] = field(default_factory=dict)
    acting: dict[tuple[str, str], Sequence[Any]] = field(default_factory=dict, init=False, compare=False, repr=False)

    # True for the copies of `replay.unknown`, which record the facts that are read. Code must take no shortcut there:
    # a fact that is needed but never read would go unnoticed.
    watched: ClassVar[bool] = False

    def starter(self) -> str | None:
        """Return who went first. What depends on it asks here, so that `core.replay.unknown` notices the read."""
        return self.first

    def copy(self) -> State:
        """Return an independent state with the same content.

        Too slow to be used at every move; meant for checkpoints.
        """
        go_on()
        return State(
            self.terms,
            dict(self.counters),
            {path: list(objects) for path, objects in self.zones.items()},
            list(self.refs),
            list(self.owners),
            list(self.where),
            {seat: dict(left) for seat, left in self.unseen.items()},
            self.turn,
            self.seat,
            self.phase,
            self.first,
            {key: list(values) for key, values in self.memory.items()},
            self.result,
            self.unknown,
            self.agenda,
            list(self.lasting),
            {obj: dict(counts) for obj, counts in self.marks.items()},
            dict(self.hosts),
        )

    def digest(self) -> str:
        """Return the SHA-256 digest of the canonical JSON of the whole state, in hexadecimal."""
        return hashlib.sha256(strictjson.canonical(to_json(self))).hexdigest()

    def card(self, obj: int) -> Card | None:
        """Return the card that an object is known to be, or None."""
        ref = self.refs[obj]
        return None if ref is None else self.terms.cards[ref]

    def noted(self, key: str, value: int | str) -> bool:
        """Return whether `value` is noted under `key` (an object that attacked, a territory that lost a fighter)."""
        notes = self.memory.get(key)
        return notes is not None and value in notes

    def mark(self, obj: int, key: str) -> int:
        """Return how many marks of a name lie on an object."""
        counts = self.marks.get(obj)
        return 0 if counts is None else counts.get(key, 0)

    def drawable(self, seat: str) -> Mapping[str, int]:
        """Return the cards of a seat's list that nobody has seen yet and that may be in its deck or hand."""
        left, apart = self.unseen[seat], self.terms.layout.apart
        return {ref: n for ref, n in left.items() if self.terms.cards[ref].kind not in apart} if apart else left

    def attached(self, host: int) -> list[int]:
        """Return the objects attached to another one, in order of their numbers."""
        if host not in self.hosts.values():  # the usual case: nothing is attached
            return []
        return sorted(obj for obj, other in self.hosts.items() if other == host)


def empty(fixed: Terms) -> State:
    """Return a state with every zone empty and every counter at its smallest value."""
    zones: dict[str, list[int]] = {path: [] for path in fixed.layout.shape(fixed.seats).zones}
    counters = {path: low for path, (low, _) in fixed.bounds.items()}
    return State(fixed, counters, zones)


def readable(state: State, fact: str) -> bool:
    """Return whether a fact may be read: it is known, or a `core.replay.unknown` copy records that it was needed."""
    return state.watched or fact not in state.unknown


def add(state: State, owner: str, path: str, ref: str | None = None) -> int:
    """Put a new object in a zone while a position is being set up, and return its number.

    A card with a ref is not taken from `unseen`: the caller sets the lists.
    """
    number = len(state.refs)
    state.refs.append(ref)
    state.owners.append(owner)
    state.where.append(path)
    state.zones[path].append(number)
    return number


def add_hidden(state: State, owner: str, path: str, count: int) -> None:
    """Put `count` new unidentified objects in a zone, like a shuffled deck."""
    number = len(state.refs)
    state.refs += [None] * count
    state.owners += [owner] * count
    state.where += [path] * count
    state.zones[path] += range(number, number + count)


def to_json(state: State) -> dict[str, Any]:
    """Return the state as JSON values. `from_json` with the same terms gives back an equal state."""
    return {
        "counters": dict(state.counters),
        "zones": {path: list(objects) for path, objects in state.zones.items()},
        "refs": list(state.refs),
        "owners": list(state.owners),
        "where": list(state.where),
        "unseen": {seat: dict(left) for seat, left in state.unseen.items()},
        "turn": {"n": state.turn, "seat": state.seat, "phase": state.phase, "first": state.first},
        "memory": {key: list(values) for key, values in state.memory.items()},
        "result": None if state.result is None else list(state.result[:3]),
        "unknown": list(state.unknown),
        **({"agenda": [dict(frame) for frame in state.agenda]} if state.agenda else {}),
        **({"lasting": [list(record) for record in state.lasting]} if state.lasting else {}),
        **({"marks": {str(obj): dict(counts) for obj, counts in sorted(state.marks.items())}} if state.marks else {}),
        **({"hosts": {str(obj): host for obj, host in state.hosts.items()}} if state.hosts else {}),
    }


def from_json(document: Mapping[str, Any], fixed: Terms) -> State:
    """Return the state that `to_json` wrote.

    The document is trusted: use this only for what the engine itself stored.
    """
    turn = document["turn"]
    return State(
        fixed,
        dict(document["counters"]),
        {path: list(objects) for path, objects in document["zones"].items()},
        list(document["refs"]),
        list(document["owners"]),
        list(document["where"]),
        {seat: dict(left) for seat, left in document["unseen"].items()},
        turn["n"],
        turn["seat"],
        turn["phase"],
        turn["first"],
        {key: list(values) for key, values in document["memory"].items()},
        None if document["result"] is None else Outcome(*document["result"]),
        tuple(document["unknown"]),
        tuple(document.get("agenda", ())),
        [tuple(record) for record in document.get("lasting", ())],
        {int(obj): dict(counts) for obj, counts in document.get("marks", {}).items()},
        {int(obj): host for obj, host in document.get("hosts", {}).items()},
    )
