"""Keywords of Star Safir that act by themselves, and what keeps fighters and territories blocked.

I-SAF-12 runs through this module: what a card did is noted by object, and the option says whether it still counts once
the card has left play and come back.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.effects import destruction, force, values
from engine.core.effects.host import Stack
from engine.core.table.agenda import Frame
from engine.core.table.context import Context
from engine.core.table.state import State
from engine.games.star_safir.effects.places import PLACES
from engine.games.star_safir.moves.mat import FIGHTERS

DONE = ("attacked", "moved", "transformed", "spent")  # notes of what a card did (see I-SAF-12)


def used(state: State, obj: int) -> bool:
    """Whether something that a card did before it left play still counts against it (I-SAF-12)."""
    memory = state.memory
    # A watched state must see the note being read, even where there is none: the note may be an open fact.
    if memory.keys().isdisjoint(DONE) and not state.watched:
        return False
    return any(note in memory and obj in memory[note] for note in DONE)


def freshest(state: State, copies: Sequence[int]) -> int:
    """Return the first of several copies that has nothing counted against it, or else the first.

    Copies look alike, so nobody can claim that one of those already used was meant.
    """
    return copies[0] if len(copies) == 1 else next((obj for obj in copies if not used(state, obj)), copies[0])


def back(state: State, obj: int) -> bool:
    """Whether a card that had already acted left play and came back this turn."""
    return "returned" in state.memory and state.noted("returned", obj) and state.noted("arrived", obj)


def depend_on_return(ctx: Context, obj: int) -> None:
    """Record that what a card does now depends on how I-SAF-12 treats one that came back."""
    if back(ctx.state, obj):
        ctx.depend_on("I-SAF-12")


def second_life(ctx: Context, obj: int) -> bool:
    """Whether «Seconde Vie» cancels a destruction now, as it does for the first one of a card.

    See SAF-VII-SecondeVie, and I-SAF-12 for a card that came back.
    """
    if not values.has(ctx.state, obj, "Seconde Vie"):
        return False
    if ctx.state.noted("returned", obj):
        ctx.depend_on("I-SAF-12")
    return not ctx.state.noted("spent", obj)


def spend(ctx: Context, obj: int) -> None:
    """Use up «Seconde Vie»."""
    ctx.emit("note", "spent", obj)


def payers(state: State, frame: Frame) -> list[str]:
    """Return the slots of the fighters that may be destroyed in its place (SAF-VII-VolVie).

    They are those of the same player and territory; a riposte can never be cancelled.
    """
    obj = int(frame["obj"])
    if frame["riposte"] or "/fighters/" not in state.where[obj] or not values.has(state, obj, "Vol vie"):
        return []
    place = PLACES[state.where[obj]]
    paths = FIGHTERS[place.seat, place.area]
    # Fighters that die in the same batch, this one among them, cannot pay.
    return [path for path in paths if state.zones[path] and state.zones[path][0] not in frame["doomed"]]


def pay(stack: Stack, path: str) -> bool:
    """Destroy the fighter that pays for «Vol vie»; return whether that saves the other (I-SAF-28)."""
    ctx, obj = stack.ctx, stack.ctx.state.zones[path][0]
    # The payer may use «Seconde Vie», but not «Vol vie»: it dies without being offered any other replacement.
    if second_life(ctx, obj):
        spend(ctx, obj)
        ctx.depend_on("I-SAF-28")
        return ctx.state.terms.options["I-SAF-28"] == "saved"
    destruction.die(stack, [obj], "price")
    return True


def transform(ctx: Context, obj: int) -> bool:
    """Turn a card to its other face where it is; return whether it counts as destroyed (I-SAF-22)."""
    ctx.depend_on("I-SAF-22")
    # `form` lasts while the card is in play, `transformed` until the turn ends (SAF-VII-Transfo).
    ctx.emit("note", "form", obj)
    ctx.emit("note", "transformed", obj)
    return ctx.state.terms.options["I-SAF-22"] == "inplace"


def shield(state: State, seat: str, territory: int, keywords: Sequence[str]) -> int | None:
    """Return the fighter that must be destroyed before others of a territory, if there is one.

    It is the first one placed there (SAF-VII-RempartOrder). Fighters that have the keyword from another card come after
    those that bear it themselves, slot by slot.
    """
    if force.quiet(state):
        return None
    bearers = [obj for word in keywords for obj, _program in force.acting(state, "keywords", word)]
    there = [obj for obj in bearers if state.where[obj] in FIGHTERS[seat, territory]]
    if there:
        return min(there, key=state.memory["live"].index)
    # No note says when a card was given its keyword, so the slots decide.
    for path in FIGHTERS[seat, territory] if values.gives_keywords(state) else ():
        for obj in state.zones[path]:
            if any(values.has(state, obj, word) for word in keywords):
                return obj
    return None


def blocked(state: State, obj: int) -> str | None:
    """Return the rule that keeps a fighter from attacking and moving, if any (SAF-VII-Bloquer...)."""
    for record in state.lasting:
        # What holds only while its source is in play stops while that source is silenced.
        if record[0] in ("block", "lock") and not force.in_force(state, record):
            continue
        if record[0] == "block" and record[1] == obj:
            return "SAF-VII-BloquerCombattant"
        if record[0] == "lock" and state.where[obj].startswith(f"{record[1]}/"):
            return "SAF-VII-BloquerTerritoire"
    return None


def locked(state: State, seat: str, territory: int) -> bool:
    """Whether a player may play nothing in a territory for now (SAF-VII-BloquerTerritoire)."""
    path = f"{seat}/T{territory}"
    return any(record[0] == "lock" and record[1] == path and force.in_force(state, record) for record in state.lasting)


def mobile(state: State, obj: int) -> bool:
    """Whether a fighter may change territory: once a turn, if not blocked or forbidden to (SAF-VII-Deplacer)."""
    if state.noted("moved", obj) or blocked(state, obj) is not None:
        return False
    return values.forbidding(state, "move", force.seen(state, obj)) is None
