"""The mat of Stellar Nexus: zones by seat, figures, engaged cards, resources, damage and death."""

from __future__ import annotations

from engine.core.cards.card import Card
from engine.core.effects import values
from engine.core.table.context import Context
from engine.core.table.state import State
from engine.games.stellar_nexus.vocabulary import JETON

SEATS = ("A", "B")
OTHER = {"A": "B", "B": "A"}

PREPARATION = "preparation"
DESENGAGEMENT, PIOCHE, PRINCIPALE_1, ATTAQUE, PRINCIPALE_2, FINALE = (
    "desengagement", "pioche", "principale1", "attaque", "principale2", "finale",
)  # fmt: skip
PHASES = (DESENGAGEMENT, PIOCHE, PRINCIPALE_1, ATTAQUE, PRINCIPALE_2, FINALE)  # STN-PHA-1
MAIN = (PRINCIPALE_1, PRINCIPALE_2)

OPENING_NOTES = ("loser", "chosen", "mulligans", "ready")
COMBAT_NOTES = ("attacking", "declared", "blocking", "blocked", "cancelled")
TURN_NOTES = ("arrived", "activated", "fought", "fading", *COMBAT_NOTES)

PV = {seat: f"{seat}.pv" for seat in SEATS}
HAND, DECK, PILE, HERO, VEILED, RESOURCES, FIELD, EQUIPMENT, GRAVEYARD, EXILE = (
    {seat: f"{seat}/{zone}" for seat in SEATS}
    for zone in ("hand", "deck", "resource_pile", "hero", "hidden_hero", "resources", "field", "equipment",
                 "graveyard", "exile")
)  # fmt: skip
STACK = "common/stack"
ENGAGED, DAMAGE, MARKER = "engaged", "damage", "marker"


def controller(state: State, obj: int) -> str:
    """Return who controls a card: the side it is on, but for an equipment that of its creature (STN-EQU-1)."""
    host = state.hosts.get(obj)
    path = state.where[obj]
    return state.where[host].split("/")[0] if host is not None and path in EQUIPMENT.values() else path.split("/")[0]


def on_field(state: State, obj: int) -> bool:
    """Whether an object is a creature or a token in play."""
    return state.where[obj] in FIELD.values()


def engaged(state: State, obj: int) -> bool:
    """Whether a card is engaged, and so cannot be used until it untaps (STN-DIV-3)."""
    return state.mark(obj, ENGAGED) > 0


def engage(ctx: Context, obj: int) -> None:
    """Engage a card, if it is not engaged already."""
    if not engaged(ctx.state, obj):
        ctx.emit("mark", obj, ENGAGED, 1)


def ready_resources(state: State, seat: str) -> list[int]:
    """Return the resources a seat can still engage (STN-RSS-1)."""
    marks = state.marks
    return [obj for obj in state.zones[RESOURCES[seat]] if obj not in marks or ENGAGED not in marks[obj]]


def printed_cost(state: State, card: Card) -> int:
    """Return how many resources a requisition engages, before effects (I-STN-01)."""
    cost = card.figures["cost"]
    return min(1, cost) if state.terms.options["I-STN-01"] == "one" else cost


def stat(state: State, obj: int, key: str) -> int:
    """Return a figure of a card in play, with every bonus."""
    return values.stat(state, obj, key)


def endurance(state: State, obj: int) -> int:
    """Return the endurance a creature has left."""
    return stat(state, obj, "end") - state.mark(obj, DAMAGE)


def wound(ctx: Context, obj: int, points: int) -> None:
    """Damage a creature; no event for 0 points or less."""
    if points > 0:
        ctx.emit("mark", obj, DAMAGE, points)


def hurt(ctx: Context, seat: str, points: int) -> None:
    """Damage the hero of a seat, down to 0 PV (STN-CBT-6, STN-VIC-1)."""
    loss = min(points, ctx.state.counters[PV[seat]])
    if loss > 0:
        ctx.emit("counter", PV[seat], -loss)


def worn_out(state: State) -> list[int]:
    """Return the creatures in play without endurance, by seat and place."""
    there = [obj for seat in SEATS for obj in state.zones[FIELD[seat]]]
    lowered = values.lowered(state, "end")
    if lowered is not None:  # any other undamaged creature has at least its printed endurance
        there = [
            obj for obj in there if state.mark(obj, DAMAGE) or obj in lowered or not values.printed(state, obj, "end")
        ]
    ends = values.stats(state, there, "end")
    return [obj for obj, end in zip(there, ends, strict=True) if end <= state.mark(obj, DAMAGE)]


def bury(ctx: Context, obj: int) -> None:
    """Move a card of the field to its owner's graveyard (STN-JET-1)."""
    ctx.emit("move", obj, GRAVEYARD[ctx.state.owners[obj]], -1)


def exile(ctx: Context, obj: int) -> None:
    """Remove a card from the game."""
    ctx.emit("move", obj, EXILE[ctx.state.owners[obj]], -1)


def shed(ctx: Context, obj: int) -> list[int]:
    """Detach everything from a card that left play, and return its equipment, moved as I-STN-23 says."""
    state = ctx.state
    attached = state.attached(obj)
    worn = [other for other in attached if state.where[other] in EQUIPMENT.values()]
    for other in attached:
        ctx.emit("attach", other, None)
    for other in worn:
        ctx.depend_on("I-STN-23")
        home = HAND if state.terms.options["I-STN-23"] == "hand" else GRAVEYARD
        ctx.emit("move", other, home[state.owners[other]], -1)
    return worn


def exile_tokens(ctx: Context) -> None:
    """Exile the tokens in the graveyards at the end of a turn (STN-JET-1)."""
    state = ctx.state
    for seat in SEATS:
        for obj in list(state.zones[GRAVEYARD[seat]]):
            card = state.card(obj)
            if card is not None and card.kind == JETON:
                exile(ctx, obj)


def untap(ctx: Context, seat: str) -> None:
    """Untap a seat's cards as its turn starts (STN-CRE-3, STN-RSS-1)."""
    state = ctx.state
    for path in (RESOURCES[seat], FIELD[seat], EQUIPMENT[seat]):
        for obj in state.zones[path]:
            if obj in state.marks and ENGAGED in state.marks[obj]:
                ctx.emit("mark", obj, ENGAGED, -1)


def restore(ctx: Context, seat: str) -> None:
    """Restore endurance as a turn of `seat` starts: everybody's, or only that seat's (STN-CRE-4, I-STN-02)."""
    state = ctx.state
    every = state.terms.options["I-STN-02"] == "turn"
    for side in SEATS if every else (seat,):
        for obj in state.zones[FIELD[side]]:
            damage = state.mark(obj, DAMAGE)
            if damage:
                ctx.depend_on("I-STN-02")
                ctx.emit("mark", obj, DAMAGE, -damage)
