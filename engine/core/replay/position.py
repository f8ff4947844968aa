"""Declared positions: a board that somebody states, in the JSON of `views`.

A fact the position does not state is unknown, which is not the same as zero or empty. Unknown facts are kept in
`State.unknown`; a rule that needs one of them reports it as missing instead of giving a verdict.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.core.cards.catalog import vocabulary_of
from engine.core.shown import views
from engine.core.table.events import MADE
from engine.core.table.game import Game
from engine.core.table.header import CatalogSource, choose_catalog, load_game, ruleset_of
from engine.core.table.log import MAX_DECK, SEATS, Seat, read_seats
from engine.core.table.naming import frames, memory, object_named, read_frames
from engine.core.table.overrides import is_note
from engine.core.table.places import at, place
from engine.core.table.state import COMMON, Outcome, State, add
from engine.core.text.errors import Impossible, Malformed

DOCUMENT_KEYS = ("format", "game", "ruleset", "options", "catalog", "match", "seats", "start", "x")
START_KEYS = (
    "kind",
    "source",
    "signed",
    "evidence",
    "turn",
    "state",
    "memory",
    "lasting",
    "agenda",
    "unseen",
    "unknown",
)
TURN_KEYS = ("n", "seat", "phase", "first")
BOARD_KEYS = ("game", "ruleset", "turn", "seats", "common", "result", "memory", "lasting", "pending", "unknown")
RESULT_KEYS = ("winner", "reason", "rule")
WHOLE = ("lasting", "agenda")  # each of these lists is one fact: known as a whole or not at all
# Bounds on a declared position. In random games no side has more than 100 cards, and lists have 40 to 60.
MAX_CARDS = 500  # cards of one seat, or of the zones that belong to nobody
MAX_COUNTER = 10_000  # a counter without a largest value of its own
MAX_NOTES = 1_000  # notes of one kind
MAX_FACTS = 1_000  # facts declared unknown
MAX_SIGNED = 100  # who signed it, or on what evidence
MAX_LASTING = 1_000  # lasting effects
SOURCES = ("judge", "photo", "players", "reconstruction")


def read_position(document: Mapping[str, Any], catalogs: Sequence[CatalogSource] = ()) -> tuple[Game, State]:
    """Read a declared position and return its game and state.

    `document` is `{"format": 1, "game", "ruleset", "start": {"kind": "position", "turn", "state", …}}`, JSON already
    checked for size and depth. Facts it leaves out are listed by path in `state.unknown`: "A.pi", "A/hand",
    "B/T1/fighters/2", "turn.phase", "memory.attacked".

    Raises Malformed or Unsupported for a document that cannot be read, and Impossible (codes of `events.apply`) for
    cards and counters that cannot occur in a game.
    """
    _known(document, DOCUMENT_KEYS, "")
    for key in ("format", "game", "ruleset", "start"):
        if key not in document:
            raise Malformed("missing_key", f"the key {key!r} is missing", path=key)
    if document["format"] != 1 or type(document["format"]) is not int:
        raise Malformed("unsupported_format", "this engine reads format 1", path="format")
    game = load_game(_text(document["game"], "game"))
    ruleset_of(game, _text(document["ruleset"], "ruleset"))
    named = _strings(document.get("catalog") or {}, "catalog")
    if named and "id" not in named:
        raise Malformed("missing_key", "the key 'id' is missing", path="catalog")
    catalog = choose_catalog(game.id, named, catalogs)
    lists = read_seats(document["seats"]) if "seats" in document else {}
    seats = tuple(lists) or _seated(document["start"])
    state = game.bare(document["ruleset"], _strings(document.get("options", {}), "options"), catalog, seats)
    return game, declared(game, state, document["start"], lists)


def _seated(start: Any) -> tuple[str, ...]:
    """Return the seats that the declared board has a side for, in alphabetical order."""
    shown = start.get("state") if isinstance(start, Mapping) else None
    sides = shown.get("seats") if isinstance(shown, Mapping) else None
    return tuple(seat for seat in SEATS if seat in sides) if isinstance(sides, Mapping) else ()


def declared(game: Game, bare: State, start: Any, lists: Mapping[str, Seat], path: str = "start") -> State:
    """Build the position that `start` states on a bare state, with cards taken from the registered lists.

    Raises the errors of `read_position`; their paths begin with `path`.
    """
    return _Declared(game, bare, start, lists, path).build()


def as_start(game: Game, state: State, source: str = "reconstruction") -> dict[str, Any]:
    """Return the `start` of a log that continues from this state, in the form that `declared` reads.

    It holds the board as a judge sees it, and what a board does not show.
    """
    shown = views.board(state, None, views.JUDGE)
    for seat, side in shown["seats"].items():
        for zone, shown_there in side.items():
            objects = state.zones.get(f"{seat}/{zone}", [])
            if type(shown_there) is int and any(state.refs[obj] is not None for obj in objects):
                side[zone] = [state.refs[obj] or "?" for obj in objects]
    noted: dict[str, list[int | str]] = {
        key: [] for key in game.notes if f"memory.{key}" not in state.unknown
    } | memory(state, game)
    found = {"lasting": shown.pop("lasting", []), "agenda": frames(state, game)}
    board = {key: value for key, value in shown.items() if key not in ("memory", "pending")}
    return {
        "kind": "position",
        "source": source,
        "turn": shown["turn"],
        "state": board,
        "memory": noted,
        **({"unseen": {owner: dict(left) for owner, left in state.unseen.items()}} if state.terms.layout.grows else {}),
        **{key: value for key, value in found.items() if key not in state.unknown},
    }


class _Declared:
    """Reads one position: facts it states go into the state, all others into `unknown`."""

    def __init__(self, game: Game, state: State, start: Any, lists: Mapping[str, Seat], path: str) -> None:
        self.game = game
        self.state = state
        self.start = start
        self.lists = lists
        self.path = path
        self.unknown: dict[str, None] = {}
        self.worn: list[tuple[int, Any, str]] = []  # attached objects: number, name of the host, path for errors
        self.cards = 0  # on the side that is being read

    def build(self) -> State:
        grows = self.state.terms.layout.grows
        _known(self.start, [key for key in START_KEYS if key != "unseen" or grows], self.path)
        if self.start.get("kind") != "position":
            raise Malformed("bad_value", 'the kind is "position"', path=f"{self.path}.kind")
        self._origin()
        shown = self.start.get("state", {})
        _known(shown, BOARD_KEYS, f"{self.path}.state")
        turn = self.start.get("turn", shown.get("turn", {}))
        sides = shown.get("seats", {})
        _known(sides, self.state.terms.seats, f"{self.path}.state.seats")
        self._turn(turn)
        for seat in self.state.terms.seats:
            self._side(seat, sides.get(seat, {}))
        self._common(shown.get("common", {}))
        # Hosts are named by place, so they are looked up once every card has been put in its zone.
        for obj, host, where in self.worn:
            self._attach(obj, host, where)
        self._withdrawn()
        noted = self.start.get("memory", shown.get("memory", {}))
        # Before the lists: cards noted as made by an effect are not taken from them.
        self._memory(noted)
        if self.state.terms.layout.grows:
            if "unseen" in self.start:
                self._hidden()
        else:
            self._lists()
        self._effects(shown)
        self.game.awaken(self.state)
        # `left_out` reads what is unknown so far, to tell which facts of the turn matter in this position.
        self.state.unknown = tuple(self.unknown)
        stated = (*noted, *(key for key in WHOLE if key in self.start or key in shown))
        self.unknown.update(dict.fromkeys(self.game.left_out(self.state, stated)))
        self.state.unknown = tuple(self.unknown)
        self.state.result = self._result(shown) or self.game.outcome(self.state)
        return self.state

    def _effects(self, shown: Mapping[str, Any]) -> None:
        """Read the lasting effects and the effects still waiting to resolve."""
        game, state, path = self.game, self.state, f"{self.path}.lasting"
        records = _bounded(self.start.get("lasting", shown.get("lasting", [])), MAX_LASTING, path)
        state.lasting = [game.read_record(state, raw, f"{path}[{index}]") for index, raw in enumerate(records)]
        if "agenda" in self.start:
            language = vocabulary_of(game.id).language
            assert language is not None, "a game with an agenda has the words of its effects"
            state.agenda = read_frames(state, game, language, self.start["agenda"], f"{self.path}.agenda")
        elif shown.get("pending"):
            self.unknown["agenda"] = None

    def _result(self, shown: Mapping[str, Any]) -> Outcome | None:
        """Return how the players or the judge ended the game, if the board says so."""
        raw, path = shown.get("result"), f"{self.path}.state.result"
        if raw is None:
            return None
        _known(raw, RESULT_KEYS, path)
        if raw.get("winner") not in (None, "draw", *self.game.seats):
            raise Malformed("unknown_seat", 'the winner is a seat, "draw" or null', path=path)
        return Outcome(raw.get("winner"), _text(raw.get("reason"), path), _text(raw.get("rule"), path))

    def _origin(self) -> None:
        """Check who states the position, who signed it and on what evidence.

        Readers of the log use it; the engine does not.
        """
        if self.start.get("source", SOURCES[0]) not in SOURCES:
            raise Malformed("bad_value", f"source must be one of: {', '.join(SOURCES)}", path=f"{self.path}.source")
        for seat in _bounded(self.start.get("signed", []), MAX_SIGNED, f"{self.path}.signed"):
            if seat not in (*self.game.seats, "judge"):
                raise Malformed("unknown_seat", "a seat or the judge signs", path=f"{self.path}.signed")
        for item in _bounded(self.start.get("evidence", []), MAX_SIGNED, f"{self.path}.evidence"):
            _text(item, f"{self.path}.evidence")

    def _turn(self, turn: Any) -> None:
        _known(turn, TURN_KEYS, f"{self.path}.turn")
        for key in TURN_KEYS:
            # Before the first turn a null seat is a fact, not a gap: it is nobody's turn yet.
            nobody = key in turn and key in ("seat", "first") and turn.get("phase") == self.game.phases[0]
            if turn.get(key) is None and not nobody:
                self.unknown[f"turn.{key}"] = None
        state, path = self.state, f"{self.path}.turn"
        for key in ("seat", "first"):
            if turn.get(key) not in (None, *self.game.seats):
                raise Malformed("unknown_seat", f"{key} is a seat", path=f"{path}.{key}")
        if turn.get("phase") not in (None, *self.game.phases):
            raise Malformed(
                "bad_value", f"the phase must be one of: {', '.join(self.game.phases)}", path=f"{path}.phase"
            )
        number = turn.get("n")
        if number is not None and (type(number) is not int or not 0 <= number <= 10_000):
            raise Malformed("bad_value", "n is the number of the turn, from 1", path=f"{path}.n")
        # A turn without a number counts as a late one: the exceptions of the first turns must be claimed.
        state.turn = 10_000 if number is None else number
        state.seat, state.first, state.phase = turn.get("seat"), turn.get("first"), turn.get("phase") or "-"

    def _side(self, seat: str, side: Any) -> None:
        layout, path = self.state.terms.layout, f"{self.path}.state.seats.{seat}"
        groups = {zone.split("/")[0] for zone in layout.zones}
        _known(side, (*layout.counters, *sorted(groups)), path)
        self._counters(seat, layout.counters, side, path)
        self.cards = 0
        for zone in layout.zones:
            self._zone(seat, zone, side, path)

    def _counters(
        self, owner: str, limits: Mapping[str, tuple[int, int | None]], side: Mapping[str, Any], path: str
    ) -> None:
        for name, (low, high) in limits.items():
            value = side.get(name)
            if value is None:
                self.unknown[f"{owner}.{name}"] = None
            elif type(value) is not int:
                raise Malformed("wrong_type", "a counter must be an integer", path=f"{path}.{name}")
            elif high is None and value > MAX_COUNTER:
                raise Impossible("above_maximum", f"{owner} cannot have {value} {name}", path=f"{path}.{name}")
            elif value < low or (high is not None and value > high):
                code = "above_maximum" if value > low else "below_minimum"
                raise Impossible(code, f"{owner} cannot have {value} {name}", path=f"{path}.{name}")
            else:
                self.state.counters[f"{owner}.{name}"] = value

    def _zone(self, seat: str, zone: str, side: Mapping[str, Any], path: str) -> None:
        # Follow the steps of the path ("T1/fighters/2") down the JSON of the side; a number is a position in a list.
        full = f"{seat}/{zone}"
        value: Any = side
        *_, last = steps = zone.split("/")
        for step in steps:
            if isinstance(value, list) and step.isdigit():
                slots = sum(1 for name in self.state.zones if name.rpartition("/")[0] == full.rpartition("/")[0])
                if len(value) > slots:
                    raise Impossible("zone_full", f"{full}: there are {slots} slots", path=f"{path}.{steps[0]}")
                if len(value) != slots:
                    raise Malformed("wrong_type", f"{slots} slots are expected", path=f"{path}.{steps[0]}")
                value = value[int(step) - 1]
            elif isinstance(value, Mapping):
                if step not in value:
                    self.unknown[full] = None
                    return
                value = value[step]
            else:
                raise Malformed("wrong_type", f"{'/'.join(steps)} is not written as boards are", path=path)
        # Null is an empty slot, but an undeclared number of cards in a zone that holds many.
        if value is None and not last.isdigit() and self.state.terms.layout.capacity.get(zone) != 1:
            self.unknown[full] = None
            return
        single = last.isdigit() or self.state.terms.layout.capacity.get(zone) == 1
        for item, ref, owner in self._cards(value, single, f"{path}.{zone}"):
            obj = add(self.state, owner or seat, full, ref)
            if zone in self.state.terms.layout.rows:
                self._borne(obj, item, f"{path}.{zone}")

    def _common(self, common: Any) -> None:
        """Read the zones and counters that belong to no seat.

        In zones where cards are resolved, each card names its owner.
        """
        layout, path = self.state.terms.layout, f"{self.path}.state.common"
        groups = {zone.split("/")[0] for zone in layout.common}
        _known(common, (*layout.shared, *sorted(groups)), path)
        self._counters(COMMON, layout.shared, common, path)
        self.cards = 0
        for zone in layout.common:
            if zone not in layout.resolving:
                self._zone(COMMON, zone, common, path)
            elif zone in common:
                self._resolving(zone, common[zone], f"{path}.{zone}")

    def _resolving(self, zone: str, value: Any, path: str) -> None:
        for index, (item, ref, owner) in enumerate(self._cards(value, False, path)):
            if owner is None:
                raise Malformed("missing_key", "a card of nobody's zone has an owner", path=f"{path}[{index}]")
            obj = add(self.state, owner, f"{COMMON}/{zone}", ref)
            if zone in self.state.terms.layout.rows:
                self._borne(obj, item, path)

    def _borne(self, obj: int, item: Any, path: str) -> None:
        """Read the marks on a card in a row, unknown if they are not stated, and what it is attached to."""
        names = self.state.terms.layout.marks
        marks = item.get("marks") if isinstance(item, Mapping) else None
        if marks is None and names:
            self.unknown[f"{place(self.state, obj)}.marks"] = None
        for name, count in (marks or {}).items() if isinstance(marks, Mapping) else ():
            if name not in names or type(count) is not int or not 1 <= count <= MAX_DECK:
                raise Malformed("bad_value", f"marks are 1 or more of: {', '.join(names)}", path=f"{path}.marks")
            self.state.marks.setdefault(obj, {})[name] = count
        if isinstance(item, Mapping) and item.get("on") is not None:
            self.worn.append((obj, item["on"], path))

    def _attach(self, obj: int, name: Any, path: str) -> None:
        host = at(self.state, name) if isinstance(name, str) else None
        if host is None or host == obj:
            raise Malformed("unknown_fact", f"nothing at {str(name)[:40]!r}", path=f"{path}.on")
        self.state.hosts[obj] = host

    def _cards(self, value: Any, single: bool, path: str) -> Iterator[tuple[Any, str | None, str | None]]:
        """Yield the cards declared in a zone as (item, ref or None if hidden, owner or None if not named)."""
        if single:
            if isinstance(value, list) and len(value) > 1:
                raise Impossible("zone_full", f"{len(value)} cards in one slot", path=path)
            if value is not None:
                self._counted(1, path)
                yield value, *self._card(value, path)
        elif type(value) is int:
            if value < 0:
                raise Malformed("bad_value", f"0 to {MAX_CARDS} cards", path=path)
            self._counted(value, path)
            yield from ((None, None, None) for _ in range(value))
        elif isinstance(value, list):
            self._counted(len(value), path)
            for item in value:
                yield item, *self._card(item, path)
        else:
            raise Malformed("wrong_type", "a list of cards, or their number, is expected", path=path)

    def _counted(self, count: int, path: str) -> None:
        """Count the cards of a zone, before any of them is read. Raises Malformed `too_many_cards` at the zone."""
        self.cards += count
        if self.cards > MAX_CARDS:
            side = "/".join(path.removeprefix(f"{self.path}.state.").removeprefix("seats.").split(".")[:1])
            raise Malformed("too_many_cards", f"{self.cards} cards of {side}, more than {MAX_CARDS}", path=path)

    def _card(self, value: Any, path: str) -> tuple[str | None, str | None]:
        ref, owner = (value.get("ref"), value.get("owner")) if isinstance(value, Mapping) else (value, None)
        if owner not in (None, *self.game.seats):
            raise Malformed("unknown_seat", "an owner is a seat", path=path)
        if ref == "?":
            return None, owner
        if not isinstance(ref, str) or ref not in self.state.terms.cards:
            raise Malformed("unknown_card", f"no card {str(ref)[:64]!r} in the catalogue", path=path)
        return ref, owner

    def _withdrawn(self) -> None:
        """Mark the facts listed under `unknown` as unknown. Raises Malformed for a fact that is also stated."""
        where = f"{self.path}.unknown"
        stated = self.start.get("state", {}).get("unknown", [])
        declared_ = _bounded(self.start.get("unknown", []), MAX_FACTS, where)
        for path in (*declared_, *_bounded(stated, MAX_FACTS, f"{self.path}.state.unknown")):
            if isinstance(path, str) and path in self.unknown:
                continue
            if path in WHOLE:
                if path in self.start:
                    raise Malformed("bad_value", f"{path} is declared, and declared unknown", path=where)
                self.unknown[path] = None
                continue
            if isinstance(path, str) and path.startswith(("memory.", "turn.")):
                self._withheld(path, where)
                continue
            if isinstance(path, str) and path in self.state.zones:
                if self.state.zones[path]:
                    raise Malformed("bad_value", f"{path} is declared, and declared unknown", path=where)
            elif not isinstance(path, str) or path not in self.state.counters:
                raise Malformed("unknown_fact", f"no fact {str(path)[:40]!r}", path=where)
            self.unknown[path] = None

    def _withheld(self, path: str, where: str) -> None:
        """Mark a fact of the turn or a note as unknown. Raises Malformed if it is also stated."""
        group, key = path.split(".", 1)
        known = self.game.notes if group == "memory" else TURN_KEYS
        if key not in known:
            raise Malformed("unknown_fact", f"no fact {path[:40]!r}", path=where)
        if group == "turn" or key in self.start.get("memory", {}):
            raise Malformed("bad_value", f"{path} is declared, and declared unknown", path=where)
        self.unknown[path] = None

    def _hidden(self) -> None:
        """Read which cards the hidden ones are, for a game whose registered lists do not tell.

        Raises Impossible if there are more or fewer of them than the board has hidden cards.
        """
        raw, path, state = self.start["unseen"], f"{self.path}.unseen", self.state
        _known(raw, (*state.terms.seats, COMMON), path)
        for owner, cards in raw.items():
            _known(cards, tuple(state.terms.cards), f"{path}.{owner}")
            if any(type(count) is not int or not 0 <= count <= MAX_DECK for count in cards.values()):
                raise Malformed("bad_value", f"copies are 0 to {MAX_DECK}", path=f"{path}.{owner}")
            if sum(cards.values()) > MAX_DECK:
                count = sum(cards.values())
                raise Malformed("too_many_cards", f"{count} cards, more than {MAX_DECK}", path=f"{path}.{owner}")
            hidden = sum(1 for obj, ref in enumerate(state.refs) if ref is None and state.owners[obj] == owner)
            # While a zone of this owner is not declared, some of these cards may be in it.
            known = all(path.partition("/")[0] != owner for path in self.unknown)
            if sum(cards.values()) < hidden or (known and sum(cards.values()) > hidden):
                raise Impossible("no_copy_left", f"{owner} has {hidden} hidden cards", path=f"{path}.{owner}")
            state.unseen[owner] = dict(cards)

    def _lists(self) -> None:
        """Take the declared cards out of the registered lists. Raises Impossible if they do not fit."""
        layout = self.state.terms.layout
        for seat, who in self.lists.items():
            if who.deck is None or seat not in self.game.seats:
                continue
            left, commander = dict(who.deck.main), who.deck.commander
            for ref in (*left, *(() if commander is None else (commander,))):
                if ref not in self.state.terms.cards:
                    path = f"seats.{seat}.deck"
                    raise Malformed("unknown_card", f"no card {ref[:64]!r} in the catalogue", path=path, value=ref)
            hidden = 0
            for obj, ref in enumerate(self.state.refs):
                if self.state.owners[obj] != seat or self.state.noted(MADE, obj):
                    continue  # tokens and other cards that an effect made are not in the list
                if (ref is not None and ref == commander) or self.state.where[obj] == f"{seat}/{layout.lead}":
                    self._commander(seat, ref, commander)
                    continue
                if ref is None:
                    hidden += 1
                    continue
                if not left.get(ref) and self._unlisted(ref):
                    self.state.memory.setdefault(MADE, []).append(obj)
                    continue
                left[ref] = left.get(ref, 0) - 1
                if left[ref] < 0:
                    raise Impossible(
                        "no_copy_left", f"more copies of {ref} than the list of {seat} has", path=self.path
                    )
            if hidden > sum(left.values()):
                raise Impossible("no_copy_left", f"more cards than the list of {seat} has", path=self.path)
            self.state.unseen[seat] = left

    def _unlisted(self, ref: str) -> bool:
        """Return whether a card may have been made by an effect, although the position does not say so."""
        made = self.state.terms.cards[ref].kind in self.state.terms.layout.made
        return made and MADE not in self.start.get("memory", {})

    def _commander(self, seat: str, ref: str | None, registered: str | None) -> None:
        """Refuse a commander that is not the registered one, or that is on the board twice."""
        places = [obj for obj, name in enumerate(self.state.refs) if name == ref and self.state.owners[obj] == seat]
        if registered is None or ref not in (None, registered) or (ref is not None and len(places) > 1):
            raise Impossible("no_copy_left", f"{seat} registered no such commander: {ref or '?'}", path=self.path)

    def _memory(self, memory: Any) -> None:
        path = f"{self.path}.memory"
        _known(memory, self.game.notes, path)
        for key, values in memory.items():
            for value in _bounded(values, MAX_NOTES, f"{path}.{key}"):
                numbered = type(value) is int and key in self.game.numbered
                if numbered and not 0 <= value <= MAX_NOTES:
                    raise Malformed("bad_value", f"0 to {MAX_NOTES}", path=f"{path}.{key}")
                ruled = is_note(self.game, self.state, key, value)
                if numbered or ruled or value in self.game.seats:
                    self.state.memory.setdefault(key, []).append(value)
                elif not self._left_out(value):
                    obj = object_named(self.state, value, f"{path}.{key}")
                    self.state.memory.setdefault(key, []).append(obj)

    def _left_out(self, name: Any) -> bool:
        """Return whether a note is about a place whose cards the position does not state."""
        return isinstance(name, str) and (name in self.unknown or name.rpartition("/")[0] in self.unknown)


def _known(raw: Any, known: Sequence[str], path: str) -> None:
    if not isinstance(raw, Mapping):
        raise Malformed("wrong_type", "an object is expected", path=path)
    for key in raw:
        if key not in known:
            raise Malformed("unknown_key", f"unknown key {str(key)[:40]!r}", path=path)


def _text(value: Any, path: str) -> str:
    if not isinstance(value, str):
        raise Malformed("wrong_type", "a string is expected", path=path)
    return value


def _strings(raw: Any, path: str) -> dict[str, str]:
    if not isinstance(raw, Mapping):
        raise Malformed("wrong_type", "an object is expected", path=path)
    return {key: _text(value, f"{path}.{key[:40]}") for key, value in raw.items()}


def _bounded(value: Any, most: int, path: str) -> list[Any]:
    """Return a list. Raises Malformed: `wrong_type`, or `too_many_items` if it has more than `most` items."""
    if not isinstance(value, list):
        raise Malformed("wrong_type", "a list is expected", path=path)
    if len(value) > most:
        raise Malformed("too_many_items", f"{len(value)} items, more than {most}", path=path)
    return value
