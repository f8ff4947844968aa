"""Triggers: the abilities that an event sets off, of the card it happens to and of the cards that watch it.

Order for one event: the abilities of the card it happens to, then those of the cards that watch it, in the order they
came into play; for one card, as printed. For several events at once: in the order of the events. An ability that
resolves may trigger more, which resolves before the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.core.abilities.language import Tree
from engine.core.effects import force
from engine.core.effects.host import Seen, Source, Stack, host_of
from engine.core.effects.values import holds, reaches, remembered
from engine.core.table.agenda import Frame
from engine.core.table.state import State

ACTED = "acted"  # the note about cards whose ability that acts once has acted


def doing(giver: Source, operations: Sequence[Tree]) -> Frame:
    """Return the frame that carries out operations."""
    return {"step": "do", "ops": operations, "src": list(giver)}


def set_going(state: State, on: str, card: Seen) -> list[Frame]:
    """Return the frames of everything that an event about a card triggers now, in order."""
    if "live" not in state.memory:
        return []
    frames: list[Frame] = []
    own = _own(state, on, card.obj)
    if own:
        frames += _set_off(state, card.obj, own, card)
    for obj, program in force.acting(state, "watches", on):
        # Its own abilities come first, and were added above.
        if obj != card.obj:
            frames += _set_off(state, obj, program.watches[on], card)
    return frames


def _own(state: State, on: str, obj: int) -> Sequence[Tree]:
    """Return the abilities of a card that an event about the card itself triggers."""
    # The catalogue knows which cards have a word, so most are ruled out by one lookup.
    if state.refs[obj] not in state.terms.cards.saying("triggers", on) or not force.in_play(state, obj):
        return ()
    program = force.active(state, obj)
    return () if program is None else program.triggers.get(on, ())


def _set_off(state: State, obj: int, abilities: Sequence[Tree], card: Seen) -> list[Frame]:
    """Return the frames of one card's abilities that an event about a card (itself or another) triggers."""
    frames: list[Frame] = []
    giver = force.source(state, obj)
    for ability in abilities:
        watched = ability.get("of")
        hit = obj == card.obj if watched is None else reaches(state, giver, watched, card)
        if hit and _timely(state, ability, giver.seat, None) and _ready(state, giver, ability):
            frames.append(host_of(state).going(giver._replace(it=list(card)), ability))
    return frames


def heard(state: State, obj: int, *events: str) -> bool:
    """Return whether one of these events about a card may trigger anything, on it or on a card that watches it."""
    if "live" not in state.memory:
        return False
    return any(force.acting(state, "watches", on) or _own(state, on, obj) for on in events)


def leaving(state: State, obj: int) -> list[Frame]:
    """Return the frames of what a card about to leave play triggers. They see the card as it was."""
    # A shortcut, not allowed in a watched state: there the reads of `set_going` must take place.
    if not state.watched and not heard(state, obj, "left"):
        return []
    return set_going(state, "left", remembered(state, obj))


def after(stack: Stack, *events: tuple[str, Seen]) -> None:
    """Resolve next what events about cards trigger, in order, and end the effects that last until one of them."""
    frames = [frame for on, card in events for frame in set_going(stack.ctx.state, on, card)]
    if frames:
        stack.host.set_off(stack, frames)
    if stack.ctx.state.lasting:
        # After the triggers are collected: an effect that lasts until an event is still in force when it happens.
        for on, card in events:
            force.lapse(stack, f"until:{on}", card.obj)


def push(stack: Stack, frames: Sequence[Frame]) -> None:
    """Push frames so that the first of them resolves first."""
    for frame in reversed(frames):
        stack.push(frame)


def turn_event(stack: Stack, on: str, seat: str) -> None:
    """Trigger the abilities for this moment of a turn: the player's own, or those that name the opposing turn."""
    state = stack.ctx.state
    frames = [
        stack.host.going(giver, ability)
        for giver, ability in awaiting(state, on)
        if _timely(state, ability, giver.seat, "own", seat) and _ready(state, giver, ability)
    ]
    if frames:
        stack.host.set_off(stack, frames)
    if state.lasting:
        force.lapse_for(stack, f"until:{on}", seat)


def awaiting(state: State, on: str) -> Iterator[tuple[Source, Tree]]:
    """Yield the abilities in force with a trigger about turns, in the order their cards came into play."""
    for obj, program in force.acting(state, "triggers", on):
        for ability in program.triggers[on]:
            yield force.source(state, obj), ability


def _ready(state: State, giver: Source, ability: Tree) -> bool:
    """Return whether an ability is triggered by its event: its condition holds, and it has not acted if only once."""
    if "once" in ability and state.noted(ACTED, giver.obj):
        return False
    return holds(state, giver, ability.get("if"))


def _timely(state: State, ability: Tree, mine: str, default: str | None, seat: str | None = None) -> bool:
    """Return whether an ability acts in this turn: its `turn` is "own", "opposing", or not given."""
    whose = ability.get("turn", default)
    return whose is None or ((seat or state.seat) == mine) == (whose == "own")
