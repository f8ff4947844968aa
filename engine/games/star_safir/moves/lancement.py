"""Phase 1, the start of a turn: draw a card, gain 1 PI, or pay for an empty deck."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from engine.core.effects import force, triggers
from engine.core.effects.hidden_cards import draws, effect_chance, undrawn
from engine.core.effects.host import Stack
from engine.core.effects.interpreter import dealt, resolve
from engine.core.table.chance import Dealer
from engine.core.table.context import Context, deal_top
from engine.core.table.game import Move, Wanted
from engine.core.table.log import Entry
from engine.core.table.state import State
from engine.core.table.verbs import arguments, missing
from engine.core.text.errors import Violation
from engine.games.star_safir.moves.base import Reasons, SafirVerb
from engine.games.star_safir.moves.mat import INVOCATION, LANCEMENT, PI, STARTING, first_turn, gain

EMPTY_DECK_LOSS = 2  # SAF-VIII-2
STARTS = ("start_turn", f"phase:{INVOCATION}")  # triggers that follow the draw


class BeginTurn(SafirVerb):
    """`begin_turn`: phase 1, draw a card and gain 1 PI (SAF-VI.1-1, SAF-VI.1-2)."""

    def due(self, state: State, seat: str) -> int:
        """Return how many cards to draw: none in the very first turn (SAF-V-6) or from an empty deck, else 1."""
        return 1 if state.turn != 1 and state.zones[f"{seat}/deck"] else 0

    def parse(self, state: State, entry: Entry) -> Move:
        """Read the chance: one draw if a card is due, then that of effects; there are no arguments.

        A draw that nobody noted is "?". In a question (`ask`) an entry without chance leaves it open.
        """
        arguments(entry, ())
        if not entry.chance:
            return Move(entry.by, entry.do, {}, None if entry.n == 0 else self.unnoted(state, entry.by))
        if not starting(state):
            return Move(entry.by, entry.do, {}, draws(state, entry, len(entry.chance)))
        noted = effect_chance(state, entry) or ()
        # A log may note the chance of effects and not the draw; the first draw is always that of the turn.
        own = () if noted[0][0] == "draw" else self.unnoted(state, entry.by)
        return Move(entry.by, entry.do, {}, (*own, *noted))

    def unnoted(self, state: State, seat: str) -> tuple[tuple[str, Any], ...]:
        """Return the draw of a turn whose log does not note it: an unknown card, if one is due."""
        # Without these two facts nobody knows whether a card is due.
        unsaid = "turn.n" in state.unknown or f"{seat}/deck" in state.unknown
        if unsaid or self.turn(state, Move(seat, "begin_turn", {}), STARTING):
            return ()
        return (("draw", ("?",)),) * self.due(state, seat)

    def check(self, state: State, move: Move) -> Reasons:
        """Check the moment, and that exactly the cards due are drawn."""
        reasons = self.turn(state, move, STARTING)
        if reasons or move.chance is None:
            return reasons
        draws_due = self.own(state, move)[0]
        refs = draws_due[0] if len(draws_due) == 1 else [ref for draw in draws_due for ref in draw]
        own = ("turn.n", f"{move.by}/deck")
        unsaid = [fact for fact in state.unknown if fact in own] if state.unknown else ()
        if state.turn == 1 and refs:
            reasons.append(Violation("SAF-V-6"))
        elif unsaid and len(refs) < 2:
            for fact in unsaid:
                reasons += missing("SAF-VI.1-1", fact)
        elif not unsaid and len(refs) > (deck := len(state.zones[f"{move.by}/deck"])):
            reasons.append(Violation("LOG-deck", {"count": len(refs), "deck": deck}))
        elif unsaid:
            reasons.append(Violation("SAF-VI.1-1"))
        elif len(refs) != (due := self.due(state, move.by)):
            reasons.append(Violation("SAF-VI.1-1", {"count": len(refs), "due": due}, why="count"))
        return reasons + undrawn(state, move.by, refs) if refs else reasons

    def run(self, ctx: Context, move: Move) -> None:
        """Draw, gain or lose PI, then resolve the effects for the start of a turn.

        Whether the deck counts as empty (SAF-VIII-2) is read before or after the draw, by I-SAF-06.
        """
        state, seat = ctx.state, move.by
        deck = state.zones[f"{seat}/deck"]
        dry = not deck
        draws_due, others = self.own(state, move)
        for refs in draws_due:
            ctx.draw(seat, refs)
        # The last card was just drawn: the one case in which the two options of I-SAF-06 differ.
        if not dry and not deck:
            ctx.depend_on("I-SAF-06")
            dry = state.terms.options["I-SAF-06"] == "after"
        ctx.emit("turn", state.turn, seat, INVOCATION)
        if dry:
            ctx.emit("note", "dry", seat)
            self.lose(ctx, seat)
        # No gain in a player's own first turn (SAF-V-4).
        elif not first_turn(state):
            gain(ctx, PI[seat], 1)
        if others or starting(state) or ctx.window:
            stack = Stack(ctx)
            # Frames are a stack: what is pushed last is resolved first.
            for on in reversed(STARTS):
                triggers.turn_event(stack, on, seat)
            self.answerable(stack, seat)
            resolve(ctx, Move(seat, move.do, move.args, others), started=stack)

    def own(self, state: State, move: Move) -> tuple[list[Sequence[str]], tuple[tuple[str, Any], ...]]:
        """Split the chance of the move into the draws of the turn itself and what is left for effects.

        If no effect can act at the start of a turn, all of it belongs to the turn.
        """
        chance = move.chance or ()
        first: list[Sequence[str]] = []
        if chance:
            count = self.due(state, move.by) if starting(state) else len(chance)
            for kind, value in chance[:count]:
                if kind == "draw":
                    first.append(value)
        return first, chance[len(first) :]

    def lose(self, ctx: Context, seat: str) -> None:
        """Take the PI for an empty deck, down to 0; with I-SAF-04 `refuse`, leave a larger loss to a ruling."""
        pi = ctx.state.counters[PI[seat]]
        loss = min(EMPTY_DECK_LOSS, pi)
        if loss < EMPTY_DECK_LOSS:
            ctx.depend_on("I-SAF-04")
            if ctx.state.terms.options["I-SAF-04"] == "refuse":
                ctx.doubt("SAF-VIII-2")
                return
        if loss:
            ctx.emit("counter", PI[seat], -loss)

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """Deal the card due, if any, and the chance of the effects for the start of a turn."""
        count = self.due(state, move.by)
        move = replace(move, chance=(("draw", deal_top(state, move.by, 1, dealer)),) if count else ())
        if not starting(state):
            return move
        tried = dealt(self.run, state, move, dealer)
        return move if tried is move else replace(move, chance=(*(move.chance or ()), *(tried.chance or ())))

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield the one move at the start of a turn."""
        seat = wanted.seat(state.seat)
        if state.phase == LANCEMENT and state.result is None and seat is not None:
            yield Move(seat, "begin_turn", {})


def starting(state: State) -> bool:
    """Whether a card in force acts at the start of a turn."""
    return force.any_acting(state, "triggers", STARTS)
