"""The mat of Star Safir as the verbs see it: places by seat and territory, costs, PI and PV, destruction."""

from __future__ import annotations

from engine.core.cards import Card
from engine.core.context import Context
from engine.core.state import State

SEATS = ("A", "B")
OTHER = {"A": "B", "B": "A"}
THREE = (1, 2, 3)  # territories, and slots of a territory (SAF-II-1)
PI_MAX = 15  # SAF-VI.4-5
PV_GOAL = 30  # SAF-I-1

PREPARATION, LANCEMENT, INVOCATION, COMBAT = "preparation", "lancement", "invocation", "combat"
STARTING, SUMMONING, ACTING = (LANCEMENT,), (INVOCATION,), (INVOCATION, COMBAT)  # the phases of verbs
EVERY = (LANCEMENT, INVOCATION, COMBAT)
TURN_NOTES = ("attacked", "arrived", "sacrificed", "moved", "dry", "transformed", "activated")
OPENING_NOTES = ("ready", "declared")

FIGHTERS = {(seat, t): tuple(f"{seat}/T{t}/fighters/{s}" for s in THREE) for seat in SEATS for t in THREE}
MAGICS = {(seat, t): tuple(f"{seat}/T{t}/magics/{s}" for s in THREE) for seat in SEATS for t in THREE}
PV = {seat: f"{seat}.pv" for seat in SEATS}
PI = {seat: f"{seat}.pi" for seat in SEATS}
PIS = tuple(PI.values())
COUNTERS = {"pi": PI, "pv": PV}


def row(card: Card, seat: str, territory: int) -> tuple[str, ...]:
    """The slots of a territory where a card of this kind goes (SAF-VI.2-1); none for a commander."""
    if card.kind == "magie":
        return MAGICS[seat, territory]
    return () if card.kind == "commandant" else FIGHTERS[seat, territory]


def cost(state: State, card: Card) -> int:
    """PI to pay for a card played from hand (I-SAF-01)."""
    if "cost" in card.figures:
        return card.figures["cost"]
    return card.figures.get("val", 0) if state.terms.options["I-SAF-01"] == "valeur" else 0


def first_turn(state: State) -> bool:
    """Whether this is the own first turn of the player in turn: turns alternate, so turns 1 and 2 of the game."""
    return state.turn <= len(SEATS)


def gain(ctx: Context, path: str, points: int) -> None:
    """Add PI up to the cap (SAF-VI.4-5) or PV; nothing for nothing."""
    if path in PIS:
        points = min(points, PI_MAX - ctx.state.counters[path])
    if points:
        ctx.emit("counter", path, points)


def vacated(ctx: Context, territory: int) -> None:
    """A sacrifice made room in a territory, which awaits a replacement (SAF-VI.2-3)."""
    ctx.emit("note", "sacrificed", territory)


def destroy(ctx: Context, obj: int) -> None:
    """A fighter or token goes to the discard of the territory it is in, its owner's (SAF-II-3, SAF-III-4)."""
    state = ctx.state
    territory = state.where[obj].split("/")[1]
    ctx.emit("move", obj, f"{state.owners[obj]}/{territory}/discard", -1)
