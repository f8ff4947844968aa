"""Stellar Nexus as a `core.table.game.Game`: the mat, the set-up and who wins.

The verbs are in `moves`, the deck rules in `deck`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from engine.core.cards.catalog import Catalog
from engine.core.decks.rules import DeckRule, Format
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
from engine.games.stellar_nexus import deck, mat, moves, shown, unknown
from engine.games.stellar_nexus.effects.host import HOST
from engine.games.stellar_nexus.moves.implied import implied
from engine.games.stellar_nexus.pad import PadTurn
from engine.games.stellar_nexus.vocabulary import HEROS, JETON, RESSOURCE

LAYOUT = Layout(
    zones=("hand", "deck", "resource_pile", "hero", "hidden_hero", "resources", "field", "equipment", "graveyard",
           "exile"),
    capacity=MappingProxyType({"hero": 1, "hidden_hero": 1}),
    hidden=MappingProxyType({"hand": "owner", "deck": "nobody", "resource_pile": "nobody", "hidden_hero": "owner"}),
    counters=MappingProxyType({"pv": (0, None)}),
    common=("stack",),
    resolving=("stack",),
    rows=("resources", "field", "equipment"),
    marks=(mat.ENGAGED, mat.DAMAGE, mat.MARKER),
    grave="graveyard",
    apart=(RESSOURCE, HEROS, JETON),
    made=(JETON,),
    opening=mat.OPENING_NOTES,
    idle=("graveyard", "exile"),
)  # fmt: skip


class StellarNexus(Base):
    """The game of Stellar Nexus as the engine knows it. `GAME` is its only instance."""

    id = "stellar-nexus"
    seats: tuple[str, ...] = mat.SEATS
    records = shown.RECORDS
    over_rule = "STN-VIC-1"
    phases: tuple[str, ...] = (mat.PREPARATION, *mat.PHASES)
    notes: tuple[str, ...] = (*mat.TURN_NOTES, *mat.OPENING_NOTES, "live", "inert", MADE, ALLOWED, VOUCHED)
    numbered: tuple[str, ...] = ()
    order = "live"
    frames: Mapping[str, Mapping[str, str]] = shown.FRAMES
    # The weight of each verb among the legal ones in self-play.
    habits: Mapping[str, int] = MappingProxyType({
        "hero": 1, "keep": 3, "mulligan": 1, "first_player": 1, "reveal": 1, "begin_turn": 1,
        "play": 12, "activate": 4, "attack": 8, "block": 3, "answer": 1, "end_phase": 4, "end_turn": 1,
    })  # fmt: skip

    responses: tuple[str, ...] = ("play", "activate")

    facts = unknown
    layout = LAYOUT
    host = HOST
    scored = mat.PV

    def __init__(self) -> None:
        book = with_common_rules(registry.rulebook(self.id))
        self.rulesets: Mapping[str, Ruleset] = MappingProxyType({"stellar-1.4@1": ruleset("stellar-1.4@1", book)})
        self._verbs = moves.verbs(self)
        self._all: Mapping[str, Verb] = MappingProxyType({
            **self._verbs, **common_verbs(self), **partial_verbs(),
        })  # fmt: skip
        self.pad: tuple[str, Verb] = ("end_turn", PadTurn(self))

    def deck_rules(self, fmt: Format) -> Sequence[DeckRule]:
        """Return the deck rules of a format."""
        return deck.deck_rules(fmt)

    def setup(self, header: Header, catalog: Catalog) -> State:
        """Return the state before the first entry: library and resource pile shuffled, heroes not chosen (STN-DEB-1).

        `match.last_loser` of the header names the seat that chooses who starts (STN-DEB-3). Raises Malformed, codes
        `unknown_seat`, `missing_deck`, `unknown_card` and those of `Ruleset.options`.
        """
        if tuple(header.seats) != self.seats:
            raise Malformed("unknown_seat", "Stellar Nexus is played by seats A and B", path="seats")
        state = self.bare(header.ruleset, header.options, catalog)
        for seat, who in header.seats.items():
            self._seat(state, seat, who)
        loser = header.match.get("last_loser")
        if loser is not None:
            if loser not in self.seats:
                raise Malformed("unknown_seat", "last_loser is A or B", path="match.last_loser")
            state.memory["loser"] = [loser]
        return state

    def _seat(self, state: State, seat: str, who: Seat) -> None:
        path, cards = f"seats.{seat}.deck", state.terms.cards
        if who.deck is None or who.deck.commander is None:
            raise Malformed("missing_deck", f"the list of {seat} is needed, with its hero", path=path)
        for ref in (*who.deck.main, who.deck.commander):
            if ref not in cards:
                raise Malformed("unknown_card", f"no card {ref[:64]!r} in the catalogue", path=path)
        if cards[who.deck.commander].kind != HEROS:
            raise Malformed("unknown_card", f"{who.deck.commander} is no hero", path=f"{path}.commander")
        resources = sum(copies for ref, copies in who.deck.main.items() if cards[ref].kind == RESSOURCE)
        state.unseen[seat] = dict(who.deck.main)
        add_hidden(state, seat, mat.DECK[seat], sum(who.deck.main.values()) - resources)
        add_hidden(state, seat, mat.PILE[seat], resources)
        add(state, seat, mat.VEILED[seat], who.deck.commander)

    def listing(self, state: State) -> Iterable[str]:
        """Return the verbs that may have legal moves: those that answer while a choice or a window is open."""
        if state.agenda:
            return ("answer", "play", "activate") if open_window(state) else ("answer",)
        return self._verbs

    def implied(self, state: State, by: str, do: str) -> Move | None:
        """Return the end of a phase, of a turn or of a list that a log may leave out before an entry."""
        return implied(state, by, do)

    def outcome(self, state: State) -> Outcome | None:
        """Return the result once a hero is at 0 PV (STN-VIC-1); for both at once see I-STN-22."""
        if state.phase == mat.PREPARATION:
            return None
        fallen = [s for s in self.seats if readable(state, mat.PV[s]) and not state.counters[mat.PV[s]]]
        if not fallen:
            return None
        if len(fallen) > 1:
            judge = state.terms.options["I-STN-22"] == "judge"
            return Outcome(None if judge else "draw", "hero", self.over_rule, ("I-STN-22",))
        return Outcome(mat.OTHER[fallen[0]], "hero", self.over_rule)

    def in_force(self, state: State, obj: int) -> Mapping[str, Any]:
        """Return what a board shows of a card in play beside what is printed."""
        return shown.in_force(state, obj)


GAME = StellarNexus()
