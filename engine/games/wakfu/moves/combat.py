"""Phases 4 to 6: attackers, blockers, both totals shared out, the destructions and the Drop.

The course of a combat: `attack` begins phase BLOCAGE and `block` phase COMBAT, in which each player puts the points of
their total on opposing cards (`distribute`). Once both are done, `resolve` applies all points together; the winner's
Drop is drawn in phase DROP (`drop_keep`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from engine.core.effects import force, triggers
from engine.core.effects.destruction import batch
from engine.core.effects.hidden_cards import drawn, effect_chance, noted_draw, undrawn
from engine.core.effects.host import Stack, host_of
from engine.core.effects.interpreter import resolve as effects
from engine.core.table import places
from engine.core.table.agenda import Frame
from engine.core.table.chance import Dealer
from engine.core.table.context import Context, deal_top
from engine.core.table.game import Move, Wanted
from engine.core.table.log import Entry
from engine.core.table.state import State
from engine.core.table.verbs import arguments, missing, number
from engine.core.text.errors import Malformed, Violation
from engine.core.text.interrupt import each
from engine.games.wakfu.effects.host import HOST
from engine.games.wakfu.moves.base import (
    Acting,
    Reasons,
    WakfuVerb,
    forbidden,
    nothing_there,
    unknown,
    unmarked,
    zone_of,
)
from engine.games.wakfu.moves.mat import (
    ATTACKS,
    BEFORE_ATTACK,
    BLOCAGE,
    BLOCKS,
    COMBAT,
    DECK,
    DISCARD,
    DROP,
    ENGAGED,
    FIGHT,
    INVOCATION2,
    LEADER,
    OTHER,
    POINTS,
    PV,
    SEATS,
    Totals,
    counted,
    declared,
    destroy,
    engage,
    figure,
    leader,
    named,
    rank,
    side,
    strength,
    unmark_all,
)

MAX_POINTS = 10_000


class Declare(Acting):
    """Base class of `attack` and `block`: the cards of the combat zone, and the leader, that take part."""

    rule = "WAK-4-1"
    verb = "attack"
    list_name = "attackers"
    mark = ATTACKS
    fewest = 1

    def parse(self, state: State, entry: Entry) -> Move:
        """Read a list of places, each once; a ref also does where only one such card is there."""
        chance = effect_chance(state, entry)
        raw = arguments(entry, (self.list_name,), (self.list_name,))[self.list_name]
        path = f"args.{self.list_name}"
        if not isinstance(raw, list) or not self.fewest <= len(raw) <= len(state.refs):
            raise Malformed("wrong_type", f"{self.list_name} must be a list of places", path=path)
        zones = (FIGHT[entry.by],) if entry.by in SEATS else ()
        # The order of the cards means nothing, so each group has one canonical form.
        names = sorted((places.read(state, name, zones, self.list_name) for name in raw), key=rank)
        if any(one == two for one, two in pairwise(names)):
            raise Malformed("bad_value", "a card is named twice", path=path)
        return Move(entry.by, entry.do, {self.list_name: names}, chance)

    def able(self, state: State, seat: str, name: str) -> Reasons:
        """Return why a card may not take part (I-WAK-11)."""
        if zone_of(name) not in (FIGHT[seat], LEADER[seat]):
            return [Violation(self.rule, {"place": name[:40], "seat": seat}, why="zone")]
        obj = places.at(state, name)
        if obj is None:
            return nothing_there(state, name)
        forbidding = forbidden(state, self.verb, obj)
        if forbidding:
            return forbidding
        # The rule text says it of the leader alone; I-WAK-11 extends it to every card.
        strict = name == LEADER[seat] or state.terms.options["I-WAK-11"] == "no"
        if strict and state.mark(obj, ENGAGED):
            depends_on = () if name == LEADER[seat] else ("I-WAK-11",)
            return [Violation(self.rule, {"place": name, "seat": seat}, depends_on, why="engaged")]
        return unmarked(state, self.rule, seat) if strict else []

    def groups(self, state: State, seat: str, wanted: Wanted) -> Iterator[list[str]]:
        """Yield the groups of cards that may take part."""
        there = [obj for path in (FIGHT[seat], LEADER[seat]) for obj in state.zones[path]]
        able = [name for name in each(named(state, there)) if not self.able(state, seat, name)]
        yield from (list(group) for group in wanted.groups(able, self.fewest))

    def note(self, ctx: Context, move: Move, names: Sequence[str]) -> None:
        """Mark the cards that take part and set off what that triggers; I-WAK-10 may engage them."""
        state = ctx.state
        found = [obj for obj in (places.at(state, name) for name in names) if obj is not None]
        for obj in found:
            ctx.emit("mark", obj, self.mark, 1)
        if found:
            ctx.depend_on("I-WAK-10")
        if any(state.mark(obj, ENGAGED) for obj in found):
            ctx.depend_on("I-WAK-11")
        for obj in found if state.terms.options["I-WAK-10"] == "yes" else ():
            engage(ctx, obj)
        stack = Stack(ctx)
        triggers.after(stack, *((f"{self.verb}_declared", force.seen(state, obj)) for obj in found))
        settle(ctx, move, stack)


class Attack(Declare):
    """`attack`: declare the attackers of the turn (WAK-4-1)."""

    def check(self, state: State, move: Move) -> Reasons:
        """Check that it is the player's own turn, before any attack, and that the cards may fight."""
        reasons = self.moment(state, move, *BEFORE_ATTACK)
        if move.by not in SEATS:
            return reasons
        return reasons + [why for name in move.args["attackers"] for why in self.able(state, move.by, name)]

    def run(self, ctx: Context, move: Move) -> None:
        """Mark the attackers; the opponent blocks next."""
        ctx.emit("turn", ctx.state.turn, move.by, BLOCAGE)
        self.note(ctx, move, move.args["attackers"])

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield the groups of attackers, in the phases before the attack."""
        seat = wanted.seat(state.seat)
        if state.phase in BEFORE_ATTACK and seat is not None:
            yield from (Move(seat, "attack", {"attackers": group}) for group in self.groups(state, seat, wanted))


class Block(Declare):
    """`block`: declare the blockers, possibly none (WAK-5-1)."""

    rule = "WAK-5-1"
    verb = "block"
    list_name = "blockers"
    mark = BLOCKS
    fewest = 0

    def check(self, state: State, move: Move) -> Reasons:
        """Check that attackers are declared, and that the defender's cards may fight."""
        reasons = self.moment(state, move, BLOCAGE, other=True)
        if move.by not in SEATS:
            return reasons
        if reasons and state.phase in BEFORE_ATTACK and move.by == OTHER.get(state.seat or ""):
            reasons.append(Violation("WAK-5-1", {"place": LEADER[move.by], "seat": move.by}, why="unattacked"))
        return reasons + [why for name in move.args["blockers"] for why in self.able(state, move.by, name)]

    def run(self, ctx: Context, move: Move) -> None:
        """Mark the blockers; then both sides share out their totals, if there is a combat (I-WAK-05)."""
        state = ctx.state
        fought = bool(move.args["blockers"])
        if not fought:
            ctx.depend_on("I-WAK-05")
            fought = state.terms.options["I-WAK-05"] != "none"
        if not fought:
            unmark_all(ctx, ATTACKS)
        ctx.emit("turn", state.turn, state.seat, COMBAT if fought else INVOCATION2)
        self.note(ctx, move, move.args["blockers"])

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield the groups of blockers, the empty one included."""
        seat = None if state.seat is None else wanted.seat(OTHER[state.seat])
        if state.phase == BLOCAGE and seat is not None:
            yield from (Move(seat, "block", {"blockers": group}) for group in self.groups(state, seat, wanted))


class Distribute(Acting):
    """`distribute`: put points of the player's total on one opposing card or on the PV (WAK-6-2), an entry a target.

    Example `args`: `{"on": "B/combat/1", "points": 2}`, then `{"on": "B/leader", "points": 1}` for the PV.
    """

    def parse(self, state: State, entry: Entry) -> Move:
        """Read `args.on`, a place ("B/leader" for the PV), and `args.points`; or `args.done` true."""
        chance = effect_chance(state, entry)
        if "done" in entry.args:
            args = arguments(entry, ("done",))
            if args["done"] is not True:
                raise Malformed("bad_value", "done must be true", path="args.done")
            return Move(entry.by, entry.do, {"done": True}, chance)
        args = arguments(entry, ("on", "points"), ("on", "points"))
        points = number(args, "points", 1, MAX_POINTS)
        zones = (FIGHT[OTHER[entry.by]],) if entry.by in SEATS else ()
        return Move(entry.by, entry.do, {"on": places.read(state, args["on"], zones, "on"), "points": points}, chance)

    def check(self, state: State, move: Move) -> Reasons:
        """Check that it is the player's part, that the target has no points yet and that enough points are left."""
        reasons = self.moment(state, move, COMBAT, other=move.by != state.seat)
        if move.by not in SEATS or reasons:
            return reasons
        unsaid = unsettled_combat(state)
        if unsaid:
            return unsaid
        why, depends_on = self.misshared(state, move)
        if not why:
            return []
        args: dict[str, str | int] = {"seat": move.by, "left": left(state, move.by)}
        spent = {"points": move.args.get("points", 0), "place": move.args.get("on", "-")}
        return [Violation("WAK-6-2", {**args, **spent}, depends_on, why=why)]

    def misshared(self, state: State, move: Move) -> tuple[str, tuple[str, ...]]:
        """Return the reason of WAK-6-2 against the points ("" if none) and the interpretations it depends on."""
        seat, totals = move.by, Totals(state)
        rest = left(state, seat, totals)
        free = state.terms.options["I-WAK-07"] == "free"
        if sharer(state, totals) != seat:
            return ("order" if rest and not state.noted("shared", seat) else "none"), ("I-WAK-21",)
        if "done" in move.args:
            return ("", ()) if free else ("done", ("I-WAK-07",))
        name, points, open_ = move.args["on"], move.args["points"], targets(state, seat)
        if name not in open_:
            obj = places.at(state, name)
            again = obj is not None and side(state, obj) != seat and state.mark(obj, POINTS)
            return "again" if again else "target", ("I-WAK-04", "I-WAK-09")
        if points > rest:
            return "many", ()
        return ("few", ("I-WAK-07",)) if open_ == [name] and not free and points < rest else ("", ())

    def run(self, ctx: Context, move: Move) -> None:
        """Put the points on the target; once both sides have shared theirs out, resolve the combat."""
        state = ctx.state
        totals = Totals(state)
        # Who shares out first matters only if both sides have points.
        if totals["A"] and totals["B"]:
            ctx.depend_on("I-WAK-21")
        if "done" in move.args:
            ctx.depend_on("I-WAK-07")
            ctx.emit("note", "shared", move.by)
        else:
            obj = places.at(state, move.args["on"])
            assert obj is not None, "checked"
            # PV hit although their leader is not in the combat and other targets are: I-WAK-09 `declared` forbids it.
            behind = state.where[obj] in LEADER.values() and obj not in declared(state, OTHER[move.by])
            if behind and exposed(state, move.by):
                ctx.depend_on("I-WAK-09")
            ctx.emit("mark", obj, POINTS, move.args["points"])
            if not left(state, move.by, totals):
                ctx.emit("note", "shared", move.by)
        if sharer(state, totals) is None:
            resolve(ctx, move, totals)
        else:
            settle(ctx, move, Stack(ctx))

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield every number of points on every target, for the player who shares out now."""
        seat = wanted.seat(sharer(state)) if state.phase == COMBAT else None
        if seat is None:
            return
        names, most = targets(state, seat), left(state, seat)
        free = state.terms.options["I-WAK-07"] == "free"
        for name in names:
            # All points must be used (I-WAK-07), so the last target takes what is left.
            fewest = most if len(names) == 1 and not free else 1
            yield from (Move(seat, "distribute", {"on": name, "points": n}) for n in range(fewest, most + 1))
        if free:
            yield Move(seat, "distribute", {"done": True})


def order(state: State) -> Sequence[str]:
    """Return the seats in the order in which they share out their points (I-WAK-21)."""
    seat = state.seat or "A"
    both = (seat, OTHER[seat])
    return both if state.terms.options["I-WAK-21"] == "attacker" else both[::-1]


def sharer(state: State, totals: Totals | None = None) -> str | None:
    """Return the seat that shares out its points now, None once both have."""
    for seat in order(state):
        if not state.noted("shared", seat) and left(state, seat, totals):
            return seat
    return None


def given(state: State, seat: str) -> int:
    """Return the points a seat has put on opposing cards."""
    foe = OTHER[seat]
    return sum([state.mark(obj, POINTS) for path in (FIGHT[foe], LEADER[foe]) for obj in state.zones[path]])


def left(state: State, seat: str, totals: Totals | None = None) -> int:
    """Return the points a seat still has to share out."""
    return max(0, (totals or Totals(state))[seat] - given(state, seat))


def exposed(state: State, seat: str) -> list[int]:
    """Return the opposing cards of the combat zone that a seat may put points on (I-WAK-04)."""
    foe = OTHER[seat]
    if state.terms.options["I-WAK-04"] == "zone":
        return list(state.zones[FIGHT[foe]])
    return fighting(state, foe)


def targets(state: State, seat: str) -> list[str]:
    """Return where a seat may put its next points: exposed cards without points, and the PV (I-WAK-09)."""
    foe = OTHER[seat]
    cards = exposed(state, seat)
    chief = leader(state, foe)
    # All points must be used, so with no card to take them they always go to the PV.
    open_pv = state.terms.options["I-WAK-09"] == "pv" or not cards or chief in declared(state, foe)
    pool = [*cards, *([chief] if chief is not None and open_pv else [])]
    return named(state, [obj for obj in pool if not state.mark(obj, POINTS)])


def toughness(state: State, obj: int) -> int:
    """Return the points it takes to destroy a card (WAK-6-2, I-WAK-20)."""
    patt = figure(state, obj, "patt")
    return max(1, patt) if state.terms.options["I-WAK-20"] == "one" else patt


def unsettled_combat(state: State) -> Reasons:
    """Return the missing facts of a declared position without which totals and targets are unknown."""
    if not state.unknown and not any(state.refs[obj] is None for seat in SEATS for obj in state.zones[FIGHT[seat]]):
        return []
    zones = [path for seat in SEATS for path in (FIGHT[seat], LEADER[seat])]
    reasons = unknown(state, "WAK-6-1", "memory.shared", *zones)
    reasons += [why for seat in SEATS for why in unmarked(state, "WAK-6-1", seat)]
    hidden = [obj for path in zones for obj in state.zones[path] if state.refs[obj] is None]
    return reasons + [why for obj in hidden for why in missing("WAK-6-1", places.place(state, obj))]


def resolve(ctx: Context, move: Move, totals: Totals) -> None:
    """Apply both sides' points at once: PV lost, cards destroyed, then the winner's Drop (WAK-6-1 to WAK-6-4)."""
    state = ctx.state
    depend_on_totals(ctx, totals)
    # Everything is read from the board as it was before any destruction.
    victor = winner(ctx, totals)
    struck = [obj for seat in SEATS for obj in exposed(state, OTHER[seat])]
    fallen = [obj for obj in struck if state.mark(obj, POINTS) >= toughness(state, obj)]
    prizes = {obj: figure(state, obj, "drop") for obj in fallen if victor is not None and side(state, obj) != victor}
    chiefs = [obj for seat in SEATS for obj in state.zones[LEADER[seat]] if state.mark(obj, POINTS)]
    hurt = {side(state, obj): state.mark(obj, POINTS) for obj in chiefs}
    if any(not figure(state, obj, "patt") for obj in struck):
        ctx.depend_on("I-WAK-20")
    unmark_all(ctx, ATTACKS, BLOCKS, POINTS)
    ctx.emit("wipe", ("shared",))
    ctx.emit("turn", state.turn, state.seat, INVOCATION2)
    for seat, points in hurt.items():
        ctx.emit("counter", PV[seat], -min(points, state.counters[PV[seat]]))
    # No effect can answer the destructions, so no frames are needed.
    if force.quiet(state) or host_of(state).decided(state):
        for obj in fallen:
            destroy(ctx, obj)
        reward(ctx, victor or "", list(prizes), list(prizes.values()))
        return
    stack = Stack(ctx)
    stack.push({"step": "reward", "seat": victor or "", "objs": list(prizes), "drops": list(prizes.values())})
    stack.push(batch(fallen, "attack"))
    settle(ctx, move, stack)


def settle(ctx: Context, move: Move, stack: Stack) -> None:
    """Resolve what a move set off; most often nothing."""
    if stack.frames != list(ctx.state.agenda) or move.chance:
        effects(ctx, move, started=stack)


def _reward_step(stack: Stack, frame: Frame) -> None:
    """Draw the Drop, once the effects of the destructions have resolved."""
    reward(stack.ctx, frame["seat"], frame["objs"], frame["drops"])


def depend_on_totals(ctx: Context, totals: Totals) -> None:
    """Record the interpretations under which the points of this combat could have been different."""
    state = ctx.state
    if "I-WAK-03" not in ctx.depends_on and any(totals[seat] != _other_total(state, seat, totals) for seat in SEATS):
        ctx.depend_on("I-WAK-03")
    for seat in SEATS:
        if totals[OTHER[seat]] and len(state.zones[FIGHT[seat]]) > len(fighting(state, seat)):
            ctx.depend_on("I-WAK-04")


def _other_total(state: State, seat: str, totals: Totals) -> int:
    """Return a seat's total under the other option of I-WAK-03."""
    mine, others = counted(state, seat), counted(state, seat, other=True)
    # From the difference alone: most cards are in both totals.
    more, less = ([obj for obj in one if obj not in two] for one, two in ((others, mine), (mine, others)))
    return totals[seat] + strength(state, more) - strength(state, less)


def fighting(state: State, seat: str) -> list[int]:
    """Return the cards of a seat's combat zone that are declared in the combat."""
    return [obj for obj in declared(state, seat) if state.where[obj] == FIGHT[seat]]


def winner(ctx: Context, totals: Totals) -> str | None:
    """Return the seat with the higher total (WAK-6-1), None on a tie unless I-WAK-06 gives it to the attacker."""
    state = ctx.state
    seat = state.seat or "A"
    mine, theirs = totals[seat], totals[OTHER[seat]]
    if mine != theirs:
        return seat if mine > theirs else OTHER[seat]
    ctx.depend_on("I-WAK-06")
    return seat if state.terms.options["I-WAK-06"] == "attacker" else None


def reward(ctx: Context, seat: str, objs: Sequence[int], drops: Sequence[int]) -> None:
    """Give the winner the Drop of the cards it destroyed; from a deck too small, what is left (I-WAK-08)."""
    state = ctx.state
    # A card that an effect saved, or sent elsewhere, gives no Drop.
    prize = sum(drop for obj, drop in zip(objs, drops, strict=True) if state.where[obj] in DISCARD.values())
    if not seat or not prize or host_of(state).decided(state):
        return
    deck = len(state.zones[DECK[seat]])
    if prize > deck:
        ctx.depend_on("I-WAK-08")
        if state.terms.options["I-WAK-08"] == "loss":
            ctx.emit("end", OTHER[seat], "deck", "WAK-VIC-1")
            return
    for _ in range(min(prize, deck)):
        ctx.emit("note", "won", seat)
    if deck:
        ctx.emit("turn", state.turn, state.seat, DROP)


class DropKeep(WakfuVerb):
    """`drop_keep`: draw the Drop, keep one card, discard the others (WAK-6-3)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """Read `args.keep`, the number from 1 of the card kept, and one draw: of unknown cards if none was recorded."""
        args = arguments(entry, ("keep",), ("keep",))
        keep = number(args, "keep", 1, MAX_POINTS)
        open_chance = entry.n == 0 and entry.chance is None
        due = state.memory.get("won", []).count(entry.by)
        return Move(entry.by, entry.do, {"keep": keep}, None if open_chance else noted_draw(state, entry, due))

    def check(self, state: State, move: Move) -> Reasons:
        """Check that it is the winner, who draws as many cards as were won and keeps one of them."""
        reasons = self.moment(state, move, DROP, other=move.by != state.seat)
        if move.by not in SEATS or reasons:
            return reasons
        unsaid = unknown(state, "WAK-6-3", "memory.won", DECK[move.by])
        if unsaid:
            return unsaid
        due = state.memory.get("won", []).count(move.by)
        refs = drawn(move)[0] if move.chance is not None else ()
        if move.args["keep"] > due or (move.chance is not None and len(refs) != due):
            why = "other" if not due else "keep" if move.args["keep"] > due else ""
            args: dict[str, str | int] = {"seat": move.by, "count": due, "keep": move.args["keep"]}
            reasons.append(Violation("WAK-6-3", args, why=why))
        return reasons + undrawn(state, move.by, refs)

    def run(self, ctx: Context, move: Move) -> None:
        """Draw the cards, keep one and discard the others face up."""
        state, seat = ctx.state, move.by
        before = len(state.zones[f"{seat}/hand"])
        ctx.draw(seat, drawn(move)[0])
        got = state.zones[f"{seat}/hand"][before:]
        for obj in [obj for index, obj in enumerate(got, 1) if index != move.args["keep"]]:
            ctx.emit("move", obj, f"{seat}/discard", -1)
        ctx.emit("wipe", ("won",))
        ctx.emit("turn", state.turn, state.seat, INVOCATION2)

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """Deal the cards of the Drop."""
        due = state.memory.get("won", []).count(move.by)
        return replace(move, chance=(("draw", deal_top(state, move.by, due, dealer)),))

    def conceal(self, move: Move) -> Move:
        """Hide the card kept; the others lie face up in the discard."""
        keep = move.args["keep"] - 1
        chance = tuple(
            (kind, tuple("?" if index == keep else ref for index, ref in enumerate(refs)))
            for kind, refs in move.chance or ()
        )
        return replace(move, chance=chance)

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield one move for each card of the Drop."""
        if state.phase == DROP:
            won = state.memory.get("won", [])
            seat = wanted.seat(str(won[0])) if won else None
            if seat is not None:
                yield from (Move(seat, "drop_keep", {"keep": n}) for n in range(1, len(won) + 1))


HOST.steps["reward"] = _reward_step
