"""What happens at one moment: whose effects come first (I-SAF-32), and how face-down magics count (I-SAF-31).

Interpretations are recorded only where they can change the result, so that reports do not list those that make no
difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.core.abilities.language import Tree
from engine.core.effects import force, values
from engine.core.effects.host import Source, host_of
from engine.core.table.agenda import Frame
from engine.core.table.context import Context
from engine.core.table.state import State
from engine.games.star_safir.effects.places import PLACES
from engine.games.star_safir.moves.mat import MAGICS, PV, PV_GOAL, SEATS

MAGIC_SLOTS = tuple(path for slots in MAGICS.values() for path in slots)
PRINTED = ("faction", "keyword", "where")  # keys of a selector that ask for what a face-down card hides


def later(state: State, seat: str) -> bool:
    """Whether a player's cards act after the other player's at one moment (I-SAF-32)."""
    return (seat == state.seat) == (state.terms.options["I-SAF-32"] == "opponent")


def in_turn(ctx: Context, objs: Sequence[int], *, matters: bool = False) -> list[int]:
    """Order cards that something happens to at once, those of one player first (I-SAF-32).

    I-SAF-32 is recorded as mattering if the order `matters`, or if one of the cards might be saved from destruction.
    """
    state = ctx.state
    seats = [PLACES[state.where[obj]].seat for obj in objs]
    if len(set(seats)) > 1 and (matters or _savable(state, objs)):
        ctx.depend_on("I-SAF-32")
    # The index keeps the given order among the cards of one player.
    order = sorted(range(len(objs)), key=lambda n: (later(state, seats[n]), n))
    return [objs[n] for n in order]


def _savable(state: State, objs: Sequence[int]) -> bool:
    """Whether a card may do something to replace one of these destructions."""
    if force.acting(state, "replacements", "destroyed"):
        return True
    return any(values.has(state, obj, "Vol vie") for obj in objs)


def ordered(ctx: Context, frames: Sequence[Frame]) -> list[Frame]:
    """Order what several cards do at one moment, one player's first, noting if it matters (I-SAF-32)."""
    givers = [Source(*frame["src"]) for frame in frames]
    if len({giver.obj for giver in givers}) > 1 and not _harmless(ctx.state, frames):
        ctx.depend_on("I-SAF-32")
    order = sorted(range(len(frames)), key=lambda n: (later(ctx.state, givers[n].seat), n))
    return [frames[n] for n in order]


def _harmless(state: State, frames: Sequence[Frame]) -> bool:
    """Whether the order changes nothing: everything gains fixed points, and not enough to win."""
    points = {seat: state.counters[PV[seat]] for seat in SEATS}
    for frame in frames:
        mine = Source(*frame["src"]).seat
        for operation in frame["ops"]:
            if operation["op"] != "gain" or not isinstance(operation["n"], int):
                return False
            if operation["what"] == "pv":
                for seat in host_of(state).affected(mine, operation.get("who", "controller")):
                    points[seat] += operation["n"]
    return all(found < PV_GOAL for found in points.values())


def face_down(state: State) -> list[str]:
    """Return the magic slots that hold an unidentified card."""
    zones, refs = state.zones, state.refs
    return [path for path in MAGIC_SLOTS if (there := zones[path]) and refs[there[0]] is None]


def notice(ctx: Context, frames: Sequence[Frame]) -> None:
    """Record that effects about to resolve depend on I-SAF-31, if they can take a magic that lies face down.

    Nobody knows whether such a card has the faction, keyword or figure that an effect asks for: that is left to a
    ruling.
    """
    there = face_down(ctx.state)
    for frame in frames if there else ():
        giver = Source(*frame["src"])
        for selector in selectors(frame["ops"]):
            if not any(_around(ctx.state, giver, selector, path) for path in there):
                continue
            ctx.depend_on("I-SAF-31")
            if any(word in selector for word in PRINTED) and ctx.state.terms.options["I-SAF-31"] == "magic":
                ctx.doubt(ctx.state.refs[giver.obj] or "?")


def depend_on_counts(ctx: Context) -> None:
    """Record that figures depend on I-SAF-31, where a bonus counts magics and one lies face down."""
    there = face_down(ctx.state)
    for giver, static in force.statics(ctx.state, "stat") if there else ():
        counted = selectors(static["add"])
        if any(_around(ctx.state, giver, selector, path) for selector in counted for path in there):
            ctx.depend_on("I-SAF-31")


def selectors(tree: Any) -> Iterator[Tree]:
    """Yield every selector of magics in the operations of an effect."""
    waiting = [tree]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            if part.get("zone") == "magics":
                yield part
            waiting += part.values()
        elif isinstance(part, list | tuple):
            waiting += part


def _around(state: State, giver: Source, selector: Tree, path: str) -> bool:
    """Whether a slot is on the side, and within the reach, that a selector asks for."""
    there, side = PLACES[path], selector.get("side", "own")
    if side != "any" and (there.seat == giver.seat) != (side == "own"):
        return False
    # A commander has no territory, and so is near everything.
    return not giver.area or host_of(state).near(giver, selector, there)


def unseen(state: State, giver: Source, selector: Tree, obj: int) -> bool:
    """Whether a selector takes a face-down card: as a magic like any other, or not at all (I-SAF-31)."""
    if state.terms.options["I-SAF-31"] != "magic" or "/magics/" not in state.where[obj]:
        return False
    if selector.get("it") and (giver.it is None or obj != giver.it[0]):
        return False
    return selector.get("kind", "magie") == "magie" and not any(word in selector for word in PRINTED)
