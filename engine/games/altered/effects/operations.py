"""Operations that only Altered has, or carries out differently: statuses, boosts, the Reserve and mana.

Importing this module registers them with the game's `HOST`.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.agenda import Frame
from engine.core.context import deal_top
from engine.core.effects import knowledge
from engine.core.effects.host import Plain, Source, Stack, Targeted
from engine.core.effects.language import Tree
from engine.core.effects.operations import TARGETED as CORE
from engine.core.effects.values import object_at
from engine.core.errors import Malformed
from engine.games.altered.effects.host import HOST
from engine.games.altered.mat import (
    ANCRE,
    BOOST,
    DECK,
    DISCARD,
    ENDORMI,
    EPUISE,
    FUGACE,
    HAND,
    RESERVE,
    SPENT,
    depart_together,
    give,
    option,
    ready,
    supply,
)


def _objects(stack: Stack, got: Sequence[str]) -> list[int]:
    return [object_at(stack.ctx.state, option) for option in got]


def _status(status: str) -> Targeted:
    """Make the operation that gives a status to cards in play."""

    def run(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
        for obj in _objects(stack, got):
            if stack.ctx.state.where[obj] in stack.host.in_play:
                give(stack.ctx, obj, status)

    return run


def _boost(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Add boosts, each worth +1 to every statistic."""
    points = knowledge.amount(stack, giver, operation)
    for obj in _objects(stack, got) if points else ():
        if stack.ctx.state.where[obj] in stack.host.in_play:
            stack.ctx.emit("mark", obj, BOOST, points)


def _ready(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Ready exhausted cards."""
    for obj in _objects(stack, got):
        ready(stack.ctx, obj)


def _elsewhere(stack: Stack, got: Sequence[str]) -> tuple[list[str], list[int]]:
    """Split the chosen cards into the options in play and the objects that are elsewhere."""
    inside = [name for name in got if stack.ctx.state.where[object_at(stack.ctx.state, name)] in stack.host.in_play]
    return inside, _objects(stack, [name for name in got if name not in inside])


def _destroy(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Send cards in play, or in a Reserve, to the discard."""
    # Only a card in play is destroyed in the sense of the core, with replacements and triggers; others are just moved.
    inside, others = _elsewhere(stack, got)
    depart_together(stack, [(obj, DISCARD[stack.ctx.state.owners[obj]]) for obj in others])
    CORE["destroy"](stack, giver, operation, inside)


def _return(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Return cards in play, in a Reserve or in a discard to their owner's hand."""
    inside, others = _elsewhere(stack, got)
    depart_together(stack, [(obj, HAND[stack.ctx.state.owners[obj]]) for obj in others])
    CORE["return"](stack, giver, operation, inside)


def _to_reserve(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Send cards to their owner's Reserve, or a Fleeting one to the discard (I-ALT-19)."""
    state, leaving = stack.ctx.state, []
    for obj in _objects(stack, got):
        lost = state.mark(obj, FUGACE) and option(stack.ctx, "I-ALT-19") == "discard"
        leaving.append((obj, (DISCARD if lost else RESERVE)[state.owners[obj]]))
    depart_together(stack, leaving)


def _resupply(stack: Stack, giver: Source, operation: Tree) -> None:
    """Move the top cards of the deck to the Reserve, face up."""
    ctx, state = stack.ctx, stack.ctx.state
    for seat in stack.host.affected(giver.seat, operation.get("who", "controller")):
        count = supply(ctx, seat, knowledge.amount(stack, giver, operation))
        if not count:
            continue
        refs = _revealed(stack, seat, count)
        for ref in refs:
            obj = state.zones[DECK[seat]][-1]
            knowledge.name(ctx, obj, ref)
            ctx.emit("move", obj, RESERVE[seat], -1)


def _revealed(stack: Stack, seat: str, count: int) -> Sequence[str]:
    ctx, state = stack.ctx, stack.ctx.state
    refs: Sequence[str] = ctx.chance(
        "reveal", f"{count} cards of {seat}", lambda dealer: deal_top(state, seat, count, dealer), ("?",) * count
    )
    # A recorded reveal must name every card; "?" stands only where chance is open, in a question or a candidate.
    if len(refs) != count or ("?" in refs and ctx.supply is not None):
        raise Malformed("missing_chance", f"reveal: {count} cards of {seat}, each by name", path="chance")
    return refs


def _mana(stack: Stack, giver: Source, operation: Tree) -> None:
    """Turn the top cards of the deck into exhausted orbs, face down (I-ALT-07)."""
    ctx, state = stack.ctx, stack.ctx.state
    for seat in stack.host.affected(giver.seat, operation.get("who", "controller")):
        for _ in range(supply(ctx, seat, knowledge.amount(stack, giver, operation))):
            ctx.emit("move", state.zones[DECK[seat]][-1], SPENT[seat], -1)


def _drawn(stack: Stack, frame: Frame) -> None:
    """Draw cards; if the deck is short, the discard is shuffled under it first (I-ALT-12)."""
    seat = str(frame["seat"])
    count = supply(stack.ctx, seat, int(frame["n"]))
    if count:
        stack.ctx.draw(seat, stack.ctx.chance_draw(seat, count))


TARGETED: dict[str, Targeted] = {
    "boost": _boost,
    "anchor": _status(ANCRE),
    "sleep": _status(ENDORMI),
    "fleeting": _status(FUGACE),
    "exhaust": _status(EPUISE),
    "ready": _ready,
    "to_reserve": _to_reserve,
    "destroy": _destroy,
    "return": _return,
}
PLAIN: dict[str, Plain] = {"resupply": _resupply, "mana": _mana}

HOST.targeted.update(TARGETED)
HOST.plain.update(PLAIN)
HOST.steps["drawn"] = _drawn
