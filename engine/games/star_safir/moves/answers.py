"""What effects ask of the players: answers; and what players call on: their commander, a card they hid."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.core.agenda import Frame, Stack, answered, open_window, pending
from engine.core.context import Context
from engine.core.effects import force
from engine.core.effects.host import Source
from engine.core.effects.interpreter import dealt, resolve
from engine.core.errors import Malformed, Violation
from engine.core.game import Dealer, Move
from engine.core.hidden import effect_chance, unlisted
from engine.core.log import Entry
from engine.core.state import State
from engine.core.verbs import arguments, card_ref, missing, not_by, number, over
from engine.games.star_safir.effects import keywords
from engine.games.star_safir.effects.places import PLACES
from engine.games.star_safir.moves.base import Reasons, SafirVerb, forbidden
from engine.games.star_safir.moves.invocation import PlayedCard, masked, price
from engine.games.star_safir.moves.mat import ACTING, COMBAT, EVERY, MAGICS, PI, SEATS, THREE


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
            return [*reasons, unasked(state, move)]
        reasons += not_by(move, ask["by"])
        pick = move.args["pick"]
        if not (ask["optional"] if pick is None else pick in ask["options"]):
            reasons.append(refusal(state, ask, pick))
        return reasons

    def run(self, ctx: Context, move: Move) -> None:
        """Goes on with what waited, once nobody responds to the choice."""
        ctx.emit("agenda", answered(ctx.state, move.args["pick"]))
        stack = Stack(ctx)
        self.answerable(stack, move.by)
        resolve(ctx, move, started=stack)

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


def unasked(state: State, move: Move) -> Violation:
    """Why an answer comes where nothing is asked: what left no choice to the card destroyed last in its territory."""
    pick = str(move.args["pick"])
    place = PLACES.get(pick) if "/fighters/" in pick else None
    pile = state.zones[f"{place.seat}/T{place.area}/discard"] if place is not None else []
    card = state.card(pile[-1]) if pile else None
    words = card.program.keywords if card is not None and card.program is not None else ()
    if card is not None and place is not None:
        if place.seat != move.by and "Rempart+" in words:
            return Violation("SAF-VII-RempartPlus", {"card": card.ref}, why="first")
        if place.seat == move.by and "Vol vie" in words:
            return Violation("SAF-VII-VolVie", {"card": card.ref}, why="unasked")
    return Violation("LOG-answer", {"pick": pick[:60]})


def refusal(state: State, ask: Frame, pick: str | None) -> Violation:
    """The rule of the question that an answer outside of its options breaks."""
    frame = state.agenda[-1]
    card = about(state, frame)
    if pick is None:
        return Violation("SAF-VIII-1", {"card": card}, why="must")
    place, objects = PLACES.get(pick), state.zones.get(pick, [])
    if pick.endswith("/commander"):
        return Violation("SAF-III-7", {"commander": (state.refs[objects[0]] or "?") if objects else pick[:60]})
    first = None
    if place is not None and place.area and frame.get("op", {}).get("op") == "destroy":
        first = keywords.shield(state, place.seat, place.area, ("Rempart", "Rempart+"))
    if first is not None and state.where[first] != pick:
        leans = () if "/magics/" in Source(*frame["src"]).path else ("I-SAF-25",)
        return Violation("SAF-VII-RempartPlus", {"card": state.refs[first] or "?"}, leans)
    if ask["rule"] == "LOG-hand":
        return Violation("LOG-hand", {"card": pick[:60], "seat": frame["seat"]})
    return Violation(asked_by(frame, ask), {"card": card, "pick": pick[:60]}, why="choice")


def asked_by(frame: Frame, ask: Frame) -> str:
    """The rule of the question that a frame asks: of its own, of a keyword, or of the text of its card."""
    if ask["rule"] != "LOG-answer":
        return str(ask["rule"])
    if frame["step"] == "discard_where":
        return "SAF-II-3"
    saving = {"Vol vie": "SAF-VII-VolVie", "Seconde Vie": "SAF-VII-SecondeVie"}
    return next((rule for word, rule in saving.items() if word in ask["options"]), "SAF-VIII-1")


def about(state: State, frame: Frame) -> str:
    """The card that a question is about: the one whose effect asks it, or the one it happens to."""
    obj = Source(*frame["src"]).obj if "src" in frame else frame.get("obj")
    return "-" if obj is None else state.refs[obj] or "?"


class Activate(SafirVerb):
    """`activate`: the effect of the own commander, once a turn, in one's own turn (SAF-III-6, I-SAF-34).

    A commander that nobody can read may be called on at any moment of the game: that is left to a ruling.
    """

    def parse(self, state: State, entry: Entry) -> Move:
        """No arguments; the draws of its effects."""
        arguments(entry, ())
        return Move(entry.by, entry.do, {}, effect_chance(state, entry))

    def check(self, state: State, move: Move) -> Reasons:
        """The moment, a commander that can do something, and not yet this turn."""
        if move.by in SEATS and unread(state, move.by) and state.seat is not None:
            return self.turn(state, replace(move, by=state.seat), EVERY)
        reasons = self.turn(state, move, ACTING)
        if move.by not in SEATS:
            return reasons
        leader = commander(state, move.by)
        card = "-" if leader is None else state.refs[leader] or "?"
        if not reasons and state.phase not in self.activating(state):
            reasons.append(Violation("SAF-VI.2-4", {"card": card}, ("I-SAF-34", "I-SAF-18"), why="combat"))
        told = self.cancelled(state, move.by)
        if leader is None:
            unsaid = f"{move.by}/commander" in state.unknown
            none = Violation("SAF-III-6", {"commander": card, "seat": move.by}, why="none")
            return reasons + (missing("SAF-III-6", f"{move.by}/commander") if unsaid else [none])
        if state.noted("activated", move.by):
            reasons.append(Violation("SAF-III-6", {"commander": card}, why="used"))
        elif not (told or self.able(state, move.by)):
            reasons.append(Violation("SAF-III-6", {"commander": card}, why="idle"))
        return reasons + told

    def activating(self, state: State) -> tuple[str, ...]:
        """The phases of one's own turn in which one may call on a commander (I-SAF-34)."""
        return ACTING if state.terms.options["I-SAF-34"] == "turn" else self.summoning(state)

    def cancelled(self, state: State, seat: str) -> Reasons:
        """The card that cancels the commander's effects (SAF-III-7) or forbids to call on it."""
        leader = commander(state, seat)
        if leader is None or force.quiet(state):
            return []
        silencer = force.silencing(state, leader)
        if silencer is not None:
            return [Violation("SAF-VIII-1", {"card": silencer}, why="cancelled")]
        return forbidden(state, "activate", state.card(leader), state.where[leader], leader)

    def able(self, state: State, seat: str) -> bool:
        """Whether the seat's commander has an effect to call on."""
        leader = commander(state, seat)
        program = None if leader is None else force.active(state, leader)
        return program is not None and "activated" in program.triggers

    def run(self, ctx: Context, move: Move) -> None:
        """Notes it, then resolves; of a commander that nobody can read it does nothing."""
        leader = commander(ctx.state, move.by)
        assert leader is not None, "check lets through only those who have one"
        if unread(ctx.state, move.by):
            ctx.doubt(ctx.state.refs[leader] or "?")
            return
        if ctx.state.phase == COMBAT:
            ctx.lean("I-SAF-34")
            if ctx.state.terms.options["I-SAF-34"] == "summoning":
                self.mixed(ctx)
        ctx.emit("note", "activated", move.by)
        stack = Stack(ctx)
        self.happening(stack, move.by, leader, "activated")
        resolve(ctx, move, started=stack)

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """The draws of its effects."""
        return dealt(self.run, state, move, dealer)

    def candidates(self, state: State) -> Iterator[Move]:
        """One for the seat in turn until it is done; any number of them of commanders that nobody can read."""
        if state.seat is None or state.result is not None or state.phase not in EVERY:
            return
        for seat in SEATS:
            told = unread(state, seat)
            mine = seat == state.seat and state.phase in self.activating(state)
            if mine and not told:
                told = self.able(state, seat) and not state.noted("activated", seat) and not self.cancelled(state, seat)
            if told:
                yield Move(seat, "activate", {})


def commander(state: State, seat: str) -> int | None:
    """The commander of a seat, if it has one."""
    there = state.zones[f"{seat}/commander"]
    return there[0] if there else None


def unread(state: State, seat: str) -> bool:
    """Whether a seat has a commander whose effect nobody can read."""
    leader = commander(state, seat)
    card = None if leader is None else state.card(leader)
    return card is not None and not card.executable


class Reveal(PlayedCard):
    """`reveal`: turn a card placed face down over, for its cost, at any moment of either turn (SAF-VII-Cache)."""

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
        """Once the first turn has begun, a card face down there, one that bears «Caché» and fits the list, and its PI.

        Once the game is over, only to prove what it was, where I-SAF-23 asks for it: then nothing is paid.
        """
        if shown_at_the_end(state):
            return not_by(move, *SEATS) or self.unproven(state, move, ("I-SAF-23",))
        if state.result is not None:
            return [Violation(self.game.over_rule, {}, ("I-SAF-23",))]
        if move.by not in SEATS or state.seat is None:
            return self.turn(state, move, EVERY)
        reasons = self.turn(state, replace(move, by=state.seat), EVERY)
        if open_window(state):
            reasons = [reason for reason in reasons if reason.rule != "LOG-pending"]
        card = state.terms.cards[move.args["card"]]
        reasons += self.unproven(state, move)
        path = MAGICS[move.by, move.args["territory"]][move.args["slot"] - 1]
        reasons += forbidden(state, "reveal", card, path)
        due, pi = price(state, card, path), state.counters[PI[move.by]]
        if due > pi and card.executable:
            leans = () if "cost" in card.figures else ("I-SAF-01",)
            reasons.append(Violation("SAF-VI.2-1", {"card": card.ref, "cost": due, "pi": pi}, leans, why="reveal"))
        return reasons

    def unproven(self, state: State, move: Move, leans: tuple[str, ...] = ()) -> Reasons:
        """Why no face-down card there can be this one: none is there, it does not bear «Caché», the list lacks it."""
        there = state.zones[MAGICS[move.by, move.args["territory"]][move.args["slot"] - 1]]
        card = state.terms.cards[move.args["card"]]
        if not there:
            where = {"territory": move.args["territory"], "slot": move.args["slot"], "seat": move.by}
            gone = state.zones[f"{move.by}/T{move.args['territory']}/discard"]
            if any(state.refs[obj] is None for obj in gone):
                leans = (*leans, "I-SAF-31")  # it was face down when it was destroyed
            return [Violation("SAF-VII-Cache", {"card": card.ref, **where}, leans, why="empty")]
        known = state.refs[there[0]]
        if known is not None:
            return [Violation("SAF-VII-Cache", {"card": known}, leans, why="shown")]
        if not masked(card):
            return [Violation("SAF-VII-Cache", {"card": card.ref}, leans, why="bare")]
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
        if due and (card.executable or due <= state.counters[PI[move.by]]):
            ctx.emit("counter", PI[move.by], -due)
        if not card.executable:
            ctx.doubt(card.ref)
        self.perform(ctx, obj, card, move)

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """The draws of its effects."""
        return dealt(self.run, state, move, dealer)

    def candidates(self, state: State) -> Iterator[Move]:
        """Every card face down, as every «Caché» card of the list not seen yet that can be paid."""
        if not shown_at_the_end(state) and (state.result is not None or state.phase not in EVERY):
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
            affordable = not card.executable or price(state, card, path) <= state.counters[PI[seat]]
            if state.result is not None or (allowed and affordable):
                yield Move(seat, "reveal", {"territory": territory, "slot": slot, "card": ref})


def shown_at_the_end(state: State) -> bool:
    """Whether the game is over and its face-down cards are shown to be checked (I-SAF-23)."""
    return state.result is not None and state.terms.options["I-SAF-23"] == "endgame"
