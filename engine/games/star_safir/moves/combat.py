"""Phase 3: attacks and ripostes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

from engine.core.effects import force, triggers, values
from engine.core.effects.destruction import batch
from engine.core.effects.hidden_cards import effect_chance
from engine.core.effects.host import Stack
from engine.core.effects.interpreter import dealt, resolve
from engine.core.table.agenda import Frame
from engine.core.table.chance import Dealer
from engine.core.table.context import Context
from engine.core.table.game import Move, Wanted
from engine.core.table.log import Entry
from engine.core.table.state import State
from engine.core.table.verbs import arguments, missing, number
from engine.core.text.errors import Malformed, Violation
from engine.games.star_safir.effects import keywords, moments
from engine.games.star_safir.effects.host import HOST
from engine.games.star_safir.effects.places import IN_PLAY
from engine.games.star_safir.moves.base import Reasons, SafirVerb, held_back
from engine.games.star_safir.moves.mat import ACTING, COMBAT, FIGHTERS, OTHER, SEATS, THREE, destroy, first_turn

RAMPARTS = ("Rempart", "Rempart+")


class Attack(SafirVerb):
    """`attack`: one to three own fighters of a territory against one opposing fighter there (SAF-VI.3)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """Read `args.territory`, `args.attackers` (a list of slots) and `args.target` (a slot).

        Raises Malformed, also for a slot listed twice.
        """
        chance = effect_chance(state, entry)
        args = arguments(entry, ("territory", "attackers", "target"), ("territory", "attackers", "target"))
        territory = number(args, "territory", 1, 3, "unknown_territory")
        # Sorted, so that one attack has one form however the log lists its attackers.
        slots = args["attackers"]
        if not isinstance(slots, list) or not 1 <= len(slots) <= 3:
            raise Malformed("wrong_type", "attackers must be a list of one to three slots", path="args.attackers")
        attackers = sorted([number({"attackers": slot}, "attackers", 1, 3, "unknown_slot") for slot in slots])
        if len(attackers) > 1 and any(one == two for one, two in pairwise(attackers)):
            raise Malformed("bad_value", "a fighter is named twice", path="args.attackers")
        target = number(args, "target", 1, 3, "unknown_slot")
        return Move(entry.by, entry.do, {"territory": territory, "attackers": attackers, "target": target}, chance)

    def check(self, state: State, move: Move) -> Reasons:
        """Check the moment, that the attackers may still attack, and the target (SAF-VI.3-1, SAF-VI.3-5)."""
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
        """Return why another fighter must be attacked first.

        See SAF-VII-Rempart, SAF-VII-RempartPlus, SAF-VII-RempartOrder, and I-SAF-11 for one too strong to be destroyed.
        """
        first = keywords.shield(state, OTHER[seat], territory, RAMPARTS)
        if first is None or state.where[first] == target:
            return []
        if state.terms.options["I-SAF-11"] == "bypass" and not self.breakable(state, seat, territory, first):
            return []
        other = state.zones[target][0]
        rule = "SAF-VII-RempartPlus" if values.has(state, first, "Rempart+") else "SAF-VII-Rempart"
        if any(values.has(state, other, keyword) for keyword in RAMPARTS):
            rule = "SAF-VII-RempartOrder"
        # A shield that can be destroyed must be attacked under either option.
        depends_on = () if self.breakable(state, seat, territory, first) else ("I-SAF-11",)
        return [Violation(rule, {"card": state.refs[first] or "?"}, depends_on)]

    def breakable(self, state: State, seat: str, territory: int, first: int) -> bool:
        """Whether all fighters that may still attack there could destroy the shield together."""
        paths = [path for path in FIGHTERS[seat, territory] if state.zones[path] and not self.rested(state, path)]
        return beats(sum(power(state, state.zones[path][0]) for path in paths), values.stat(state, first, "def"))

    def obeyed(self, ctx: Context, seat: str, territory: int) -> None:
        """Record I-SAF-11 if a «Rempart» too strong to be destroyed took this attack or was passed by."""
        state = ctx.state
        first = keywords.shield(state, OTHER[seat], territory, RAMPARTS)
        others = sum(len(state.zones[path]) for path in FIGHTERS[OTHER[seat], territory]) > 1
        if first is not None and others and not self.breakable(state, seat, territory, first):
            ctx.depend_on("I-SAF-11")

    def rested(self, state: State, path: str) -> Reasons:
        """Return why the fighter in this slot may not attack any more, or not yet."""
        obj = state.zones[path][0]
        card = state.refs[obj] or "?"
        # A fighter that did nothing yet cannot be worn out, so its keywords need not be looked up.
        if state.noted("attacked", obj) or "transformed" in state.memory:
            tired = worn_out(state, obj)
            if tired is not None:
                return [Violation(tired, {"card": card}, ("I-SAF-12",) if keywords.back(state, obj) else ())]
        if state.lasting:
            held = keywords.blocked(state, obj)
            if held is not None:
                return [Violation(held, {"card": card, "territory": int(path.split("/")[1][1:])})]
        reasons = held_back(state, "attack", path) if state.lasting or "live" in state.memory else []
        if reasons:
            return reasons
        if state.noted("arrived", obj) and state.terms.options["I-SAF-07"] == "no":
            return [Violation("SAF-VI.3-5", {"card": card}, ("I-SAF-07",), why="arrived")]
        unsaid = [fact for fact in ("memory.attacked", "memory.arrived") if fact in state.unknown]
        return [reason for fact in unsaid for reason in missing("SAF-VI.3-5", fact)]

    def run(self, ctx: Context, move: Move) -> None:
        """Compare the sum of ATK with DEF; the riposte hits every attacker even if the defender dies (SAF-VI.3-4)."""
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
            ctx.depend_on("I-SAF-08")
        for obj in attackers:
            if state.noted("arrived", obj):
                ctx.depend_on("I-SAF-07")
            keywords.depend_on_return(ctx, obj)
            ctx.emit("note", "attacked", obj)
        # No effect in force and no response: the fight is printed figures, without a stack of frames.
        if force.quiet(state) and not ctx.window:
            for obj in fallen(state, attackers, defender):
                destroy(ctx, obj)
            if move.chance:
                resolve(ctx, move)
            return
        stack = Stack(ctx)
        against = f"{OTHER[by]}/T{territory}"
        # Pushed first, so resolved last: after the responses and the effects of the declaration.
        stack.push({"step": "fight", "attackers": attackers, "defender": defender, "against": against})
        self.answerable(stack, by)
        declared = [("attack_declared", force.seen(state, obj)) for obj in attackers]
        triggers.after(stack, *declared, ("attacked", force.seen(state, defender)))
        if begins:
            triggers.turn_event(stack, f"phase:{COMBAT}", by)
            force.lapse(stack, "phase")
        resolve(ctx, move, started=stack)

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """Deal the chance of the effects it triggers."""
        return dealt(self.run, state, move, dealer)

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield every group of fighters of a territory that may attack, against every legal target there."""
        seat = wanted.seat(state.seat)
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
    """Return why no fighter is in a slot, whose `role` is "attacker" or "target" (SAF-VI.3-1)."""
    if state.zones[path]:
        return []
    if state.unknown and path in state.unknown:
        return missing("SAF-VI.3-1", path)
    seat, territory, _, slot = path.split("/")
    return [Violation("SAF-VI.3-1", {"seat": seat, "territory": int(territory[1:]), "slot": int(slot)}, why=role)]


def worn_out(state: State, obj: int) -> str | None:
    """Return the rule that denies a fighter another attack, if any.

    It has 1 attack per turn, 2 with «Double ATK»; after a transformation none without «Double ATK».
    """
    double = values.has(state, obj, "Double ATK")
    made = state.memory.get("attacked", []).count(obj)
    if made >= (2 if double else 1):
        return "SAF-VII-Double" if double else "SAF-VI.3-5"
    return "SAF-VII-Transfo" if state.noted("transformed", obj) and not double else None


def power(state: State, obj: int) -> int:
    """Return the ATK of a fighter in play."""
    return values.stat(state, obj, "atk")


def fallen(state: State, attackers: Sequence[int], defender: int) -> list[int]:
    """Return the fighters destroyed in a fight, by ATK greater than DEF both ways (SAF-VI.3-2, 3-3, 3-4)."""
    if force.quiet(state):
        return _plainly_fallen(state, attackers, defender)
    riposte, *powers = values.stats(state, (defender, *attackers), "atk")
    target, *shields = values.stats(state, (defender, *attackers), "def")
    # One batch: both sides strike at once, so a dying defender still hits every attacker.
    dead = [defender] if beats(sum(powers), target) else []
    return dead + [obj for obj, shield in zip(attackers, shields, strict=True) if beats(riposte, shield)]


def _plainly_fallen(state: State, attackers: Sequence[int], defender: int) -> list[int]:
    """Do the same with printed figures, which is all most fights have."""
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
    """Whether this much ATK destroys a card with this DEF: it must be strictly greater (SAF-VI.3-2)."""
    return atk > def_


def _fight(stack: Stack, frame: Frame) -> None:
    """Resolve the fight after the effects of its declaration; fighters that have left are out of it."""
    state, defender = stack.ctx.state, int(frame["defender"])
    place = IN_PLAY.get(state.where[defender])
    # The defender left play or the territory: the attack is lost.
    if place is None or f"{place.seat}/T{place.area}" != frame["against"]:
        return
    mine = FIGHTERS[OTHER[place.seat], place.area]
    attackers = [obj for obj in frame["attackers"] if state.where[obj] in mine]
    if attackers:
        values.depend_on_floor(stack.ctx, (*attackers, defender), "atk", "def")
        moments.depend_on_counts(stack.ctx)
        dead = moments.in_turn(stack.ctx, fallen(state, attackers, defender))
        stack.push(batch(dead, "attack", [obj for obj in dead if obj != defender]))


HOST.steps["fight"] = _fight
