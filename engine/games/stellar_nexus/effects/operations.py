"""The operations of Stellar Nexus beside those of the core: damage, engaging, markers, the pile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.agenda import Frame, Stack
from engine.core.effects import knowledge
from engine.core.effects.host import Source, Targeted
from engine.core.effects.language import Tree
from engine.core.effects.operations import TARGETED as CORE
from engine.core.effects.values import object_at
from engine.games.stellar_nexus.mat import DAMAGE, ENGAGED, GRAVEYARD, MARKER, engage, worn_out, wound
from engine.games.stellar_nexus.vocabulary import EPHEMERE


def _objects(stack: Stack, got: Sequence[str]) -> list[int]:
    return [object_at(stack.ctx.state, option) for option in got]


def _damage(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Damage to creatures; without endurance they die at the end of the phase (STN-DIV-2, I-STN-12)."""
    points = knowledge.amount(stack, giver, operation)
    for obj in _objects(stack, got):
        wound(stack.ctx, obj, points)
    wither_soon(stack)


def wither_soon(stack: Stack) -> None:
    """Creatures without endurance outside of a confrontation: at once where I-STN-12 says so."""
    state = stack.ctx.state
    if worn_out(state):
        stack.ctx.lean("I-STN-12")
        if state.terms.options["I-STN-12"] == "once":
            stack.push({"step": "wither"})


def wilt(stack: Stack, frame: Frame) -> None:
    """Something that may have given endurance is gone."""
    wither_soon(stack)


def _heal(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Damage is taken off, as far as there is some."""
    points = knowledge.amount(stack, giver, operation)
    for obj in _objects(stack, got):
        healed = min(points, stack.ctx.state.mark(obj, DAMAGE))
        if healed:
            stack.ctx.emit("mark", obj, DAMAGE, -healed)


def _exhaust(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Cards are engaged; an attack or a block under way is cancelled (STN-CBT-2)."""
    for obj in _objects(stack, got):
        engage(stack.ctx, obj)
        undo_action(stack, obj)


def undo_action(stack: Stack, obj: int) -> None:
    """Cancel the attack or the block a creature is making (STN-CBT-2)."""
    state = stack.ctx.state
    if (state.noted("attacking", obj) or state.noted("blocking", obj)) and not state.noted("cancelled", obj):
        stack.ctx.emit("note", "cancelled", obj)


def _ready(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Cards are of use again."""
    for obj in _objects(stack, got):
        if stack.ctx.state.mark(obj, ENGAGED):
            stack.ctx.emit("mark", obj, ENGAGED, -1)


def _marker(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Markers, each +1 to attack and endurance; they stay when the turn ends (STN-CAP-1, I-STN-20)."""
    points = knowledge.amount(stack, giver, operation)
    for obj in _objects(stack, got) if points else ():
        stack.ctx.emit("mark", obj, MARKER, points)
        for _ in range(points):
            fade(stack, list(giver), obj)


def fading(stack: Stack, giver: Source) -> bool:
    """Whether what an éphémère puts in play ends with the turn (I-STN-20)."""
    card = stack.ctx.state.card(giver.obj)
    if card is None or card.kind != EPHEMERE:
        return False
    stack.ctx.lean("I-STN-20")
    return stack.ctx.state.terms.options["I-STN-20"] == "fade"


def fade(stack: Stack, src: Sequence[Any] | None, obj: int) -> None:
    """Note that a marker, or a token, of an éphémère ends with the turn, where it does."""
    if src is not None and fading(stack, Source(*src)):
        stack.ctx.emit("note", "fading", obj)


def _buff(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """More or less of a figure; endurance may be gone with it."""
    CORE["buff"](stack, giver, operation, got)
    wither_soon(stack)


def _cannot(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """An attacker that may not attack, or a blocker that may not block, is cancelled (STN-CBT-2)."""
    objs = _objects(stack, got)
    CORE["cannot"](stack, giver, operation, got)
    note = {"attack": "attacking", "block": "blocking"}.get(operation["what"])
    for obj in objs:
        if note is not None and stack.ctx.state.noted(note, obj):
            undo_action(stack, obj)


def cancel(stack: Stack, giver: Source, operation: Tree) -> None:
    """The topmost thing of a kind on the pile does not happen; its resources stay engaged (STN-RSS-3, STN-CAP-2)."""
    ctx, state = stack.ctx, stack.ctx.state
    found = [index for index, frame in enumerate(stack.frames) if frame["step"] == operation["what"]]
    if not found:
        return
    frame = stack.frames.pop(found[-1])
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
