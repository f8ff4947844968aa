"""The mat of Star Safir as the verbs see it: paths, costs, PI and PV, destruction.

A slot is a path "A/T1/fighters/2" (seat, territory, row, slot), a counter is "A.pi" or "A.pv". Territories and slots
are numbered from 1.
"""

from __future__ import annotations

from engine.core.cards.card import Card
from engine.core.table.context import Context
from engine.core.table.state import State

SEATS = ("A", "B")
OTHER = {"A": "B", "B": "A"}
THREE = (1, 2, 3)  # territories, and slots of a territory (SAF-II-1)
PI_MAX = 15  # SAF-VI.4-5
PV_GOAL = 30  # SAF-I-1

PREPARATION, LANCEMENT, INVOCATION, COMBAT = "preparation", "lancement", "invocation", "combat"
STARTING, SUMMONING, ACTING = (LANCEMENT,), (INVOCATION,), (INVOCATION, COMBAT)  # when verbs may be used
EVERY = (LANCEMENT, INVOCATION, COMBAT)
# Notes about the current turn, all cleared when it ends.
TURN_NOTES = ("attacked", "arrived", "sacrificed", "moved", "dry", "transformed", "activated")
# Notes of the set-up: seats that took their hand, seats that declared their commander.
OPENING_NOTES = ("ready", "declared")

FIGHTERS = {(seat, t): tuple(f"{seat}/T{t}/fighters/{s}" for s in THREE) for seat in SEATS for t in THREE}
MAGICS = {(seat, t): tuple(f"{seat}/T{t}/magics/{s}" for s in THREE) for seat in SEATS for t in THREE}
PV = {seat: f"{seat}.pv" for seat in SEATS}
PI = {seat: f"{seat}.pi" for seat in SEATS}
PIS = tuple(PI.values())
COUNTERS = {"pi": PI, "pv": PV}


def row(card: Card, seat: str, territory: int) -> tuple[str, ...]:
    """Return the slots of a territory for a card of this kind (SAF-VI.2-1); none for a commander."""
    if card.kind == "magie":
        return MAGICS[seat, territory]
    return () if card.kind == "commandant" else FIGHTERS[seat, territory]


def cost(state: State, card: Card) -> int:
    """Return the PI to pay for a card played from hand (I-SAF-01)."""
    if "cost" in card.figures:
        return card.figures["cost"]
    return card.figures.get("val", 0) if state.terms.options["I-SAF-01"] == "valeur" else 0


def first_turn(state: State) -> bool:
    """Whether the player in turn is in their own first turn."""
    # Turns alternate, so these are the first two turns of the game.
    return state.turn <= len(SEATS)


def gain(ctx: Context, path: str, points: int) -> None:
    """Add PI up to the cap (SAF-VI.4-5), or PV; emit no event if nothing is added."""
    if path in PIS:
        points = min(points, PI_MAX - ctx.state.counters[path])
    if points:
        ctx.emit("counter", path, points)


def vacated(ctx: Context, territory: int) -> None:
    """Note that a sacrifice left room for a replacement in a territory (SAF-VI.2-3)."""
    ctx.emit("note", "sacrificed", territory)


def destroy(ctx: Context, obj: int) -> None:
    """Move a card to its owner's discard, in the territory where it is (SAF-II-3, SAF-III-4)."""
    state = ctx.state
    territory = state.where[obj].split("/")[1]
    ctx.emit("move", obj, f"{state.owners[obj]}/{territory}/discard", -1)
