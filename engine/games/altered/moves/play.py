"""`play`: a card from the hand or the Réserve, declared, paid, through Limbo (ALT-5.2.1, ALT-5.2.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.core.agenda import Frame, Stack
from engine.core.cards import Card
from engine.core.context import Context
from engine.core.effects import force, triggers, values
from engine.core.effects.host import Seen, Source
from engine.core.effects.interpreter import resolve
from engine.core.effects.language import Tree
from engine.core.errors import Malformed, Violation
from engine.core.game import Move
from engine.core.hidden import effect_chance, held, possible
from engine.core.log import Entry
from engine.core.places import at, place
from engine.core.state import State
from engine.core.verbs import arguments, card_ref, in_hand, missing
from engine.games.altered.effects.declared import declarable
from engine.games.altered.effects.host import HOST
from engine.games.altered.mat import (
    APRES_MIDI,
    DISCARD,
    EXPEDITIONS,
    FUGACE,
    HAND,
    LANDMARKS,
    LIMBO,
    MANA,
    RESERVE,
    ROW,
    SEATS,
    give,
    option,
    pay,
)
from engine.games.altered.moves.base import AlteredVerb, Reasons
from engine.games.altered.moves.turn import end_turn
from engine.games.altered.vocabulary import FUGACE as FLEETING
from engine.games.altered.vocabulary import PERMANENT, PERSONNAGE, PLAYED, SORT


class Play(AlteredVerb):
    """`play`: in one's own turn, one card, which ends it (ALT-1.3.2.d)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """`args.card`: a ref, from the hand, or a place of the Réserve; `args.expedition` of a character.

        The chance is what it sets going at once; choices are `answer` entries.
        """
        chance = effect_chance(state, entry)
        args = arguments(entry, ("card", "expedition"), ("card",))
        card, name = args["card"], args.get("expedition")
        if not (isinstance(card, str) and card.startswith("/".join((entry.by, "reserve")) + "/")):
            card_ref(state, card, "args.card")
        if "expedition" in args and name not in EXPEDITIONS:
            known = ", ".join(EXPEDITIONS)
            raise Malformed("bad_value", f"expedition is one of: {known}", path="args.expedition")
        return Move(entry.by, entry.do, {"card": card, **({"expedition": name} if name else {})}, chance)

    def check(self, state: State, move: Move) -> Reasons:
        """One's own turn; the card there; its expedition; its price; targets to choose."""
        pick = str(move.args["card"])[:60]
        reasons = self.turn(state, move, APRES_MIDI, "ALT-5.1.1.b", card=pick)
        if move.by not in SEATS:
            return reasons
        card, path = found(state, move)
        if card is None:
            unsaid = RESERVE[move.by] in state.unknown
            return reasons + (
                missing("ALT-5.1.1.b", RESERVE[move.by])
                if unsaid
                else [Violation("LOG-hand", {"card": pick, "seat": move.by})]
            )
        if path == HAND[move.by]:
            reasons += held(state, move.by, card.ref)
        if card.kind not in PLAYED:
            return [*reasons, Violation("ALT-5.1.1.b", {"card": card.ref, "seat": move.by})]
        if (card.kind == PERSONNAGE) != ("expedition" in move.args):
            reasons.append(Violation("ALT-5.2.1.a", {"card": card.ref}))
        if values.forbidding(state, "play", Seen(-1, path, card.ref)) is not None:
            reasons.append(Violation("ALT-5.1.1.b", {"card": card.ref, "seat": move.by}))
        return reasons + self.price(state, move.by, card, path) + self.aimed(state, move.by, card)

    def price(self, state: State, seat: str, card: Card, path: str) -> Reasons:
        """Whether there are orbs enough (ALT-1.2.5.c)."""
        due, orbs = price(state, card, path), len(state.zones[MANA[seat]])
        if due <= orbs:
            return []
        if MANA[seat] in state.unknown:
            return missing("ALT-1.2.5.c", MANA[seat])
        return [Violation("ALT-1.2.5.c", {"card": card.ref, "cost": due, "seat": seat, "ready": orbs})]

    def aimed(self, state: State, seat: str, card: Card) -> Reasons:
        """Whether every target of a spell can be chosen (ALT-5.2.3.b)."""
        if card.kind != SORT or can_aim(state, seat, card):
            return []
        rule = "ALT-5.2.3.c" if any("modes" in ability for ability in effects(card)) else "ALT-5.2.3.b"
        return [Violation(rule, {"card": card.ref, "pick": "-"}, ("I-ALT-18",))]

    def run(self, ctx: Context, move: Move) -> None:
        """Names the card if it was hidden, then its declaration begins."""
        state = ctx.state
        card, path = found(state, move)
        assert card is not None, "check lets through only cards that are there"
        obj = at(state, move.args["card"]) if path == RESERVE[move.by] else named(ctx, move.by, card.ref)
        assert obj is not None, "check lets through only cards that are there"
        if not card.executable:
            ctx.doubt(card.ref)
        stack = Stack(ctx)
        end_turn(stack)
        cast: dict[str, Any] = {"step": "cast", "obj": obj, "by": move.by, "cost": price(state, card, path)}
        if "expedition" in move.args:
            cast["expedition"] = move.args["expedition"]
        if card.kind == SORT:
            stack.push({"step": "spent", "obj": obj})
            self.declare(stack, card, Source(obj, move.by, 0, 0, LIMBO), cast)
        else:
            stack.push(cast)
        resolve(ctx, move, started=stack)

    def declare(self, stack: Stack, card: Card, giver: Source, cast: Frame) -> None:
        """A spell: what is chosen first, then the price, then each of its lines."""
        lines = effects(card)
        chosen = next((line for line in lines if "targets" in line or "modes" in line), None)
        rest = [operation for line in lines if line is not chosen for operation in line["do"]]
        if chosen is None:
            if rest:
                stack.push(triggers.doing(giver, rest))
            stack.push(cast)
            return
        stack.push({
            "step": "declare", "ability": chosen, "src": list(giver), "chosen": 0, "base": 0, "then": cast,
            **({"rest": rest} if rest else {}),
        })  # fmt: skip

    def candidates(self, state: State) -> Iterator[Move]:
        """Every card that is or may be in hand, or in the Réserve, that can be paid and aimed."""
        seat = state.seat
        if state.phase != APRES_MIDI or state.agenda or state.result is not None or seat is None:
            return
        orbs = len(state.zones[MANA[seat]])
        offered = [(ref, state.terms.cards[ref], HAND[seat]) for ref in possible(state, seat)]
        for obj in state.zones[RESERVE[seat]]:
            card = state.card(obj)
            if card is not None:
                offered.append((place(state, obj), card, RESERVE[seat]))
        for pick, card, path in offered:
            if card.kind not in PLAYED or price(state, card, path) > orbs:
                continue
            if values.forbidding(state, "play", Seen(-1, path, card.ref)) is not None:
                continue
            if card.kind == PERSONNAGE:
                yield from (Move(seat, "play", {"card": pick, "expedition": name}) for name in EXPEDITIONS)
            elif card.kind == PERMANENT or can_aim(state, seat, card):
                yield Move(seat, "play", {"card": pick})


def found(state: State, move: Move) -> tuple[Card | None, str]:
    """The card a move names, and the zone it is played from."""
    pick = move.args["card"]
    if pick in state.terms.cards:
        return state.terms.cards[pick], HAND[move.by]
    obj = at(state, pick)
    return (None if obj is None else state.card(obj)), RESERVE[move.by]


def named(ctx: Context, seat: str, ref: str) -> int | None:
    """A card of the hand, named if it was hidden."""
    obj, known = in_hand(ctx.state, seat, ref)
    if obj is not None and not known:
        ctx.emit("name", obj, ref)
    return obj


def price(state: State, card: Card, path: str) -> int:
    """What a card costs from where it is, with what is in force."""
    base = card.figures.get("reserve" if path in RESERVE.values() else "main", 0)
    return values.price(state, base, Seen(-1, path, card.ref))


def effects(card: Card) -> list[Tree]:
    """The lines of a spell, if the engine executes them all."""
    program = card.program
    return list(program.triggers.get("played", ())) if program is not None and program.sound else []


def can_aim(state: State, seat: str, card: Card) -> bool:
    """Whether a spell can be declared."""
    giver = Source(-1, seat, 0, 0, LIMBO)
    return card.kind != SORT or all(declarable(state, giver, line) for line in effects(card))


def _cast(stack: Stack, frame: Frame) -> None:
    """The price is paid at once, and the card goes to Limbo, Fleeting if it comes from the Réserve."""
    ctx, state, obj, by = stack.ctx, stack.ctx.state, int(frame["obj"]), str(frame["by"])
    card, origin = state.card(obj), state.where[obj]
    assert card is not None, "a card is named as it is played"
    pay(ctx, by, int(frame["cost"]))
    ctx.emit("move", obj, LIMBO, -1)
    stored = origin in RESERVE.values()
    if (stored and card.kind != PERMANENT) or any(word["kw"] == FLEETING for word in card.keywords):
        give(ctx, obj, FUGACE)
    if card.kind == SORT:
        return
    if card.kind == PERMANENT and stored and option(ctx, "I-ALT-11") == "fleeting":
        give(ctx, obj, FUGACE)
    ctx.emit("move", obj, ROW[by, frame["expedition"]] if card.kind == PERSONNAGE else LANDMARKS[by], -1)
    force.enter(ctx, obj)
    there = force.seen(state, obj)
    words = ("entered", "played", "played_reserve" if stored else "played_hand")
    triggers.after(stack, *((word, there) for word in words))


def _spent(stack: Stack, frame: Frame) -> None:
    """A resolved spell goes to the Réserve, a Fleeting one to the discard (ALT-5.2.3.j)."""
    ctx, state, obj = stack.ctx, stack.ctx.state, int(frame["obj"])
    stack.push({"step": "undeclare"})
    if state.where[obj] == LIMBO:
        owner = state.owners[obj]
        fleeting = state.mark(obj, FUGACE)
        ctx.emit("move", obj, (DISCARD if fleeting else RESERVE)[owner], -1)
        force.leave(stack, obj)


FRAMES: Mapping[str, Mapping[str, str]] = {
    "cast": {"obj": "object", "by": "seat", "cost": "number", "expedition": "text?"},
    "spent": {"obj": "object"},
}
HOST.steps.update({"cast": _cast, "spent": _spent})
