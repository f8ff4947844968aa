"""What is in force: the cards whose effects act, and the effects that last for a while; how both begin and end.

Objects whose card has effects are noted under "live", in the order they came into play.

`State.lasting` holds tuples (kind, target, key, amount, end, source). The target is an object, a seat or a path. `end`
is the number of the turn in which the effect ends, 0 (as long as its target is in play), -1 (as long as its source is),
or a word: "phase", or "until:" and a trigger.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.core.abilities.language import Tree
from engine.core.abilities.program import BONUSES, SOURCES, Program
from engine.core.effects.host import Seen, Source, Stack, host_of
from engine.core.table.context import Context
from engine.core.table.state import State


def quiet(state: State) -> bool:
    """Return whether no effect is in force anywhere, so that the printed figures of cards apply."""
    return not state.lasting and "live" not in state.memory


def source(state: State, obj: int) -> Source:
    """Return an object as the source of an effect."""
    path = state.where[obj]
    host = host_of(state)
    place = host.places[path]
    return Source(obj, host.player(state, obj), place.area, place.slot, path)


def seen(state: State, obj: int) -> Seen:
    """Return an object as it is now."""
    return Seen(obj, state.where[obj], state.refs[obj])


def own_program(state: State, obj: int) -> Program | None:
    """Return what the card of an object does by itself, with its other face if it has changed, even if it is silenced.

    A card that the engine does not execute completely has no program: it is left to a ruling.
    """
    ref = state.refs[obj]
    program = None if ref is None else state.terms.cards[ref].program
    if program is None or not program.sound:
        return None
    return program.into if program.into is not None and state.noted("form", obj) else program


def silenced(state: State, obj: int) -> bool:
    """Return whether a card has lost its effects and bonuses."""
    return bool(state.lasting) and any(record[0] == "silence" and record[1] == obj for record in state.lasting)


def in_force(state: State, record: tuple[Any, ...]) -> bool:
    """Return whether a lasting effect acts now.

    One that holds while its source is in play stops when the source is silenced.
    """
    return record[4] != -1 or not silenced(state, record[5])


def silencing(state: State, obj: int) -> str | None:
    """Return the ref of the card that silenced an object, or None."""
    found = [record[5] for record in state.lasting if record[0] == "silence" and record[1] == obj]
    return (state.refs[found[0]] or "?") if found else None


def active(state: State, obj: int) -> Program | None:
    """Return what the card of an object does now: nothing if it is silenced, or a token made by an effect."""
    # `_muted` reads the lasting effects, so it is asked last: most cards have no program.
    own = own_program(state, obj)
    return None if own is None or _muted(state, obj) else own


def _muted(state: State, obj: int) -> bool:
    """Return whether a card does nothing although it could: it is silenced, or a token made by an effect."""
    return state.noted("inert", obj) or silenced(state, obj)


def acting(state: State, part: str, word: str) -> Sequence[tuple[int, Program]]:
    """Return the cards in force that have `word` in a part of their program ("triggers", "statics", "keywords", …).

    They come in the order in which they came into play. The answer is cached until a card in it, or one that may belong
    to it, comes, goes or changes.
    """
    if "live" not in state.memory:
        return ()
    found = state.acting.get((part, word))
    if found is None:
        found = state.acting[part, word] = _acting(state, part, word)
    return found


def _acting(state: State, part: str, word: str) -> Sequence[tuple[int, Program]]:
    """Look the answer of `acting` up. Refs that the catalogue does not list for the word are skipped at once."""
    saying = state.terms.cards.saying(part, word)
    if not saying:
        return ()
    # `saying` lists a card for both of its faces; the face it shows decides below.
    live: Sequence[Any] = state.memory["live"]
    refs, host, found = state.refs, host_of(state), []
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
    """Return whether a card in force has one of these words in a part of its program."""
    return "live" in state.memory and any(acting(state, part, word) for word in words)


def in_play(state: State, obj: int) -> bool:
    """Return whether a card with effects came into play and is still there."""
    return state.noted("live", obj) and state.where[obj] in host_of(state).in_play


def statics(state: State, kind: str) -> Sequence[tuple[Source, Tree]]:
    """Return the static abilities of a kind that are in force, each with its source."""
    if "live" not in state.memory:
        return ()
    found: Sequence[tuple[Source, Tree]] | None = state.acting.get((SOURCES, kind))
    if found is None:
        there = acting(state, "statics", kind)
        lasts_here = host_of(state).lasts_here
        found = [
            (source(state, obj), static)
            for obj, program in there
            for static in program.statics[kind]
            if lasts_here(state, obj, static)
        ]
        state.acting[SOURCES, kind] = found
    return found


def bonuses(state: State, key: str) -> Sequence[tuple[Source, Tree]]:
    """Return the static bonuses to a figure that are in force, each with its source."""
    if "live" not in state.memory:
        return ()
    found: Sequence[tuple[Source, Tree]] | None = state.acting.get((BONUSES, key))
    if found is None:
        found = [(giver, static) for giver, static in statics(state, "stat") if static["stat"] == key]
        state.acting[BONUSES, key] = found
    return found


def enter(ctx: Context, obj: int) -> None:
    """Note that a card came into play, or into another area. Its place in the order of play counts from now."""
    card = ctx.state.card(obj)
    if card is not None and card.program is not None:
        if ctx.state.noted("live", obj):  # noted again, as the last one in the order of play
            ctx.emit("clear", "live", obj)
        ctx.emit("note", "live", obj)


def leave(stack: Stack, obj: int) -> None:
    """End everything about a card that has left play: notes, marks, attachment, and effects on it or tied to it."""
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
    """End the effects that last until now.

    `word` is "turn", "phase", or "until:" and a trigger; with `obj`, only effects on that object end.
    """
    state = stack.ctx.state
    if word == "turn":
        done = [r for r in state.lasting if r[4] == "phase" or (type(r[4]) is int and 0 < r[4] <= state.turn)]
    else:
        done = [r for r in state.lasting if r[4] == word and (obj is None or r[1] == obj)]
    _end(stack, done)


def lapse_for(stack: Stack, word: str, seat: str) -> None:
    """End the effects that last until a turn of this player begins or ends."""
    state = stack.ctx.state
    _end(stack, [r for r in state.lasting if r[4] == word and state.owners[r[5]] == seat])


def _end(stack: Stack, records: list[tuple[Any, ...]], leaving: int | None = None) -> None:
    """Remove lasting effects, and tell the game from which cards they came.

    A card that was under another player's control goes back to its owner.
    """
    if not records:
        return
    state = stack.ctx.state
    # Backwards, because the last frame pushed is the first to resolve.
    for record in reversed(records):
        stack.ctx.emit("lapse", state.lasting.index(record))
        if record[0] == "control":
            stack.push({"step": "home", "obj": record[1]})
    for giver in dict.fromkeys(record[5] for record in records):
        if giver != leaving:
            stack.host.expire(stack, giver)


def lasts(state: State, obj: int) -> bool:
    """Return whether an effect of limited duration from this card is still in force."""
    return any(record[5] == obj and record[4] for record in state.lasting)


def awaken(state: State) -> None:
    """Put the effects of the cards of a declared position in force, zone by zone."""
    for path in host_of(state).in_play:
        for obj in state.zones[path]:
            card = state.card(obj)
            idle = state.noted("live", obj) or state.noted("inert", obj)
            if card is not None and card.program is not None and not idle:
                state.memory.setdefault("live", []).append(obj)
    state.acting.clear()  # the notes were changed without a reducer, which would have kept the cache right


def refresh(stack: Stack) -> None:
    """Put the effects of cards that a ruling put in play in force, and end those of cards it took out."""
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
