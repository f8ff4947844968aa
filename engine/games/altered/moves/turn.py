"""The day and its five phases (ALT-1.3.2.a): what follows what, and `pass`, which ends a player's afternoon."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.agenda import Frame, Stack
from engine.core.context import Context
from engine.core.effects import force, triggers, values
from engine.core.effects.interpreter import resolve
from engine.core.game import Move
from engine.core.hidden import effect_chance
from engine.core.log import Entry
from engine.core.state import State
from engine.core.verbs import missing
from engine.games.altered.effects.declared import limbo
from engine.games.altered.effects.host import HOST
from engine.games.altered.mat import (
    APRES_MIDI,
    CREPUSCULE,
    DAY_NOTES,
    EXPEDITIONS,
    LAST,
    MATIN,
    MIDI,
    NUIT,
    OTHER,
    SEATS,
    STEPS,
    characters,
    march,
    option,
    order,
    ready_all,
    region,
    strength,
    types_of,
)
from engine.games.altered.moves.base import AlteredVerb, Reasons, nothing
from engine.games.altered.vocabulary import DEFENSEUR, TYPES


class Pass(AlteredVerb):
    """`pass`: no more turns this day; after both players' the day goes on by itself (ALT-1.3.2.d)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """No arguments; the chance of what the evening brings."""
        nothing(entry)
        return Move(entry.by, entry.do, {}, effect_chance(state, entry))

    def check(self, state: State, move: Move) -> Reasons:
        """In one's own turn of the afternoon."""
        reasons = self.turn(state, move, APRES_MIDI, "ALT-1.3.2.d")
        return reasons or (missing("ALT-1.3.2.d", "memory.passed") if "memory.passed" in state.unknown else [])

    def run(self, ctx: Context, move: Move) -> None:
        """Notes it; reactions are checked, then it is the other's turn, or dusk."""
        ctx.emit("note", "passed", move.by)
        stack = Stack(ctx)
        end_turn(stack)
        resolve(ctx, move, started=stack)

    def candidates(self, state: State) -> Iterator[Move]:
        """One, in the afternoon."""
        if state.phase == APRES_MIDI and state.seat is not None and state.result is None:
            yield Move(state.seat, "pass", {})


def end_turn(stack: Stack) -> None:
    """What is pushed from now on is the turn; reactions are then checked, and the turn is over."""
    stack.push({"step": "turn_over"})
    limbo(stack)


def _turn_over(stack: Stack, frame: Frame) -> None:
    """The other player's turn, if they have not passed; dusk once both have (ALT-1.3.2.d)."""
    state, seat = stack.ctx.state, stack.ctx.state.seat or SEATS[0]
    left = [other for other in (OTHER[seat], seat) if not state.noted("passed", other)]
    if not left:
        stack.push({"step": "dusk"})
    elif left[0] != seat:
        stack.ctx.emit("turn", state.turn, left[0], APRES_MIDI)


def first_morning(ctx: Context) -> Frame:
    """How the first day begins (I-ALT-06, I-ALT-16)."""
    ctx.emit("turn", 1, ctx.state.first, MATIN)
    if option(ctx, "I-ALT-06") == "morning":
        return {"step": "dawn"}
    return {"step": "noon"} if option(ctx, "I-ALT-16") == "yes" else {"step": "afternoon"}


def _begins(stack: Stack, phase: str, then: Frame) -> None:
    """A phase begins: its reactions, checked at once, then what the phase is for (I-ALT-14)."""
    state = stack.ctx.state
    force.lapse(stack, "phase")
    stack.ctx.emit("turn", state.turn, state.first, phase)
    stack.push(then)
    _reactions(stack, phase)


def _reactions(stack: Stack, phase: str) -> None:
    """The reactions to a phase, checked at once."""
    limbo(stack)
    for seat in order(stack.ctx.state):
        triggers.turn_event(stack, f"phase:{phase}", seat)


def _dawn(stack: Stack, frame: Frame) -> None:
    """A morning begins: all is made ready, and reactions are played before it or after (ALT-1.3.2.b, I-ALT-21)."""
    force.lapse(stack, "phase")
    stack.push({"step": "morning"})
    stack.push({"step": "prepare"})
    morning_reactions(stack, "start")


def _prepare(stack: Stack, frame: Frame) -> None:
    """Characters, Permanents and orbs are of use again; the draws come with `expand` (ALT-1.3.2.b)."""
    ready_all(stack.ctx)


def _morning(stack: Stack, frame: Frame) -> None:
    """The reactions of a morning in which all is ready."""
    morning_reactions(stack, "ready")


def morning_reactions(stack: Stack, moment: str) -> None:
    """Check the reactions to the morning, if this is their moment (I-ALT-21)."""
    waiting = next(triggers.awaiting(stack.ctx.state, f"phase:{MATIN}"), None)
    if waiting is not None and option(stack.ctx, "I-ALT-21") == moment:
        _reactions(stack, MATIN)


def _noon(stack: Stack, frame: Frame) -> None:
    """Nothing but reactions (ALT-1.3.2.c)."""
    _begins(stack, MIDI, {"step": "afternoon"})


def _afternoon(stack: Stack, frame: Frame) -> None:
    """Turns, from the first player on (ALT-1.3.2.d)."""
    force.lapse(stack, "phase")
    stack.ctx.emit("wipe", DAY_NOTES)
    stack.ctx.emit("turn", stack.ctx.state.turn, stack.ctx.state.first, APRES_MIDI)


def _dusk(stack: Stack, frame: Frame) -> None:
    """Expeditions advance once the reactions of dusk are played (ALT-1.3.2.e)."""
    _begins(stack, CREPUSCULE, {"step": "advance"})


def _advance(stack: Stack, frame: Frame) -> None:
    """Every expedition that is ahead in a type of its region goes on by one (ALT-1.3.2.e)."""
    ctx, state = stack.ctx, stack.ctx.state
    stack.push({"step": "night"})
    limbo(stack)
    ctx.lean("I-ALT-10")
    if "arena" in state.memory:
        _arena(ctx)
        return
    ahead = [(seat, name) for name in EXPEDITIONS for seat in leading(state, name)]
    moved = [(seat, name) for seat, name in ahead if state.counters[STEPS[seat, name]] < LAST]
    for seat, name in moved:
        march(ctx, seat, name, 1)
    for seat, name in moved:
        triggers.after(stack, *(("advanced", force.seen(state, obj)) for obj in characters(state, seat, name)))
    if option(ctx, "I-ALT-04") == "advance":
        judge(ctx)


def leading(state: State, name: str) -> list[str]:
    """The seats whose expedition advances: more of a type of its region than the opposing one, and more than none.

    One with a Défenseur does not (ALT-7.4.1).
    """
    found: list[str] = []
    sums: dict[str, dict[str, int]] = {}
    for seat in order(state):
        if any(values.has(state, obj, DEFENSEUR) for obj in characters(state, seat, name)):
            continue
        for side in (seat, OTHER[seat]):
            if side not in sums:
                sums[side] = strength(state, side, name)
        mine, theirs = sums[seat], sums[OTHER[seat]]
        if any(mine[key] > max(0, theirs[key]) for key in types_of(state, region(state, seat, name))):
            found.append(seat)
    return found


def _arena(ctx: Context) -> None:
    """All characters of each player together: who is ahead in more types wins (I-ALT-03)."""
    state = ctx.state
    ctx.lean("I-ALT-03")
    sums = {
        seat: {key: sum(strength(state, seat, name)[key] for name in EXPEDITIONS) for key in TYPES} for seat in SEATS
    }
    won = {seat: sum(1 for key in TYPES if sums[seat][key] > sums[OTHER[seat]][key]) for seat in SEATS}
    if won["A"] != won["B"]:
        ctx.emit("end", max(SEATS, key=lambda seat: won[seat]), "arena", "ALT-1.3.3")


def judge(ctx: Context) -> None:
    """Whether the game is won: expeditions that met, and the greater total distance (I-ALT-02); a tie: I-ALT-03."""
    state = ctx.state
    if state.result is not None or "arena" in state.memory:
        return
    totals = {seat: sum(state.counters[STEPS[seat, name]] for name in EXPEDITIONS) for seat in SEATS}
    met = LAST if state.terms.options["I-ALT-02"] == "meet" else LAST + 1
    if max(totals.values()) < LAST:
        return
    ctx.lean("I-ALT-02")
    if max(totals.values()) < met:
        return
    if totals["A"] != totals["B"]:
        ctx.emit("end", max(SEATS, key=lambda seat: totals[seat]), "distance", "ALT-1.3.3")
    elif option(ctx, "I-ALT-03") == "draw":
        ctx.emit("end", "draw", "distance", "ALT-1.3.3")
    else:
        ctx.emit("note", "arena", 1)


def _night(stack: Stack, frame: Frame) -> None:
    """Rest, then the clean-up (I-ALT-01)."""
    _begins(stack, NUIT, {"step": "rest"})


def _over(stack: Stack, frame: Frame) -> None:
    """The day is over: victory, or a new morning with the other first player (ALT-1.3.2.b, I-ALT-04)."""
    ctx, state = stack.ctx, stack.ctx.state
    force.lapse(stack, "turn")
    ctx.lean("I-ALT-04")
    judge(ctx)
    if state.result is not None:
        return
    ctx.emit("wipe", DAY_NOTES)
    ctx.emit("first", OTHER[state.first or SEATS[1]])
    ctx.emit("turn", state.turn + 1, state.first, MATIN)
    stack.push({"step": "dawn"})


HOST.steps.update({
    "turn_over": _turn_over,
    "dawn": _dawn,
    "prepare": _prepare,
    "morning": _morning,
    "noon": _noon,
    "afternoon": _afternoon,
    "dusk": _dusk,
    "advance": _advance,
    "night": _night,
    "over": _over,
})  # fmt: skip
