"""The operations of effects, one function each. A chosen target is an option of `values.chosen_from`.

The functions of `PLAIN` act without targets, those of `TARGETED` on the targets already chosen (`got`). An operation
that must wait for a choice pushes a frame, which its function in `STEPS` resumes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.core.abilities.language import Tree
from engine.core.effects import force, knowledge, triggers, values
from engine.core.effects.destruction import batch
from engine.core.effects.host import Place, Plain, Source, Stack, Step, Targeted
from engine.core.effects.would import would
from engine.core.table.agenda import Frame
from engine.core.text.stats import half_up


def _gain(stack: Stack, giver: Source, operation: Tree) -> None:
    points = knowledge.amount(stack, giver, operation)
    for seat in stack.host.affected(giver.seat, operation.get("who", "controller")):
        stack.host.gain(stack.ctx, stack.host.counters[operation["what"]][seat], points)


def _lose(stack: Stack, giver: Source, operation: Tree) -> None:
    points = knowledge.amount(stack, giver, operation)
    for seat in stack.host.affected(giver.seat, operation.get("who", "controller")):
        stack.host.lose(stack, giver, stack.host.counters[operation["what"]][seat], points)


def _pay(stack: Stack, giver: Source, operation: Tree) -> None:
    """Let the player pay some of a counter. The operations that follow have the number paid as x."""
    path = stack.host.counters[operation["what"]][giver.seat]
    most = min(knowledge.amount(stack, giver, operation, "at_most"), stack.ctx.state.counters[path])
    if most:
        frame = {"step": "paid", "path": path, "ops": operation["do"], "src": list(giver)}
        stack.ask(frame, giver.seat, [str(points) for points in range(1, most + 1)], "LOG-answer", optional=True)


def _paid_step(stack: Stack, frame: Frame) -> None:
    if frame["picked"] is not None:
        points = int(frame["picked"])
        stack.ctx.emit("counter", frame["path"], -points)
        stack.push(triggers.doing(Source(*frame["src"])._replace(x=points), frame["ops"]))


def _discard(stack: Stack, giver: Source, operation: Tree) -> None:
    """Discard cards from a hand, each named by a player or picked at random."""
    (seat,) = stack.host.affected(giver.seat, operation.get("who", "controller"))[:1]
    count = min(knowledge.amount(stack, giver, operation), len(stack.ctx.state.zones[stack.host.hand(seat)]))
    if not count:
        return
    # Who chooses the place and who chooses the cards may be two players.
    by, places = stack.host.discards(stack, giver, seat)
    who = operation.get("by")
    chooser = seat if who is None else who if who == "random" else stack.host.affected(giver.seat, who)[0]
    frame = {"step": "discard", "seat": seat, "left": count, "by": chooser}
    if len(places) > 1:
        stack.ask({**frame, "step": "discard_where"}, by, places, "LOG-answer")
    else:
        stack.push({**frame, "to": places[0]})


def _discard_where_step(stack: Stack, frame: Frame) -> None:
    """Continue once the place is chosen: next, the cards are."""
    kept = {key: value for key, value in frame.items() if key != "picked"}
    stack.push({**kept, "step": "discard", "to": frame["picked"]})


def _discard_step(stack: Stack, frame: Frame) -> None:
    ctx, state, seat = stack.ctx, stack.ctx.state, str(frame["seat"])
    hand = stack.host.hand(seat)
    if frame["by"] == "random":
        obj = knowledge.pick_from_hand(ctx, seat, hand)
    elif "picked" in frame:
        obj = knowledge.take_named(ctx, hand, frame["picked"])
    else:
        options = knowledge.may_be_in(state, hand, seat)
        stack.push({**frame, "ask": {"by": frame["by"], "options": options, "optional": False, "rule": "LOG-hand"}})
        return
    ctx.emit("move", obj, stack.host.pile(state, obj, frame["to"]), -1)
    if frame["left"] > 1:
        kept = {key: value for key, value in frame.items() if key != "picked"}
        stack.push({**kept, "left": frame["left"] - 1})


def _token(stack: Stack, giver: Source, operation: Tree) -> None:
    """Make tokens. Whether the effects of their card are in force, the game says."""
    # A frame for no token would ask its player for a slot.
    if operation["n"]:
        frame = {"step": "token", "ref": operation["ref"], "left": operation["n"], "src": list(giver)}
        stack.push({**frame, "at": operation["at"]} if "at" in operation else frame)


def token_step(stack: Stack, frame: Frame) -> None:
    """Make the tokens one by one, each in a slot that its player chooses."""
    ctx, state, giver = stack.ctx, stack.ctx.state, Source(*frame["src"])
    card = state.terms.cards.get(frame["ref"])
    slots = None if card is None else stack.host.token_slots(state, giver, card)
    if slots is None:
        # The catalogue lacks the token, or has another kind of card under its ref: only a judge knows what was made.
        ctx.doubt(state.refs[giver.obj] or str(frame["ref"]))
    elif "picked" not in frame:
        if "at" in frame:
            slots = [slot for slot in slots if stack.host.named_by(giver, frame["at"], slot)]
        stack.ask(frame, giver.seat, slots, stack.host.cited(frame))
    elif frame["picked"] is not None:
        _make_token(stack, frame, giver)


def _make_token(stack: Stack, frame: Frame, giver: Source) -> None:
    ctx, state = stack.ctx, stack.ctx.state
    ctx.emit("create", giver.seat, frame["picked"], frame["ref"])
    obj = len(state.refs) - 1  # "create" adds the new object at the end
    stack.host.made(ctx, obj)
    if frame["left"] > 1:
        kept = {key: value for key, value in frame.items() if key != "picked"}
        stack.push({**kept, "left": frame["left"] - 1})
    stack.host.placed(stack, {"how": "token", "obj": obj, "src": frame["src"]}, frame["picked"])
    triggers.after(stack, ("entered", force.seen(state, obj)))


def _cannot(stack: Stack, giver: Source, operation: Tree) -> None:
    """Forbid players something for a while."""
    end = stack.host.until(stack.ctx.state, giver.seat, operation["for"])
    for seat in stack.host.affected(giver.seat, operation["who"]):
        stack.ctx.emit("lasting", ("forbid", seat, operation["what"], 0, end, giver.obj), -1)


def _cancel(stack: Stack, giver: Source, operation: Tree) -> None:
    """Silence, for a while, the cards that the game lets this operation cancel."""
    end = stack.host.until(stack.ctx.state, giver.seat, operation["for"])
    for seat in stack.host.affected(giver.seat, operation.get("who", "opponent")):
        for obj in stack.host.cancelled(stack.ctx.state, seat):
            stack.ctx.emit("lasting", ("silence", obj, "", 0, end, giver.obj), -1)


def _manual(stack: Stack, giver: Source, operation: Tree) -> None:
    stack.ctx.doubt(stack.ctx.state.refs[giver.obj] or "?")


def _objects(stack: Stack, got: Sequence[str]) -> list[int]:
    return values.objects_at(stack.ctx.state, got)


def _destroy(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    stack.push(batch(_objects(stack, got), "effect"))


def _return(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Return cards to the hand of their owner, whoever controls them."""
    frames: list[Frame] = []
    for obj in _objects(stack, got):
        then = {"step": "returned", "obj": obj}
        in_play = stack.ctx.state.where[obj] in stack.host.in_play
        frames.append(would("returned", then, None, obj=obj) if in_play else then)
    triggers.push(stack, frames)


def returned_step(stack: Stack, frame: Frame) -> None:
    """Return a card to its owner's hand."""
    ctx, state, obj = stack.ctx, stack.ctx.state, int(frame["obj"])
    in_play = state.where[obj] in stack.host.in_play
    if not in_play and not any(state.where[obj] in stack.host.zones[zone] for zone in stack.host.piles):
        return
    frames = triggers.leaving(state, obj) if in_play else []
    ctx.emit("move", obj, stack.host.hand(state.owners[obj]), -1)
    if in_play:
        force.leave(stack, obj)
    if frames:
        stack.host.set_off(stack, frames)


def _last(stack: Stack, giver: Source, operation: Tree, objs: Sequence[int], kind: str, key: str, n: int = 0) -> None:
    """Add a lasting effect on objects, with the duration that the operation states."""
    # Worked out once, when the effect begins: the same words mean another turn later.
    end = stack.host.until(stack.ctx.state, giver.seat, operation.get("for", "permanent"))
    for obj in objs:
        stack.ctx.emit("lasting", (kind, obj, key, n, end, giver.obj), -1)


def _buff(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Raise or lower a figure."""
    points = knowledge.with_dice(stack, giver, operation["n"])
    _last(stack, giver, operation, _objects(stack, got), "add", operation["stat"], points)


def _divide(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Halve a figure as it is now, rounded up."""
    for obj in _objects(stack, got):
        values.depend_on_floor(stack.ctx, (obj,), operation["stat"])
        now = values.stat(stack.ctx.state, obj, operation["stat"])
        _last(stack, giver, operation, [obj], "add", operation["stat"], half_up(now) - now)


def _silence(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Take away effects and bonuses."""
    _last(stack, giver, operation, _objects(stack, got), "silence", "")


def _grant(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Give a keyword for a while."""
    _last(stack, giver, operation, _objects(stack, got), "grant", operation["keyword"])


def _cannot_of(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Forbid cards something for a while."""
    _last(stack, giver, operation, _objects(stack, got), "forbid", operation["what"])


def _swap(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Swap two cards."""
    if len(got) != 2:
        return
    state = stack.ctx.state
    one, two = _objects(stack, got)
    # The areas before the swap, because a card that stays in its area does not arrive in it.
    before = {obj: stack.host.places[state.where[obj]] for obj in (one, two)}
    stack.ctx.emit("swap", one, two)
    for obj in (one, two):
        # `got` has the options of both targets in order: index False (0) for the first card, True (1) for the second.
        stack.host.placed(stack, {"how": "swap", "obj": obj, "from": got[obj == two]}, state.where[obj])
    _arrived(stack, [obj for obj in (one, two) if before[obj][:2] != stack.host.places[state.where[obj]][:2]])


def _arrived(stack: Stack, objs: Sequence[int]) -> None:
    """Note that cards are in another area, where their order of arrival counts from now."""
    for obj in objs:
        force.enter(stack.ctx, obj)
    triggers.after(stack, *(("arrived", force.seen(stack.ctx.state, obj)) for obj in objs))


def _place_all(how: str) -> Targeted:
    """Return an operation that puts targets in slots one by one, each where its player chooses."""

    def run(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
        state = stack.ctx.state
        for option in reversed(got):  # the last frame pushed is the first resolved
            frame: dict[str, Any] = {"step": "place", "obj": values.object_at(state, option), "how": how}
            frame |= {"by": giver.seat, "from": option, "to": operation.get("to", "any")}
            if "for" in operation:
                frame |= {"end": stack.host.until(state, giver.seat, operation["for"]), "giver": giver.obj}
            stack.push(frame)

    return run


def place_step(stack: Stack, frame: Frame) -> None:
    """Put a card in a slot: moved, resurrected, or under another player's control."""
    ctx, state, obj = stack.ctx, stack.ctx.state, int(frame["obj"])
    if state.where[obj] not in (frame["from"], frame["from"].rpartition("/")[0]):
        return  # a ruling took it away meanwhile
    if "picked" not in frame:
        stack.ask(frame, str(frame["by"]), stack.host.slots(ctx, frame), stack.host.cited(frame))
        return
    path = frame["picked"]
    if path is None:
        stack.host.unplaced(stack, frame)
        return
    before = stack.host.in_play.get(state.where[obj])
    ctx.emit("move", obj, path, -1)
    if "end" in frame:
        ctx.emit("lasting", ("control", obj, "", 0, frame["end"], frame["giver"]), -1)
    if before is None or before[:2] != stack.host.places[state.where[obj]][:2]:
        force.enter(ctx, obj)
    stack.host.placed(stack, frame, path)
    _put(stack, obj, before)


def _put(stack: Stack, obj: int, before: Place | None) -> None:
    """Trigger what follows when a card was put somewhere: it came into play, or changed areas."""
    card = force.seen(stack.ctx.state, obj)
    if before is None:
        triggers.after(stack, ("entered", card))
    elif before[:2] != stack.host.places[stack.ctx.state.where[obj]][:2]:
        triggers.after(stack, ("arrived", card))


def home_step(stack: Stack, frame: Frame) -> None:
    """Give a card that was controlled for a while back to its owner, if it is still controlled."""
    state, obj = stack.ctx.state, int(frame["obj"])
    place = stack.host.in_play.get(state.where[obj])
    if place is not None and place.seat != state.owners[obj]:
        stack.push({
            "step": "place",
            "obj": obj,
            "how": "home",
            "by": state.owners[obj],
            "from": state.where[obj],
            "to": "any",
        })


PLAIN: dict[str, Plain] = {
    "gain": _gain,
    "lose": _lose,
    "pay": _pay,
    "draw": knowledge.draw,
    "discard": _discard,
    "look": knowledge.look,
    "reveal": knowledge.reveal,
    "search": knowledge.search,
    "shuffle": knowledge.shuffle,
    "token": _token,
    "cannot": _cannot,
    "cancel": _cancel,
    "manual": _manual,
}

TARGETED: dict[str, Targeted] = {
    "destroy": _destroy,
    "return": _return,
    "buff": _buff,
    "divide": _divide,
    "silence": _silence,
    "grant": _grant,
    "cannot": _cannot_of,
    "swap": _swap,
    "move": _place_all("move"),
    "resurrect": _place_all("resurrect"),
    "control": _place_all("control"),
}

STEPS: dict[str, Step] = {
    "paid": _paid_step,
    "discard_where": _discard_where_step,
    "discard": _discard_step,
    "token": token_step,
    "place": place_step,
    "returned": returned_step,
    "home": home_step,
    "drawn": knowledge.drawn_step,
    "search": knowledge.search_step,
}
