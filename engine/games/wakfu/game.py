"""Wakfu, as its rules were told in June 2008: the mat, the set-up, who wins. The verbs are in `moves`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from engine.core import registry
from engine.core.agenda import open_window
from engine.core.base import Base
from engine.core.cards import Catalog
from engine.core.decks import DeckRule, Format
from engine.core.effects import force
from engine.core.errors import Malformed, Violation
from engine.core.events import MADE
from engine.core.game import Move, Ruleset, Verb, ruleset
from engine.core.log import Header, Seat
from engine.core.overrides import ALLOWED, VOUCHED
from engine.core.partial import partial_verbs
from engine.core.rulebook import with_common_rules
from engine.core.state import Layout, Outcome, State, add, add_hidden, empty, readable, terms
from engine.core.verbs import common_verbs
from engine.games.wakfu import deck, implied, moves, shown, unstated
from engine.games.wakfu.effects.host import HOST
from engine.games.wakfu.moves import mat
from engine.games.wakfu.moves.base import pressed
from engine.games.wakfu.pad import PadTurn

LAYOUT = Layout(
    zones=("hand", "deck", "leader", "equipment", "rest", "combat", "discard"),
    capacity=MappingProxyType({"leader": 1}),
    hidden=MappingProxyType({"hand": "owner", "deck": "nobody"}),
    counters=MappingProxyType({"pv": (0, None)}),
    lead="leader",
    rows=("leader", "equipment", "rest", "combat"),
    marks=mat.MARKS,
    grave="discard",
    idle=("discard",),
)


class Wakfu(Base):
    """The game as the engine knows it; `GAME` is its one instance."""

    id = "wakfu"
    seats: tuple[str, ...] = mat.SEATS
    layout = LAYOUT
    records = shown.RECORDS
    over_rule = "WAK-VIC-1"
    phases: tuple[str, ...] = mat.PHASES
    notes: tuple[str, ...] = (*mat.NOTES, "live", MADE, ALLOWED, VOUCHED)
    numbered: tuple[str, ...] = ()
    order = "live"
    frames: Mapping[str, Mapping[str, str]] = shown.FRAMES
    habits: Mapping[str, int] = MappingProxyType({
        "first_player": 1, "leader": 1, "begin_turn": 1, "play": 24, "move": 8, "attack": 10, "block": 1,
        "distribute": 1, "drop_keep": 1, "discard": 8, "end_phase": 3, "end_turn": 4, "answer": 1,
    })  # fmt: skip

    responses: tuple[str, ...] = ("play",)

    def __init__(self) -> None:
        book = with_common_rules(registry.rulebook(self.id))
        self.rulesets: Mapping[str, Ruleset] = MappingProxyType({"wakfu-2008@1": ruleset("wakfu-2008@1", book)})
        self._verbs = moves.verbs(self)
        self._all: Mapping[str, Verb] = MappingProxyType({
            **self._verbs, **common_verbs(self), **partial_verbs(),
        })  # fmt: skip
        self.pad: tuple[str, Verb] = ("end_turn", PadTurn(self))

    def deck_rules(self, fmt: Format) -> Sequence[DeckRule]:
        """The deck rules of a format."""
        return deck.deck_rules(fmt)

    def setup(self, header: Header, catalog: Catalog) -> State:
        """Decks shuffled, nothing drawn, each registered leader in its place with its PV (WAK-LEA-1).

        Raises Malformed `unknown_seat`, `missing_deck`, `missing_leader`, `unknown_card` or those of `Ruleset.options`.
        """
        if tuple(header.seats) != self.seats:
            raise Malformed("unknown_seat", "Wakfu is played by seats A and B", path="seats")
        state = self.bare(header.ruleset, header.options, catalog)
        for seat, who in header.seats.items():
            self._seat(state, seat, who)
        return state

    def bare(self, ruleset: str, options: Mapping[str, str], catalog: Catalog, seats: Sequence[str] = ()) -> State:
        """A state with nothing on the mat. Raises Malformed as `setup` does."""
        chosen = self.rulesets[ruleset].options(options)
        return empty(terms(self.id, ruleset, self.seats, chosen, catalog.cards, LAYOUT, HOST))

    def _seat(self, state: State, seat: str, who: Seat) -> None:
        path = f"seats.{seat}.deck"
        if who.deck is None:
            raise Malformed("missing_deck", f"the list of {seat} is needed", path=path)
        chief = who.deck.commander
        for ref in (*who.deck.main, *(() if chief is None else (chief,))):
            if ref not in state.terms.cards:
                raise Malformed("unknown_card", f"no card {ref[:64]!r} in the catalogue", path=path)
        if chief is None or state.terms.cards[chief].kind != "leader":
            raise Malformed("missing_leader", f"{seat} registered no leader", path=f"{path}.commander")
        state.unseen[seat] = dict(who.deck.main)
        add_hidden(state, seat, f"{seat}/deck", sum(who.deck.main.values()))
        add(state, seat, mat.LEADER[seat], chief)
        state.counters[mat.PV[seat]] = state.terms.cards[chief].figures["pv"]
        force.awaken(state)

    def candidates(self, state: State) -> Iterator[Move]:
        """Every legal move of the rule text, chance left open."""
        if state.result is not None:
            return
        if state.agenda:
            yield from self._verbs["answer"].candidates(state)
            if open_window(state):
                yield from self._verbs["play"].candidates(state)
            return
        if pressed(state):
            yield from self._verbs["discard"].candidates(state)
            return
        for verb in self._verbs.values():
            yield from verb.candidates(state)

    def implied(self, state: State, by: str, do: str) -> Move | None:
        """What an entry takes for granted: a phase in which nothing happened, or a move without a choice."""
        return implied.implied(state, by, do)

    def outcome(self, state: State) -> Outcome | None:
        """A leader at 0 PV has lost (WAK-VIC-1); both at once: I-WAK-16."""
        dead = [seat for seat in self.seats if readable(state, mat.PV[seat]) and not state.counters[mat.PV[seat]]]
        if not dead:
            return None
        if len(dead) == len(self.seats):
            judge = state.terms.options["I-WAK-16"] == "judge"
            return Outcome(None if judge else "draw", "fallen", self.over_rule, ("I-WAK-16",))
        return Outcome(mat.OTHER[dead[0]], "fallen", self.over_rule)

    def unstated(self, state: State, stated: Collection[str]) -> Iterator[str]:
        """Facts of a turn that a declared position should have said."""
        return unstated.unstated(state, stated)

    def answers(self, state: State, fact: str) -> Sequence[Any] | None:
        """Answers that a fact left out may have; None where there are too many to try."""
        return unstated.ANSWERS.of(state, fact)

    def cites(self, move: Move, fact: str) -> str:
        """The rule of a move that needs this fact."""
        return unstated.CITED.get(move.do, "WAK-PHA-1")

    def wants(self, state: State, move: Move) -> list[Violation]:
        """The facts left out that a move needs whatever the others are."""
        return unstated.wants(state, move)

    def settled(self, state: State, move: Move) -> tuple[str, ...]:
        """The facts a declared position left out that are known once this move is made."""
        return unstated.settled(state, move)

    def in_force(self, state: State, obj: int) -> Mapping[str, Any]:
        """What a board shows of a card in play beside what is printed."""
        return shown.in_force(state, obj)

    def blank_pad(self, ruleset: str, options: Mapping[str, str], catalog: Catalog, seats: Sequence[str] = ()) -> State:
        """The state before the first turn of a score pad: nothing is known."""
        state = self.bare(ruleset, options, catalog)
        state.phase = "-"
        state.unknown = (*mat.PV.values(), *state.zones)
        return state

    def score(self, state: State) -> dict[str, int]:
        """The PV of each seat, where a declared position says them."""
        return {seat: state.counters[mat.PV[seat]] for seat in self.seats if mat.PV[seat] not in state.unknown}


GAME = Wakfu()
