"""What effects reveal and hide of hidden cards: draws, looks, searches, shuffles, and chance in general.

A hidden card that is looked at or revealed is identified where it lies. A shuffled deck is forgotten. Chance is
recorded in the entry that causes it and read in order (`Context.chance`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.abilities.language import MAX_AMOUNT, Tree
from engine.core.effects import triggers, values
from engine.core.effects.host import Seen, Source, Stack
from engine.core.effects.values import may_be_in as may_be_in
from engine.core.effects.would import would
from engine.core.table.agenda import Frame
from engine.core.table.chance import Dealer
from engine.core.table.context import Context, deal
from engine.core.text.errors import Impossible, Malformed


def draw(stack: Stack, giver: Source, operation: Tree) -> None:
    """Draw cards, as many as there are. A draw may be replaced."""
    count = amount(stack, giver, operation)
    seats = stack.host.affected(giver.seat, operation.get("who", "controller")) if count else ()
    triggers.push(
        stack, [would("draw", {"step": "drawn", "seat": seat, "n": count}, None, seat=seat) for seat in seats]
    )


def drawn_step(stack: Stack, frame: Frame) -> None:
    """Carry out a draw that was not replaced."""
    seat = frame["seat"]
    count = min(frame["n"], len(stack.ctx.state.zones[stack.host.deck(seat)]))
    if count:
        stack.ctx.draw(seat, stack.ctx.chance_draw(seat, count))


def look(stack: Stack, giver: Source, operation: Tree) -> None:
    """Look at the top cards of a deck, or at a hand. They are recorded by ref, or "?" if nobody noted them."""
    _show(stack, giver, operation, "look")


def reveal(stack: Stack, giver: Source, operation: Tree) -> None:
    """Reveal the top cards of a deck, or a hand, to everybody. They are recorded by ref."""
    _show(stack, giver, operation, "reveal")


def _show(stack: Stack, giver: Source, operation: Tree, kind: str) -> None:
    ctx, state = stack.ctx, stack.ctx.state
    (seat,) = stack.host.affected(giver.seat, operation.get("who", "controller"))[:1]
    path = stack.host.deck(seat) if operation["at"] == "deck" else stack.host.hand(seat)
    objs = state.zones[path][::-1]  # the top of a deck is the end of its list
    if "n" in operation:
        objs = objs[: amount(stack, giver, operation)]
    elif operation["at"] == "deck":
        objs = objs[:1]
    if not objs:
        return
    refs = _recorded(stack, seat, objs, kind)
    if operation["at"] == "deck":  # the cards of a deck have an order, those of a hand do not
        for obj, ref in zip(objs, refs, strict=True):
            name(ctx, obj, ref)
    else:
        identify(ctx, objs, refs)


def _recorded(stack: Stack, seat: str, objs: Sequence[int], kind: str) -> Sequence[str]:
    """Return the refs recorded for cards of a seat that are looked at or revealed, "?" for those nobody noted.

    Raises Malformed, code `missing_chance`, if there are too few, or if a card that was revealed has no name.
    """
    ctx, state = stack.ctx, stack.ctx.state
    refs: Sequence[str] = ctx.chance(
        kind, f"{len(objs)} cards of {seat}", lambda dealer: deal(state, seat, objs, dealer, kind), ("?",) * len(objs)
    )
    # Without a supply the chance is still open, as in a candidate, and cards may remain unknown.
    if len(refs) != len(objs) or (kind == "reveal" and "?" in refs and ctx.supply is not None):
        raise Malformed("missing_chance", f"{kind}: {len(objs)} cards of {seat}, each by name", path="chance")
    return refs


def name(ctx: Context, obj: int, ref: str) -> None:
    """Record that a hidden card is `ref`. Raises Impossible if it is known to be another card."""
    if ref not in ("?", ctx.state.refs[obj]):
        ctx.emit("name", obj, ref)


def identify(ctx: Context, objs: Sequence[int], refs: Sequence[str]) -> None:
    """Record that cards of a hand are these, in any order. Raises Impossible `already_named` if known cards differ."""
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
    """Shuffle decks: nobody knows any more which card is which."""
    for seat in stack.host.affected(giver.seat, operation.get("who", "controller")):
        forget(stack, seat)


def forget(stack: Stack, seat: str) -> None:
    """Forget which card of a deck is which, as after a shuffle."""
    state = stack.ctx.state
    for obj in state.zones[stack.host.deck(seat)]:
        # A card of a seat without a list cannot go back among the unseen ones, so it stays known.
        if state.refs[obj] is not None and state.owners[obj] in state.unseen:
            stack.ctx.emit("hide", obj)


def search(stack: Stack, giver: Source, operation: Tree) -> None:
    """Search a deck or the discards for cards that fit, show them and take them in hand. A deck is then shuffled."""
    (seat,) = stack.host.affected(giver.seat, operation.get("who", "controller"))[:1]
    count = amount(stack, giver, operation) if "n" in operation else 1
    stack.push({"step": "search", "op": operation, "src": list(giver), "seat": seat, "left": count})


def search_step(stack: Stack, frame: Frame) -> None:
    """Take one card found by a search, or end the search.

    Each card may be declined, because nobody can prove that a hidden deck holds no other.
    """
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
    """Return what a search may take: refs that the deck holds or may hold, or options for cards in the discards."""
    state = stack.ctx.state
    if operation["in"] == "discard":
        return values.chosen_from(state, giver, {**operation["of"], "zone": "discard"})
    path = stack.host.deck(seat)
    refs = may_be_in(state, path, seat)
    return [ref for ref in refs if values.fits(state, giver, operation["of"], Seen(-1, path, ref))]


def pick(ctx: Context, options: Sequence[str]) -> str:
    """Return one of the options at random, as recorded. Raises Malformed `missing_chance` if it is not an option."""
    if len(options) == 1:  # no chance is involved, so none is recorded
        return options[0]
    found = ctx.chance("pick", "one of several at random", lambda dealer: dealer.pick(options))
    if found not in options:
        raise Malformed("missing_chance", f"{found[:60]!r} is not among what chance picks from", path="chance")
    return str(found)


def pick_from_hand(ctx: Context, seat: str, path: str) -> int:
    """Return a card of a hand at random, as recorded, which is then known.

    Raises Malformed `unknown_card`, or Impossible like `take_named`.
    """
    state = ctx.state

    def dealt(dealer: Dealer) -> str:
        ref: str = dealer.pick([state.refs[obj] or "?" for obj in state.zones[path]])
        unseen = next((obj for obj in state.zones[path] if state.refs[obj] is None), None)
        return deal(state, seat, [unseen], dealer, "pick")[0] if ref == "?" and unseen is not None else ref

    ref = ctx.chance("pick", f"a card of {seat} at random", dealt)
    if ref not in state.terms.cards:
        raise Malformed("unknown_card", f"no card {ref[:64]!r} in the catalogue", path="chance")
    return take_named(ctx, path, ref)


def take_named(ctx: Context, path: str, ref: str, taken: int = 0) -> int:
    """Return the object in a hidden zone that is `ref`, identifying it if needed. Raises Impossible `not_in_hand`.

    `taken` copies that are known to be there were taken before, and are not taken again.
    """
    known = [obj for obj in ctx.state.zones[path] if ctx.state.refs[obj] == ref][taken:]
    # A copy known to be there is taken before a hidden card: it claims nothing new about the hidden ones.
    found = known or [obj for obj in ctx.state.zones[path] if ctx.state.refs[obj] is None]
    if not found:
        raise Impossible("not_in_hand", f"{ref} is not in {path}", path="chance")
    name(ctx, found[0], ref)
    return found[0]


def settle(ctx: Context, option: str, taken: int = 0) -> None:
    """Identify a card that was chosen by ref in a zone whose cards may be unknown, after `taken` copies of it.

    Raises Impossible if it cannot be there.
    """
    path, _, ref = option.rpartition("/")
    if values.veiled(ctx.state, path):
        take_named(ctx, path, ref, taken)


def show_hands(stack: Stack, giver: Source, selector: Tree) -> None:
    """Reveal the hands that a selector takes all cards of a sort from.

    They are recorded even if the engine knows them already: another reader of the log may not.
    """
    state = stack.ctx.state
    for path in values.paths_of(state, giver, selector):
        objs = state.zones[path][::-1]
        if objs:
            identify(stack.ctx, objs, _recorded(stack, path.partition("/")[0], objs, "reveal"))


def rolled(ctx: Context, sides: int) -> int:
    """Return the result of a die, as recorded: `[sides, result]`.

    Raises Malformed `missing_chance` for a die with other sides, or a result that is not on it.
    """
    faces = range(1, sides + 1)
    found = ctx.chance("roll", f"a die of {sides} sides", lambda dealer: (sides, dealer.pick(faces, "roll")))
    if found[0] != sides or not 1 <= found[1] <= sides:
        raise Malformed("missing_chance", f"a die of {sides} sides shows 1 to {sides}", path="chance")
    return int(found[1])


def amount(stack: Stack, giver: Source, operation: Mapping[str, Any], key: str = "n") -> int:
    """Return an amount of an operation, with dice rolled, from 0 to the largest a card may state."""
    return max(0, min(MAX_AMOUNT, with_dice(stack, giver, operation[key])))


def with_dice(stack: Stack, giver: Source, written: Any) -> int:
    """Return an amount that may depend on dice, which are rolled now."""
    return values.amount_of(stack.ctx.state, giver, _settled(stack, written))


def _settled(stack: Stack, written: Any) -> Any:
    """Return the amount with each die replaced by its result."""
    if not isinstance(written, dict):
        return written
    if "roll" in written:
        return rolled(stack.ctx, written["roll"])
    return {key: _settled(stack, value) if key in ("half_up", "bounded") else value for key, value in written.items()}
