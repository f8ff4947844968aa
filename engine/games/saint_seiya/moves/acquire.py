"""What cards in play are used for: acquiring by Force or Cosmos, healing, and their own effects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from engine.core.abilities.language import objects_of
from engine.core.effects import triggers, values
from engine.core.effects.hidden_cards import effect_chance
from engine.core.effects.host import Stack
from engine.core.effects.interpreter import resolve
from engine.core.table import places
from engine.core.table.context import Context
from engine.core.table.game import Move, Wanted
from engine.core.table.log import Entry
from engine.core.table.state import State
from engine.core.table.verbs import arguments
from engine.core.text.errors import Malformed, Violation
from engine.core.text.interrupt import each
from engine.games.saint_seiya.moves.base import Reasons, SeiyaVerb, active, label, unknown
from engine.games.saint_seiya.moves.mat import (
    HEALS,
    IN_PLAY,
    TERRAIN,
    USED,
    abilities,
    acquire,
    barred,
    bear,
    confronts,
    cure,
    doubt,
    locked,
    marked,
    names,
    note_once,
    own_effect,
    player,
    put,
    unmark,
    unread,
)
from engine.games.saint_seiya.moves.prices import demanded, depended_on, depends_on_group, price
from engine.games.saint_seiya.vocabulary import (
    CHANNELS,
    COSMOS,
    COSTS,
    FACING,
    FIGHTS,
    FORCE,
    FOUGHT,
    FROST,
    SOIN,
    USED_UP,
    WOUND,
)

DESTINATION = {FORCE: "discard", COSMOS: "hand"}  # I-SSD-05
BREAKS = {FIGHTS: "SSD-VER-1", CHANNELS: "SSD-VER-2"}
BOUND_TO = {FIGHTS: FORCE, CHANNELS: COSMOS}
HURTS = {"blesser": WOUND, "geler": FROST}
MOST_ENGAGED = 60  # cards engaged at once


def zones(seat: str) -> list[str]:
    """Return the zones in which a seat's cards are in play."""
    return [f"{seat}/{zone}" for zone in IN_PLAY]


def own(state: State, seat: str, name: str, why: str = "used") -> Reasons:
    """Return why a seat has no card in play at this place.

    The card is marked (SSD-JOU-3), absent, not in play or not its own (SSD-EFF-1). `why` is the reason of SSD-EFF-1 for
    a card that is not in play: what it was to be used for.
    """
    obj = places.at(state, name)
    if obj is None:
        why = "empty" if name in state.zones or name.rpartition("/")[0] in state.zones else why
        found = unknown(state, "SSD-EFF-1", name.rpartition("/")[0], name)
        return found or [Violation("SSD-EFF-1", {"card": name[:40]}, why=why)]
    if state.where[obj] in zones(seat):
        return []
    if marked(state, obj):
        return [Violation("SSD-JOU-3", {"card": label(state, name)})]
    owner = player(state, obj)
    foreign = owner in state.terms.seats and state.where[obj] in zones(owner)
    return [Violation("SSD-EFF-1", {"card": label(state, name), "seat": owner}, why="other" if foreign else why)]


def spent(state: State, obj: int) -> Reasons:
    """Return why a card cannot be used again this turn (I-SSD-07)."""
    if not state.mark(obj, USED):
        return []
    return [Violation("SSD-JEU-4", {"card": state.refs[obj] or "?"})]


class Acquire(SeiyaVerb):
    """`acquire`: engage the Force, or the Cosmos, of cards that confront another, to acquire it (SSD-VAL-1)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """Read `args.card` (a place of the terrain), `args.by` ("force" or "cosmos") and `args.with` (places of cards).

        Without `args.with`, every card that can be engaged is. Raises Malformed.
        """
        chance = effect_chance(state, entry)
        args = arguments(entry, ("card", "by", "with"), ("card", "by"))
        if args["by"] not in COSTS:
            raise Malformed("bad_value", f"by must be one of: {', '.join(COSTS)}", path="args.by")
        target = places.read(state, args["card"], TERRAIN, "card")
        if "with" in args:
            engaged = read_places(state, entry.by, args["with"])
        else:
            obj = places.at(state, target)
            engaged = names(state, able(state, entry.by, obj, args["by"])) if entry.by in state.terms.seats else []
        return Move(entry.by, entry.do, {"card": target, "by": args["by"], "with": engaged}, chance)

    def check(self, state: State, move: Move) -> Reasons:
        """Check the moment, the target, each card engaged, that there is a printed cost, and that the value is enough.

        Where the engine cannot read one of the cards, cost and value are not held against the move.
        """
        reasons = self.moment(state, move)
        if move.by not in state.terms.seats:
            return reasons
        name, mode = move.args["card"], move.args["by"]
        target = places.at(state, name) if name in TERRAIN else None
        if target is None:
            why = "empty" if name in TERRAIN else "place"
            gone = Violation("SSD-AFF-1", {"card": "-", "target": name[:40]}, why=why)
            return reasons + (unknown(state, "SSD-AFF-1", name) or [gone])
        for item in move.args["with"]:
            reasons += self.engaged(state, move.by, item, target, mode)
        # A text nobody can read may change a cost or a value, or give a cost where none is printed.
        engaged = [obj for item in move.args["with"] if (obj := places.at(state, item)) is not None]
        open_ = loose(state, target, engaged)
        cost = price(state, target, mode, engaged)
        if cost is None and not open_:
            gap = ("I-SSD-19",) if depends_on_group(state, target, engaged) else ()
            return [*reasons, Violation("SSD-COU-1", {"card": label(state, name), "mode": mode}, gap)]
        reasons += forbidden(state, target, move.args["with"])
        if mode == FORCE and not open_:
            reasons += demands(state, move.by, target, engaged)
        if not move.args["with"]:
            return [*reasons, Violation("SSD-AFF-1", {"card": "-", "target": label(state, name)}, why="nobody")]
        value = sum(values.stat(state, obj, mode) for obj in engaged)
        if cost is not None and value < cost and not open_:
            gaps = depended_on(state, target, engaged)
            reasons.append(Violation("SSD-VAL-1", {"value": value, "cost": cost}, gaps))
        return reasons

    def engaged(self, state: State, seat: str, name: str, target: int, mode: str) -> Reasons:
        """Return why a card cannot be engaged against the target."""
        reasons = own(state, seat, name)
        obj = places.at(state, name)
        if reasons or obj is None:
            return reasons
        return unopposed(state, obj, target) + spent(state, obj) + bound(state, obj, mode)

    def run(self, ctx: Context, move: Move) -> None:
        """Use the engaged cards and move the target to the discard or to the hand (I-SSD-05)."""
        state, stack, mode = ctx.state, Stack(ctx), move.args["by"]
        target = places.at(state, move.args["card"])
        assert target is not None, "checked"
        engaged = [obj for item in move.args["with"] if (obj := places.at(state, item)) is not None]
        for gap in depended_on(state, target, engaged):
            ctx.depend_on(gap)
        for obj in engaged:
            doubt(ctx, obj)
            note_once(ctx, obj, USED)
        note_fighters(ctx, target, engaged if mode == FORCE else ())
        ctx.depend_on("I-SSD-05")
        toll = demanded(state, "toll", target) if mode == FORCE else 0
        if toll:
            stack.push({"step": "give_up", "seat": move.by, "left": toll, "from": "hand"})
        # By I-SSD-05 `discard` every acquisition goes to the discard, whatever the mode.
        to = DESTINATION[mode] if state.terms.options["I-SSD-05"] == "split" else "discard"
        acquire(stack, target, move.by, to)
        resolve(ctx, move, started=stack)

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield every card of the terrain, by each mode, with the groups of cards of enough value."""
        seat = wanted.seat(active(state))
        for slot in TERRAIN if seat is not None else ():
            target = places.at(state, slot)
            if seat is None or target is None or barred(state, "acquire", target) is not None:
                continue
            for mode in COSTS:
                ready = able(state, seat, target, mode)[:MOST_ENGAGED]
                # Not only the smallest groups: engaging more cards than needed is legal.
                for group in wanted.groups(ready, fits=enough(state, seat, target, mode)):
                    yield Move(seat, "acquire", {"card": slot, "by": mode, "with": names(state, group)})


def enough(state: State, seat: str, target: int, mode: str) -> Callable[[Sequence[int]], bool]:
    """Return a test whether the value of a group of cards is, or may be by a text the engine cannot read, enough."""
    worth: dict[int, int] = {}

    def fits(group: Sequence[int]) -> bool:
        if loose(state, target, group):
            return True
        cost = price(state, target, mode, group)
        for obj in group:
            if obj not in worth:
                worth[obj] = values.stat(state, obj, mode)
        paid = cost is not None and sum(worth[obj] for obj in group) >= cost
        return paid and not (mode == FORCE and demands(state, seat, target, group))

    return fits


def demands(state: State, seat: str, target: int, engaged: Sequence[int]) -> Reasons:
    """Return why these cards may not fight a target: too few characters, or too few cards in hand to discard for it."""
    args = {"card": state.refs[target] or "?"}
    fighters, toll = demanded(state, "fighters", target), demanded(state, "toll", target)
    count = sum(card is not None and card.kind in FACING for card in map(state.card, engaged))
    reasons: Reasons = []
    if count < fighters:
        reasons.append(Violation("SSD-TER-1", {**args, "count": count, "min": fighters}, why="few"))
    if toll and len(state.zones[f"{seat}/hand"]) < toll:
        missing = unknown(state, "SSD-TER-1", f"{seat}/hand")
        reasons += missing or [Violation("SSD-TER-1", {**args, "min": toll, "seat": seat}, why="toll")]
    return reasons


def note_fighters(ctx: Context, target: int, engaged: Sequence[int]) -> None:
    """Mark the cards that fight a card whose Vaincu asks for them, and unmark those that fought another."""
    state = ctx.state
    for obj in [obj for obj, counts in state.marks.items() if FOUGHT in counts]:
        unmark(ctx, obj, FOUGHT)
    won = objects_of(list(abilities(state, target, "vaincu")))
    if any(FOUGHT in tree.get("marks", ()) for tree in won):
        for obj in engaged:
            note_once(ctx, obj, FOUGHT)


def loose(state: State, target: int, engaged: Sequence[int | None]) -> bool:
    """Whether cost or value may differ from the known ones: the engine cannot read one of the cards."""
    return any(obj is not None and unread(state, obj) for obj in (target, *engaged))


def unopposed(state: State, obj: int, target: int) -> Reasons:
    """Return why a card does not confront a target: it faces none or another, or a card forbids it (SSD-AFF-1)."""
    if confronts(state, obj, target):
        return []
    faced, guard = state.hosts.get(obj), barred(state, "face", target)
    args = {"card": state.refs[obj] or "?", "target": state.refs[target] or "?"}
    if faced is None:
        return [Violation("SSD-AFF-1", args, why="alone")]
    if faced != target:
        return [Violation("SSD-AFF-1", {**args, "other": state.refs[faced] or "?"}, why="another")]
    return [Violation("SSD-AFF-1", {**args, "other": guard or "?"}, why="guard")]


def forbidden(state: State, target: int, engaged: Sequence[str]) -> Reasons:
    """Return why a card's text forbids acquiring another; it blocks a card bound to do so (SSD-VER-3)."""
    other = barred(state, "acquire", target)
    if other is None:
        return []
    found = [obj for item in engaged if (obj := places.at(state, item)) is not None and locked(state, obj)]
    args = {"target": state.refs[target] or "?", "other": other}
    if found:
        return [Violation("SSD-VER-3", {**args, "card": state.refs[found[0]] or "?"})]
    return [Violation("SSD-VER-3", args, why="forbidden")]


def read_places(state: State, seat: str, raw: Any) -> list[str]:
    """Read places of cards in play, sorted in the order of the table.

    Raises Malformed: `wrong_type`, or `bad_value` for a card named twice.
    """
    if not isinstance(raw, list) or len(raw) > MOST_ENGAGED:
        raise Malformed("wrong_type", "with must be a list of places of cards", path="args.with")
    near = zones(seat) if seat in state.terms.seats else []
    found = [places.read(state, item, near, "with") for item in raw]
    if len(dict.fromkeys(found)) != len(found):
        raise Malformed("bad_value", "a card is engaged once", path="args.with")
    order = names(state, [obj for path in near for obj in state.zones[path]])
    return sorted(found, key=lambda name: order.index(name) if name in order else len(order))


def able(state: State, seat: str, target: int | None, mode: str) -> list[int]:
    """Return a seat's cards that may be engaged against a target, in the order of the table."""
    return [
        obj
        for path in zones(seat)
        for obj in state.zones[path]
        if confronts(state, obj, target) and not spent(state, obj) and not bound(state, obj, mode)
    ]


def bound(state: State, obj: int, use: str) -> Reasons:
    """Return why its Mise en Jeu denies a card this use: the other mode, or Soin (SSD-VER-1, SSD-VER-2)."""
    keyword = locked(state, obj)
    if not keyword or BOUND_TO[keyword] == use:
        return []
    return [Violation(BREAKS[keyword], {"card": state.refs[obj] or "?"})]


class Heal(SeiyaVerb):
    """`heal`: spend 1 Soin of a card in play on a token of any player's marked card (SSD-SOI-1, SSD-SOI-2)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """Read `args.with` (the card that heals), `args.on` (the marked card) and `args.token`.

        If the token is left out it is a wound, or a frost on a card without wounds. Raises Malformed, `bad_value`.
        """
        args = arguments(entry, ("with", "on", "token"), ("with", "on"))
        healer = places.read(state, args["with"], zones(entry.by) if entry.by in state.terms.seats else (), "with")
        on = places.read(state, args["on"], [f"{seat}/marked" for seat in state.terms.seats], "on")
        obj = places.at(state, on)
        token = args.get("token", WOUND if obj is None or state.mark(obj, WOUND) else FROST)
        if token not in (WOUND, FROST):
            raise Malformed("bad_value", f"token is {WOUND} or {FROST}", path="args.token")
        return Move(entry.by, entry.do, {"with": healer, "on": on, "token": token}, effect_chance(state, entry))

    def check(self, state: State, move: Move) -> Reasons:
        """Check the moment, that a card has Soin left and may heal, and that the other bears the token."""
        reasons = self.moment(state, move)
        if move.by not in state.terms.seats:
            return reasons
        missing = own(state, move.by, move.args["with"])
        obj = places.at(state, move.args["with"])
        if not missing and obj is not None:
            missing = self.healing(state, obj)
        return reasons + missing + self.hurt(state, move.args["on"], move.args["token"])

    def healing(self, state: State, obj: int) -> Reasons:
        """Return why a card has nothing to heal with."""
        reasons = bound(state, obj, SOIN)
        # HEALS counts what is left of the Soin of a card already in use for healing.
        if state.mark(obj, HEALS) or unread(state, obj):
            return reasons
        reasons = spent(state, obj) + reasons
        if not reasons and not values.stat(state, obj, SOIN):
            reasons = [Violation("SSD-SOI-1", {"card": state.refs[obj] or "?"})]
        return reasons

    def hurt(self, state: State, name: str, token: str) -> Reasons:
        """Return why there is no such token to heal there (SSD-MAR-1)."""
        obj = places.at(state, name)
        if obj is not None and state.where[obj].endswith("/marked") and state.mark(obj, token):
            guard = barred(state, "heal", obj)
            args = {"card": label(state, name), "other": guard or "?"}
            return [] if guard is None else [Violation("SSD-SOI-1", args, why="guard")]
        there = obj is not None and state.where[obj].endswith("/marked")
        none = Violation("SSD-MAR-1", {"card": label(state, name)}, why="" if there else "place")
        return unknown(state, "SSD-MAR-1", f"{name}.marks", name.rpartition("/")[0]) or [none]

    def run(self, ctx: Context, move: Move) -> None:
        """Heal one token; what is left of the card's Soin may heal others this turn."""
        state = ctx.state
        obj, hurt = places.at(state, move.args["with"]), places.at(state, move.args["on"])
        assert obj is not None and hurt is not None, "checked"
        if state.mark(obj, HEALS):
            ctx.emit("mark", obj, HEALS, -1)
        elif values.stat(state, obj, SOIN) > 1:
            ctx.emit("mark", obj, HEALS, values.stat(state, obj, SOIN) - 1)
        note_once(ctx, obj, USED)
        doubt(ctx, obj)
        stack = Stack(ctx)
        cure(stack, hurt, move.args["token"])
        resolve(ctx, move, started=stack)

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield every card that may heal, with every token."""
        seat = wanted.seat(active(state))
        if seat is None:
            return
        marked_ = [obj for other in state.terms.seats for obj in state.zones[f"{other}/marked"]]
        hurt = [
            {"on": places.place(state, obj), "token": token}
            for obj in each(marked_)
            if barred(state, "heal", obj) is None
            for token in (WOUND, FROST)
            if state.mark(obj, token)
        ]
        for obj in each(obj for path in zones(seat) for obj in state.zones[path]) if hurt else ():
            if not self.healing(state, obj):
                healer = places.place(state, obj)
                yield from (Move(seat, "heal", {"with": healer, **wound}) for wound in hurt)


class Effect(SeiyaVerb):
    """`effect`: use a card's Détruire, Défausser, Blesser or Geler, which costs the card itself (SSD-EFF-1)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """Read `args.card` (its place) and `args.effect` ("détruire", "défausser", "blesser" or "geler").

        Raises Malformed, `bad_value` for another effect.
        """
        chance = effect_chance(state, entry)
        args = arguments(entry, ("card", "effect"), ("card", "effect"))
        if args["effect"] not in USED_UP:
            raise Malformed("bad_value", f"effect must be one of: {', '.join(USED_UP)}", path="args.effect")
        near: Sequence[str] = zones(entry.by) if entry.by in state.terms.seats else ()
        return Move(
            entry.by, entry.do, {"card": places.read(state, args["card"], near, "card"), "effect": args["effect"]},
            chance,
        )  # fmt: skip

    def check(self, state: State, move: Move) -> Reasons:
        """Check the moment, a card in play (SSD-EFF-1) with this effect (SSD-EFF-3), not used yet (SSD-JEU-4)."""
        reasons = self.moment(state, move)
        if move.by not in state.terms.seats:
            return reasons
        absent = own(state, move.by, move.args["card"], "")
        obj = places.at(state, move.args["card"])
        return reasons + absent if absent or obj is None else reasons + self.possible(state, obj, move.args["effect"])

    def possible(self, state: State, obj: int, effect: str) -> Reasons:
        """Return why a card in play cannot do this effect; a card the engine cannot read always may."""
        reasons: Reasons = []
        if unread(state, obj):
            return reasons
        if state.mark(obj, USED) and state.terms.options["I-SSD-07"] == "once":
            reasons = [Violation("SSD-JEU-4", {"card": state.refs[obj] or "?"}, ("I-SSD-07",))]
        guard = barred(state, "wound", obj) if effect == "blesser" else None
        if guard is not None:
            reasons.append(Violation("SSD-EFF-3", {"card": state.refs[obj] or "?", "other": guard}, why="guard"))
        if not abilities(state, obj, effect):
            reasons.append(Violation("SSD-EFF-3", {"card": state.refs[obj] or "?", "effect": effect}))
        return reasons

    def run(self, ctx: Context, move: Move) -> None:
        """Destroy, discard, wound or freeze the card, then resolve its effect.

        For a card that the engine cannot read, all of this is left to a ruling.
        """
        state, stack, effect = ctx.state, Stack(ctx), move.args["effect"]
        ctx.depend_on("I-SSD-07")
        obj = places.at(state, move.args["card"])
        assert obj is not None, "checked"
        if unread(state, obj):
            doubt(ctx, obj)
            resolve(ctx, move)
            return
        frames = own_effect(state, obj, move.by, effect)
        if effect in HURTS:
            # Marqué, which `bear` pushes later, resolves before the effect: it reacts at once (SSD-EFF-5).
            triggers.push(stack, frames)
            bear(stack, obj, HURTS[effect])
        else:
            put(stack, obj, f"{player(state, obj)}/{'destroyed' if effect == USED_UP[0] else 'discard'}")
            triggers.push(stack, frames)
        resolve(ctx, move, started=stack)

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield every card in play, with every effect that it may do."""
        seat = wanted.seat(active(state))
        for path in zones(seat) if seat is not None else ():
            for obj in each(state.zones[path]):
                for effect in USED_UP:
                    if seat is not None and not self.possible(state, obj, effect):
                        yield Move(seat, "effect", {"card": places.place(state, obj), "effect": effect})
