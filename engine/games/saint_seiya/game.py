"""Saint Seiya Deckbuilding: the table, the set-up, the points, and how the game is won.

Two to five players acquire cards from a common market, so their decks grow during the game. The verbs are in `moves`,
what cards do is in `effects`, points are in `scoring`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from engine.core.cards.card import Card
from engine.core.cards.catalog import Catalog
from engine.core.decks.rules import DeckRule, Format
from engine.core.effects.game_base import Base
from engine.core.replay.partial import partial_verbs
from engine.core.table.context import Context
from engine.core.table.events import MADE
from engine.core.table.game import Ruleset, Verb, ruleset
from engine.core.table.log import Header, Seat
from engine.core.table.overrides import ALLOWED, VOUCHED
from engine.core.table.state import COMMON, Layout, Outcome, State, add, add_hidden, empty, readable, terms
from engine.core.table.verbs import common_verbs, leader
from engine.core.text import registry
from engine.core.text.errors import Malformed
from engine.core.text.rulebook import with_common_rules
from engine.games.saint_seiya import deck, moves, scoring, shown, unknown
from engine.games.saint_seiya.effects.host import host
from engine.games.saint_seiya.moves import mat
from engine.games.saint_seiya.pad import PadTurn
from engine.games.saint_seiya.vocabulary import EVOLUE, MARKET

SLOTS = tuple(slot.partition("/")[2] for slot in mat.TERRAIN)
LAYOUT = Layout(
    zones=mat.OWN,
    capacity=MappingProxyType({"armour": 1, **dict.fromkeys(SLOTS, 1)}),
    hidden=MappingProxyType({"hand": "owner", "deck": "nobody", "reserve": "nobody"}),
    counters=MappingProxyType({}),
    common=(*SLOTS, "reserve", "reserve_discard"),
    shared=MappingProxyType({"flames": (0, mat.CLOCK), "sapphires": (0, mat.STATUE)}),
    lead="",
    rows=("play", "armour", "relics", "marked"),
    marks=mat.MARKS,
    grave="discard",
    grows=True,
    idle=("discard", "aside", "destroyed", "reserve_discard"),
)


class SaintSeiya(Base):
    """Saint Seiya as the engine sees it (see `core.table.game.Game`); `GAME` is the only instance."""

    id = "saint-seiya"
    seats: tuple[str, ...] = mat.SEATS
    layout = LAYOUT
    records = shown.RECORDS
    over_rule = "SSD-JEU-2"
    phases: tuple[str, ...] = mat.PHASES
    notes: tuple[str, ...] = ("ready", "live", MADE, ALLOWED, VOUCHED)
    numbered: tuple[str, ...] = ()
    order = "live"
    frames: Mapping[str, Mapping[str, str]] = shown.FRAMES
    # Relative weights of the verbs in self-play.
    habits: Mapping[str, int] = MappingProxyType({
        "setup": 1, "play": 30, "equip": 6, "engage": 4, "relic": 6, "acquire": 40, "heal": 12, "effect": 5,
        "answer": 1, "discard_hand": 1, "end_turn": 6,
    })  # fmt: skip
    responses: tuple[str, ...] = ()

    facts = unknown

    def __init__(self) -> None:
        book = with_common_rules(registry.rulebook(self.id))
        self.rulesets: Mapping[str, Ruleset] = MappingProxyType({"seiya-base@1": ruleset("seiya-base@1", book)})
        self._verbs = moves.verbs(self)
        self._all: Mapping[str, Verb] = MappingProxyType({
            **self._verbs, **common_verbs(self), **partial_verbs(),
        })  # fmt: skip
        self.pad: tuple[str, Verb] = ("end_turn", PadTurn(self))

    def deck_rules(self, fmt: Format) -> Sequence[DeckRule]:
        """Return the rules of a starting packet."""
        return deck.deck_rules(fmt)

    def setup(self, header: Header, catalog: Catalog) -> State:
        """Return the state before the first entry: packets shuffled, the market in the reserve, all Flames (I-SSD-02).

        The Héros-Chevaliers of a packet lie aside instead. Raises Malformed: `unknown_seat`, `missing_deck`,
        `unknown_card`, or an error of `Ruleset.options`.
        """
        seats = tuple(header.seats)
        if len(seats) < 2 or seats != mat.SEATS[: len(seats)]:
            raise Malformed("unknown_seat", "Saint Seiya is played by two to five seats, from A on", path="seats")
        state = self.bare(header.ruleset, header.options, catalog, seats)
        for seat, who in header.seats.items():
            self._seat(state, seat, who)
        state.unseen[COMMON] = market(catalog)
        add_hidden(state, COMMON, mat.RESERVE, sum(state.unseen[COMMON].values()))
        state.counters[mat.FLAMES] = mat.CLOCK
        return state

    def bare(self, ruleset: str, options: Mapping[str, str], catalog: Catalog, seats: Sequence[str] = ()) -> State:
        """Return a state with an empty table, for a declared position or a score pad.

        It has two seats if `seats` is empty. Raises Malformed as `Ruleset.options` does.
        """
        there = tuple(seats) or mat.SEATS[:2]
        chosen = self.rulesets[ruleset].options(options)
        return empty(terms(self.id, ruleset, there, chosen, catalog.cards, LAYOUT, host(there)))

    def _seat(self, state: State, seat: str, who: Seat) -> None:
        path = f"seats.{seat}.deck"
        if who.deck is None:
            raise Malformed("missing_deck", f"the starting packet of {seat} is needed", path=path)
        for ref in who.deck.main:
            if ref not in state.terms.cards:
                raise Malformed("unknown_card", f"no card {ref[:64]!r} in the catalogue", path=path)
        aside = {ref: n for ref, n in who.deck.main.items() if state.terms.cards[ref].kind == EVOLUE}
        # Cards aside lie open: the list holds them, with no copy left to identify.
        state.unseen[seat] = {ref: 0 if ref in aside else n for ref, n in who.deck.main.items()}
        add_hidden(state, seat, f"{seat}/deck", sum(state.unseen[seat].values()))
        for ref, count in aside.items():
            for _ in range(count):
                add(state, seat, f"{seat}/aside", ref)

    def listing(self, state: State) -> Iterable[str]:
        """Return the verbs that may have legal moves: none after the end, and only `answer` while a choice is open."""
        if state.result is not None:
            return ()
        return ("answer",) if state.agenda else self._verbs

    def outcome(self, state: State) -> Outcome | None:
        """Return the result once the last Flame is gone: the most points win (I-SSD-09). None before that.

        By I-SSD-12 an empty reserve may end the game too. There is no winner where a declared position leaves out
        cards, since nobody can count them, or where points are level and I-SSD-09 leaves that to the judge.
        """
        if state.phase == mat.PREPARATION or not over(state):
            return None
        score = self.score(state)
        best = leader(score)
        depends_on = ["I-SSD-09"]
        # I-SSD-10 is cited only where another tie rule would give other points.
        if any(points_under(state, tie) != score for tie in ("sole", "first", "all")):
            depends_on.append("I-SSD-10")
        # Flames are left, so it was the empty reserve that ended the game.
        if state.counters[mat.FLAMES]:
            depends_on.append("I-SSD-12")
        if not score or (best == "draw" and state.terms.options["I-SSD-09"] == "judge"):
            return Outcome(None, "points", self.over_rule, tuple(depends_on))
        return Outcome(best, "points", self.over_rule, tuple(depends_on))

    def refresh(self, ctx: Context) -> None:
        """Put a ruling's changes in force, then end confrontations that are now forbidden (SSD-AFF-1)."""
        super().refresh(ctx)
        mat.break_off(ctx)

    def in_force(self, state: State, obj: int) -> Mapping[str, Any]:
        """Return what a board shows of a card in play beyond what is printed."""
        return shown.in_force(state, obj)

    def blank_pad(self, ruleset: str, options: Mapping[str, str], catalog: Catalog, seats: Sequence[str] = ()) -> State:
        """Return the state before the first turn of a score pad, in which everything is unknown."""
        state = self.bare(ruleset, options, catalog, seats)
        state.phase = "-"
        state.unknown = (mat.FLAMES, mat.SAPPHIRES, *state.zones)
        return state

    def score(self, state: State) -> dict[str, int]:
        """Return each seat's points for the cards it owns (I-SSD-10); empty if not all cards are known."""
        return points_under(state, state.terms.options["I-SSD-10"])


def market(catalog: Catalog) -> dict[str, int]:
    """Return the cards of the reserve and terrain by ref: the market's, each as often as `copies` says (or once)."""
    cards = catalog.cards
    return {ref: cards[ref].figures.get("copies", 1) for ref in sorted(cards) if cards[ref].kind in MARKET}


def over(state: State) -> bool:
    """Whether the last Flame, or by I-SSD-12 an empty reserve, has ended the game."""
    if readable(state, mat.FLAMES) and not state.counters[mat.FLAMES]:
        return True
    if state.terms.options["I-SSD-12"] == "wait" or not readable(state, mat.RESERVE) or state.zones[mat.RESERVE]:
        return False
    return any(readable(state, slot) and not state.zones[slot] for slot in mat.TERRAIN)


def points_under(state: State, tie: str) -> dict[str, int]:
    """Return the points of every seat by one tie rule of I-SSD-10; empty if a seat's cards are not all known."""
    sets = {seat: owned(state, seat) for seat in state.terms.seats}
    known = {seat: own for seat, own in sets.items() if own is not None}
    return scoring.points(known, tie) if len(known) == len(sets) else {}


def owned(state: State, seat: str) -> scoring.Set | None:
    """Return the cards of a seat that count for points; None if a declared position leaves some out."""
    paths = [f"{seat}/{zone}" for zone in (*mat.SCORED, "destroyed")]
    if not all(readable(state, path) for path in paths):
        return None
    cards = state.terms.cards
    found = {path: [state.refs[obj] for obj in state.zones[path]] for path in paths}
    hidden = sum(refs.count(None) for refs in found.values())
    unseen = state.unseen.get(seat, {})
    rest = [cards[ref] for ref, count in unseen.items() for _ in range(count)]
    # As many hidden cards as cards not seen yet: they are the same ones, whichever is which.
    if hidden != len(rest):
        return None
    named: dict[str, list[Card]] = {path: [cards[ref] for ref in refs if ref] for path, refs in found.items()}
    gone = named.pop(paths[-1])
    return scoring.Set([card for cards_there in named.values() for card in cards_there] + rest, gone)


GAME = SaintSeiya()
