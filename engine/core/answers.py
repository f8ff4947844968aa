"""Answers that a fact left out of a declared position may have, where games give the same: counters, turn, notes.

Rules compare counters with bounds and forbid or grant by notes: the least and the most speak for what is between them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.core.state import State
from engine.core.unknowns import LURKS

MANY = 10_000  # a turn that is nobody's first, points that nothing takes all of
TURNS = (1, 2, MANY)


@dataclass(frozen=True)
class Answers:
    """What may be tried of a game: `counters` by the name behind the dot, the names of its `phases`, the notes that
    name seats, and those that name cards in play, of which all or none are tried. Any other fact is asked for."""

    phases: Sequence[str]
    counters: Mapping[str, Sequence[int]]
    seats: Sequence[str] = ()
    cards: Sequence[str] = ()
    rows: Sequence[str] = field(default=())

    def of(self, state: State, fact: str) -> Sequence[Any] | None:
        """The answers of a fact, as `Game.answers` says; None: too many to try."""
        seats = state.terms.seats
        if fact.startswith(LURKS):
            return None if any(not card.vanilla for card in state.terms.cards.values()) else (None,)
        if fact in state.counters:
            return self.counters.get(fact.rpartition(".")[2])
        if fact == "turn.n":
            return TURNS
        if fact == "turn.phase":
            return self.phases
        if fact in ("turn.seat", "turn.first"):
            return (*seats, None)
        note = fact.removeprefix("memory.")
        if note in self.seats and len(seats) == 2:
            return ((), (seats[0],), (seats[1],), seats)
        if note in self.cards:
            there = [obj for seat in seats for row in self.rows for obj in state.zones[f"{seat}/{row}"]]
            return ((), there) if there else ((),)
        return None
