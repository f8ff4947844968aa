"""Declared positions: the facts of a turn they leave out, and those that the consequences of a legal move rest on."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from engine.core.answers import MANY, Answers
from engine.core.errors import Violation
from engine.core.game import Move
from engine.core.state import State
from engine.core.verbs import missing
from engine.games.wakfu.moves.mat import (
    COMBAT,
    DROP,
    PHASES,
    PREPARATION,
    PV,
    SEATS,
    TURN_NOTES,
)

NEEDED = {"shared": (COMBAT,), "won": (DROP,), "ready": (PREPARATION,)}


CITED = {"play": "WAK-2-1", "move": "WAK-3-1", "attack": "WAK-4-1", "block": "WAK-5-1", "distribute": "WAK-6-2"}
ANSWERS = Answers(PHASES, {"pv": (1, MANY)}, seats=("ready",))


def unstated(state: State, stated: Collection[str]) -> Iterator[str]:
    """The notes of the turn that a declared position should have said, in the phases where they matter."""
    for note, phases in NEEDED.items():
        if note not in stated and (state.phase in phases or "turn.phase" in state.unknown):
            yield f"memory.{note}"


def wants(state: State, move: Move) -> list[Violation]:
    """Why nobody can say what a legal move does: each reason names the fact that would settle it."""
    if not state.unknown:
        return []
    facts: tuple[str, ...] = ()
    if move.do == "time" and state.terms.options["I-TIME"] == "score":
        facts = tuple(PV[seat] for seat in SEATS)
    if acting(state, move):
        facts = (*facts, *(fact for fact in state.unknown if fact.endswith(".marks")))
    return [reason for fact in facts if fact in state.unknown for reason in missing("WAK-VIC-1", fact)]


def acting(state: State, move: Move) -> bool:
    """Whether an effect may have a say in what a move does: then any fact may matter."""
    ref = move.args.get("card")
    card = state.terms.cards.get(ref) if isinstance(ref, str) else None
    told = card is not None and not card.vanilla and move.do == "play"
    return told or bool(state.lasting or state.agenda or "live" in state.memory)


def settled(state: State, move: Move) -> tuple[str, ...]:
    """The facts that are known after a move: a turn that ends is forgotten, a turn that begins finds none in it."""
    return tuple(f"memory.{note}" for note in TURN_NOTES) if move.do == "end_turn" else ()
