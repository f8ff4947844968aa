"""What effects learn and forget of hidden cards: draws, looks, searches, shuffles, and chance in general.

A hidden card that is looked at or revealed takes its name where it lies; a shuffled deck is forgotten. Every chance is
recorded in the entry that sets it off and is read in order (`Context.chance`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engine.core.context import Context, deal
from engine.core.effects import triggers, values
from engine.core.effects.host import Seen, Source
from engine.core.effects.language import MAX_AMOUNT
from engine.core.effects.values import may_be_in as may_be_in
from engine.core.effects.would import would
from engine.core.errors import Impossible, Malformed

if TYPE_CHECKING:
    from engine.core.agenda import Frame, Stack
    from engine.core.effects.language import Tree
    from engine.core.game import Dealer


def draw(stack: Stack, giver: Source, operation: Tree) -> None:
    """As many cards as there are; what would be drawn may be replaced."""
    count = amount(stack, giver, operation)
    seats = stack.host.affected(giver.seat, operation.get("who", "controller")) if count else ()
    triggers.push(
        stack, [would("draw", {"step": "drawn", "seat": seat, "n": count}, None, seat=seat) for seat in seats]
    )


def drawn_step(stack: Stack, frame: Frame) -> None:
    """A draw that nothing replaced."""
    seat = frame["seat"]
    count = min(frame["n"], len(stack.ctx.state.zones[stack.host.deck(seat)]))
    if count:
        stack.ctx.draw(seat, stack.ctx.chance_draw(seat, count))


def look(stack: Stack, giver: Source, operation: Tree) -> None:
    """Cards of a deck's top, or a hand, are seen: recorded by name, "?" where nobody noted them."""
    _show(stack, giver, operation, "look")


def reveal(stack: Stack, giver: Source, operation: Tree) -> None:
    """Cards of a deck's top, or a hand, are shown to all: recorded by name."""
    _show(stack, giver, operation, "reveal")


def _show(stack: Stack, giver: Source, operation: Tree, kind: str) -> None:
    ctx, state = stack.ctx, stack.ctx.state
    (seat,) = stack.host.affected(giver.seat, operation.get("who", "controller"))[:1]
    path = stack.host.deck(seat) if operation["at"] == "deck" else stack.host.hand(seat)
    objs = state.zones[path][::-1]
    if "n" in operation:
        objs = objs[: amount(stack, giver, operation)]
    elif operation["at"] == "deck":
        objs = objs[:1]
    if not objs:
        return
    refs = ctx.chance(
        kind, f"{len(objs)} cards of {seat}", lambda dealer: deal(state, seat, objs, dealer), ("?",) * len(objs)
    )
    if len(refs) != len(objs) or (kind == "reveal" and "?" in refs and ctx.supply is not None):
        raise Malformed("missing_chance", f"{kind}: {len(objs)} cards of {seat}, each by name", path="chance")
    if operation["at"] == "deck":
        for obj, ref in zip(objs, refs, strict=True):
            name(ctx, obj, ref)
    else:
        identify(ctx, objs, refs)


def name(ctx: Context, obj: int, ref: str) -> None:
    """A hidden card turns out to be `ref`. Raises Impossible for another card than the one it is known to be."""
    if ref not in ("?", ctx.state.refs[obj]):
        ctx.emit("name", obj, ref)


def identify(ctx: Context, objs: Sequence[int], refs: Sequence[str]) -> None:
    """Cards of a hand turn out to be these, in whatever order. Raises Impossible `already_named` for others."""
    left = list(refs)
    hidden = []
    for obj in objs:
        ref = ctx.state.refs[obj]
        if ref is None:
            hidden.append(obj)
        elif ref in left or "?" in left:
            left.remove(ref if ref in left else "?")
        else:
            raise Impossible("already_named", f"{ref} is among these cards, and not among those noted", path="chance")
    for obj, ref in zip(hidden, left, strict=True):
        name(ctx, obj, ref)


def shuffle(stack: Stack, giver: Source, operation: Tree) -> None:
    """Nobody knows any more which card of the deck is which."""
    for seat in stack.host.affected(giver.seat, operation.get("who", "controller")):
        forget(stack, seat)


def forget(stack: Stack, seat: str) -> None:
    """A deck is shuffled."""
    state = stack.ctx.state
    for obj in state.zones[stack.host.deck(seat)]:
        if state.refs[obj] is not None and state.owners[obj] in state.unseen:
            stack.ctx.emit("hide", obj)


def search(stack: Stack, giver: Source, operation: Tree) -> None:
    """Cards that fit are looked for in a deck or the discards, shown and taken in hand; a deck is then shuffled."""
    (seat,) = stack.host.affected(giver.seat, operation.get("who", "controller"))[:1]
    count = amount(stack, giver, operation) if "n" in operation else 1
    stack.push({"step": "search", "op": operation, "src": list(giver), "seat": seat, "left": count})


def search_step(stack: Stack, frame: Frame) -> None:
    """One card after the other; nobody can prove that a deck holds none, so each may be declined."""
    state, operation, giver = stack.ctx.state, frame["op"], Source(*frame["src"])
    if "picked" not in frame:
        options = _found(stack, giver, operation, frame["seat"]) if frame["left"] else []
        if options:
            ask = {"by": giver.seat, "options": options, "optional": True, "rule": "LOG-answer"}
            stack.push({**frame, "ask": ask})
        else:
            _searched(stack, frame)
        return
    if frame["picked"] is None:
        _searched(stack, frame)
        return
    if operation["in"] == "discard":
        obj = values.object_at(state, frame["picked"])
    else:
        obj = take_named(stack.ctx, stack.host.deck(frame["seat"]), frame["picked"])
    stack.ctx.emit("move", obj, stack.host.hand(state.owners[obj]), -1)
    rest = {key: value for key, value in frame.items() if key != "picked"}
    stack.push({**rest, "left": frame["left"] - 1})


def _searched(stack: Stack, frame: Frame) -> None:
    if frame["op"]["in"] == "deck":
        forget(stack, frame["seat"])


def _found(stack: Stack, giver: Source, operation: Tree, seat: str) -> list[str]:
    """What may be taken: the refs that the deck holds or may hold, or the options of the discards."""
    state = stack.ctx.state
    if operation["in"] == "discard":
        return values.chosen_from(state, giver, {**operation["of"], "zone": "discard"})
    path = stack.host.deck(seat)
    refs = may_be_in(state, path, seat)
    return [ref for ref in refs if values.fits(state, giver, operation["of"], Seen(-1, path, ref))]


def pick(ctx: Context, options: Sequence[str]) -> str:
    """One of the options at random, as recorded. Raises Malformed `missing_chance` for what is no option."""
    if len(options) == 1:
        return options[0]
    found = ctx.chance("pick", "one of several at random", lambda dealer: dealer.pick(options))
    if found not in options:
        raise Malformed("missing_chance", f"{found[:60]!r} is not among what chance picks from", path="chance")
    return str(found)


def pick_from_hand(ctx: Context, seat: str, path: str) -> int:
    """A card of a hand at random, as recorded: it is then known. Raises Malformed, or Impossible as `name` does."""
    state = ctx.state

    def dealt(dealer: Dealer) -> str:
        obj = dealer.pick(state.zones[path])
        return deal(state, seat, [obj], dealer)[0]

    ref = ctx.chance("pick", f"a card of {seat} at random", dealt)
    if ref not in state.terms.cards:
        raise Malformed("unknown_card", f"no card {ref[:64]!r} in the catalogue", path="chance")
    return take_named(ctx, path, ref)


def take_named(ctx: Context, path: str, ref: str) -> int:
    """The object of a hidden zone that is `ref`, named if it was not. Raises Impossible `not_in_hand`."""
    known = [obj for obj in ctx.state.zones[path] if ctx.state.refs[obj] == ref]
    found = known or [obj for obj in ctx.state.zones[path] if ctx.state.refs[obj] is None]
    if not found:
        raise Impossible("not_in_hand", f"{ref} is not in {path}", path="chance")
    name(ctx, found[0], ref)
    return found[0]


def settle(ctx: Context, option: str) -> None:
    """A card named where nobody sees the cards is known from now on. Raises Impossible where it cannot be there."""
    path, _, ref = option.rpartition("/")
    if values.veiled(ctx.state, path):
        take_named(ctx, path, ref)


def rolled(ctx: Context, sides: int) -> int:
    """A die, as recorded: `[sides, result]`. Raises Malformed `missing_chance` for another die or no face of it."""
    found = ctx.chance("roll", f"a die of {sides} sides", lambda dealer: (sides, dealer.pick(range(1, sides + 1))))
    if found[0] != sides or not 1 <= found[1] <= sides:
        raise Malformed("missing_chance", f"a die of {sides} sides shows 1 to {sides}", path="chance")
    return int(found[1])


def amount(stack: Stack, giver: Source, operation: Mapping[str, Any], key: str = "n") -> int:
    """An amount of an operation, dice rolled; at least 0 and at most what a card may say."""
    return max(0, min(MAX_AMOUNT, with_dice(stack, giver, operation[key])))


def with_dice(stack: Stack, giver: Source, written: Any) -> int:
    """An amount that may hang on dice, which are rolled now."""
    return values.amount_of(stack.ctx.state, giver, _settled(stack, written))


def _settled(stack: Stack, written: Any) -> Any:
    """The amount with each die replaced by what it shows."""
    if not isinstance(written, dict):
        return written
    if "roll" in written:
        return rolled(stack.ctx, written["roll"])
    return {key: _settled(stack, value) if key in ("half_up", "bounded") else value for key, value in written.items()}
