"""Operations that only Stellar Nexus has, or carries out differently: damage, engaging, markers, the pile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.abilities.language import Tree
from engine.core.effects import knowledge
from engine.core.effects.host import Source, Stack, Targeted
from engine.core.effects.operations import TARGETED as CORE
from engine.core.effects.values import object_at
from engine.core.table.agenda import Frame
from engine.games.stellar_nexus.mat import DAMAGE, ENGAGED, GRAVEYARD, MARKER, engage, worn_out, wound
from engine.games.stellar_nexus.vocabulary import EPHEMERE


def _objects(stack: Stack, got: Sequence[str]) -> list[int]:
    return [object_at(stack.ctx.state, option) for option in got]


def _damage(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Damage creatures; those left without endurance die at the end of the phase (STN-DIV-2, I-STN-12)."""
    points = knowledge.amount(stack, giver, operation)
    for obj in _objects(stack, got):
        wound(stack.ctx, obj, points)
    wither_soon(stack)


def wither_soon(stack: Stack) -> None:
    """Have creatures without endurance die at once, outside a confrontation, if I-STN-12 says so."""
    state = stack.ctx.state
    if worn_out(state):
        stack.ctx.depend_on("I-STN-12")
        if state.terms.options["I-STN-12"] == "once":
            stack.push({"step": "wither"})


def wilt(stack: Stack, frame: Frame) -> None:
    """Check endurance again: something that may have given some is gone."""
    wither_soon(stack)


def _heal(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Remove damage, as far as there is any."""
    points = knowledge.amount(stack, giver, operation)
    for obj in _objects(stack, got):
        healed = min(points, stack.ctx.state.mark(obj, DAMAGE))
        if healed:
            stack.ctx.emit("mark", obj, DAMAGE, -healed)


def _exhaust(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Engage cards; an attack or a block they are making is cancelled (STN-CBT-2)."""
    for obj in _objects(stack, got):
        engage(stack.ctx, obj)
        undo_action(stack, obj)


def undo_action(stack: Stack, obj: int) -> None:
    """Cancel the attack or the block a creature is making (STN-CBT-2)."""
    state = stack.ctx.state
    if (state.noted("attacking", obj) or state.noted("blocking", obj)) and not state.noted("cancelled", obj):
        stack.ctx.emit("note", "cancelled", obj)


def _ready(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Untap engaged cards."""
    for obj in _objects(stack, got):
        if stack.ctx.state.mark(obj, ENGAGED):
            stack.ctx.emit("mark", obj, ENGAGED, -1)


def _marker(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Put markers, each worth +1 to attack and endurance, which outlast the turn (STN-CAP-1, I-STN-20)."""
    points = knowledge.amount(stack, giver, operation)
    for obj in _objects(stack, got) if points else ():
        stack.ctx.emit("mark", obj, MARKER, points)
        # One note a marker: `fade_out` takes off as many markers as there are notes.
        for _ in range(points):
            fade(stack, list(giver), obj)


def fading(stack: Stack, giver: Source) -> bool:
    """Whether what an éphémère puts in play ends with the turn (I-STN-20)."""
    card = stack.ctx.state.card(giver.obj)
    if card is None or card.kind != EPHEMERE:
        return False
    stack.ctx.depend_on("I-STN-20")
    return stack.ctx.state.terms.options["I-STN-20"] == "fade"


def fade(stack: Stack, src: Sequence[Any] | None, obj: int) -> None:
    """Note that a marker or a token made by an éphémère ends with the turn, if I-STN-20 says so."""
    if src is not None and fading(stack, Source(*src)):
        stack.ctx.emit("note", "fading", obj)


def _buff(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Raise or lower a figure; a creature may be left without endurance."""
    CORE["buff"](stack, giver, operation, got)
    wither_soon(stack)


def _cannot(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Forbid attacking or blocking, which cancels an attack or a block under way (STN-CBT-2)."""
    objs = _objects(stack, got)
    CORE["cannot"](stack, giver, operation, got)
    note = {"attack": "attacking", "block": "blocking"}.get(operation["what"])
    for obj in objs:
        if note is not None and stack.ctx.state.noted(note, obj):
            undo_action(stack, obj)


def cancel(stack: Stack, giver: Source, operation: Tree) -> None:
    """Counter the topmost requisition or ability on the pile; its resources stay engaged (STN-RSS-3, STN-CAP-2)."""
    ctx, state = stack.ctx, stack.ctx.state
    found = [index for index, frame in enumerate(stack.frames) if frame["step"] == operation["what"]]
    if not found:
        return
    frame = stack.frames.pop(found[-1])
    # The powers of the resources it was paid with wait right below it, and are not set off either (STN-RSS-3).
    below = found[-1] - 1
    if below >= 0 and stack.frames[below]["step"] == "powers":
        stack.frames.pop(below)
    obj = int(frame["obj"])
    if frame["step"] == "requisition":
        ctx.emit("move", obj, GRAVEYARD[state.owners[obj]], -1)


TARGETED: Mapping[str, Targeted] = {
    "damage": _damage,
    "heal": _heal,
    "exhaust": _exhaust,
    "ready": _ready,
    "marker": _marker,
    "buff": _buff,
    "cannot": _cannot,
}
