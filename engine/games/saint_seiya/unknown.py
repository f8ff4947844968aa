"""Declared positions: the facts they should state, and those without which nobody can say what a legal move does."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from engine.core.replay.likely_values import Answers
from engine.core.table.game import Move
from engine.core.table.state import State
from engine.core.table.verbs import missing
from engine.core.text.errors import Violation
from engine.games.saint_seiya.moves.mat import CLOCK, PHASES, PREPARATION, SCORED, STATUE

CITED = {"play": "SSD-JOU-1", "acquire": "SSD-AFF-1", "heal": "SSD-SOI-1", "effect": "SSD-EFF-1"}
ANSWERS = Answers(
    PHASES, {"flames": (1, 2, CLOCK), "sapphires": range(STATUE + 1)}, seats=("ready",)
)  # fmt: skip


def left_out(state: State, stated: Collection[str]) -> Iterator[str]:
    """Yield `memory.ready`, who drew an opening hand, unless the first turn is known to have begun."""
    if "ready" not in stated and (state.phase == PREPARATION or "turn.phase" in state.unknown):
        yield "memory.ready"


def wants(state: State, move: Move) -> list[Violation]:
    """Return the omitted facts without which nobody can say what a legal move does.

    These are the cards that count for points, where I-TIME decides by them, and the marks on cards, where an effect may
    act.
    """
    if not state.unknown:
        return []
    facts: tuple[str, ...] = ()
    if move.do == "time" and state.terms.options["I-TIME"] == "score":
        facts = tuple(f"{seat}/{zone}" for seat in state.terms.seats for zone in (*SCORED, "destroyed"))
    if acting(state, move):
        facts = (*facts, *(fact for fact in state.unknown if fact.endswith(".marks")))
    return [reason for fact in facts if fact in state.unknown for reason in missing("SSD-JEU-2", fact)]


def acting(state: State, move: Move) -> bool:
    """Whether an effect may take part in a move, so that any fact may matter."""
    ref = move.args.get("card")
    card = state.terms.cards.get(ref) if isinstance(ref, str) else None
    has_text = card is not None and not card.vanilla
    return has_text or move.do == "effect" or bool(state.lasting or state.agenda or "live" in state.memory)


def answers(state: State, fact: str) -> Sequence[Any] | None:
    """Return the answers that an unknown fact may have; None if there are too many to try."""
    return ANSWERS.of(state, fact)


def cites(move: Move, fact: str) -> str:
    """Return the rule of a move that needs this fact."""
    return CITED.get(move.do, "SSD-JEU-1")


def settled(state: State, move: Move) -> tuple[str, ...]:
    """Return the unknown facts that are known once this move is made."""
    return ()
