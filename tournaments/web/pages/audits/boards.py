"""Turn the JSON of a board into what the template draws: sides, columns of territories and slots, for any game.

The layout of the game determines which zones are in play and which are piles.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from django.utils.translation import gettext as _

from tournaments.audits.engine_gate import COMMON, in_play
from tournaments.web.words.boards import Told, fact_words, say, zone_words

SPELT_OUT = {"ref", "name", "kind", "printed", "marks", "on", "owner"}  # the other keys of a card: figures and flags


@dataclass(frozen=True)
class Figure:
    """A figure of a card, such as its attack: the current value, and the printed one if it differs."""

    words: str
    value: int
    printed: int | None = None


@dataclass(frozen=True)
class Fact:
    """A counter or a number of cards, with its value before the move (`was`) if that differs."""

    words: object
    value: object
    was: object = None


@dataclass(frozen=True)
class Slot:
    """A place for a card: empty, face down, unknown, or a card with its figures and notes.

    `change` says in words what the move did to it; empty if it did nothing.
    """

    name: object
    ref: str = ""
    figures: tuple[Figure, ...] = ()
    notes: tuple[str, ...] = ()
    empty: bool = False
    hidden: bool = False
    change: str = ""


@dataclass(frozen=True)
class Zone:
    """A zone with its cards. Cards in play are laid out; those of a pile are counted, and shown on demand.

    `single` is a zone for one card. `was` is the number of cards of a pile before the move, if that differs.
    """

    words: object
    slots: list[Slot]
    in_play: bool = False
    single: bool = False
    was: int | None = None

    @property
    def cards(self) -> list[Slot]:
        """The slots that are not empty."""
        return [slot for slot in self.slots if not slot.empty]

    @property
    def lone(self) -> Slot | None:
        """The card of a zone for one card that is not in play, which is shown among the counters; None otherwise."""
        return self.cards[0] if self.single and not self.in_play and self.cards else None

    @property
    def pile(self) -> bool:
        """Whether the zone is a pile."""
        return not self.single and not self.in_play


@dataclass(frozen=True)
class Side:
    """What one seat has outside of the territories, or what lies between the seats and belongs to none of them."""

    seat: str
    name: str
    facts: list[Fact]
    zones: list[Zone]
    active: bool


@dataclass(frozen=True)
class Cell:
    """One seat's part of a territory."""

    seat: str
    name: str
    zones: list[Zone]


@dataclass(frozen=True)
class Column:
    """A territory, with its cells from the far seat to the near one."""

    words: str
    cells: list[Cell]


@dataclass(frozen=True)
class Board:
    """A whole board. Sides and cells are ordered as the players sit: the last seat on top, the first one below.

    `common` is what lies between the seats. `told` are lines about what the cards do not show, such as lasting effects;
    `unknown` are the facts that a declared position leaves out.
    """

    turn: str
    sides: list[Side]
    common: Side | None
    columns: list[Column]
    result: str
    told: list[str]
    unknown: list[str]


def board_words(
    board: Mapping[str, Any],
    players: Mapping[str, str],
    before: Mapping[str, Any] | None = None,
    *,
    cards: Mapping[str, str] | None = None,
) -> Board:
    """Build a board from the engine's `views.board`.

    `players` are names by seat, `cards` names by reference, which replace those of the board. With the board `before`
    the move, everything that it changed is marked.
    """
    board, before = _renamed(board, cards or {}), _renamed(before, cards or {})
    seats = list(reversed(board["seats"].items()))
    names = {seat: players.get(seat) or _("Seat %(seat)s") % {"seat": seat} for seat, _side in seats}
    groups = [key for key, value in board["seats"][seats[-1][0]].items() if _is_group(value)]
    draw = _Drawing(board, Told(board, names), before)
    return Board(
        turn=_turn(board["turn"], names),
        sides=[draw.side(seat, side, names[seat], board["turn"]["seat"] == seat) for seat, side in seats],
        common=draw.common(board.get(COMMON, {})),
        columns=[
            Column(
                zone_words(group),
                [Cell(seat, names[seat], draw.zones(side[group], seat, group)) for seat, side in seats],
            )
            for group in groups
        ],
        result=_result(board["result"], names),
        told=draw.told.lines(),
        unknown=[fact_words(fact, board["game"]) for fact in board.get("unknown", ())],
    )


def _is_group(value: Any) -> bool:
    return isinstance(value, Mapping) and "ref" not in value


def _turn(turn: Mapping[str, Any], names: Mapping[str, str]) -> str:
    if turn["seat"] is None:
        return _("Before the first turn")
    return _("Turn %(n)s, %(name)s, phase: %(phase)s") % {
        "n": turn["n"], "name": names.get(turn["seat"], turn["seat"]), "phase": say(f"phase.{turn['phase']}"),
    }  # fmt: skip


def _result(result: Mapping[str, Any] | None, names: Mapping[str, str]) -> str:
    if result is None:
        return ""
    winner = names.get(result["winner"]) or (_("a draw") if result["winner"] == "draw" else _("open"))
    return _("The game is over: %(winner)s") % {"winner": winner}


def _renamed(board: Any, cards: Mapping[str, str]) -> Any:
    """A board with each card named by `cards`, if its reference is there."""
    if not cards or not isinstance(board, Mapping | list):
        return board
    if isinstance(board, list):
        return [_renamed(item, cards) for item in board]
    name = {"name": cards[board["ref"]]} if "name" in board and board.get("ref") in cards else {}
    return {key: _renamed(value, cards) for key, value in board.items()} | name


class _Drawing:
    """Builds the zones and cards of one board. Without a board `before`, nothing is marked as changed."""

    def __init__(self, board: Mapping[str, Any], told: Told, before: Mapping[str, Any] | None) -> None:
        self.told = told
        self.before = {**before["seats"], COMMON: before.get(COMMON, {})} if before else None
        self.unknown = frozenset(board.get("unknown", ()))
        self.game: str = board["game"]

    def side(self, seat: str, side: Mapping[str, Any], name: str, active: bool) -> Side:
        """What a seat has outside of the territories, or what belongs to no seat."""
        facts: list[Fact] = []
        zones = {}
        for key, value in side.items():
            if value is None and self.unknown & {f"{seat}.{key}", f"{seat}/{key}"}:
                facts.append(Fact(zone_words(key), "?"))
            elif isinstance(value, int):
                was = self._was(f"{seat}/{key}", value)
                facts.append(Fact(zone_words(key), value, was if was != value else None))
            elif not _is_group(value):
                zones[key] = value
        return Side("" if seat == COMMON else seat, name, facts, self.zones(zones, seat), active)

    def common(self, common: Mapping[str, Any]) -> Side | None:
        """What lies between the seats; None if nothing does."""
        side = self.side(COMMON, common, _("Between the seats"), False)
        return side if side.facts or any(zone.in_play or zone.cards for zone in side.zones) else None

    def zones(self, group: Mapping[str, Any], seat: str, below: str = "") -> list[Zone]:
        """The zones of a side, or of one of its territories (`below`)."""
        return [self._zone(key, value, seat, f"{below}/{key}".lstrip("/")) for key, value in group.items()]

    def _zone(self, key: str, value: Any, seat: str, zone: str) -> Zone:
        words, path, laid = zone_words(key), f"{seat}/{zone}", in_play(self.game, zone)
        if path in self.unknown:
            return Zone(words, [_not_known()], laid, single=not isinstance(value, list))
        if isinstance(value, list):
            was = self._was(path, value) or []
            changes = _changes(was, value)
            slots = [self._slot(item, f"{path}/{n}", changes[n - 1]) for n, item in enumerate(value, 1)]
            return Zone(words, slots, laid, was=len(was) if len(was) != len(value) else None)
        return Zone(words, [self._slot(value, path, _change(self._was(path, value), value))], laid, single=True)

    def _slot(self, item: Any, path: str, change: str) -> Slot:
        if path in self.unknown:
            return _not_known()
        if item is None:
            return Slot(_("empty"), empty=True, change=change)
        if isinstance(item, str):
            return Slot(_("unknown card"), hidden=True, change=change)
        ref = item["ref"] if item["ref"] != "?" else ""
        name = item.get("name") or ref or _("unknown card")
        return Slot(name, ref, _figures(item), self._notes(item), hidden=not ref, change=change)

    def _was(self, path: str, now: Any) -> Any:
        """What was at a path before the move; `now` if there is no earlier board, None if nothing was there."""
        if self.before is None:
            return now
        found: Any = self.before
        for part in path.split("/"):
            found = found.get(part) if isinstance(found, Mapping) else None
        return found

    def _notes(self, item: Mapping[str, Any]) -> tuple[str, ...]:
        """What is special about a card: its flags and marks, what it is attached to, and whose it is."""
        flags = [say(f"card.{key}") for key, value in item.items() if value is True]
        marks = [say(f"mark.{key}", n=count) for key, count in item.get("marks", {}).items()]
        about = [say(f"card.{key}", what=self.told.name(item[key])) for key in ("on", "owner") if key in item]
        return (*flags, *marks, *about)


def _change(was: Any, now: Any) -> str:
    """What the move did to a place, in words; empty if nothing."""
    if was == now:
        return ""
    if now is None:
        return _("left: %(card)s") % {"card": _card_name(was)}
    return _("changed") if was is not None and _card_name(was) == _card_name(now) else _("new here")


def _changes(was: Sequence[Any], now: Sequence[Any]) -> list[str]:
    """What the move did to each card of a zone.

    Numbered slots are compared one by one. In a row, cards move up when one leaves, so each card is compared with any
    card of the same name that was there.
    """
    if None in (*was, *now):  # only slots can be empty
        return [_change(old, new) for old, new in zip_longest(was, now)][: len(now)]
    left = list(was)
    changes = []
    for card in now:
        same = card if card in left else next((old for old in left if _card_name(old) == _card_name(card)), None)
        if same is not None:
            left.remove(same)
        changes.append(_change(same, card))
    return changes


def _card_name(card: Any) -> str:
    known = isinstance(card, Mapping) and (card.get("name") or (card["ref"] if card["ref"] != "?" else ""))
    return str(known or _("unknown card"))


def _not_known() -> Slot:
    return Slot(_("not known"), hidden=True)


def _figures(item: Mapping[str, Any]) -> tuple[Figure, ...]:
    """The figures of a card, in the order and with the names of its game."""
    printed = item.get("printed") or {}
    return tuple(
        Figure(say(f"figure.{key}"), value, printed.get(key) if printed.get(key) != value else None)
        for key, value in item.items()
        if key not in SPELT_OUT and type(value) is int  # not `isinstance`: a flag is a bool, which is an int too
    )
