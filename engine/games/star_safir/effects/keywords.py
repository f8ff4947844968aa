"""The keywords of Star Safir that act by themselves, and what blocks fighters and territories."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.agenda import Frame, Stack
from engine.core.context import Context
from engine.core.effects import destruction, force, values
from engine.core.state import State
from engine.games.star_safir.effects.places import PLACES
from engine.games.star_safir.moves.mat import FIGHTERS

DONE = ("attacked", "moved", "transformed", "spent")  # what a card did, forgotten when it leaves play (I-SAF-12)


def used(state: State, obj: int) -> bool:
    """Whether anything that a card did before it left play still counts against it (I-SAF-12)."""
    memory = state.memory
    if memory.keys().isdisjoint(DONE) and not state.watched:
        return False
    return any(note in memory and obj in memory[note] for note in DONE)


def freshest(state: State, copies: Sequence[int]) -> int:
    """Of several copies of one card, the first against which nothing counts: nobody can tell them apart."""
    return copies[0] if len(copies) == 1 else next((obj for obj in copies if not used(state, obj)), copies[0])


def back(state: State, obj: int) -> bool:
    """Whether a card did something in this turn or before, left play, and came back in this turn."""
    return "returned" in state.memory and state.noted("returned", obj) and state.noted("arrived", obj)


def lean_on_return(ctx: Context, obj: int) -> None:
    """Say that what a card does now rests on what counts against one that came back (I-SAF-12)."""
    if back(ctx.state, obj):
        ctx.lean("I-SAF-12")


def second_life(ctx: Context, obj: int) -> bool:
    """Whether «Seconde Vie» cancels a destruction now: the first one of the card (SAF-VII-SecondeVie, I-SAF-12)."""
    if not values.has(ctx.state, obj, "Seconde Vie"):
        return False
    if ctx.state.noted("returned", obj):
        ctx.lean("I-SAF-12")
    return not ctx.state.noted("spent", obj)


def spend(ctx: Context, obj: int) -> None:
    """«Seconde Vie» is used up."""
    ctx.emit("note", "spent", obj)


def payers(state: State, frame: Frame) -> list[str]:
    """The own fighters of the territory that may die in its place (SAF-VII-VolVie): never from a riposte."""
    obj = int(frame["obj"])
    if frame["riposte"] or "/fighters/" not in state.where[obj] or not values.has(state, obj, "Vol vie"):
        return []
    place = PLACES[state.where[obj]]
    paths = FIGHTERS[place.seat, place.area]
    return [path for path in paths if state.zones[path] and state.zones[path][0] not in frame["doomed"]]


def pay(stack: Stack, path: str) -> bool:
    """Destroy the price of «Vol vie» at once; it does not use its own. Whether it was paid (I-SAF-28)."""
    ctx, obj = stack.ctx, stack.ctx.state.zones[path][0]
    if second_life(ctx, obj):
        spend(ctx, obj)
        ctx.lean("I-SAF-28")
        return ctx.state.terms.options["I-SAF-28"] == "saved"
    destruction.die(stack, [obj], "price")
    return True


def transform(ctx: Context, obj: int) -> bool:
    """The card takes its other face where it stands, once; whether it counts as destroyed (I-SAF-22)."""
    ctx.lean("I-SAF-22")
    ctx.emit("note", "form", obj)
    ctx.emit("note", "transformed", obj)
    return ctx.state.terms.options["I-SAF-22"] == "inplace"


def shield(state: State, seat: str, territory: int, keywords: Sequence[str]) -> int | None:
    """The fighter to be destroyed before others of its territory: the first placed there (SAF-VII-RempartOrder).

    Those that have the keyword from another card come after those that bear it, slot by slot.
    """
    if force.quiet(state):
        return None
    bearers = [obj for word in keywords for obj, _program in force.acting(state, "keywords", word)]
    there = [obj for obj in bearers if state.where[obj] in FIGHTERS[seat, territory]]
    if there:
        return min(there, key=state.memory["live"].index)
    for path in FIGHTERS[seat, territory] if values.gives_keywords(state) else ():
        for obj in state.zones[path]:
            if any(values.has(state, obj, word) for word in keywords):
                return obj
    return None


def blocked(state: State, obj: int) -> str | None:
    """The rule that keeps a fighter from attacking and moving, if one does (SAF-VII-Bloquer…)."""
    for record in state.lasting:
        if record[0] in ("block", "lock") and not force.in_force(state, record):
            continue
        if record[0] == "block" and record[1] == obj:
            return "SAF-VII-BloquerCombattant"
        if record[0] == "lock" and state.where[obj].startswith(f"{record[1]}/"):
            return "SAF-VII-BloquerTerritoire"
    return None


def locked(state: State, seat: str, territory: int) -> bool:
    """Whether a player plays nothing in a territory for now (SAF-VII-BloquerTerritoire)."""
    path = f"{seat}/T{territory}"
    return any(record[0] == "lock" and record[1] == path and force.in_force(state, record) for record in state.lasting)


def mobile(state: State, obj: int) -> bool:
    """Whether a fighter may change territory: once a turn, not while blocked or forbidden to (SAF-VII-Deplacer)."""
    if state.noted("moved", obj) or blocked(state, obj) is not None:
        return False
    return values.forbidding(state, "move", force.seen(state, obj)) is None
