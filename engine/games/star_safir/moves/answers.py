"""What effects ask of the players: answers; and what players call on: their commander, a card they hid."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.core.agenda import Stack, answered, open_window, pending
from engine.core.context import Context
from engine.core.effects import force, triggers, values
from engine.core.effects.host import Source
from engine.core.effects.interpreter import dealt, resolve
from engine.core.errors import Malformed, Violation
from engine.core.game import Dealer, Move
from engine.core.hidden import effect_chance, unlisted
from engine.core.log import Entry
from engine.core.state import State
from engine.core.verbs import arguments, card_ref, not_by, number, over
from engine.games.star_safir.effects import keywords
from engine.games.star_safir.effects.places import PLACES
from engine.games.star_safir.moves.base import Reasons, SafirVerb, forbidden
from engine.games.star_safir.moves.invocation import masked, perform_card, price
from engine.games.star_safir.moves.mat import ACTING, COMBAT, MAGICS, PI, SEATS, THREE


class Answer(SafirVerb):
    """`answer`: the choice an effect waits for; `pick` null declines one that is optional."""

    def parse(self, state: State, entry: Entry) -> Move:
        """`args.pick`: an option, or null."""
        pick = arguments(entry, ("pick",), ("pick",))["pick"]
        if pick is not None and not isinstance(pick, str):
            raise Malformed("wrong_type", "pick is an option as a string, or null", path="args.pick")
        return Move(entry.by, entry.do, {"pick": pick}, effect_chance(state, entry))

    def check(self, state: State, move: Move) -> Reasons:
        """Something is asked, of this seat, and this is among the options."""
        reasons = over(self.game, state)
        ask = pending(state)
        if ask is None:
            return [*reasons, Violation("LOG-answer", {"pick": str(move.args["pick"])[:60]})]
        reasons += not_by(move, ask["by"])
        pick = move.args["pick"]
        if not (ask["optional"] if pick is None else pick in ask["options"]):
            reasons.append(self.refusal(state, ask["rule"], pick))
        return reasons

    def refusal(self, state: State, rule: str, pick: str | None) -> Violation:
        """The rule that an answer outside of the options breaks, for a card the one about what may be chosen."""
        if pick is None or not (pick in PLACES or pick.rpartition("/")[0] in PLACES):
            return Violation("LOG-answer", {"pick": str(pick)[:60]})
        place, objects = PLACES.get(pick), state.zones.get(pick, [])
        card = (state.refs[objects[0]] or "?") if objects else pick
        if pick.endswith("/commander"):
            return Violation("SAF-III-7", {"commander": card})
        kept = state.agenda[-1]
        first = None
        if kept.get("op", {}).get("op") == "destroy" and place is not None:
            first = keywords.shield(state, place.seat, place.area, ("Rempart", "Rempart+"))
        if first is not None and state.where[first] != pick:
            leans = () if "/magics/" in Source(*kept["src"]).path else ("I-SAF-25",)
            return Violation("SAF-VII-RempartPlus", {"card": state.refs[first] or "?"}, leans)
        territory = place.area if place is not None else 0
        slot = place.slot if place is not None else 0
        return Violation(
            rule, {"card": card, "territory": territory, "slot": slot, "pick": pick, "seat": kept["ask"]["by"]}
        )

    def run(self, ctx: Context, move: Move) -> None:
        """Goes on with what waited."""
        ctx.emit("agenda", answered(ctx.state, move.args["pick"]))
        resolve(ctx, move)

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """The draws of what it sets going."""
        return dealt(self.run, state, move, dealer)

    def candidates(self, state: State) -> Iterator[Move]:
        """Every option, and declining where that is possible."""
        ask = pending(state)
        if ask is None or state.result is not None:
            return
        for option in ask["options"]:
            yield Move(ask["by"], "answer", {"pick": option})
        if ask["optional"]:
            yield Move(ask["by"], "answer", {"pick": None})


class Activate(SafirVerb):
    """`activate`: the effect of the own commander, once a turn, in one's own phase 2 (SAF-III-6, SAF-VI.2-4)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """No arguments; the draws of its effects."""
        arguments(entry, ())
        return Move(entry.by, entry.do, {}, effect_chance(state, entry))

    def check(self, state: State, move: Move) -> Reasons:
        """The moment, a commander that can do something, and not yet this turn."""
        reasons = self.turn(state, move, self.summoning(state))
        if move.by not in SEATS:
            return reasons
        zone = state.zones[f"{move.by}/commander"]
        card = (state.refs[zone[0]] or "-") if zone else "-"
        if state.phase == COMBAT and state.seat == move.by and reasons:
            reasons.append(Violation("SAF-VI.2-4", {"card": card}))
        done, told = state.noted("activated", move.by), self.cancelled(state, move.by)
        if done or not (told or self.able(state, move.by)):
            reasons.append(Violation("SAF-III-6", {"commander": card}))
        return reasons + told

    def cancelled(self, state: State, seat: str) -> Reasons:
        """The card that cancels the commander's effects (SAF-III-7) or forbids to call on it."""
        for obj in state.zones[f"{seat}/commander"] if not force.quiet(state) else ():
            card = force.silencing(state, obj) or values.forbidding(state, "activate", force.seen(state, obj))
            if card is not None:
                return [Violation("SAF-VIII-1", {"card": card})]
        return []

    def able(self, state: State, seat: str) -> bool:
        """Whether the seat's commander has an effect to call on."""
        zone = state.zones[f"{seat}/commander"]
        program = force.active(state, zone[0]) if zone else None
        return program is not None and "activated" in program.triggers

    def run(self, ctx: Context, move: Move) -> None:
        """Notes it, then resolves."""
        self.mixed(ctx)
        ctx.emit("note", "activated", move.by)
        stack = Stack(ctx)
        triggers.after(stack, ("activated", force.seen(ctx.state, ctx.state.zones[f"{move.by}/commander"][0])))
        resolve(ctx, move, started=stack)

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """The draws of its effects."""
        return dealt(self.run, state, move, dealer)

    def candidates(self, state: State) -> Iterator[Move]:
        """One, until it is done."""
        seat = state.seat
        if seat is None or state.result is not None or state.phase not in self.summoning(state):
            return
        if self.able(state, seat) and not state.noted("activated", seat) and not self.cancelled(state, seat):
            yield Move(seat, "activate", {})


class Reveal(SafirVerb):
    """`reveal`: turn a card placed face down over, for its cost, in either turn (SAF-VII-Cache)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """`args.territory`, `args.slot`, `args.card`."""
        keys = ("territory", "slot", "card")
        args = arguments(entry, keys, keys)
        values = {
            "territory": number(args, "territory", 1, 3, "unknown_territory"),
            "slot": number(args, "slot", 1, 3, "unknown_slot"),
            "card": card_ref(state, args["card"], "args.card"),
        }
        return Move(entry.by, entry.do, values, effect_chance(state, entry))

    def check(self, state: State, move: Move) -> Reasons:
        """Once the turn has begun, a card face down there, one that bears «Caché» and fits the list, and its PI.

        Once the game is over, only to prove what it was, where I-SAF-23 asks for it: then nothing is paid.
        """
        if shown_at_the_end(state):
            return not_by(move, *SEATS) or self.unproven(state, move, ("I-SAF-23",))
        if state.result is not None:
            return [Violation(self.game.over_rule, {}, ("I-SAF-23",))]
        if move.by not in SEATS or state.seat is None:
            return self.turn(state, move, ACTING)
        reasons = self.turn(state, replace(move, by=state.seat), ACTING)
        if open_window(state):
            reasons = [reason for reason in reasons if reason.rule != "LOG-pending"]
        card = state.terms.cards[move.args["card"]]
        reasons += self.unproven(state, move)
        path = MAGICS[move.by, move.args["territory"]][move.args["slot"] - 1]
        reasons += forbidden(state, "reveal", card, path)
        due, pi = price(state, card, path), state.counters[PI[move.by]]
        if due > pi:
            leans = () if "cost" in card.figures else ("I-SAF-01",)
            reasons.append(Violation("SAF-VI.2-1", {"card": card.ref, "cost": due, "pi": pi}, leans))
        return reasons

    def unproven(self, state: State, move: Move, leans: tuple[str, ...] = ()) -> Reasons:
        """Why no face-down card there can be this one: none is there, it does not bear «Caché», the list lacks it."""
        there = state.zones[MAGICS[move.by, move.args["territory"]][move.args["slot"] - 1]]
        card = state.terms.cards[move.args["card"]]
        if not there or state.refs[there[0]] is not None or not masked(card):
            return [Violation("SAF-VII-Cache", {"card": card.ref}, leans)]
        return unlisted(state, move.by, (card.ref,), {})

    def run(self, ctx: Context, move: Move) -> None:
        """Names the card, pays, and resolves it as if it had just been played; after the end, only names it."""
        state = ctx.state
        obj = state.zones[MAGICS[move.by, move.args["territory"]][move.args["slot"] - 1]][0]
        card = state.terms.cards[move.args["card"]]
        ctx.emit("name", obj, card.ref)
        if state.result is not None:
            ctx.lean("I-SAF-23")
            return
        if "cost" not in card.figures and card.figures.get("val"):
            ctx.lean("I-SAF-01")
        due = price(state, card, state.where[obj])
        if due:
            ctx.emit("counter", PI[move.by], -due)
        if not card.executable:
            ctx.doubt(card.ref)
        perform_card(ctx, obj, card, move)

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """The draws of its effects."""
        return dealt(self.run, state, move, dealer)

    def candidates(self, state: State) -> Iterator[Move]:
        """Every card face down, as every «Caché» card of the list not seen yet that can be paid."""
        if not shown_at_the_end(state) and (state.result is not None or state.phase not in ACTING):
            return
        for seat in SEATS:
            for territory in THREE:
                for slot, path in zip(THREE, MAGICS[seat, territory], strict=True):
                    there = state.zones[path]
                    if there and state.refs[there[0]] is None:
                        yield from self._as_each(state, seat, territory, slot)

    def _as_each(self, state: State, seat: str, territory: int, slot: int) -> Iterator[Move]:
        left = state.unseen.get(seat)
        for ref in state.terms.cards if left is None else left:
            card = state.terms.cards[ref]
            path = MAGICS[seat, territory][slot - 1]
            if not masked(card) or (left is not None and not left[ref]):
                continue
            allowed = not forbidden(state, "reveal", card, path)
            affordable = price(state, card, path) <= state.counters[PI[seat]]
            if state.result is not None or (allowed and affordable):
                yield Move(seat, "reveal", {"territory": territory, "slot": slot, "card": ref})


def shown_at_the_end(state: State) -> bool:
    """Whether the game is over and its face-down cards are shown to be checked (I-SAF-23)."""
    return state.result is not None and state.terms.options["I-SAF-23"] == "endgame"
