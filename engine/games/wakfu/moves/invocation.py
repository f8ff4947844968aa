"""Phases 2 and 7: `play`, for cards from hand paid for with mana, and for instants at any time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from engine.core.cards.card import Card
from engine.core.effects import force, triggers, values
from engine.core.effects.hidden_cards import effect_chance, held, possible, unlisted
from engine.core.effects.host import Seen, Source, Stack
from engine.core.effects.interpreter import dealt, tried
from engine.core.table import places
from engine.core.table.agenda import Frame, open_window, window
from engine.core.table.chance import Dealer
from engine.core.table.context import Context
from engine.core.table.game import Move, Wanted
from engine.core.table.log import Entry
from engine.core.table.state import State
from engine.core.table.verbs import arguments, card_ref, in_hand, not_by, over
from engine.core.text.errors import Violation
from engine.core.text.interrupt import each
from engine.games.wakfu.effects.host import HOST
from engine.games.wakfu.moves.base import Acting, Reasons, misplaced, nothing_there, unknown, untimely
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
    engage,
    fights,
)
from engine.games.wakfu.moves.payment import bill, burnt, check_payment, payments, read_payment
from engine.games.wakfu.vocabulary import EFFECT, EQUIPMENT, INSTANT, KINDS_2008, QUEST
from engine.games.wakfu.vocabulary import LEADER as LEADER_KIND

SECOND = (MOUVEMENT, CONTRE, ATTAQUE, INVOCATION2)  # a card played in one of these is played in phase 7, or begins it
# The phases in which an effect with this printed timing is played.
PRINTED = {"mouvement": (MOUVEMENT, CONTRE), "attaque": (ATTAQUE,), "blocage": (BLOCAGE,), "combat": (COMBAT,)}


class Play(Acting):
    """`play`: play a card from hand by engaging cards (WAK-2-1), or two at once if I-WAK-19 allows it."""

    def parse(self, state: State, entry: Entry) -> Move:
        """Read the card, its payment and, for an equipment, the leader it goes to.

        `args.card` is a ref; `args.pay` may be left out if there is one way to pay; `args.on` is a leader's place, for
        an equipment the player's own by default; `args.with` is a second card that the leader's mana pays for at the
        same time (I-WAK-19).
        """
        chance = effect_chance(state, entry)
        args = arguments(entry, ("card", "pay", "on", "with"), ("card",))
        refs = {key: card_ref(state, args[key], f"args.{key}") for key in ("card", "with") if key in args}
        cards = [state.terms.cards[ref] for ref in refs.values()]
        found: dict[str, Any] = {**refs, "pay": read_payment(state, entry, cards)}
        if any(card.kind == EQUIPMENT for card in cards) and entry.by in SEATS:
            found["on"] = places.read(state, args.get("on", LEADER[entry.by]), (), "on")
        elif "on" in args:
            found["on"] = places.read(state, args["on"], (), "on")
        return Move(entry.by, entry.do, found, chance)

    def check(self, state: State, move: Move) -> Reasons:
        """Check the type, the moment, the leader an equipment goes to, the cards in hand and the payment."""
        reasons = over(self.game, state) + not_by(move, *SEATS)
        if move.by not in SEATS:
            return reasons
        cards = both(state, move)
        unfit = [reason for card in cards for reason in misfit(card)]
        # For a card that is never played from a hand, the moment and the payment do not matter.
        if unfit:
            return reasons + unfit
        if state.agenda and not (open_window(state) and all(quick(state, card) for card in cards)):
            reasons.append(Violation("LOG-pending", {"seat": state.agenda[-1]["ask"]["by"]}))
        reasons += self.kept_hand(state) + self.aimed(state, move, cards) + self.paired(state, move)
        for card in cards:
            reasons += self.timely(state, move, card) + self.barring(state, move.by, card)
        return reasons + in_one_hand(state, move.by, cards) + check_payment(state, move.by, cards, move.args["pay"])

    def paired(self, state: State, move: Move) -> Reasons:
        """Return why one payment does not pay for two cards: only a leader's mana can, and only with I-WAK-19 `yes`."""
        if "with" not in move.args:
            return []
        led = any(item["card"] == LEADER[move.by] for item in move.args["pay"])
        if led and state.terms.options["I-WAK-19"] == "yes":
            return []
        return [Violation("WAK-2-2", {"place": move.args["with"]}, ("I-WAK-19",), why="pair")]

    def barring(self, state: State, seat: str, card: Card) -> Reasons:
        """Return why the text of a card in play forbids playing this one (WAK-OR-1)."""
        ref = values.forbidding(state, "play", Seen(-1, HAND[seat], card.ref))
        return [] if ref is None else [Violation("WAK-OR-1", {"card": ref})]

    def timely(self, state: State, move: Move, card: Card) -> Reasons:
        """Return why a card may not be played now (WAK-EFF-1, WAK-PHA-1, WAK-7-1)."""
        timing = card.words.get("timing", "") if card.kind == EFFECT else ""
        if quick(state, card):
            unsaid = unknown(state, "WAK-EFF-1", "turn.phase")
            if unsaid or instant_time(state):
                return unsaid
            why = {PREPARATION: "setup", DROP: "drop"}.get(state.phase, "sharing")
            return [untimely(state, move.by, why)]
        unsaid = unknown(state, "WAK-EFF-1" if card.kind == EFFECT else "WAK-PHA-1", "turn.seat", "turn.phase")
        if unsaid:
            return unsaid
        # A printed timing takes the place of the invocation phase (WAK-EFF-1).
        if state.seat == move.by and state.phase in PRINTED.get(timing, (INVOCATION,)) and not shared(state):
            return []
        if state.seat == move.by and state.phase in SECOND and not timing:
            if state.terms.options["I-WAK-01"] == "yes":
                return []
            return [Violation("WAK-7-1", {"card": card.ref}, ("I-WAK-01",))]
        if card.kind == EFFECT:
            why = "turn" if state.seat != move.by else "timing" if timing else ""
            why = "combat" if why == "timing" and state.phase in PRINTED[timing] else why
            return [Violation("WAK-EFF-1", {"card": card.ref, "phase": state.phase}, why=why)]
        mine = state.seat == move.by or state.phase == PREPARATION
        return [untimely(state, move.by, misplaced(state, (INVOCATION, *SECOND)) if mine else "turn")]

    def aimed(self, state: State, move: Move, cards: Sequence[Card]) -> Reasons:
        """Return why an equipment does not go there, or why another card goes nowhere (WAK-EQU-1)."""
        on = move.args.get("on")
        if on is None:
            return []
        if all(card.kind != EQUIPMENT for card in cards) or on not in LEADER.values():
            worn = any(card.kind == EQUIPMENT for card in cards)
            return [Violation("WAK-EQU-1", {"card": cards[0].ref, "place": on[:40]}, why="" if worn else "kind")]
        return [] if state.zones[on] else nothing_there(state, on)

    def run(self, ctx: Context, move: Move) -> None:
        """Pay and put the card in play; a second card follows once the effects of the first have resolved."""
        cards, stack = both(ctx.state, move), Stack(ctx)
        self.pay(ctx, move, cards)
        seat, on = move.by, move.args.get("on", move.by)[0]
        obj = put(ctx, seat, cards[0], on)
        if "with" in move.args:
            ctx.depend_on("I-WAK-19")
            # Pushed first, so that it resolves after the effects of the first card.
            stack.push({"step": "second", "obj": announced(ctx, seat, cards[1]), "by": seat, "on": on})
        set_going(stack, seat, obj, cards[0])
        # On top of the stack: the opponent responds before the effects resolve.
        if ctx.window:
            stack.push(window(OTHER[seat]))
        settle(ctx, move, stack)

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """Fill in the chance of the effects that the card, or both cards, set off."""
        return (tried if "with" in move.args else dealt)(self.run, state, move, dealer)

    def pay(self, ctx: Context, move: Move, cards: Sequence[Card]) -> None:
        """Engage the cards that pay; mana left over costs PV (I-WAK-02)."""
        state, pay = ctx.state, move.args["pay"]
        over_paid = burnt(state, move.by, cards, pay)
        for item in pay:
            obj = places.at(state, item["card"])
            assert obj is not None, "checked"
            if "mana" in item and not state.terms.cards[state.refs[obj] or ""].amounts.get("mana"):
                ctx.depend_on("I-WAK-18")
            engage(ctx, obj)
        if over_paid:
            ctx.depend_on("I-WAK-02")
            ctx.emit("counter", PV[move.by], -min(over_paid, state.counters[PV[move.by]]))

    def playable(self, state: State, move: Move, card: Card) -> bool:
        """Whether a card of a hand may be played now, its price aside."""
        if misfit(card):
            return False
        answers = not state.agenda or quick(state, card)
        return answers and not self.timely(state, move, card) and not self.barring(state, move.by, card)

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield each card that is or may be in a hand and may be played now, once for each way to pay for it."""
        for seat in wanted.among(SEATS):
            timely = []
            for ref in each(possible(state, seat)):
                card = state.terms.cards[ref]
                move = Move(seat, "play", {"card": ref, "pay": []})
                if self.playable(state, move, card):
                    timely.append(card)
                    yield from self.paying(state, move, [card], wanted)
            if state.terms.options["I-WAK-19"] == "yes":
                yield from self.pairs(state, seat, timely, wanted)

    def pairs(self, state: State, seat: str, timely: Sequence[Card], wanted: Wanted) -> Iterator[Move]:
        """Yield every pair of cards that one payment with the leader's mana can pay for (I-WAK-19)."""
        for cards in each(product(timely, repeat=2)):
            if not in_one_hand(state, seat, cards):
                move = Move(seat, "play", {"card": cards[0].ref, "with": cards[1].ref})
                yield from self.paying(state, move, cards, wanted, led=True)

    def paying(
        self, state: State, move: Move, cards: Sequence[Card], wanted: Wanted, *, led: bool = False
    ) -> Iterator[Move]:
        """Yield a move once for each way to pay for its cards, and for an equipment once for each leader.

        With `led`, only for the ways in which the leader pays.
        """
        targets = [LEADER[owner] for owner in SEATS if state.zones[LEADER[owner]]]
        for pay in wanted.first(payments(state, move.by, bill(cards), led=led)):
            args = {**move.args, "pay": pay}
            if all(card.kind != EQUIPMENT for card in cards):
                yield replace(move, args=args)
            else:
                yield from (replace(move, args={**args, "on": on}) for on in targets)


def both(state: State, move: Move) -> list[Card]:
    """Return the card played, and the one paid for with it if there is one."""
    return [state.terms.cards[move.args[key]] for key in ("card", "with") if key in move.args]


def misfit(card: Card) -> Reasons:
    """Return why a card is never played from a hand: it is a leader, or of a type this game does not know."""
    if card.kind not in KINDS_2008:
        return [Violation("WAK-TYP-1", {"card": card.ref})]
    return [Violation("WAK-LEA-1", {"card": card.ref}, why="hand")] if card.kind == LEADER_KIND else []


def quick(state: State, card: Card) -> bool:
    """Whether a card may be played at any time: an instant, or an inexecutable effect without a printed timing."""
    timing = card.words.get("timing", "")
    return card.kind == EFFECT and (timing == INSTANT or (not timing and card.ref in state.terms.cards.unread))


def in_one_hand(state: State, seat: str, cards: Sequence[Card]) -> Reasons:
    """Return why cards cannot all come from this hand."""
    reasons = [reason for card in cards for reason in held(state, seat, card.ref)]
    if reasons or len(cards) == 1:
        return reasons
    # Each of two cards may be possible by itself, but they also need two different cards of the hand.
    hand, hidden = [state.refs[obj] for obj in state.zones[HAND[seat]]], []
    for card in cards:
        if card.ref in hand:
            hand.remove(card.ref)
        else:
            hidden.append(card.ref)
    if len(hidden) > hand.count(None):
        return [Violation("LOG-hand", {"card": hidden[-1], "seat": seat})]
    return unlisted(state, seat, hidden, {})


def announced(ctx: Context, seat: str, card: Card) -> int:
    """Return the object of the hand that is this card, identifying a hidden one."""
    obj, known = in_hand(ctx.state, seat, card.ref)
    assert obj is not None, "checked"
    if not known:
        ctx.emit("name", obj, card.ref)
    return obj


def put(ctx: Context, seat: str, card: Card, on: str) -> int:
    """Move a card from the hand to where its kind goes: an equipment to the leader of `on`."""
    state, obj = ctx.state, announced(ctx, seat, card)
    if state.phase in SECOND and not card.words.get("timing") and not quick(state, card):
        ctx.depend_on("I-WAK-01")
        if state.phase != INVOCATION2:
            ctx.emit("turn", state.turn, seat, INVOCATION2)
    if card.kind == EQUIPMENT:
        ctx.depend_on("I-WAK-22")
    ctx.emit("move", obj, arrival(card, on, state.terms.options["I-WAK-22"]), -1)
    if fights(state, obj):
        ctx.emit("mark", obj, SICK, 1)
    if card.kind == QUEST:
        ctx.depend_on("I-WAK-17")
        if state.terms.options["I-WAK-17"] == "manual":
            ctx.doubt(card.ref)
    elif not card.executable:
        ctx.doubt(card.ref)
    return obj


def set_going(stack: Stack, seat: str, obj: int, card: Card) -> None:
    """Set off what playing the card does: an effect resolves from the discard, other cards come into force first."""
    state = stack.ctx.state
    if card.kind != EFFECT:
        force.enter(stack.ctx, obj)
        seen = force.seen(state, obj)
        triggers.after(stack, ("played", seen), ("entered", seen))
    elif card.program is not None and card.program.sound:
        giver = Source(obj, seat, 0, 0, state.where[obj])
        abilities = card.program.triggers.get("played", ())
        triggers.push(stack, [triggers.doing(giver, ability["do"]) for ability in abilities])


def _second(stack: Stack, frame: Frame) -> None:
    """Put the second card of one payment in play, unless it left the hand in the meantime (I-WAK-19)."""
    obj, seat = int(frame["obj"]), str(frame["by"])
    card = stack.ctx.state.card(obj)
    if card is not None and stack.ctx.state.where[obj] == HAND[seat]:
        set_going(stack, seat, put(stack.ctx, seat, card, str(frame["on"])), card)


HOST.steps["second"] = _second


def shared(state: State) -> bool:
    """Whether points of a combat are being shared out, during which nothing else may happen (WAK-6-2)."""
    return "shared" in state.memory or any(POINTS in counts for counts in state.marks.values())


def instant_time(state: State) -> bool:
    """Whether an instant may be played: in any phase, except while points are being shared out (WAK-EFF-1)."""
    return state.phase not in (PREPARATION, DROP) and not shared(state)
