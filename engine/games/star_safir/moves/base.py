"""What the verbs of Star Safir share: who may act when, and how each lists its own candidates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from engine.core.agenda import Stack, open_window, window
from engine.core.cards import Card
from engine.core.context import Context
from engine.core.effects import force, triggers, values
from engine.core.effects.host import Seen
from engine.core.errors import Violation
from engine.core.game import Game, Move, Verb
from engine.core.state import State
from engine.core.verbs import Plain, missing, not_by, over
from engine.games.star_safir.moves.mat import (
    ACTING,
    COMBAT,
    LANCEMENT,
    OTHER,
    PREPARATION,
    SEATS,
    SUMMONING,
)

Reasons = list[Violation]


class TurnVerb(Verb, Protocol):
    """A verb of the rule text: it knows its own candidates."""

    def candidates(self, state: State) -> Iterator[Move]:
        """Every legal move of this verb, chance left open."""
        ...


def prepared(state: State) -> bool:
    """Whether the set-up is known to be over."""
    return state.phase != PREPARATION and "turn.phase" not in state.unknown


def forbidden(state: State, what: str, card: Card | None, path: str, obj: int = -1) -> Reasons:
    """Why the text of a card forbids this to a card at its place, or to its player (SAF-VIII-1)."""
    if "live" not in state.memory and not state.lasting:
        return []
    ref = values.forbidding(state, what, Seen(obj, path, None if card is None else card.ref))
    return [] if ref is None else [Violation("SAF-VIII-1", {"card": ref}, why=what)]


def held_back(state: State, what: str, path: str) -> Reasons:
    """Why the text of a card forbids this to the fighter in a slot (SAF-VIII-1)."""
    return [reason for obj in state.zones[path] for reason in forbidden(state, what, state.card(obj), path, obj)]


def untimely(state: State, phases: tuple[str, ...]) -> str:
    """Why this phase of one's own turn is not one of those: it has not begun, it has, or an attack was made."""
    if state.phase == LANCEMENT:
        return "unbegun"
    return "begun" if LANCEMENT in phases else "back"


class SafirVerb(Plain):
    """What the verbs share: the game, and who may act when."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def turn(self, state: State, move: Move, phases: tuple[str, ...]) -> Reasons:
        """Why this is not the moment: the game is over, it is not the player's turn, or not the phase (SAF-VI-0)."""
        usual = move.by == state.seat and state.phase in phases and state.result is None
        if usual and not (state.agenda or state.unknown):
            return []
        reasons = over(self.game, state)
        if state.agenda:
            reasons.append(Violation("LOG-pending", {"seat": state.agenda[-1]["ask"]["by"]}))
        if move.by not in SEATS:
            return [*reasons, *not_by(move, *SEATS)]
        wrong_seat = move.by != state.seat and "turn.seat" not in state.unknown
        wrong_phase = state.phase not in phases and "turn.phase" not in state.unknown
        if wrong_seat or wrong_phase:
            why = "seat" if wrong_seat else untimely(state, phases)
            if state.phase == PREPARATION:
                why = "preparation"
            args = {"seat": state.seat or "-", "phase": state.phase}
            reasons.append(Violation("SAF-VI-0", args, ("I-SAF-18",) if why == "back" else (), why=why))
        elif state.unknown:
            for fact in ("turn.seat", "turn.phase"):
                reasons += missing("SAF-VI-0", fact) if fact in state.unknown else []
        return reasons

    def answerable(self, stack: Stack, by: str) -> None:
        """Let the next entry, where it responds, come before what this one does (I-SAF-16)."""
        ctx = stack.ctx
        if ctx.window:
            ctx.lean("I-SAF-16")
            if self.waits(ctx) and not open_window(ctx.state):
                stack.push(window(OTHER[by]))

    def happening(self, stack: Stack, by: str, obj: int, *on: str) -> None:
        """What a card sets going that a player just played, moved or activated, after what responds to it (I-SAF-16).

        A response that takes the card out of play leaves nothing of it.
        """
        if not stack.ctx.window:
            there = force.seen(stack.ctx.state, obj)
            triggers.after(stack, *((event, there) for event in on))
            return
        stack.push({"step": "happens", "on": list(on), "obj": obj})
        self.answerable(stack, by)

    def waits(self, ctx: Context) -> bool:
        """Whether the next entry responds to this one, before it does anything (I-SAF-16)."""
        return ctx.window and ctx.state.terms.options["I-SAF-16"] == "window"

    def mixed(self, ctx: Context) -> None:
        """Note that an action of phase 2 made in phase 3 rests on I-SAF-18."""
        if ctx.state.phase == COMBAT:
            ctx.lean("I-SAF-18")

    def summoning(self, state: State) -> tuple[str, ...]:
        """The phases in which cards are played: I-SAF-18 may let players come back from combat."""
        return ACTING if state.terms.options["I-SAF-18"] == "yes" else SUMMONING
