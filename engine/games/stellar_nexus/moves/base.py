"""Base class of Stellar Nexus's verbs: the reasons why a seat may not act now."""

from __future__ import annotations

from abc import ABC, abstractmethod

from engine.core.effects.interpreter import dealt
from engine.core.table.agenda import open_window, pending
from engine.core.table.chance import Dealer
from engine.core.table.context import Context
from engine.core.table.game import Game, Move
from engine.core.table.state import State
from engine.core.table.verbs import Plain, missing, not_by, over
from engine.core.text.errors import Missing, Violation
from engine.games.stellar_nexus.mat import DESENGAGEMENT, PHASES, PREPARATION, SEATS

Reasons = list[Violation]


def prepared(state: State) -> bool:
    """Whether the set-up is known to be over."""
    return state.phase != PREPARATION and "turn.phase" not in state.unknown


class StellarVerb(Plain, ABC):
    """Base class of the verbs: checks of turn, phase and response windows."""

    def __init__(self, game: Game) -> None:
        self.game = game

    late = "over"  # the reason of STN-PHA-1 given once the phases of this verb are past

    def moment(self, state: State, move: Move, seat: str | None, phases: tuple[str, ...], rule: str = "") -> Reasons:
        """Return why `seat` may not act now, in one of the `phases`: game over, a choice pending, wrong turn or phase.

        `rule` is cited for a wrong turn or phase; STN-PHA-1 if it is empty.
        """
        reasons = over(self.game, state)
        if state.agenda:
            reasons.append(Violation("LOG-pending", {"seat": state.agenda[-1]["ask"]["by"]}))
        if move.by not in SEATS:
            return [*reasons, *not_by(move, *SEATS)]
        wrong_seat = move.by != seat and "turn.seat" not in state.unknown
        wrong_phase = state.phase not in phases and "turn.phase" not in state.unknown
        if wrong_seat or wrong_phase:
            args = {"by": move.by, "seat": seat or "-", "phase": state.phase, "card": str(move.args.get("card", "-"))}
            why = self.untimely(state, wrong_seat=wrong_seat, phases=phases)
            # During the set-up no rule about a kind of card applies yet.
            rule = rule if why != "setup" else ""
            reasons.append(Violation(rule, args, why="turn" if wrong_seat else "") if rule
                           else Violation("STN-PHA-1", args, why=why))  # fmt: skip
        elif state.unknown:
            for fact in ("turn.seat", "turn.phase"):
                reasons += missing(rule or "STN-PHA-1", fact) if fact in state.unknown else []
        return reasons

    def besides(self, reasons: Reasons, why: str, others: Reasons) -> Reasons:
        """Return what else is wrong with a move that is early only because the log leaves out the moves before it.

        `why` is the reason that says so. If it is not the only one, or nothing else is wrong, returns `reasons`.
        """
        if [reason.why for reason in reasons] != [why]:
            return reasons
        return [reason for reason in others if not isinstance(reason, Missing)] or reasons

    def untimely(self, state: State, *, wrong_seat: bool, phases: tuple[str, ...]) -> str:
        """Return the reason of STN-PHA-1 that says why the turn or the phase is wrong."""
        if state.phase == PREPARATION:
            return "setup"
        if wrong_seat:
            return "turn"
        if state.phase == DESENGAGEMENT:
            return "undrawn"
        return "early" if PHASES.index(state.phase) < PHASES.index(phases[0]) else self.late

    def quick(self, state: State, move: Move, card: str) -> Reasons:
        """Return why a quick spell may not be played now: in the set-up, or while a choice is pending (STN-PIL-1)."""
        reasons = over(self.game, state)
        if state.agenda and not open_window(state):
            reasons.append(Violation("LOG-pending", {"seat": state.agenda[-1]["ask"]["by"]}))
        if state.phase == PREPARATION and "turn.phase" not in state.unknown:
            reasons.append(Violation("STN-PHA-1", {"phase": state.phase}, why="setup"))
        elif "turn.phase" in state.unknown:
            reasons += missing("STN-PHA-1", "turn.phase")
        ask = pending(state) if open_window(state) else None
        if ask is not None and ask["by"] != move.by and state.terms.options["I-STN-10"] == "opponent":
            reasons.append(Violation("STN-PIL-1", {"card": card, "seat": ask["by"]}, ("I-STN-10",), why="turn"))
        return reasons

    def acting(self, state: State) -> tuple[str, ...]:
        """List the seats that may play a quick spell now."""
        if state.result is not None or state.phase == PREPARATION or (state.agenda and not open_window(state)):
            return ()
        ask = pending(state)
        alone = ask is not None and state.terms.options["I-STN-10"] == "opponent"
        return (ask["by"],) if ask is not None and alone else SEATS

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """Fill in the chance of what a candidate sets off."""
        return dealt(self.run, state, move, dealer)

    @abstractmethod
    def run(self, ctx: Context, move: Move) -> None:
        """Make a move that `check` accepted."""
