"""Destruction: the cards of a batch are saved or die together, then what their destruction sets going is resolved.

A frame `destroy`: `objs` still to be looked at, `dead` those that die, `cause` attack, riposte, effect, sacrifice or
price; a riposte is named by object (`riposte`), since a fight is one batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.core.effects import force, triggers, values
from engine.core.effects.would import would

if TYPE_CHECKING:
    from engine.core.agenda import Frame, Stack
    from engine.core.state import State


ENDS = ("destroyed", "left")  # the events of a card that dies


def batch(objs: Sequence[int], cause: str, riposte: Sequence[int] = ()) -> Frame:
    """The frame that destroys several objects at once."""
    return {"step": "destroy", "objs": list(objs), "dead": [], "cause": cause, "riposte": list(riposte)}


def step(stack: Stack, frame: Frame) -> None:
    """Look at the next object of the batch; when none is left, those that were not saved die."""
    state = stack.ctx.state
    objs = [obj for obj in frame["objs"] if state.where[obj] in stack.host.in_play]
    if not objs:
        die(stack, [obj for obj in frame["dead"] if state.where[obj] in stack.host.in_play], frame["cause"])
        return
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
    """Objects are destroyed at once; what that sets going saw them all as they were."""
    state = stack.ctx.state
    fallen = [_about_to_die(state, obj) for obj in objs]
    frames: list[Frame] = []
    for obj, going in fallen:
        program = force.active(state, obj)
        matters = bool(going or (program is not None and program.into))
        passive = matters and stack.host.passive(stack.ctx, cause)
        counts = stack.host.dies(stack, obj, cause, passive=passive)
        if counts and not passive:
            frames += going.get("destroyed", ())
        if not passive and state.where[obj] not in stack.host.in_play:
            frames += going.get("left", ())
    if frames:
        stack.host.set_off(stack, frames)


def _about_to_die(state: State, obj: int) -> tuple[int, dict[str, list[Frame]]]:
    """An object with the frames that its end sets going, by event; which it is when it dies is remembered for them."""
    if not (force.any_acting(state, "triggers", ENDS) if state.watched else triggers.heard(state, obj, *ENDS)):
        return obj, {}
    card = values.remembered(state, obj)
    going = {on: triggers.set_going(state, on, card) for on in ENDS}
    return obj, {on: frames for on, frames in going.items() if frames}
