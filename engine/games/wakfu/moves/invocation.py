"""Phases 2 and 7: cards played from the hand and paid for with mana; instants at any time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.core import places
from engine.core.agenda import Stack, open_window, window
from engine.core.cards import Card
from engine.core.context import Context
from engine.core.effects import force, triggers, values
from engine.core.effects.host import Seen, Source
from engine.core.errors import Violation
from engine.core.game import Move
from engine.core.hidden import effect_chance, held, possible
from engine.core.log import Entry
from engine.core.state import State
from engine.core.verbs import arguments, card_ref, in_hand, not_by, over
from engine.games.wakfu.moves.base import Acting, Reasons, nothing_there, unknown
from engine.games.wakfu.moves.combat import settle
from engine.games.wakfu.moves.mat import (
    ATTAQUE,
    BLOCAGE,
    COMBAT,
    CONTRE,
    DROP,
    HAND,
    INVOCATION,
    INVOCATION2,
    LEADER,
    MOUVEMENT,
    OTHER,
    POINTS,
    PREPARATION,
    PV,
    SEATS,
    SICK,
    arrival,
    cost,
    engage,
    fights,
)
from engine.games.wakfu.moves.payment import burnt, check_payment, payments, read_payment
from engine.games.wakfu.vocabulary import EFFECT, EQUIPMENT, INSTANT, KINDS_2008, QUEST
from engine.games.wakfu.vocabulary import LEADER as LEADER_KIND

SECOND = (MOUVEMENT, CONTRE, ATTAQUE, INVOCATION2)  # playing a card here is phase 7, or begins it
PRINTED = {"mouvement": (MOUVEMENT, CONTRE), "attaque": (ATTAQUE,), "blocage": (BLOCAGE,), "combat": (COMBAT,)}


class Play(Acting):
    """`play`: a card from hand, paid for by engaging cards (WAK-2-1)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """`args.card`; `args.pay` unless there is one way to pay; `args.on`, a leader, of an equipment (its own)."""
        chance = effect_chance(state, entry)
        args = arguments(entry, ("card", "pay", "on"), ("card",))
        card = state.terms.cards[card_ref(state, args["card"], "args.card")]
        found = {"card": card.ref, "pay": read_payment(state, entry, card)}
        if card.kind == EQUIPMENT and entry.by in SEATS:
            found["on"] = places.read(state, args.get("on", LEADER[entry.by]), (), "on")
        elif "on" in args:
            found["on"] = places.read(state, args["on"], (), "on")
        return Move(entry.by, entry.do, found, chance)

    def check(self, state: State, move: Move) -> Reasons:
        """The moment, the type, the leader an equipment aims at, the card in hand, the payment."""
        reasons = over(self.game, state) + not_by(move, *SEATS)
        if move.by not in SEATS:
            return reasons
        card = state.terms.cards[move.args["card"]]
        if card.kind not in KINDS_2008:
            return [*reasons, Violation("WAK-TYP-1", {"card": card.ref})]
        if card.kind == LEADER_KIND:
            return [*reasons, Violation("WAK-LEA-1", {"card": card.ref})]
        if state.agenda and not (open_window(state) and card.words.get("timing") == INSTANT):
            reasons.append(Violation("LOG-pending", {"seat": state.agenda[-1]["ask"]["by"]}))
        reasons += self.timely(state, move, card) + self.kept_hand(state) + self.aimed(state, move, card)
        reasons += self.told(state, move.by, card)
        return reasons + held(state, move.by, card.ref) + check_payment(state, move.by, card, move.args["pay"])

    def told(self, state: State, seat: str, card: Card) -> Reasons:
        """Why the text of a card forbids this card to be played (WAK-OR-1)."""
        ref = values.forbidding(state, "play", Seen(-1, HAND[seat], card.ref))
        return [] if ref is None else [Violation("WAK-OR-1", {"card": ref})]

    def timely(self, state: State, move: Move, card: Card) -> Reasons:
        """Why a card may not be played now (WAK-EFF-1, WAK-PHA-1, WAK-7-1)."""
        timing = card.words.get("timing", "") if card.kind == EFFECT else ""
        if timing == INSTANT:
            unsaid = unknown(state, "WAK-EFF-1", "turn.phase")
            if unsaid or instant_time(state):
                return unsaid
            return [Violation("WAK-PHA-1", {"seat": state.seat or "-", "phase": state.phase})]
        unsaid = unknown(state, "WAK-EFF-1" if card.kind == EFFECT else "WAK-PHA-1", "turn.seat", "turn.phase")
        if unsaid:
            return unsaid
        if state.seat == move.by and state.phase in PRINTED.get(timing, (INVOCATION,)) and not shared(state):
            return []
        if state.seat == move.by and state.phase in SECOND and not timing:
            if state.terms.options["I-WAK-01"] == "yes":
                return []
            return [Violation("WAK-7-1", {"card": card.ref}, ("I-WAK-01",))]
        if card.kind == EFFECT:
            return [Violation("WAK-EFF-1", {"card": card.ref})]
        return [Violation("WAK-PHA-1", {"seat": state.seat or "-", "phase": state.phase})]

    def aimed(self, state: State, move: Move, card: Card) -> Reasons:
        """Why an equipment does not go there (WAK-EQU-1), or why this card goes nowhere of that kind."""
        on = move.args.get("on")
        if on is None:
            return []
        if card.kind != EQUIPMENT or on not in LEADER.values():
            return [Violation("WAK-EQU-1", {"card": card.ref, "place": on[:40]})]
        return [] if state.zones[on] else nothing_there(state, on)

    def run(self, ctx: Context, move: Move) -> None:
        """Engages what pays, puts the card where it goes."""
        state, seat, args = ctx.state, move.by, move.args
        card = state.terms.cards[args["card"]]
        self.pay(ctx, move, card)
        obj, named = in_hand(state, seat, card.ref)
        assert obj is not None, "checked"
        if not named:
            ctx.emit("name", obj, card.ref)
        if state.phase in SECOND and not card.words.get("timing"):
            ctx.lean("I-WAK-01")
            if state.phase != INVOCATION2:
                ctx.emit("turn", state.turn, seat, INVOCATION2)
        path = arrival(card, args.get("on", seat)[0], state.terms.options["I-WAK-22"])
        if card.kind == EQUIPMENT:
            ctx.lean("I-WAK-22")
        ctx.emit("move", obj, path, -1)
        if fights(state, obj):
            ctx.emit("mark", obj, SICK, 1)
        if card.kind == QUEST:
            ctx.lean("I-WAK-17")
            if state.terms.options["I-WAK-17"] == "manual":
                ctx.doubt(card.ref)
        elif not card.executable:
            ctx.doubt(card.ref)
        self.set_going(ctx, move, obj, card)

    def set_going(self, ctx: Context, move: Move, obj: int, card: Card) -> None:
        """What playing the card does: an effect does it by itself, from the discard; others are in force first."""
        state, stack = ctx.state, Stack(ctx)
        if card.kind != EFFECT:
            force.enter(ctx, obj)
            seen = force.seen(state, obj)
            triggers.after(stack, ("played", seen), ("entered", seen))
        elif card.program is not None and card.program.sound:
            giver = Source(obj, move.by, 0, 0, state.where[obj])
            abilities = card.program.triggers.get("played", ())
            triggers.push(stack, [triggers.doing(giver, ability["do"]) for ability in abilities])
        if ctx.window:
            stack.push(window(OTHER[move.by]))
        settle(ctx, move, stack)

    def pay(self, ctx: Context, move: Move, card: Card) -> None:
        """Engage the cards that pay; what I-WAK-02 burns costs PV."""
        state, pay = ctx.state, move.args["pay"]
        over_paid = burnt(state, move.by, card, pay)
        for item in pay:
            obj = places.at(state, item["card"])
            assert obj is not None, "checked"
            if "mana" in item and not state.terms.cards[state.refs[obj] or ""].amounts.get("mana"):
                ctx.lean("I-WAK-18")
            engage(ctx, obj)
        if over_paid:
            ctx.lean("I-WAK-02")
            ctx.emit("counter", PV[move.by], -min(over_paid, state.counters[PV[move.by]]))

    def playable(self, state: State, move: Move, card: Card) -> bool:
        """Whether a card of a hand may be played now, but for its price."""
        if card.kind not in KINDS_2008 or card.kind == LEADER_KIND:
            return False
        answers = not state.agenda or card.words.get("timing") == INSTANT
        return answers and not self.timely(state, move, card) and not self.told(state, move.by, card)

    def candidates(self, state: State) -> Iterator[Move]:
        """Every card that is or may be in a hand and is timely, in every way to pay for it."""
        for seat in SEATS:
            for ref in possible(state, seat):
                card = state.terms.cards[ref]
                move = Move(seat, "play", {"card": ref, "pay": []})
                if not self.playable(state, move, card):
                    continue
                targets = [LEADER[owner] for owner in SEATS if state.zones[LEADER[owner]]]
                for pay in payments(state, seat, cost(card)):
                    if card.kind != EQUIPMENT:
                        yield replace(move, args={"card": ref, "pay": pay})
                    else:
                        yield from (replace(move, args={"card": ref, "pay": pay, "on": on}) for on in targets)


def shared(state: State) -> bool:
    """Whether points of a combat are being shared out: then nothing else happens first (WAK-6-2)."""
    return "shared" in state.memory or any(POINTS in counts for counts in state.marks.values())


def instant_time(state: State) -> bool:
    """Whether an instant may be played: in any phase of any turn, but within the sharing of a combat (WAK-EFF-1)."""
    return state.phase not in (PREPARATION, DROP) and not shared(state)
