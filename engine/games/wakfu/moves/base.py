"""Base classes and helpers of Wakfu's verbs: the reasons why a seat may not act now."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from engine.core.effects import force, values
from engine.core.effects.interpreter import dealt
from engine.core.table.chance import Dealer
from engine.core.table.context import Context
from engine.core.table.game import Game, Move
from engine.core.table.state import State
from engine.core.table.verbs import Plain, missing, not_by, over
from engine.core.text.errors import Violation
from engine.games.wakfu.moves.mat import (
    BLOCAGE,
    COMBAT,
    DEGAGEMENT,
    DROP,
    LEADER,
    OTHER,
    PHASES,
    PREPARATION,
    SEATS,
    leads,
    surplus,
)

Reasons = list[Violation]
FIRST = {BLOCAGE: "blocks", COMBAT: "sharing", DROP: "drop"}  # by phase, the reason naming what a combat still needs


class WakfuVerb(Plain):
    """Base class of the verbs: checks of turn, phase and hand limit."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def moment(self, state: State, move: Move, *phases: str, other: bool = False, late: str = "late") -> Reasons:
        """Return why this is not the moment: game over, a choice pending, the wrong player's turn or the wrong phase.

        The seat must be the active player, or with `other` the opponent. `late` is the reason of WAK-PHA-1 given once
        all `phases` are past.
        """
        reasons = over(self.game, state)
        if state.agenda:
            reasons.append(Violation("LOG-pending", {"seat": state.agenda[-1]["ask"]["by"]}))
        if move.by not in SEATS:
            return [*reasons, *not_by(move, *SEATS)]
        unsaid = unknown(state, "WAK-PHA-1", "turn.seat", "turn.phase")
        acts = OTHER[move.by] if other else move.by
        wrong_seat = acts != state.seat and "turn.seat" not in state.unknown
        wrong_phase = state.phase not in phases and "turn.phase" not in state.unknown
        if wrong_seat or wrong_phase:
            seat = "own" if other else "turn"
            # In the set-up it is nobody's turn, so the phase is the reason to give.
            why = seat if wrong_seat and state.phase != PREPARATION else misplaced(state, phases, late)
            reasons.append(untimely(state, move.by, why))
        else:
            reasons += unsaid
        return reasons + self.kept_hand(state)

    def kept_hand(self, state: State) -> Reasons:
        """Return why only a discard is legal now: with I-WAK-13 `always`, a hand is above its limit."""
        return [too_many(state, seat) for seat in must_discard(state)]


def untimely(state: State, by: str, why: str) -> Violation:
    """Return the violation of a move at the wrong moment."""
    return Violation("WAK-PHA-1", {"seat": state.seat or "-", "phase": state.phase, "by": by}, why=why)


def misplaced(state: State, phases: Sequence[str], late: str = "late") -> str:
    """Return the reason of WAK-PHA-1 for a move of other phases: too late, too early, or what must be done first."""
    phase = state.phase
    if phase in (PREPARATION, DEGAGEMENT):
        return "setup" if phase == PREPARATION else "start"
    if PHASES.index(phase) > max(PHASES.index(one) for one in phases):
        return late
    return FIRST.get(phase, "early")


def must_discard(state: State) -> list[str]:
    """List the seats that must discard before anything else is done (I-WAK-13)."""
    if state.terms.options["I-WAK-13"] != "always" or state.phase == PREPARATION:
        return []
    return [seat for seat in SEATS if surplus(state, seat)]


class Acting(WakfuVerb, ABC):
    """A verb that may set off effects, which use its chance."""

    @abstractmethod
    def run(self, ctx: Context, move: Move) -> None:
        """Make a move that `check` accepted."""

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """Fill in the chance of the effects a candidate sets off."""
        return dealt(self.run, state, move, dealer)


def forbidden(state: State, what: str, obj: int) -> Reasons:
    """Return why the text of a card forbids this to a card in play (WAK-OR-1)."""
    ref = values.forbidding(state, what, force.seen(state, obj))
    return [] if ref is None else [Violation("WAK-OR-1", {"card": ref})]


def unknown(state: State, rule: str, *facts: str) -> Reasons:
    """Return the reasons of a rule that depends on these facts, for those that a declared position leaves out."""
    if not state.unknown:
        return []
    return [reason for fact in facts if fact in state.unknown for reason in missing(rule, fact)]


def too_many(state: State, seat: str) -> Violation:
    """Return the violation of a hand above its player's PA, or of a discard from a hand within it."""
    count, pa = len(state.zones[f"{seat}/hand"]), leads(state, seat, "pa")
    why = "" if surplus(state, seat) else "within"
    return Violation("WAK-CAR-PA", {"seat": seat, "count": count, "max": pa}, ("I-WAK-13",), why=why)


def unmarked(state: State, rule: str, seat: str) -> Reasons:
    """Return the reasons of a rule that depends on the marks of a seat's cards, where they are left out."""
    facts = (fact for fact in state.unknown if fact.startswith(f"{seat}/") and fact.endswith(".marks"))
    return unknown(state, rule, *facts)


def zone_of(name: str) -> str:
    """Return the zone of a place."""
    return name if name in LEADER.values() else name.rpartition("/")[0]


def nothing_there(state: State, name: str) -> Reasons:
    """Return why there is no card at a place (WAK-TER-1), or why nobody knows whether there is one."""
    zone = zone_of(name)
    return unknown(state, "WAK-TER-1", zone) or [Violation("WAK-TER-1", {"seat": name[:1], "place": name[:40]})]
