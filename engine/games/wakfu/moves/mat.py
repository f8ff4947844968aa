"""The mat of Wakfu: zones and marks, figures of cards in play, mana, and the totals of a combat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.core.cards.card import Card
from engine.core.effects import values
from engine.core.table.context import Context
from engine.core.table.places import place
from engine.core.table.state import State
from engine.games.wakfu.vocabulary import EFFECT, EQUIPMENT, FIGHTING

SEATS = ("A", "B")
OTHER = {"A": "B", "B": "A"}

PREPARATION, DEGAGEMENT, INVOCATION = "preparation", "degagement", "invocation"
MOUVEMENT, CONTRE = "mouvement", "contre"  # phase 3: the active player's part, then the opponent's
ATTAQUE, BLOCAGE, COMBAT, DROP = "attaque", "blocage", "combat", "drop"
INVOCATION2, FIN = "invocation2", "fin"
PHASES = (
    PREPARATION, DEGAGEMENT, INVOCATION, MOUVEMENT, CONTRE, ATTAQUE, BLOCAGE, COMBAT, DROP, INVOCATION2, FIN,
)  # fmt: skip
BEFORE_ATTACK = (INVOCATION, MOUVEMENT, CONTRE, ATTAQUE)  # phases in which an attack can still be declared
CALM = (*BEFORE_ATTACK, INVOCATION2, FIN)  # phases from which the turn may end: no combat is under way

ENGAGED, SICK, ATTACKS, BLOCKS, POINTS = "engaged", "sick", "attacks", "blocks", "points"
MARKS = (ENGAGED, SICK, ATTACKS, BLOCKS, POINTS)  # points: what the opponent has put on the card in this combat
# shared: seats done sharing out points; won: the winner of a combat, once for each card of its Drop.
TURN_NOTES = ("shared", "won")
NOTES = (*TURN_NOTES, "ready")

PV = {seat: f"{seat}.pv" for seat in SEATS}
LEADER = {seat: f"{seat}/leader" for seat in SEATS}
REST = {seat: f"{seat}/rest" for seat in SEATS}
FIGHT = {seat: f"{seat}/combat" for seat in SEATS}
GEAR = {seat: f"{seat}/equipment" for seat in SEATS}
DECK = {seat: f"{seat}/deck" for seat in SEATS}
HAND = {seat: f"{seat}/hand" for seat in SEATS}
DISCARD = {seat: f"{seat}/discard" for seat in SEATS}


def leader(state: State, seat: str) -> int | None:
    """Return the leader of a seat, None without one."""
    there = state.zones[LEADER[seat]]
    return there[0] if there else None


def side(state: State, obj: int) -> str:
    """Return the seat on whose side of the mat a card is."""
    return state.where[obj].partition("/")[0]


def fights(state: State, obj: int) -> bool:
    """Whether a card is a creature or an ally."""
    card = state.card(obj)
    return card is not None and card.kind in FIGHTING


def figure(state: State, obj: int, name: str) -> int:
    """Return a figure of a card in play, with effects and, for a leader, its equipment (WAK-EQU-1)."""
    card = state.card(obj)
    if card is None:
        return 0
    value = values.stat(state, obj, name)
    if card.kind == "leader":
        for worn in equipment(state, side(state, obj)):
            value += worn.amounts.get("bonus", {}).get(name, 0)
    return value


def equipment(state: State, seat: str) -> Iterator[Card]:
    """Yield the equipment of a seat's leader, wherever I-WAK-22 puts it."""
    for path in (GEAR[seat], REST[seat]):
        for obj in state.zones[path]:
            card = state.card(obj)
            if card is not None and card.kind == EQUIPMENT:
                yield card


def leads(state: State, seat: str, name: str) -> int:
    """Return a figure of a seat's leader, 0 without one."""
    obj = leader(state, seat)
    return 0 if obj is None else figure(state, obj, name)


def limit(state: State, seat: str) -> int:
    """Return how many creatures and allies a seat's combat zone may hold (WAK-CAR-PM, I-WAK-12)."""
    # If the leader counts for the PM, one place fewer is left.
    return max(0, leads(state, seat, "pm") - (state.terms.options["I-WAK-12"] == "yes"))


def roomy(state: State, seat: str) -> bool:
    """Whether a seat's combat zone has room for one more creature or ally."""
    return sum(fights(state, obj) for obj in state.zones[FIGHT[seat]]) < limit(state, seat)


def surplus(state: State, seat: str) -> int:
    """Return by how many cards a hand exceeds its leader's PA (WAK-CAR-PA)."""
    return max(0, len(state.zones[HAND[seat]]) - leads(state, seat, "pa"))


def cost(card: Card) -> Mapping[str, int]:
    """Return the mana a card costs, by element; empty for a free card (WAK-CHA-1)."""
    return {element: count for element, count in card.amounts.get("cost", {}).items() if count}


def elements(state: State, obj: int) -> tuple[str, ...]:
    """Return the elements that a card of the rest zone can give, one mana of one of them (WAK-2-3, I-WAK-18)."""
    card = state.card(obj)
    if card is None:
        return ()
    printed = state.terms.options["I-WAK-18"] == "printed"
    found = card.amounts.get("mana", {} if printed else card.amounts.get("cost", {}))
    return tuple(element for element, count in found.items() if count)


def leader_mana(state: State, seat: str) -> Mapping[str, int]:
    """Return the mana a leader gives, by element, all at once (WAK-2-2)."""
    obj = leader(state, seat)
    card = None if obj is None else state.card(obj)
    return {} if card is None else {element: count for element, count in card.amounts.get("mana", {}).items() if count}


def written(mana: Mapping[str, int]) -> str:
    """Format mana for a message, as "Eau 1, Terre 2"."""
    return ", ".join(f"{element} {mana[element]}" for element in sorted(mana) if mana[element]) or "0"


def declared(state: State, seat: str) -> list[int]:
    """Return a seat's cards in this turn's combat: attackers of the active player, blockers of the other."""
    mark = ATTACKS if seat == state.seat else BLOCKS
    return [obj for path in (FIGHT[seat], LEADER[seat]) for obj in state.zones[path] if state.mark(obj, mark)]


def counted(state: State, seat: str, *, other: bool = False) -> list[int]:
    """Return the cards whose PAtt makes up a seat's total (I-WAK-03); `other`: by the option not in force."""
    found = declared(state, seat)
    if (state.terms.options["I-WAK-03"] == "all") == other:
        return found
    rest = [obj for path in (FIGHT[seat], REST[seat]) for obj in state.zones[path] if fights(state, obj)]
    return [*(obj for obj in found if state.where[obj] == LEADER[seat]), *rest]


def strength(state: State, objs: Sequence[int]) -> int:
    """Return the PAtt of several cards added up (WAK-CAR-PATT)."""
    return sum([figure(state, obj, "patt") for obj in objs])


class Totals:
    """The points each seat has to share out in a combat (WAK-6-1), by seat.

    Each total is computed once, on first use. Use an instance only while no card comes, goes or changes; sharing out
    points changes none.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self._found: dict[str, int] = {}

    def __getitem__(self, seat: str) -> int:
        found = self._found.get(seat)
        if found is None:
            found = self._found[seat] = strength(self.state, counted(self.state, seat))
        return found


def engage(ctx: Context, obj: int) -> None:
    """Engage a card, if it is not engaged already."""
    if not ctx.state.mark(obj, ENGAGED):
        ctx.emit("mark", obj, ENGAGED, 1)


def unmark(ctx: Context, obj: int, *keys: str) -> None:
    """Remove all marks of these names from a card."""
    for key in keys:
        count = ctx.state.mark(obj, key)
        if count:
            ctx.emit("mark", obj, key, -count)


def unmark_all(ctx: Context, *keys: str) -> None:
    """Remove all marks of these names from every card."""
    for obj in list(ctx.state.marks):
        unmark(ctx, obj, *keys)


def destroy(ctx: Context, obj: int) -> None:
    """Move a card to its owner's discard, without its marks (WAK-6-4)."""
    unmark(ctx, obj, *MARKS)
    ctx.emit("move", obj, DISCARD[ctx.state.owners[obj]], -1)


def arrival(card: Card, seat: str, option: str) -> str:
    """Return where a played card goes (WAK-2-1, I-WAK-22); an effect goes straight to the discard."""
    if card.kind == EFFECT:
        return DISCARD[seat]
    return GEAR[seat] if card.kind == EQUIPMENT and option == "leader" else REST[seat]


def named(state: State, objects: Sequence[int]) -> list[str]:
    """Return the places of cards, in the order of the mat."""
    return sorted((place(state, obj) for obj in objects), key=rank)


def rank(name: str) -> tuple[str, int]:
    """Sort key of places in the order of the mat: by zone, then by number."""
    zone, _, index = name.rpartition("/")
    return (zone, int(index)) if index.isdecimal() else (name, 0)
