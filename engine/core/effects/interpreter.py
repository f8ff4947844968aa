"""How effects resolve: frames run their operations one by one, and choices wait for an answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from engine.core.abilities.language import Tree
from engine.core.effects import destruction, force, knowledge, operations, would
from engine.core.effects.host import Host, Plain, Source, Stack, Step
from engine.core.effects.triggers import doing, push
from engine.core.effects.values import (
    alike,
    chosen_from,
    each_copy,
    holds,
    objects_at,
    private,
    there,
    unproven,
    untaken,
)
from engine.core.table.agenda import WINDOW, Frame
from engine.core.table.chance import Dealer
from engine.core.table.context import Context
from engine.core.table.game import Move
from engine.core.table.state import State
from engine.core.text.errors import Malformed

ACTIVE = "active"  # chosen by the player whose turn it is


def _do(stack: Stack, frame: Frame) -> None:
    """Run the first operation of a list. The others wait below whatever it starts."""
    first, *rest = frame["ops"]
    if rest:
        stack.push({**frame, "ops": rest})
    giver, host = Source(*frame["src"]), stack.host
    if first["op"] in FLOW:
        FLOW[first["op"]](stack, giver, first)
    elif "of" in first and first["op"] in host.targeted:
        stack.push({"step": "select", "op": first, "src": frame["src"], "got": []})
    else:
        host.plain[first["op"]](stack, giver, first)


def _seq(stack: Stack, giver: Source, operation: Tree) -> None:
    stack.push(doing(giver, operation["do"]))


def _each(stack: Stack, giver: Source, operation: Tree) -> None:
    """Run operations for each card that the selector reaches now, in the order of the game.

    A card that has left by the time its turn comes is skipped.
    """
    state = stack.ctx.state
    selector = operation["of"]
    reached = each_copy(state, giver, selector, chosen_from(state, giver, selector))
    objs = stack.host.each(stack.ctx, objects_at(state, reached))
    frames = []
    for obj in objs:
        card = force.seen(state, obj)
        frames.append({"step": "for", "it": list(card), "ops": operation["do"], "src": list(giver)})
    push(stack, frames)


def _for(stack: Stack, frame: Frame) -> None:
    obj, path = frame["it"][:2]
    # An earlier pass of the loop may have moved the card away.
    if stack.ctx.state.where[obj] == path:
        stack.push(doing(Source(*frame["src"])._replace(it=frame["it"]), frame["ops"]))


def _may(stack: Stack, giver: Source, operation: Tree) -> None:
    seat = stack.host.affected(giver.seat, operation.get("who", "controller"))[0]
    frame = {"step": "branch", "branches": {"yes": operation["do"]}, "src": list(giver)}
    stack.ask(frame, seat, ["yes"], "LOG-answer", optional=True)


def _choose(stack: Stack, giver: Source, operation: Tree) -> None:
    branches = {str(index + 1): ops for index, ops in enumerate(operation["of"])}
    frame = {"step": "branch", "branches": branches, "src": list(giver)}
    _decide(stack, frame, giver, operation, list(branches), "LOG-answer")


def _decide(
    stack: Stack,
    frame: Frame,
    giver: Source,
    operation: Tree,
    options: Sequence[str],
    rule: str,
    *,
    optional: bool = False,
    always: bool = False,
) -> None:
    """Continue with one of the options, chosen by a player, as `by` says, or at random.

    With `always`, a player is asked even if there is only one option, or none but to decline. The log then says so, for
    those who cannot see it.
    """
    by, active = operation.get("by", "controller"), stack.ctx.state.seat
    if by == "random":
        # Chance answers in place of a player; the frame resumes in the same way.
        stack.push({**frame, "picked": knowledge.pick(stack.ctx, options)})
    else:
        seat = active if by == ACTIVE and active is not None else stack.host.affected(giver.seat, by)[0]
        if always:
            stack.push({**frame, "ask": {"by": seat, "options": options, "optional": optional, "rule": rule}})
        else:
            stack.ask(frame, seat, options, rule, optional=optional)


def _if(stack: Stack, giver: Source, operation: Tree) -> None:
    if "reading" in operation["cond"]:
        stack.ctx.depend_on(operation["cond"]["reading"])
    _either(stack, giver, operation, holds(stack.ctx.state, giver, operation["cond"]))


def _roll(stack: Stack, giver: Source, operation: Tree) -> None:
    """Roll a die to decide between two lists of operations, which have the result as x."""
    result = knowledge.rolled(stack.ctx, operation["sides"])
    _either(stack, giver._replace(x=result), operation, result >= operation["at_least"])


def _either(stack: Stack, giver: Source, operation: Tree, yes: bool) -> None:
    ops = operation["do"] if yes else operation.get("else")
    if ops:
        stack.push(doing(giver, ops))


FLOW: dict[str, Plain] = {
    "seq": _seq,
    "each": _each,
    "may": _may,
    "choose": _choose,
    "if": _if,
    "roll": _roll,
}


def _branch(stack: Stack, frame: Frame) -> None:
    if frame["picked"] is not None:
        stack.push(doing(Source(*frame["src"]), frame["branches"][frame["picked"]]))


def _select(stack: Stack, frame: Frame) -> None:
    """Choose the targets of an operation one after the other, then run it on all of them at once."""
    state, operation, giver, host = stack.ctx.state, frame["op"], Source(*frame["src"]), stack.host
    picked = frame.get("picked")
    if picked is not None and host.veiled:
        knowledge.settle(stack.ctx, picked, frame["got"].count(picked))
    # A ruling may have moved the targets chosen so far, while the choice of the next one was open.
    got = [option for option in (*frame["got"], *(() if picked is None else (picked,))) if there(state, option)]
    if "picked" in frame and picked is None:
        _take(stack, giver, operation, got)
        return
    selector = operation["of"]
    if selector.get("take") == "all" and selector.get("zone") in host.held:
        knowledge.show_hands(stack, giver, selector)
    reached = untaken(state, giver, selector, chosen_from(state, giver, selector), got)
    pool = alike(state, giver, selector, host.allowed(state, giver, operation, reached, got), got)
    host.choosing(stack.ctx, giver, operation, reached, got)
    # A swap needs two cards whatever its selector says; with one it does nothing (`_swap`).
    take = 2 if operation["op"] == "swap" else selector.get("take", 1)
    if take == "all" or "target" in selector:
        got += each_copy(state, giver, selector, pool) if take == "all" else pool
    elif len(got) < take and (pool or private(state, giver, selector, got)):
        waits = {"step": "select", "op": operation, "src": frame["src"], "got": got}
        always = private(state, giver, selector, got)
        declinable = bool(selector.get("may")) or not pool or (always and unproven(state, giver, selector, got))
        _decide(stack, waits, giver, selector, pool, host.cited(operation), optional=declinable, always=always)
        return
    _take(stack, giver, operation, got)


def _take(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Run an operation on its targets, then what it says under `then`, about the last of them and their number."""
    if "then" in operation and _done(stack, operation, len(got)):
        objs = objects_at(stack.ctx.state, got)
        it = list(force.seen(stack.ctx.state, objs[-1])) if objs else None
        stack.push(doing(giver._replace(it=it, x=len(got)), operation["then"]))
    if got:
        stack.host.targeted[operation["op"]](stack, giver, operation, got)


def _done(stack: Stack, operation: Tree, count: int) -> bool:
    """Return whether an operation took as many targets as it asks for, or the game lets the rest happen anyway."""
    take = operation["of"].get("take", 1)
    return take == "all" or count >= take or stack.host.follows(stack.ctx, operation)


def _pass_over(stack: Stack, frame: Frame) -> None:
    """Close a response window that nobody used."""


STEPS: dict[str, Step] = {
    "do": _do,
    "for": _for,
    "branch": _branch,
    "select": _select,
    "would": would.step,
    "destroy": destruction.step,
    WINDOW: _pass_over,
    **operations.STEPS,
}


# The keys of each step in a declared position, with their kinds, which `table.naming` reads. "?" marks an optional key.
FRAMES: Mapping[str, Mapping[str, str]] = {
    "do": {"ops": "operations", "src": "source"},
    "for": {"ops": "operations", "src": "source", "it": "seen"},
    "branch": {"branches": "branches", "src": "source"},
    "select": {"op": "operation", "src": "source", "got": "texts"},
    "would": {
        "event": "text", "then": "frame", "instead": "frame", "used": "texts", "obj": "object?", "seat": "seat?",
        "cause": "text?", "riposte": "flag?", "doomed": "objects?", "price": "text?",
    },
    "destroy": {"objs": "objects", "dead": "objects", "cause": "text", "riposte": "objects"},
    WINDOW: {},
    "paid": {"path": "text", "ops": "operations", "src": "source"},
    "discard": {"seat": "seat", "left": "number", "by": "text", "to": "text"},
    "discard_where": {"seat": "seat", "left": "number", "by": "text"},
    "token": {"ref": "text", "left": "number", "src": "source", "at": "text?"},
    "place": {
        "obj": "object", "how": "text", "by": "seat", "from": "text", "to": "text", "end": "end?", "giver": "object?",
    },
    "returned": {"obj": "object"},
    "home": {"obj": "object"},
    "drawn": {"seat": "seat", "n": "number"},
    "search": {"op": "operation", "src": "source", "seat": "seat", "left": "number"},
}  # fmt: skip


def equip(host: Host) -> None:
    """Register everything the core interprets with a game, which then adds its own."""
    host.steps.update(STEPS)
    host.plain.update(operations.PLAIN)
    host.targeted.update(operations.TARGETED)


def resolve(ctx: Context, move: Move, frames: Sequence[Frame] = (), started: Stack | None = None) -> None:
    """Resolve the frames that a move starts, reading its recorded chance.

    Raises Malformed `unknown_chance` if some of that chance is not used.
    """
    stack = started or Stack(ctx)
    for frame in frames:
        stack.push(frame)
    # None means that the chance is open, as in a candidate; an empty list, that none was recorded.
    ctx.supply = list(move.chance) if move.chance is not None else None
    stack.run()
    left, ctx.supply = ctx.supply, None
    if left:
        raise Malformed("unknown_chance", f"nothing in this {move.do} uses this chance", path="chance")


def dealt(run: Callable[[Context, Move], None], state: State, move: Move, dealer: Dealer) -> Move:
    """Return a candidate with the chance it needs. The move is tried with the dealer's cards and undone.

    If no effect can be involved, the candidate is returned as it is, without trying it.
    """
    card = state.terms.cards.get(move.args.get("card", ""))
    if force.quiet(state) and not state.agenda and (card is None or card.program is None):
        return move
    return tried(run, state, move, dealer)


def tried(run: Callable[[Context, Move], None], state: State, move: Move, dealer: Dealer) -> Move:
    """Return a candidate with the chance it takes from the dealer: the move is run and then undone."""
    ctx = Context(state)
    ctx.dealer, ctx.window = dealer, dealer.window
    try:
        run(ctx, move)
    finally:
        ctx.roll_back()
    return replace(move, chance=tuple(ctx.dealt)) if ctx.dealt else move
