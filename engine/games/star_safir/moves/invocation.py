"""Phase 2: cards played from hand, own fighters sacrificed to make room, fighters moved where the options allow it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.core.cards.card import Card
from engine.core.effects import force, triggers, values
from engine.core.effects.destruction import batch
from engine.core.effects.hidden_cards import effect_chance, held, possible
from engine.core.effects.host import Seen, Stack
from engine.core.effects.interpreter import dealt, resolve
from engine.core.table.agenda import Frame
from engine.core.table.chance import Dealer
from engine.core.table.context import Context
from engine.core.table.game import Move, Wanted
from engine.core.table.log import Entry
from engine.core.table.state import State
from engine.core.table.verbs import arguments, card_ref, in_hand, missing, no_chance, number
from engine.core.text.errors import Ambiguous, Malformed, Violation
from engine.core.text.interrupt import each
from engine.games.star_safir.effects import keywords
from engine.games.star_safir.effects.host import HOST
from engine.games.star_safir.effects.places import PLACES
from engine.games.star_safir.moves.base import Reasons, SafirVerb, forbidden, held_back
from engine.games.star_safir.moves.mat import (
    FIGHTERS,
    MAGICS,
    PI,
    PI_MAX,
    SEATS,
    THREE,
    cost,
    destroy,
    gain,
    row,
    vacated,
)


class PlayedCard(SafirVerb):
    """Base of the verbs that play a card: what the card does once it is on the mat."""

    def perform(self, ctx: Context, obj: int, card: Card, move: Move) -> None:
        """Resolve the effects of a card just played, at once and once (SAF-VII-1); a magic is then used up.

        A response comes before them, and a card that it takes out of play does nothing (I-SAF-16).
        """
        force.enter(ctx, obj)
        stack = Stack(ctx)
        if card.kind == "magie":
            stack.push({"step": "use_up", "obj": obj})
        self.happening(stack, move.by, obj, "entered", "played")
        resolve(ctx, move, started=stack)


class Play(PlayedCard):
    """`play`: put a card from hand in a free slot of its kind and pay its PI (SAF-VI.2-1)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """Read `args.card`, `args.territory`, and `args.slot`, which may be left out if only one slot is free.

        With `args.face` "down", a «Caché» card is placed face down: `args.card` is then "?" and the slot is required.
        Raises Malformed, and Ambiguous `ambiguous_slot` if the slot is left out and several are free.
        """
        chance = effect_chance(state, entry)
        if "face" in entry.args:
            return _face_down(entry, chance)
        args = arguments(entry, ("card", "territory", "slot"), ("card", "territory"))
        ref = card_ref(state, args["card"], "args.card")
        territory = number(args, "territory", 1, 3, "unknown_territory")
        if "slot" in args:
            slot = number(args, "slot", 1, 3, "unknown_slot")
        else:
            slot = self.only_slot(state, entry.by, state.terms.cards[ref], territory)
        return Move(entry.by, entry.do, {"card": ref, "territory": territory, "slot": slot}, chance)

    def only_slot(self, state: State, seat: str, card: Card, territory: int) -> int:
        """Return the only free slot, or 1 if none is free, which `check` then refuses. Raises Ambiguous."""
        slots = row(card, seat, territory) if seat in SEATS else ()
        free = [slot for slot, path in zip(THREE, slots, strict=False) if not state.zones[path]]
        if len(free) > 1:
            message = f"several slots of territory {territory} are free"
            raise Ambiguous("ambiguous_slot", message, options=free, path="args.slot")
        # `parse` must give some slot: the rule that refuses it is for `check` to cite.
        return free[0] if free else 1

    def check(self, state: State, move: Move) -> Reasons:
        """Check the moment, the slot, the card in hand and the PI."""
        reasons = self.turn(state, move, self.summoning(state))
        if move.by not in SEATS:
            return reasons
        args = move.args
        if state.lasting and keywords.locked(state, move.by, args["territory"]):
            reasons.append(Violation("SAF-VII-BloquerTerritoire", {"territory": args["territory"]}, why="play"))
        if args["card"] == "?":
            return reasons + hideable(state, move)
        card = state.terms.cards[args["card"]]
        slots = row(card, move.by, args["territory"])
        if not slots:
            return [*reasons, Violation("SAF-II-2", {"card": card.ref}, why="play")]
        path = slots[args["slot"] - 1]
        if state.zones[path]:
            reasons.append(taken(args["territory"], args["slot"]))
        elif state.unknown and path in state.unknown:
            reasons += missing("SAF-II-1", path)
        reasons += forbidden(state, "play", card, path)
        reasons += held(state, move.by, card.ref)
        reasons += self.price(state, move.by, card, path)
        return reasons

    def price(self, state: State, seat: str, card: Card, path: str) -> Reasons:
        """Return why the PI do not suffice (SAF-VI.2-1)."""
        due = price(state, card, path)
        pi = state.counters[PI[seat]]
        # Unknown PI settle nothing, unless the cost is above what anybody can have.
        if state.unknown and PI[seat] in state.unknown:
            if due > PI_MAX:
                return [Violation("SAF-VI.2-1", {"card": card.ref, "cost": due, "pi": PI_MAX})]
            return missing("SAF-VI.2-1", PI[seat]) if due else []
        if due <= pi:
            return []
        late = False
        territory = PLACES[path].area
        if self.bonus_first(state, card, territory):
            pi = min(PI_MAX, pi + 1)
        # The PI of the replacement would have paid for it under the other option of I-SAF-10: the violation says so.
        elif card.kind != "magie" and state.noted("sacrificed", territory):
            late = due == pi + 1 <= PI_MAX
        elif self.early_unsaid(state, card) and due == pi + 1 <= PI_MAX:
            return missing("SAF-VI.2-1", "memory.sacrificed")
        if due <= pi:
            return []
        depends_on = (() if "cost" in card.figures else ("I-SAF-01",)) + (("I-SAF-10",) if late else ())
        return [Violation("SAF-VI.2-1", {"card": card.ref, "cost": due, "pi": pi}, depends_on)]

    def bonus_first(self, state: State, card: Card, territory: int) -> bool:
        """Whether the PI for a replacement is gained before its cost is paid (I-SAF-10)."""
        early = state.terms.options["I-SAF-10"] == "before"
        return early and card.kind != "magie" and state.noted("sacrificed", territory)

    def early_unsaid(self, state: State, card: Card) -> bool:
        """Whether a replacement's PI would come first, but nobody knows if there was a sacrifice (I-SAF-10)."""
        early = state.terms.options["I-SAF-10"] == "before" and "memory.sacrificed" in state.unknown
        return early and card.kind != "magie"

    def run(self, ctx: Context, move: Move) -> None:
        """Name the card if it was hidden, pay, place it, and resolve what it does; a magic is then used up."""
        state, seat, territory = ctx.state, move.by, move.args["territory"]
        self.mixed(ctx)
        if move.args["card"] == "?":
            hide(ctx, move)
            if ctx.window:
                stack = Stack(ctx)
                self.answerable(stack, move.by)
                resolve(ctx, move, started=stack)
            return
        card = state.terms.cards[move.args["card"]]
        obj = drawn_out(ctx, seat, card.ref)
        early = self.bonus_first(state, card, territory)
        if early:
            replaced(ctx, seat, territory)
        path = row(card, seat, territory)[move.args["slot"] - 1]
        due = price(state, card, path)
        if "cost" not in card.figures and card.figures.get("val"):
            ctx.depend_on("I-SAF-01")
        if due:
            ctx.emit("counter", PI[seat], -due)
        ctx.emit("move", obj, path, -1)
        if card.kind != "magie":
            ctx.emit("note", "arrived", obj)
            # A sacrifice earns its PI once: `replaced` clears the note.
            if not early and state.noted("sacrificed", territory):
                replaced(ctx, seat, territory)
        if not card.executable:
            ctx.doubt(card.ref)
        # Nothing can be triggered, so the stack of effects need not be set up.
        if card.program is None and "live" not in state.memory and not move.chance and not ctx.window:
            if card.kind == "magie":
                use_up(ctx, obj, card)
            return
        self.perform(ctx, obj, card, move)

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """Deal the chance of the effects of the card."""
        return dealt(self.run, state, move, dealer)

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield every card that is, or may be, in hand, in every free slot of its kind, if it can be paid."""
        seat = wanted.seat(state.seat)
        if seat is None or state.result is not None or state.phase not in self.summoning(state):
            return
        open_lands = [t for t in THREE if not (state.lasting and keywords.locked(state, seat, t))]
        yield from hidings(state, seat, open_lands)
        pi = state.counters[PI[seat]]
        for ref in each(possible(state, seat)):
            card = state.terms.cards[ref]
            for territory in open_lands:
                extra = 1 if self.bonus_first(state, card, territory) else 0
                for slot, path in zip(THREE, row(card, seat, territory), strict=False):
                    if state.zones[path] or forbidden(state, "play", card, path):
                        continue
                    if price(state, card, path) <= min(PI_MAX, pi + extra):
                        yield Move(seat, "play", {"card": ref, "territory": territory, "slot": slot})


class Sacrifice(SafirVerb):
    """`sacrifice`: destroy one's own fighter or token in a full territory (SAF-VI.2-3)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """Read `args.territory` and `args.slot`."""
        chance = effect_chance(state, entry)
        args = arguments(entry, ("territory", "slot"), ("territory", "slot"))
        territory = number(args, "territory", 1, 3, "unknown_territory")
        slot = number(args, "slot", 1, 3, "unknown_slot")
        return Move(entry.by, entry.do, {"territory": territory, "slot": slot}, chance)

    def check(self, state: State, move: Move) -> Reasons:
        """Check the moment, that the 3 fighter slots are full, and that no card forbids it."""
        reasons = self.turn(state, move, self.summoning(state))
        if move.by not in SEATS:
            return reasons
        territory = move.args["territory"]
        empty = [path for path in FIGHTERS[move.by, territory] if not state.zones[path]]
        unknown = [path for path in empty if path in state.unknown]
        if len(empty) > len(unknown):
            reasons.append(Violation("SAF-VI.2-3", {"territory": territory}))
        else:
            for path in unknown:
                reasons += missing("SAF-VI.2-3", path)
        return reasons + held_back(state, "sacrifice", FIGHTERS[move.by, territory][move.args["slot"] - 1])

    def run(self, ctx: Context, move: Move) -> None:
        """Destroy the fighter and note the room for a replacement, unless it was saved (I-SAF-09)."""
        state, territory = ctx.state, move.args["territory"]
        self.mixed(ctx)
        obj = state.zones[FIGHTERS[move.by, territory][move.args["slot"] - 1]][0]
        # No effect in force can save the fighter or react, so it is discarded at once.
        if force.quiet(state) and not move.chance and not ctx.window:
            destroy(ctx, obj)
            vacated(ctx, territory)
            return
        stack = Stack(ctx)
        stack.push(batch([obj], "sacrifice"))
        self.answerable(stack, move.by)
        resolve(ctx, move, started=stack)

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """Deal the chance of the effects it triggers."""
        return dealt(self.run, state, move, dealer)

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield each of the three fighters of every full territory."""
        seat = wanted.seat(state.seat)
        if seat is None or state.result is not None or state.phase not in self.summoning(state):
            return
        for territory in THREE:
            if all(state.zones[path] for path in FIGHTERS[seat, territory]):
                for slot, path in zip(THREE, FIGHTERS[seat, territory], strict=True):
                    if not held_back(state, "sacrifice", path):
                        yield Move(seat, "sacrifice", {"territory": territory, "slot": slot})


class Relocate(SafirVerb):
    """`move`: move one's own fighter to a free slot of another territory, without an effect (I-SAF-19)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """Read `args.territory`, `args.slot`, `args.to` and `args.to_slot`."""
        no_chance(entry)
        keys = ("territory", "slot", "to", "to_slot")
        args = arguments(entry, keys, keys)
        # One error code per argument, in the order of `keys`.
        codes = ("unknown_territory", "unknown_slot") * 2
        values = {key: number(args, key, 1, 3, code) for key, code in zip(keys, codes, strict=True)}
        return Move(entry.by, entry.do, values)

    def check(self, state: State, move: Move) -> Reasons:
        """Check the moment, the fighter and its new slot; refuse it altogether unless I-SAF-19 allows moves."""
        reasons = self.turn(state, move, self.summoning(state))
        if move.by not in SEATS:
            return reasons
        args = move.args
        target = FIGHTERS[move.by, args["to"]][args["to_slot"] - 1]
        reasons += self.movable(state, FIGHTERS[move.by, args["territory"]][args["slot"] - 1], target)
        if state.zones[target]:
            reasons.append(taken(args["to"], args["to_slot"]))
        elif target in state.unknown:
            reasons += missing("SAF-II-1", target)
        return reasons

    def movable(self, state: State, path: str, target: str) -> Reasons:
        """Return why what is in a slot may not leave it for another territory (SAF-VII-Deplacer)."""
        source = state.zones[path]
        card = (state.refs[source[0]] or "?") if source else "-"
        if state.terms.options["I-SAF-19"] == "no":
            return [Violation("SAF-VII-Deplacer", {"card": card}, ("I-SAF-19",), why="effect")]
        held = keywords.blocked(state, source[0]) if source and state.lasting else None
        if held is not None:
            return [Violation(held, {"card": card, "territory": int(path.split("/")[1][1:])}, ("I-SAF-19",))]
        reasons = held_back(state, "move", path)
        if reasons:
            return [replace(reason, depends_on=("I-SAF-19",)) for reason in reasons]
        if not source and path not in state.unknown:
            seat, land, _, slot = path.split("/")
            where = {"territory": int(land[1:]), "slot": int(slot)}
            return [Violation("SAF-VII-Deplacer", {"card": card, "seat": seat, **where}, why="vacant")]
        if source and state.noted("moved", source[0]):
            depends_on = ("I-SAF-12",) if keywords.back(state, source[0]) else ()
            return [Violation("SAF-VII-Deplacer", {"card": card}, depends_on, why="moved")]
        if path.split("/")[1] == target.split("/")[1]:
            return [Violation("SAF-VII-Deplacer", {"card": card}, why="same")]
        unsaid = [fact for fact in (path, "memory.moved") if fact in state.unknown]
        return [reason for fact in unsaid for reason in missing("SAF-VII-Deplacer", fact)]

    def run(self, ctx: Context, move: Move) -> None:
        """Move the fighter; by I-SAF-20 it may count as a replacement there."""
        state, args = ctx.state, move.args
        self.mixed(ctx)
        ctx.depend_on("I-SAF-19")
        obj = state.zones[FIGHTERS[move.by, args["territory"]][args["slot"] - 1]][0]
        ctx.emit("move", obj, FIGHTERS[move.by, args["to"]][args["to_slot"] - 1], -1)
        ctx.emit("note", "moved", obj)
        keywords.depend_on_return(ctx, obj)
        force.enter(ctx, obj)
        if state.noted("sacrificed", args["to"]):
            ctx.depend_on("I-SAF-20")
            if state.terms.options["I-SAF-20"] == "any":
                replaced(ctx, move.by, args["to"])
        if not force.quiet(state) or ctx.window:
            stack = Stack(ctx)
            self.happening(stack, move.by, obj, "arrived")
            resolve(ctx, move, started=stack)

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield every move of a fighter that has not moved yet to a free slot of another territory."""
        seat = wanted.seat(state.seat)
        allowed = state.terms.options["I-SAF-19"] == "yes" and state.phase in self.summoning(state)
        if seat is None or state.result is not None or not allowed:
            return
        places = [(t, s, FIGHTERS[seat, t][s - 1]) for t in THREE for s in THREE]
        for territory, slot, path in places:
            if not state.zones[path] or state.noted("moved", state.zones[path][0]):
                continue
            if state.lasting and keywords.blocked(state, state.zones[path][0]) is not None:
                continue
            if held_back(state, "move", path):
                continue
            for to, to_slot, target in places:
                if to != territory and not state.zones[target]:
                    yield Move(seat, "move", {"territory": territory, "slot": slot, "to": to, "to_slot": to_slot})


def price(state: State, card: Card, path: str) -> int:
    """Return what a card costs in a slot: its own cost (I-SAF-01), changed by cards in play (SAF-VIII-1)."""
    if "live" not in state.memory:
        return cost(state, card)
    return values.price(state, cost(state, card), Seen(-1, path, card.ref))


def replaced(ctx: Context, seat: str, territory: int) -> None:
    """Give the PI for a fighter played where one was sacrificed, once per sacrifice (SAF-VI.2-3, I-SAF-10)."""
    ctx.depend_on("I-SAF-10")
    ctx.depend_on("I-SAF-20")
    ctx.emit("clear", "sacrificed", territory)
    gain(ctx, PI[seat], 1)


def use_up(ctx: Context, obj: int, card: Card) -> None:
    """Discard a magic that has resolved, unless it stays in play (I-SAF-02)."""
    if any(keyword.get("kw") == "En jeu" for keyword in card.keywords):
        return
    ctx.depend_on("I-SAF-02")
    if ctx.state.terms.options["I-SAF-02"] == "discard" and not force.lasts(ctx.state, obj):
        destroy(ctx, obj)


def drawn_out(ctx: Context, seat: str, ref: str) -> int:
    """Return the object in hand that is played as this card, and name it if it was hidden.

    Where the hand has both a card that came back and a hidden one, nobody can tell which of them is played: what the
    first one did before then counts against neither (I-SAF-12).
    """
    obj, known = in_hand(ctx.state, seat, ref)
    assert obj is not None, "check lets through only cards of the hand"
    if known and keywords.used(ctx.state, obj):
        return _innocent(ctx, seat, ref)
    if not known:
        ctx.emit("name", obj, ref)
    return obj


def _innocent(ctx: Context, seat: str, ref: str) -> int:
    """Return the copy with nothing counted against it: a known one, or a hidden one, which is named."""
    state = ctx.state
    refs, hand = state.refs, state.zones[f"{seat}/hand"]
    known = keywords.freshest(state, [obj for obj in hand if refs[obj] == ref])
    hidden, left = [obj for obj in hand if refs[obj] is None], state.unseen.get(seat)
    # There is nothing to hide, or no unseen copy left that the hidden card could be.
    if not keywords.used(state, known) or not hidden or (left is not None and not left[ref]):
        return known
    ctx.depend_on("I-SAF-12")
    forgotten(ctx, known)
    ctx.emit("name", hidden[-1], ref)
    return hidden[-1]


def forgotten(ctx: Context, obj: int) -> None:
    """Hide a card of a hand again: what it did can no longer be held against any card."""
    for note in (*keywords.DONE, "returned"):
        while ctx.state.noted(note, obj):
            ctx.emit("clear", note, obj)
    ctx.emit("hide", obj)


def taken(territory: int, slot: int) -> Violation:
    """The violation of a slot that already holds a card (SAF-II-1)."""
    return Violation("SAF-II-1", {"territory": territory, "slot": slot}, why="taken")


def _happens(stack: Stack, frame: Frame) -> None:
    """Trigger the events of a card just played, moved or activated, if it is still in play after responses."""
    state, obj = stack.ctx.state, int(frame["obj"])
    if state.where[obj] in stack.host.in_play:
        triggers.after(stack, *((on, force.seen(state, obj)) for on in frame["on"]))


def _use_up(stack: Stack, frame: Frame) -> None:
    """Use up a magic, if its own effect left it in its slot."""
    state, obj = stack.ctx.state, int(frame["obj"])
    card = state.card(obj)
    if card is not None and "/magics/" in state.where[obj]:
        frames = triggers.leaving(state, obj)
        use_up(stack.ctx, obj, card)
        if "/magics/" not in state.where[obj]:
            force.leave(stack, obj)
            if frames:
                HOST.set_off(stack, frames)


# The frames that this module pushes; `shown.FRAMES` gives their fields.
HOST.steps["use_up"] = _use_up
HOST.steps["happens"] = _happens


def _face_down(entry: Entry, chance: tuple[tuple[str, object], ...] | None) -> Move:
    """Read a card placed face down. Raises Malformed."""
    keys = ("card", "face", "territory", "slot")
    args = arguments(entry, keys, keys)
    if args["face"] != "down" or args["card"] != "?":
        raise Malformed("bad_value", 'a card placed face down is "?", and its face "down"', path="args.face")
    territory = number(args, "territory", 1, 3, "unknown_territory")
    slot = number(args, "slot", 1, 3, "unknown_slot")
    return Move(entry.by, entry.do, {"card": "?", "face": "down", "territory": territory, "slot": slot}, chance)


def hideable(state: State, move: Move) -> Reasons:
    """Return why no card may be placed face down there: the slot is taken, or no «Caché» card may be in hand."""
    territory, slot = move.args["territory"], move.args["slot"]
    path = MAGICS[move.by, territory][slot - 1]
    reasons: Reasons = []
    if state.zones[path]:
        reasons.append(taken(territory, slot))
    elif state.unknown and path in state.unknown:
        reasons += missing("SAF-II-1", path)
    cards = maskable(state, move.by)
    if not cards:
        hand = f"{move.by}/hand"
        unsaid = missing("SAF-VII-Cache", hand) if hand in state.unknown else []
        reasons += unsaid or [Violation("SAF-VII-Cache", {"card": "?", "seat": move.by}, why="hand")]
    reasons_by_card = [forbidden(state, "play", card, path) for card in cards]
    return reasons + (reasons_by_card[0] if reasons_by_card and all(reasons_by_card) else [])


def maskable(state: State, seat: str) -> list[Card]:
    """Return the «Caché» cards that are, or may be, in a hand."""
    cards = (state.terms.cards[ref] for ref in possible(state, seat))
    return [card for card in cards if masked(card)]


def masked(card: Card) -> bool:
    """Whether a card bears «Caché», or might: a magic whose text is unknown may be one."""
    bears = card.program is not None and "Caché" in card.program.keywords
    return bears or (card.kind == "magie" and not card.executable)


def hide(ctx: Context, move: Move) -> None:
    """Place a card face down for free (SAF-VII-Cache); nobody knows which one until it is revealed (I-SAF-23)."""
    state = ctx.state
    hand = state.zones[f"{move.by}/hand"]
    # Any known «Caché» card of the hand may be the one placed, so all of them are hidden again.
    for obj in hand:
        card = state.card(obj)
        if card is not None and masked(card):
            ctx.emit("hide", obj)
    unnamed = [obj for obj in hand if state.refs[obj] is None]
    ctx.emit("move", unnamed[-1], MAGICS[move.by, move.args["territory"]][move.args["slot"] - 1], -1)


def hidings(state: State, seat: str, lands: Sequence[int]) -> Iterator[Move]:
    """Yield a face-down card in every free magic slot, if a «Caché» card is, or may be, in hand."""
    cards = maskable(state, seat)
    for territory in lands if cards else ():
        for slot, path in zip(THREE, MAGICS[seat, territory], strict=True):
            if not state.zones[path] and not all(forbidden(state, "play", card, path) for card in cards):
                yield Move(seat, "play", {"card": "?", "face": "down", "territory": territory, "slot": slot})
