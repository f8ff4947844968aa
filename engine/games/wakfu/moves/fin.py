"""Phase 8, the end of the turn: `discard` for the surplus of the hand, then `end_turn`."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.effects import force, triggers
from engine.core.effects.hidden_cards import effect_chance, held, possible
from engine.core.effects.host import Stack
from engine.core.effects.interpreter import resolve
from engine.core.table.agenda import Frame
from engine.core.table.context import Context
from engine.core.table.game import Move, Wanted
from engine.core.table.log import Entry
from engine.core.table.state import State
from engine.core.table.verbs import arguments, card_ref, in_hand, no_chance, not_by, over
from engine.core.text.errors import Violation
from engine.games.wakfu.effects.host import HOST
from engine.games.wakfu.moves.base import Acting, Reasons, WakfuVerb, must_discard, too_many, unknown
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
    """`discard`: discard one card from a hand above the PA (WAK-CAR-PA); this begins the end of turn (I-WAK-13)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """Read `args.card`: a ref."""
        no_chance(entry)
        return Move(
            entry.by, entry.do, {"card": card_ref(state, arguments(entry, ("card",), ("card",))["card"], "args.card")}
        )

    def check(self, state: State, move: Move) -> Reasons:
        """Check that the hand is above its limit, and that it is the end of the turn or I-WAK-13 asks for it now."""
        if move.by not in SEATS:
            return over(self.game, state) + not_by(move, *SEATS)
        reasons = self.timely(state, move)
        unsaid = unknown(state, "WAK-CAR-PA", HAND[move.by], LEADER[move.by])
        if not unsaid and not surplus(state, move.by):
            reasons.append(too_many(state, move.by))
        return reasons + unsaid + held(state, move.by, move.args["card"])

    def timely(self, state: State, move: Move) -> Reasons:
        """Return why it is not the moment."""
        # I-WAK-13 `always`: the surplus goes at once, in any phase and also in the opponent's turn.
        if move.by in must_discard(state) and not state.agenda:
            return over(self.game, state)
        return self.moment(state, move, *CALM)

    def run(self, ctx: Context, move: Move) -> None:
        """Move the card to the discard."""
        state, ref = ctx.state, move.args["card"]
        ctx.depend_on("I-WAK-13")
        obj, named = in_hand(state, move.by, ref)
        assert obj is not None, "checked"
        if not named:
            ctx.emit("name", obj, ref)
        ctx.emit("move", obj, f"{move.by}/discard", -1)
        if state.terms.options["I-WAK-13"] == "end" and state.phase != FIN:
            ctx.emit("turn", state.turn, state.seat, FIN)

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield each card that is or may be in a hand above its limit."""
        for seat in wanted.among(SEATS):
            if surplus(state, seat) and not self.timely(state, Move(seat, "discard", {})):
                yield from (Move(seat, "discard", {"card": ref}) for ref in possible(state, seat))


class EndTurn(Acting):
    """`end_turn`: the active player declares the end of the turn (WAK-8-1)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """Read an entry without arguments; its chance is that of effects."""
        return Move(entry.by, entry.do, dict(arguments(entry, ())), effect_chance(state, entry))

    def check(self, state: State, move: Move) -> Reasons:
        """Check that it is the active player's turn, that no combat is under way and that the hand is within the PA."""
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
        if not unsaid and surplus(state, move.by) and not must_discard(state):
            reasons.append(too_many(state, move.by))
        return reasons + unsaid

    def run(self, ctx: Context, move: Move) -> None:
        """Resolve the effects for the end of the turn, then pass the turn."""
        # No effect in force: skip the stack of frames, as most turns can.
        if force.quiet(ctx.state) and not move.chance:
            pass_turn(ctx, move.by)
            return
        stack = Stack(ctx)
        stack.push({"step": "pass_turn", "seat": move.by})
        triggers.turn_event(stack, "end_turn", move.by)
        resolve(ctx, move, started=stack)

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield one move, if nothing has to be done first."""
        seat = wanted.seat(state.seat)
        if state.phase in CALM and seat is not None and not surplus(state, seat):
            yield Move(seat, "end_turn", {})


def pass_turn(ctx: Context, seat: str) -> None:
    """Forget what was noted of this turn, and begin the opponent's."""
    ctx.emit("wipe", TURN_NOTES)
    unmark_all(ctx, SICK)
    ctx.emit("turn", ctx.state.turn + 1, OTHER[seat], DEGAGEMENT)


def _pass_turn_step(stack: Stack, frame: Frame) -> None:
    """Pass the turn once its last effects have resolved, ending what lasted until then."""
    force.lapse(stack, "turn")
    pass_turn(stack.ctx, frame["seat"])


HOST.steps["pass_turn"] = _pass_turn_step
