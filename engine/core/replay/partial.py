"""Partial logs: the state a replay begins from, and the verbs `checkpoint`, `gap` and `back_to`.

A partial log does not record the whole game. It may begin at a declared position, skip what nobody wrote down (`gap`),
go back after a take-back (`back_to`), compare the board with what somebody noted (`checkpoint`), or be a score pad that
holds nothing but the points of each turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.core.cards.catalog import Catalog
from engine.core.replay.position import declared
from engine.core.shown import views
from engine.core.table.context import Context
from engine.core.table.game import Game, Move, Verb
from engine.core.table.log import JUMPS, Entry, Header, Seat
from engine.core.table.state import State
from engine.core.table.verbs import Plain, arguments, no_chance, not_by
from engine.core.text.errors import Malformed, Unsupported, Violation

MAX_JUMPS = 100  # gaps and take-backs in one log: a replay keeps a whole state for each of them
ENDINGS = ("concede", "draw_agreed", "time", "game_loss")

Difference = tuple[str, int | str | None, int | str | None]


class Checkpoint(Plain):
    """`checkpoint`: compares a board noted at the table with the computed one. Changes nothing."""

    def parse(self, state: State, entry: Entry) -> Move:
        """Read `args.state`, a board in the JSON of `views`, and `args.turn`."""
        no_chance(entry)
        args = arguments(entry, ("state", "turn"))
        for key in args:
            if not isinstance(args[key], Mapping):
                raise Malformed("wrong_type", "an object is expected", path=f"args.{key}")
        return Move(entry.by, entry.do, args)

    def check(self, state: State, move: Move) -> list[Violation]:
        """Return no violation: anybody may write a checkpoint at any time."""
        return []

    def run(self, ctx: Context, move: Move) -> None:
        """Do nothing."""


class Gap(Plain):
    """`gap`: part of the game was not recorded; `args.start` is the position after it.

    Only a replay can carry it out, because it replaces the whole state.
    """

    def parse(self, state: State, entry: Entry) -> Move:
        """Read `args.start`, a declared position."""
        no_chance(entry)
        args = arguments(entry, ("start",), ("start",))
        if not isinstance(args["start"], Mapping):
            raise Malformed("wrong_type", "an object is expected", path="args.start")
        return Move(entry.by, entry.do, args)

    def check(self, state: State, move: Move) -> list[Violation]:
        """Allow it to the table and the judge only."""
        return not_by(move, "table", "judge")

    def run(self, ctx: Context, move: Move) -> None:
        """Raise Unsupported `unsupported_verb`: a game in progress has no gap."""
        raise Unsupported("unsupported_verb", f"{move.do} is of recorded games", path="do")


class BackTo(Gap):
    """`back_to`: a take-back to the position after entry `args.n`, agreed (`table`) or ordered (`judge`).

    The entries taken back stay in the log.
    """

    def parse(self, state: State, entry: Entry) -> Move:
        """Read `args.n`, the number of an earlier entry, or 0 for the start."""
        no_chance(entry)
        args = arguments(entry, ("n",), ("n",))
        n = args["n"]
        if type(n) is not int or not 0 <= n < max(entry.n, 1):
            raise Malformed("no_such_move", "n is the number of an earlier entry, or 0", path="args.n")
        return Move(entry.by, entry.do, args)


def targets(entries: Sequence[Entry]) -> dict[int, State | None]:
    """Return the numbers of the entries that take-backs go back to, each mapped to None until its state is saved.

    Raises Malformed `too_many_jumps` for more than 100 gaps and take-backs.
    """
    jumps = [entry for entry in entries if entry.do in JUMPS]
    if len(jumps) > MAX_JUMPS:
        raise Malformed("too_many_jumps", f"more than {MAX_JUMPS} gaps and take-backs", path="moves")
    named = [entry.args.get("n") for entry in jumps if entry.do == "back_to"]
    return {n: None for n in named if type(n) is int}


def standing(entries: Sequence[Entry], last: int) -> dict[int, None]:
    """Return the numbers of the entries up to `last` that no take-back undid, latest first."""
    # Walk backwards, so that a take-back undone by a later take-back counts for nothing.
    found: dict[int, None] = {}
    n = last
    while n > 0:
        found[n] = None
        entry = entries[n - 1]
        n = entry.args["n"] if entry.do == "back_to" else n - 1
    return found


def is_pad(game: Game, entries: Sequence[Entry]) -> bool:
    """Return whether a log is a score pad: claims at the end of each turn, and otherwise only how the game ended."""
    do = game.pad[0]
    # A pad has no verb of its own: it is recognized by what it lacks, a set-up and moves between the ends of turns.
    if not entries or entries[0].do != do or not entries[0].claims:
        return False
    return all(bool(entry.claims) if entry.do == do else entry.do in ENDINGS for entry in entries)


def beginning(game: Game, header: Header, catalog: Catalog, pad: bool) -> State:
    """Return the state before the first entry: the set-up, the declared position, or a blank score pad."""
    if pad:
        _check_seats(game, header.seats, catalog)
        state = game.blank_pad(header.ruleset, header.options, catalog, tuple(header.seats))
        state.unseen = {seat: dict(who.deck.main) for seat, who in header.seats.items() if who.deck is not None}
        return state
    if header.start is None:
        return game.setup(header, catalog)
    return position(game, header, catalog, header.start, "start")


def position(game: Game, header: Header, catalog: Catalog, start: Any, path: str) -> State:
    """Return the state of a position declared in a log; its cards come from the decklists registered in the header."""
    _check_seats(game, header.seats, catalog)
    bare = game.bare(header.ruleset, header.options, catalog, tuple(header.seats))
    return declared(game, bare, start, header.seats, path)


def _check_seats(game: Game, seats: Mapping[str, Seat], catalog: Catalog) -> None:
    for seat, who in seats.items():
        if seat not in game.seats:
            raise Malformed("unknown_seat", f"a seat must be one of: {', '.join(game.seats)}", path="seats")
        deck = who.deck
        for ref in () if deck is None else (*deck.main, *(() if deck.commander is None else (deck.commander,))):
            if ref not in catalog.cards:
                path = f"seats.{seat}.deck"
                raise Malformed("unknown_card", f"no card {ref[:64]!r} in the catalogue", path=path, value=ref)


def differences(state: State, args: Mapping[str, Any]) -> Iterator[Difference]:
    """Yield what a checkpoint declares and the replay computes differently, as (path, declared, computed).

    Unknown facts are not compared, nor are facts the checkpoint does not mention. Raises Malformed for a fact the game
    does not have.
    """
    computed = views.board(state, None, views.JUDGE)
    shown = args.get("state", {})
    turn = args.get("turn", shown.get("turn", {}))
    if not isinstance(turn, Mapping) or not isinstance(shown.get("seats", {}), Mapping):
        raise Malformed("wrong_type", "an object is expected", path="args.state")
    for key in turn:
        if key not in computed["turn"]:
            raise Malformed("unknown_claim", f"no fact {key[:40]!r}", path="args.turn")
        if f"turn.{key}" not in state.unknown and turn[key] != computed["turn"][key]:
            yield f"turn.{key}", _plain(turn[key]), computed["turn"][key]
    for seat, side in shown.get("seats", {}).items():
        if seat not in computed["seats"]:
            raise Malformed("unknown_seat", f"no seat {seat[:40]!r}", path="args.state.seats")
        for path, noted, found in _facts(seat, side, computed["seats"][seat]):
            if views.stated(state, path) and not _agree(noted, found):
                yield path, _plain(noted), _plain(found)


def _facts(path: str, noted: Any, found: Any) -> Iterator[tuple[str, Any, Any]]:
    """Yield the facts declared for one side next to the computed ones, as (path, declared, computed)."""
    if isinstance(noted, Mapping) and isinstance(found, Mapping) and "ref" not in found and "ref" not in noted:
        for key in noted:
            if key not in found:
                raise Malformed("unknown_claim", f"no fact {path}/{key[:40]}", path="args.state.seats")
            yield from _facts(f"{path}/{key}", noted[key], found[key])
    # Rows of numbered slots are compared slot by slot: which slot a card is in matters. Other zones are compared whole.
    elif isinstance(noted, list) and isinstance(found, list) and path.endswith(("/fighters", "/magics")):
        if len(noted) != len(found):
            raise Malformed("wrong_type", f"{len(found)} slots are expected", path="args.state.seats")
        for index, pair in enumerate(zip(noted, found, strict=True)):
            yield f"{path}/{index + 1}", *pair
    else:
        # A counter is named as claims name it ("A.pi"), a zone by its path ("A/hand").
        yield path.replace("/", ".") if path.count("/") == 1 and not isinstance(found, list) else path, noted, found


def _agree(noted: Any, found: Any) -> bool:
    """Return whether a declared value is compatible with the computed one.

    A hidden card is compatible with any card; a number stands for that many cards.
    """
    if isinstance(found, list):
        if type(noted) is int:
            return noted == len(found)
        if not isinstance(noted, list) or len(noted) != len(found):
            return False
        return _match([_ref(item) for item in noted], [_ref(item) for item in found])
    one, two = _ref(noted), _ref(found)
    return one == two or ("?" in (one, two) and None not in (one, two))


def _match(noted: list[Any], found: list[Any]) -> bool:
    """Return whether two groups with the same number of cards may be the same, in any order."""
    left = list(found)
    named = [ref for ref in noted if ref != "?"]
    rest = []
    for ref in named:
        if ref in left:
            left.remove(ref)
        else:
            rest.append(ref)
    return len(rest) <= left.count("?")


def _ref(value: Any) -> Any:
    return value.get("ref") if isinstance(value, Mapping) else value


def _plain(value: Any) -> int | str | None:
    """Return a declared value as a single fact: an integer, a string or None."""
    if isinstance(value, list):
        return " ".join(str(_ref(item)) for item in value)
    found = _ref(value)
    return found if found is None or type(found) in (int, str) else str(found)


def partial_verbs() -> dict[str, Verb]:
    """Return the verbs of partial logs, by name."""
    return {"checkpoint": Checkpoint(), "gap": Gap(), "back_to": BackTo()}
