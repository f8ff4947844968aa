"""Wakfu by the rules of June 2008, as a `core.table.game.Game`: the mat, the set-up and who wins.

The verbs are in `moves`, the deck rules in `deck`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from engine.core.cards.catalog import Catalog
from engine.core.decks.rules import DeckRule, Format
from engine.core.effects import force
from engine.core.effects.game_base import Base
from engine.core.replay.partial import partial_verbs
from engine.core.table.agenda import open_window
from engine.core.table.events import MADE
from engine.core.table.game import Move, Ruleset, Verb, ruleset
from engine.core.table.log import Header, Seat
from engine.core.table.overrides import ALLOWED, VOUCHED
from engine.core.table.state import Layout, Outcome, State, add, add_hidden, readable
from engine.core.table.verbs import common_verbs
from engine.core.text import registry
from engine.core.text.errors import Malformed
from engine.core.text.rulebook import with_common_rules
from engine.games.wakfu import deck, implied, moves, shown, unknown
from engine.games.wakfu.effects.host import HOST
from engine.games.wakfu.moves import mat
from engine.games.wakfu.moves.base import must_discard
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
    """The game of Wakfu as the engine knows it. `GAME` is its only instance."""

    id = "wakfu"
    seats: tuple[str, ...] = mat.SEATS
    records = shown.RECORDS
    over_rule = "WAK-VIC-1"
    phases: tuple[str, ...] = mat.PHASES
    notes: tuple[str, ...] = (*mat.NOTES, "live", MADE, ALLOWED, VOUCHED)
    numbered: tuple[str, ...] = ()
    order = "live"
    frames: Mapping[str, Mapping[str, str]] = shown.FRAMES
    # The weight of each verb among the legal ones in self-play.
    habits: Mapping[str, int] = MappingProxyType({
        "first_player": 1, "leader": 1, "begin_turn": 1, "play": 24, "move": 8, "attack": 10, "block": 1,
        "distribute": 1, "drop_keep": 1, "discard": 8, "end_phase": 3, "end_turn": 4, "answer": 1,
    })  # fmt: skip

    responses: tuple[str, ...] = ("play",)

    facts = unknown
    layout = LAYOUT
    host = HOST
    scored = mat.PV

    def __init__(self) -> None:
        book = with_common_rules(registry.rulebook(self.id))
        self.rulesets: Mapping[str, Ruleset] = MappingProxyType({"wakfu-2008@1": ruleset("wakfu-2008@1", book)})
        self._verbs = moves.verbs(self)
        self._all: Mapping[str, Verb] = MappingProxyType({
            **self._verbs, **common_verbs(self), **partial_verbs(),
        })  # fmt: skip
        self.pad: tuple[str, Verb] = ("end_turn", PadTurn(self))

    def deck_rules(self, fmt: Format) -> Sequence[DeckRule]:
        """Return the deck rules of a format."""
        return deck.deck_rules(fmt)

    def setup(self, header: Header, catalog: Catalog) -> State:
        """Return the state before the first entry: decks shuffled, leaders in place with their PV (WAK-LEA-1).

        Raises Malformed, codes `unknown_seat`, `missing_deck`, `missing_leader`, `unknown_card` and those of
        `Ruleset.options`.
        """
        if tuple(header.seats) != self.seats:
            raise Malformed("unknown_seat", "Wakfu is played by seats A and B", path="seats")
        state = self.bare(header.ruleset, header.options, catalog)
        for seat, who in header.seats.items():
            self._seat(state, seat, who)
        return state

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
        # The set-up writes the state directly: events begin with the first entry.
        state.unseen[seat] = dict(who.deck.main)
        add_hidden(state, seat, f"{seat}/deck", sum(who.deck.main.values()))
        add(state, seat, mat.LEADER[seat], chief)
        state.counters[mat.PV[seat]] = state.terms.cards[chief].figures["pv"]
        force.awaken(state)

    def listing(self, state: State) -> Iterable[str]:
        """Return the verbs that may have legal moves: what settles an open choice or too large a hand comes first."""
        if state.result is not None:
            return ()
        if state.agenda:
            return ("answer", "play") if open_window(state) else ("answer",)
        return ("discard",) if must_discard(state) else self._verbs

    def implied(self, state: State, by: str, do: str) -> Move | None:
        """Return a move that an entry takes for granted: a phase where nothing happened, a move without a choice."""
        return implied.implied(state, by, do)

    def outcome(self, state: State) -> Outcome | None:
        """Return the result once a leader is at 0 PV (WAK-VIC-1); for both at once see I-WAK-16."""
        dead = [seat for seat in self.seats if readable(state, mat.PV[seat]) and not state.counters[mat.PV[seat]]]
        if not dead:
            return None
        if len(dead) == len(self.seats):
            judge = state.terms.options["I-WAK-16"] == "judge"
            return Outcome(None if judge else "draw", "fallen", self.over_rule, ("I-WAK-16",))
        return Outcome(mat.OTHER[dead[0]], "fallen", self.over_rule)

    def in_force(self, state: State, obj: int) -> Mapping[str, Any]:
        """Return what a board shows of a card in play beside what is printed."""
        return shown.in_force(state, obj)


GAME = Wakfu()
