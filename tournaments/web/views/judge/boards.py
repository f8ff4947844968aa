"""Turns the JSON of a board into what a template draws: sides, columns of territories, slots; for any game.

Which zones are rows of play and which are piles is told by the layout of the game.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from tournaments.audits.engine_gate import COMMON, in_play
from tournaments.web.views.judge.wording import Told, fact_words, say, zone_words

SPELT_OUT = {"ref", "name", "kind", "printed", "marks", "on", "owner"}  # of a card; the rest are figures and flags


@dataclass(frozen=True)
class Figure:
    """A figure of a card as it is now, and the printed one where that is another."""

    words: str
    value: int
    printed: int | None = None


@dataclass(frozen=True)
class Slot:
    """A place for a card: empty, face down, not known, or a card with its figures and what is special about it."""

    name: object
    ref: str = ""
    figures: tuple[Figure, ...] = ()
    notes: tuple[str, ...] = ()
    empty: bool = False
    hidden: bool = False


@dataclass(frozen=True)
class Zone:
    """A named place with its cards: in play they are laid out, those of a pile are counted and opened on demand."""

    words: object
    slots: list[Slot]
    in_play: bool = False
    single: bool = False

    @property
    def cards(self) -> list[Slot]:
        """The cards that are there."""
        return [slot for slot in self.slots if not slot.empty]

    @property
    def lone(self) -> Slot | None:
        """The card of a place that holds one, and is no row of play: shown among the facts."""
        return self.cards[0] if self.single and not self.in_play and self.cards else None

    @property
    def pile(self) -> bool:
        """Whether the zone is a pile of cards."""
        return not self.single and not self.in_play


@dataclass(frozen=True)
class Side:
    """What one seat has beside the territories, or what lies between the seats and belongs to none of them."""

    seat: str
    name: str
    facts: list[tuple[object, object]]
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
    """A territory, from the far seat to the near one."""

    words: str
    cells: list[Cell]


@dataclass(frozen=True)
class Board:
    """A whole board. Sides and cells stand as the players sit: the last seat on top, the first below.

    `common` is what lies between the seats. `told` are lines about what cards do not show, `unknown` the facts that a
    declared position leaves out.
    """

    turn: str
    sides: list[Side]
    common: Side | None
    columns: list[Column]
    result: str
    told: list[str]
    unknown: list[str]


def board_words(board: Mapping[str, Any], players: Mapping[str, str]) -> Board:
    """A board of `views.board` with the names of its players."""
    seats = list(reversed(board["seats"].items()))
    names = {seat: players.get(seat) or _("Seat %(seat)s") % {"seat": seat} for seat, _side in seats}
    groups = [key for key, value in board["seats"][seats[-1][0]].items() if _is_group(value)]
    draw = _Drawing(board, Told(board, names))
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


class _Drawing:
    """The zones and cards of one board: what is not known in it, what its words name, whose layout it has."""

    def __init__(self, board: Mapping[str, Any], told: Told) -> None:
        self.told = told
        self.unknown = frozenset(board.get("unknown", ()))
        self.game: str = board["game"]

    def side(self, seat: str, side: Mapping[str, Any], name: str, active: bool) -> Side:
        """What a seat has beside the territories, or what nobody has."""
        facts: list[tuple[object, object]] = []
        zones = {}
        for key, value in side.items():
            if value is None and self.unknown & {f"{seat}.{key}", f"{seat}/{key}"}:
                facts.append((zone_words(key), "?"))
            elif isinstance(value, int):
                facts.append((zone_words(key), value))
            elif not _is_group(value):
                zones[key] = value
        return Side("" if seat == COMMON else seat, name, facts, self.zones(zones, seat), active)

    def common(self, common: Mapping[str, Any]) -> Side | None:
        """What lies between the seats, where anything does."""
        side = self.side(COMMON, common, _("Between the seats"), False)
        return side if side.facts or any(zone.in_play or zone.cards for zone in side.zones) else None

    def zones(self, group: Mapping[str, Any], seat: str, below: str = "") -> list[Zone]:
        """The zones of a side, or of one of its territories."""
        return [self._zone(key, value, seat, f"{below}/{key}".lstrip("/")) for key, value in group.items()]

    def _zone(self, key: str, value: Any, seat: str, zone: str) -> Zone:
        words, path, laid = zone_words(key), f"{seat}/{zone}", in_play(self.game, zone)
        if path in self.unknown:
            return Zone(words, [_not_known()], laid, single=not isinstance(value, list))
        if isinstance(value, list):
            return Zone(words, [self._slot(item, f"{path}/{n}") for n, item in enumerate(value, 1)], laid)
        return Zone(words, [self._slot(value, path)], laid, single=True)

    def _slot(self, item: Any, path: str) -> Slot:
        if path in self.unknown:
            return _not_known()
        if item is None:
            return Slot(_("empty"), empty=True)
        if isinstance(item, str):
            return Slot(_("unknown card"), hidden=True)
        ref = item["ref"] if item["ref"] != "?" else ""
        name = item.get("name") or ref or _("unknown card")
        return Slot(name, ref, _figures(item), self._notes(item), hidden=not ref)

    def _notes(self, item: Mapping[str, Any]) -> tuple[str, ...]:
        """What is special about a card: how it stands, what lies on it, what it is attached to, whose it is."""
        flags = [say(f"card.{key}") for key, value in item.items() if value is True]
        marks = [say(f"mark.{key}", n=count) for key, count in item.get("marks", {}).items()]
        about = [say(f"card.{key}", what=self.told.name(item[key])) for key in ("on", "owner") if key in item]
        return (*flags, *marks, *about)


def _not_known() -> Slot:
    return Slot(_("not known"), hidden=True)


def _figures(item: Mapping[str, Any]) -> tuple[Figure, ...]:
    """The figures of a card, in the order and by the names of its game."""
    printed = item.get("printed") or {}
    return tuple(
        Figure(say(f"figure.{key}"), value, printed.get(key) if printed.get(key) != value else None)
        for key, value in item.items()
        if key not in SPELT_OUT and type(value) is int
    )
