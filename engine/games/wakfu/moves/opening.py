"""The set-up and the start of a turn: the first player, the leaders and opening hands, untapping and drawing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.core.effects.hidden_cards import drawn, draws, noted_draw, undrawn
from engine.core.table.chance import Dealer
from engine.core.table.context import Context, deal_top
from engine.core.table.game import Move, Wanted
from engine.core.table.log import Entry
from engine.core.table.state import State
from engine.core.table.verbs import arguments, card_ref, not_by, over
from engine.core.text.errors import Malformed, Violation
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
    """`first_player`: the table records which seat goes first."""

    def parse(self, state: State, entry: Entry) -> Move:
        """Read the one recorded chance, `first_player`. Raises Malformed, code `missing_chance`."""
        arguments(entry, ())
        chance = entry.chance or ()
        if len(chance) != 1 or chance[0][0] != "first_player" or chance[0][1] not in SEATS:
            raise Malformed("missing_chance", "first_player needs its recorded chance: A or B", path="chance")
        return Move(entry.by, entry.do, {}, chance)

    def check(self, state: State, move: Move) -> Reasons:
        """Check that it is done once, before the first turn."""
        reasons = over(self.game, state) + not_by(move, "table")
        unsaid = unknown(state, "WAK-PHA-1", "turn.phase", "turn.first")
        if not unsaid and (state.phase != PREPARATION or state.first is not None):
            reasons.append(untimely(state, move.by, "started" if state.phase != PREPARATION else "chosen"))
        return reasons + unsaid

    def run(self, ctx: Context, move: Move) -> None:
        """Record the first player; the first turn begins if both seats are ready."""
        ctx.emit("first", (move.chance or ())[0][1])
        begin(ctx)

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """Pick one of the two seats."""
        return replace(move, chance=(("first_player", dealer.pick(SEATS, "first_player")),))

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield one move, until the first player is known."""
        if state.phase == PREPARATION and state.first is None and wanted.seat("table"):
            yield Move("table", "first_player", {})


class Leader(WakfuVerb):
    """`leader`: show the registered leader and draw the opening hand (WAK-LEA-1, I-WAK-14)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """Read `args.card`, the leader's ref, and one draw: of unknown cards if none was recorded."""
        args = arguments(entry, ("card",), ("card",))
        ref = card_ref(state, args["card"], "args.card")
        # Entry 0 is a question (`ask`), which may leave chance open.
        open_chance = entry.n == 0 and entry.chance is None
        due = self.due(state, entry.by) if entry.by in SEATS else 0
        return Move(entry.by, entry.do, {"card": ref}, None if open_chance else noted_draw(state, entry, due))

    def check(self, state: State, move: Move) -> Reasons:
        """Check that the seat is not ready yet, that it is the leader of its list, and the size of the hand."""
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
        """Return the size of an opening hand (I-WAK-14)."""
        size = SEVEN if state.terms.options["I-WAK-14"] == "seven" else leads(state, seat, "pa")
        return min(size, len(state.zones[DECK[seat]]))

    def run(self, ctx: Context, move: Move) -> None:
        """Draw the hand; the first turn begins once both seats are ready and the first player is known."""
        ctx.depend_on("I-WAK-14")
        ctx.draw(move.by, drawn(move)[0])
        ctx.emit("note", "ready", move.by)
        begin(ctx)

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """Deal the opening hand."""
        count = self.due(state, move.by)
        return replace(move, chance=(("draw", deal_top(state, move.by, count, dealer)),))

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield one move for each seat that is not ready."""
        for seat in wanted.among(SEATS) if state.phase == PREPARATION else ():
            for obj in state.zones[LEADER[seat]]:
                if not state.noted("ready", seat):
                    yield Move(seat, "leader", {"card": state.refs[obj]})


def begin(ctx: Context) -> None:
    """Begin the first turn, once both seats are ready and the first player is known."""
    state = ctx.state
    if state.first is not None and all(state.noted("ready", seat) for seat in SEATS):
        ctx.emit("wipe", ("ready",))
        ctx.emit("turn", 1, state.first, DEGAGEMENT)


class BeginTurn(WakfuVerb):
    """`begin_turn`: untap, then draw one card or lose (WAK-1-1, WAK-VIC-1)."""

    def due(self, state: State, seat: str) -> int:
        """Return how many cards are due: none from an empty deck, nor if I-WAK-14 skips the first draw."""
        skipped = state.turn == 1 and state.terms.options["I-WAK-14"] == "skip"
        return 0 if skipped else min(1, len(state.zones[DECK[seat]]))

    def parse(self, state: State, entry: Entry) -> Move:
        """Read an entry without arguments; if a card is due and none was recorded, an unknown card is drawn.

        In a question (`ask`) the draw may be left open.
        """
        arguments(entry, ())
        if entry.chance is not None:
            return Move(entry.by, entry.do, {}, draws(state, entry, len(entry.chance)))
        if entry.n == 0:
            return Move(entry.by, entry.do, {}, None)
        sure = entry.by in SEATS and not unknown(state, "WAK-1-1", "turn.n", DECK[entry.by])
        due = self.due(state, entry.by) if sure else 0
        return Move(entry.by, entry.do, {}, (("draw", ("?",)),) if due else ())

    def check(self, state: State, move: Move) -> Reasons:
        """Check the moment, and that exactly the card due was drawn."""
        reasons = self.moment(state, move, DEGAGEMENT, late="begun")
        if reasons or move.chance is None:
            return reasons
        refs = [ref for draw in drawn(move) for ref in draw]
        unsaid = unknown(state, "WAK-1-1", "turn.n", DECK[move.by])
        # The most specific reason is given first: several cards, then an empty deck, then a draw not due.
        deck = len(state.zones[DECK[move.by]])
        if len(refs) > 1:
            reasons.append(Violation("WAK-1-1", {"seat": move.by}, why="many"))
        elif unsaid:
            reasons += unsaid
        elif len(refs) > deck:
            reasons.append(Violation("LOG-deck", {"count": len(refs), "deck": deck}))
        elif len(refs) != self.due(state, move.by):
            depends_on, why = ("I-WAK-14",) if state.turn == 1 else (), "first" if refs else "due"
            reasons.append(Violation("WAK-1-1", {"seat": move.by}, depends_on, why=why))
        return reasons + undrawn(state, move.by, refs)

    def run(self, ctx: Context, move: Move) -> None:
        """Untap the player's cards, then draw, or lose with an empty deck."""
        state, seat = ctx.state, move.by
        if state.turn == 1:
            ctx.depend_on("I-WAK-14")
        for obj in list(state.marks):
            if state.where[obj].startswith(f"{seat}/"):
                unmark(ctx, obj, ENGAGED)
        ctx.emit("turn", state.turn, seat, INVOCATION)
        if not drawn(move) and not state.zones[DECK[seat]] and self.owed(state):
            ctx.emit("end", OTHER[seat], "deck", "WAK-VIC-1")
        for refs in drawn(move):
            ctx.draw(seat, refs)

    def owed(self, state: State) -> bool:
        """Whether this turn has a draw at all (I-WAK-14)."""
        return not (state.turn == 1 and state.terms.options["I-WAK-14"] == "skip")

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """Deal the card that is due, if any."""
        count = self.due(state, move.by)
        return replace(move, chance=(("draw", deal_top(state, move.by, 1, dealer)),) if count else ())

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield one move, at the start of a turn."""
        seat = wanted.seat(state.seat)
        if state.phase == DEGAGEMENT and seat is not None:
            yield Move(seat, "begin_turn", {})
