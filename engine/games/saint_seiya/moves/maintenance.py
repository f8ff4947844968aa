"""The end of a turn: cards discarded from hand, then maintenance in its six steps (I-SSD-03)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from engine.core.effects import force, triggers
from engine.core.effects.hidden_cards import effect_chance, held, possible
from engine.core.effects.host import Stack
from engine.core.effects.interpreter import resolve
from engine.core.effects.knowledge import name
from engine.core.table.agenda import Frame
from engine.core.table.context import Context, deal
from engine.core.table.game import Move, Wanted
from engine.core.table.log import Entry
from engine.core.table.state import COMMON, State
from engine.core.table.verbs import arguments, card_ref, in_hand, no_chance
from engine.core.text.errors import Malformed
from engine.games.saint_seiya.effects.host import TURN_STEPS
from engine.games.saint_seiya.moves.base import Reasons, SeiyaVerb, active, unknown
from engine.games.saint_seiya.moves.mat import (
    ENTRETIEN,
    LAST,
    PRINCIPALE,
    RESERVE,
    TERRAIN,
    TURN_MARKS,
    arrive,
    depend_on_reserve,
    draw,
    moved,
    next_seat,
    own_effect,
    put,
    remove,
    unmark,
)
from engine.games.saint_seiya.moves.opening import HAND


class DiscardHand(SeiyaVerb):
    """`discard_hand`: discard one card from hand; this begins maintenance (I-SSD-03, SSD-MAIN-1)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """Read `args.card`: a ref."""
        no_chance(entry)
        args = arguments(entry, ("card",), ("card",))
        return Move(entry.by, entry.do, {"card": card_ref(state, args["card"], "args.card")}, ())

    def check(self, state: State, move: Move) -> Reasons:
        """Check that it is the player's own turn, and that the card is in hand."""
        reasons = self.moment(state, move, PRINCIPALE, ENTRETIEN)
        return reasons + held(state, move.by, move.args["card"]) if move.by in state.terms.seats else reasons

    def run(self, ctx: Context, move: Move) -> None:
        """Discard the card; nothing can be played any more this turn."""
        state = ctx.state
        obj, named = in_hand(state, move.by, move.args["card"])
        assert obj is not None, "checked"
        if not named:
            ctx.emit("name", obj, move.args["card"])
        ctx.emit("move", obj, f"{move.by}/discard", -1)
        if state.phase != ENTRETIEN:
            ctx.emit("turn", state.turn, state.seat, ENTRETIEN)

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield every card that is, or may be, in hand."""
        seat = wanted.seat(active(state, PRINCIPALE, ENTRETIEN))
        if seat is not None:
            yield from (Move(seat, "discard_hand", {"card": ref}) for ref in possible(state, seat))


class EndTurn(SeiyaVerb):
    """`end_turn`: maintenance, whose draws and revealed cards are its chance; then the next player's turn."""

    def parse(self, state: State, entry: Entry) -> Move:
        """Read the chance; there are no arguments."""
        return Move(entry.by, entry.do, dict(arguments(entry, ())), effect_chance(state, entry))

    def check(self, state: State, move: Move) -> Reasons:
        """Check that it is the player's own turn, and that the piles that maintenance reads are known."""
        reasons = self.moment(state, move, PRINCIPALE, ENTRETIEN)
        if move.by not in state.terms.seats:
            return reasons
        piles = [f"{move.by}/{zone}" for zone in ("hand", "deck", "discard", "play")]
        return reasons + unknown(state, "SSD-MAIN-2", *piles, RESERVE, *TERRAIN)

    def run(self, ctx: Context, move: Move) -> None:
        """Push the first step of maintenance, which leads to the others."""
        ctx.depend_on("I-SSD-03")
        stack = Stack(ctx)
        stack.push({"step": "entretien", "seat": move.by})
        resolve(ctx, move, started=stack)

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield the one move of the player in turn."""
        seat = wanted.seat(active(state, PRINCIPALE, ENTRETIEN))
        if seat is not None:
            yield Move(seat, "end_turn", {})


def due(state: State, seat: str) -> int:
    """Return how many cards a seat draws at the end of its turn (I-SSD-04, SSD-MAIN-1)."""
    lacking = HAND - len(state.zones[f"{seat}/hand"])
    return max(lacking, 1 if state.terms.options["I-SSD-04"] == "one" else 0)


def _entretien_step(stack: Stack, frame: Frame) -> None:
    """Steps 1 to 3: discard played cards, draw, and remove the last card of the terrain."""
    ctx, state, seat = stack.ctx, stack.ctx.state, str(frame["seat"])
    for obj in list(state.zones[f"{seat}/play"]):
        put(stack, obj, f"{seat}/discard")
    # Armour and relics stay in play, but not the marks of this turn nor what they faced.
    for zone in ("armour", "relics"):
        for obj in state.zones[f"{seat}/{zone}"]:
            unmark(ctx, obj, *TURN_MARKS)
            if obj in state.hosts:
                ctx.emit("attach", obj, None)
    if len(state.zones[f"{seat}/hand"]) >= HAND:
        ctx.depend_on("I-SSD-04")
    draw(ctx, seat, due(state, seat))
    # The later steps go below: a Sortie that `remove` sets off resolves before the terrain shifts.
    triggers.push(stack, [{"step": "shift"}, {"step": "fill"}, {"step": "pass_turn", "seat": seat}])
    if state.terms.options["I-SSD-03"] == "official":
        for obj in list(state.zones[LAST]):
            remove(stack, obj)


def _shift_step(stack: Stack, frame: Frame) -> None:
    """Step 4: shift the terrain to the right; cards that confront one of its cards follow it (I-SSD-08)."""
    ctx, state = stack.ctx, stack.ctx.state
    there = [obj for slot in reversed(TERRAIN) for obj in state.zones[slot]]
    for obj, slot in zip(there, reversed(TERRAIN), strict=False):
        if state.where[obj] == slot:
            continue
        moved(ctx, obj)
        ctx.emit("move", obj, slot, -1)


def _fill_step(stack: Stack, frame: Frame) -> None:
    """Step 5: fill empty slots from right to left, interrupted by each Arrivée (SSD-COM-1).

    An effect may fill one `slot` alone.
    """
    ctx, state = stack.ctx, stack.ctx.state
    slots = TERRAIN if frame.get("slot") is None else (str(frame["slot"]),)
    while state.zones[RESERVE] and (empty := [slot for slot in slots if not state.zones[slot]]):
        obj = state.zones[RESERVE][-1]
        refs = ctx.chance("reveal", "a card of the reserve", partial(deal, state, COMMON, [obj], kind="reveal"), ("?",))
        # A replayed log must name the card, except where the chance is left open (`supply` is None).
        if len(refs) != 1 or (refs[0] == "?" and ctx.supply is not None):
            raise Malformed("missing_chance", "reveal: one card of the reserve, by name", path="chance")
        ctx.emit("move", obj, empty[-1], -1)
        name(ctx, obj, refs[0])
        arrive(ctx, obj)
        frames = own_effect(state, obj, state.seat or COMMON, "arrivée")
        if frames:
            # An Arrivée may empty other slots, so filling starts again from the right once it has resolved.
            triggers.push(stack, [*frames, frame])
            return
    depend_on_reserve(ctx)


def _pass_step(stack: Stack, frame: Frame) -> None:
    """Step 6: end what lasts for the turn, and pass the turn to the next player."""
    state = stack.ctx.state
    force.lapse(stack, "turn")
    stack.ctx.emit("turn", state.turn + 1, next_seat(state, str(frame["seat"])), PRINCIPALE)


TURN_STEPS.update(entretien=_entretien_step, shift=_shift_step, fill=_fill_step, pass_turn=_pass_step)
