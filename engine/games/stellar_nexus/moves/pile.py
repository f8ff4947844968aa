"""The pile: requisitions, éphémères and abilities wait on it once paid for, and resolve last in, first out (STN-PIL-1).

The pile is the agenda's stack of frames. A response window opens only if the log marks the next entry as a response;
the response goes on top of the pile. As soon as an entry gets no response, everything on the pile resolves.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.cards.card import Card
from engine.core.effects import force, triggers
from engine.core.effects.host import Seen, Source, Stack
from engine.core.table.agenda import Frame, open_window, window
from engine.core.table.context import Context
from engine.core.table.game import Move
from engine.core.table.overrides import VOUCHED, note_of
from engine.core.table.places import at, place
from engine.core.table.state import State
from engine.games.stellar_nexus.effects.host import HOST
from engine.games.stellar_nexus.mat import (
    EQUIPMENT,
    FIELD,
    GRAVEYARD,
    HAND,
    OTHER,
    STACK,
    engage,
    on_field,
    ready_resources,
)
from engine.games.stellar_nexus.vocabulary import CREATURE, EQUIPEMENT, RESSOURCE


def begun(ctx: Context) -> Stack:
    """Return the pile for a move to add to, closing the window that the move responds in."""
    if open_window(ctx.state):
        ctx.depend_on("I-STN-10")
        ctx.emit("agenda", ctx.state.agenda[:-1])
    return Stack(ctx)


def respond(stack: Stack, by: str) -> None:
    """Open a window for the opponent of `by`, if the next entry is a response."""
    if stack.ctx.window:
        stack.push(window(OTHER[by]))


def left_to_ruling(ctx: Context, obj: int) -> None:
    """Leave the effect of a card the engine cannot execute to a ruling, unless a judge has vouched for it."""
    state, ref = ctx.state, ctx.state.refs[obj] or "?"
    if note_of(state.owners[obj], ref) not in state.memory.get(VOUCHED, ()):
        ctx.doubt(ref)


def left_open(stack: Stack, move: Move) -> None:
    """Resolve a move with a card the engine cannot execute; chance left unused is taken to be that card's."""
    stack.ctx.supply = None if move.chance is None else list(move.chance)
    try:
        stack.run()
    finally:
        stack.ctx.supply = None


def announce(stack: Stack, by: str, cost: int, effect: Frame, *, quick: bool) -> None:
    """Put something on the pile: its price is paid first, then it may be responded to, then it resolves."""
    stack.push({"step": "pay", "by": by, "left": cost, "paid": [], "effect": dict(effect), "quick": quick})


def payable(state: State, ready: Sequence[int]) -> list[str]:
    """List the places of the resources a payer chooses among; one stands for all those without effect."""
    found: dict[str, str] = {}
    for obj in ready:
        card = state.card(obj)
        found.setdefault("" if card is None or card.vanilla else card.ref, place(state, obj))
    return list(found.values())


def _pay(stack: Stack, frame: Frame) -> None:
    """Engage the resources of a price one by one, asking only where there is a real choice."""
    ctx, state, seat = stack.ctx, stack.ctx.state, str(frame["by"])
    left, paid = int(frame["left"]), list(frame["paid"])
    if "picked" in frame:
        paid.append(_engaged(ctx, frame["picked"]))
        left -= 1
    ready = ready_resources(state, seat) if left else []
    options = payable(state, ready)
    # No choice: the resources are all alike, or all of them are needed.
    if left and (len(options) == 1 or left == len(ready)):
        for obj in ready[:left]:
            engage(ctx, obj)
            paid.append(obj)
        left = 0
    if left:
        kept = {key: value for key, value in frame.items() if key != "picked"}
        stack.ask({**kept, "left": left, "paid": paid}, seat, options, "STN-RSS-1")
        return
    # Last in, first out: the powers resolve after the effect, and responses before it.
    _powers_later(stack, frame, paid)
    stack.push(frame["effect"])
    if ctx.window and not frame["quick"]:
        ctx.depend_on("I-STN-11")
    if frame["quick"] or state.terms.options["I-STN-11"] == "window":
        respond(stack, seat)


def _engaged(ctx: Context, name: str) -> int:
    obj = at(ctx.state, name)
    assert obj is not None, "only places of resources are offered"
    engage(ctx, obj)
    return obj


def _requisition(stack: Stack, frame: Frame) -> None:
    """Resolve a card: a creature to the field, an equipment to its creature, an éphémère takes effect."""
    ctx, state, obj, by = stack.ctx, stack.ctx.state, int(frame["obj"]), str(frame["by"])
    card = state.card(obj)
    assert card is not None, "a card is named as it is played"
    if card.kind == CREATURE:
        ctx.emit("move", obj, FIELD[by], -1)
        ctx.emit("note", "arrived", obj)
        _in_play(stack, obj)
    elif card.kind == EQUIPEMENT and on_field(state, int(frame["on"])):
        ctx.emit("move", obj, EQUIPMENT[by], -1)
        ctx.emit("attach", obj, int(frame["on"]))
        _in_play(stack, obj)
    # Its creature is gone: the equipment does not resolve.
    elif card.kind == EQUIPEMENT:
        ctx.emit("move", obj, GRAVEYARD[state.owners[obj]], -1)
        unpowered(stack)
    else:
        stack.push({"step": "spent", "obj": obj})
        _cast(stack, obj, card, by)


def unpowered(stack: Stack) -> None:
    """Drop the powers of the resources that paid for something that does not resolve (STN-RSS-3).

    Its own frame was the topmost, so theirs is the topmost now.
    """
    if stack.frames and stack.frames[-1]["step"] == "powers":
        stack.frames.pop()


def _in_play(stack: Stack, obj: int) -> None:
    """Put the effects of a card played from hand in force, with what its arrival triggers."""
    force.enter(stack.ctx, obj)
    there = force.seen(stack.ctx.state, obj)
    triggers.after(stack, ("entered", there), ("played", there))


def _cast(stack: Stack, obj: int, card: Card, by: str) -> None:
    """Carry out the effect of an éphémère, then what watches for it (STN-EPH-1)."""
    seen = Seen(obj, HAND[by], card.ref)
    # Last in, first out: what watches for the card is pushed first, so it resolves after the card's own effect.
    triggers.push(stack, triggers.set_going(stack.ctx.state, "played", seen))
    program = card.program
    if program is not None and program.sound:
        giver = Source(obj, by, 0, 0, STACK)
        abilities = program.triggers.get("played", ())
        triggers.push(stack, [triggers.doing(giver, ability["do"]) for ability in abilities])


def _spent(stack: Stack, frame: Frame) -> None:
    """Move an éphémère to the graveyard once its effect is over."""
    state, obj = stack.ctx.state, int(frame["obj"])
    if state.where[obj] == STACK:
        stack.ctx.emit("move", obj, GRAVEYARD[state.owners[obj]], -1)


def _ability(stack: Stack, frame: Frame) -> None:
    """Resolve an active ability with its card as it is now.

    A silenced card does nothing; for a card that left play see I-STN-30.
    """
    state, obj = stack.ctx.state, int(frame["obj"])
    source = Source(*frame["src"])
    if force.silenced(state, obj):
        return
    if state.where[obj] not in HOST.in_play:
        stack.ctx.depend_on("I-STN-30")
        if state.terms.options["I-STN-30"] == "lost":
            unpowered(stack)
            return
    program = force.own_program(state, obj)
    abilities = program.triggers.get("activated", ()) if program is not None else ()
    triggers.push(stack, [triggers.doing(source, ability["do"]) for ability in abilities])


def _powers_later(stack: Stack, frame: Frame, paid: Sequence[int]) -> None:
    """Push the powers of the resources of a payment below what they pay for (STN-RSS-2, STN-RSS-4)."""
    state = stack.ctx.state
    card = state.card(int(frame["effect"]["obj"]))
    factions = () if card is None else card.factions
    dissonant: list[int] = []
    attuned: list[int] = []
    for obj in paid:
        resource = state.card(obj)
        if resource is None or not resource.executable:
            attuned += _unread(stack, obj)
            continue
        power = force.active(state, obj)
        shares = any(faction in factions for faction in resource.factions)
        if power is not None and ("paid_affinity" if shares else "paid_dissonance") in power.triggers:
            (attuned if shares else dissonant).append(obj)
    if dissonant or attuned:
        stack.push({"step": "powers", "by": frame["by"], "dissonant": dissonant, "attuned": attuned})


def _unread(stack: Stack, obj: int) -> list[int]:
    """Return a resource that may have a power the engine does not know, as one with an optional affinity.

    Its text is unreadable, or the card was never recorded; the player is not held to what it may say.
    """
    state = stack.ctx.state
    if state.refs[obj] is None:
        cards, left = state.terms.cards, state.unseen.get(state.owners[obj])
        refs = cards if left is None else [ref for ref, copies in left.items() if copies]
        # No resource it may be has a power.
        if all(cards[ref].kind != RESSOURCE or cards[ref].vanilla for ref in refs):
            return []
        stack.ctx.doubt("STN-RSS-2")
    return [obj]


def _powers(stack: Stack, frame: Frame) -> None:
    """Ask for the next power: all dissonances in the payer's order (I-STN-14), then optional affinities (I-STN-29)."""
    state, by = stack.ctx.state, str(frame["by"])
    if "picked" in frame:
        _set_off(stack, {key: value for key, value in frame.items() if key != "picked"}, frame["picked"])
        return
    dissonant, attuned = list(frame["dissonant"]), list(frame["attuned"])
    if len(dissonant) > 1:
        stack.ctx.depend_on("I-STN-14")
    if dissonant and attuned:
        stack.ctx.depend_on("I-STN-29")
        if state.terms.options["I-STN-29"] == "payer":
            stack.ask(frame, by, [place(state, obj) for obj in (*dissonant, *attuned)], "STN-RSS-2")
            return
    if dissonant:
        stack.ask(frame, by, [place(state, obj) for obj in dissonant], "STN-RSS-2")
    elif attuned:
        stack.ask(frame, by, [place(state, obj) for obj in attuned], "STN-RSS-2", optional=True)


def _set_off(stack: Stack, frame: Frame, picked: str | None) -> None:
    """Set off the power of one resource; the others wait below it."""
    if picked is None:
        return
    state, obj = stack.ctx.state, at(stack.ctx.state, picked)
    assert obj is not None, "only resources in play are offered"
    dissonant, attuned = list(frame["dissonant"]), list(frame["attuned"])
    on = "paid_dissonance" if obj in dissonant else "paid_affinity"
    # With I-STN-14 `one`, the other dissonances of this payment do not take place.
    alone = on == "paid_dissonance" and state.terms.options["I-STN-14"] == "one"
    dissonant = [] if alone else [other for other in dissonant if other != obj]
    stack.push({**frame, "dissonant": dissonant, "attuned": [other for other in attuned if other != obj]})
    program, giver = force.active(state, obj), force.source(state, obj)
    abilities = program.triggers.get(on, ()) if program is not None else ()
    triggers.push(stack, [triggers.doing(giver, ability["do"]) for ability in abilities])


HOST.steps.update({
    "pay": _pay,
    "powers": _powers,
    "requisition": _requisition,
    "spent": _spent,
    "ability": _ability,
})  # fmt: skip
