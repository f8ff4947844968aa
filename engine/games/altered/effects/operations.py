"""Operations that only Altered has, or carries out differently: statuses, boosts, the Reserve and mana.

Importing this module registers them with the game's `HOST`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from engine.core.abilities.language import Tree
from engine.core.effects import force, knowledge, triggers, values
from engine.core.effects.destruction import batch
from engine.core.effects.host import Plain, Source, Stack, Targeted
from engine.core.effects.operations import TARGETED as CORE
from engine.core.effects.values import object_at
from engine.core.table.agenda import Frame
from engine.core.table.chance import Dealer
from engine.core.table.context import deal_top
from engine.core.table.state import State
from engine.core.text.errors import Malformed
from engine.games.altered.editions import edition
from engine.games.altered.effects.host import HOST
from engine.games.altered.mat import (
    ANCRE,
    BOOST,
    DECK,
    DISCARD,
    ENDORMI,
    EPUISE,
    EXPEDITIONS,
    FUGACE,
    HALT,
    HAND,
    NEXT,
    OTHER,
    RESERVE,
    ROW,
    SPENT,
    STEPS,
    depart_together,
    give,
    march,
    option,
    order,
    ready,
    supply,
)
from engine.games.altered.vocabulary import COUNTERS


def _objects(stack: Stack, got: Sequence[str]) -> list[int]:
    return [object_at(stack.ctx.state, option) for option in got]


def _status(status: str) -> Targeted:
    """Make the operation that gives a status to cards in play."""

    def run(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
        for obj in _objects(stack, got):
            if stack.ctx.state.where[obj] in stack.host.in_play:
                give(stack.ctx, obj, status)

    return run


def _boost(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Add boosts, each worth +1 to every statistic."""
    state, points = stack.ctx.state, knowledge.amount(stack, giver, operation)
    boosted = [obj for obj in _objects(stack, got) if points and state.where[obj] in stack.host.in_play]
    for obj in boosted:
        stack.ctx.emit("mark", obj, BOOST, points)
    if state.terms.cards.saying("triggers", "boosted"):
        triggers.after(stack, *(("boosted", force.seen(state, obj)) for obj in boosted))


def _unmark(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Take a mark off cards: a card that loses boosts or counters loses all of them."""
    for obj in _objects(stack, got):
        count = stack.ctx.state.mark(obj, operation["mark"])
        if count:
            stack.ctx.emit("mark", obj, operation["mark"], -count)


def _counter(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Put counters on cards in play."""
    points = knowledge.amount(stack, giver, operation)
    for obj in _objects(stack, got) if points else ():
        if stack.ctx.state.where[obj] in stack.host.in_play:
            stack.ctx.emit("mark", obj, COUNTERS, points)


def _augment(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Put one more counter of a kind that is there on each card; its player chooses where there are two kinds.

    Source: Complete Rules 3.0, 7.3.3.
    """
    if later_word(stack, giver):
        triggers.push(stack, [{"step": "augment", "obj": obj, "src": list(giver)} for obj in _objects(stack, got)])


def _augment_step(stack: Stack, frame: Frame) -> None:
    obj, state = int(frame["obj"]), stack.ctx.state
    if "picked" not in frame:
        there = [mark for mark in (BOOST, COUNTERS) if state.mark(obj, mark)]
        if there:
            stack.ask(frame, Source(*frame["src"]).seat, there, "LOG-answer")
    else:
        stack.ctx.emit("mark", obj, frame["picked"], 1)


def _double(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Double the boosts or counters of cards (Complete Rules 3.0, 7.3.6)."""
    state = stack.ctx.state
    for obj in _objects(stack, got) if later_word(stack, giver) else ():
        count = state.mark(obj, operation["mark"])
        if count:
            stack.ctx.emit("mark", obj, operation["mark"], count)


def _exchange(stack: Stack, giver: Source, operation: Tree) -> None:
    """Exchange the boosts of two cards (Complete Rules 3.0, 7.3.8); without both, nothing happens."""
    state = stack.ctx.state
    two = [values.chosen_from(state, giver, operation[key])[:1] for key in ("of", "with")]
    if not (all(two) and later_word(stack, giver)):
        return
    one, other = (object_at(state, name) for (name,) in two)
    change = state.mark(other, BOOST) - state.mark(one, BOOST)
    if change:
        stack.ctx.emit("mark", one, BOOST, change)
        stack.ctx.emit("mark", other, BOOST, -change)


def later_word(stack: Stack, giver: Source) -> bool:
    """Return whether the rules define a word of later sets; if not, its card is left to a ruling (I-ALT-17)."""
    defined = edition(stack.ctx.state).later_words
    if not defined:
        stack.ctx.doubt(stack.ctx.state.refs[giver.obj] or "?")
    return defined


def _switch(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Move characters to the other expedition of their player. They keep their marks, and do not come into play."""
    for obj in _objects(stack, got):
        seat, row = stack.ctx.state.where[obj].split("/")
        (other,) = (ROW[seat, name] for name in EXPEDITIONS if ROW[seat, name] != f"{seat}/{row}")
        stack.ctx.emit("move", obj, other, -1)


def _to_mana(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Turn cards into exhausted orbs of their owner, face down."""
    depart_together(stack, [(obj, SPENT[stack.ctx.state.owners[obj]]) for obj in _objects(stack, got)])


def _activate(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Set off the abilities of cards in play that are triggered in one way, as if they were played so now."""
    frames: list[Frame] = []
    for obj in _objects(stack, got):
        frames += _reactions(stack.ctx.state, obj, operation["what"])
    if frames:
        stack.host.set_off(stack, frames)


def _reactions(state: State, obj: int, what: str) -> Iterator[Frame]:
    """Yield the abilities of a card with one trigger: its own, and those that others give it."""
    program, card = force.active(state, obj), force.seen(state, obj)
    for ability in () if program is None else program.triggers.get(what, ()):
        if "of" not in ability:
            yield HOST.going(force.source(state, obj)._replace(it=list(card)), ability)
    for other, others in force.acting(state, "watches", what):
        source = force.source(state, other)
        for ability in others.watches[what]:
            if ability.get("its") and values.reaches(state, source, ability["of"], card):
                yield HOST.going(source._replace(it=list(card)), ability)


def _sacrifice(stack: Stack, giver: Source, operation: Tree) -> None:
    """Have players sacrifice cards they choose, in initiative order (I-ALT-13)."""
    seats = stack.host.affected(giver.seat, operation.get("who", "controller"))
    ordered = [seat for seat in order(stack.ctx.state) if seat in seats]
    select = {"step": "select", "op": {"op": "sacrificed", "of": operation["of"]}, "got": []}
    triggers.push(stack, [{**select, "src": list(giver._replace(seat=seat))} for seat in ordered])


def _sacrificed(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Put cards in play in the discard, as their own player does."""
    stack.push(batch(_objects(stack, got), "sacrifice"))


def _march(stack: Stack, giver: Source, operation: Tree) -> None:
    """Move an expedition forward, or back if `n` is negative."""
    word, frame = operation["at"], {"step": "march", "op": operation}
    if word == "any":
        stack.ask(frame, giver.seat, [ROW[seat, name] for seat in order(stack.ctx.state) for name in EXPEDITIONS],
                  "ALT-5.2.3.b")  # fmt: skip
        return
    seat = OTHER[giver.seat] if word == "facing" else giver.seat
    if word in EXPEDITIONS:
        march(stack.ctx, seat, word, operation["n"])
    elif giver.area:  # a card that is in no expedition has none of its own
        area = giver.area - 1
        march(stack.ctx, seat, EXPEDITIONS[1 - area if word == "adjacent" else area], operation["n"])


def _march_step(stack: Stack, frame: Frame) -> None:
    seat, _, row = frame["picked"].partition("/")
    march(stack.ctx, seat, next(name for name in EXPEDITIONS if ROW[seat, name] == f"{seat}/{row}"), frame["op"]["n"])


def _halt(stack: Stack, giver: Source, operation: Tree) -> None:
    """Keep an expedition, or all of them, from moving forward for a while."""
    rows = [ROW[seat, name] for seat in order(stack.ctx.state) for name in EXPEDITIONS]
    frame = {"step": "halt", "op": operation, "src": list(giver)}
    if operation["at"] == "any":
        stack.ask(frame, giver.seat, rows, "ALT-5.2.3.b")
    else:
        for row in reversed(rows):
            stack.push({**frame, "picked": row})


def _halt_step(stack: Stack, frame: Frame) -> None:
    (path,) = (STEPS[key] for key, row in ROW.items() if row == frame["picked"])
    giver = Source(*frame["src"])
    end = stack.host.until(stack.ctx.state, giver.seat, frame["op"]["for"])
    stack.ctx.emit("lasting", (HALT, path, "", 0, end, giver.obj), -1)


def _next(stack: Stack, giver: Source, operation: Tree) -> None:
    """Note what happens to the next fitting card that the player plays."""
    end = stack.host.until(stack.ctx.state, giver.seat, operation["for"])
    what = json.dumps(operation, sort_keys=True, ensure_ascii=False)
    stack.ctx.emit("lasting", (NEXT, giver.seat, what, 0, end, giver.obj), -1)


def _end_turn(stack: Stack, giver: Source, operation: Tree) -> None:
    """End the turn once everything else has resolved, as if a card had been played."""
    stack.frames.insert(0, {"step": "turn_over"})


def _from_hand(stack: Stack, giver: Source, operation: Tree) -> None:
    """Put cards of the hand, chosen by their player, in the Reserve."""
    stack.push({"step": "shelve", "op": operation, "src": list(giver), "left": operation["n"]})


def _shelve_step(stack: Stack, frame: Frame) -> None:
    """Put one card of the hand in the Reserve, or stop."""
    ctx, operation, giver = stack.ctx, frame["op"], Source(*frame["src"])
    hand = HAND[giver.seat]
    if "picked" not in frame:
        options = knowledge.may_be_in(ctx.state, hand, giver.seat) if ctx.state.zones[hand] and frame["left"] else []
        if options:
            stack.push({**frame, "ask": {
                "by": giver.seat, "options": options, "optional": bool(operation.get("may")), "rule": "LOG-hand",
            }})  # fmt: skip
        return
    if frame["picked"] is None:
        return
    obj = knowledge.take_named(ctx, hand, frame["picked"])
    ctx.emit("move", obj, RESERVE[giver.seat], -1)
    kept = {key: value for key, value in frame.items() if key != "picked"}
    stack.push({**kept, "left": frame["left"] - 1})
    if "do" in operation:
        stack.push(triggers.doing(giver._replace(it=list(force.seen(ctx.state, obj))), operation["do"]))


def _ready(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Ready exhausted cards."""
    for obj in _objects(stack, got):
        ready(stack.ctx, obj)


def _elsewhere(stack: Stack, got: Sequence[str]) -> tuple[list[str], list[int]]:
    """Split the chosen cards into the options in play and the objects that are elsewhere."""
    inside = [name for name in got if stack.ctx.state.where[object_at(stack.ctx.state, name)] in stack.host.in_play]
    return inside, _objects(stack, [name for name in got if name not in inside])


def _destroy(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Send cards in play, or in a Reserve, to the discard."""
    # Only a card in play is destroyed in the sense of the core, with replacements and triggers; others are just moved.
    inside, others = _elsewhere(stack, got)
    depart_together(stack, [(obj, DISCARD[stack.ctx.state.owners[obj]]) for obj in others])
    CORE["destroy"](stack, giver, operation, inside)


def _return(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Return cards in play, in a Reserve or in a discard to their owner's hand."""
    inside, others = _elsewhere(stack, got)
    depart_together(stack, [(obj, HAND[stack.ctx.state.owners[obj]]) for obj in others])
    CORE["return"](stack, giver, operation, inside)


def _to_reserve(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Send cards to their owner's Reserve, or a Fleeting one to the discard (I-ALT-19)."""
    state, leaving = stack.ctx.state, []
    for obj in _objects(stack, got):
        lost = state.mark(obj, FUGACE) and option(stack.ctx, "I-ALT-19") == "discard"
        leaving.append((obj, (DISCARD if lost else RESERVE)[state.owners[obj]]))
    depart_together(stack, leaving)


def _resupply(stack: Stack, giver: Source, operation: Tree) -> None:
    """Move the top cards of the deck to the Reserve, face up."""
    ctx, state = stack.ctx, stack.ctx.state
    for seat in stack.host.affected(giver.seat, operation.get("who", "controller")):
        count = supply(ctx, seat, knowledge.amount(stack, giver, operation))
        if not count:
            continue
        refs = _revealed(stack, seat, count)
        for ref in refs:
            obj = state.zones[DECK[seat]][-1]
            knowledge.name(ctx, obj, ref)
            ctx.emit("move", obj, RESERVE[seat], -1)
            if operation.get("exhausted") and later_word(stack, giver):  # Complete Rules 3.0, 7.3.11
                give(ctx, obj, EPUISE)


def _revealed(stack: Stack, seat: str, count: int) -> Sequence[str]:
    ctx, state = stack.ctx, stack.ctx.state

    def dealt(dealer: Dealer) -> Sequence[str]:
        return deal_top(state, seat, count, dealer, "reveal")

    refs: Sequence[str] = ctx.chance("reveal", f"{count} cards of {seat}", dealt, ("?",) * count)
    # A recorded reveal must name every card; "?" stands only where chance is open, in a question or a candidate.
    if len(refs) != count or ("?" in refs and ctx.supply is not None):
        raise Malformed("missing_chance", f"reveal: {count} cards of {seat}, each by name", path="chance")
    return refs


def _mana(stack: Stack, giver: Source, operation: Tree) -> None:
    """Turn the top cards of the deck into exhausted orbs, face down (I-ALT-07)."""
    ctx, state = stack.ctx, stack.ctx.state
    for seat in stack.host.affected(giver.seat, operation.get("who", "controller")):
        for _ in range(supply(ctx, seat, knowledge.amount(stack, giver, operation))):
            ctx.emit("move", state.zones[DECK[seat]][-1], SPENT[seat], -1)


def _drawn(stack: Stack, frame: Frame) -> None:
    """Draw cards; if the deck is short, the discard is shuffled under it first (I-ALT-12)."""
    seat = str(frame["seat"])
    count = supply(stack.ctx, seat, int(frame["n"]))
    if count:
        stack.ctx.draw(seat, stack.ctx.chance_draw(seat, count))


TARGETED: dict[str, Targeted] = {
    "boost": _boost,
    "anchor": _status(ANCRE),
    "sleep": _status(ENDORMI),
    "fleeting": _status(FUGACE),
    "exhaust": _status(EPUISE),
    "ready": _ready,
    "to_reserve": _to_reserve,
    "to_mana": _to_mana,
    "unmark": _unmark,
    "counter": _counter,
    "augment": _augment,
    "double": _double,
    "switch": _switch,
    "activate": _activate,
    "sacrificed": _sacrificed,
    "destroy": _destroy,
    "return": _return,
}
PLAIN: dict[str, Plain] = {
    "resupply": _resupply,
    "mana": _mana,
    "to_reserve": _from_hand,
    "sacrifice": _sacrifice,
    "march": _march,
    "halt": _halt,
    "next": _next,
    "exchange": _exchange,
    "end_turn": _end_turn,
}

# The fields of each frame as a declared position writes them.
FRAMES: Mapping[str, Mapping[str, str]] = {
    "march": {"op": "operation"},
    "halt": {"op": "operation", "src": "source"},
    "shelve": {"op": "operation", "src": "source", "left": "number"},
    "augment": {"obj": "object", "src": "source"},
}

HOST.targeted.update(TARGETED)
HOST.plain.update(PLAIN)
HOST.steps.update({
    "drawn": _drawn,
    "march": _march_step,
    "halt": _halt_step,
    "shelve": _shelve_step,
    "augment": _augment_step,
})
