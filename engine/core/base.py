"""What the games have in common of `core.game.Game`: their verbs, and effects as the interpreter keeps them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.agenda import Stack
from engine.core.context import Context
from engine.core.effects import force
from engine.core.effects.records import Records
from engine.core.game import Closing, Move, Verb
from engine.core.state import State


class Base:
    """A game sets `records`, the effects that last in it, and `_all`, its verbs and those of every game."""

    records: Records
    _all: Mapping[str, Verb]

    def verbs(self) -> Mapping[str, Verb]:
        """The verbs of the rule text, then those of every game."""
        return self._all

    def closing(self, state: State) -> Closing:
        """A log that stops before the end decides nothing."""
        return Closing()

    def implied(self, state: State, by: str, do: str) -> Move | None:
        """Nothing may be left out of a log unless the game says so."""
        return None

    def record_json(self, state: State, record: tuple[Any, ...]) -> Mapping[str, Any]:
        """One of the effects that last, as JSON in which objects have their names."""
        return self.records.as_json(state, record)

    def read_record(self, state: State, raw: Any, path: str) -> tuple[Any, ...]:
        """The record that `record_json` wrote. Raises Malformed."""
        return self.records.read(state, raw, path)

    def refresh(self, ctx: Context) -> None:
        """Put in force the effects of what a ruling put in play, and end those of what it took out."""
        force.refresh(Stack(ctx))

    def awaken(self, state: State) -> None:
        """Put the effects of the cards of a declared position in force."""
        force.awaken(state)
