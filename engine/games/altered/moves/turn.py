"""The five phases of a day and how they follow one another (ALT-1.3.2.a), and `pass`, which ends a player's afternoon.

Each phase is a step on the stack of frames. Frames resolve last in, first out, so a step pushes what comes later first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.core.effects import force, triggers, values
from engine.core.effects.hidden_cards import effect_chance
from engine.core.effects.host import Stack
from engine.core.effects.interpreter import resolve
from engine.core.table.agenda import Frame
from engine.core.table.context import Context
from engine.core.table.game import Move, Wanted
from engine.core.table.log import Entry
from engine.core.table.state import State
from engine.core.table.verbs import missing
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
    halted,
    march,
    option,
    order,
    present,
    ready_all,
    region,
    strength,
    totals,
    types_of,
)
from engine.games.altered.moves.base import AlteredVerb, Reasons, nothing
from engine.games.altered.vocabulary import DEFENSEUR, TYPES


class Pass(AlteredVerb):
    """`pass`: take no more turns this day. Once both players have passed, dusk and night follow (ALT-1.3.2.d)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """Read an entry without arguments; its chance is that of dusk and night, if the pass leads there."""
        nothing(entry)
        return Move(entry.by, entry.do, {}, effect_chance(state, entry))

    def check(self, state: State, move: Move) -> Reasons:
        """Check that it is the player's own turn of the afternoon."""
        reasons = self.turn(state, move, APRES_MIDI, "ALT-1.3.2.d")
        # Whether the afternoon is over after this pass depends on who has passed before.
        return reasons or (missing("ALT-1.3.2.d", "memory.passed") if "memory.passed" in state.unknown else [])

    def run(self, ctx: Context, move: Move) -> None:
        """Note the pass and check reactions; then the other player has the turn, or it is dusk."""
        ctx.emit("note", "passed", move.by)
        stack = Stack(ctx)
        end_turn(stack)
        resolve(ctx, move, started=stack)

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield one pass, in the afternoon."""
        seat = wanted.seat(state.seat)
        if state.phase == APRES_MIDI and seat is not None and state.result is None:
            yield Move(seat, "pass", {})


def end_turn(stack: Stack) -> None:
    """Push the end of a turn: reactions are checked once everything pushed after this call has resolved."""
    stack.push({"step": "turn_over"})
    limbo(stack)


def _turn_over(stack: Stack, frame: Frame) -> None:
    """Give the turn to the other player unless they have passed; go on to dusk once both have (ALT-1.3.2.d)."""
    state, seat = stack.ctx.state, stack.ctx.state.seat or SEATS[0]
    if state.lasting:
        force.lapse(stack, "until:end_turn")
    left = [other for other in (OTHER[seat], seat) if not state.noted("passed", other)]
    if not left:
        stack.push({"step": "dusk"})
    # A player who is alone in the afternoon keeps the turn, so nothing changes.
    elif left[0] != seat:
        stack.ctx.emit("turn", state.turn, left[0], APRES_MIDI)


def first_morning(ctx: Context) -> Frame:
    """Begin the first day, and return the frame it goes on with (I-ALT-06, I-ALT-16)."""
    ctx.emit("turn", 1, ctx.state.first, MATIN)
    if option(ctx, "I-ALT-06") == "morning":
        return {"step": "dawn"}
    return {"step": "noon"} if option(ctx, "I-ALT-16") == "yes" else {"step": "afternoon"}


def _begins(stack: Stack, phase: str, then: Frame) -> None:
    """Begin a phase: check the reactions to it at once, then run `then` (I-ALT-14)."""
    state = stack.ctx.state
    force.lapse(stack, "phase")
    stack.ctx.emit("turn", state.turn, state.first, phase)
    stack.push(then)
    _reactions(stack, phase)


def _reactions(stack: Stack, phase: str) -> None:
    """Check the reactions to a phase at once."""
    limbo(stack)
    for seat in order(stack.ctx.state):
        triggers.turn_event(stack, f"phase:{phase}", seat)


def _dawn(stack: Stack, frame: Frame) -> None:
    """Begin a morning: ready everything, with reactions before or after (ALT-1.3.2.b, I-ALT-21)."""
    force.lapse(stack, "phase")
    stack.push({"step": "morning"})
    stack.push({"step": "prepare"})
    morning_reactions(stack, "start")


def _prepare(stack: Stack, frame: Frame) -> None:
    """Ready Characters, Permanents and orbs (ALT-1.3.2.b). The draws come with `expand`."""
    ready_all(stack.ctx)


def _morning(stack: Stack, frame: Frame) -> None:
    """Check the reactions to a morning in which everything is ready."""
    morning_reactions(stack, "ready")


def morning_reactions(stack: Stack, moment: str) -> None:
    """Check the reactions to the morning if I-ALT-21 places them at this `moment` (start, ready or drawn)."""
    waiting = next(triggers.awaiting(stack.ctx.state, f"phase:{MATIN}"), None)
    # Without a card that reacts to the morning, the report does not depend on I-ALT-21.
    if waiting is not None and option(stack.ctx, "I-ALT-21") == moment:
        _reactions(stack, MATIN)


def _noon(stack: Stack, frame: Frame) -> None:
    """Begin noon, in which only reactions are played (ALT-1.3.2.c)."""
    _begins(stack, MIDI, {"step": "afternoon"})


def _afternoon(stack: Stack, frame: Frame) -> None:
    """Begin the afternoon: the first player takes the first turn (ALT-1.3.2.d)."""
    force.lapse(stack, "phase")
    stack.ctx.emit("wipe", DAY_NOTES)
    stack.ctx.emit("turn", stack.ctx.state.turn, stack.ctx.state.first, APRES_MIDI)


def _dusk(stack: Stack, frame: Frame) -> None:
    """Begin dusk: expeditions advance once the reactions are played (ALT-1.3.2.e)."""
    _begins(stack, CREPUSCULE, {"step": "advance"})


def _advance(stack: Stack, frame: Frame) -> None:
    """Advance by one every expedition that is ahead in a type of its region (ALT-1.3.2.e)."""
    ctx, state = stack.ctx, stack.ctx.state
    stack.push({"step": "night"})
    limbo(stack)
    ctx.depend_on("I-ALT-10")
    if "arena" in state.memory:
        _arena(ctx)
        return
    # All are compared before any moves: an advance may turn up a region or set off a reaction.
    ahead = [(seat, name) for name in EXPEDITIONS for seat in leading(state, name)]
    moved = [(seat, name) for seat, name in ahead if state.counters[STEPS[seat, name]] < LAST]
    by = _heeded(state, moved)
    for seat, name in moved:
        march(ctx, seat, name, 1)
    late = _late(state, moved) if state.terms.cards.saying("triggers", "stalled_rest") else []
    if late:
        below = next(n for n, waiting in enumerate(stack.frames) if waiting["step"] == "night")
        stack.frames[below] = {"step": "night", "late": late}
    for word in (word for word in ("advanced", "stalled") if state.terms.cards.saying("triggers", word)):
        for seat, name in ((seat, name) for seat in order(state) for name in EXPEDITIONS):
            if ((seat, name) in moved) == (word == "advanced"):
                triggers.after(stack, *((word, force.seen(state, obj)) for obj in characters(state, seat, name)))
    for seat, key in by:
        triggers.turn_event(stack, f"advanced:{key}", seat)
    if option(ctx, "I-ALT-04") == "advance":
        judge(ctx)


def _heeded(state: State, moved: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """List the types that make expeditions move, with their seats, if any card of the catalogue reacts to that."""
    heeded = [key for key in TYPES if state.terms.cards.saying("triggers", f"advanced:{key}")]
    if not heeded:
        return []
    return [(seat, key) for seat, name in moved for key in winning(state, seat, name) if key in heeded]


def _late(state: State, moved: Sequence[tuple[str, str]]) -> list[Frame]:
    """Return what acts after the rest because the expedition of a character did not move."""
    return [
        reaction
        for seat, name in ((seat, name) for seat in order(state) for name in EXPEDITIONS if (seat, name) not in moved)
        for obj in characters(state, seat, name)
        for reaction in triggers.set_going(state, "stalled_rest", force.seen(state, obj))
    ]


def winning(state: State, seat: str, name: str) -> list[str]:
    """List the types of its region by which an expedition is ahead of the opposing one."""
    mine, theirs = strength(state, seat, name), strength(state, OTHER[seat], name)
    return [key for key in types_of(state, region(state, seat, name)) if mine[key] > max(0, theirs[key])]


def leading(state: State, name: str) -> list[str]:
    """List the seats whose expedition `name` advances (ALT-1.3.2.e).

    At least one total must be of a type of its region, greater than the opposing total and greater than 0. An
    expedition with a Defender does not advance (ALT-7.4.1).
    """
    found: list[str] = []
    there = {seat: present(state, seat, name) for seat in SEATS}
    sums: dict[str, dict[str, int]] = {}
    for seat in order(state):
        if any(values.has(state, obj, DEFENSEUR) for obj in there[seat]) or halted(state, seat, name):
            continue
        for side in (seat, OTHER[seat]):
            if side not in sums:
                sums[side] = totals(state, there[side])
        mine, theirs = sums[seat], sums[OTHER[seat]]
        if any(mine[key] > max(0, theirs[key]) for key in types_of(state, region(state, seat, name))):
            found.append(seat)
    return found


def _arena(ctx: Context) -> None:
    """Decide the tiebreaker day: all characters of a player are added up, and more types won wins (I-ALT-03)."""
    state = ctx.state
    ctx.depend_on("I-ALT-03")
    sums = {
        seat: {key: sum(strength(state, seat, name)[key] for name in EXPEDITIONS) for key in TYPES} for seat in SEATS
    }
    won = {seat: sum(1 for key in TYPES if sums[seat][key] > sums[OTHER[seat]][key]) for seat in SEATS}
    # On a tie the Arena goes on the next day.
    if won["A"] != won["B"]:
        ctx.emit("end", max(SEATS, key=lambda seat: won[seat]), "arena", "ALT-1.3.3")


def judge(ctx: Context) -> None:
    """End the game if it is won: two expeditions of a player have met, and the greater total distance wins (I-ALT-02).

    A tie opens the Arena or is a draw (I-ALT-03).
    """
    state = ctx.state
    if state.result is not None or "arena" in state.memory:
        return
    totals = {seat: sum(state.counters[STEPS[seat, name]] for name in EXPEDITIONS) for seat in SEATS}
    # The expeditions start LAST regions apart: they meet when their steps add up to LAST, and cross beyond that.
    met = LAST if state.terms.options["I-ALT-02"] == "meet" else LAST + 1
    # Short of this neither option of I-ALT-02 ends the game, so the result does not depend on it.
    if max(totals.values()) < LAST:
        return
    ctx.depend_on("I-ALT-02")
    if max(totals.values()) < met:
        return
    if totals["A"] != totals["B"]:
        ctx.emit("end", max(SEATS, key=lambda seat: totals[seat]), "distance", "ALT-1.3.3")
    elif option(ctx, "I-ALT-03") == "draw":
        ctx.emit("end", "draw", "distance", "ALT-1.3.3")
    else:
        ctx.emit("note", "arena", 1)


def _night(stack: Stack, frame: Frame) -> None:
    """Begin the night: rest, then the clean-up (I-ALT-01)."""
    _begins(stack, NUIT, {**frame, "step": "rest"})


def _over(stack: Stack, frame: Frame) -> None:
    """End the day: victory, or a new morning with the other first player (ALT-1.3.2.b, I-ALT-04)."""
    ctx, state = stack.ctx, stack.ctx.state
    force.lapse(stack, "turn")
    ctx.depend_on("I-ALT-04")
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
