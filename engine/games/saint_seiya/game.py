"""Saint Seiya Deckbuilding: the table, the set-up, the points, who wins. The verbs are in `moves`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from engine.core import registry
from engine.core.base import Base
from engine.core.cards import Card, Catalog
from engine.core.context import Context
from engine.core.decks import DeckRule, Format
from engine.core.errors import Malformed, Violation
from engine.core.events import MADE
from engine.core.game import Move, Ruleset, Verb, ruleset
from engine.core.log import Header, Seat
from engine.core.overrides import ALLOWED, VOUCHED
from engine.core.partial import partial_verbs
from engine.core.rulebook import with_common_rules
from engine.core.state import COMMON, Layout, Outcome, State, add, add_hidden, empty, readable, terms
from engine.core.verbs import common_verbs, leader
from engine.games.saint_seiya import deck, moves, scoring, shown, unstated
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
    """The game as the engine knows it; `GAME` is its one instance."""

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
    habits: Mapping[str, int] = MappingProxyType({
        "setup": 1, "play": 30, "equip": 6, "engage": 4, "relic": 6, "acquire": 40, "heal": 12, "effect": 5,
        "answer": 1, "discard_hand": 1, "end_turn": 6,
    })  # fmt: skip
    responses: tuple[str, ...] = ()

    def __init__(self) -> None:
        book = with_common_rules(registry.rulebook(self.id))
        self.rulesets: Mapping[str, Ruleset] = MappingProxyType({"seiya-base@1": ruleset("seiya-base@1", book)})
        self._verbs = moves.verbs(self)
        self._all: Mapping[str, Verb] = MappingProxyType({
            **self._verbs, **common_verbs(self), **partial_verbs(),
        })  # fmt: skip
        self.pad: tuple[str, Verb] = ("end_turn", PadTurn(self))

    def deck_rules(self, fmt: Format) -> Sequence[DeckRule]:
        """What a starting packet is."""
        return deck.deck_rules(fmt)

    def setup(self, header: Header, catalog: Catalog) -> State:
        """Packets shuffled but for what lies aside, the reserve of the catalogue, the clock full (I-SSD-02).

        Raises Malformed `unknown_seat`, `missing_deck`, `unknown_card` or those of `Ruleset.options`.
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
        """A state with nothing on the table, of two seats where nobody says how many. Raises Malformed as `setup`."""
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
        state.unseen[seat] = {ref: 0 if ref in aside else n for ref, n in who.deck.main.items()}
        add_hidden(state, seat, f"{seat}/deck", sum(state.unseen[seat].values()))
        for ref, count in aside.items():
            for _ in range(count):
                add(state, seat, f"{seat}/aside", ref)

    def candidates(self, state: State) -> Iterator[Move]:
        """Every legal move of the rule text, chance left open."""
        if state.result is not None:
            return
        if state.agenda:
            yield from self._verbs["answer"].candidates(state)
            return
        for verb in self._verbs.values():
            yield from verb.candidates(state)

    def outcome(self, state: State) -> Outcome | None:
        """Once the last Flame is gone the most points win (I-SSD-09); where the reserve is empty: I-SSD-12.

        Where cards are left out nobody can count, and no winner is told.
        """
        if state.phase == mat.PREPARATION or not over(state):
            return None
        score = self.score(state)
        best = leader(score)
        leans = ["I-SSD-09"]
        if any(points_under(state, tie) != score for tie in ("sole", "first", "all")):
            leans.append("I-SSD-10")
        if state.counters[mat.FLAMES]:
            leans.append("I-SSD-12")
        if not score or (best == "draw" and state.terms.options["I-SSD-09"] == "judge"):
            return Outcome(None, "points", self.over_rule, tuple(leans))
        return Outcome(best, "points", self.over_rule, tuple(leans))

    def refresh(self, ctx: Context) -> None:
        """As in every game; then the confrontations that what was put in play forbids end (SSD-AFF-1)."""
        super().refresh(ctx)
        mat.break_off(ctx)

    def unstated(self, state: State, stated: Collection[str]) -> Iterator[str]:
        """Facts of a turn that a declared position should have said."""
        return unstated.unstated(state, stated)

    def answers(self, state: State, fact: str) -> Sequence[Any] | None:
        """Answers that a fact left out may have; None where there are too many to try."""
        return unstated.ANSWERS.of(state, fact)

    def cites(self, move: Move, fact: str) -> str:
        """The rule of a move that needs this fact."""
        return unstated.CITED.get(move.do, "SSD-JEU-1")

    def wants(self, state: State, move: Move) -> list[Violation]:
        """The facts left out that a move needs whatever the others are."""
        return unstated.wants(state, move)

    def settled(self, state: State, move: Move) -> tuple[str, ...]:
        """The facts a declared position left out that are known once this move is made."""
        return ()

    def in_force(self, state: State, obj: int) -> Mapping[str, Any]:
        """What a board shows of a card in play beside what is printed."""
        return shown.in_force(state, obj)

    def blank_pad(self, ruleset: str, options: Mapping[str, str], catalog: Catalog, seats: Sequence[str] = ()) -> State:
        """The state before the first turn of a pad: nothing is known."""
        state = self.bare(ruleset, options, catalog, seats)
        state.phase = "-"
        state.unknown = (mat.FLAMES, mat.SAPPHIRES, *state.zones)
        return state

    def score(self, state: State) -> dict[str, int]:
        """The points of each seat by the cards it owns (I-SSD-10), where every seat's cards are known."""
        return points_under(state, state.terms.options["I-SSD-10"])


def market(catalog: Catalog) -> dict[str, int]:
    """The cards the reserve and the terrain are made of: those of the market, as many `copies` as printed (or one)."""
    cards = catalog.cards
    return {ref: cards[ref].figures.get("copies", 1) for ref in sorted(cards) if cards[ref].kind in MARKET}


def over(state: State) -> bool:
    """Whether the clock, or by I-SSD-12 an empty reserve, has ended the game."""
    if readable(state, mat.FLAMES) and not state.counters[mat.FLAMES]:
        return True
    if state.terms.options["I-SSD-12"] == "wait" or not readable(state, mat.RESERVE) or state.zones[mat.RESERVE]:
        return False
    return any(readable(state, slot) and not state.zones[slot] for slot in mat.TERRAIN)


def points_under(state: State, tie: str) -> dict[str, int]:
    """The points of every seat by a tie rule of I-SSD-10; of nobody where the cards of a seat are not all known."""
    sets = {seat: owned(state, seat) for seat in state.terms.seats}
    known = {seat: own for seat, own in sets.items() if own is not None}
    return scoring.points(known, tie) if len(known) == len(sets) else {}


def owned(state: State, seat: str) -> scoring.Set | None:
    """The cards of a seat that count; None where a position leaves some out. A hidden card is one not yet seen."""
    paths = [f"{seat}/{zone}" for zone in (*mat.SCORED, "destroyed")]
    if not all(readable(state, path) for path in paths):
        return None
    cards = state.terms.cards
    found = {path: [state.refs[obj] for obj in state.zones[path]] for path in paths}
    hidden = sum(refs.count(None) for refs in found.values())
    unseen = state.unseen.get(seat, {})
    rest = [cards[ref] for ref, count in unseen.items() for _ in range(count)]
    if hidden != len(rest):
        return None
    named: dict[str, list[Card]] = {path: [cards[ref] for ref in refs if ref] for path, refs in found.items()}
    gone = named.pop(paths[-1])
    return scoring.Set([card for cards_there in named.values() for card in cards_there] + rest, gone)


GAME = SaintSeiya()
