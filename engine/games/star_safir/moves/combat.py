"""Phase 3: attacks and ripostes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

from engine.core.agenda import Frame, Stack
from engine.core.context import Context
from engine.core.effects import force, triggers, values
from engine.core.effects.destruction import batch
from engine.core.effects.interpreter import dealt, resolve
from engine.core.errors import Malformed, Violation
from engine.core.game import Dealer, Move
from engine.core.hidden import effect_chance
from engine.core.log import Entry
from engine.core.state import State
from engine.core.verbs import arguments, missing, number
from engine.games.star_safir.effects import keywords, moments
from engine.games.star_safir.effects.host import HOST
from engine.games.star_safir.effects.places import IN_PLAY
from engine.games.star_safir.moves.base import Reasons, SafirVerb, held_back
from engine.games.star_safir.moves.mat import ACTING, COMBAT, FIGHTERS, OTHER, SEATS, THREE, destroy, first_turn

RAMPARTS = ("Rempart", "Rempart+")


class Attack(SafirVerb):
    """`attack`: one or several own fighters of a territory against an opposing one there (SAF-VI.3)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """`args.territory`, `args.attackers` (slots), `args.target` (slot)."""
        chance = effect_chance(state, entry)
        args = arguments(entry, ("territory", "attackers", "target"), ("territory", "attackers", "target"))
        territory = number(args, "territory", 1, 3, "unknown_territory")
        slots = args["attackers"]
        if not isinstance(slots, list) or not 1 <= len(slots) <= 3:
            raise Malformed("wrong_type", "attackers is a list of one to three slots", path="args.attackers")
        attackers = sorted([number({"attackers": slot}, "attackers", 1, 3, "unknown_slot") for slot in slots])
        if len(attackers) > 1 and any(one == two for one, two in pairwise(attackers)):
            raise Malformed("bad_value", "a fighter is named twice", path="args.attackers")
        target = number(args, "target", 1, 3, "unknown_slot")
        return Move(entry.by, entry.do, {"territory": territory, "attackers": attackers, "target": target}, chance)

    def check(self, state: State, move: Move) -> Reasons:
        """The moment, fighters that have not attacked yet, and a target (SAF-VI.3-1, SAF-VI.3-5)."""
        reasons = self.turn(state, move, ACTING)
        if move.by not in SEATS:
            return reasons
        late = state.terms.options["I-SAF-08"] == "no"
        if late and "turn.n" in state.unknown:
            reasons += missing("SAF-VI-0", "turn.n")
        if not reasons and late and first_turn(state):
            args = {"seat": move.by, "phase": state.phase}
            reasons.append(Violation("SAF-VI-0", args, ("I-SAF-08",), why="first"))
        territory = move.args["territory"]
        for slot in move.args["attackers"]:
            path = FIGHTERS[move.by, territory][slot - 1]
            reasons += occupied(state, path, "attacker") or self.rested(state, path)
        target = FIGHTERS[OTHER[move.by], territory][move.args["target"] - 1]
        reasons += occupied(state, target, "target")
        if not reasons and not force.quiet(state):
            reasons += self.shielded(state, move.by, territory, target)
        return reasons

    def shielded(self, state: State, seat: str, territory: int, target: str) -> Reasons:
        """Why another fighter must be attacked first (SAF-VII-Rempart, RempartPlus, RempartOrder, I-SAF-11)."""
        first = keywords.shield(state, OTHER[seat], territory, RAMPARTS)
        if first is None or state.where[first] == target:
            return []
        if state.terms.options["I-SAF-11"] == "bypass" and not self.breakable(state, seat, territory, first):
            return []
        other = state.zones[target][0]
        rule = "SAF-VII-RempartPlus" if values.has(state, first, "Rempart+") else "SAF-VII-Rempart"
        if any(values.has(state, other, keyword) for keyword in RAMPARTS):
            rule = "SAF-VII-RempartOrder"
        leans = () if self.breakable(state, seat, territory, first) else ("I-SAF-11",)
        return [Violation(rule, {"card": state.refs[first] or "?"}, leans)]

    def breakable(self, state: State, seat: str, territory: int, first: int) -> bool:
        """Whether everybody who may still attack there could destroy it together."""
        paths = [path for path in FIGHTERS[seat, territory] if state.zones[path] and not self.rested(state, path)]
        return beats(sum(power(state, state.zones[path][0]) for path in paths), values.stat(state, first, "def"))

    def obeyed(self, ctx: Context, seat: str, territory: int) -> None:
        """Note an attack that a «Rempart» too strong to fall turned to itself, or that passed it by (I-SAF-11)."""
        state = ctx.state
        first = keywords.shield(state, OTHER[seat], territory, RAMPARTS)
        others = sum(len(state.zones[path]) for path in FIGHTERS[OTHER[seat], territory]) > 1
        if first is not None and others and not self.breakable(state, seat, territory, first):
            ctx.lean("I-SAF-11")

    def rested(self, state: State, path: str) -> Reasons:
        """Why the fighter in this slot may not attack any more, or not yet."""
        obj = state.zones[path][0]
        card = state.refs[obj] or "?"
        if state.noted("attacked", obj) or "transformed" in state.memory:
            tired = worn_out(state, obj)
            if tired is not None:
                return [Violation(tired, {"card": card}, ("I-SAF-12",) if keywords.back(state, obj) else ())]
        if state.lasting:
            held = keywords.blocked(state, obj)
            if held is not None:
                return [Violation(held, {"card": card, "territory": int(path.split("/")[1][1:])})]
        told = held_back(state, "attack", path) if state.lasting or "live" in state.memory else []
        if told:
            return told
        if state.noted("arrived", obj) and state.terms.options["I-SAF-07"] == "no":
            return [Violation("SAF-VI.3-5", {"card": card}, ("I-SAF-07",), why="arrived")]
        unsaid = [fact for fact in ("memory.attacked", "memory.arrived") if fact in state.unknown]
        return [reason for fact in unsaid for reason in missing("SAF-VI.3-5", fact)]

    def run(self, ctx: Context, move: Move) -> None:
        """ATK added against DEF; the riposte hits every attacker, even from a defender that dies (SAF-VI.3-4)."""
        state, by, territory = ctx.state, move.by, move.args["territory"]
        mine, theirs = FIGHTERS[by, territory], FIGHTERS[OTHER[by], territory]
        attackers = [state.zones[mine[slot - 1]][0] for slot in move.args["attackers"]]
        defender = state.zones[theirs[move.args["target"] - 1]][0]
        if "live" in state.memory:
            self.obeyed(ctx, by, territory)
        begins = state.phase != COMBAT
        if begins:
            ctx.emit("turn", state.turn, by, COMBAT)
        if state.turn <= len(SEATS):
            ctx.lean("I-SAF-08")
        for obj in attackers:
            if state.noted("arrived", obj):
                ctx.lean("I-SAF-07")
            keywords.lean_on_return(ctx, obj)
            ctx.emit("note", "attacked", obj)
        if force.quiet(state) and not ctx.window:
            for obj in fallen(state, attackers, defender):
                destroy(ctx, obj)
            if move.chance:
                resolve(ctx, move)
            return
        stack = Stack(ctx)
        against = f"{OTHER[by]}/T{territory}"
        stack.push({"step": "fight", "attackers": attackers, "defender": defender, "against": against})
        self.answerable(stack, by)
        declared = [("attack_declared", force.seen(state, obj)) for obj in attackers]
        triggers.after(stack, *declared, ("attacked", force.seen(state, defender)))
        if begins:
            triggers.turn_event(stack, f"phase:{COMBAT}", by)
            force.lapse(stack, "phase")
        resolve(ctx, move, started=stack)

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """The draws of the effects it sets off."""
        return dealt(self.run, state, move, dealer)

    def candidates(self, state: State) -> Iterator[Move]:
        """Every group of own fighters of a territory that may still attack, against every opposing one."""
        seat = state.seat
        if seat is None or state.result is not None or state.phase not in ACTING:
            return
        if first_turn(state) and state.terms.options["I-SAF-08"] == "no":
            return
        for territory in THREE:
            mine, theirs = FIGHTERS[seat, territory], FIGHTERS[OTHER[seat], territory]
            targets = [slot for slot in THREE if state.zones[theirs[slot - 1]]]
            if targets and not force.quiet(state):
                targets = [slot for slot in targets if not self.shielded(state, seat, territory, theirs[slot - 1])]
            able = [slot for slot in THREE if state.zones[mine[slot - 1]] and not self.rested(state, mine[slot - 1])]
            for size in THREE if targets else ():
                for group in combinations(able, size):
                    for target in targets:
                        yield Move(seat, "attack", {"territory": territory, "attackers": list(group), "target": target})


def occupied(state: State, path: str, role: str) -> Reasons:
    """Why no fighter stands in a slot, that of an "attacker" or of the "target" (SAF-VI.3-1)."""
    if state.zones[path]:
        return []
    if state.unknown and path in state.unknown:
        return missing("SAF-VI.3-1", path)
    seat, territory, _, slot = path.split("/")
    return [Violation("SAF-VI.3-1", {"seat": seat, "territory": int(territory[1:]), "slot": int(slot)}, why=role)]


def worn_out(state: State, obj: int) -> str | None:
    """The rule that leaves a fighter no attack: one a turn, two with «Double ATK», none once transformed."""
    double = values.has(state, obj, "Double ATK")
    made = state.memory.get("attacked", []).count(obj)
    if made >= (2 if double else 1):
        return "SAF-VII-Double" if double else "SAF-VI.3-5"
    return "SAF-VII-Transfo" if state.noted("transformed", obj) and not double else None


def power(state: State, obj: int) -> int:
    """The ATK of a fighter in play."""
    return values.stat(state, obj, "atk")


def fallen(state: State, attackers: Sequence[int], defender: int) -> list[int]:
    """Who is destroyed in a fight: strictly greater ATK against DEF, both ways (SAF-VI.3-2, 3-3, 3-4)."""
    if force.quiet(state):
        return _plainly_fallen(state, attackers, defender)
    riposte, *powers = values.stats(state, (defender, *attackers), "atk")
    target, *shields = values.stats(state, (defender, *attackers), "def")
    dead = [defender] if beats(sum(powers), target) else []
    return dead + [obj for obj, shield in zip(attackers, shields, strict=True) if beats(riposte, shield)]


def _plainly_fallen(state: State, attackers: Sequence[int], defender: int) -> list[int]:
    """The same where printed figures are all there is, which is most fights."""
    target = state.card(defender)
    assert target is not None, "a card in a slot of a replayed game is always known"
    total, dead = 0, []
    for obj in attackers:
        card = state.card(obj)
        if card is not None:
            total += card.figures["atk"]
            if beats(target.figures["atk"], card.figures["def"]):
                dead.append(obj)
    return [defender, *dead] if beats(total, target.figures["def"]) else dead


def beats(atk: int, def_: int) -> bool:
    """Whether this much ATK destroys a card of that DEF: strictly more (SAF-VI.3-2)."""
    return atk > def_


def _fight(stack: Stack, frame: Frame) -> None:
    """The fight itself, once the effects of its declaration are resolved: who left meanwhile is out of it."""
    state, defender = stack.ctx.state, int(frame["defender"])
    place = IN_PLAY.get(state.where[defender])
    if place is None or f"{place.seat}/T{place.area}" != frame["against"]:
        return
    mine = FIGHTERS[OTHER[place.seat], place.area]
    attackers = [obj for obj in frame["attackers"] if state.where[obj] in mine]
    if attackers:
        values.lean_on_floor(stack.ctx, (*attackers, defender), "atk", "def")
        moments.lean_on_counts(stack.ctx)
        dead = moments.in_turn(stack.ctx, fallen(state, attackers, defender))
        stack.push(batch(dead, "attack", [obj for obj in dead if obj != defender]))


HOST.steps["fight"] = _fight
