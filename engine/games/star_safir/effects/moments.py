"""What happens at one moment: whose effects come first (I-SAF-32), and cards face down among magics (I-SAF-31)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from engine.core.effects import force, values
from engine.core.effects.host import Source
from engine.games.star_safir.effects.places import PLACES
from engine.games.star_safir.moves.mat import MAGICS, PV, PV_GOAL, SEATS

if TYPE_CHECKING:
    from engine.core.agenda import Frame
    from engine.core.context import Context
    from engine.core.effects.language import Tree
    from engine.core.state import State

MAGIC_SLOTS = tuple(path for slots in MAGICS.values() for path in slots)
PRINTED = ("faction", "keyword", "where")  # what nobody knows of a card that lies face down


def later(state: State, seat: str) -> bool:
    """Whether what a player's cards do at one moment comes after what the other's do (I-SAF-32)."""
    return (seat == state.seat) == (state.terms.options["I-SAF-32"] == "opponent")


def in_turn(ctx: Context, objs: Sequence[int], *, lean: bool = False) -> list[int]:
    """The cards that something is done to at once, those of one player first (I-SAF-32).

    It matters where `lean` says so, and to cards that are destroyed where one may be saved.
    """
    state = ctx.state
    seats = [PLACES[state.where[obj]].seat for obj in objs]
    if len(set(seats)) > 1 and (lean or _savable(state, objs)):
        ctx.lean("I-SAF-32")
    order = sorted(range(len(objs)), key=lambda n: (later(state, seats[n]), n))
    return [objs[n] for n in order]


def _savable(state: State, objs: Sequence[int]) -> bool:
    """Whether a card may do something instead of one of these destructions."""
    if force.acting(state, "replacements", "destroyed"):
        return True
    return any(values.has(state, obj, "Vol vie") for obj in objs)


def ordered(ctx: Context, frames: Sequence[Frame]) -> list[Frame]:
    """What several cards do at one moment, one player's first, where it may matter (I-SAF-32)."""
    givers = [Source(*frame["src"]) for frame in frames]
    if len({giver.obj for giver in givers}) > 1 and not _harmless(ctx.state, frames):
        ctx.lean("I-SAF-32")
    order = sorted(range(len(frames)), key=lambda n: (later(ctx.state, givers[n].seat), n))
    return [frames[n] for n in order]


def _harmless(state: State, frames: Sequence[Frame]) -> bool:
    """Whether the order changes nothing: all of it gains points, and nobody has enough to win by them."""
    points = {seat: state.counters[PV[seat]] for seat in SEATS}
    for frame in frames:
        mine = Source(*frame["src"]).seat
        for operation in frame["ops"]:
            if operation["op"] != "gain" or not isinstance(operation["n"], int):
                return False
            if operation["what"] == "pv":
                for seat in state.terms.host.affected(mine, operation.get("who", "controller")):
                    points[seat] += operation["n"]
    return all(found < PV_GOAL for found in points.values())


def face_down(state: State) -> list[str]:
    """The magic slots that hold a card nobody has identified."""
    zones, refs = state.zones, state.refs
    return [path for path in MAGIC_SLOTS if (there := zones[path]) and refs[there[0]] is None]


def notice(ctx: Context, frames: Sequence[Frame]) -> None:
    """Say what effects about to resolve rest on where they take magics and one of them lies face down (I-SAF-31).

    Nobody knows whether such a card is what an effect asks for beyond being a magic: that is left to a ruling.
    """
    there = face_down(ctx.state)
    for frame in frames if there else ():
        giver = Source(*frame["src"])
        for selector in selectors(frame["ops"]):
            if not any(_around(ctx.state, giver, selector, path) for path in there):
                continue
            ctx.lean("I-SAF-31")
            if any(word in selector for word in PRINTED) and ctx.state.terms.options["I-SAF-31"] == "magic":
                ctx.doubt(ctx.state.refs[giver.obj] or "?")


def lean_on_counts(ctx: Context) -> None:
    """Say that figures rest on I-SAF-31 where a bonus in force counts magics and one of them lies face down."""
    there = face_down(ctx.state)
    for giver, static in force.statics(ctx.state, "stat") if there else ():
        counted = selectors(static["add"])
        if any(_around(ctx.state, giver, selector, path) for selector in counted for path in there):
            ctx.lean("I-SAF-31")


def selectors(tree: Any) -> Iterator[Tree]:
    """Every selector of magics in the operations of an effect."""
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
    """Whether a slot is on the side and within the reach that a selector says."""
    there, side = PLACES[path], selector.get("side", "own")
    if side != "any" and (there.seat == giver.seat) != (side == "own"):
        return False
    return not giver.area or state.terms.host.near(giver, selector, there)


def unseen(state: State, giver: Source, selector: Tree, obj: int) -> bool:
    """Whether a selector takes a card that lies face down: as a magic like others, or not at all (I-SAF-31)."""
    if state.terms.options["I-SAF-31"] != "magic" or "/magics/" not in state.where[obj]:
        return False
    if selector.get("it") and (giver.it is None or obj != giver.it[0]):
        return False
    return selector.get("kind", "magie") == "magie" and not any(word in selector for word in PRINTED)
