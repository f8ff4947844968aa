"""The start of the game: heroes, opening hands and mulligans, and who starts (STN-DEB)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from engine.core.effects import force
from engine.core.effects.hidden_cards import drawn, noted_draw
from engine.core.table.chance import Dealer
from engine.core.table.context import Context
from engine.core.table.game import Move, Wanted
from engine.core.table.log import Entry
from engine.core.table.state import State
from engine.core.table.verbs import arguments, card_ref, missing, no_chance, not_by, over
from engine.core.text.errors import Malformed, Violation
from engine.games.stellar_nexus.mat import DECK, DESENGAGEMENT, HERO, PV, SEATS, VEILED
from engine.games.stellar_nexus.moves.base import Reasons, StellarVerb, prepared
from engine.games.stellar_nexus.moves.drawing import misdrawn

HAND_SIZE = 6  # STN-DEB-2
FREE_MULLIGANS = 2  # STN-DEB-2
HIDDEN = "?"


def opening_size(state: State, seat: str) -> int:
    """Return the size of the opening hand after the mulligans made so far (STN-DEB-2)."""
    made = state.memory.get("mulligans", []).count(seat)
    return HAND_SIZE - max(0, made - FREE_MULLIGANS)


def start(ctx: Context) -> None:
    """Begin the first turn, once the starting player is known and no hero is hidden (STN-DEB-1)."""
    state = ctx.state
    if state.first is not None and not any(state.zones[VEILED[seat]] for seat in SEATS):
        ctx.emit("turn", 1, state.first, DESENGAGEMENT)


def unveil(ctx: Context, seat: str) -> None:
    """Put a hero face up in its place, which gives its player their PV (STN-HER-1)."""
    obj = ctx.state.zones[VEILED[seat]][0]
    card = ctx.state.card(obj)
    ctx.emit("move", obj, HERO[seat], -1)
    force.enter(ctx, obj)
    if card is not None and card.figures["pv"]:
        ctx.emit("counter", PV[seat], card.figures["pv"])


class SetUp(StellarVerb):
    """Base class of the verbs of the set-up."""

    def opening(self, state: State, move: Move, rule: str, **args: Any) -> Reasons:
        """Return why this is not, or cannot be shown to be, the set-up (STN-DEB)."""
        reasons = over(self.game, state) + not_by(move, *SEATS)
        if prepared(state):
            reasons.append(Violation(rule, {"seat": move.by, **args}, why="late"))
        elif state.unknown:
            facts = ("turn.phase", "turn.first", *(f"memory.{note}" for note in ("chosen", "ready", "mulligans")))
            reasons += [reason for fact in facts if fact in state.unknown for reason in missing(rule, fact)]
        return reasons

    def preparing(self, state: State) -> tuple[str, ...]:
        """Return the seats that may still be preparing: both, while the set-up lasts."""
        return SEATS if state.result is None and not prepared(state) else ()


class Hero(SetUp):
    """`hero`: put the registered hero on the field, face up or hidden (STN-DEB-1, STN-HER-2)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """Read `args.card`: the hero's ref, or "?" if it stays hidden."""
        no_chance(entry)
        ref = arguments(entry, ("card",), ("card",))["card"]
        return Move(entry.by, entry.do, {"card": HIDDEN if ref == HIDDEN else card_ref(state, ref, "args.card")})

    def check(self, state: State, move: Move) -> Reasons:
        """Check that the seat has not chosen yet, and that it is the hero of its list."""
        reasons = self.opening(state, move, "STN-DEB-1")
        if move.by in SEATS and not reasons:
            if state.noted("chosen", move.by):
                reasons.append(Violation("STN-DEB-1", {"seat": move.by}, why="chosen"))
            elif move.args["card"] not in (HIDDEN, *(state.refs[obj] for obj in state.zones[VEILED[move.by]])):
                reasons.append(Violation("STN-HER-2", {"card": move.args["card"], "seat": move.by}, why="list"))
        return reasons

    def run(self, ctx: Context, move: Move) -> None:
        """Note the choice, and show the hero unless it stays hidden."""
        ctx.emit("note", "chosen", move.by)
        if move.args["card"] != HIDDEN:
            unveil(ctx, move.by)

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield the hero face up and hidden, for each seat that has not chosen."""
        for seat in wanted.among(self.preparing(state)):
            if not state.noted("chosen", seat):
                for obj in state.zones[VEILED[seat]]:
                    yield Move(seat, "hero", {"card": state.refs[obj]})
                    yield Move(seat, "hero", {"card": HIDDEN})


class Reveal(SetUp):
    """`reveal`: turn a hidden hero face up, once the starting player is known (STN-DEB-1)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """Read `args.card`: the hero's ref."""
        no_chance(entry)
        ref = arguments(entry, ("card",), ("card",))["card"]
        return Move(entry.by, entry.do, {"card": card_ref(state, ref, "args.card")})

    def check(self, state: State, move: Move) -> Reasons:
        """Check that the seat has a hidden hero, that it is this one, and that the starting player is known."""
        reasons = self.opening(state, move, "STN-DEB-1")
        if move.by in SEATS and not reasons:
            hidden = [state.refs[obj] for obj in state.zones[VEILED[move.by]]]
            if not hidden:
                reasons.append(Violation("STN-DEB-1", {"seat": move.by}, why="shown"))
            elif state.first is None:
                reasons.append(Violation("STN-DEB-1", {"seat": move.by}, why="early"))
            elif move.args["card"] not in hidden:
                reasons.append(Violation("STN-HER-2", {"card": move.args["card"], "seat": move.by}, why="list"))
        return reasons

    def run(self, ctx: Context, move: Move) -> None:
        """Turn the hero over; after the last one the first turn begins."""
        unveil(ctx, move.by)
        start(ctx)

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield one move for each hidden hero."""
        for seat in wanted.among(self.preparing(state)) if state.first is not None else ():
            for obj in state.zones[VEILED[seat]]:
                yield Move(seat, "reveal", {"card": state.refs[obj]})


class Keep(SetUp):
    """`keep`: draw the opening hand and keep it (STN-DEB-2)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """Read the recorded draw; if there is none, the cards of the hand are unknown."""
        arguments(entry, ())
        # Entry 0 is a question (`ask`), which may leave chance open.
        if entry.n == 0 and entry.chance is None:
            return Move(entry.by, entry.do, {})
        due = self.most(state, entry.by) if entry.by in SEATS else 0
        return Move(entry.by, entry.do, {}, noted_draw(state, entry, due))

    def check(self, state: State, move: Move) -> Reasons:
        """Check that the seat has its hero and no hand yet, and draws as many cards as its mulligans leave."""
        due = opening_size(state, move.by) if move.by in SEATS else HAND_SIZE
        refs = drawn(move)[0] if move.chance else ()
        sizes: dict[str, str | int] = {"count": len(refs), "max": due}
        reasons = self.opening(state, move, "STN-DEB-2", **sizes)
        if move.by not in SEATS or reasons:
            return reasons
        if not state.noted("chosen", move.by):
            reasons.append(Violation("STN-DEB-1", {"seat": move.by}, why="hero"))
        if state.noted("ready", move.by):
            reasons.append(Violation("STN-DEB-2", {**sizes, "seat": move.by}, why="kept"))
        elif move.chance is not None and len(refs) != self.most(state, move.by):
            reasons.append(Violation("STN-DEB-2", sizes))
        return reasons + self.more(state, move, sizes) + misdrawn(state, move.by, refs)

    def most(self, state: State, seat: str) -> int:
        """Return how many cards are drawn now."""
        return min(opening_size(state, seat), len(state.zones[DECK[seat]]))

    def more(self, state: State, move: Move, sizes: dict[str, str | int]) -> Reasons:
        """Return what else a mulligan requires; nothing for `keep`."""
        return []

    def run(self, ctx: Context, move: Move) -> None:
        """Draw the hand."""
        ctx.draw(move.by, drawn(move)[0])
        ctx.emit("note", "ready", move.by)

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """Deal the cards of the hand."""
        count = self.most(state, move.by)
        return replace(move, chance=(("draw", tuple(dealer.deal(state.drawable(move.by), count))),))

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield one move for each seat that has a hero and no hand."""
        for seat in wanted.among(self.preparing(state)):
            waits = state.noted("chosen", seat) and not state.noted("ready", seat)
            if waits and not self.more(state, Move(seat, self.name, {}), {}):
                yield Move(seat, self.name, {})

    name = "keep"


class Mulligan(Keep):
    """`mulligan`: draw a hand, put it back and shuffle the library; the first two cost nothing (STN-DEB-2)."""

    name = "mulligan"

    def more(self, state: State, move: Move, sizes: dict[str, str | int]) -> Reasons:
        """Refuse a mulligan of a hand without cards."""
        return [] if opening_size(state, move.by) else [Violation("STN-DEB-2", {**sizes, "seat": move.by}, why="empty")]

    def run(self, ctx: Context, move: Move) -> None:
        """Note the mulligan: the cards are shuffled back, so only the size of the next hand may change."""
        ctx.emit("note", "mulligans", move.by)


class FirstPlayer(StellarVerb):
    """`first_player`: say who starts (STN-DEB-3).

    The winner of a roll chooses, or after an earlier game of the match the player who lost it.
    """

    def parse(self, state: State, entry: Entry) -> Move:
        """Read `args.first`, the starting seat (by default the winner of the roll).

        The table records the roll as the chance `first_player`; the last loser chooses without one. Raises Malformed,
        codes `missing_chance` and `unknown_seat`.
        """
        args = arguments(entry, ("first",))
        chance = entry.chance or ()
        rolled = entry.by == "table" and not (entry.n == 0 and entry.chance is None)
        if [kind for kind, _ in chance] != ["first_player"] * rolled or any(seat not in SEATS for _, seat in chance):
            raise Malformed("missing_chance", "the table rolls who chooses: a chance first_player", path="chance")
        first = args.get("first", chance[0][1] if chance else None)
        if first not in SEATS:
            raise Malformed("unknown_seat", "first is A or B", path="args.first")
        return Move(entry.by, entry.do, {"first": first}, chance if rolled else None)

    def check(self, state: State, move: Move) -> Reasons:
        """Check that it is done once, with both hands kept, by the table or by the last loser."""
        reasons = over(self.game, state) + not_by(move, "table", *SEATS)
        facts = ("turn.phase", "turn.first", "memory.ready", "memory.loser")
        unsaid = [fact for fact in facts if fact in state.unknown]
        why = self.undue(state, move.by, sure=not unsaid)
        if why:
            reasons.append(Violation("STN-DEB-3", {"by": move.by, "chooser": self.chooser(state)}, why=why))
        else:
            reasons += [reason for fact in unsaid for reason in missing("STN-DEB-3", fact)]
        return reasons

    def due(self, state: State, by: str) -> bool:
        """Whether both hands are kept and it is for `by` to say."""
        return by == self.chooser(state) and all(state.noted("ready", seat) for seat in SEATS)

    def undue(self, state: State, by: str, *, sure: bool) -> str:
        """Return the reason of STN-DEB-3 against it: already said, another's choice, or hands not kept; "" if none."""
        if prepared(state) or state.first is not None:
            return "said"
        # `sure` is false where a declared position leaves out a fact this depends on.
        if not sure or self.due(state, by):
            return ""
        return "chooser" if by != self.chooser(state) else "hands"

    def chooser(self, state: State) -> str:
        """Return the last loser, or the table, which rolls."""
        return str(state.memory.get("loser", ["table"])[0])

    def run(self, ctx: Context, move: Move) -> None:
        """Record the starting player; the first turn begins if no hero is hidden."""
        ctx.emit("first", move.args["first"])
        start(ctx)

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """Roll, if it is for the table to roll."""
        return (
            replace(move, chance=(("first_player", dealer.pick(SEATS, "first_player")),))
            if move.by == "table"
            else move
        )

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield either seat, until the starting player is known."""
        if state.result is None and not prepared(state) and state.first is None:
            by = self.chooser(state)
            if wanted.seat(by) is None:
                return
            yield from (Move(by, "first_player", {"first": seat}) for seat in SEATS if self.due(state, by))
