"""Altered as a `core.table.game.Game`: mat, set-up and score. The verbs are in `moves`, the deck rules in `deck`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from engine.core.cards.catalog import Catalog
from engine.core.decks.rules import DeckRule, Format
from engine.core.effects import force
from engine.core.effects.game_base import Base
from engine.core.replay.partial import partial_verbs
from engine.core.table.events import MADE
from engine.core.table.game import Move, Ruleset, Verb
from engine.core.table.log import Header, Seat
from engine.core.table.overrides import ALLOWED, VOUCHED
from engine.core.table.state import COMMON, Layout, Outcome, State, add, add_hidden
from engine.core.table.verbs import common_verbs
from engine.core.text import registry
from engine.core.text.errors import Malformed
from engine.core.text.rulebook import with_common_rules
from engine.games.altered import deck, editions, implied, mat, moves, shown, unknown
from engine.games.altered.effects import operations
from engine.games.altered.effects.host import HOST
from engine.games.altered.pad import PadDay
from engine.games.altered.vocabulary import COUNTERS, HEROS, JETON, TUMULTE

LAYOUT = Layout(
    zones=("hero", "exp_heros", "exp_compagnon", "landmarks", "reserve", "hand", "mana", "spent", "deck", "discard",
           "exile"),
    capacity=MappingProxyType({"hero": 1, "tumultes": 3}),
    hidden=MappingProxyType({"hand": "owner", "mana": "owner", "spent": "owner", "deck": "nobody"}),
    counters=MappingProxyType(dict.fromkeys(mat.EXPEDITIONS, (0, mat.LAST))),
    face_down=("tumultes",),
    common=("limbo", "tumultes"),
    resolving=("limbo",),
    lead="hero",
    rows=("hero", "exp_heros", "exp_compagnon", "landmarks", "reserve", "limbo", "tumultes"),
    marks=(mat.BOOST, *mat.STATUSES, mat.TURNED, COUNTERS),
    grave="discard",
    apart=(HEROS, JETON, TUMULTE),
    made=(JETON,),
    idle=("discard", "exile"),
)  # fmt: skip
TUMULT_CARDS = 3  # I-ALT-05

# Importing `operations` registers them with the interpreter; the assertion keeps the import.
assert operations.TARGETED, "the operations of the game are those of its interpreter"


class Altered(Base):
    """The game of Altered as the engine knows it. `GAME` is its only instance."""

    id = "altered"
    seats: tuple[str, ...] = mat.SEATS
    records = shown.RECORDS
    over_rule = "ALT-1.3.3"
    phases: tuple[str, ...] = mat.PHASES
    notes: tuple[str, ...] = (*mat.NOTES, "live", "inert", MADE, ALLOWED, VOUCHED)
    numbered: tuple[str, ...] = ("laid", "arena")
    order = "live"
    frames: Mapping[str, Mapping[str, str]] = shown.FRAMES
    # The weight of each verb among the legal ones in self-play.
    habits: Mapping[str, int] = MappingProxyType({
        "first_player": 1, "adventure": 1, "mana3": 1, "expand": 1, "play": 10, "quick": 6, "pass": 3, "react": 1,
        "answer": 1, "cleanup": 1,
    })  # fmt: skip

    responses: tuple[str, ...] = ()

    facts = unknown
    layout = LAYOUT
    host = HOST

    def __init__(self) -> None:
        book = with_common_rules(registry.rulebook(self.id))
        self.rulesets: Mapping[str, Ruleset] = editions.rulesets(book)
        self._verbs = moves.verbs(self)
        self._all: Mapping[str, Verb] = MappingProxyType({
            **self._verbs, **common_verbs(self), **partial_verbs(),
        })  # fmt: skip
        self.pad: tuple[str, Verb] = ("pass", PadDay(self))

    def deck_rules(self, fmt: Format) -> Sequence[DeckRule]:
        """Return the deck rules of a format."""
        return deck.deck_rules(fmt)

    def setup(self, header: Header, catalog: Catalog) -> State:
        """Return the state before the first entry: decks shuffled, heroes in play, three Tumult cards (I-ALT-05).

        Raises Malformed, codes `unknown_seat`, `missing_deck`, `unknown_card` and those of `Ruleset.options`.
        """
        if tuple(header.seats) != self.seats:
            raise Malformed("unknown_seat", "Altered is played by seats A and B", path="seats")
        state = self.bare(header.ruleset, header.options, catalog)
        for _ in range(TUMULT_CARDS):
            add(state, COMMON, mat.TUMULTES)
        for seat, who in header.seats.items():
            self._seat(state, seat, who)
        return state

    def awaken(self, state: State) -> None:
        """Put the effects of a declared position in force.

        Raises Malformed, code `bad_value`, where a card that is not a Tumult lies among the Tumult cards.
        """
        for obj in state.zones[mat.TUMULTES]:
            card = state.card(obj)
            if card is not None and card.kind != TUMULTE:
                raise Malformed("bad_value", f"{card.ref} is no Tumult card", path="start.state.common.tumultes")
        super().awaken(state)

    def _seat(self, state: State, seat: str, who: Seat) -> None:
        path, cards = f"seats.{seat}.deck", state.terms.cards
        if who.deck is None:
            raise Malformed("missing_deck", f"the list of {seat} is needed", path=path)
        hero = who.deck.commander
        for ref in (*who.deck.main, *(() if hero is None else (hero,))):
            if ref not in cards:
                raise Malformed("unknown_card", f"no card {ref[:64]!r} in the catalogue", path=path)
        if hero is not None and cards[hero].kind != HEROS:
            raise Malformed("unknown_card", f"{hero} is no hero", path=f"{path}.commander")
        state.unseen[seat] = dict(who.deck.main)
        add_hidden(state, seat, mat.DECK[seat], sum(who.deck.main.values()))
        if hero is not None:
            add(state, seat, mat.HERO[seat], hero)
            force.awaken(state)

    def listing(self, state: State) -> Iterable[str]:
        """Return the verbs that may have legal moves: none after the end, and those that answer a choice."""
        if state.result is not None:
            return ()
        return ("answer", "react") if state.agenda else self._verbs

    def implied(self, state: State, by: str, do: str) -> Move | None:
        """Return a move that needs no entry: Tumults face down, a morning without an orb, a day's last pass."""
        return implied.before(state, by, do)

    def outcome(self, state: State) -> Outcome | None:
        """Return None: the moves that end the game emit the result themselves (I-ALT-04)."""
        return None

    def in_force(self, state: State, obj: int) -> Mapping[str, Any]:
        """Return what a board shows of a card in play beside what is printed."""
        return shown.in_force(state, obj)

    def blank_pad(self, ruleset: str, options: Mapping[str, str], catalog: Catalog, seats: Sequence[str] = ()) -> State:
        """Return the state before the first day of a score pad, in which every fact is unknown."""
        state = self.bare(ruleset, options, catalog)
        state.phase = "-"
        state.unknown = (*mat.STEPS.values(), *state.zones)
        return state

    def score(self, state: State) -> dict[str, int]:
        """Return the steps of each seat's two expeditions added up; seats whose steps are unknown are left out."""
        paths = {seat: [mat.STEPS[seat, name] for name in mat.EXPEDITIONS] for seat in self.seats}
        known = {seat: found for seat, found in paths.items() if not any(path in state.unknown for path in found)}
        return {seat: sum(state.counters[path] for path in found) for seat, found in known.items()}


GAME = Altered()
