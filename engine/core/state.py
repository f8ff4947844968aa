"""The state of a game: objects in zones, counters, and for each seat the cards not yet seen. Total JSON round trip."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

from engine.core import strictjson
from engine.core.cards import Card, Cards
from engine.core.effects.host import Host

COMMON = "common"  # the owner of what belongs to no seat
LIVE = ("live", "form", "inert")  # the notes that say which cards act by their text, and with which face


class Outcome(NamedTuple):
    """How a game ended: `winner` is a seat, "draw", or None where the rules leave it to a judge.

    `leans` are the interpretations a game's `outcome` rests on; the state does not keep them.
    """

    winner: str | None
    reason: str
    rule: str
    leans: tuple[str, ...] = ()


@dataclass(frozen=True)
class Layout:
    """The mat of one game, the same for every seat, and what lies between the seats.

    `zones` are paths below a seat ("hand", "T1/fighters/2"), `capacity` how many objects a zone may hold,
    `hidden` who sees the cards of a zone that is not public ("owner" or "nobody"),
    `counters` the smallest and largest value of each counter, `face_down` the slots in which a card may lie unseen.
    `common` are the zones of nobody, below "common"; `shared` the counters of nobody; `resolving` those of these
    zones in which cards of the players lie while they are resolved.
    `lead` is the zone of the card that leads a list from outside of the deck.
    `rows` are the zones in play whose cards are named by their place in them ("field/2", from 1) and bear `marks`;
    `grave` is where their cards go when they leave play. `apart` are the kinds of card never in a deck or a hand,
    `made` those that effects make, beside the copies of a list.
    `grows` says that players come by other cards, so that their lists do not tell what hidden ones are.
    `opening` are the notes of the set-up, which tell nothing once a turn has begun.
    `idle` are the public zones in which cards do nothing by their text: discards, exile. In every other public zone
    they may.
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
        """Whether the cards of a zone lie in play: those of a row ("field"), of slots side by side ("T1/fighters")."""
        return zone in self.rows or f"{zone}/1" in (*self.zones, *self.common)

    def shape(self, seats: tuple[str, ...]) -> Shape:
        """The layout spelled out by full path for these seats; worked out once."""
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
    """A layout by full path: the zones, the capacity of those that have one, the bounds of the counters.

    `acting` are the zones in which a card may do something by its text, `public` those whose cards everybody sees.
    """

    zones: tuple[str, ...]
    capacity: Mapping[str, int]
    bounds: Mapping[str, tuple[int, int | None]]
    acting: tuple[str, ...]
    public: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Terms:
    """What does not change during a game: whose it is, under which rules and options, with which cards.

    `host` is the game as the interpreter of effects sees it.
    """

    game: str
    ruleset: str
    seats: tuple[str, ...]
    options: Mapping[str, str]
    cards: Cards
    layout: Layout
    host: Host
    capacity: Mapping[str, int] = field(default_factory=dict)
    bounds: Mapping[str, tuple[int, int | None]] = field(default_factory=dict)


def terms(
    game: str,
    ruleset: str,
    seats: tuple[str, ...],
    options: Mapping[str, str],
    cards: Mapping[str, Card],
    layout: Layout,
    host: Host | None = None,
) -> Terms:
    """Terms with the capacities and bounds of every seat spelled out by full path, as the reducer reads them.

    Without a `host` no effect is interpreted.
    """
    shape = layout.shape(seats)
    cards = cards if isinstance(cards, Cards) else Cards(cards)
    return Terms(game, ruleset, seats, options, cards, layout, host or Host(), shape.capacity, shape.bounds)


@dataclass(slots=True)
class State:
    """One position. Only `events.apply` changes it.

    An object is a number: its card in `refs` (None while nobody has identified it), its owner, and the zone it is
    in. `unseen[seat]` is the registered list minus what has been identified; a seat without a list has no entry.
    `memory` holds what a board does not show (who attacked); `unknown` the facts a declared position leaves out.
    `agenda` is the stack of JSON frames that effects still have to resolve, waiting for an answer; `lasting` what
    effects do for a while, each a tuple of JSON values. `marks` are counts on objects by name (damage, tokens), none 0;
    `hosts` the object that another is attached to (an equipment to its creature, a blocker to its attacker).
    `acting` keeps which cards in force say a word (`effects.force`), by part and word: it follows from the rest, and
    the reducers take out what a change may make wrong.
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

    # Whether somebody notices what is read of it (`core.unknowns`): then no question may be left out as needless.
    watched: ClassVar[bool] = False

    def copy(self) -> State:
        """An independent state with the same content; for checkpoints, never once a move."""
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
        """SHA-256, in hexadecimal, of the canonical JSON of the whole state."""
        return hashlib.sha256(strictjson.canonical(to_json(self))).hexdigest()

    def card(self, obj: int) -> Card | None:
        """The card an object is known to be."""
        ref = self.refs[obj]
        return None if ref is None else self.terms.cards[ref]

    def noted(self, key: str, value: int | str) -> bool:
        """Whether `value` was noted under `key` (an object that attacked, a territory that lost a fighter)."""
        notes = self.memory.get(key)
        return notes is not None and value in notes

    def mark(self, obj: int, key: str) -> int:
        """How many marks of a name lie on an object."""
        counts = self.marks.get(obj)
        return 0 if counts is None else counts.get(key, 0)

    def drawable(self, seat: str) -> Mapping[str, int]:
        """The cards of a seat's list not seen yet that its deck and its hand may hold."""
        left, apart = self.unseen[seat], self.terms.layout.apart
        return {ref: n for ref, n in left.items() if self.terms.cards[ref].kind not in apart} if apart else left

    def attached(self, host: int) -> list[int]:
        """The objects attached to another, by number."""
        if host not in self.hosts.values():  # most often nothing is attached
            return []
        return sorted(obj for obj, other in self.hosts.items() if other == host)


def empty(fixed: Terms) -> State:
    """A state with every zone empty and every counter at its smallest value."""
    zones: dict[str, list[int]] = {path: [] for path in fixed.layout.shape(fixed.seats).zones}
    counters = {path: low for path, (low, _) in fixed.bounds.items()}
    return State(fixed, counters, zones)


def readable(state: State, fact: str) -> bool:
    """Whether a fact may be read: it is known, or somebody notices that it is needed (`core.unknowns`)."""
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
    """Put `count` new objects that nobody has identified in a zone, as a shuffled deck."""
    number = len(state.refs)
    state.refs += [None] * count
    state.owners += [owner] * count
    state.where += [path] * count
    state.zones[path] += range(number, number + count)


def to_json(state: State) -> dict[str, Any]:
    """The state as JSON values; `from_json` with the same terms gives an equal state."""
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
    """The state that `to_json` wrote; trusted input, for what the engine itself stored."""
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
