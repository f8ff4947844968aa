"""Declarations: the mode and targets chosen when a spell, reaction or action is declared (ALT-5.2.3.a to d).

By the rules of 2025 nothing is chosen then: `late` has the choices that are made while the effect resolves.

A `declare` frame holds:

- `ability`: the ability being declared;
- `mode`: the number of the chosen mode, once chosen;
- `chosen`: how many targets have been chosen so far;
- `base`: how many targets were already noted when it began (only an inner action has any);
- `before`, `rest`: the operations of the lines printed before and after the declared one;
- `then`: the frame to run as soon as every choice is made, usually the payment.

The effect itself resolves after `then`. An `undeclare` frame forgets the targets afterwards. A `limbo` frame holds the
reactions that wait to be played (ALT-5.1.1.d).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.core.abilities.language import Tree
from engine.core.effects import force, triggers, values
from engine.core.effects.host import Source, Stack
from engine.core.table.agenda import Frame
from engine.core.table.context import Context
from engine.core.table.state import State
from engine.games.altered.editions import edition
from engine.games.altered.effects import prices
from engine.games.altered.effects.host import HOST, blurred
from engine.games.altered.effects.late import last_target, with_choices
from engine.games.altered.mat import APRES_MIDI, MANA, SEATS, TARGETS, option, pay

TOUGH = "tough"  # the static ability that makes a card dearer to target


def aims(body: Tree) -> list[tuple[int, Tree]]:
    """List the target choices of a body, one (occurrence from 1, selector) pair for each choice to make."""
    found = enumerate(body.get("targets", ()), 1)
    return [(number, aim) for number, aim in found for _ in range(aim.get("take", 1))]


def reachable(state: State, giver: Source, aim: Tree, taken: Sequence[Any] = (), due: int = 0) -> list[str]:
    """List the options for one target: players, or the cards its selector reaches.

    `taken` holds what was already chosen for the same occurrence, which may not be chosen twice. `due` are the orbs
    still to be paid: a Tough card can be chosen only if the player can pay for that as well.
    """
    if aim.get("player"):
        return [seat for seat in SEATS if seat not in taken]
    # "take", "may" and "by" say how to choose, not what a selector reaches.
    bare = {key: value for key, value in aim.items() if key not in ("take", "may", "by", "total")}
    options = [name for name in values.chosen_from(state, giver, bare) if values.object_at(state, name) not in taken]
    if force.statics(state, TOUGH):
        left = len(state.zones[MANA[giver.seat]]) - due
        options = [name for name in options if toll(state, giver, values.object_at(state, name)) <= max(0, left)]
    total = aim.get("total")
    if total is None:
        return options
    spent = sum(values.stat(state, obj, total["stat"]) for obj in taken)
    return [name for name in options if _affordable(state, giver, total, spent, name)]


def toll(state: State, giver: Source, obj: int) -> int:
    """Return how many orbs it costs more that an opponent's effect targets a card."""
    if HOST.places[state.where[obj]].seat == giver.seat:
        return 0
    return sum(values.amount_of(state, source, static[TOUGH]) for source, static in toughening(state, obj))


def toughening(state: State, obj: int) -> list[tuple[Source, Tree]]:
    """Return the static abilities that make a card Tough."""
    card = force.seen(state, obj)
    return [found for found in force.statics(state, TOUGH) if values.applies(state, *found, card)]


def _affordable(state: State, giver: Source, total: Tree, spent: int, name: str) -> bool:
    """Whether a card may be chosen beside others whose figures add up to `spent`."""
    figure = values.stat(state, values.object_at(state, name), total["stat"])
    return values.within(state, giver, {"at_most": total["at_most"]}, spent + figure)


def choosable(state: State, giver: Source, body: Tree, due: int = 0) -> bool:
    """Whether every target of a body can be chosen (I-ALT-18). "Up to" so many targets may be none at all."""
    needed = [aim for aim in body.get("targets", ()) if not aim.get("may")]
    return all(len(reachable(state, giver, aim, due=due)) >= aim.get("take", 1) for aim in needed)


def modes(state: State, giver: Source, ability: Tree, due: int = 0) -> list[str]:
    """List the modes whose targets can all be chosen (ALT-5.2.3.d); with I-ALT-18 `allow`, every mode."""
    allow = edition(state).late_choices or state.terms.options["I-ALT-18"] == "allow"
    found = enumerate(ability["modes"], 1)
    fit = [(number, body) for number, body in found if values.holds(state, giver, body.get("if"))]
    return [str(number) for number, body in fit if allow or choosable(state, giver, body, due)]


def declarable(state: State, giver: Source, ability: Tree, due: int = 0) -> bool:
    """Whether an ability can be declared: each of its targets has something to choose (ALT-5.2.3.b, I-ALT-18)."""
    if edition(state).late_choices or state.terms.options["I-ALT-18"] == "allow":
        return True
    return bool(modes(state, giver, ability, due)) if "modes" in ability else choosable(state, giver, ability, due)


def _declare(stack: Stack, frame: Frame) -> None:
    """Ask for the next choice of a declaration; once all are made, push the payment and then the effect."""
    giver, ability, state = Source(*frame["src"]), frame["ability"], stack.ctx.state
    if edition(state).late_choices:
        _carry_out(stack, frame, giver)
        return
    if "modes" in ability and "mode" not in frame:
        _choose_mode(stack, frame, giver)
        return
    body = ability["modes"][int(frame["mode"]) - 1] if "mode" in frame else ability
    chosen, wanted = int(frame["chosen"]), aims(body)
    if "picked" in frame:
        _aimed(stack, frame, wanted[chosen][0])
        return
    if chosen < len(wanted):
        number, aim = wanted[chosen]
        key = values.target_note(number + int(frame["base"]))
        options = reachable(state, giver, aim, state.memory.get(key, ()), _due(frame))
        blurred(stack.ctx, giver, aim)
        # Reached only under I-ALT-18 `allow`: the declaration goes on without this target.
        if not options:
            if not aim.get("may"):
                stack.ctx.depend_on("I-ALT-18")
            stack.push({**frame, "chosen": chosen + 1})
            return
        stack.ask(frame, giver.seat, options, "ALT-5.2.3.b", optional=bool(aim.get("may")))
        return
    # Last in, first out: the effect is pushed before the payment, so the payment resolves first.
    stack.push(triggers.doing(giver, [*frame.get("before", ()), *body.get("do", ()), *frame.get("rest", ())]))
    if frame.get("owed"):
        pay(stack.ctx, giver.seat, int(frame["owed"]))
    if frame.get("then") is not None:
        stack.push(frame["then"])


def _carry_out(stack: Stack, frame: Frame, giver: Source) -> None:
    """Carry out an ability whose choices are made as it resolves (Complete Rules 3.0, 1.2.6.c and 6.5.b).

    What is printed before it, the payment and what is printed after it come in their places. By I-ALT-23, the mode may
    be chosen before the payment.
    """
    ability = frame["ability"]
    parts = [key for key in ("then", "before", "rest") if frame.get(key)]
    moded = "modes" not in ability or "mode" in frame
    if parts and (moded or option(stack.ctx, "I-ALT-23") == "resolution"):
        if "rest" in parts:
            stack.push(triggers.doing(giver, frame["rest"]))
        stack.push({**_without(frame, *parts), "then": None})
        if "before" in parts:
            stack.push(triggers.doing(giver, frame["before"]))
        if "then" in parts:
            stack.push(frame["then"])
    elif not moded:
        _choose_mode(stack, frame, giver)
    else:
        body = ability["modes"][int(frame["mode"]) - 1] if "mode" in frame else ability
        done = with_choices(body.get("do", ()), body.get("targets", ()), int(frame["base"]))
        if done:
            stack.push(triggers.doing(giver, done))


def _target(stack: Stack, giver: Source, operation: Tree) -> None:
    """Have a target chosen now, once for each card that the selector takes."""
    (aim,) = operation["targets"]
    stack.push({"step": "target", "op": operation, "src": list(giver), "left": aim.get("take", 1)})


def _target_step(stack: Stack, frame: Frame) -> None:
    """Choose one target and pay its toll, then go on with the next.

    A player need not pay for a Tough card (Complete Rules 3.0, 1.2.5.b and 7.4.7), so a choice among Tough cards alone
    can be declined.
    """
    state, giver, operation = stack.ctx.state, Source(*frame["src"]), frame["op"]
    (aim,) = operation["targets"]
    key, left = TARGETS[operation["number"] - 1], int(frame["left"])
    if "picked" in frame:
        name = frame["picked"]
        if name is None:
            return
        stack.ctx.emit("note", key, name if name in SEATS else values.object_at(state, name))
        owed = 0 if name in SEATS else _toll(stack, frame, values.object_at(state, name))
        if owed:
            pay(stack.ctx, giver.seat, owed)
        left -= 1
    options = reachable(state, giver, aim, state.memory.get(key, ())) if left else []
    blurred(stack.ctx, giver, aim)
    if not options:
        return
    tolled = force.statics(state, TOUGH) and not aim.get("player")
    free = not tolled or any(not toll(state, giver, values.object_at(state, name)) for name in options)
    optional = bool(aim.get("may")) or not free
    stack.ask({**_without(frame, "picked"), "left": left}, giver.seat, options, "ALT-5.2.3.b", optional=optional)


def _choose_mode(stack: Stack, frame: Frame, giver: Source) -> None:
    if "picked" in frame:
        picked = frame["picked"]
        # None: no mode could be chosen, so the ability does nothing.
        if picked is not None:
            stack.push({**_without(frame, "picked"), "mode": picked})
        return
    state, ability = stack.ctx.state, frame["ability"]
    # If every mode can be chosen, the result does not depend on I-ALT-18.
    due = _due(frame)
    if not edition(state).late_choices and not all(choosable(state, giver, body, due) for body in ability["modes"]):
        stack.ctx.depend_on("I-ALT-18")
    stack.ask(frame, giver.seat, modes(state, giver, ability, due), "ALT-5.2.3.c")


def _aimed(stack: Stack, frame: Frame, number: int) -> None:
    """Note a chosen target until the effect is over or the target leaves."""
    state, name = stack.ctx.state, frame["picked"]
    if name is None:  # an optional target, declined
        stack.push({**_without(frame, "picked"), "chosen": int(frame["chosen"]) + 1})
        return
    key = TARGETS[number + int(frame["base"]) - 1]
    stack.ctx.emit("note", key, name if name in SEATS else values.object_at(state, name))
    owed = int(frame.get("owed", 0)) + (0 if name in SEATS else _toll(stack, frame, values.object_at(state, name)))
    more = {"owed": owed} if owed else {}
    stack.push({**_without(frame, "picked"), "chosen": int(frame["chosen"]) + 1, **more})


def _toll(stack: Stack, frame: Frame, obj: int) -> int:
    """Return the toll of a target. How Tough a card is that two effects make so is left to a ruling."""
    giver, state = Source(*frame["src"]), stack.ctx.state
    found = toll(state, giver, obj) if force.statics(state, TOUGH) else 0
    if found and len(toughening(state, obj)) > 1:
        stack.ctx.doubt(state.refs[obj] or "?")
    return found


def _due(frame: Frame) -> int:
    """Return the orbs that are still to be paid for a declaration: its price, and the tolls of its targets so far."""
    then = frame.get("then") or {}
    price = then.get("cost") or then.get("ability", {}).get("cost", 0)
    return prices.orbs(price) + int(frame.get("owed", 0))


def _undeclare(stack: Stack, frame: Frame) -> None:
    """Forget the targets of what just resolved."""
    if any(key in stack.ctx.state.memory for key in TARGETS):
        stack.ctx.emit("wipe", TARGETS)


def _inner(stack: Stack, giver: Source, operation: Tree) -> None:
    """Offer an inner action: its player may pay for it now, and only then chooses its targets (ALT-5.2.3.g).

    With `must`, it is carried out if its price can be paid.
    """
    state = stack.ctx.state
    # Not even offered if it cannot be paid for in full (ALT-1.2.5.c) or has no target.
    price = operation["cost"]
    if not prices.payable(state, giver, price):
        return
    if not edition(state).late_choices and not choosable(state, giver, operation, prices.orbs(price)):
        return
    frame = {"step": "inner", "op": operation, "src": list(giver)}
    if operation.get("must"):
        stack.push({**frame, "picked": "yes"})
        return
    stack.ask(frame, giver.seat, ["yes"], "ALT-5.1.1.c", optional=True)


def _inner_step(stack: Stack, frame: Frame) -> None:
    if frame["picked"] is None:
        return
    operation, giver = frame["op"], Source(*frame["src"])
    body = {key: operation[key] for key in ("targets", "do") if key in operation}
    # The spell's own targets are still needed after the inner action, so the numbers of its targets come after theirs.
    base = max(0, last_target(operation["do"]) - len(operation.get("targets", ())))
    ability = {"on": "played", **body}
    stack.push({"step": "declare", "ability": ability, "src": frame["src"], "chosen": 0, "base": base, "then": None})
    prices.charge(stack, giver, operation["cost"])


def _aim(stack: Stack, giver: Source, operation: Tree) -> None:
    """Have each player chosen as this target carry out the operations that follow."""
    seats = stack.ctx.state.memory.get(values.target_note(operation["target"]), ())
    found = [triggers.doing(giver._replace(seat=seat), operation["do"]) for seat in seats if isinstance(seat, str)]
    triggers.push(stack, found)


def initiative(ctx: Context) -> str:
    """Return the seat that plays a reaction first when both have one (I-ALT-22)."""
    state, first = ctx.state, ctx.state.starter()
    if state.phase == APRES_MIDI and state.seat != first and option(ctx, "I-ALT-22") == "turn":
        return state.seat or SEATS[0]
    return first or SEATS[0]


def limbo(stack: Stack) -> None:
    """Push a check of reactions: it runs once everything pushed after this call has resolved (I-ALT-14)."""
    stack.push({"step": "limbo", "waiting": []})


def _limbo(stack: Stack, frame: Frame) -> None:
    """Have players play the reactions in Limbo one by one, the first in initiative order first (ALT-5.1.1.d)."""
    state, waiting = stack.ctx.state, list(frame["waiting"])
    if not waiting:
        return
    seats = dict.fromkeys(str(item["src"][1]) for item in waiting)
    seat = next(iter(seats)) if len(seats) == 1 else initiative(stack.ctx)
    mine = dict(_named(state, [item for item in waiting if item["src"][1] == seat]))
    if "picked" not in frame:
        stack.ask(frame, seat, list(mine), "ALT-5.1.1.d")
        return
    played = mine[frame["picked"]]
    waiting.remove(played)
    stack.push({"step": "limbo", "waiting": waiting})
    # The targets of this reaction are forgotten before the next one is declared.
    stack.push({"step": "undeclare"})
    stack.push(played)


def _named(state: State, waiting: Sequence[Frame]) -> Iterator[tuple[str, Frame]]:
    """Pair each reaction with the option that names it: the ref of its card, numbered (`REF#2`) if it occurs twice."""
    refs = [state.refs[item["src"][0]] or "?" for item in waiting]
    for index, (ref, item) in enumerate(zip(refs, waiting, strict=True)):
        yield (ref if refs.count(ref) == 1 else f"{ref}#{refs[:index].count(ref) + 1}"), item


def _without(frame: Frame, *keys: str) -> dict[str, Any]:
    return {key: value for key, value in frame.items() if key not in keys}


# The fields of each frame as a declared position writes them, by kind (`core.table.naming`); "?" marks an optional one.
FRAMES: Mapping[str, Mapping[str, str]] = {
    "declare": {
        "ability": "ability", "src": "source", "chosen": "number", "base": "number", "mode": "text?",
        "before": "operations?", "rest": "operations?", "then": "frame", "owed": "number?",
    },
    "undeclare": {},
    "inner": {"op": "operation", "src": "source"},
    "target": {"op": "operation", "src": "source", "left": "number"},
    "limbo": {"waiting": "frames"},
}  # fmt: skip
HOST.steps.update({
    "declare": _declare, "undeclare": _undeclare, "inner": _inner_step, "target": _target_step, "limbo": _limbo,
})  # fmt: skip
HOST.plain.update({"inner": _inner, "aim": _aim, "target": _target})
