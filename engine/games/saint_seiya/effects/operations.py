"""Operations that only Saint Seiya has: tokens, healing, the terrain, discards, cards put elsewhere, other players."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.abilities.language import Tree
from engine.core.effects import knowledge, triggers
from engine.core.effects.host import Plain, Source, Stack, Step, Targeted
from engine.core.effects.values import objects_at
from engine.core.table.agenda import Frame
from engine.core.table.places import at
from engine.core.table.state import COMMON
from engine.games.saint_seiya.moves.mat import (
    IN_PLAY,
    RESERVE,
    TERRAIN,
    abilities,
    acquire,
    barred,
    bear,
    draw,
    forget,
    moved,
    names,
    player,
    put,
    remove,
    replenish,
    settle_marks,
    unmark,
)
from engine.games.saint_seiya.vocabulary import ANYONE, CHOSEN, FROST, OPENED, WOUND


def _objects(stack: Stack, got: Sequence[str]) -> list[int]:
    return objects_at(stack.ctx.state, got)


def _draw(stack: Stack, giver: Source, operation: Tree) -> None:
    for seat in stack.host.affected(giver.seat, operation.get("who", "controller")):
        draw(stack.ctx, seat, knowledge.amount(stack, giver, operation))


def _discard(stack: Stack, giver: Source, operation: Tree) -> None:
    """Have players discard cards of their own, from play or hand unless the card says hand only (SSD-DEF-1, SSD-EFF-4).

    If the card names several players, each of them discards; with "chosen", only the opponent that its player names.
    """
    count, who = knowledge.amount(stack, giver, operation), operation.get("who", "controller")
    if not count:
        return
    what = {"left": count, "from": operation.get("from", "any")}
    if who == CHOSEN:
        others = stack.host.affected(giver.seat, "opponent")
        stack.ask({"step": "give_up_by", "src": list(giver), **what}, giver.seat, others, "SSD-DEF-1")
        return
    seats = stack.host.affected(giver.seat, who)
    triggers.push(stack, [{"step": "give_up", "seat": seat, **what} for seat in seats])


def _give_up_by_step(stack: Stack, frame: Frame) -> None:
    """Have the chosen player discard."""
    stack.push({"step": "give_up", "seat": frame["picked"], "left": frame["left"], "from": frame["from"]})


def _give_up_step(stack: Stack, frame: Frame) -> None:
    """Ask for one card to discard, move it, and go on until none is left to discard.

    An option is the place of a card on the table, or the ref of a card in hand.
    """
    ctx, state, seat = stack.ctx, stack.ctx.state, str(frame["seat"])
    hand = f"{seat}/hand"
    if "picked" not in frame:
        zones = IN_PLAY if frame["from"] == "any" else ()
        options = [name for zone in zones for name in names(state, state.zones[f"{seat}/{zone}"])]
        options += knowledge.may_be_in(state, hand, seat)
        if options:
            ask = {"by": seat, "options": options, "optional": False, "rule": "SSD-DEF-1"}
            stack.push({**frame, "ask": ask})
        return
    picked = str(frame["picked"])
    obj = at(state, picked)
    if obj is not None:
        put(stack, obj, f"{seat}/discard")
    else:
        ctx.emit("move", knowledge.take_named(ctx, hand, picked), f"{seat}/discard", -1)
    if frame["left"] > 1:
        kept = {key: value for key, value in frame.items() if key != "picked"}
        stack.push({**kept, "left": frame["left"] - 1})


def _players(stack: Stack, giver: Source, operation: Tree) -> None:
    """Have players carry out operations as if the effect were theirs, in the order of the seats."""
    who = operation["who"]
    if who not in (CHOSEN, ANYONE):
        seats = stack.host.affected(giver.seat, who)
        triggers.push(stack, [triggers.doing(giver._replace(seat=seat), operation["do"]) for seat in seats])
        return
    seats = stack.host.affected(giver.seat, "both" if who == ANYONE else "opponent")
    stack.ask({"step": "players", "src": list(giver), "ops": operation["do"]}, giver.seat, seats, "LOG-answer")


def _players_step(stack: Stack, frame: Frame) -> None:
    """Have the player who was named carry out the operations."""
    stack.push(triggers.doing(Source(*frame["src"])._replace(seat=str(frame["picked"])), frame["ops"]))


def _reveal(stack: Stack, giver: Source, operation: Tree) -> None:
    """Reveal cards; a draw pile that runs out is replenished as for a draw (I-SSD-11)."""
    if operation["at"] == "deck":
        count = knowledge.amount(stack, giver, operation) if "n" in operation else 1
        (seat, *_) = stack.host.affected(giver.seat, operation.get("who", "controller"))
        replenish(stack.ctx, seat, count)
    knowledge.reveal(stack, giver, operation)


def _newcomers(stack: Stack, giver: Source, operation: Tree) -> None:
    """Let the characters that the player has still to put in play gain a bonus for a while."""
    points, state = knowledge.amount(stack, giver, operation), stack.ctx.state
    end = stack.host.until(state, giver.seat, operation["for"])
    stack.ctx.emit("lasting", ("add", giver.seat, operation["stat"], points, end, giver.obj), -1)


def _open(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Let cards be acquired by one more mode for a while, at what they cost by the other."""
    end = stack.host.until(stack.ctx.state, giver.seat, operation.get("for", "permanent"))
    for obj in _objects(stack, got):
        stack.ctx.emit("lasting", (OPENED[operation["mode"]], obj, "", 0, end, giver.obj), -1)


def _fill(stack: Stack, giver: Source, operation: Tree) -> None:
    """Fill the empty slots of the terrain (SSD-COM-1), or only the one where the card the effect is about was."""
    was = None if giver.it is None or "at" not in operation else giver.it[1]
    only = {"slot": was} if was in TERRAIN else {}
    stack.push({"step": "fill", **only})


def _destroy(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Move cards to the destroyed cards of the players they belong to."""
    for obj in _objects(stack, got):
        put(stack, obj, f"{player(stack.ctx.state, obj)}/destroyed")


def _put(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Move cards to the discard, or on top of the draw pile, of the players they belong to."""
    for obj in _objects(stack, got):
        put(stack, obj, f"{player(stack.ctx.state, obj)}/{operation['to']}")


def _shed(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Discard cards that were chosen."""
    for obj in _objects(stack, got):
        put(stack, obj, f"{player(stack.ctx.state, obj)}/discard")


def _shuffle_in(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Shuffle cards into the draw pile of their player, or into the reserve, to which they then belong."""
    shuffled: dict[str, None] = {}
    for obj in _objects(stack, got):
        path = RESERVE if operation["to"] == "reserve" else f"{player(stack.ctx.state, obj)}/deck"
        put(stack, obj, path)
        if path == RESERVE:
            stack.ctx.emit("own", obj, COMMON)
        shuffled[path] = None
    for path in shuffled:
        forget(stack.ctx, path)


def _exchange(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Exchange the card itself, where it still is, with another one; each goes to the other's place and player."""
    ctx, state = stack.ctx, stack.ctx.state
    if len(got) != 1 or state.where[giver.obj] != giver.path:
        return
    (other,) = _objects(stack, got)
    mine, theirs = player(state, giver.obj), player(state, other)
    for obj in (giver.obj, other):
        if obj in state.hosts:
            ctx.emit("attach", obj, None)
    ctx.emit("swap", giver.obj, other)
    ctx.emit("own", giver.obj, theirs)
    ctx.emit("own", other, mine)


def _swap(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Exchange two cards of the terrain; cards that confront them follow them (I-SSD-08)."""
    if len(got) == 2:
        one, two = _objects(stack, got)
        stack.ctx.emit("swap", one, two)
        for obj in (one, two):
            moved(stack.ctx, obj)


def _in_order(stack: Stack, got: Sequence[str], on: str) -> list[int]:
    """Return the cards in the order to handle them, so that what they trigger follows I-SSD-13."""
    state, objs = stack.ctx.state, _objects(stack, got)
    if sum(bool(abilities(state, obj, on)) for obj in objs) > 1:
        stack.ctx.depend_on("I-SSD-13")
    # What is pushed last resolves first, so the last card is handled first to resolve in the order listed.
    return objs[::-1] if state.terms.options["I-SSD-13"] == "listed" else objs


def _wound(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    for obj in _in_order(stack, got, "marqué"):
        bear(stack, obj, WOUND)


def _freeze(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    for obj in _in_order(stack, got, "marqué"):
        bear(stack, obj, FROST)


def _heal(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Remove all wounds and frosts of a card at once, but no other token (SSD-SOI-1)."""
    for obj in _objects(stack, got):
        unmark(stack.ctx, obj, WOUND, FROST)
        settle_marks(stack, obj)


def _remove(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    for obj in _in_order(stack, got, "sortie"):
        remove(stack, obj)


def _acquire(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Acquire cards. Where they go, if their effect does not say so, is I-SSD-17."""
    ctx, state = stack.ctx, stack.ctx.state
    to = operation.get("to")
    if to is None:
        ctx.depend_on("I-SSD-17")
        to = state.terms.options["I-SSD-17"]
    for obj in _in_order(stack, got, "vaincu"):
        if barred(state, "acquire", obj) is not None:
            # Chance took a card that may not be acquired: what becomes of it, no card says.
            ctx.doubt(state.refs[giver.obj] or "?")
        else:
            acquire(stack, obj, giver.seat, to)


PLAIN: dict[str, Plain] = {
    "draw": _draw,
    "discard": _discard,
    "fill": _fill,
    "players": _players,
    "reveal": _reveal,
    "newcomers": _newcomers,
}
TARGETED: dict[str, Targeted] = {
    "destroy": _destroy,
    "wound": _wound,
    "freeze": _freeze,
    "heal": _heal,
    "remove": _remove,
    "acquire": _acquire,
    "discard": _shed,
    "put": _put,
    "shuffle_in": _shuffle_in,
    "exchange": _exchange,
    "swap": _swap,
    "open": _open,
}
STEPS: dict[str, Step] = {"give_up": _give_up_step, "give_up_by": _give_up_by_step, "players": _players_step}
