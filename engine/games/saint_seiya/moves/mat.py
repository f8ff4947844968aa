"""The table of Saint Seiya as the verbs see it: zones, marks, prices, what follows when a card leaves the terrain."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.agenda import Frame, Stack
from engine.core.context import Context
from engine.core.effects import force, triggers, values
from engine.core.effects.host import Source
from engine.core.effects.language import Tree
from engine.core.places import place
from engine.core.state import COMMON, State
from engine.games.saint_seiya.vocabulary import CHANNELS, COSTS, FIGHTS, FLAMME, FROST, MARINA, SAPHIR, TOKEN, WOUND

SEATS = ("A", "B", "C", "D", "E")
PREPARATION, PRINCIPALE, ENTRETIEN = "preparation", "principale", "entretien"
PHASES = (PREPARATION, PRINCIPALE, ENTRETIEN)

SLOTS = 6
CLOCK, STATUE = 12, 7  # Flames at the start (I-SSD-02), Sapphires at most
TERRAIN = tuple(f"{COMMON}/terrain/{n}" for n in range(1, SLOTS + 1))  # from left to right
LAST = TERRAIN[-1]
RESERVE, GONE = f"{COMMON}/reserve", f"{COMMON}/reserve_discard"
FLAMES, SAPPHIRES = f"{COMMON}.flames", f"{COMMON}.sapphires"

IN_PLAY = ("play", "armour", "relics")  # zones of a seat whose cards are in play
OWN = ("hand", "deck", "discard", *IN_PLAY, "marked", "aside", "destroyed", "pillars")
SCORED = ("hand", "deck", "discard", *IN_PLAY, "marked", "pillars")  # what "the cards owned" of a clause counts

COST_FIGURES = frozenset(COSTS.values())
TOKENS = (WOUND, FROST, TOKEN)
USED, HEALS, LOCKED = "used", "heals", {FIGHTS: "fights", CHANNELS: "channels"}
TURN_MARKS = (USED, HEALS, *LOCKED.values())
MARKS = (*TOKENS, *TURN_MARKS)


def player(state: State, obj: int) -> str:
    """The seat on whose side a card is, or "common"."""
    return state.where[obj].partition("/")[0]


def marked(state: State, obj: int) -> bool:
    """Whether a token lies on a card (SSD-MAR-1)."""
    return any(state.mark(obj, token) for token in TOKENS)


def next_seat(state: State, seat: str) -> str:
    """Who plays after a seat."""
    seats = state.terms.seats
    return seats[(seats.index(seat) + 1) % len(seats)]


def unread(state: State, obj: int) -> bool:
    """Whether nobody can say what a card does: what rests on its text is then left to a ruling, not refused."""
    return state.refs[obj] in state.terms.cards.unread


def faceable(state: State, obj: int) -> bool:
    """Whether a card has a cost, so that it may be confronted (SSD-COU-3), or may have one that nobody wrote down."""
    card = state.card(obj)
    return card is not None and (not COST_FIGURES.isdisjoint(card.figures) or unread(state, obj))


def price(state: State, obj: int, mode: str) -> int | None:
    """What a card of the terrain costs in "force" or "cosmos"; None without a printed cost (SSD-COU-1, SSD-COU-2)."""
    card = state.card(obj)
    base = None if card is None else card.figures.get(COSTS[mode])
    if base is None:
        return None
    return max(1, values.price(state, base - rebate(state, obj), force.seen(state, obj)))


def rebate(state: State, obj: int) -> int:
    """What the last slot takes off a cost (I-SSD-06)."""
    return int(state.where[obj] == LAST and state.terms.options["I-SSD-06"] == "cheaper")


def barred(state: State, what: str, obj: int) -> str | None:
    """The ref of the card whose text forbids that a card be confronted ("face") or acquired ("acquire")."""
    return values.forbidding(state, what, force.seen(state, obj))


def obtainable(state: State, obj: int, mode: str) -> bool:
    """Whether the rules and the cards let somebody acquire a card in this way, whatever its price."""
    return price(state, obj, mode) is not None and barred(state, "acquire", obj) is None


def confronts(state: State, obj: int, target: int | None) -> bool:
    """Whether a card in play faces a target it may still confront (SSD-AFF-1)."""
    return target is not None and state.hosts.get(obj) == target and barred(state, "face", target) is None


def locked(state: State, obj: int) -> str:
    """The keyword that binds a card to one way to acquire, "" where none does (SSD-VER-1, SSD-VER-2)."""
    return next((keyword for keyword, mark in LOCKED.items() if state.mark(obj, mark)), "")


def unmark(ctx: Context, obj: int, *keys: str) -> None:
    """Take the marks of these names off a card."""
    for key in keys:
        count = ctx.state.mark(obj, key)
        if count:
            ctx.emit("mark", obj, key, -count)


def note_once(ctx: Context, obj: int, key: str) -> None:
    """Put a mark that a card bears once."""
    if not ctx.state.mark(obj, key):
        ctx.emit("mark", obj, key, 1)


def release(ctx: Context, obj: int) -> None:
    """Nobody confronts a card any more (SSD-AFF-1)."""
    for other in ctx.state.attached(obj):
        ctx.emit("attach", other, None)


def arrive(ctx: Context, obj: int) -> None:
    """A card comes into play or onto the terrain; the confrontations that it makes illegal end (SSD-AFF-1)."""
    force.enter(ctx, obj)
    break_off(ctx)


def break_off(ctx: Context) -> None:
    """End every confrontation that a card in force forbids: it does not resume once that card is gone (SSD-AFF-1)."""
    state = ctx.state
    if not state.hosts or not values.forbids(state, "face"):
        return
    for obj, target in list(state.hosts.items()):
        if barred(state, "face", target) is not None:
            ctx.emit("attach", obj, None)


def put(stack: Stack, obj: int, path: str) -> None:
    """A card leaves its place on the table for a pile, a hand or aside; what was on it, or faced it, ends."""
    release(stack.ctx, obj)
    stack.ctx.emit("move", obj, path, -1)
    force.leave(stack, obj)


def abilities(state: State, obj: int, on: str) -> Sequence[Tree]:
    """The abilities of a card with a trigger, where the engine executes it whole."""
    own = force.own_program(state, obj)
    return () if own is None else own.triggers.get(on, ())


def own_effect(state: State, obj: int, seat: str, on: str) -> list[Frame]:
    """The frames of a card's own effect, done for a seat."""
    giver = Source(obj, seat, 0, 0, state.where[obj])
    return [triggers.doing(giver, ability["do"]) for ability in abilities(state, obj, on)]


def doubt(ctx: Context, obj: int) -> None:
    """A card that the engine does not execute whole is left to a ruling when it comes into play or is acquired."""
    card = ctx.state.card(obj)
    if card is not None and not card.executable:
        ctx.doubt(card.ref)


def count_out(ctx: Context, obj: int) -> None:
    """A card leaves the terrain: a Flame goes, or a Sapphire comes, by its class (SSD-OR-1, SSD-GD-1)."""
    card, counters = ctx.state.card(obj), ctx.state.counters
    if card is None:
        return
    if FLAMME in card.factions and counters[FLAMES]:
        ctx.emit("counter", FLAMES, -1)
    if SAPHIR in card.factions and counters[SAPPHIRES] < STATUE:
        ctx.emit("counter", SAPPHIRES, 1)


def remove(stack: Stack, obj: int) -> None:
    """A card of the terrain goes to the terrain discard, and its Sortie happens (SSD-RET-1, SSD-TER-1)."""
    state = stack.ctx.state
    frames = own_effect(state, obj, state.seat or COMMON, "sortie")
    count_out(stack.ctx, obj)
    put(stack, obj, GONE)
    triggers.push(stack, frames)


def acquire(stack: Stack, obj: int, seat: str, to: str) -> None:
    """A card joins the set of a seat; from the terrain its Vaincu happens (SSD-ACQ-1, SSD-TER-1)."""
    state = stack.ctx.state
    frames = []
    if state.where[obj] in TERRAIN:
        frames = own_effect(state, obj, seat, "vaincu")
        count_out(stack.ctx, obj)
    put(stack, obj, f"{seat}/{to}")
    stack.ctx.emit("own", obj, seat)
    lean_on_reserve(stack.ctx)
    doubt(stack.ctx, obj)
    owe_a_pillar(stack.ctx, obj)
    triggers.push(stack, frames)


def owe_a_pillar(ctx: Context, obj: int) -> None:
    """A Général Marina puts a pillar in play, which no catalogue names: a ruling says what happens (SSD-GM-1)."""
    card = ctx.state.card(obj)
    if card is not None and MARINA in card.factions:
        ctx.doubt("SSD-GM-1")


def lean_on_reserve(ctx: Context) -> None:
    """An empty reserve leaves a slot empty: whether the game goes on is I-SSD-12."""
    zones = ctx.state.zones
    if not zones[RESERVE] and not all(zones[slot] for slot in TERRAIN):
        ctx.lean("I-SSD-12")


def bear(stack: Stack, obj: int, token: str) -> None:
    """A token is put on a card, which is then marked and not in play; its Marqué happens (SSD-JOU-3, SSD-EFF-5)."""
    ctx, seat = stack.ctx, player(stack.ctx.state, obj)
    fresh = not marked(ctx.state, obj)
    if fresh:
        put(stack, obj, f"{seat}/marked")
    ctx.emit("mark", obj, token, 1)
    if fresh:
        triggers.push(stack, own_effect(ctx.state, obj, seat, "marqué"))


def cure(stack: Stack, obj: int, token: str) -> None:
    """One Healing: a wound goes, a frost is turned over (SSD-SOI-1); a card without tokens is discarded (SSD-JOU-3)."""
    ctx = stack.ctx
    ctx.lean("I-SSD-01")
    ctx.emit("mark", obj, token, -1)
    if token == FROST and ctx.state.terms.options["I-SSD-01"] == "read":
        ctx.emit("mark", obj, WOUND, 1)
    settle_marks(stack, obj)


def settle_marks(stack: Stack, obj: int) -> None:
    """What no token keeps on the table any more is discarded (SSD-JOU-3)."""
    if not marked(stack.ctx.state, obj):
        put(stack, obj, f"{player(stack.ctx.state, obj)}/discard")


def draw(ctx: Context, seat: str, count: int) -> None:
    """Cards from the pile; where it is empty the discard is shuffled into a new one (I-SSD-11)."""
    state = ctx.state
    first = min(count, len(state.zones[f"{seat}/deck"]))
    if first:
        ctx.draw(seat, ctx.chance_draw(seat, first))
    if first == count:
        return
    ctx.lean("I-SSD-11")
    if state.terms.options["I-SSD-11"] == "stop" or not state.zones[f"{seat}/discard"]:
        return
    for obj in list(state.zones[f"{seat}/discard"]):
        ctx.emit("move", obj, f"{seat}/deck", -1)
        if state.refs[obj] is not None:
            ctx.emit("hide", obj)
    more = min(count - first, len(state.zones[f"{seat}/deck"]))
    ctx.draw(seat, ctx.chance_draw(seat, more))


def names(state: State, objs: Sequence[int]) -> list[str]:
    """The places of cards, in the order of the table."""
    return [place(state, obj) for obj in objs]
