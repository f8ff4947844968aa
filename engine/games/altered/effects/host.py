"""Altered as the interpreter of effects sees it."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.agenda import Frame, Stack
from engine.core.cards import Card
from engine.core.context import Context
from engine.core.effects import force
from engine.core.effects.host import Host, Place, Source
from engine.core.effects.interpreter import equip
from engine.core.effects.language import Tree
from engine.core.state import State
from engine.games.altered.mat import (
    BOOST,
    DISCARD,
    EXPEDITIONS,
    HAND,
    HERO,
    LANDMARKS,
    RESERVE,
    ROW,
    SEATS,
    STEPS,
    TARGETS,
    home,
    march,
)
from engine.games.altered.vocabulary import JETON

IN_PLAY = {
    **{zone[seat]: Place(seat, 0, 0) for zone in (HERO, LANDMARKS) for seat in SEATS},
    **{ROW[seat, name]: Place(seat, index + 1, 0) for seat in SEATS for index, name in enumerate(EXPEDITIONS)},
}
PLACES = {**IN_PLAY, **{zone[seat]: Place(seat, 0, 0) for zone in (HAND, RESERVE, DISCARD) for seat in SEATS}}


class AlteredHost(Host):
    """What the interpreter asks of Altered; `HOST` is its one instance."""

    seats = SEATS
    places = PLACES
    zones = {
        "expeditions": tuple(ROW[seat, name] for seat in SEATS for name in EXPEDITIONS),
        "heros": tuple(ROW[seat, "heros"] for seat in SEATS),
        "compagnon": tuple(ROW[seat, "compagnon"] for seat in SEATS),
        "landmarks": tuple(LANDMARKS.values()),
        "reserve": tuple(RESERVE.values()),
        "hero": tuple(HERO.values()),
        "discard": tuple(DISCARD.values()),
    }
    in_play = IN_PLAY
    counters = {name: {seat: STEPS[seat, name] for seat in SEATS} for name in EXPEDITIONS}

    def __init__(self) -> None:
        super().__init__()
        equip(self)

    def until(self, state: State, seat: str, word: str) -> int | str:
        """A turn of a card is the day."""
        return state.turn if word == "turn" else super().until(state, seat, word)

    def going(self, giver: Source, ability: Tree) -> Frame:
        """A reaction waits in Limbo, and is declared when it is played."""
        return {"step": "declare", "ability": ability, "src": list(giver), "chosen": 0, "base": 0, "then": None}

    def set_off(self, stack: Stack, frames: Sequence[Frame]) -> None:
        """Reactions go to Limbo until they are checked next (I-ALT-14)."""
        stack.ctx.lean("I-ALT-14")
        if stack.ctx.state.terms.options["I-ALT-14"] == "once":
            stack.push({"step": "limbo", "waiting": list(frames)})
            return
        found = [index for index, frame in enumerate(stack.frames) if frame["step"] == "limbo"]
        if not found:
            stack.frames.insert(0, {"step": "limbo", "waiting": []})
        index = found[-1] if found else 0
        stack.frames[index] = {**stack.frames[index], "waiting": [*stack.frames[index]["waiting"], *frames]}

    def forget(self, ctx: Context, obj: int) -> None:
        """A card that left is no target any more."""
        super().forget(ctx, obj)
        for key in TARGETS:
            while ctx.state.noted(key, obj):
                ctx.emit("clear", key, obj)

    def added(self, state: State, obj: int, key: str) -> int:
        """Each boost adds 1 to every statistic."""
        return state.mark(obj, BOOST)

    def gain(self, ctx: Context, path: str, points: int) -> None:
        """An expedition goes on by so many regions."""
        seat, name = path.split(".")
        march(ctx, seat, name, points)

    def lose(self, stack: Stack, giver: Source, path: str, points: int) -> None:
        """An expedition goes back by so many regions."""
        seat, name = path.split(".")
        march(stack.ctx, seat, name, -points)

    def discards(self, stack: Stack, giver: Source, seat: str) -> tuple[str, Sequence[str]]:
        """To the discard."""
        return seat, ["discard"]

    def pile(self, state: State, obj: int, to: str) -> str:
        """The discard of the owner."""
        return DISCARD[state.owners[obj]]

    def dies(self, stack: Stack, obj: int, cause: str, *, passive: bool) -> bool:
        """To the discard of its owner."""
        stack.ctx.emit("move", obj, home(stack.ctx, obj, DISCARD[stack.ctx.state.owners[obj]]), -1)
        force.leave(stack, obj)
        return True

    def left(self, stack: Stack, obj: int) -> None:
        """A token that is back in a hand is no more (I-ALT-15)."""
        state = stack.ctx.state
        card = state.card(obj)
        if card is not None and card.kind == JETON and state.where[obj] in HAND.values():
            stack.ctx.emit("move", obj, home(stack.ctx, obj, ""), -1)

    def token_slots(self, state: State, giver: Source, card: Card) -> list[str] | None:
        """Either expedition of the player."""
        return [ROW[giver.seat, name] for name in EXPEDITIONS] if card.kind == JETON else None


HOST = AlteredHost()
