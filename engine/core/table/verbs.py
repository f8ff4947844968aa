"""The verbs every game has (concede, draw_agreed, time, game_loss, ruling, manual), and readers for arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.core.table.chance import Dealer
from engine.core.table.context import Context
from engine.core.table.events import Event, apply, undo
from engine.core.table.game import Game, Move, Verb
from engine.core.table.log import MAX_DRAW, Entry
from engine.core.table.overrides import ALLOWED, VOUCHED, check_rule, note_of
from engine.core.table.places import at
from engine.core.table.state import COMMON, State
from engine.core.text.errors import Impossible, Malformed, Missing, Violation

MAX_DELTA = 1_000  # largest change of a counter or a mark in one event of a ruling


class Plain:
    """Base class for verbs without chance, and the usual way to hide cards: what only one player saw becomes "?"."""

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """Return the move itself: there is no chance to deal."""
        return move

    def conceal(self, move: Move) -> Move:
        """Return the move with every card drawn or looked at as "?"."""
        if not move.chance:
            return move
        chance = tuple(
            (kind, ("?",) * len(value)) if kind in ("draw", "look") else (kind, value) for kind, value in move.chance
        )
        return replace(move, chance=chance)


def arguments(entry: Entry, known: tuple[str, ...], needed: tuple[str, ...] = ()) -> Mapping[str, Any]:
    """Return the entry's `args`, after checking that all keys are `known` and all `needed` ones present.

    Raises Malformed `unknown_key` or `missing_key`.
    """
    args = entry.args
    # Unknown keys are refused, so that a misspelled optional argument is not silently ignored.
    for key in args:
        if key not in known:
            raise Malformed("unknown_key", f"{entry.do} has no argument {key[:40]!r}", path=f"args.{key[:40]}")
    for key in needed:
        if key not in args:
            raise Malformed("missing_key", f"{entry.do} needs the argument {key!r}", path=f"args.{key}")
    return args


def no_chance(entry: Entry) -> None:
    """Refuse chance recorded for a verb that has none. Raises Malformed `unknown_chance`."""
    if entry.chance:
        raise Malformed("unknown_chance", f"{entry.do} has no chance", path="chance")


def number(args: Mapping[str, Any], key: str, low: int, high: int, code: str = "bad_value") -> int:
    """Return an integer argument from `low` to `high`. Raises Malformed with `code` for anything else."""
    value = args[key]
    if type(value) is not int or not low <= value <= high:  # `type`, because True is an int as well
        raise Malformed(code, f"{key} is an integer from {low} to {high}", path=f"args.{key}")
    return value


def card_ref(state: State, value: Any, path: str) -> str:
    """Return a ref that is in the catalogue. Raises Malformed `unknown_card` for anything else."""
    if not isinstance(value, str) or value not in state.terms.cards:
        raise Malformed("unknown_card", f"no card {str(value)[:64]!r} in the catalogue", path=path)
    return value


def not_by(move: Move, *allowed: str) -> list[Violation]:
    """Return the violation of an actor who may never make this move, or no violation."""
    return [] if move.by in allowed else [Violation("LOG-actor", {"do": move.do, "by": move.by})]


class _Ending(Plain):
    """Base class of the verbs that end a game."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def by(self, state: State) -> tuple[str, ...]:
        """Return who may write the entry: the table or the judge."""
        return ("table", "judge")

    def parse(self, state: State, entry: Entry) -> Move:
        """Read an entry without arguments."""
        no_chance(entry)
        return Move(entry.by, entry.do, dict(arguments(entry, ())))

    def check(self, state: State, move: Move) -> list[Violation]:
        """Refuse it once the game is over, and to anybody who may not write it."""
        return over(self.game, state) + not_by(move, *self.by(state))


class Concede(_Ending):
    """A seat concedes. In a two-player game the other seat wins."""

    def by(self, state: State) -> tuple[str, ...]:
        """Return the seats: any of them may concede."""
        return state.terms.seats

    def run(self, ctx: Context, move: Move) -> None:
        """End the game with the reason `concession`."""
        ctx.emit("end", _other(ctx.state, move.by), "concession", "")


class DrawAgreed(_Ending):
    """The seats agree on a draw. Written by the table or the judge."""

    def run(self, ctx: Context, move: Move) -> None:
        """End the game with the reason `agreement`."""
        ctx.emit("end", "draw", "agreement", "")


class Time(_Ending):
    """Time is called. The interpretation I-TIME decides who wins."""

    def run(self, ctx: Context, move: Move) -> None:
        """End the game with the reason `time`."""
        ctx.depend_on("I-TIME")
        option = ctx.state.terms.options["I-TIME"]
        winner = {"draw": "draw", "judge": None}.get(option, leader(self.game.score(ctx.state)))
        ctx.emit("end", winner, "time", "")


class GameLoss(_Ending):
    """The judge gives a game loss to `args.seat`."""

    def by(self, state: State) -> tuple[str, ...]:
        """Return the judge, who alone may give a game loss."""
        return ("judge",)

    def parse(self, state: State, entry: Entry) -> Move:
        """Read `args.seat`, the seat that loses."""
        no_chance(entry)
        args = arguments(entry, ("seat",), ("seat",))
        if args["seat"] not in state.terms.seats:
            raise Malformed("unknown_seat", f"seat must be one of: {', '.join(state.terms.seats)}", path="args.seat")
        return Move(entry.by, entry.do, {"seat": args["seat"]})

    def run(self, ctx: Context, move: Move) -> None:
        """End the game with the reason `penalty`."""
        ctx.emit("end", _other(ctx.state, move.args["seat"]), "penalty", "")


class Manual(Plain):
    """An effect that the engine does not execute was applied at the table. `ref` names the card. It needs a ruling."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def parse(self, state: State, entry: Entry) -> Move:
        """Read `ref`, a card of the catalogue."""
        no_chance(entry)
        arguments(entry, ())
        return Move(entry.by, entry.do, {"ref": card_ref(state, entry.ref, "ref")})

    def check(self, state: State, move: Move) -> list[Violation]:
        """Refuse it once the game is over, and to the table."""
        return over(self.game, state) + not_by(move, *state.terms.seats, "judge")

    def run(self, ctx: Context, move: Move) -> None:
        """Change nothing, and record that a ruling must say what happened."""
        # The board after this entry is the one before it, until a ruling says what the card did.
        ctx.doubt(move.args["ref"])


class Ruling(Plain):
    """The judge changes the game, sets a rule aside, or vouches for a card. `events` lists what the ruling does.

    - `{"counter": [seat, name, delta]}`; the seat may be "common" for a counter that belongs to no seat.
    - `{"discard": [seat, place]}`, `{"return": [seat, place]}`.
    - `{"mark": [seat, place, mark, delta]}`.
    - `{"draw": [seat, [refs]]}`.
    - `{"place": [seat, ref, zone]}`, from the hand.
    - `{"create": [seat, ref, zone]}`, a card that is in no list.
    - `{"allow": [seat, rule]}` sets a rule aside for the next move of a seat.
    - `{"vouch": [seat, ref]}`: to the end of the game, the judge answers for what a card does that the engine cannot
      read.

    Places and zones are written below the seat ("T1/fighters/2", "field/2", "field"). `discard` needs a slot next to a
    discard zone such as "T1/discard", or a row in a game with one discard per seat.

    A ruling that only vouches for cards may be added once the game is over, by a judge who looks at the log later.
    """

    def __init__(self, game: Game) -> None:
        self.game = game

    def parse(self, state: State, entry: Entry) -> Move:
        """Read the events and check the shape of each."""
        no_chance(entry)
        arguments(entry, ())
        for index, event in enumerate(entry.events):
            _check_event(self.game, state, event, f"events[{index}]")
        return Move(entry.by, entry.do, {"events": entry.events})

    def check(self, state: State, move: Move) -> list[Violation]:
        """Refuse it to anybody but the judge, after the end of the game, and if an invariant would break.

        A ruling that only vouches for cards is accepted after the end.
        """
        changes = any(kind != "vouch" for kind, _ in move.args["events"])
        reasons = (over(self.game, state) if changes else []) + not_by(move, "judge")
        # Without the fact, nobody can say whether an invariant would break.
        unsaid = [fact for event in move.args["events"] for fact in touched(event) if fact in state.unknown]
        if unsaid:
            return reasons + missing("LOG-ruling", unsaid[0])
        # The events are applied for real and undone again: an event may depend on the ones before it.
        inverses: list[Event] = []
        for event in move.args["events"]:
            try:
                for atom in atoms(state, event):
                    inverses.append(apply(state, atom))
            except Impossible as error:
                reasons.append(Violation("LOG-ruling", {"event": event[0], "code": error.code}))
                break
        undo(state, inverses)
        return reasons

    def run(self, ctx: Context, move: Move) -> None:
        """Apply the events in order."""
        for event in move.args["events"]:
            for atom in atoms(ctx.state, event):
                ctx.emit(*atom)
        # The events moved cards without the verbs that start and end their effects.
        self.game.refresh(ctx)


def touched(event: tuple[str, Any]) -> tuple[str, ...]:
    """Return the facts that an event of a ruling depends on."""
    kind, value = event
    if kind in ("allow", "vouch"):
        return ()
    if kind == "counter":
        return (f"{value[0]}.{value[1]}",)
    if kind == "draw":
        return (f"{value[0]}/deck",)
    if kind == "place":
        return (f"{value[0]}/{value[2]}", f"{value[0]}/hand")
    if kind == "create":
        return (f"{value[0]}/{value[2]}",)
    place = f"{value[0]}/{value[1]}"
    marks = f"{place}.marks"
    return (place, place.rpartition("/")[0], *((marks,) if kind == "mark" else ()))


def atoms(state: State, event: tuple[str, Any]) -> list[Event]:
    """Return an event of a ruling as atomic events. Raises Impossible: `empty_zone`, `not_in_hand`, `deck_empty`."""
    kind, value = event
    seat = value[0]
    if kind == "allow":
        return [("note", ALLOWED, note_of(seat, value[1]))]
    if kind == "vouch":
        return [("note", VOUCHED, note_of(seat, value[1]))]
    if kind == "counter":
        return [("counter", f"{seat}.{value[1]}", value[2])]
    if kind == "draw":
        return _draw_atoms(state, seat, value[1])
    if kind == "place":
        card, named = in_hand(state, seat, value[1])
        if card is None:
            raise Impossible("not_in_hand", f"{value[1]} is not in the hand of {seat}")
        name: list[Event] = [] if named else [("name", card, value[1])]
        return [*name, ("move", card, f"{seat}/{value[2]}", -1)]
    if kind == "create":
        return [("create", seat, f"{seat}/{value[2]}", value[1])]
    obj = at(state, f"{seat}/{value[1]}")
    if obj is None:
        raise Impossible("empty_zone", f"nothing in {seat}/{value[1]}")
    if kind == "mark":
        return [("mark", obj, value[2], value[3])]
    # A card that leaves takes no marks with it, and nothing stays attached to it.
    target = "hand" if kind == "return" else _grave(state, value[1])
    bare: list[Event] = [("mark", obj, mark, -count) for mark, count in state.marks.get(obj, {}).items()]
    loose: list[Event] = [("attach", one, None) for one, host in state.hosts.items() if obj in (one, host)]
    return [*bare, *loose, ("move", obj, f"{state.owners[obj]}/{target}", -1)]


def _grave(state: State, place: str) -> str:
    """Return the zone, below its owner, that a card in this place is discarded to."""
    return state.terms.layout.grave or f"{place.split('/')[0]}/discard"


def _draw_atoms(state: State, seat: str, refs: Sequence[str]) -> list[Event]:
    deck = state.zones[f"{seat}/deck"]  # the top is the end of the list
    if len(refs) > len(deck):
        raise Impossible("deck_empty", f"{len(refs)} cards drawn from {len(deck)}")
    found: list[Event] = []
    for index, ref in enumerate(refs):
        card = deck[len(deck) - 1 - index]
        found.append(("move", card, f"{seat}/hand", -1))
        if ref != "?":
            found.append(("name", card, ref))
    return found


def in_hand(state: State, seat: str, ref: str) -> tuple[int | None, bool]:
    """Return the object in a hand that is `ref`, or else a hidden one that may be, and whether it was already known."""
    hidden = None
    refs = state.refs
    for obj in state.zones[f"{seat}/hand"]:
        if refs[obj] == ref:
            return obj, True
        if refs[obj] is None:
            # Any hidden card will do: until one is identified, nothing tells them apart.
            hidden = obj
    return hidden, False


def over(game: Game, state: State) -> list[Violation]:
    """Return the violation of a move made after the end of the game, if it is over."""
    return [] if state.result is None else [Violation(game.over_rule)]


def leader(score: Mapping[str, int]) -> str:
    """Return the seat with the best score, or "draw" if several share it."""
    best = max(score.values(), default=0)
    seats = [seat for seat, points in score.items() if points == best]
    return seats[0] if len(seats) == 1 else "draw"


def ranked(score: Mapping[str, int]) -> dict[str, int]:
    """Return the rank of each seat by its score, 1 for the best.

    Equal scores share a rank, and the next rank is skipped.

    >>> ranked({"A": 5, "B": 7, "C": 5, "D": 1})
    {'A': 2, 'B': 1, 'C': 2, 'D': 4}
    """
    return {seat: 1 + sum(other > points for other in score.values()) for seat, points in score.items()}


def lacking(state: State, fact: str) -> bool:
    """Return whether a declared position leaves this fact out."""
    return fact in state.unknown


def missing(rule: str, fact: str) -> list[Violation]:
    """Return the reason that a rule cannot be judged without `fact`."""
    return [Missing(rule, {}, (), fact)]


def common_verbs(game: Game) -> dict[str, Verb]:
    """Return the verbs that every game has, bound to one game."""
    return {
        "concede": Concede(game),
        "draw_agreed": DrawAgreed(game),
        "time": Time(game),
        "game_loss": GameLoss(game),
        "ruling": Ruling(game),
        "manual": Manual(game),
    }


def find_verb(verbs: Mapping[str, Verb], do: str) -> Verb:
    """Return a verb by name. Raises Malformed `unknown_verb`."""
    verb = verbs.get(do)
    if verb is not None:
        return verb
    raise Malformed("unknown_verb", f"no verb {do[:40]!r}; there are: {', '.join(sorted(verbs))}", path="do")


def _other(state: State, seat: str) -> str | None:
    """Return the winner when `seat` is out: the other of two seats. With more seats, None: a judge ranks the rest."""
    rest = [other for other in state.terms.seats if other != seat]
    return rest[0] if len(rest) == 1 else None


# The only events a ruling may have, with the types of their values. Invariants hold for a ruling as for any move.
RULING_EVENTS: Mapping[str, tuple[type, ...]] = {
    "counter": (str, str, int),
    "discard": (str, str),
    "return": (str, str),
    "draw": (str, list),
    "mark": (str, str, str, int),
    "place": (str, str, str),
    "create": (str, str, str),
    "allow": (str, str),
    "vouch": (str, str),
}


def _check_event(game: Game, state: State, event: tuple[str, Any], path: str) -> None:
    """Refuse an event of a ruling that is not on the whitelist or does not have the right shape."""
    kind, value = event
    shape = RULING_EVENTS.get(kind)
    if shape is None:
        known = ", ".join(RULING_EVENTS)
        raise Malformed("unknown_event", f"no event {kind[:40]!r} in a ruling; there are: {known}", path=path)
    # Exact types: True is an int as well, and would be taken for a change of 1.
    if not isinstance(value, list) or tuple(type(item) for item in value) != shape:
        names = ", ".join(kind.__name__ for kind in shape)
        raise Malformed("wrong_type", f"the values of {kind} are: {names}", path=path)
    shared = kind == "counter" and value[0] == COMMON
    if value[0] not in state.terms.seats and not shared:
        raise Malformed("unknown_seat", f"no seat {value[0][:40]!r}", path=path)
    if kind == "allow":
        check_rule(game, state, value[1], path)
    elif kind == "vouch":
        card_ref(state, value[1], path)
    else:
        _check_target(state, kind, value, path)


def _check_target(state: State, kind: str, value: Sequence[Any], path: str) -> None:
    layout = state.terms.layout
    if kind == "counter":
        if value[1] not in (layout.shared if value[0] == COMMON else layout.counters):
            raise Malformed("unknown_counter", f"no counter {value[1][:40]!r}", path=path)
        if not -MAX_DELTA <= value[2] <= MAX_DELTA:
            raise Malformed("bad_value", f"a change of at most {MAX_DELTA}", path=path)
    elif kind == "draw":
        if len(value[1]) > MAX_DRAW:
            raise Malformed("too_many_cards", f"{len(value[1])} cards in one draw, more than {MAX_DRAW}", path=path)
        for ref in value[1]:
            if ref != "?":
                card_ref(state, ref, path)
    else:
        _check_place(state, kind, value, path)


def _check_place(state: State, kind: str, value: Sequence[Any], path: str) -> None:
    layout = state.terms.layout
    if kind in ("place", "create"):
        card_ref(state, value[1], path)
        # A hidden zone holds cards that nobody names, so a card put there would have to be hidden again.
        if value[2] not in layout.zones or value[2] in layout.hidden:
            raise Malformed("unknown_zone", f"no zone {value[2][:40]!r} that all see", path=path)
        return
    place = value[1]
    row, _, number = place.rpartition("/")
    # `isdecimal` alone accepts the digits of other scripts, and then one place would have several names.
    numbered = row in layout.rows and number.isascii() and number.isdecimal()
    if not (numbered or (place in layout.capacity and place in layout.zones)):
        raise Malformed("unknown_zone", f"no place {place[:40]!r}", path=path)
    if kind == "discard" and _grave(state, place) not in layout.zones:
        raise Malformed("unknown_zone", f"no discard beside {place}", path=path)
    if kind == "mark":
        if value[2] not in layout.marks:
            raise Malformed("unknown_counter", f"no mark {value[2][:40]!r}", path=path)
        if not -MAX_DELTA <= value[3] <= MAX_DELTA:
            raise Malformed("bad_value", f"a change of at most {MAX_DELTA}", path=path)
