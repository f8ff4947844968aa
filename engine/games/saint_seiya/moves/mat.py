"""The table of Saint Seiya as the verbs see it: zones, marks, and what follows when a card leaves the terrain.

The terrain is "common/terrain/1" to "common/terrain/6", from left to right; its cards shift to the right, where the
last one leaves. A card in a zone that holds several is named by its place in it ("A/play/2", from 1).
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.abilities.language import Tree
from engine.core.effects import force, triggers, values
from engine.core.effects.host import Source, Stack
from engine.core.table.agenda import Frame
from engine.core.table.context import Context
from engine.core.table.places import place
from engine.core.table.state import COMMON, State
from engine.games.saint_seiya.vocabulary import (
    CHANNELS,
    COSTS,
    FACING,
    FIGHTS,
    FLAMME,
    FOUGHT,
    FROST,
    MARINA,
    SAPHIR,
    TOKEN,
    WOUND,
)

SEATS = ("A", "B", "C", "D", "E")
PREPARATION, PRINCIPALE, ENTRETIEN = "preparation", "principale", "entretien"
PHASES = (PREPARATION, PRINCIPALE, ENTRETIEN)

SLOTS = 6
CLOCK, STATUE = 12, 7  # Flames at the start (I-SSD-02), most Sapphires
TERRAIN = tuple(f"{COMMON}/terrain/{n}" for n in range(1, SLOTS + 1))  # from left to right
LAST = TERRAIN[-1]
RESERVE, GONE = f"{COMMON}/reserve", f"{COMMON}/reserve_discard"
FLAMES, SAPPHIRES = f"{COMMON}.flames", f"{COMMON}.sapphires"

IN_PLAY = ("play", "armour", "relics")  # zones of a seat whose cards are in play
OWN = ("hand", "deck", "discard", *IN_PLAY, "marked", "aside", "destroyed", "pillars")
SCORED = ("hand", "deck", "discard", *IN_PLAY, "marked", "pillars")  # the cards owned, when points are counted

COST_FIGURES = frozenset(COSTS.values())
TOKENS = (WOUND, FROST, TOKEN)
# Marks of the current turn: the card was used, Soin points it has left, the mode it is bound to.
USED, HEALS, LOCKED = "used", "heals", {FIGHTS: "fights", CHANNELS: "channels"}
TURN_MARKS = (USED, HEALS, *LOCKED.values(), FOUGHT)
MARKS = (*TOKENS, *TURN_MARKS)


def player(state: State, obj: int) -> str:
    """Return the seat on whose side a card is, or "common"."""
    return state.where[obj].partition("/")[0]


def marked(state: State, obj: int) -> bool:
    """Whether a token lies on a card (SSD-MAR-1)."""
    return any(state.mark(obj, token) for token in TOKENS)


def next_seat(state: State, seat: str) -> str:
    """Return the seat that plays after this one."""
    seats = state.terms.seats
    return seats[(seats.index(seat) + 1) % len(seats)]


def unread(state: State, obj: int) -> bool:
    """Whether the engine cannot read a card; what depends on its text is left to a ruling, never refused."""
    return state.refs[obj] in state.terms.cards.unread


def faceable(state: State, obj: int) -> bool:
    """Whether a card has a cost, or may have one, so that it may be confronted (SSD-COU-3)."""
    card = state.card(obj)
    return card is not None and (not COST_FIGURES.isdisjoint(card.figures) or unread(state, obj))


def welcome(ctx: Context, obj: int, seat: str) -> None:
    """Give a character that comes into play what the player's characters still to come gain."""
    card = ctx.state.card(obj)
    if card is not None and card.kind in FACING:
        for record in [record for record in ctx.state.lasting if record[:2] == ("add", seat)]:
            ctx.emit("lasting", ("add", obj, *record[2:]), -1)


def barred(state: State, what: str, obj: int) -> str | None:
    """Return the ref of the card that forbids to do something to another, or None.

    `what` is "face" (to confront it), "acquire", "wound" or "heal".
    """
    return values.forbidding(state, what, force.seen(state, obj))


def confronts(state: State, obj: int, target: int | None) -> bool:
    """Whether a card in play faces a target that it may still confront (SSD-AFF-1)."""
    return target is not None and state.hosts.get(obj) == target and barred(state, "face", target) is None


def alongside(state: State, obj: int, other: int) -> bool:
    """Whether two cards confront the same card, or fought the card acquired last together."""
    faced = state.hosts.get(obj)
    if obj == other or faced is None:
        return obj != other and bool(state.mark(obj, FOUGHT) and state.mark(other, FOUGHT))
    return state.hosts.get(other) == faced


def at_the(state: State, end: str) -> str:
    """Return the place of the first or of the last card of the terrain (I-SSD-16)."""
    slots = TERRAIN if end == "first" else TERRAIN[::-1]
    if state.terms.options["I-SSD-16"] == "slot":
        return slots[0]
    return next((slot for slot in slots if state.zones[slot]), slots[0])


def beside(path: str) -> tuple[str, ...]:
    """Return the places of the terrain next to one of them; none for a place elsewhere."""
    slot = TERRAIN.index(path) if path in TERRAIN else -2
    return tuple(other for n, other in enumerate(TERRAIN) if abs(n - slot) == 1)


def locked(state: State, obj: int) -> str:
    """Return the keyword that binds a card to one mode of acquiring, or "" (SSD-VER-1, SSD-VER-2)."""
    return next((keyword for keyword, mark in LOCKED.items() if state.mark(obj, mark)), "")


def unmark(ctx: Context, obj: int, *keys: str) -> None:
    """Remove all marks of these names from a card."""
    for key in keys:
        count = ctx.state.mark(obj, key)
        if count:
            ctx.emit("mark", obj, key, -count)


def note_once(ctx: Context, obj: int, key: str) -> None:
    """Put a mark on a card, unless it bears it already."""
    if not ctx.state.mark(obj, key):
        ctx.emit("mark", obj, key, 1)


def release(ctx: Context, obj: int) -> None:
    """End every confrontation with a card (SSD-AFF-1)."""
    for other in ctx.state.attached(obj):
        ctx.emit("attach", other, None)


def arrive(ctx: Context, obj: int) -> None:
    """Put a card in force in play or on the terrain; end confrontations it makes illegal (SSD-AFF-1)."""
    force.enter(ctx, obj)
    break_off(ctx)


def break_off(ctx: Context) -> None:
    """End every confrontation that a card in force forbids (SSD-AFF-1).

    A confrontation that ended does not resume when that card is gone.
    """
    state = ctx.state
    # No confrontation, or nothing that forbids any: by far the usual case.
    if not state.hosts or not values.forbids(state, "face"):
        return
    for obj, target in list(state.hosts.items()):
        if barred(state, "face", target) is not None:
            ctx.emit("attach", obj, None)


def put(stack: Stack, obj: int, path: str) -> None:
    """Move a card out of play or off the terrain; what was on it, and what faced it, ends."""
    release(stack.ctx, obj)
    stack.ctx.emit("move", obj, path, -1)
    force.leave(stack, obj)


def abilities(state: State, obj: int, on: str) -> Sequence[Tree]:
    """Return a card's abilities with this trigger; none if the engine cannot read all of the card."""
    own = force.own_program(state, obj)
    return () if own is None else own.triggers.get(on, ())


def own_effect(state: State, obj: int, seat: str, on: str) -> list[Frame]:
    """Return the frames of a card's own effect, resolved for a seat."""
    giver = Source(obj, seat, 0, 0, state.where[obj])
    there = [ability for ability in abilities(state, obj, on) if values.holds(state, giver, ability.get("if"))]
    return [triggers.doing(giver, ability["do"]) for ability in there]


def doubt(ctx: Context, obj: int) -> None:
    """Leave a card that the engine cannot read to a ruling, as it comes into play or is acquired."""
    card = ctx.state.card(obj)
    if card is not None and not card.executable:
        ctx.doubt(card.ref)


def count_out(ctx: Context, obj: int) -> None:
    """Remove a Flame, or add a Sapphire, for a card that leaves the terrain (SSD-OR-1, SSD-GD-1)."""
    card, counters = ctx.state.card(obj), ctx.state.counters
    if card is None:
        return
    if FLAMME in card.factions and counters[FLAMES]:
        ctx.emit("counter", FLAMES, -1)
    if SAPHIR in card.factions and counters[SAPPHIRES] < STATUE:
        ctx.emit("counter", SAPPHIRES, 1)


def remove(stack: Stack, obj: int) -> None:
    """Move a card from the terrain to the terrain discard and trigger its Sortie (SSD-RET-1, SSD-TER-1)."""
    state = stack.ctx.state
    # Read before the card moves: its effects come from its place on the terrain.
    frames = own_effect(state, obj, state.seat or COMMON, "sortie")
    count_out(stack.ctx, obj)
    put(stack, obj, GONE)
    triggers.push(stack, frames)


def acquire(stack: Stack, obj: int, seat: str, to: str) -> None:
    """Give a card to a seat, in its zone `to` ("hand" or "discard") (SSD-ACQ-1).

    If it comes from the terrain, its Vaincu is triggered (SSD-TER-1).
    """
    state = stack.ctx.state
    frames = []
    if state.where[obj] in TERRAIN:
        frames = own_effect(state, obj, seat, "vaincu")
        count_out(stack.ctx, obj)
    put(stack, obj, f"{seat}/{to}")
    stack.ctx.emit("own", obj, seat)
    depend_on_reserve(stack.ctx)
    doubt(stack.ctx, obj)
    owe_a_pillar(stack.ctx, obj)
    triggers.push(stack, frames)


def owe_a_pillar(ctx: Context, obj: int) -> None:
    """Leave the pillar of an acquired Général Marina to a ruling (SSD-GM-1).

    No catalogue says which pillar belongs to which card.
    """
    card = ctx.state.card(obj)
    if card is not None and MARINA in card.factions:
        ctx.doubt("SSD-GM-1")


def depend_on_reserve(ctx: Context) -> None:
    """Record I-SSD-12 if the empty reserve leaves a slot of the terrain empty."""
    zones = ctx.state.zones
    if not zones[RESERVE] and not all(zones[slot] for slot in TERRAIN):
        ctx.depend_on("I-SSD-12")


def bear(stack: Stack, obj: int, token: str) -> None:
    """Put a token on a card, which is then marked and no longer in play (SSD-JOU-3).

    Its Marqué is triggered by the first token only (SSD-EFF-5).
    """
    ctx, seat = stack.ctx, player(stack.ctx.state, obj)
    fresh = not marked(ctx.state, obj)
    # Move the card first: `put` takes all marks off it.
    if fresh:
        put(stack, obj, f"{seat}/marked")
    ctx.emit("mark", obj, token, 1)
    if fresh:
        triggers.push(stack, own_effect(ctx.state, obj, seat, "marqué"))


def cure(stack: Stack, obj: int, token: str) -> None:
    """Spend 1 Soin: remove a wound, or turn a frost over into a wound (SSD-SOI-1, I-SSD-01).

    A card left without tokens is discarded (SSD-JOU-3).
    """
    ctx = stack.ctx
    ctx.depend_on("I-SSD-01")
    ctx.emit("mark", obj, token, -1)
    if token == FROST and ctx.state.terms.options["I-SSD-01"] == "read":
        ctx.emit("mark", obj, WOUND, 1)
    settle_marks(stack, obj)


def settle_marks(stack: Stack, obj: int) -> None:
    """Discard a marked card on which no token is left (SSD-JOU-3)."""
    if not marked(stack.ctx.state, obj):
        put(stack, obj, f"{player(stack.ctx.state, obj)}/discard")


def moved(ctx: Context, obj: int) -> None:
    """Settle what becomes of the confrontations with a card that changed its place on the terrain (I-SSD-08)."""
    if ctx.state.attached(obj):
        ctx.depend_on("I-SSD-08")
        if ctx.state.terms.options["I-SSD-08"] == "lose":
            release(ctx, obj)


def forget(ctx: Context, path: str) -> None:
    """Forget which card of a pile is which, as after a shuffle."""
    for obj in ctx.state.zones[path]:
        if ctx.state.refs[obj] is not None:
            ctx.emit("hide", obj)


def replenish(ctx: Context, seat: str, count: int) -> None:
    """Shuffle a seat's discard under its draw pile if the pile has fewer cards than are to be revealed (I-SSD-11)."""
    state, deck, discard = ctx.state, f"{seat}/deck", list(ctx.state.zones[f"{seat}/discard"])
    if len(state.zones[deck]) >= count:
        return
    ctx.depend_on("I-SSD-11")
    for obj in discard if state.terms.options["I-SSD-11"] == "shuffle" else ():
        ctx.emit("move", obj, deck, 0)
        if state.refs[obj] is not None:
            ctx.emit("hide", obj)


def draw(ctx: Context, seat: str, count: int) -> None:
    """Draw cards; if the pile runs out, the shuffled discard becomes the new pile (I-SSD-11)."""
    state = ctx.state
    first = min(count, len(state.zones[f"{seat}/deck"]))
    if first:
        ctx.draw(seat, ctx.chance_draw(seat, first))
    if first == count:
        return
    ctx.depend_on("I-SSD-11")
    if state.terms.options["I-SSD-11"] == "stop" or not state.zones[f"{seat}/discard"]:
        return
    for obj in list(state.zones[f"{seat}/discard"]):
        ctx.emit("move", obj, f"{seat}/deck", -1)
    forget(ctx, f"{seat}/deck")
    more = min(count - first, len(state.zones[f"{seat}/deck"]))
    ctx.draw(seat, ctx.chance_draw(seat, more))


def names(state: State, objs: Sequence[int]) -> list[str]:
    """Return the places of cards, in the order given."""
    return [place(state, obj) for obj in objs]
