"""What the verbs of Star Safir share: who may act when, responses, and what card texts forbid."""

from __future__ import annotations

from engine.core.cards.card import Card
from engine.core.effects import force, triggers, values
from engine.core.effects.host import Seen, Stack
from engine.core.table.agenda import open_window, window
from engine.core.table.context import Context
from engine.core.table.game import Game, Move
from engine.core.table.state import State
from engine.core.table.verbs import Plain, missing, not_by, over
from engine.core.text.errors import Violation
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


def prepared(state: State) -> bool:
    """Whether the set-up is known to be over."""
    return state.phase != PREPARATION and "turn.phase" not in state.unknown


def forbidden(state: State, what: str, card: Card | None, path: str, obj: int = -1) -> Reasons:
    """Return why the text of a card forbids something to a card, or to its player (SAF-VIII-1).

    `what` is a word of `vocabulary.LANGUAGE` ("attack", "play"), `path` where the card is or would be, `obj` its number
    (-1 if it is not on the mat yet).
    """
    # Nothing is in force: the usual case, and asked for every slot by `candidates`.
    if "live" not in state.memory and not state.lasting:
        return []
    ref = values.forbidding(state, what, Seen(obj, path, None if card is None else card.ref))
    return [] if ref is None else [Violation("SAF-VIII-1", {"card": ref}, why=what)]


def held_back(state: State, what: str, path: str) -> Reasons:
    """Return why the text of a card forbids this to the fighter in a slot (SAF-VIII-1)."""
    return [reason for obj in state.zones[path] for reason in forbidden(state, what, state.card(obj), path, obj)]


def untimely(state: State, phases: tuple[str, ...]) -> str:
    """Return the reason of SAF-VI-0 for acting in the wrong phase of one's own turn.

    "unbegun": `begin_turn` comes first; "begun": it has been made already; "back": an attack ended phase 2.
    """
    if state.phase == LANCEMENT:
        return "unbegun"
    return "begun" if LANCEMENT in phases else "back"


class SafirVerb(Plain):
    """Base of the verbs: the game, who may act when, and responses to what was announced."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def turn(self, state: State, move: Move, phases: tuple[str, ...]) -> Reasons:
        """Return why this is not the moment for a move made in one's own turn, in one of `phases` (SAF-VI-0).

        The game is over, a choice is pending, it is the other player's turn, or it is another phase.
        """
        # The usual case first: this check runs for every move.
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
            # During the set-up it is nobody's turn, so neither seat nor phase explains anything.
            if state.phase == PREPARATION:
                why = "preparation"
            args = {"seat": state.seat or "-", "phase": state.phase}
            reasons.append(Violation("SAF-VI-0", args, ("I-SAF-18",) if why == "back" else (), why=why))
        elif state.unknown:
            for fact in ("turn.seat", "turn.phase"):
                reasons += missing("SAF-VI-0", fact) if fact in state.unknown else []
        return reasons

    def answerable(self, stack: Stack, by: str) -> None:
        """Open a window, if the next entry responds, so that it resolves before this move (I-SAF-16)."""
        ctx = stack.ctx
        if ctx.window:
            ctx.depend_on("I-SAF-16")
            if self.waits(ctx) and not open_window(ctx.state):
                stack.push(window(OTHER[by]))

    def happening(self, stack: Stack, by: str, obj: int, *on: str) -> None:
        """Trigger the events of a card that its player just played, moved or activated.

        A response comes first (I-SAF-16); if it takes the card out of play, nothing is triggered.
        """
        if not stack.ctx.window:
            there = force.seen(stack.ctx.state, obj)
            triggers.after(stack, *((event, there) for event in on))
            return
        stack.push({"step": "happens", "on": list(on), "obj": obj})
        self.answerable(stack, by)

    def waits(self, ctx: Context) -> bool:
        """Whether the next entry responds to this move and resolves before it (I-SAF-16)."""
        return ctx.window and ctx.state.terms.options["I-SAF-16"] == "window"

    def mixed(self, ctx: Context) -> None:
        """Record that an action of phase 2 made in phase 3 depends on I-SAF-18."""
        if ctx.state.phase == COMBAT:
            ctx.depend_on("I-SAF-18")

    def summoning(self, state: State) -> tuple[str, ...]:
        """Return the phases in which cards are played; I-SAF-18 may add combat."""
        return ACTING if state.terms.options["I-SAF-18"] == "yes" else SUMMONING
