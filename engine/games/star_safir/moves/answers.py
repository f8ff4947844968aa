"""Answers to what effects ask, and what players use on their own account: a commander, a face-down card."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.core.effects import force
from engine.core.effects.hidden_cards import effect_chance, unlisted
from engine.core.effects.host import Source, Stack
from engine.core.effects.interpreter import dealt, resolve
from engine.core.table.agenda import Frame, answered, open_window, pending
from engine.core.table.chance import Dealer
from engine.core.table.context import Context
from engine.core.table.game import Move, Wanted
from engine.core.table.log import Entry
from engine.core.table.state import State
from engine.core.table.verbs import arguments, card_ref, missing, not_by, number, over
from engine.core.text.errors import Malformed, Violation
from engine.games.star_safir.effects import keywords
from engine.games.star_safir.effects.places import PLACES
from engine.games.star_safir.moves.base import Reasons, SafirVerb, forbidden
from engine.games.star_safir.moves.invocation import PlayedCard, masked, price
from engine.games.star_safir.moves.mat import ACTING, COMBAT, EVERY, MAGICS, PI, SEATS, THREE


class Answer(SafirVerb):
    """`answer`: make the choice that an effect waits for; `pick` null declines an optional one."""

    def parse(self, state: State, entry: Entry) -> Move:
        """Read `args.pick`: an option, or null. Raises Malformed, `wrong_type`."""
        pick = arguments(entry, ("pick",), ("pick",))["pick"]
        if pick is not None and not isinstance(pick, str):
            raise Malformed("wrong_type", "pick must be an option as a string, or null", path="args.pick")
        return Move(entry.by, entry.do, {"pick": pick}, effect_chance(state, entry))

    def check(self, state: State, move: Move) -> Reasons:
        """Check that a choice is pending, that it is this seat's, and that `pick` is one of the options."""
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
        """Resolve what waited for the choice, after any response to it."""
        ctx.emit("agenda", answered(ctx.state, move.args["pick"]))
        stack = Stack(ctx)
        self.answerable(stack, move.by)
        resolve(ctx, move, started=stack)

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """Deal the chance of what the choice triggers."""
        return dealt(self.run, state, move, dealer)

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield every option, and declining if that is possible."""
        ask = pending(state)
        if ask is None or state.result is not None or wanted.seat(ask["by"]) is None:
            return
        for option in ask["options"]:
            yield Move(ask["by"], "answer", {"pick": option})
        if ask["optional"]:
            yield Move(ask["by"], "answer", {"pick": None})


def unasked(state: State, move: Move) -> Violation:
    """Return the violation of an answer when nothing is asked.

    The card destroyed last in the territory explains it where it left no choice: «Rempart+» had to be destroyed first,
    or «Vol vie» could not be used. Otherwise the rule is `LOG-answer`.
    """
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
    """Return the violation of an answer that is not an option, by the rule behind the question."""
    frame = state.agenda[-1]
    card = about(state, frame)
    if pick is None:
        return Violation("SAF-VIII-1", {"card": card}, why="must")
    place, objects = PLACES.get(pick), state.zones.get(pick, [])
    if pick.endswith("/commander"):
        return Violation("SAF-III-7", {"commander": (state.refs[objects[0]] or "?") if objects else pick[:60]})
    first = None
    if place is not None and place.area and frame.get("op", {}).get("op") == "destroy":
        # A target may be missing from the options only because another fighter shields it.
        first = keywords.shield(state, place.seat, place.area, ("Rempart", "Rempart+"))
    if first is not None and state.where[first] != pick:
        # For magics the rule itself says so; for other sources it is I-SAF-25.
        depends_on = () if "/magics/" in Source(*frame["src"]).path else ("I-SAF-25",)
        return Violation("SAF-VII-RempartPlus", {"card": state.refs[first] or "?"}, depends_on)
    if ask["rule"] == "LOG-hand":
        return Violation("LOG-hand", {"card": pick[:60], "seat": frame["seat"]})
    return Violation(asked_by(frame, ask), {"card": card, "pick": pick[:60]}, why="choice")


def asked_by(frame: Frame, ask: Frame) -> str:
    """Return the rule behind a question: its own, that of a keyword, or that of card texts."""
    if ask["rule"] != "LOG-answer":
        return str(ask["rule"])
    if frame["step"] == "discard_where":
        return "SAF-II-3"
    saving = {"Vol vie": "SAF-VII-VolVie", "Seconde Vie": "SAF-VII-SecondeVie"}
    return next((rule for word, rule in saving.items() if word in ask["options"]), "SAF-VIII-1")


def about(state: State, frame: Frame) -> str:
    """Return the ref of the card that a question is about: whose effect asks, or to which it happens."""
    obj = Source(*frame["src"]).obj if "src" in frame else frame.get("obj")
    return "-" if obj is None else state.refs[obj] or "?"


class Activate(SafirVerb):
    """`activate`: use one's own commander, once per turn and in one's own turn (SAF-III-6, I-SAF-34).

    A commander whose text the engine cannot read may act at any time: its use is never refused and is left to a ruling.
    """

    def parse(self, state: State, entry: Entry) -> Move:
        """Read the chance of the effects; there are no arguments."""
        arguments(entry, ())
        return Move(entry.by, entry.do, {}, effect_chance(state, entry))

    def check(self, state: State, move: Move) -> Reasons:
        """Check the moment, that the commander has an effect to use, and that it was not used this turn."""
        # Its text may allow the opponent's turn, so the move is judged as if its player were in turn.
        if move.by in SEATS and unread(state, move.by) and state.seat is not None:
            return self.turn(state, replace(move, by=state.seat), EVERY)
        reasons = self.turn(state, move, ACTING)
        if move.by not in SEATS:
            return reasons
        leader = commander(state, move.by)
        card = "-" if leader is None else state.refs[leader] or "?"
        if not reasons and state.phase not in self.activating(state):
            reasons.append(Violation("SAF-VI.2-4", {"card": card}, ("I-SAF-34", "I-SAF-18"), why="combat"))
        cancelled = self.cancelled(state, move.by)
        if leader is None:
            unsaid = f"{move.by}/commander" in state.unknown
            none = Violation("SAF-III-6", {"commander": card, "seat": move.by}, why="none")
            return reasons + (missing("SAF-III-6", f"{move.by}/commander") if unsaid else [none])
        if state.noted("activated", move.by):
            reasons.append(Violation("SAF-III-6", {"commander": card}, why="used"))
        elif not (cancelled or self.able(state, move.by)):
            reasons.append(Violation("SAF-III-6", {"commander": card}, why="idle"))
        return reasons + cancelled

    def activating(self, state: State) -> tuple[str, ...]:
        """Return the phases of one's own turn in which a commander may be used (I-SAF-34)."""
        return ACTING if state.terms.options["I-SAF-34"] == "turn" else self.summoning(state)

    def cancelled(self, state: State, seat: str) -> Reasons:
        """Return the card that cancels the commander's effects (SAF-III-7) or forbids using it."""
        leader = commander(state, seat)
        if leader is None or force.quiet(state):
            return []
        silencer = force.silencing(state, leader)
        if silencer is not None:
            return [Violation("SAF-VIII-1", {"card": silencer}, why="cancelled")]
        return forbidden(state, "activate", state.card(leader), state.where[leader], leader)

    def able(self, state: State, seat: str) -> bool:
        """Whether the seat's commander has an effect to use."""
        leader = commander(state, seat)
        program = None if leader is None else force.active(state, leader)
        return program is not None and "activated" in program.triggers

    def run(self, ctx: Context, move: Move) -> None:
        """Note the use and resolve its effects; an unreadable commander is left to a ruling."""
        leader = commander(ctx.state, move.by)
        assert leader is not None, "check lets through only those who have one"
        if unread(ctx.state, move.by):
            ctx.doubt(ctx.state.refs[leader] or "?")
            return
        if ctx.state.phase == COMBAT:
            ctx.depend_on("I-SAF-34")
            if ctx.state.terms.options["I-SAF-34"] == "summoning":
                self.mixed(ctx)
        ctx.emit("note", "activated", move.by)
        stack = Stack(ctx)
        self.happening(stack, move.by, leader, "activated")
        resolve(ctx, move, started=stack)

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """Deal the chance of its effects."""
        return dealt(self.run, state, move, dealer)

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield the use of the commander by the seat in turn, until it was used.

        A commander that the engine cannot read may be used by either seat, any number of times.
        """
        if state.seat is None or state.result is not None or state.phase not in EVERY:
            return
        for seat in wanted.among(SEATS):
            legal = unread(state, seat)
            mine = seat == state.seat and state.phase in self.activating(state)
            if mine and not legal:
                legal = (
                    self.able(state, seat) and not state.noted("activated", seat) and not self.cancelled(state, seat)
                )
            if legal:
                yield Move(seat, "activate", {})


def commander(state: State, seat: str) -> int | None:
    """Return the commander of a seat, if it has one."""
    there = state.zones[f"{seat}/commander"]
    return there[0] if there else None


def unread(state: State, seat: str) -> bool:
    """Whether a seat has a commander whose text the engine cannot read."""
    leader = commander(state, seat)
    card = None if leader is None else state.card(leader)
    return card is not None and not card.executable


class Reveal(PlayedCard):
    """`reveal`: turn up a face-down card for its cost, at any moment of either turn (SAF-VII-Cache)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """Read `args.territory`, `args.slot` and `args.card`."""
        keys = ("territory", "slot", "card")
        args = arguments(entry, keys, keys)
        values = {
            "territory": number(args, "territory", 1, 3, "unknown_territory"),
            "slot": number(args, "slot", 1, 3, "unknown_slot"),
            "card": card_ref(state, args["card"], "args.card"),
        }
        return Move(entry.by, entry.do, values, effect_chance(state, entry))

    def check(self, state: State, move: Move) -> Reasons:
        """Check that turn 1 has begun, that the card can be the face-down one there, and that its cost can be paid.

        After the end of the game a card is only turned up to prove what it was, if I-SAF-23 asks for that; it is then
        free.
        """
        if shown_at_the_end(state):
            return not_by(move, *SEATS) or self.unproven(state, move, ("I-SAF-23",))
        if state.result is not None:
            return [Violation(self.game.over_rule, {}, ("I-SAF-23",))]
        if move.by not in SEATS or state.seat is None:
            return self.turn(state, move, EVERY)
        # Either seat may reveal in either turn, so only the end of the game and the phase count.
        reasons = self.turn(state, replace(move, by=state.seat), EVERY)
        # A response is the one thing that a pending window allows.
        if open_window(state):
            reasons = [reason for reason in reasons if reason.rule != "LOG-pending"]
        card = state.terms.cards[move.args["card"]]
        reasons += self.unproven(state, move)
        path = MAGICS[move.by, move.args["territory"]][move.args["slot"] - 1]
        reasons += forbidden(state, "reveal", card, path)
        due, pi = price(state, card, path), state.counters[PI[move.by]]
        if due > pi and card.executable:
            depends_on = () if "cost" in card.figures else ("I-SAF-01",)
            reasons.append(Violation("SAF-VI.2-1", {"card": card.ref, "cost": due, "pi": pi}, depends_on, why="reveal"))
        return reasons

    def unproven(self, state: State, move: Move, depends_on: tuple[str, ...] = ()) -> Reasons:
        """Return why no face-down card there can be this one.

        None is there, this card does not bear «Caché», or no copy is left in the list.
        """
        there = state.zones[MAGICS[move.by, move.args["territory"]][move.args["slot"] - 1]]
        card = state.terms.cards[move.args["card"]]
        if not there:
            where = {"territory": move.args["territory"], "slot": move.args["slot"], "seat": move.by}
            gone = state.zones[f"{move.by}/T{move.args['territory']}/discard"]
            if any(state.refs[obj] is None for obj in gone):
                depends_on = (*depends_on, "I-SAF-31")  # it was face down when it was destroyed
            return [Violation("SAF-VII-Cache", {"card": card.ref, **where}, depends_on, why="empty")]
        known = state.refs[there[0]]
        if known is not None:
            return [Violation("SAF-VII-Cache", {"card": known}, depends_on, why="shown")]
        if not masked(card):
            return [Violation("SAF-VII-Cache", {"card": card.ref}, depends_on, why="bare")]
        return unlisted(state, move.by, (card.ref,), {})

    def run(self, ctx: Context, move: Move) -> None:
        """Name the card, pay, and resolve it as if just played; after the end of the game only name it."""
        state = ctx.state
        obj = state.zones[MAGICS[move.by, move.args["territory"]][move.args["slot"] - 1]][0]
        card = state.terms.cards[move.args["card"]]
        ctx.emit("name", obj, card.ref)
        if state.result is not None:
            ctx.depend_on("I-SAF-23")
            return
        if "cost" not in card.figures and card.figures.get("val"):
            ctx.depend_on("I-SAF-01")
        due = price(state, card, state.where[obj])
        # The text of a card that the engine cannot read may change its own cost.
        if due and (card.executable or due <= state.counters[PI[move.by]]):
            ctx.emit("counter", PI[move.by], -due)
        if not card.executable:
            ctx.doubt(card.ref)
        self.perform(ctx, obj, card, move)

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """Deal the chance of its effects."""
        return dealt(self.run, state, move, dealer)

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield each face-down card as every «Caché» card it can be and its player can pay for."""
        if not shown_at_the_end(state) and (state.result is not None or state.phase not in EVERY):
            return
        for seat in wanted.among(SEATS):
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
    """Whether the game is over and face-down cards are shown to be checked (I-SAF-23)."""
    return state.result is not None and state.terms.options["I-SAF-23"] == "endgame"
