"""What the verbs of Saint Seiya share: who may act when, and how the chance of effects is dealt."""

from __future__ import annotations

from abc import ABC, abstractmethod

from engine.core.effects.interpreter import tried
from engine.core.table import places
from engine.core.table.chance import Dealer
from engine.core.table.context import Context
from engine.core.table.game import Game, Move
from engine.core.table.state import State
from engine.core.table.verbs import Plain, missing, not_by, over
from engine.core.text.errors import Violation
from engine.games.saint_seiya.moves.mat import PREPARATION, PRINCIPALE

Reasons = list[Violation]


class SeiyaVerb(Plain, ABC):
    """Base of the verbs: the game, who may act when, and chance dealt by trying the move."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def moment(self, state: State, move: Move, *phases: str, waits: str = "LOG-pending") -> Reasons:
        """Return why this is not the moment for a move in one of `phases` (the main phase if none is given).

        The game is over, a choice is pending (cited as rule `waits`), it is another seat's turn, or it is another
        phase.
        """
        phases = phases or (PRINCIPALE,)
        # The usual case first: this check runs for every move.
        usual = move.by == state.seat and state.phase in phases and state.result is None
        if usual and not (state.agenda or state.unknown):
            return []
        reasons = over(self.game, state)
        if state.agenda:
            reasons.append(Violation(waits, {"seat": state.agenda[-1]["ask"]["by"]}))
        if move.by not in state.terms.seats:
            return [*reasons, *not_by(move, *state.terms.seats)]
        why = self.untimely(state, move.by, phases)
        if why:
            return [*reasons, out_of_turn(state, move.by, why)]
        return reasons + unknown(state, "SSD-JEU-1", "turn.seat", "turn.phase")

    def untimely(self, state: State, by: str, phases: tuple[str, ...]) -> str:
        """Return the reason of SSD-JEU-1 why a seat may not act now; "" if it may, or nobody knows."""
        if "turn.phase" not in state.unknown and state.phase == PREPARATION:
            return "setup"
        if by != state.seat and "turn.seat" not in state.unknown:
            return "turn"
        late = state.phase not in phases and "turn.phase" not in state.unknown
        return "discarding" if late else ""

    @abstractmethod
    def run(self, ctx: Context, move: Move) -> None:
        """Make the move."""

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """Deal the chance of the effects that the move triggers."""
        return tried(self.run, state, move, dealer)


def out_of_turn(state: State, by: str, why: str) -> Violation:
    """The violation of a move at the wrong moment (SSD-JEU-1)."""
    return Violation("SSD-JEU-1", {"seat": state.seat or "-", "phase": state.phase, "by": by}, why=why)


def unknown(state: State, rule: str, *facts: str) -> Reasons:
    """Return a rule's reasons for the facts it needs that a declared position leaves out."""
    return (
        [reason for fact in facts if fact in state.unknown for reason in missing(rule, fact)] if state.unknown else []
    )


def active(state: State, *phases: str) -> str | None:
    """Return the seat that may act now in one of these phases (the main phase by default), or None."""
    open_ = state.result is None and not state.agenda and state.phase in (phases or (PRINCIPALE,))
    return state.seat if open_ else None


def label(state: State, name: str) -> str:
    """Return the ref of the card at a place, for a message; the name of the place if there is none."""
    obj = places.at(state, name)
    return name[:40] if obj is None else state.refs[obj] or "?"
