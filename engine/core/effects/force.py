"""What is in force: which cards act, what was done to them for a while, how both begin and end.

Objects whose card has effects are noted under "live" in the order they came into play; `lasting` holds tuples
(kind, target, key, amount, end, source): `end` is the number of the turn it ends with, 0 (while its target is in
play), -1 (while its source is), or a word: "phase", "until:" and a trigger. A target is an object, a seat or a path.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from engine.core.effects.host import Seen, Source
from engine.core.effects.program import BONUSES, SOURCES, Program

if TYPE_CHECKING:
    from engine.core.agenda import Stack
    from engine.core.context import Context
    from engine.core.effects.language import Tree
    from engine.core.state import State


def quiet(state: State) -> bool:
    """Whether no effect is in force anywhere, so that printed figures are all there is."""
    return not state.lasting and "live" not in state.memory


def source(state: State, obj: int) -> Source:
    """An object as the source of an effect."""
    path = state.where[obj]
    host = state.terms.host
    place = host.places[path]
    return Source(obj, host.player(state, obj), place.area, place.slot, path)


def seen(state: State, obj: int) -> Seen:
    """An object as it is now."""
    return Seen(obj, state.where[obj], state.refs[obj])


def own_program(state: State, obj: int) -> Program | None:
    """What the card of an object does by itself, with its other face if it changed, whatever silences it.

    A card the engine does not execute whole does nothing: it is left to a ruling.
    """
    ref = state.refs[obj]
    program = None if ref is None else state.terms.cards[ref].program
    if program is None or not program.sound:
        return None
    return program.into if program.into is not None and state.noted("form", obj) else program


def silenced(state: State, obj: int) -> bool:
    """Whether the card lost its effects and bonuses."""
    return bool(state.lasting) and any(record[0] == "silence" and record[1] == obj for record in state.lasting)


def in_force(state: State, record: tuple[Any, ...]) -> bool:
    """Whether something that lasts acts now: what holds while its card is in play ends where that one is silenced."""
    return record[4] != -1 or not silenced(state, record[5])


def silencing(state: State, obj: int) -> str | None:
    """The ref of the card that took an object's effects away."""
    found = [record[5] for record in state.lasting if record[0] == "silence" and record[1] == obj]
    return (state.refs[found[0]] or "?") if found else None


def active(state: State, obj: int) -> Program | None:
    """What the card of an object does now: nothing if it is silenced or a token that an effect made."""
    own = own_program(state, obj)
    return None if own is None or _muted(state, obj) else own


def _muted(state: State, obj: int) -> bool:
    """Whether a card does nothing although it could: it is a token that an effect made, or silenced."""
    return state.noted("inert", obj) or silenced(state, obj)


def acting(state: State, part: str, word: str) -> Sequence[tuple[int, Program]]:
    """The cards in force whose program has a word in a part of it: "triggers", "statics", "keywords"…

    In the order they came into play. The answer is kept until a card comes, goes or changes that may be in it.
    """
    if "live" not in state.memory:
        return ()
    found = state.acting.get((part, word))
    if found is None:
        found = state.acting[part, word] = _acting(state, part, word)
    return found


def _acting(state: State, part: str, word: str) -> Sequence[tuple[int, Program]]:
    """The same, looked up. Most cards do not: the catalogue knows that, whether or not they act at all."""
    saying = state.terms.cards.saying(part, word)
    if not saying:
        return ()
    live: Sequence[Any] = state.memory["live"]
    refs, host, found = state.refs, state.terms.host, []
    for obj in live:
        ref = refs[obj]
        if ref not in saying:
            continue
        program = saying[ref]
        sound = program.sound
        if program.into is not None:
            if state.noted("form", obj):
                program = program.into
            if word not in getattr(program, part):
                continue
        if sound and state.where[obj] in host.in_play and host.acts(state, obj) and not _muted(state, obj):
            found.append((obj, program))
    return found


def any_acting(state: State, part: str, words: Sequence[str]) -> bool:
    """Whether a card in force has one of these words in a part of its program."""
    return "live" in state.memory and any(acting(state, part, word) for word in words)


def in_play(state: State, obj: int) -> bool:
    """Whether a card came into play and is still there."""
    return state.noted("live", obj) and state.where[obj] in state.terms.host.in_play


def statics(state: State, kind: str) -> Sequence[tuple[Source, Tree]]:
    """The statics of a kind that are in force, each with its card."""
    if "live" not in state.memory:
        return ()
    found: Sequence[tuple[Source, Tree]] | None = state.acting.get((SOURCES, kind))
    if found is None:
        there = acting(state, "statics", kind)
        found = [(source(state, obj), static) for obj, program in there for static in program.statics[kind]]
        state.acting[SOURCES, kind] = found
    return found


def bonuses(state: State, key: str) -> Sequence[tuple[Source, Tree]]:
    """The static bonuses to a figure that are in force, each with the card that gives it."""
    if "live" not in state.memory:
        return ()
    found: Sequence[tuple[Source, Tree]] | None = state.acting.get((BONUSES, key))
    if found is None:
        found = [(giver, static) for giver, static in statics(state, "stat") if static["stat"] == key]
        state.acting[BONUSES, key] = found
    return found


def enter(ctx: Context, obj: int) -> None:
    """A card came into play, or into another area: its order there counts from now."""
    card = ctx.state.card(obj)
    if card is not None and card.program is not None:
        if ctx.state.noted("live", obj):
            ctx.emit("clear", "live", obj)
        ctx.emit("note", "live", obj)


def leave(stack: Stack, obj: int) -> None:
    """A card left play: what was noted of it, what was done to it, and what lasted while it stood there, end."""
    state = stack.ctx.state
    stack.host.forget(stack.ctx, obj)
    for key, count in list(state.marks.get(obj, {}).items()):
        stack.ctx.emit("mark", obj, key, -count)
    if obj in state.hosts:
        stack.ctx.emit("attach", obj, None)
    stack.host.left(stack, obj)
    _end(stack, [record for record in state.lasting if _ends_with(record, obj)], leaving=obj)


def _ends_with(record: tuple[Any, ...], obj: int) -> bool:
    _kind, target, _key, _amount, end, giver = record
    return bool((type(target) is int and target == obj) or (end == -1 and giver == obj))


def lapse(stack: Stack, word: str, obj: int | None = None) -> None:
    """What was to last until now ends: "turn", "phase", or "until:" and what happened, to `obj` if it is a card's."""
    state = stack.ctx.state
    if word == "turn":
        done = [r for r in state.lasting if r[4] == "phase" or (type(r[4]) is int and 0 < r[4] <= state.turn)]
    else:
        done = [r for r in state.lasting if r[4] == word and (obj is None or r[1] == obj)]
    _end(stack, done)


def lapse_for(stack: Stack, word: str, seat: str) -> None:
    """What was to last until a turn of this player begins or ends is over."""
    state = stack.ctx.state
    _end(stack, [r for r in state.lasting if r[4] == word and state.owners[r[5]] == seat])


def _end(stack: Stack, records: list[tuple[Any, ...]], leaving: int | None = None) -> None:
    """Take records out; a card held under control for a while goes back to its owner, and a source may be used up."""
    if not records:
        return
    state = stack.ctx.state
    for record in reversed(records):
        stack.ctx.emit("lapse", state.lasting.index(record))
        if record[0] == "control":
            stack.push({"step": "home", "obj": record[1]})
    for giver in dict.fromkeys(record[5] for record in records):
        if giver != leaving:
            stack.host.expire(stack, giver)


def lasts(state: State, obj: int) -> bool:
    """Whether what a card set going for a stated duration is still in force."""
    return any(record[5] == obj and record[4] for record in state.lasting)


def awaken(state: State) -> None:
    """Note the cards of a position being set up whose effects are in force, place by place."""
    for path in state.terms.host.in_play:
        for obj in state.zones[path]:
            card = state.card(obj)
            idle = state.noted("live", obj) or state.noted("inert", obj)
            if card is not None and card.program is not None and not idle:
                state.memory.setdefault("live", []).append(obj)
    state.acting.clear()


def refresh(stack: Stack) -> None:
    """Put in force what a ruling put in play, and end what it took out."""
    state = stack.ctx.state
    for obj in list(state.memory.get("live", ())):
        assert isinstance(obj, int)
        if state.where[obj] not in stack.host.in_play:
            leave(stack, obj)
    for path in stack.host.in_play:
        for obj in state.zones[path]:
            if not state.noted("live", obj):
                enter(stack.ctx, obj)
    stack.run()
