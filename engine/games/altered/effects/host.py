"""Altered's hooks for the effect interpreter: zones, counters, durations and what happens to cards that leave."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.abilities.language import Tree
from engine.core.cards.card import Card
from engine.core.effects import force, values
from engine.core.effects.host import Host, Place, Source, Stack
from engine.core.effects.interpreter import equip
from engine.core.effects.triggers import ACTED
from engine.core.table.agenda import Frame
from engine.core.table.context import Context
from engine.core.table.state import State
from engine.games.altered.mat import (
    BOOST,
    DISCARD,
    EXPEDITIONS,
    HAND,
    HERO,
    LANDMARKS,
    MANA,
    RESERVE,
    ROW,
    SEATS,
    SPENT,
    STEPS,
    TARGETS,
    home,
    march,
)
from engine.games.altered.vocabulary import COUNTERS, GIGANTESQUE, JETON, TYPES, ZEROS

IN_PLAY = {
    **{zone[seat]: Place(seat, 0, 0) for zone in (HERO, LANDMARKS) for seat in SEATS},
    # Each expedition is an area of its own (1 and 2); heroes and Landmarks are near everything (area 0).
    **{ROW[seat, name]: Place(seat, index + 1, 0) for seat in SEATS for index, name in enumerate(EXPEDITIONS)},
}
APART = (HAND, RESERVE, DISCARD, MANA, SPENT)  # zones that are near everything, and where no card is in play
PLACES = {**IN_PLAY, **{zone[seat]: Place(seat, 0, 0) for zone in APART for seat in SEATS}}


def blurred(ctx: Context, giver: Source, selector: Tree) -> None:
    """Put a card in doubt whose selector means one expedition while a Gigantic character counts in both.

    Selectors read where a card lies, so they would miss it.
    """
    state = ctx.state
    if "in" not in selector or not giver.area:
        return
    rows = [obj for seat in SEATS for name in EXPEDITIONS for obj in state.zones[ROW[seat, name]]]
    if any(values.has(state, obj, GIGANTESQUE) for obj in rows):
        ctx.doubt(state.refs[giver.obj] or "?")


class AlteredHost(Host):
    """The `Host` of Altered. `HOST` is its only instance."""

    seats = SEATS
    places = PLACES
    zones = {
        "expeditions": tuple(ROW[seat, name] for seat in SEATS for name in EXPEDITIONS),
        "heros": tuple(ROW[seat, "heros"] for seat in SEATS),
        "compagnon": tuple(ROW[seat, "compagnon"] for seat in SEATS),
        "landmarks": tuple(LANDMARKS.values()),
        "reserve": tuple(RESERVE.values()),
        "mat": (*(ROW[seat, name] for seat in SEATS for name in EXPEDITIONS), *LANDMARKS.values()),
        "hero": tuple(HERO.values()),
        "discard": tuple(DISCARD.values()),
        "mana": (*MANA.values(), *SPENT.values()),
        "hand": tuple(HAND.values()),
    }
    piles = ("discard", "mana", "hand")
    veiled = ("mana", "hand")
    in_play = IN_PLAY
    counters = {name: {seat: STEPS[seat, name] for seat in SEATS} for name in EXPEDITIONS}
    derived = (ZEROS,)

    def __init__(self) -> None:
        super().__init__()
        equip(self)

    def until(self, state: State, seat: str, word: str) -> int | str:
        """Return when a duration ends: on a card of Altered, "turn" means the day."""
        return state.turn if word == "turn" else super().until(state, seat, word)

    def going(self, giver: Source, ability: Tree) -> Frame:
        """Return the frame of a triggered ability: a reaction waits in Limbo and is declared when it is played."""
        return {"step": "declare", "ability": ability, "src": list(giver), "chosen": 0, "base": 0, "then": None}

    def set_off(self, stack: Stack, frames: Sequence[Frame]) -> None:
        """Put reactions in Limbo until the next check (I-ALT-14), and note those that act once a day."""
        for frame in frames:
            if frame["ability"].get("once"):
                stack.ctx.emit("note", ACTED, frame["src"][0])
        stack.ctx.depend_on("I-ALT-14")
        if stack.ctx.state.terms.options["I-ALT-14"] == "once":
            stack.push({"step": "limbo", "waiting": list(frames)})
            return
        # They join the innermost check under way; without one, a check is added at the bottom, after everything else.
        found = [index for index, frame in enumerate(stack.frames) if frame["step"] == "limbo"]
        if not found:
            stack.frames.insert(0, {"step": "limbo", "waiting": []})
        index = found[-1] if found else 0
        stack.frames[index] = {**stack.frames[index], "waiting": [*stack.frames[index]["waiting"], *frames]}

    def near(self, giver: Source, selector: Tree, place: Place) -> bool:
        """Return whether a place is in the expedition a selector means: `here`, or `adjacent` for the other one."""
        reach = selector.get("in", "any")
        return bool(reach == "any" or (giver.area == place.area) == (reach == "here"))

    def choosing(self, ctx: Context, giver: Source, operation: Tree, pool: Sequence[str], got: Sequence[str]) -> None:
        """Leave a choice within one expedition to a ruling if a Gigantic character counts in it from the other one."""
        blurred(ctx, giver, operation.get("of", {}))

    def named_by(self, giver: Source, word: str, path: str) -> bool:
        """Return whether the `at` of a token, such as "here" or "heros", means this expedition."""
        if word in EXPEDITIONS:
            return path == ROW[giver.seat, word]
        return (PLACES[path].area == giver.area) == (word == "here")

    def forget(self, ctx: Context, obj: int) -> None:
        """Forget a card that left play, also as a target."""
        super().forget(ctx, obj)
        for key in TARGETS:
            # A card may be noted more than once, as the target of several occurrences.
            while ctx.state.noted(key, obj):
                ctx.emit("clear", key, obj)

    def made(self, ctx: Context, obj: int) -> None:
        """Put the text of a token in force, if it has any."""
        card = ctx.state.card(obj)
        if card is None or card.program is None:
            super().made(ctx, obj)
        else:
            force.enter(ctx, obj)

    def added(self, state: State, obj: int, key: str) -> int:
        """Each boost adds 1 to every statistic. Boosts, counters and the printed statistics of 0 are figures too."""
        if key in TYPES:
            return state.mark(obj, BOOST)
        if key == ZEROS:
            card = state.card(obj)
            return 0 if card is None else sum(card.figures.get(name) == 0 for name in TYPES)
        return state.mark(obj, key) if key in (BOOST, COUNTERS) else 0

    def gain(self, ctx: Context, path: str, points: int) -> None:
        """Advance an expedition by `points` regions."""
        seat, name = path.split(".")
        march(ctx, seat, name, points)

    def lose(self, stack: Stack, giver: Source, path: str, points: int) -> None:
        """Move an expedition back by `points` regions."""
        seat, name = path.split(".")
        march(stack.ctx, seat, name, -points)

    def discards(self, stack: Stack, giver: Source, seat: str) -> tuple[str, Sequence[str]]:
        """A discarded card goes to its player's discard."""
        return seat, ["discard"]

    def pile(self, state: State, obj: int, to: str) -> str:
        """Return the owner's discard, the only pile there is."""
        return DISCARD[state.owners[obj]]

    def dies(self, stack: Stack, obj: int, cause: str, *, passive: bool) -> bool:
        """Move a destroyed card to its owner's discard (a token: I-ALT-15). It always counts as destroyed."""
        stack.ctx.emit("move", obj, home(stack.ctx, obj, DISCARD[stack.ctx.state.owners[obj]]), -1)
        force.leave(stack, obj)
        return True

    def left(self, stack: Stack, obj: int) -> None:
        """Remove a token that was returned to a hand (I-ALT-15)."""
        state = stack.ctx.state
        card = state.card(obj)
        # The core's `return` has already moved the token to the hand.
        if card is not None and card.kind == JETON and state.where[obj] in HAND.values():
            stack.ctx.emit("move", obj, home(stack.ctx, obj, ""), -1)

    def token_slots(self, state: State, giver: Source, card: Card) -> list[str] | None:
        """Return the player's two expeditions; None if the card is not a token."""
        return [ROW[giver.seat, name] for name in EXPEDITIONS] if card.kind == JETON else None


HOST = AlteredHost()
