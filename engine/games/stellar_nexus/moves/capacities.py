"""`activate`: the active ability of a hero, a creature or an equipment, once a turn (STN-CAP)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.cards import Card
from engine.core.context import Context
from engine.core.effects import force, values
from engine.core.effects.interpreter import resolve
from engine.core.errors import Violation
from engine.core.game import Move
from engine.core.hidden import effect_chance
from engine.core.log import Entry
from engine.core.places import at, place, read
from engine.core.state import State
from engine.core.verbs import arguments, missing, not_by
from engine.games.stellar_nexus.mat import (
    EQUIPMENT,
    FIELD,
    HERO,
    RESOURCES,
    SEATS,
    controller,
    engaged,
    ready_resources,
)
from engine.games.stellar_nexus.moves.base import Reasons, StellarVerb
from engine.games.stellar_nexus.moves.pile import announce, begun
from engine.games.stellar_nexus.vocabulary import CREATURE, EQUIPEMENT, HEROS, JETON

BEARERS = (HEROS, CREATURE, JETON, EQUIPEMENT)  # STN-CAP-3


def ability_cost(card: Card) -> int:
    """How many resources the active ability of a card engages."""
    return card.figures.get("cap", 0)


class Activate(StellarVerb):
    """`activate`: an active ability, any time, paid in resources, on the pile (STN-CAP-1, STN-PIL-1)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """`args.card`: the place of the card, or its ref."""
        chance = effect_chance(state, entry)
        args = arguments(entry, ("card",), ("card",))
        zones = [zone[seat] for seat in (entry.by,) if seat in SEATS for zone in (HERO, FIELD, EQUIPMENT)]
        return Move(entry.by, entry.do, {"card": read(state, args["card"], zones, "card")}, chance)

    def check(self, state: State, move: Move) -> Reasons:
        """The moment; a card in play, one's own, with an ability not used yet; the resources."""
        if move.by not in SEATS:
            return not_by(move, *SEATS)
        pick = move.args["card"]
        obj = at(state, pick)
        card = None if obj is None else state.card(obj)
        if obj is None or card is None or not in_play(state, obj):
            rule = "STN-CAP-3" if pick.startswith(tuple(RESOURCES.values())) else "STN-CAP-2"
            ref = pick if card is None else card.ref
            return [*self.quick(state, move, ref), Violation(rule, {"card": ref[:60]})]
        reasons = self.quick(state, move, card.ref)
        if controller(state, obj) != move.by:
            reasons.append(Violation("STN-EQU-1" if card.kind == EQUIPEMENT else "STN-CAP-1", {"card": card.ref}))
        if values.forbidding(state, "activate", force.seen(state, obj)) is not None:
            reasons.append(Violation("STN-CAP-1", {"card": card.ref}))
        own = state.terms.options["I-STN-13"] == "own" and state.seat != move.by
        if own or not able(state, obj) or state.noted("activated", obj):
            reasons.append(Violation("STN-CAP-1", {"card": card.ref}, ("I-STN-13",) if able(state, obj) else ()))
        elif "memory.activated" in state.unknown:
            reasons += missing("STN-CAP-1", "memory.activated")
        return reasons + self.price(state, move.by, obj, card)

    def price(self, state: State, seat: str, obj: int, card: Card) -> Reasons:
        """Whether there are resources enough, and the card itself is not engaged (STN-DIV-3)."""
        due, ready = ability_cost(card), len(ready_resources(state, seat))
        if due <= ready and not engaged(state, obj):
            return []
        return [Violation("STN-DIV-3", {"card": card.ref, "cost": due, "seat": seat, "ready": ready})]

    def run(self, ctx: Context, move: Move) -> None:
        """Notes it, and puts the ability on the pile."""
        obj = at(ctx.state, move.args["card"])
        assert obj is not None, "check lets through only cards in play"
        card = ctx.state.card(obj)
        assert card is not None, "a card with an ability is known"
        ctx.lean("I-STN-13")
        ctx.emit("note", "activated", obj)
        stack = begun(ctx)
        effect = {"step": "ability", "obj": obj, "by": move.by, "src": list(force.source(ctx.state, obj))}
        announce(stack, move.by, ability_cost(card), effect, quick=True)
        resolve(ctx, move, started=stack)

    def candidates(self, state: State) -> Iterator[Move]:
        """Every ability that can be used and paid."""
        for seat in self.acting(state):
            if state.terms.options["I-STN-13"] == "own" and state.seat != seat:
                continue
            ready = len(ready_resources(state, seat))
            for obj in (obj for zone in (HERO, FIELD, EQUIPMENT) for side in SEATS for obj in state.zones[zone[side]]):
                card = state.card(obj)
                if card is None or controller(state, obj) != seat or engaged(state, obj):
                    continue
                if values.forbidding(state, "activate", force.seen(state, obj)) is not None:
                    continue
                if able(state, obj) and not state.noted("activated", obj) and ability_cost(card) <= ready:
                    yield Move(seat, "activate", {"card": place(state, obj)})


def in_play(state: State, obj: int) -> bool:
    """Whether a card is where abilities are used: a hero, a creature, an equipment (STN-CAP-2, STN-CAP-3)."""
    return any(state.where[obj] in zone.values() for zone in (HERO, FIELD, EQUIPMENT))


def able(state: State, obj: int) -> bool:
    """Whether a card has an ability to activate."""
    program = force.active(state, obj)
    return program is not None and "activated" in program.triggers
