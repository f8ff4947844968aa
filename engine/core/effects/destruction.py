"""Destruction: the cards of a batch are saved or die together, then what their destruction triggers resolves.

A `destroy` frame has `objs`, the objects not looked at yet; `dead`, those that will die; and `cause`: attack, riposte,
effect, sacrifice or price. Objects destroyed by a riposte are also listed in `riposte`, because a fight destroys both
sides in one batch.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.effects import force, triggers, values
from engine.core.effects.host import Stack
from engine.core.effects.would import would
from engine.core.table.agenda import Frame
from engine.core.table.state import State

ENDS = ("destroyed", "left")  # the two events of a card that dies
SACRIFICED = "sacrificed"  # one more if its own player gave it up


def batch(objs: Sequence[int], cause: str, riposte: Sequence[int] = ()) -> Frame:
    """Return the frame that destroys several objects at once."""
    return {"step": "destroy", "objs": list(objs), "dead": [], "cause": cause, "riposte": list(riposte)}


def step(stack: Stack, frame: Frame) -> None:
    """Let the next object of the batch be saved or not. When none is left, those that were not saved die."""
    state = stack.ctx.state
    objs = [obj for obj in frame["objs"] if state.where[obj] in stack.host.in_play]
    if not objs:
        die(stack, [obj for obj in frame["dead"] if state.where[obj] in stack.host.in_play], frame["cause"])
        return
    # One at a time, since saving a card may cost something that then cannot save the next one.
    obj, *rest = objs
    dies = {**frame, "objs": rest, "dead": [*frame["dead"], obj]}
    about = {
        "obj": obj,
        "cause": frame["cause"],
        "riposte": obj in frame["riposte"],
        "doomed": [obj, *rest, *frame["dead"]],
    }
    stack.push(would("destroyed", dies, {**frame, "objs": rest}, **about))


def die(stack: Stack, objs: Sequence[int], cause: str) -> None:
    """Destroy objects at once. What that triggers sees all of them as they were."""
    state = stack.ctx.state
    # Collect the triggers of all objects before any of them leaves: each sees the others still in play.
    events = (SACRIFICED, *ENDS) if cause == "sacrifice" else ENDS
    fallen = [_about_to_die(state, obj, events) for obj in objs]
    frames: list[Frame] = []
    for obj, going in fallen:
        program = force.active(state, obj)
        matters = bool(going or (program is not None and program.into))
        passive = matters and stack.host.passive(stack.ctx, cause)
        counts = stack.host.dies(stack, obj, cause, passive=passive)
        # A card that only changed its face, or went away otherwise, was not destroyed, but may still have left play.
        if counts and not passive:
            frames += [*going.get(SACRIFICED, ()), *going.get("destroyed", ())]
        if not passive and state.where[obj] not in stack.host.in_play:
            frames += going.get("left", ())
    if frames:
        stack.host.set_off(stack, frames)


def _about_to_die(state: State, obj: int, events: Sequence[str]) -> tuple[int, dict[str, list[Frame]]]:
    """Return an object with the frames that its end triggers, by event, remembering the object as it is now."""
    if not (force.any_acting(state, "triggers", events) if state.watched else triggers.heard(state, obj, *events)):
        return obj, {}
    card = values.remembered(state, obj)
    going = {on: triggers.set_going(state, on, card) for on in events}
    return obj, {on: frames for on, frames in going.items() if frames}
