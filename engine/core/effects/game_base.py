"""The base class of the games: the methods of `core.table.game.Game` that all of them implement alike."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from engine.core.cards.catalog import Catalog
from engine.core.effects import force
from engine.core.effects.host import Host, Stack
from engine.core.effects.records import Records
from engine.core.table.context import Context
from engine.core.table.game import Closing, Move, Ruleset, TurnVerb, Verb, Wanted
from engine.core.table.state import Layout, State, empty, terms
from engine.core.text.errors import Violation
from engine.core.text.interrupt import each


class Facts(Protocol):
    """The module `unknown` of a game: which facts a declared position may leave out, and when they matter."""

    def left_out(self, state: State, stated: Collection[str]) -> Iterator[str]:
        """Yield the facts that a declared position should have stated because they can matter."""

    def answers(self, state: State, fact: str) -> Sequence[Any] | None:
        """Return values that an omitted fact may have, enough to represent all; None if there are too many."""

    def cites(self, move: Move, fact: str) -> str:
        """Return the rule of a move that needs this fact."""

    def wants(self, state: State, move: Move) -> list[Violation]:
        """Return the omitted facts that a move needs, whatever the other facts are."""

    def settled(self, state: State, move: Move) -> tuple[str, ...]:
        """Return the facts omitted by a declared position that are known once this move is made."""


class Base:
    """Shared part of a game.

    A subclass sets `records`, its lasting effects; `facts`, its module `unknown`; `layout` and `host` of its mat;
    `scored`, the counter with the points of each seat; `_verbs`, the verbs of its rules by name, and `_all`, all verbs.
    """

    id: str
    seats: tuple[str, ...]
    rulesets: Mapping[str, Ruleset]
    records: Records
    facts: Facts
    layout: Layout
    host: Host
    scored: Mapping[str, str]
    _verbs: Mapping[str, TurnVerb]
    _all: Mapping[str, Verb]

    def verbs(self) -> Mapping[str, Verb]:
        """Return the verbs by name: those of the game's rules first, then those of every game."""
        return self._all

    def listing(self, state: State) -> Iterable[str]:
        """Return the verbs that may have legal moves in this position: by default, all those of the rules."""
        return self._verbs

    def candidates(self, state: State, wanted: Wanted | None = None) -> Iterator[Move]:
        """Yield the legal moves that are asked for, verb by verb, with chance left open."""
        asked = Wanted() if wanted is None else wanted
        for do in self.listing(state):
            if asked.verb(do):
                yield from each(self._verbs[do].candidates(state, asked))

    def closing(self, state: State) -> Closing:
        """Return an empty closing: by default, a log that stops early decides nothing."""
        return Closing()

    def implied(self, state: State, by: str, do: str) -> Move | None:
        """Return None: by default, a log may leave nothing out."""
        return None

    def record_json(self, state: State, record: tuple[Any, ...]) -> Mapping[str, Any]:
        """Return a lasting effect as JSON, with objects given by their names."""
        return self.records.as_json(state, record)

    def read_record(self, state: State, raw: Any, path: str) -> tuple[Any, ...]:
        """Read a record that `record_json` wrote. Raises Malformed."""
        return self.records.read(state, raw, path)

    def refresh(self, ctx: Context) -> None:
        """Start the effects of cards that a ruling put into play, and end those of cards that it removed."""
        force.refresh(Stack(ctx))

    def awaken(self, state: State) -> None:
        """Start the effects of the cards in play in a declared position."""
        force.awaken(state)

    def bare(self, ruleset: str, options: Mapping[str, str], catalog: Catalog, seats: Sequence[str] = ()) -> State:
        """Return a state with an empty mat, for a declared position or a score pad.

        `seats` only matters in games for more than two. Raises Malformed as `Ruleset.options` does.
        """
        chosen = self.rulesets[ruleset].options(options)
        return empty(terms(self.id, ruleset, self.seats, chosen, catalog.cards, self.layout, self.host))

    def blank_pad(self, ruleset: str, options: Mapping[str, str], catalog: Catalog, seats: Sequence[str] = ()) -> State:
        """Return the state before the first turn of a score pad, in which every fact is unknown."""
        state = self.bare(ruleset, options, catalog, seats)
        state.phase = "-"
        state.unknown = (*self.scored.values(), *state.zones)
        return state

    def score(self, state: State) -> dict[str, int]:
        """Return the points of each seat; a seat whose points a declared position leaves out is missing."""
        return {seat: state.counters[path] for seat, path in self.scored.items() if path not in state.unknown}

    def left_out(self, state: State, stated: Collection[str]) -> Iterator[str]:
        """Yield the facts that a declared position should have stated because they can matter."""
        return self.facts.left_out(state, stated)

    def answers(self, state: State, fact: str) -> Sequence[Any] | None:
        """Return values that an omitted fact may have, enough to represent all; None if there are too many."""
        return self.facts.answers(state, fact)

    def cites(self, move: Move, fact: str) -> str:
        """Return the rule of a move that needs this fact."""
        return self.facts.cites(move, fact)

    def wants(self, state: State, move: Move) -> list[Violation]:
        """Return the omitted facts that a move needs, whatever the other facts are."""
        return self.facts.wants(state, move)

    def settled(self, state: State, move: Move) -> tuple[str, ...]:
        """Return the facts omitted by a declared position that are known once this move is made."""
        return self.facts.settled(state, move)
