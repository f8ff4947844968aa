"""Phase 8: the surplus of the hand is discarded, then the turn passes."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.agenda import Frame, Stack
from engine.core.context import Context
from engine.core.effects import force, triggers
from engine.core.effects.interpreter import resolve
from engine.core.errors import Violation
from engine.core.game import Move
from engine.core.hidden import effect_chance, held, possible
from engine.core.log import Entry
from engine.core.state import State
from engine.core.verbs import arguments, card_ref, in_hand, no_chance, not_by, over
from engine.games.wakfu.effects.host import HOST
from engine.games.wakfu.moves.base import Acting, Reasons, WakfuVerb, pressed, too_many, unknown
from engine.games.wakfu.moves.mat import (
    CALM,
    DEGAGEMENT,
    FIN,
    HAND,
    LEADER,
    OTHER,
    PREPARATION,
    SEATS,
    SICK,
    TURN_NOTES,
    surplus,
    unmark_all,
)


class Discard(WakfuVerb):
    """`discard`: one card of a hand beyond the PA (WAK-CAR-PA); it begins the end of the turn (I-WAK-13)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """`args.card`: a ref."""
        no_chance(entry)
        return Move(
            entry.by, entry.do, {"card": card_ref(state, arguments(entry, ("card",), ("card",))["card"], "args.card")}
        )

    def check(self, state: State, move: Move) -> Reasons:
        """At the end of one's turn, or whenever the limit is passed (I-WAK-13), and only the surplus."""
        if move.by not in SEATS:
            return over(self.game, state) + not_by(move, *SEATS)
        reasons = self.timely(state, move)
        unsaid = unknown(state, "WAK-CAR-PA", HAND[move.by], LEADER[move.by])
        if not unsaid and not surplus(state, move.by):
            reasons.append(too_many(state, move.by))
        return reasons + unsaid + held(state, move.by, move.args["card"])

    def timely(self, state: State, move: Move) -> Reasons:
        """Why it is not the moment."""
        if move.by in pressed(state) and not state.agenda:
            return over(self.game, state)
        return self.moment(state, move, *CALM)

    def run(self, ctx: Context, move: Move) -> None:
        """The card goes to the discard."""
        state, ref = ctx.state, move.args["card"]
        ctx.lean("I-WAK-13")
        obj, named = in_hand(state, move.by, ref)
        assert obj is not None, "checked"
        if not named:
            ctx.emit("name", obj, ref)
        ctx.emit("move", obj, f"{move.by}/discard", -1)
        if state.terms.options["I-WAK-13"] == "end" and state.phase != FIN:
            ctx.emit("turn", state.turn, state.seat, FIN)

    def candidates(self, state: State) -> Iterator[Move]:
        """Every card of a hand beyond its limit."""
        for seat in SEATS:
            if surplus(state, seat) and not self.timely(state, Move(seat, "discard", {})):
                yield from (Move(seat, "discard", {"card": ref}) for ref in possible(state, seat))


class EndTurn(Acting):
    """`end_turn`: the player declares the end of the turn (WAK-8-1)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """No arguments; the chance of effects."""
        return Move(entry.by, entry.do, dict(arguments(entry, ())), effect_chance(state, entry))

    def check(self, state: State, move: Move) -> Reasons:
        """By the active player, outside of a combat, with no more cards in hand than PA."""
        reasons = over(self.game, state)
        if state.agenda:
            reasons.append(Violation("LOG-pending", {"seat": state.agenda[-1]["ask"]["by"]}))
        if move.by not in SEATS:
            return reasons + not_by(move, *SEATS)
        reasons += self.kept_hand(state)
        wrong_seat = move.by != state.seat and "turn.seat" not in state.unknown
        if wrong_seat or (state.phase not in CALM and "turn.phase" not in state.unknown):
            why = {PREPARATION: "setup"}.get(state.phase, "turn" if wrong_seat else "combat")
            why = "start" if state.phase == DEGAGEMENT and not wrong_seat else why
            return [*reasons, Violation("WAK-8-1", {"seat": state.seat or "-"}, why=why)]
        reasons += unknown(state, "WAK-8-1", "turn.seat", "turn.phase")
        unsaid = unknown(state, "WAK-CAR-PA", HAND[move.by], LEADER[move.by])
        if not unsaid and surplus(state, move.by) and not pressed(state):
            reasons.append(too_many(state, move.by))
        return reasons + unsaid

    def run(self, ctx: Context, move: Move) -> None:
        """The effects for the end of the turn, then the turn passes."""
        if force.quiet(ctx.state) and not move.chance:
            pass_turn(ctx, move.by)
            return
        stack = Stack(ctx)
        stack.push({"step": "pass_turn", "seat": move.by})
        triggers.turn_event(stack, "end_turn", move.by)
        resolve(ctx, move, started=stack)

    def candidates(self, state: State) -> Iterator[Move]:
        """One, where nothing is left to do first."""
        if state.phase in CALM and state.seat is not None and not surplus(state, state.seat):
            yield Move(state.seat, "end_turn", {})


def pass_turn(ctx: Context, seat: str) -> None:
    """What was of this turn is forgotten; the opponent's begins."""
    ctx.emit("wipe", TURN_NOTES)
    unmark_all(ctx, SICK)
    ctx.emit("turn", ctx.state.turn + 1, OTHER[seat], DEGAGEMENT)


def _pass_turn_step(stack: Stack, frame: Frame) -> None:
    """The end of a turn whose last effects are resolved; what lasted until then ends."""
    force.lapse(stack, "turn")
    pass_turn(stack.ctx, frame["seat"])


HOST.steps["pass_turn"] = _pass_turn_step
