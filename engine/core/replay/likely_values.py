"""The values to try for an undeclared fact of a position, for the facts that games treat alike: counters, turn, notes.

When a declared position leaves a fact out, `core.replay.unknown` tries a few representative values of it. Rules compare
counters with bounds and grant or forbid things by notes, so the extremes stand for everything in between.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.core.replay.unknown import LURKS
from engine.core.table.state import State

MANY = 10_000  # a turn that is nobody's first; a score that nothing can bring down to 0
TURNS = (1, 2, MANY)


@dataclass(frozen=True)
class Answers:
    """The values to try in one game. A fact that is not covered here has to be asked for.

    `phases` are the game's phase names and `counters` the values of each counter by the part of its path after the dot
    ("pv" for "A.pv"). `seats` are the notes that hold seats (tried in every combination, with two seats). `cards` are
    the notes that hold cards in play, tried with none and with all of the cards in the zones `rows`.
    """

    phases: Sequence[str]
    counters: Mapping[str, Sequence[int]]
    seats: Sequence[str] = ()
    cards: Sequence[str] = ()
    rows: Sequence[str] = field(default=())

    def of(self, state: State, fact: str) -> Sequence[Any] | None:
        """Return the values to try for `fact`, as `Game.answers` defines them; None if there are too many."""
        seats = state.terms.seats
        if fact.startswith(LURKS):
            # A card that lies somewhere unidentified only matters if some card of the catalogue has an effect.
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
