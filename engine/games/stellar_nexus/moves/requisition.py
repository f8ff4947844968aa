"""`play`: creatures, equipment and éphémères played from hand and paid for by engaging resources (STN-DIV-3)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.cards.card import Card
from engine.core.effects import values
from engine.core.effects.hidden_cards import effect_chance
from engine.core.effects.host import Seen
from engine.core.effects.interpreter import resolve
from engine.core.table.agenda import open_window
from engine.core.table.context import Context
from engine.core.table.game import Move, Wanted
from engine.core.table.log import Entry
from engine.core.table.places import at, place, read
from engine.core.table.state import State
from engine.core.table.verbs import arguments, card_ref, in_hand, missing, not_by
from engine.core.text.errors import Malformed, Violation
from engine.core.text.interrupt import each
from engine.games.stellar_nexus.effects.host import renew
from engine.games.stellar_nexus.mat import (
    ATTAQUE,
    DESENGAGEMENT,
    FIELD,
    FINALE,
    HAND,
    MAIN,
    PIOCHE,
    RESOURCES,
    SEATS,
    STACK,
    on_field,
    printed_cost,
    ready_resources,
)
from engine.games.stellar_nexus.moves.base import Reasons, StellarVerb
from engine.games.stellar_nexus.moves.drawing import hand, in_hand_of
from engine.games.stellar_nexus.moves.pile import announce, begun, left_open, left_to_ruling
from engine.games.stellar_nexus.vocabulary import CREATURE, EPHEMERE, EQUIPEMENT

LISTED = (DESENGAGEMENT, PIOCHE, ATTAQUE, FINALE)  # the phases in whose line éphémères are named (I-STN-04)
# The kinds that can be played, each with the rule cited for its timing.
PLACED = {CREATURE: "STN-CRE-1", EQUIPEMENT: "STN-EQU-1", EPHEMERE: "STN-EPH-1"}


class Play(StellarVerb):
    """`play`: play a card from hand (STN-CRE-1, STN-EPH-1, STN-EQU-1)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """Read `args.card`, a ref, and for an equipment `args.on`, the creature it goes on (its place, or its ref).

        Raises Malformed, code `missing_key` among others, where `on` is missing or out of place.
        """
        chance = effect_chance(state, entry)
        args = arguments(entry, ("card", "on"), ("card",))
        ref = card_ref(state, args["card"], "args.card")
        if (state.terms.cards[ref].kind == EQUIPEMENT) != ("on" in args):
            raise Malformed("missing_key", "an equipment, and nothing else, goes on a creature", path="args.on")
        on = {"on": read(state, args["on"], tuple(FIELD.values()), "on")} if "on" in args else {}
        return Move(entry.by, entry.do, {"card": ref, **on}, chance)

    def check(self, state: State, move: Move) -> Reasons:
        """Check the moment, the creature of an equipment, that the card may be in hand, and the resources."""
        card = state.terms.cards[move.args["card"]]
        if move.by not in SEATS:
            return not_by(move, *SEATS)
        reasons = self.timing(state, move, card)
        if "on" in move.args:
            host = at(state, move.args["on"])
            if host is None or not on_field(state, host):
                unsaid = [fact for fact in FIELD.values() if fact in state.unknown]
                gone = [Violation("STN-EQU-1", {"card": card.ref, "on": move.args["on"][:60]}, why="gone")]
                reasons += missing("STN-EQU-1", unsaid[0]) if unsaid else gone
        reasons += forbidden(state, move.by, card)
        return reasons + in_hand_of(state, move.by, card.ref) + self.price(state, move.by, card)

    def timing(self, state: State, move: Move, card: Card) -> Reasons:
        """Return why it is not the moment for this card; a kind that is never in a hand is refused elsewhere."""
        if card.kind not in PLACED:
            return []
        if card.kind == EPHEMERE:
            reasons = self.quick(state, move, card.ref)
            if not reasons and state.terms.options["I-STN-04"] == "listed" and state.phase not in LISTED:
                reasons.append(Violation("STN-EPH-1", {"card": card.ref, "phase": state.phase}, ("I-STN-04",)))
            return reasons
        reasons = self.moment(state, move, state.seat, MAIN, PLACED[card.kind])
        # In a response window it is not a pending choice that forbids the card but its kind: only quick spells respond.
        if open_window(state):
            reasons = [reason for reason in reasons if reason.rule != "LOG-pending"]
            reasons.append(Violation("STN-PIL-1", {"card": card.ref}))
        return reasons

    def price(self, state: State, seat: str, card: Card) -> Reasons:
        """Return why the card cannot be paid for: too few ready resources (STN-DIV-3)."""
        if "cost" not in card.figures:
            return []
        due, ready = price(state, seat, card), len(ready_resources(state, seat))
        if due <= ready:
            return []
        unsaid = [fact for fact in state.unknown if fact.startswith(RESOURCES[seat])]
        if unsaid:
            return missing("STN-DIV-3", unsaid[0])
        args: dict[str, str | int] = {"card": card.ref, "cost": due, "seat": seat, "ready": ready}
        return [Violation("STN-DIV-3", args, ("I-STN-01",))]

    def run(self, ctx: Context, move: Move) -> None:
        """Identify the card if it was hidden, and put it on the pile."""
        state = ctx.state
        card = state.terms.cards[move.args["card"]]
        obj, named = in_hand(state, move.by, card.ref)
        assert obj is not None, "check lets through only cards of the hand"
        # A card returned to the hand this turn may be the one played again (I-STN-24).
        if named:
            renew(ctx, obj, unsure=hidden_copy(state, move.by, card.ref))
        else:
            ctx.emit("name", obj, card.ref)
        ctx.depend_on("I-STN-01")
        if card.kind == EPHEMERE and state.phase not in LISTED:
            ctx.depend_on("I-STN-04")
        if not card.executable:
            left_to_ruling(ctx, obj)
        stack = begun(ctx)
        effect = {"step": "requisition", "obj": obj, "by": move.by}
        if "on" in move.args:
            effect["on"] = at(state, move.args["on"])
        ctx.emit("move", obj, STACK, -1)
        announce(stack, move.by, price(state, move.by, card), effect, quick=card.kind == EPHEMERE)
        if card.executable:
            resolve(ctx, move, started=stack)
        else:
            left_open(stack, move)

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield each card that is or may be in a hand and can be played and paid for now."""
        for seat in wanted.among(self.acting(state)):
            ready = len(ready_resources(state, seat))
            main = not state.agenda and state.seat == seat and state.phase in MAIN
            quick = state.terms.options["I-STN-04"] == "any" or state.phase in LISTED
            for ref in each(hand(state, seat)):
                card = state.terms.cards[ref]
                now = quick if card.kind == EPHEMERE else main
                if not now or price(state, seat, card) > ready or forbidden(state, seat, card):
                    continue
                if card.kind == EQUIPEMENT:
                    for host in (obj for side in SEATS for obj in state.zones[FIELD[side]]):
                        yield Move(seat, "play", {"card": ref, "on": place(state, host)})
                else:
                    yield Move(seat, "play", {"card": ref})


def hidden_copy(state: State, seat: str, ref: str) -> bool:
    """Whether an unseen card of the hand may be another copy of this one."""
    hidden = any(state.refs[obj] is None for obj in state.zones[HAND[seat]])
    return hidden and (seat not in state.unseen or state.unseen[seat].get(ref, 0) > 0)


def price(state: State, seat: str, card: Card) -> int:
    """Return how many resources a card in hand engages, with the effects in force."""
    return values.price(state, printed_cost(state, card), Seen(-1, HAND[seat], card.ref))


def forbidden(state: State, seat: str, card: Card) -> Reasons:
    """Return why the text of a card in play keeps the player from playing this one."""
    if card.kind not in PLACED:
        return []
    source = values.forbidding(state, "play", Seen(-1, HAND[seat], card.ref))
    if source is None:
        return []
    return [Violation(PLACED[card.kind], {"card": card.ref, "source": source}, why="forbidden")]
