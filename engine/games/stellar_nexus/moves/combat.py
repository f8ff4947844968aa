"""The attack phase: attackers and blockers declared one by one, then the confrontations (STN-CBT).

Notes keep the declarations: `attacking`, `declared` (the attack is complete), `blocking` in the order of the
confrontations, `blocked`, `cancelled`, `fought`. A blocker is attached to the attacker it blocks.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.effects import force, triggers, values
from engine.core.effects.destruction import batch
from engine.core.effects.hidden_cards import effect_chance
from engine.core.effects.host import Stack
from engine.core.effects.interpreter import resolve
from engine.core.table.agenda import Frame
from engine.core.table.context import Context
from engine.core.table.game import Move, Wanted
from engine.core.table.log import Entry
from engine.core.table.places import at, place, read
from engine.core.table.state import State
from engine.core.table.verbs import arguments, missing
from engine.core.text.errors import Malformed, Violation
from engine.core.text.interrupt import each
from engine.games.stellar_nexus.effects.host import HOST
from engine.games.stellar_nexus.mat import (
    ATTAQUE,
    COMBAT_NOTES,
    FIELD,
    OTHER,
    SEATS,
    endurance,
    engage,
    engaged,
    hurt,
    on_field,
    stat,
    wound,
)
from engine.games.stellar_nexus.moves.base import Reasons, StellarVerb
from engine.games.stellar_nexus.moves.pile import begun, respond


class Declaration(StellarVerb):
    """Base class of `attack` and `block`: one creature an entry, ended by `done`."""

    keys: tuple[str, ...] = ("creature",)
    rule = ""
    name = ""  # the verb, which is also what the text of a card may forbid

    def parse(self, state: State, entry: Entry) -> Move:
        """Read the creature (its place, or its ref), or `args.done` true once all are named.

        Raises Malformed, code `bad_value`, if `done` is not alone.
        """
        chance = effect_chance(state, entry)
        args = arguments(entry, (*self.keys, "done"), ())
        if "done" in args:
            if args["done"] is not True or len(args) > 1:
                raise Malformed("bad_value", "done must be true, and stand alone", path="args.done")
            return Move(entry.by, entry.do, {"done": True}, chance)
        args = arguments(entry, self.keys, self.keys)
        sides = {"creature": FIELD.get(entry.by, FIELD["A"]), "attacker": FIELD[OTHER.get(entry.by, "A")]}
        named = {key: read(state, args[key], (sides[key],), key) for key in self.keys}
        return Move(entry.by, entry.do, named, chance)

    def refused(self, why: str, pick: str, source: str = "-") -> Reasons:
        """Return the violation of a creature that cannot be named here; `source` is the card that forbids it."""
        return [Violation(self.rule, {"pick": pick[:60], "source": source}, why=why)]

    def able(self, state: State, obj: int) -> Reasons:
        """Return why a creature in play cannot take part in a fight (STN-CRE-3, STN-CBT-2)."""
        card = state.refs[obj] or "?"
        if state.noted("cancelled", obj):
            return [Violation("STN-CBT-2", {"card": card})]
        if engaged(state, obj):
            return [Violation("STN-CRE-3", {"card": card})]
        source = values.forbidding(state, self.name, force.seen(state, obj))
        if source is not None:
            return self.refused("forbidden", place(state, obj), source)
        fact = f"{place(state, obj)}.marks"
        return missing("STN-CRE-3", fact) if fact in state.unknown else []

    def there(self, state: State, seat: str, pick: str) -> tuple[int | None, Reasons]:
        """Return the creature of a seat at a place; if there is none, None and the reasons."""
        obj = at(state, pick)
        if obj is not None and state.where[obj] == FIELD[seat]:
            return obj, []
        if FIELD[seat] in state.unknown:
            return None, missing(self.rule, FIELD[seat])
        return None, self.refused("nobody" if obj is None else "side", pick)


class Attack(Declaration):
    """`attack`: declare an attacker against the opponent's hero (STN-CBT-1).

    Example `args`: `{"creature": "A/field/1"}` for each attacker, then `{"done": true}`.
    """

    rule = "STN-CBT-1"
    name = "attack"

    def check(self, state: State, move: Move) -> Reasons:
        """Check that it is the player's own attack phase, not yet fully declared, and that the creature may attack."""
        reasons = self.moment(state, move, state.seat, (ATTAQUE,))
        if reasons and move.by in SEATS and "creature" in move.args:
            return self.besides(reasons, "early", self.attacker(state, move.by, move.args["creature"]))
        if move.by not in SEATS or reasons:
            return reasons
        unsaid = [f"memory.{note}" for note in ("declared", "fought", "attacking", "arrived", "cancelled")]
        facts = [fact for fact in unsaid if fact in state.unknown]
        late = next((note for note in ("fought", "declared") if note in state.memory), None)
        if late is not None:
            return [Violation("STN-PHA-1", {"seat": move.by}, why=late)]
        if "done" in move.args:
            reasons = [] if "attacking" in state.memory else self.refused("empty", "-")
        else:
            reasons = self.attacker(state, move.by, move.args["creature"])
        return reasons or [reason for fact in facts for reason in missing(self.rule, fact)]

    def attacker(self, state: State, seat: str, pick: str) -> Reasons:
        """Return why the creature at a place may not attack."""
        obj, reasons = self.there(state, seat, pick)
        if obj is None:
            return reasons
        if state.noted("attacking", obj):
            return self.refused("twice", pick)
        reasons = self.able(state, obj)
        if state.noted("arrived", obj):
            reasons = [Violation("STN-CRE-2", {"card": state.refs[obj] or "?"}, ("I-STN-21",)), *reasons]
        return reasons

    def run(self, ctx: Context, move: Move) -> None:
        """Note the attacker; on `done`, it is for the defender to block."""
        if "done" in move.args:
            ctx.emit("note", "declared", move.by)
        else:
            obj = at(ctx.state, move.args["creature"])
            assert obj is not None, "check lets through only creatures of the field"
            ctx.emit("note", "attacking", obj)
            ctx.depend_on("I-STN-09")
            if ctx.state.terms.options["I-STN-09"] == "declare":
                engage(ctx, obj)
        stack = begun(ctx)
        if "done" in move.args:
            respond(stack, move.by)
            _declared(stack, "attack_declared", [obj for obj in ctx.state.memory["attacking"] if isinstance(obj, int)])
        resolve(ctx, move, started=stack)

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield each creature that may attack, then the end of the declaration."""
        seat = wanted.seat(state.seat)
        late = "declared" in state.memory or "fought" in state.memory
        if seat is None or state.result is not None or state.phase != ATTAQUE or late or state.agenda:
            return
        for obj in each(state.zones[FIELD[seat]]):
            if not self.attacker(state, seat, place(state, obj)):
                yield Move(seat, "attack", {"creature": place(state, obj)})
        if "attacking" in state.memory:
            yield Move(seat, "attack", {"done": True})


class Block(Declaration):
    """`block`: declare a blocker and the attacker it blocks, in the order of the confrontations (STN-CBT-3).

    Example `args`: `{"creature": "B/field/2", "attacker": "A/field/1"}` for each blocker, then `{"done": true}`.
    """

    rule = "STN-CBT-3"
    name = "block"
    keys = ("creature", "attacker")

    def untimely(self, state: State, *, wrong_seat: bool, phases: tuple[str, ...]) -> str:
        """Return the reason of STN-PHA-1, saying that it is for the defender to block."""
        why = super().untimely(state, wrong_seat=wrong_seat, phases=phases)
        return "defender" if why == "turn" else why

    def check(self, state: State, move: Move) -> Reasons:
        """Check that the attack is declared, and that the defender's creature blocks nobody yet."""
        defender = OTHER.get(state.seat or "", None)
        reasons = self.moment(state, move, defender, (ATTAQUE,))
        if move.by not in SEATS or reasons:
            return reasons
        facts = [fact for fact in ("memory.declared", "memory.attacking", "memory.blocking") if fact in state.unknown]
        if "declared" not in state.memory and "memory.declared" not in facts:
            why = "fought" if "fought" in state.memory else "undeclared"
            reasons = [Violation("STN-PHA-1", {"seat": state.seat or "-"}, why=why)]
            attacked = "attacking" in state.memory and "creature" in move.args
            return self.besides(reasons, "undeclared", self.blocker(state, move)) if attacked else reasons
        reasons = [] if "done" in move.args else self.blocker(state, move)
        return reasons or [reason for fact in facts for reason in missing(self.rule, fact)]

    def blocker(self, state: State, move: Move) -> Reasons:
        """Return why the creature may not block that attacker."""
        obj, reasons = self.there(state, move.by, move.args["creature"])
        other, others = self.there(state, OTHER[move.by], move.args["attacker"])
        if obj is None or other is None:
            return reasons or others
        if state.noted("blocking", obj):
            return self.refused("twice", move.args["creature"])
        if not attacking(state, other):
            return self.refused("target", move.args["attacker"])
        return self.able(state, obj)

    def run(self, ctx: Context, move: Move) -> None:
        """Note the blocker and its attacker; on `done`, they fight."""
        stack = begun(ctx)
        if "done" in move.args:
            stack.push({"step": "fight", "seat": OTHER[move.by]})
            respond(stack, move.by)
            attackers = [obj for obj in ctx.state.memory["attacking"] if isinstance(obj, int)]
            _declared(stack, "blocked", [obj for obj in attackers if blockers(ctx.state, obj)])
        else:
            obj, attacker = at(ctx.state, move.args["creature"]), at(ctx.state, move.args["attacker"])
            ctx.emit("note", "blocking", obj)
            ctx.emit("attach", obj, attacker)
        resolve(ctx, move, started=stack)

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield each pair of a possible blocker and an attacker, then the end of the declaration."""
        if state.result is not None or "declared" not in state.memory or state.agenda or state.seat is None:
            return
        seat = wanted.seat(OTHER[state.seat])
        if seat is None:
            return
        attackers = [place(state, obj) for obj in each(state.zones[FIELD[state.seat]]) if attacking(state, obj)]
        free = [obj for obj in state.zones[FIELD[seat]] if not state.noted("blocking", obj)]
        for obj in (obj for obj in each(free) if not self.able(state, obj)) if attackers else ():
            blocker = place(state, obj)
            yield from (Move(seat, "block", {"creature": blocker, "attacker": other}) for other in attackers)
        yield Move(seat, "block", {"done": True})


def _declared(stack: Stack, on: str, objs: list[int]) -> None:
    """Set off what attackers trigger when they are declared or blocked: those still in play, in their order."""
    seen = [force.seen(stack.ctx.state, obj) for obj in objs if on_field(stack.ctx.state, obj)]
    triggers.after(stack, *((on, card) for card in seen))


def attacking(state: State, obj: int) -> bool:
    """Whether a creature is an attacker in play whose attack was not cancelled (STN-CBT-2)."""
    return state.noted("attacking", obj) and on_field(state, obj) and not state.noted("cancelled", obj)


def blockers(state: State, attacker: int) -> list[int]:
    """Return the creatures declared against an attacker, in the defender's order."""
    declared = [obj for obj in state.memory.get("blocking", []) if isinstance(obj, int)]
    return [obj for obj in declared if state.hosts.get(obj) == attacker]


def standing(state: State, attacker: int) -> list[int]:
    """Return the blockers of an attacker that are still in play and not cancelled (STN-CBT-2)."""
    found = blockers(state, attacker)
    return [obj for obj in found if on_field(state, obj) and not state.noted("cancelled", obj)]


def _fight(stack: Stack, frame: Frame) -> None:
    """Push the confrontations, one attacker after the other."""
    stack.push({"step": "fought"})
    # Reversed: the last confrontation pushed is the first to resolve.
    for obj in reversed(_in_order(stack.ctx)):
        stack.push({"step": "clash", "seat": frame["seat"], "attacker": obj, "met": []})


def _in_order(ctx: Context) -> list[int]:
    """Return the attackers in the order in which they were declared, or blocked (I-STN-26)."""
    state = ctx.state
    declared = [obj for obj in state.memory.get("attacking", []) if isinstance(obj, int)]
    met = [state.hosts[obj] for obj in state.memory.get("blocking", []) if isinstance(obj, int) and obj in state.hosts]
    blocked = [obj for obj in dict.fromkeys(met) if obj in declared]
    defended = [*blocked, *(obj for obj in declared if obj not in blocked)]
    if defended == declared:
        return declared
    ctx.depend_on("I-STN-26")
    return declared if state.terms.options["I-STN-26"] == "attacker" else defended


def _clash(stack: Stack, frame: Frame) -> None:
    """Have an attacker meet its next blocker, or the hero if nobody blocks it (STN-CBT-5, STN-CBT-6).

    `left` is the attack not yet spent, `met` the blockers met so far, `won` whether the last of them died.
    """
    state, attacker, met = stack.ctx.state, int(frame["attacker"]), list(frame["met"])
    # Cancelled or gone since the declaration (STN-CBT-2), or killed by an earlier blocker.
    if not attacking(state, attacker):
        return
    _depend_on_deaths(stack.ctx, attacker)
    left = int(frame.get("left", stat(state, attacker, "atk")))
    waiting = [obj for obj in standing(state, attacker) if obj not in met]
    if met and waiting:
        stack.ctx.depend_on("I-STN-03")
        # Only an attacker that beat its blocker has its whole attack again for the next one.
        if frame["won"] and state.terms.options["I-STN-03"] == "full":
            left = stat(state, attacker, "atk")
    if not met and not waiting:
        _unblocked(stack, attacker, str(frame["seat"]), left)
    elif met and not waiting:
        _beyond(stack, str(frame["seat"]), left)
    elif _goes_on(stack.ctx, met, left):
        _next(stack, {**frame, "left": left}, waiting)


def _depend_on_deaths(ctx: Context, obj: int) -> None:
    """Record I-STN-12 if a creature worn out by an effect of this phase is still in the fight."""
    if "I-STN-12" not in ctx.depends_on and endurance(ctx.state, obj) <= 0:
        ctx.depend_on("I-STN-12")


def _unblocked(stack: Stack, attacker: int, seat: str, points: int) -> None:
    """Damage the opponent's hero (STN-CBT-6); for an attack whose blockers were cancelled or left see I-STN-18."""
    if blockers(stack.ctx.state, attacker) or stack.ctx.state.noted("blocked", attacker):
        stack.ctx.depend_on("I-STN-18")
        if stack.ctx.state.terms.options["I-STN-18"] == "no":
            return
    hurt(stack.ctx, OTHER[seat], points)


def _beyond(stack: Stack, seat: str, points: int) -> None:
    """Apply the attack left after the last blocker (I-STN-07)."""
    if points:
        stack.ctx.depend_on("I-STN-07")
        if stack.ctx.state.terms.options["I-STN-07"] == "hero":
            hurt(stack.ctx, OTHER[seat], points)


def _goes_on(ctx: Context, met: list[int], left: int) -> bool:
    """Whether an attacker meets one more blocker; with no attack left it stops (I-STN-08)."""
    if not met or left:
        return True
    ctx.depend_on("I-STN-08")
    return ctx.state.terms.options["I-STN-08"] == "strike"


def _next(stack: Stack, frame: Frame, waiting: list[int]) -> None:
    """Confront the next blocker, in the defender's order or by the attacker's choice (I-STN-19)."""
    ctx, state = stack.ctx, stack.ctx.state
    blocker: int | None = waiting[0]
    if len(waiting) > 1:
        ctx.depend_on("I-STN-19")
    if "picked" in frame:
        blocker = at(state, frame["picked"])
    elif state.terms.options["I-STN-19"] == "attacker" and len(waiting) > 1:
        stack.ask(frame, str(frame["seat"]), [place(state, obj) for obj in waiting], "STN-CBT-3")
        return
    assert blocker is not None, "only blockers in play are offered"
    _confront(stack, {key: value for key, value in frame.items() if key != "picked"}, blocker)


def _confront(stack: Stack, frame: Frame, blocker: int) -> None:
    """Have both creatures damage each other; either dies at once without endurance left (STN-CBT-4).

    A blocker that already has none, because of an effect of this phase (I-STN-12), dies without using up any attack.
    """
    ctx, state, attacker = stack.ctx, stack.ctx.state, int(frame["attacker"])
    holds = endurance(state, blocker)
    if holds <= 0:
        ctx.depend_on("I-STN-12")
    left = int(frame["left"])
    dealt, taken = min(left, max(0, holds)), stat(state, blocker, "atk")
    wound(ctx, blocker, dealt)
    wound(ctx, attacker, taken)
    dead = [obj for obj in (blocker, attacker) if endurance(state, obj) <= 0]
    # Below the deaths, which resolve first; `_clash` then stops if the attacker is dead.
    stack.push({**frame, "left": left - dealt, "met": [*frame["met"], blocker], "won": blocker in dead})
    if dead:
        stack.push(batch(dead, "combat"))


def _fought(stack: Stack, frame: Frame) -> None:
    """End the fight: engage the creatures that declared an attack (STN-CBT-7), and release the blockers."""
    ctx, state = stack.ctx, stack.ctx.state
    # Cancelled attackers are engaged as well: they had declared an attack.
    for obj in state.memory.get("attacking", []):
        if isinstance(obj, int) and on_field(state, obj):
            engage(ctx, obj)
    for obj in state.memory.get("blocking", []):
        if isinstance(obj, int) and obj in state.hosts:
            ctx.emit("attach", obj, None)
    ctx.emit("note", "fought", state.seat)
    ctx.emit("wipe", COMBAT_NOTES)


HOST.steps.update({"fight": _fight, "clash": _clash, "fought": _fought})
