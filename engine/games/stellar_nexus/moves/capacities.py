"""`activate`: the active ability of a hero, a creature or an equipment, once a turn (STN-CAP)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.cards.card import Card
from engine.core.effects import force, values
from engine.core.effects.hidden_cards import effect_chance
from engine.core.effects.interpreter import resolve
from engine.core.table.context import Context
from engine.core.table.game import Move, Wanted
from engine.core.table.log import Entry
from engine.core.table.places import at, place, read
from engine.core.table.state import State
from engine.core.table.verbs import arguments, missing, not_by
from engine.core.text.errors import Violation
from engine.core.text.interrupt import each
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
from engine.games.stellar_nexus.moves.pile import announce, begun, left_open, left_to_ruling, respond
from engine.games.stellar_nexus.vocabulary import EQUIPEMENT


def ability_cost(card: Card) -> int:
    """Return how many resources the active ability of a card engages."""
    return card.figures.get("cap", 0)


class Activate(StellarVerb):
    """`activate`: pay resources to put an active ability on the pile, at any time (STN-CAP-1, STN-PIL-1)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """Read `args.card`: the place of the card, or its ref."""
        chance = effect_chance(state, entry)
        args = arguments(entry, ("card",), ("card",))
        zones = [zone[seat] for seat in (entry.by,) if seat in SEATS for zone in (HERO, FIELD, EQUIPMENT)]
        return Move(entry.by, entry.do, {"card": read(state, args["card"], zones, "card")}, chance)

    def check(self, state: State, move: Move) -> Reasons:
        """Check the moment, that the player's card in play has an ability not used yet, and the resources."""
        if move.by not in SEATS:
            return not_by(move, *SEATS)
        pick = move.args["card"]
        obj = at(state, pick)
        if obj is None or not in_play(state, obj):
            return [*self.quick(state, move, pick[:60]), elsewhere(state, pick)]
        card = state.card(obj)
        if card is None:
            return [*self.quick(state, move, pick), *missing("STN-CAP-1", pick)]
        reasons = self.quick(state, move, card.ref) + self.barred(state, move.by, obj, card)
        # Only its text, which the engine does not know, says whether it has an ability and what that costs.
        if not card.executable:
            return reasons
        return reasons + self.used(state, move.by, obj, card) + self.price(state, move.by, card)

    def barred(self, state: State, seat: str, obj: int, card: Card) -> Reasons:
        """Return why no ability of the card can be used: another's card, a forbidding card, engaged (STN-DIV-3)."""
        reasons: Reasons = []
        served = controller(state, obj)
        if served != seat:
            rule, why = ("STN-EQU-1", "served") if card.kind == EQUIPEMENT else ("STN-CAP-1", "side")
            reasons.append(Violation(rule, {"card": card.ref, "seat": served}, why=why))
        source = values.forbidding(state, "activate", force.seen(state, obj))
        if source is not None:
            reasons.append(Violation("STN-CAP-1", {"card": card.ref, "source": source}, why="forbidden"))
        if engaged(state, obj):
            reasons.append(Violation("STN-DIV-3", {"card": card.ref}, why="engaged"))
        return reasons

    def used(self, state: State, seat: str, obj: int, card: Card) -> Reasons:
        """Return why no ability is left to use this turn: none, or used already (STN-CAP-1, I-STN-13, I-STN-24)."""
        args = {"card": card.ref, "seat": seat}
        if not able(state, obj):
            return [Violation("STN-CAP-1", args, why="silenced" if force.silenced(state, obj) else "")]
        if self.late_turn(state, seat):
            return [Violation("STN-CAP-1", args, ("I-STN-13",), why="turn")]
        if state.noted("activated", obj):
            return [Violation("STN-CAP-1", args, ("I-STN-13",), why="used")]
        return missing("STN-CAP-1", "memory.activated") if "memory.activated" in state.unknown else []

    def late_turn(self, state: State, seat: str) -> bool:
        """Whether abilities are useless to `seat` in the opponent's turn (I-STN-13)."""
        return state.terms.options["I-STN-13"] == "own" and state.seat != seat

    def price(self, state: State, seat: str, card: Card) -> Reasons:
        """Return why the ability cannot be paid for: too few ready resources (STN-DIV-3)."""
        due, ready = ability_cost(card), len(ready_resources(state, seat))
        if due <= ready:
            return []
        return [Violation("STN-DIV-3", {"card": card.ref, "cost": due, "seat": seat, "ready": ready})]

    def run(self, ctx: Context, move: Move) -> None:
        """Note the use, and put the ability on the pile.

        The ability of a card the engine cannot execute is left to a ruling.
        """
        obj = at(ctx.state, move.args["card"])
        assert obj is not None, "check lets through only cards in play"
        card = ctx.state.card(obj)
        assert card is not None, "a card with an ability is known"
        if not card.executable:
            self.unread(ctx, move, obj)
            return
        ctx.depend_on("I-STN-13")
        ctx.emit("note", "activated", obj)
        stack = begun(ctx)
        effect = {"step": "ability", "obj": obj, "by": move.by, "src": list(force.source(ctx.state, obj))}
        announce(stack, move.by, ability_cost(card), effect, quick=True)
        resolve(ctx, move, started=stack)

    def unread(self, ctx: Context, move: Move, obj: int) -> None:
        """Leave cost and effect to a ruling; the ability may still be responded to."""
        left_to_ruling(ctx, obj)
        stack = begun(ctx)
        respond(stack, move.by)
        left_open(stack, move)

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield every ability that can be used and paid for now."""
        for seat in wanted.among(self.acting(state)):
            ready = len(ready_resources(state, seat))
            there = [obj for zone in (HERO, FIELD, EQUIPMENT) for side in SEATS for obj in state.zones[zone[side]]]
            for obj in each(there):
                card = state.card(obj)
                if card is None or controller(state, obj) != seat or engaged(state, obj):
                    continue
                if values.forbidding(state, "activate", force.seen(state, obj)) is not None:
                    continue
                free = able(state, obj) and not state.noted("activated", obj) and not self.late_turn(state, seat)
                # Whether a card that the engine cannot read has an ability is for a ruling, so it is always offered.
                if not card.executable or (free and ability_cost(card) <= ready):
                    yield Move(seat, "activate", {"card": place(state, obj)})


def elsewhere(state: State, pick: str) -> Violation:
    """Return the violation of a card that is not where abilities are used, or of an empty place."""
    obj = at(state, pick)
    if pick.startswith(tuple(RESOURCES.values())):
        return Violation("STN-CAP-3", {"card": pick[:60] if obj is None else state.refs[obj] or "?"})
    if obj is None and "/" in pick:
        return Violation("STN-CAP-2", {"pick": pick[:60]}, why="nothing")
    return Violation("STN-CAP-2", {"card": pick[:60] if obj is None else state.refs[obj] or "?"})


def in_play(state: State, obj: int) -> bool:
    """Whether a card is where abilities are used: as a hero, a creature or an equipment (STN-CAP-2, STN-CAP-3)."""
    return any(state.where[obj] in zone.values() for zone in (HERO, FIELD, EQUIPMENT))


def able(state: State, obj: int) -> bool:
    """Whether a card has an ability to activate."""
    program = force.active(state, obj)
    return program is not None and "activated" in program.triggers
