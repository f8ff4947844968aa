"""Declared positions: the facts of a turn they leave out, and those that the consequences of a legal move rest on."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from engine.core.answers import Answers
from engine.core.errors import Violation
from engine.core.game import Move
from engine.core.state import State
from engine.core.verbs import missing
from engine.games.saint_seiya.moves.mat import CLOCK, PHASES, PREPARATION, SCORED, STATUE

CITED = {"play": "SSD-JOU-1", "acquire": "SSD-AFF-1", "heal": "SSD-SOI-1", "effect": "SSD-EFF-1"}
ANSWERS = Answers(
    PHASES, {"flames": (1, 2, CLOCK), "sapphires": range(STATUE + 1)}, seats=("ready",)
)  # fmt: skip


def unstated(state: State, stated: Collection[str]) -> Iterator[str]:
    """Who has drawn the opening hand, before the first turn."""
    if "ready" not in stated and (state.phase == PREPARATION or "turn.phase" in state.unknown):
        yield "memory.ready"


def wants(state: State, move: Move) -> list[Violation]:
    """Why nobody can say what a legal move does: each reason names the fact that would settle it."""
    if not state.unknown:
        return []
    facts: tuple[str, ...] = ()
    if move.do == "time" and state.terms.options["I-TIME"] == "score":
        facts = tuple(f"{seat}/{zone}" for seat in state.terms.seats for zone in (*SCORED, "destroyed"))
    if acting(state, move):
        facts = (*facts, *(fact for fact in state.unknown if fact.endswith(".marks")))
    return [reason for fact in facts if fact in state.unknown for reason in missing("SSD-JEU-2", fact)]


def acting(state: State, move: Move) -> bool:
    """Whether an effect may have a say in what a move does: then any fact may matter."""
    ref = move.args.get("card")
    card = state.terms.cards.get(ref) if isinstance(ref, str) else None
    told = card is not None and not card.vanilla
    return told or move.do == "effect" or bool(state.lasting or state.agenda or "live" in state.memory)
