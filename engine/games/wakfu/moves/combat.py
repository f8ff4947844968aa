"""Phases 4 to 6: attackers, blockers, both totals shared out, destructions and the drop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, pairwise

from engine.core import places
from engine.core.agenda import Frame, Stack
from engine.core.context import Context, deal_top
from engine.core.effects import force, triggers
from engine.core.effects.destruction import batch
from engine.core.effects.interpreter import resolve as effects
from engine.core.errors import Malformed, Violation
from engine.core.game import Dealer, Move
from engine.core.hidden import drawn, effect_chance, noted_draw, undrawn
from engine.core.log import Entry
from engine.core.state import State
from engine.core.verbs import arguments, missing, number
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
    """What `attack` and `block` share: cards of the combat zone, and the leader, that may fight."""

    rule = "WAK-4-1"
    verb = "attack"
    list_name = "attackers"
    mark = ATTACKS
    fewest = 1

    def parse(self, state: State, entry: Entry) -> Move:
        """A list of places, each once; refs where only one such card is there."""
        chance = effect_chance(state, entry)
        raw = arguments(entry, (self.list_name,), (self.list_name,))[self.list_name]
        path = f"args.{self.list_name}"
        if not isinstance(raw, list) or not self.fewest <= len(raw) <= len(state.refs):
            raise Malformed("wrong_type", f"{self.list_name} is a list of places", path=path)
        zones = (FIGHT[entry.by],) if entry.by in SEATS else ()
        names = sorted((places.read(state, name, zones, self.list_name) for name in raw), key=rank)
        if any(one == two for one, two in pairwise(names)):
            raise Malformed("bad_value", "a card is named twice", path=path)
        return Move(entry.by, entry.do, {self.list_name: names}, chance)

    def able(self, state: State, seat: str, name: str) -> Reasons:
        """Why a card may not take part (I-WAK-11)."""
        if zone_of(name) not in (FIGHT[seat], LEADER[seat]):
            return [Violation(self.rule, {"place": name[:40], "seat": seat}, why="zone")]
        obj = places.at(state, name)
        if obj is None:
            return nothing_there(state, name)
        told = forbidden(state, self.verb, obj)
        if told:
            return told
        strict = name == LEADER[seat] or state.terms.options["I-WAK-11"] == "no"
        if strict and state.mark(obj, ENGAGED):
            leans = () if name == LEADER[seat] else ("I-WAK-11",)
            return [Violation(self.rule, {"place": name, "seat": seat}, leans, why="engaged")]
        return unmarked(state, self.rule, seat) if strict else []

    def groups(self, state: State, seat: str) -> Iterator[list[str]]:
        """Every group of cards that may take part."""
        there = [obj for path in (FIGHT[seat], LEADER[seat]) for obj in state.zones[path]]
        able = [name for name in named(state, there) if not self.able(state, seat, name)]
        for count in range(self.fewest, len(able) + 1):
            yield from (list(group) for group in combinations(able, count))

    def note(self, ctx: Context, move: Move, names: Sequence[str]) -> None:
        """Remember who takes part, and set off what that does; I-WAK-10 may engage them."""
        state = ctx.state
        found = [obj for obj in (places.at(state, name) for name in names) if obj is not None]
        for obj in found:
            ctx.emit("mark", obj, self.mark, 1)
        if found:
            ctx.lean("I-WAK-10")
        if any(state.mark(obj, ENGAGED) for obj in found):
            ctx.lean("I-WAK-11")
        for obj in found if state.terms.options["I-WAK-10"] == "yes" else ():
            engage(ctx, obj)
        stack = Stack(ctx)
        triggers.after(stack, *((f"{self.verb}_declared", force.seen(state, obj)) for obj in found))
        settle(ctx, move, stack)


class Attack(Declare):
    """`attack`: the attackers of the turn (WAK-4-1)."""

    def check(self, state: State, move: Move) -> Reasons:
        """Own turn, before any attack; cards that may fight."""
        reasons = self.moment(state, move, *BEFORE_ATTACK)
        if move.by not in SEATS:
            return reasons
        return reasons + [why for name in move.args["attackers"] for why in self.able(state, move.by, name)]

    def run(self, ctx: Context, move: Move) -> None:
        """Notes the attackers: it is for the opponent to block."""
        ctx.emit("turn", ctx.state.turn, move.by, BLOCAGE)
        self.note(ctx, move, move.args["attackers"])

    def candidates(self, state: State) -> Iterator[Move]:
        """Every group, in the phases before the attack."""
        if state.phase in BEFORE_ATTACK and state.seat is not None:
            seat = state.seat
            yield from (Move(seat, "attack", {"attackers": group}) for group in self.groups(state, seat))


class Block(Declare):
    """`block`: the blockers, perhaps none (WAK-5-1)."""

    rule = "WAK-5-1"
    verb = "block"
    list_name = "blockers"
    mark = BLOCKS
    fewest = 0

    def check(self, state: State, move: Move) -> Reasons:
        """By the defender, once attackers are declared."""
        reasons = self.moment(state, move, BLOCAGE, other=True)
        if move.by not in SEATS:
            return reasons
        if reasons and state.phase in BEFORE_ATTACK and move.by == OTHER.get(state.seat or ""):
            reasons.append(Violation("WAK-5-1", {"place": LEADER[move.by], "seat": move.by}, why="unattacked"))
        return reasons + [why for name in move.args["blockers"] for why in self.able(state, move.by, name)]

    def run(self, ctx: Context, move: Move) -> None:
        """Notes the blockers: both sides then share out their totals, where there is a combat (I-WAK-05)."""
        state = ctx.state
        fought = bool(move.args["blockers"])
        if not fought:
            ctx.lean("I-WAK-05")
            fought = state.terms.options["I-WAK-05"] != "none"
        if not fought:
            unmark_all(ctx, ATTACKS)
        ctx.emit("turn", state.turn, state.seat, COMBAT if fought else INVOCATION2)
        self.note(ctx, move, move.args["blockers"])

    def candidates(self, state: State) -> Iterator[Move]:
        """Every group, none among them."""
        if state.phase == BLOCAGE and state.seat is not None:
            seat = OTHER[state.seat]
            yield from (Move(seat, "block", {"blockers": group}) for group in self.groups(state, seat))


class Distribute(Acting):
    """`distribute`: points of one's total on one opposing card or on the PV (WAK-6-2); an entry for each target."""

    def parse(self, state: State, entry: Entry) -> Move:
        """`args.on`, a place ("B/leader" for the PV), and `args.points`; or `args.done` true."""
        chance = effect_chance(state, entry)
        if "done" in entry.args:
            args = arguments(entry, ("done",))
            if args["done"] is not True:
                raise Malformed("bad_value", "done is true", path="args.done")
            return Move(entry.by, entry.do, {"done": True}, chance)
        args = arguments(entry, ("on", "points"), ("on", "points"))
        points = number(args, "points", 1, MAX_POINTS)
        zones = (FIGHT[OTHER[entry.by]],) if entry.by in SEATS else ()
        return Move(entry.by, entry.do, {"on": places.read(state, args["on"], zones, "on"), "points": points}, chance)

    def check(self, state: State, move: Move) -> Reasons:
        """One's part of the sharing, a target that has no points yet, no more points than are left."""
        reasons = self.moment(state, move, COMBAT, other=move.by != state.seat)
        if move.by not in SEATS or reasons:
            return reasons
        unsaid = unsettled_combat(state)
        if unsaid:
            return unsaid
        why, leans = self.misshared(state, move)
        if not why:
            return []
        args: dict[str, str | int] = {"seat": move.by, "left": left(state, move.by)}
        told = {"points": move.args.get("points", 0), "place": move.args.get("on", "-")}
        return [Violation("WAK-6-2", {**args, **told}, leans, why=why)]

    def misshared(self, state: State, move: Move) -> tuple[str, tuple[str, ...]]:
        """The reason of WAK-6-2 against points, with what it leans on; "" where they may go there."""
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
        """Puts the points; once both have shared theirs out, the combat is resolved."""
        state = ctx.state
        totals = Totals(state)
        if totals["A"] and totals["B"]:
            ctx.lean("I-WAK-21")
        if "done" in move.args:
            ctx.lean("I-WAK-07")
            ctx.emit("note", "shared", move.by)
        else:
            obj = places.at(state, move.args["on"])
            assert obj is not None, "checked"
            behind = state.where[obj] in LEADER.values() and obj not in declared(state, OTHER[move.by])
            if behind and exposed(state, move.by):
                ctx.lean("I-WAK-09")
            ctx.emit("mark", obj, POINTS, move.args["points"])
            if not left(state, move.by, totals):
                ctx.emit("note", "shared", move.by)
        if sharer(state, totals) is None:
            resolve(ctx, move, totals)
        else:
            settle(ctx, move, Stack(ctx))

    def candidates(self, state: State) -> Iterator[Move]:
        """Every number of points on every target, of whoever shares out now."""
        seat = sharer(state) if state.phase == COMBAT else None
        if seat is None:
            return
        names, most = targets(state, seat), left(state, seat)
        free = state.terms.options["I-WAK-07"] == "free"
        for name in names:
            fewest = most if len(names) == 1 and not free else 1
            yield from (Move(seat, "distribute", {"on": name, "points": n}) for n in range(fewest, most + 1))
        if free:
            yield Move(seat, "distribute", {"done": True})


def order(state: State) -> Sequence[str]:
    """Who shares out first (I-WAK-21)."""
    seat = state.seat or "A"
    both = (seat, OTHER[seat])
    return both if state.terms.options["I-WAK-21"] == "attacker" else both[::-1]


def sharer(state: State, totals: Totals | None = None) -> str | None:
    """The seat that shares out its points now, None once both have."""
    for seat in order(state):
        if not state.noted("shared", seat) and left(state, seat, totals):
            return seat
    return None


def given(state: State, seat: str) -> int:
    """The points a seat has put on opposing cards."""
    foe = OTHER[seat]
    return sum([state.mark(obj, POINTS) for path in (FIGHT[foe], LEADER[foe]) for obj in state.zones[path]])


def left(state: State, seat: str, totals: Totals | None = None) -> int:
    """The points a seat still has to share out."""
    return max(0, (totals or Totals(state))[seat] - given(state, seat))


def exposed(state: State, seat: str) -> list[int]:
    """The opposing cards of the combat zone that points of a seat may go to (I-WAK-04)."""
    foe = OTHER[seat]
    if state.terms.options["I-WAK-04"] == "zone":
        return list(state.zones[FIGHT[foe]])
    return fighting(state, foe)


def targets(state: State, seat: str) -> list[str]:
    """Where the next points of a seat may go: exposed cards without any yet, and the PV (I-WAK-09)."""
    foe = OTHER[seat]
    cards = exposed(state, seat)
    chief = leader(state, foe)
    open_pv = state.terms.options["I-WAK-09"] == "pv" or not cards or chief in declared(state, foe)
    pool = [*cards, *([chief] if chief is not None and open_pv else [])]
    return named(state, [obj for obj in pool if not state.mark(obj, POINTS)])


def toughness(state: State, obj: int) -> int:
    """The points it takes to destroy a card (WAK-6-2, I-WAK-20)."""
    patt = figure(state, obj, "patt")
    return max(1, patt) if state.terms.options["I-WAK-20"] == "one" else patt


def unsettled_combat(state: State) -> Reasons:
    """The facts a declared position leaves out without which totals and targets are not known."""
    if not state.unknown and not any(state.refs[obj] is None for seat in SEATS for obj in state.zones[FIGHT[seat]]):
        return []
    zones = [path for seat in SEATS for path in (FIGHT[seat], LEADER[seat])]
    reasons = unknown(state, "WAK-6-1", "memory.shared", *zones)
    reasons += [why for seat in SEATS for why in unmarked(state, "WAK-6-1", seat)]
    hidden = [obj for path in zones for obj in state.zones[path] if state.refs[obj] is None]
    return reasons + [why for obj in hidden for why in missing("WAK-6-1", places.place(state, obj))]


def resolve(ctx: Context, move: Move, totals: Totals) -> None:
    """Both sharings at once: PV lost, cards destroyed, then the drop of the winner (WAK-6-1 to WAK-6-4)."""
    state = ctx.state
    lean_on_totals(ctx, totals)
    victor = winner(ctx, totals)
    struck = [obj for seat in SEATS for obj in exposed(state, OTHER[seat])]
    fallen = [obj for obj in struck if state.mark(obj, POINTS) >= toughness(state, obj)]
    prizes = {obj: figure(state, obj, "drop") for obj in fallen if victor is not None and side(state, obj) != victor}
    chiefs = [obj for seat in SEATS for obj in state.zones[LEADER[seat]] if state.mark(obj, POINTS)]
    hurt = {side(state, obj): state.mark(obj, POINTS) for obj in chiefs}
    if any(not figure(state, obj, "patt") for obj in struck):
        ctx.lean("I-WAK-20")
    unmark_all(ctx, ATTACKS, BLOCKS, POINTS)
    ctx.emit("wipe", ("shared",))
    ctx.emit("turn", state.turn, state.seat, INVOCATION2)
    for seat, points in hurt.items():
        ctx.emit("counter", PV[seat], -min(points, state.counters[PV[seat]]))
    if force.quiet(state) or state.terms.host.decided(state):
        for obj in fallen:
            destroy(ctx, obj)
        reward(ctx, victor or "", list(prizes), list(prizes.values()))
        return
    stack = Stack(ctx)
    stack.push({"step": "reward", "seat": victor or "", "objs": list(prizes), "drops": list(prizes.values())})
    stack.push(batch(fallen, "attack"))
    settle(ctx, move, stack)


def settle(ctx: Context, move: Move, stack: Stack) -> None:
    """Resolve what a move set going; nothing, most of the time."""
    if stack.frames != list(ctx.state.agenda) or move.chance:
        effects(ctx, move, started=stack)


def _reward_step(stack: Stack, frame: Frame) -> None:
    """The drop, once the effects of the destructions are resolved."""
    reward(stack.ctx, frame["seat"], frame["objs"], frame["drops"])


def lean_on_totals(ctx: Context, totals: Totals) -> None:
    """The interpretations without which the points of this combat might have been others."""
    state = ctx.state
    if "I-WAK-03" not in ctx.leaned and any(totals[seat] != _other_total(state, seat, totals) for seat in SEATS):
        ctx.lean("I-WAK-03")
    for seat in SEATS:
        if totals[OTHER[seat]] and len(state.zones[FIGHT[seat]]) > len(fighting(state, seat)):
            ctx.lean("I-WAK-04")


def _other_total(state: State, seat: str, totals: Totals) -> int:
    """The total of a seat by the other reading of I-WAK-03."""
    mine, others = counted(state, seat), counted(state, seat, other=True)
    more, less = ([obj for obj in one if obj not in two] for one, two in ((others, mine), (mine, others)))
    return totals[seat] + strength(state, more) - strength(state, less)


def fighting(state: State, seat: str) -> list[int]:
    """The cards of a seat's combat zone that are declared in the combat."""
    return [obj for obj in declared(state, seat) if state.where[obj] == FIGHT[seat]]


def winner(ctx: Context, totals: Totals) -> str | None:
    """Who has the higher total (WAK-6-1); with level totals, nobody but as I-WAK-06 says."""
    state = ctx.state
    seat = state.seat or "A"
    mine, theirs = totals[seat], totals[OTHER[seat]]
    if mine != theirs:
        return seat if mine > theirs else OTHER[seat]
    ctx.lean("I-WAK-06")
    return seat if state.terms.options["I-WAK-06"] == "attacker" else None


def reward(ctx: Context, seat: str, objs: Sequence[int], drops: Sequence[int]) -> None:
    """The winner is to draw the drop of what it destroyed; of a deck too small, what is left (I-WAK-08)."""
    state = ctx.state
    prize = sum(drop for obj, drop in zip(objs, drops, strict=True) if state.where[obj] in DISCARD.values())
    if not seat or not prize or state.terms.host.decided(state):
        return
    deck = len(state.zones[DECK[seat]])
    if prize > deck:
        ctx.lean("I-WAK-08")
        if state.terms.options["I-WAK-08"] == "loss":
            ctx.emit("end", OTHER[seat], "deck", "WAK-VIC-1")
            return
    for _ in range(min(prize, deck)):
        ctx.emit("note", "won", seat)
    if deck:
        ctx.emit("turn", state.turn, state.seat, DROP)


class DropKeep(WakfuVerb):
    """`drop_keep`: draw the drop, keep one card, discard the others (WAK-6-3)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """`args.keep`: which of the cards drawn, from 1; one draw, of unknown cards where it is left out."""
        args = arguments(entry, ("keep",), ("keep",))
        keep = number(args, "keep", 1, MAX_POINTS)
        asked = entry.n == 0 and entry.chance is None
        due = state.memory.get("won", []).count(entry.by)
        return Move(entry.by, entry.do, {"keep": keep}, None if asked else noted_draw(state, entry, due))

    def check(self, state: State, move: Move) -> Reasons:
        """By the winner, as many cards as were won, and one of them kept."""
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
        """Draws, keeps one, discards the others face up."""
        state, seat = ctx.state, move.by
        before = len(state.zones[f"{seat}/hand"])
        ctx.draw(seat, drawn(move)[0])
        got = state.zones[f"{seat}/hand"][before:]
        for obj in [obj for index, obj in enumerate(got, 1) if index != move.args["keep"]]:
            ctx.emit("move", obj, f"{seat}/discard", -1)
        ctx.emit("wipe", ("won",))
        ctx.emit("turn", state.turn, state.seat, INVOCATION2)

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """The cards of the drop."""
        due = state.memory.get("won", []).count(move.by)
        return replace(move, chance=(("draw", deal_top(state, move.by, due, dealer)),))

    def conceal(self, move: Move) -> Move:
        """The card kept is seen by nobody else; the others lie in the discard."""
        keep = move.args["keep"] - 1
        chance = tuple(
            (kind, tuple("?" if index == keep else ref for index, ref in enumerate(refs)))
            for kind, refs in move.chance or ()
        )
        return replace(move, chance=chance)

    def candidates(self, state: State) -> Iterator[Move]:
        """One for each card of the drop."""
        if state.phase == DROP:
            won = state.memory.get("won", [])
            yield from (Move(str(won[0]), "drop_keep", {"keep": n}) for n in range(1, len(won) + 1))


HOST.steps["reward"] = _reward_step
