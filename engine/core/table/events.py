"""The closed list of atomic events, and `apply`, the only place where a state changes.

    ("counter", "A.pi", -2)          change a counter by a delta, within its bounds
    ("move", 17, "A/hand", -1)       move an object to a zone, at an index (-1: the end), within the zone's capacity
    ("swap", 17, 23)                 swap two objects, each of which is alone in its zone
    ("name", 17, "DEMO-SAF-001")     identify a hidden object; the owner's registered list must have a copy left
    ("hide", 17)                     shuffle an object away: it is not identified any more
    ("first", "A")                   set who goes first
    ("turn", 3, "A", "lancement")    set the turn number, the seat and the phase
    ("note", "attacked", 17)         remember something that the board does not show
    ("clear", "attacked", 17)        … and forget it
    ("wipe", ("attacked", "moved"))  forget everything noted under these keys
    ("recall", {"attacked": [17]})   … and restore it (only as the inverse of a wipe)
    ("mark", 17, "damage", 2)        add marks to an object or remove them, never below 0
    ("attach", 17, 12)               attach an object to another one (None: detach it)
    ("rehost", {17: 12})             restore the attachments (only as the inverse of an attach)
    ("own", 17, "A")                 give a known card to another player, or to nobody
    ("agenda", (frame, …))           replace the stack of effect steps still to resolve (see `core.table.agenda`)
    ("lasting", ("add", 17, …), -1)  start a lasting effect, at an index (-1: the end)
    ("lapse", 0)                     end the lasting effect at an index
    ("create", "A", path, ref)       create a token, which is in no registered list
    ("uncreate",)                    remove the object created last (only as the inverse of a create)
    ("settle", ("A.pi", …))          mark undeclared facts of a position as known
    ("unsettle", (…))                mark them as unknown again (only as the inverse of a settle)
    ("end", "A", "pv", "SAF-I-1")    end the game: winner, reason, rule
    ("resume",)                      the game is not over after all (only as the inverse of an end)

Every event has an inverse, which `apply` returns, so that a refused move can be undone exactly. Reducers run at every
move of a replay: they change the state in place and copy as little as possible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from engine.core.table.state import LIVE, Outcome, State, add
from engine.core.text.errors import Impossible

Event = tuple[Any, ...]

MAX_MADE = 500  # cards created during one game; listing the moves takes time with every card
MADE = "made"  # the note for objects created during the game, which are in no registered list
SILENCE = "silence"  # the kind of lasting effect that takes a card's effects away


def apply(state: State, event: Event) -> Event:
    """Apply one event to the state and return its inverse.

    Raises Impossible, with the state unchanged, if the event would break an invariant: codes `below_minimum`,
    `above_maximum`, `zone_full`, `no_copy_left`, `already_named`, `not_noted`, `unknown_owner`, `too_many_cards`.
    """
    return REDUCERS[event[0]](state, event)


def _forget(state: State, obj: int) -> None:
    """Drop the cached answers of `State.acting` that list an object, or might list it after this event."""
    if not state.acting:
        return
    card = state.card(obj)
    if card is not None and card.program is not None:
        for key in card.program.cache_keys:
            state.acting.pop(key, None)


def _forget_with_attached(state: State, obj: int) -> None:
    """Drop the cached answers about an object that moved, and about the objects attached to it."""
    _forget(state, obj)
    for other in state.attached(obj):
        _forget(state, other)


def _counter(state: State, event: Event) -> Event:
    _, path, delta = event
    value = state.counters[path] + delta
    low, high = state.terms.bounds[path]
    if value < low:
        raise Impossible("below_minimum", f"{path} would be {value}, below {low}")
    if high is not None and value > high:
        raise Impossible("above_maximum", f"{path} would be {value}, above {high}")
    state.counters[path] = value
    return ("counter", path, -delta)


def _move(state: State, event: Event) -> Event:
    _, obj, path, index = event
    target = state.zones[path]
    capacity = state.terms.capacity.get(path)
    old = state.where[obj]
    # Within a full zone, a card can still change its place.
    if capacity is not None and len(target) >= capacity and old != path:
        raise Impossible("zone_full", f"{path} holds {capacity} already")
    source = state.zones[old]
    if source[-1] == obj:  # the usual case (the top of a deck, the only card of a slot), without a search
        position = -1
        source.pop()
    else:
        position = source.index(obj)
        del source[position]
    if index < 0:
        target.append(obj)
    else:
        target.insert(index, obj)
    state.where[obj] = path
    if state.acting:
        _forget_with_attached(state, obj)
    return ("move", obj, old, position)


def _swap(state: State, event: Event) -> Event:
    _, one, two = event
    here, there = state.where[one], state.where[two]
    state.zones[here], state.zones[there] = [two], [one]
    state.where[one], state.where[two] = there, here
    _forget_with_attached(state, one)
    _forget_with_attached(state, two)
    return ("swap", one, two)


def _name(state: State, event: Event) -> Event:
    _, obj, ref = event
    if state.refs[obj] is not None:
        raise Impossible("already_named", f"this card is {state.refs[obj]} already")
    left = state.unseen.get(state.owners[obj])
    if left is not None:
        copies = left.get(ref, 0)
        if copies == 0:
            raise Impossible("no_copy_left", f"no copy of {ref} is left in the list of {state.owners[obj]}")
        left[ref] = copies - 1
    state.refs[obj] = ref
    _forget(state, obj)
    return ("hide", obj)


def _hide(state: State, event: Event) -> Event:
    obj = event[1]
    ref = state.refs[obj]
    left = state.unseen.get(state.owners[obj])
    if left is not None and ref is not None:
        left[ref] = left.get(ref, 0) + 1  # a card that a ruling or an effect created is not on the list
    _forget(state, obj)
    state.refs[obj] = None
    return ("name", obj, ref)


def _first(state: State, event: Event) -> Event:
    old = state.first
    state.first = event[1]
    return ("first", old)


def _turn(state: State, event: Event) -> Event:
    old = ("turn", state.turn, state.seat, state.phase)
    _, state.turn, state.seat, state.phase = event
    return old


def _note(state: State, event: Event) -> Event:
    key, value = event[1], event[2]
    notes = state.memory.setdefault(key, [])
    # Only the inverse of a clear gives an index: the order of notes counts (cards act in the order they came).
    notes.insert(event[3] if len(event) > 3 else len(notes), value)
    if key in LIVE:
        _forget(state, value)
    return ("clear", key, value)


def _clear(state: State, event: Event) -> Event:
    _, key, value = event
    notes = state.memory.get(key)
    if notes is None or value not in notes:
        raise Impossible("not_noted", f"{value} is not noted under {key}")
    index = len(notes) - 1 - notes[::-1].index(value)
    del notes[index]
    if not notes:
        del state.memory[key]
    if key in LIVE:
        _forget(state, value)
    return ("note", key, value, index)


def _wipe(state: State, event: Event) -> Event:
    memory = state.memory
    forgotten = {}
    for key in event[1]:
        if key in memory:
            forgotten[key] = memory.pop(key)
            if key in LIVE:
                # Each card that was noted there may be in the cache.
                state.acting.clear()
    return ("recall", forgotten)


def _recall(state: State, event: Event) -> Event:
    state.memory.update(event[1])
    state.acting.clear()
    return ("wipe", tuple(event[1]))


def _mark(state: State, event: Event) -> Event:
    _, obj, key, delta = event
    value = state.mark(obj, key) + delta
    if value < 0:
        raise Impossible("below_minimum", f"{key} of {obj} would be {value}")
    counts = state.marks.setdefault(obj, {})
    if value:
        counts[key] = value
    else:
        counts.pop(key, None)
        if not counts:
            del state.marks[obj]
    return ("mark", obj, key, -delta)


def _attach(state: State, event: Event) -> Event:
    _, obj, host = event
    old = dict(state.hosts)  # all of them, because putting one back would not restore its place in the order
    state.hosts.pop(obj, None)
    if host is not None:
        state.hosts[obj] = host
    _forget(state, obj)
    return ("rehost", old)


def _rehost(state: State, event: Event) -> Event:
    old = state.hosts
    state.hosts = dict(event[1])
    state.acting.clear()
    return ("rehost", old)


def _own(state: State, event: Event) -> Event:
    obj, owner = event[1], event[2]
    old, ref, left = state.owners[obj], state.refs[obj], state.unseen.get(event[2])
    if ref is None:
        raise Impossible("unknown_owner", "a card that nobody knows cannot change owners")
    state.owners[obj] = owner
    if len(event) > 3:  # "unlist": the inverse removes the list entry that was added below
        del state.unseen[old][ref]
    if left is None or ref in left:
        return ("own", obj, old)
    left[ref] = 0  # from here on, the card counts as one of the new owner's list, should it be hidden again
    return ("own", obj, old, "unlist")


def _agenda(state: State, event: Event) -> Event:
    old = state.agenda
    state.agenda = event[1]
    return ("agenda", old)


def _lasting(state: State, event: Event) -> Event:
    _, record, index = event
    place = len(state.lasting) if index < 0 else index
    state.lasting.insert(place, record)
    if record[0] == SILENCE:
        _forget(state, record[1])
    return ("lapse", place)


def _lapse(state: State, event: Event) -> Event:
    record = state.lasting.pop(event[1])
    if record[0] == SILENCE:
        _forget(state, record[1])
    return ("lasting", record, event[1])


def _create(state: State, event: Event) -> Event:
    _, owner, path, ref = event
    capacity = state.terms.capacity.get(path)
    if capacity is not None and len(state.zones[path]) >= capacity:
        raise Impossible("zone_full", f"{path} holds {capacity} already")
    made = state.memory.setdefault(MADE, [])
    if len(made) >= MAX_MADE:
        raise Impossible("too_many_cards", f"more than {MAX_MADE} cards created")
    made.append(add(state, owner, path, ref))
    return ("uncreate",)


def _uncreate(state: State, event: Event) -> Event:
    # Events are undone in reverse order, so the object to remove is always the one with the highest number.
    path, owner, ref = state.where.pop(), state.owners.pop(), state.refs.pop()
    state.zones[path].remove(len(state.refs))
    state.memory[MADE].pop()
    if not state.memory[MADE]:
        del state.memory[MADE]
    return ("create", owner, path, ref)


def _settle(state: State, event: Event) -> Event:
    old = state.unknown
    state.unknown = tuple(fact for fact in old if fact not in event[1])
    return ("unsettle", old)


def _unsettle(state: State, event: Event) -> Event:
    old = tuple(fact for fact in event[1] if fact not in state.unknown)
    state.unknown = event[1]
    return ("settle", old)


def _end(state: State, event: Event) -> Event:
    state.result = Outcome(*event[1:])
    return ("resume",)


def _resume(state: State, event: Event) -> Event:
    old = state.result
    state.result = None
    return ("end", *old[:3]) if old is not None else ("resume",)


REDUCERS: dict[object, Callable[[State, Event], Event]] = {
    "counter": _counter,
    "move": _move,
    "swap": _swap,
    "name": _name,
    "hide": _hide,
    "first": _first,
    "turn": _turn,
    "note": _note,
    "clear": _clear,
    "wipe": _wipe,
    "recall": _recall,
    "mark": _mark,
    "attach": _attach,
    "rehost": _rehost,
    "own": _own,
    "agenda": _agenda,
    "lasting": _lasting,
    "lapse": _lapse,
    "create": _create,
    "uncreate": _uncreate,
    "settle": _settle,
    "unsettle": _unsettle,
    "end": _end,
    "resume": _resume,
}


def undo(state: State, inverses: list[Event]) -> None:
    """Undo events, given their inverses in the order the events were applied. Empties the list."""
    while inverses:
        apply(state, inverses.pop())


def broken_invariants(state: State) -> Iterator[str]:
    """Yield every invariant that the state breaks, in words. Slow but complete: for tests and debugging."""
    for path, value in state.counters.items():
        low, high = state.terms.bounds[path]
        if value < low or (high is not None and value > high):
            yield f"{path} is {value}"
    for path, size in state.terms.capacity.items():
        if len(state.zones[path]) > size:
            yield f"{path} holds {len(state.zones[path])}"
    for obj, counts in state.marks.items():
        if not counts or any(count < 1 for count in counts.values()):
            yield f"{obj} bears {counts}"
    if any(obj == host or host >= len(state.refs) for obj, host in state.hosts.items()):
        yield "an object is attached to itself or to none"
    placed = sorted(obj for objects in state.zones.values() for obj in objects)
    if placed != list(range(len(state.refs))):
        yield "an object is lost or in two zones"
    for path, objects in state.zones.items():
        if any(state.where[obj] != path for obj in objects):
            yield f"{path} holds an object that is elsewhere"
    for seat, left in state.unseen.items():
        hidden = sum(1 for obj, ref in enumerate(state.refs) if ref is None and state.owners[obj] == seat)
        if sum(left.values()) != hidden or any(copies < 0 for copies in left.values()):
            yield f"{seat} has {hidden} hidden cards for {sum(left.values())} unseen"
