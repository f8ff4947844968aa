"""The set-up and the start of a turn: who begins, the leaders and their hands, untapping and the draw."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.core.context import Context, deal_top
from engine.core.errors import Malformed, Violation
from engine.core.game import Dealer, Move
from engine.core.hidden import drawn, draws, noted_draw, undrawn
from engine.core.log import Entry
from engine.core.state import State
from engine.core.verbs import arguments, card_ref, not_by, over
from engine.games.wakfu.moves.base import Reasons, WakfuVerb, unknown, untimely
from engine.games.wakfu.moves.mat import (
    DECK,
    DEGAGEMENT,
    ENGAGED,
    INVOCATION,
    LEADER,
    OTHER,
    PREPARATION,
    SEATS,
    leads,
    unmark,
)

SEVEN = 7  # I-WAK-14


class FirstPlayer(WakfuVerb):
    """`first_player`, by the table: chance says who goes first."""

    def parse(self, state: State, entry: Entry) -> Move:
        """No arguments; one recorded chance `first_player`."""
        arguments(entry, ())
        chance = entry.chance or ()
        if len(chance) != 1 or chance[0][0] != "first_player" or chance[0][1] not in SEATS:
            raise Malformed("missing_chance", "first_player needs its recorded chance: A or B", path="chance")
        return Move(entry.by, entry.do, {}, chance)

    def check(self, state: State, move: Move) -> Reasons:
        """Once, before the first turn."""
        reasons = over(self.game, state) + not_by(move, "table")
        unsaid = unknown(state, "WAK-PHA-1", "turn.phase", "turn.first")
        if not unsaid and (state.phase != PREPARATION or state.first is not None):
            reasons.append(untimely(state, move.by, "started" if state.phase != PREPARATION else "chosen"))
        return reasons + unsaid

    def run(self, ctx: Context, move: Move) -> None:
        """Records who goes first; the first turn begins where both leaders are there."""
        ctx.emit("first", (move.chance or ())[0][1])
        begin(ctx)

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """A coin."""
        return replace(move, chance=(("first_player", dealer.pick(SEATS)),))

    def candidates(self, state: State) -> Iterator[Move]:
        """One, until it is done."""
        if state.phase == PREPARATION and state.first is None:
            yield Move("table", "first_player", {})


class Leader(WakfuVerb):
    """`leader`: the registered leader in its place, and the opening hand (WAK-LEA-1, I-WAK-14)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """`args.card`: the leader's ref; one draw, of unknown cards where it is left out (open in a question)."""
        args = arguments(entry, ("card",), ("card",))
        ref = card_ref(state, args["card"], "args.card")
        asked = entry.n == 0 and entry.chance is None
        due = self.due(state, entry.by) if entry.by in SEATS else 0
        return Move(entry.by, entry.do, {"card": ref}, None if asked else noted_draw(state, entry, due))

    def check(self, state: State, move: Move) -> Reasons:
        """Once a seat, the leader of the list, as many cards as the hand begins with."""
        reasons = over(self.game, state) + not_by(move, *SEATS)
        if move.by not in SEATS:
            return reasons
        zones = (LEADER[move.by], DECK[move.by])
        unsaid = unknown(state, "WAK-LEA-1", "turn.phase", "memory.ready", *zones)
        if unsaid:
            return reasons + unsaid
        if state.phase != PREPARATION or state.noted("ready", move.by):
            reasons.append(untimely(state, move.by, "started" if state.phase != PREPARATION else "ready"))
        if move.args["card"] not in [state.refs[obj] for obj in state.zones[LEADER[move.by]]]:
            return [*reasons, Violation("WAK-LEA-1", {"card": move.args["card"], "seat": move.by}, why="list")]
        refs = drawn(move)[0] if move.chance is not None else ()
        due = self.due(state, move.by)
        if move.chance is not None and len(refs) != due:
            args: dict[str, str | int] = {"seat": move.by, "count": len(refs), "max": due}
            reasons.append(Violation("WAK-CAR-PA", args, ("I-WAK-14",), why="opening"))
        return reasons + undrawn(state, move.by, refs)

    def due(self, state: State, seat: str) -> int:
        """The size of an opening hand."""
        size = SEVEN if state.terms.options["I-WAK-14"] == "seven" else leads(state, seat, "pa")
        return min(size, len(state.zones[DECK[seat]]))

    def run(self, ctx: Context, move: Move) -> None:
        """Draws; when both seats are ready the first turn begins."""
        ctx.lean("I-WAK-14")
        ctx.draw(move.by, drawn(move)[0])
        ctx.emit("note", "ready", move.by)
        begin(ctx)

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """The opening hand."""
        count = self.due(state, move.by)
        return replace(move, chance=(("draw", deal_top(state, move.by, count, dealer)),))

    def candidates(self, state: State) -> Iterator[Move]:
        """One for each seat that is not ready."""
        for seat in SEATS if state.phase == PREPARATION else ():
            for obj in state.zones[LEADER[seat]]:
                if not state.noted("ready", seat):
                    yield Move(seat, "leader", {"card": state.refs[obj]})


def begin(ctx: Context) -> None:
    """The first turn, once both leaders and the first player are known."""
    state = ctx.state
    if state.first is not None and all(state.noted("ready", seat) for seat in SEATS):
        ctx.emit("wipe", ("ready",))
        ctx.emit("turn", 1, state.first, DEGAGEMENT)


class BeginTurn(WakfuVerb):
    """`begin_turn`: untap, then draw one card or lose (WAK-1-1, WAK-VIC-1)."""

    def due(self, state: State, seat: str) -> int:
        """How many cards are to be drawn: none from an empty deck, nor where I-WAK-14 skips the first draw."""
        skipped = state.turn == 1 and state.terms.options["I-WAK-14"] == "skip"
        return 0 if skipped else min(1, len(state.zones[DECK[seat]]))

    def parse(self, state: State, entry: Entry) -> Move:
        """No arguments; one draw where a card is due, of an unknown card where it is left out (open in a question)."""
        arguments(entry, ())
        if entry.chance is not None:
            return Move(entry.by, entry.do, {}, draws(state, entry, len(entry.chance)))
        if entry.n == 0:
            return Move(entry.by, entry.do, {}, None)
        sure = entry.by in SEATS and not unknown(state, "WAK-1-1", "turn.n", DECK[entry.by])
        due = self.due(state, entry.by) if sure else 0
        return Move(entry.by, entry.do, {}, (("draw", ("?",)),) if due else ())

    def check(self, state: State, move: Move) -> Reasons:
        """The moment, and exactly the card that is due."""
        reasons = self.moment(state, move, DEGAGEMENT, late="begun")
        if reasons or move.chance is None:
            return reasons
        refs = [ref for draw in drawn(move) for ref in draw]
        unsaid = unknown(state, "WAK-1-1", "turn.n", DECK[move.by])
        deck = len(state.zones[DECK[move.by]])
        if len(refs) > 1:
            reasons.append(Violation("WAK-1-1", {"seat": move.by}, why="many"))
        elif unsaid:
            reasons += unsaid
        elif len(refs) > deck:
            reasons.append(Violation("LOG-deck", {"count": len(refs), "deck": deck}))
        elif len(refs) != self.due(state, move.by):
            leans, why = ("I-WAK-14",) if state.turn == 1 else (), "first" if refs else "due"
            reasons.append(Violation("WAK-1-1", {"seat": move.by}, leans, why=why))
        return reasons + undrawn(state, move.by, refs)

    def run(self, ctx: Context, move: Move) -> None:
        """Untaps what the seat has in play, draws, or ends the game."""
        state, seat = ctx.state, move.by
        if state.turn == 1:
            ctx.lean("I-WAK-14")
        for obj in list(state.marks):
            if state.where[obj].startswith(f"{seat}/"):
                unmark(ctx, obj, ENGAGED)
        ctx.emit("turn", state.turn, seat, INVOCATION)
        if not drawn(move) and not state.zones[DECK[seat]] and self.owed(state):
            ctx.emit("end", OTHER[seat], "deck", "WAK-VIC-1")
        for refs in drawn(move):
            ctx.draw(seat, refs)

    def owed(self, state: State) -> bool:
        """Whether this turn has a draw at all."""
        return not (state.turn == 1 and state.terms.options["I-WAK-14"] == "skip")

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """The card due, if one is."""
        count = self.due(state, move.by)
        return replace(move, chance=(("draw", deal_top(state, move.by, 1, dealer)),) if count else ())

    def candidates(self, state: State) -> Iterator[Move]:
        """One, at the start of a turn."""
        if state.phase == DEGAGEMENT and state.seat is not None:
            yield Move(state.seat, "begin_turn", {})
