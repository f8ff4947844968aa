"""A turn and its six phases (STN-PHA-1): `begin_turn`, `end_phase`, `end_turn`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.core.effects import force, triggers
from engine.core.effects.destruction import batch
from engine.core.effects.hidden_cards import effect_chance
from engine.core.effects.host import Stack
from engine.core.effects.interpreter import resolve
from engine.core.table.agenda import Frame
from engine.core.table.chance import Dealer
from engine.core.table.context import Context, deal_top
from engine.core.table.game import Move, Wanted
from engine.core.table.log import Entry
from engine.core.table.state import State, readable
from engine.core.table.verbs import arguments, card_ref, missing
from engine.core.text.errors import Malformed, Violation
from engine.games.stellar_nexus.effects.host import HOST
from engine.games.stellar_nexus.effects.operations import wither_soon
from engine.games.stellar_nexus.mat import (
    ATTAQUE,
    DECK,
    DESENGAGEMENT,
    MARKER,
    OTHER,
    PHASES,
    PILE,
    PIOCHE,
    RESOURCES,
    SEATS,
    TURN_NOTES,
    exile,
    exile_tokens,
    on_field,
    restore,
    untap,
    worn_out,
)
from engine.games.stellar_nexus.moves.base import Reasons, StellarVerb
from engine.games.stellar_nexus.moves.drawing import misdrawn, misplaced, resources_left
from engine.games.stellar_nexus.moves.pile import begun
from engine.games.stellar_nexus.vocabulary import JETON


class BeginTurn(StellarVerb):
    """`begin_turn`: draw a card of the library; one resource goes straight from its pile to the field (STN-DEB-4)."""

    late = "begun"

    def parse(self, state: State, entry: Entry) -> Move:
        """Read the chance: `draw` for the card, `resource` for the resource, "?" where it was not recorded.

        Raises Malformed, code `unknown_chance` or `unknown_card`.
        """
        arguments(entry, ())
        # Entry 0 is a question (`ask`), which may leave chance open.
        if entry.n == 0 and entry.chance is None:
            return Move(entry.by, entry.do, {})
        chance = entry.chance or ()
        kinds = [kind for kind, _ in chance]
        if kinds not in ([], ["draw"], ["resource"], ["draw", "resource"]):
            raise Malformed("unknown_chance", "a turn begins with a draw, then a resource", path="chance")
        for index, (kind, refs) in enumerate(chance):
            for ref in refs:
                if ref != "?":
                    card_ref(state, ref, f"chance[{index}].{kind}")
        return Move(entry.by, entry.do, {}, self.filled(state, entry.by, dict(chance)))

    def filled(self, state: State, seat: str, noted: Mapping[str, Sequence[str]]) -> tuple[tuple[str, Any], ...]:
        """Return the recorded chance, with "?" for each card that is due and was not recorded."""
        known = seat in SEATS and "turn.n" not in state.unknown
        count = self.cards(state, seat) if known and DECK[seat] not in state.unknown else 0
        due = self.resources(state, seat) if known and not {DECK[seat], PILE[seat]} & {*state.unknown} else 0
        found = {"draw": noted.get("draw", ("?",) * count), "resource": noted.get("resource", ("?",) * due)}
        return tuple((kind, refs) for kind, refs in found.items() if refs)

    def check(self, state: State, move: Move) -> Reasons:
        """Check the moment, and that exactly the cards due were drawn."""
        reasons = self.moment(state, move, state.seat, (DESENGAGEMENT,))
        cards, resources = (_recorded(move, kind) for kind in ("draw", "resource"))
        # The log may leave out the end of the previous turn, which makes this entry early only in appearance.
        if reasons and move.by in SEATS:
            return self.besides(reasons, "turn", misdrawn(state, move.by, cards) + misplaced(state, move.by, resources))
        if reasons or move.chance is None:
            return reasons
        unsaid = [fact for fact in ("turn.n", DECK[move.by], PILE[move.by]) if fact in state.unknown]
        due = (self.cards(state, move.by), self.resources(state, move.by))
        # Two of either are too many whatever the missing facts are.
        if unsaid and len(cards) < 2 and len(resources) < 2:
            return [reason for fact in unsaid for reason in missing("STN-DEB-4", fact)]
        if (len(cards), len(resources)) != due:
            args = {"count": len(cards), "resources": len(resources), "max": due[0], "due": due[1]}
            reasons.append(Violation("STN-DEB-4", args))
        return reasons + misdrawn(state, move.by, cards) + misplaced(state, move.by, resources)

    def cards(self, state: State, seat: str) -> int:
        """Return how many cards are due: none in the very first turn, none from an empty library."""
        return 0 if state.turn == 1 else min(1, len(state.zones[DECK[seat]]))

    def resources(self, state: State, seat: str) -> int:
        """Return how many resources are due: none from an empty pile, nor to a player who loses now (I-STN-05)."""
        none = state.turn == 1 and state.terms.options["I-STN-05"] == "no"
        return 0 if none or self.dry(state, seat) else min(1, len(state.zones[PILE[seat]]))

    def dry(self, state: State, seat: str) -> bool:
        """Whether the player loses as the upkeep begins, with an empty library (STN-VIC-2, I-STN-17)."""
        return state.turn != 1 and not state.zones[DECK[seat]]

    def run(self, ctx: Context, move: Move) -> None:
        """Draw, or lose; then it is the draw phase."""
        state, seat = ctx.state, move.by
        if self.dry(state, seat):
            ctx.depend_on("I-STN-17")
            ctx.emit("end", OTHER[seat], "deck", "STN-VIC-2")
            return
        if state.turn == 1:
            ctx.depend_on("I-STN-05")
        ctx.draw(seat, _recorded(move, "draw"))
        for ref in _recorded(move, "resource"):
            obj = state.zones[PILE[seat]][-1]
            if ref != "?":
                ctx.emit("name", obj, ref)
            ctx.emit("move", obj, RESOURCES[seat], -1)
            force.enter(ctx, obj)
        ctx.emit("turn", state.turn, seat, PIOCHE)
        self.emptied(ctx, seat, bool(_recorded(move, "resource")))

    def emptied(self, ctx: Context, seat: str, given: bool) -> None:
        """Apply the losses of other readings: drawing the last card (I-STN-17), having no resource left (I-STN-06)."""
        state, options = ctx.state, ctx.state.terms.options
        if not state.zones[DECK[seat]] and state.turn != 1:
            ctx.depend_on("I-STN-17")
            if options["I-STN-17"] == "after":
                ctx.emit("end", OTHER[seat], "deck", "STN-VIC-2")
                return
        if not given and not (state.turn == 1 and options["I-STN-05"] == "no"):
            ctx.depend_on("I-STN-06")
            if options["I-STN-06"] == "loss":
                ctx.emit("end", OTHER[seat], "deck", "STN-VIC-2")

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """Deal the card and the resource that are due."""
        chance: list[tuple[str, tuple[str, ...]]] = []
        if self.cards(state, move.by):
            chance.append(("draw", tuple(deal_top(state, move.by, 1, dealer))))
        if self.resources(state, move.by):
            chance.append(("resource", tuple(dealer.deal(resources_left(state, move.by), 1, "resource"))))
        return replace(move, chance=tuple(chance))

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield one move, at the start of a turn."""
        seat = wanted.seat(state.seat)
        if state.phase == DESENGAGEMENT and state.result is None and seat is not None:
            yield Move(seat, "begin_turn", {})


class EndPhase(StellarVerb):
    """`end_phase`: go on to the next phase of the turn (STN-PHA-1)."""

    # Not the untap phase, which `begin_turn` ends, nor the final phase, which `end_turn` ends.
    phases: tuple[str, ...] = PHASES[1:-1]
    name = "end_phase"
    late = "last"

    def parse(self, state: State, entry: Entry) -> Move:
        """Read an entry without arguments; its chance is that of effects."""
        arguments(entry, ())
        return Move(entry.by, entry.do, {}, effect_chance(state, entry))

    def check(self, state: State, move: Move) -> Reasons:
        """Check that it is the player's own turn and that no attack is under way."""
        reasons = self.moment(state, move, state.seat, self.phases)
        if not reasons and fighting(state):
            reasons.append(Violation("STN-PHA-1", {"phase": state.phase}, why="fighting"))
        if not reasons and state.phase == ATTAQUE and "memory.attacking" in state.unknown:
            reasons += missing("STN-PHA-1", "memory.attacking")
        return reasons

    def run(self, ctx: Context, move: Move) -> None:
        """Let creatures without endurance die (STN-DIV-2), then end the phase."""
        stack = begun(ctx)
        # Last in, first out: the deaths that `ending` pushes come before the next phase.
        stack.push(self.next_step(ctx.state))
        self.ending(stack, move.by)
        resolve(ctx, move, started=stack)

    def ending(self, stack: Stack, seat: str) -> None:
        """Push what comes before the next step."""
        stack.push({"step": "wither"})

    def next_step(self, state: State) -> Frame:
        """Return the frame of what comes after the phase."""
        return {"step": "phase", "phase": PHASES[PHASES.index(state.phase) + 1]}

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield one move, from the draw phase on."""
        seat = wanted.seat(state.seat)
        if state.phase in self.phases and state.result is None and seat is not None and not fighting(state):
            yield Move(seat, self.name, {})


class EndTurn(EndPhase):
    """`end_turn`: end the turn, whichever of its phases are left (STN-PHA-1)."""

    phases = PHASES[1:]
    name = "end_turn"

    def ending(self, stack: Stack, seat: str) -> None:
        """Push the end-of-turn abilities and the deaths of the phase, in the order of I-STN-28."""
        state = stack.ctx.state
        abilities = any(triggers.awaiting(state, "end_turn"))
        # The order matters only if there are abilities, and a creature that dies before or after them.
        if abilities and "I-STN-28" not in stack.ctx.depends_on and worn_out(state):
            stack.ctx.depend_on("I-STN-28")
        first: Frame = {"step": "turn_ends", "seat": seat}
        last: Frame = {"step": "wither", "late": abilities}
        if state.terms.options["I-STN-28"] == "deaths":
            first, last = {"step": "wither"}, first
        stack.push(last)
        stack.push(first)

    def next_step(self, state: State) -> Frame:
        """Return the frame that starts the opponent's turn."""
        return {"step": "turn_over", "seat": state.seat}


def fighting(state: State) -> bool:
    """Whether an attack is under way."""
    return "attacking" in state.memory


def _recorded(move: Move, kind: str) -> tuple[str, ...]:
    return tuple(ref for name, refs in move.chance or () if name == kind for ref in refs)


def _wither(stack: Stack, frame: Frame) -> None:
    """Destroy the creatures without endurance (STN-DIV-2, I-STN-12)."""
    dead = worn_out(stack.ctx.state)
    if dead:
        stack.ctx.depend_on("I-STN-12")
        if frame.get("late"):
            stack.ctx.depend_on("I-STN-28")
        stack.push(batch(dead, "wither"))


def _phase(stack: Stack, frame: Frame) -> None:
    """Begin the next phase."""
    state = stack.ctx.state
    force.lapse(stack, "phase")
    wither_soon(stack)
    stack.ctx.emit("turn", state.turn, state.seat, frame["phase"])


def _turn_ends(stack: Stack, frame: Frame) -> None:
    """Set off the abilities for the end of the turn."""
    triggers.turn_event(stack, "end_turn", frame["seat"])


def _turn_over(stack: Stack, frame: Frame) -> None:
    """End what lasted until the end of the turn (STN-EPH-1, STN-CAP-1, STN-JET-1), then start the opponent's turn."""
    ctx, seat = stack.ctx, frame["seat"]
    # A creature the end-of-turn abilities wore out would have died already with the other option of I-STN-28.
    late = ctx.state.terms.options["I-STN-28"] == "deaths" and "I-STN-28" not in ctx.depends_on
    if late and worn_out(ctx.state):
        ctx.depend_on("I-STN-28")
    stack.push({"step": "turn_starts", "seat": OTHER[seat]})
    fade_out(stack)
    exile_tokens(ctx)
    force.lapse(stack, "turn")
    wither_soon(stack)


def fade_out(stack: Stack) -> None:
    """Remove the markers and tokens of éphémères that end with the turn (I-STN-20)."""
    ctx = stack.ctx
    for obj in list(ctx.state.memory.get("fading", ())):
        assert isinstance(obj, int)
        card = ctx.state.card(obj)
        if not on_field(ctx.state, obj):
            continue
        if ctx.state.mark(obj, MARKER):
            ctx.emit("mark", obj, MARKER, -1)
        elif card is not None and card.kind == JETON:
            exile(ctx, obj)
            force.leave(stack, obj)


def _turn_starts(stack: Stack, frame: Frame) -> None:
    """Untap the next player's cards and restore endurance (STN-CRE-3, STN-CRE-4)."""
    ctx, seat = stack.ctx, frame["seat"]
    ctx.emit("wipe", TURN_NOTES)
    untap(ctx, seat)
    restore(ctx, seat)
    ctx.emit("turn", ctx.state.turn + 1, seat, DESENGAGEMENT)
    if not _lost_before(ctx, seat):
        triggers.turn_event(stack, "start_turn", seat)


def _lost_before(ctx: Context, seat: str) -> bool:
    """Whether a player without a library loses before the start-of-turn abilities resolve (I-STN-27)."""
    state = ctx.state
    dry = readable(state, DECK[seat]) and not state.zones[DECK[seat]]
    if not dry or not any(triggers.awaiting(state, "start_turn")):
        return False
    ctx.depend_on("I-STN-27")
    if state.terms.options["I-STN-27"] == "abilities":
        return False
    ctx.emit("end", OTHER[seat], "deck", "STN-VIC-2")
    return True


HOST.steps.update({
    "wither": _wither,
    "phase": _phase,
    "turn_ends": _turn_ends,
    "turn_over": _turn_over,
    "turn_starts": _turn_starts,
})  # fmt: skip
