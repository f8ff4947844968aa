"""Phase 4, the end of a turn: PV and PI from comparing VALEUR in each territory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.core.effects import force, triggers, values
from engine.core.effects.hidden_cards import effect_chance
from engine.core.effects.host import Stack
from engine.core.effects.interpreter import dealt, resolve
from engine.core.table.agenda import Frame
from engine.core.table.chance import Dealer
from engine.core.table.context import Context
from engine.core.table.game import Move, Wanted
from engine.core.table.log import Entry
from engine.core.table.state import State
from engine.core.table.verbs import arguments
from engine.games.star_safir.effects import moments
from engine.games.star_safir.effects.host import HOST
from engine.games.star_safir.moves.base import Reasons, SafirVerb
from engine.games.star_safir.moves.mat import (
    ACTING,
    FIGHTERS,
    LANCEMENT,
    OTHER,
    PI,
    PV,
    THREE,
    TURN_NOTES,
    first_turn,
    gain,
)

# (PV, PI) of one territory (SAF-VI.4-3, SAF-VI.4-4). "absent" is dominated with no fighter or token of one's own there.
SCALE = {"dominating": (2, 1), "level": (1, 1), "dominated": (1, 2), "absent": (0, 1), "empty": (0, 0)}

Worth = Mapping[int, int]  # VALEUR by object


class EndTurn(SafirVerb):
    """`end_turn`: phase 4, gain PV and PI by comparing VALEUR in each territory (SAF-VI.4)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """Read the chance of effects; there are no arguments."""
        arguments(entry, ())
        return Move(entry.by, entry.do, {}, effect_chance(state, entry))

    def check(self, state: State, move: Move) -> Reasons:
        """Check that it is the player's own phase 2 or 3."""
        return self.turn(state, move, ACTING)

    def run(self, ctx: Context, move: Move) -> None:
        """Resolve the effects for the end of the turn and the calculation, in the order of I-SAF-33."""
        state = ctx.state
        if force.quiet(state) and not move.chance and not ctx.window:
            score(ctx, move.by)
            pass_turn(ctx, move.by)
            return
        stack = Stack(ctx)
        late = state.terms.options["I-SAF-33"] == "after"
        # Frames are a stack, so the order of resolution is from right to left.
        for step in ("passing", "closing", "calcul") if late else ("passing", "calcul", "closing"):
            stack.push({"step": step, "seat": move.by})
        self.answerable(stack, move.by)
        resolve(ctx, move, started=stack)

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """Deal the chance of the effects it triggers."""
        return dealt(self.run, state, move, dealer)

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield the one move, from phase 2 on."""
        seat = wanted.seat(state.seat)
        if state.phase in ACTING and state.result is None and seat is not None:
            yield Move(seat, "end_turn", {})


def score(ctx: Context, seat: str) -> None:
    """Gain the PV and PI of the calculation; none in a player's own first turn (SAF-V-5)."""
    state = ctx.state
    if first_turn(state):
        return
    worth = None if force.quiet(state) else worths(ctx)
    pvs = pis = 0
    for territory in THREE:
        pv, pi = SCALE[standing(ctx, seat, territory, worth)]
        pvs += pv
        pis += pi
    gain(ctx, PV[seat], pvs)
    gain(ctx, PI[seat], allowed(ctx, seat, pis))


def pass_turn(ctx: Context, seat: str, stack: Stack | None = None) -> None:
    """Pass the turn; notes about it are cleared and effects that lasted until now end."""
    state = ctx.state
    # Without a stack nothing was in force, so nothing can end.
    if stack is not None:
        force.lapse(stack, "turn")
    ctx.emit("wipe", TURN_NOTES)
    ctx.emit("turn", state.turn + 1, OTHER[seat], LANCEMENT)
    if stack is not None:
        force.lapse_for(stack, "until:start_turn", OTHER[seat])


def standing(ctx: Context, seat: str, territory: int, worth: Worth | None) -> str:
    """Return the row of `SCALE` that a territory is in for a seat; I-SAF-03 reads what matches no row."""
    mine, my_value = strength(ctx.state, FIGHTERS[seat, territory], worth)
    theirs, their_value = strength(ctx.state, FIGHTERS[OTHER[seat], territory], worth)
    if my_value > their_value:
        return "dominating"
    if my_value < their_value:
        return "dominated" if mine else "absent"
    if mine and theirs:
        return "level"
    if not mine and not theirs:
        return "empty"
    # Equal sums with one side empty: the VALEUR of the other side adds up to 0.
    ctx.depend_on("I-SAF-03")
    return "level" if ctx.state.terms.options["I-SAF-03"] == "level" else "empty"


def allowed(ctx: Context, seat: str, points: int) -> int:
    """Return the PI of the calculation that an empty deck still lets a player gain (I-SAF-05)."""
    if not points or not ctx.state.noted("dry", seat):
        return points
    ctx.depend_on("I-SAF-05")
    return 0 if ctx.state.terms.options["I-SAF-05"] == "all" else points


def worths(ctx: Context) -> Worth:
    """Return the VALEUR of all fighters and tokens, by object (SAF-VI.4-2); record any below 0 (I-SAF-21)."""
    zones = ctx.state.zones
    there = [obj for row in FIGHTERS.values() for path in row for obj in zones[path]]
    values.depend_on_floor(ctx, there, "val")
    moments.depend_on_counts(ctx)
    return dict(zip(there, values.stats(ctx.state, there, "val"), strict=True))


def strength(state: State, slots: Sequence[str], worth: Worth | None) -> tuple[int, int]:
    """Return how many fighters and tokens are in these slots and the sum of their VALEUR (printed without `worth`)."""
    zones = state.zones
    count = total = 0
    for path in slots:
        there = zones[path]
        if there:
            count += 1
            total += _printed(state, there[0]) if worth is None else worth[there[0]]
    return count, total


def _printed(state: State, obj: int) -> int:
    """Return the VALEUR printed on a card, 0 for an unidentified one."""
    ref = state.refs[obj]
    return 0 if ref is None else state.terms.cards[ref].figures["val"]


def _calcul(stack: Stack, frame: Frame) -> None:
    """Calculate, before or after the last effects (I-SAF-33); a player who wins by it also ends the turn."""
    ctx = stack.ctx
    score(ctx, frame["seat"])
    # The stack drops all other frames once the game is decided, so the turn is passed here.
    if stack.host.decided(ctx.state):
        if any(left["step"] == "closing" for left in stack.frames) and any(triggers.awaiting(ctx.state, "end_turn")):
            ctx.depend_on("I-SAF-33")
        pass_turn(ctx, frame["seat"], stack)


def _closing(stack: Stack, frame: Frame) -> None:
    """Resolve the effects for the end of a turn."""
    before = len(stack.frames)
    triggers.turn_event(stack, "end_turn", frame["seat"])
    # A player's first turn has no calculation, so the order cannot matter (SAF-V-5).
    if len(stack.frames) > before and not first_turn(stack.ctx.state):
        stack.ctx.depend_on("I-SAF-33")


def _passing(stack: Stack, frame: Frame) -> None:
    """End a turn in which nothing is left to do."""
    pass_turn(stack.ctx, frame["seat"], stack)


HOST.steps |= {"calcul": _calcul, "closing": _closing, "passing": _passing}
