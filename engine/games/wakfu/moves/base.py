"""What the verbs of Wakfu share: who may act when, and how a log names the cards in play."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Protocol

from engine.core.context import Context
from engine.core.effects import force, values
from engine.core.effects.interpreter import dealt
from engine.core.errors import Violation
from engine.core.game import Dealer, Game, Move, Verb
from engine.core.state import State
from engine.core.verbs import Plain, missing, not_by, over
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
FIRST = {BLOCAGE: "blocks", COMBAT: "sharing", DROP: "drop"}  # what a combat still needs


class TurnVerb(Verb, Protocol):
    """A verb of the rule text: it knows its own candidates."""

    def candidates(self, state: State) -> Iterator[Move]:
        """Every legal move of this verb, chance left open."""
        ...


class WakfuVerb(Plain):
    """What the verbs share: the game, and who may act when."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def moment(self, state: State, move: Move, *phases: str, other: bool = False, late: str = "late") -> Reasons:
        """Why this is not the moment: over, not this seat's turn (`other`: the opponent's), not the phase.

        `late` is the reason of WAK-PHA-1 once all these phases are over.
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
            why = seat if wrong_seat and state.phase != PREPARATION else misplaced(state, phases, late)
            reasons.append(untimely(state, move.by, why))
        else:
            reasons += unsaid
        return reasons + self.kept_hand(state)

    def kept_hand(self, state: State) -> Reasons:
        """Where I-WAK-13 keeps the limit at all times, nothing but a discard while a hand is beyond it."""
        return [too_many(state, seat) for seat in pressed(state)]


def untimely(state: State, by: str, why: str) -> Violation:
    """The violation of a move at the wrong moment."""
    return Violation("WAK-PHA-1", {"seat": state.seat or "-", "phase": state.phase, "by": by}, why=why)


def misplaced(state: State, phases: Sequence[str], late: str = "late") -> str:
    """The reason of WAK-PHA-1 for what belongs to other phases: too late, too early, or what must be done first."""
    phase = state.phase
    if phase in (PREPARATION, DEGAGEMENT):
        return "setup" if phase == PREPARATION else "start"
    if PHASES.index(phase) > max(PHASES.index(one) for one in phases):
        return late
    return FIRST.get(phase, "early")


def pressed(state: State) -> list[str]:
    """The seats that must discard before anything else is done (I-WAK-13)."""
    if state.terms.options["I-WAK-13"] != "always" or state.phase == PREPARATION:
        return []
    return [seat for seat in SEATS if surplus(state, seat)]


class Acting(WakfuVerb, ABC):
    """A verb that may set effects going, whose chance they use."""

    @abstractmethod
    def run(self, ctx: Context, move: Move) -> None:
        """Make the move."""

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """The chance of the effects it sets going."""
        return dealt(self.run, state, move, dealer)


def forbidden(state: State, what: str, obj: int) -> Reasons:
    """Why the text of a card forbids this to a card in play (WAK-OR-1)."""
    ref = values.forbidding(state, what, force.seen(state, obj))
    return [] if ref is None else [Violation("WAK-OR-1", {"card": ref})]


def unknown(state: State, rule: str, *facts: str) -> Reasons:
    """The reasons of a rule that rests on facts a declared position leaves out."""
    if not state.unknown:
        return []
    return [reason for fact in facts if fact in state.unknown for reason in missing(rule, fact)]


def too_many(state: State, seat: str) -> Violation:
    """The violation of a hand beyond its PA."""
    count, pa = len(state.zones[f"{seat}/hand"]), leads(state, seat, "pa")
    why = "" if surplus(state, seat) else "within"
    return Violation("WAK-CAR-PA", {"seat": seat, "count": count, "max": pa}, ("I-WAK-13",), why=why)


def unmarked(state: State, rule: str, seat: str) -> Reasons:
    """The reasons of a rule that rests on marks of a seat's cards which a declared position leaves out."""
    facts = (fact for fact in state.unknown if fact.startswith(f"{seat}/") and fact.endswith(".marks"))
    return unknown(state, rule, *facts)


def zone_of(name: str) -> str:
    """The zone of a place."""
    return name if name in LEADER.values() else name.rpartition("/")[0]


def nothing_there(state: State, name: str) -> Reasons:
    """Why there is no card at a place (WAK-TER-1), or none that anybody knows of."""
    zone = zone_of(name)
    return unknown(state, "WAK-TER-1", zone) or [Violation("WAK-TER-1", {"seat": name[:1], "place": name[:40]})]
