"""Declared positions: the facts of a turn that they leave out, and those that the effects of a legal move depend on."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from engine.core.replay.likely_values import MANY, Answers
from engine.core.table.game import Move
from engine.core.table.state import State
from engine.core.table.verbs import missing
from engine.core.text.errors import Violation
from engine.games.wakfu.moves.mat import (
    COMBAT,
    DROP,
    PHASES,
    PREPARATION,
    PV,
    SEATS,
    TURN_NOTES,
)

# The notes that matter, each with the phases in which it does.
NEEDED = {"shared": (COMBAT,), "won": (DROP,), "ready": (PREPARATION,)}


# The rule cited, by verb, for a fact that a move needs.
CITED = {"play": "WAK-2-1", "move": "WAK-3-1", "attack": "WAK-4-1", "block": "WAK-5-1", "distribute": "WAK-6-2"}
ANSWERS = Answers(PHASES, {"pv": (1, MANY)}, seats=("ready",))


def left_out(state: State, stated: Collection[str]) -> Iterator[str]:
    """Yield the notes that matter in this phase and were not declared."""
    for note, phases in NEEDED.items():
        if note not in stated and (state.phase in phases or "turn.phase" in state.unknown):
            yield f"memory.{note}"


def wants(state: State, move: Move) -> list[Violation]:
    """Return why the effect of a legal move cannot be known; each reason names a fact to ask for."""
    if not state.unknown:
        return []
    facts: tuple[str, ...] = ()
    if move.do == "time" and state.terms.options["I-TIME"] == "score":
        facts = tuple(PV[seat] for seat in SEATS)
    if acting(state, move):
        facts = (*facts, *(fact for fact in state.unknown if fact.endswith(".marks")))
    return [reason for fact in facts if fact in state.unknown for reason in missing("WAK-VIC-1", fact)]


def acting(state: State, move: Move) -> bool:
    """Whether an effect may change what a move does, in which case any fact may matter."""
    ref = move.args.get("card")
    card = state.terms.cards.get(ref) if isinstance(ref, str) else None
    has_text = card is not None and not card.vanilla and move.do == "play"
    return has_text or bool(state.lasting or state.agenda or "live" in state.memory)


def settled(state: State, move: Move) -> tuple[str, ...]:
    """Return the facts known after a move: once a turn has ended, nobody has shared out or won anything."""
    return tuple(f"memory.{note}" for note in TURN_NOTES) if move.do == "end_turn" else ()


def answers(state: State, fact: str) -> Sequence[Any] | None:
    """Return the answers that an unknown fact may have; None if there are too many to try."""
    return ANSWERS.of(state, fact)


def cites(move: Move, fact: str) -> str:
    """Return the rule of a move that needs this fact."""
    return CITED.get(move.do, "WAK-PHA-1")
