"""What events set going: the abilities of the cards they happen to, and of those that watch them.

Order of what one event sets going: the abilities of the card it happens to, then those of the cards that watch it, in
the order these came into play; of one card, as printed. Of several events at once: in the order of the events. What is
resolved first may set off more, which is then resolved before the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from engine.core.effects import force
from engine.core.effects.host import Seen, Source
from engine.core.effects.values import reaches, remembered

if TYPE_CHECKING:
    from engine.core.agenda import Frame, Stack
    from engine.core.effects.language import Tree
    from engine.core.state import State


def doing(giver: Source, operations: Sequence[Tree]) -> Frame:
    """The frame that carries operations out."""
    return {"step": "do", "ops": operations, "src": list(giver)}


def set_going(state: State, on: str, card: Seen) -> list[Frame]:
    """The frames of everything that an event about a card sets going now, in order."""
    if "live" not in state.memory:
        return []
    frames: list[Frame] = []
    own = _own(state, on, card.obj)
    if own:
        frames += _set_off(state, card.obj, own, card)
    for obj, program in force.acting(state, "watches", on):
        if obj != card.obj:
            frames += _set_off(state, obj, program.watches[on], card)
    return frames


def _own(state: State, on: str, obj: int) -> Sequence[Tree]:
    """What a card itself has to say about an event that happens to it."""
    if state.refs[obj] not in state.terms.cards.saying("triggers", on) or not force.in_play(state, obj):
        return ()
    program = force.active(state, obj)
    return () if program is None else program.triggers.get(on, ())


def _set_off(state: State, obj: int, abilities: Sequence[Tree], card: Seen) -> list[Frame]:
    """The frames of the abilities of one card that an event about a card (itself or another) sets going."""
    frames: list[Frame] = []
    giver = force.source(state, obj)
    for ability in abilities:
        watched = ability.get("of")
        hit = obj == card.obj if watched is None else reaches(state, giver, watched, card)
        if hit and _timely(state, ability, giver.seat, None):
            frames.append(state.terms.host.going(giver._replace(it=list(card)), ability))
    return frames


def heard(state: State, obj: int, *events: str) -> bool:
    """Whether anything may be set going by one of these events about a card: by its own text or one that watches."""
    if "live" not in state.memory:
        return False
    return any(force.acting(state, "watches", on) or _own(state, on, obj) for on in events)


def leaving(state: State, obj: int) -> list[Frame]:
    """The frames of what a card about to leave sets going, which sees it as it was."""
    if not state.watched and not heard(state, obj, "left"):
        return []
    return set_going(state, "left", remembered(state, obj))


def after(stack: Stack, *events: tuple[str, Seen]) -> None:
    """What events about cards set going is resolved next, in their order; what lasted until one of them ends."""
    frames = [frame for on, card in events for frame in set_going(stack.ctx.state, on, card)]
    if frames:
        stack.host.set_off(stack, frames)
    if stack.ctx.state.lasting:
        for on, card in events:
            force.lapse(stack, f"until:{on}", card.obj)


def push(stack: Stack, frames: Sequence[Frame]) -> None:
    """Frames to be resolved next, the first of them first."""
    for frame in reversed(frames):
        stack.push(frame)


def turn_event(stack: Stack, on: str, seat: str) -> None:
    """The abilities for this moment of a turn: of its player, or those that name the opposing turn."""
    state = stack.ctx.state
    frames = [
        stack.host.going(giver, ability)
        for giver, ability in awaiting(state, on)
        if _timely(state, ability, giver.seat, "own", seat)
    ]
    if frames:
        stack.host.set_off(stack, frames)
    if state.lasting:
        force.lapse_for(stack, f"until:{on}", seat)


def awaiting(state: State, on: str) -> Iterator[tuple[Source, Tree]]:
    """The abilities in force with a trigger about turns, in the order their cards came into play."""
    for obj, program in force.acting(state, "triggers", on):
        for ability in program.triggers[on]:
            yield force.source(state, obj), ability


def _timely(state: State, ability: Tree, mine: str, default: str | None, seat: str | None = None) -> bool:
    """Whether an ability acts in the turn it is: its `turn` is its player's own, the opponent's, or unsaid."""
    whose = ability.get("turn", default)
    return whose is None or ((seat or state.seat) == mine) == (whose == "own")
