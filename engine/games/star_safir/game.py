"""Star Safir: the mat, the set-up, who wins. The verbs are in `moves`, the deck rules in `deck`."""

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
from engine.core.game import Closing, Move, Ruleset, Verb, ruleset
from engine.core.log import Header, Seat
from engine.core.overrides import ALLOWED, VOUCHED
from engine.core.partial import partial_verbs
from engine.core.rulebook import with_common_rules
from engine.core.state import Layout, Outcome, State, add, add_hidden, empty, terms
from engine.core.verbs import common_verbs
from engine.games.star_safir import deck, endgame, moves, shown, unstated
from engine.games.star_safir.effects import moments
from engine.games.star_safir.effects.host import HOST, KEPT
from engine.games.star_safir.moves import mat
from engine.games.star_safir.pad import PadTurn

OPENING_PI = 4  # SAF-V-3
TURN_FACTS = ("turn.seat", "turn.phase", "turn.n")
AFTER_BEGINNING = ("play", "sacrifice", "move", "activate", "attack", "end_turn")  # never before `begin_turn`

LAYOUT = Layout(
    zones=(
        "hand", "deck", "commander", "aside",
        *(f"T{t}/{row}/{slot}" for t in mat.THREE for row in ("fighters", "magics") for slot in mat.THREE),
        *(f"T{t}/discard" for t in mat.THREE),
    ),
    capacity=MappingProxyType({
        "commander": 1, "aside": 1,
        **{f"T{t}/{row}/{slot}": 1 for t in mat.THREE for row in ("fighters", "magics") for slot in mat.THREE},
    }),
    hidden=MappingProxyType({"hand": "owner", "deck": "nobody"}),
    counters=MappingProxyType({"pv": (0, None), "pi": (0, mat.PI_MAX)}),
    face_down=tuple(f"T{t}/magics/{slot}" for t in mat.THREE for slot in mat.THREE),
    opening=mat.OPENING_NOTES,
    made=("jeton",),
    idle=("aside", "T1/discard", "T2/discard", "T3/discard"),
)  # fmt: skip


class StarSafir(Base):
    """The game as the engine knows it; `GAME` is its one instance."""

    id = "star-safir"
    seats: tuple[str, ...] = mat.SEATS
    layout = LAYOUT
    records = shown.RECORDS
    over_rule = "SAF-I-1"
    phases: tuple[str, ...] = (mat.PREPARATION, mat.LANCEMENT, mat.INVOCATION, mat.COMBAT)
    notes: tuple[str, ...] = (*mat.TURN_NOTES, *mat.OPENING_NOTES, *KEPT, MADE, ALLOWED, VOUCHED)
    frames: Mapping[str, Mapping[str, str]] = shown.FRAMES
    numbered: tuple[str, ...] = ("sacrificed",)
    responses: tuple[str, ...] = ("reveal",)
    order = "live"
    habits: Mapping[str, int] = MappingProxyType({
        "first_player": 1, "commander": 1, "keep": 3, "mulligan": 2, "begin_turn": 1,
        "play": 12, "attack": 6, "sacrifice": 1, "move": 1, "end_turn": 4,
        "activate": 4, "reveal": 1, "answer": 1,
    })  # fmt: skip

    def __init__(self) -> None:
        book = with_common_rules(registry.rulebook(self.id))
        self.rulesets: Mapping[str, Ruleset] = MappingProxyType({"safir-v2@1": ruleset("safir-v2@1", book)})
        self._verbs = moves.verbs(self)
        self._all: Mapping[str, Verb] = MappingProxyType({
            **self._verbs, **common_verbs(self), **partial_verbs(),
        })  # fmt: skip
        self.pad: tuple[str, Verb] = ("end_turn", PadTurn(self))

    def deck_rules(self, fmt: Format) -> Sequence[DeckRule]:
        """The deck rules of a format."""
        return deck.deck_rules(fmt)

    def setup(self, header: Header, catalog: Catalog) -> State:
        """Decks shuffled, nothing drawn, 4 PI each (SAF-V-3), the registered commanders in play (I-SAF-27).

        Raises Malformed `unknown_seat`, `missing_deck`, `unknown_card` or those of `Ruleset.options`.
        """
        if tuple(header.seats) != self.seats:
            raise Malformed("unknown_seat", "Star Safir is played by seats A and B", path="seats")
        state = self.bare(header.ruleset, header.options, catalog)
        for seat, who in header.seats.items():
            self._seat(state, seat, who)
        return state

    def bare(self, ruleset: str, options: Mapping[str, str], catalog: Catalog, seats: Sequence[str] = ()) -> State:
        """A state with nothing on the mat. Raises those of `Ruleset.options`."""
        chosen = self.rulesets[ruleset].options(options)
        return empty(terms(self.id, ruleset, self.seats, chosen, catalog.cards, LAYOUT, HOST))

    def _seat(self, state: State, seat: str, who: Seat) -> None:
        if who.deck is None:
            raise Malformed("missing_deck", f"the list of {seat} is needed", path=f"seats.{seat}.deck")
        path = f"seats.{seat}.deck"
        commander = who.deck.commander
        cards = state.terms.cards
        for ref in (*who.deck.main, *(() if commander is None else (commander,))):
            if ref not in cards:
                raise Malformed("unknown_card", f"no card {ref[:64]!r} in the catalogue", path=path)
        state.counters[mat.PI[seat]] = OPENING_PI
        state.unseen[seat] = dict(who.deck.main)
        add_hidden(state, seat, f"{seat}/deck", sum(who.deck.main.values()))
        if commander is not None:
            add(state, seat, f"{seat}/commander", commander)
            force.awaken(state)

    def candidates(self, state: State) -> Iterator[Move]:
        """Every legal move of the rule text, chance left open."""
        if state.result is not None:
            yield from self._verbs["reveal"].candidates(state)
            return
        if state.agenda:
            yield from self._verbs["answer"].candidates(state)
            if open_window(state):
                yield from self._verbs["reveal"].candidates(state)
            return
        for verb in self._verbs.values():
            yield from verb.candidates(state)

    def implied(self, state: State, by: str, do: str) -> Move | None:
        """`end_turn` before the `begin_turn` of the opponent, `begin_turn` before the first action of one's own turn.

        Only one of the two is left out between two turns, so that the log says where each turn ends.
        """
        settled = state.seat is not None and state.result is None and not state.agenda
        if by not in self.seats or not settled or any(fact in state.unknown for fact in TURN_FACTS):
            return None
        if do == "begin_turn" and by != state.seat and state.phase in mat.ACTING:
            return Move(str(state.seat), "end_turn", {}, ())
        if do in AFTER_BEGINNING and by == state.seat and state.phase == mat.LANCEMENT:
            return self._begun(state, by)
        return None

    def _begun(self, state: State, seat: str) -> Move:
        """The start of a turn that nobody wrote down: its card is not known."""
        due = 1 if state.turn != 1 and state.zones[f"{seat}/deck"] else 0
        return Move(seat, "begin_turn", {}, (("draw", ("?",)),) * due)

    def outcome(self, state: State) -> Outcome | None:
        """30 PV win at once (SAF-I-1); both at once: I-SAF-15."""
        points = state.counters
        a, b = points["A.pv"] >= mat.PV_GOAL, points["B.pv"] >= mat.PV_GOAL
        if not (a or b):
            return None
        if a and b:
            judge = state.terms.options["I-SAF-15"] == "judge"
            return Outcome(None if judge else "draw", "pv", self.over_rule, ("I-SAF-15",))
        return Outcome("A" if a else "B", "pv", self.over_rule)

    def closing(self, state: State) -> Closing:
        """A log that stops: what two empty decks decide (I-SAF-17), which face-down cards nobody showed (I-SAF-23)."""
        hidden = moments.face_down(state)
        leans = ["I-SAF-23"] if hidden or endgame.unnamed(state) else []
        missing = endgame.unshown(state, hidden)
        outcome = None
        if endgame.endless(state):
            leans.append("I-SAF-17")
            outcome = endgame.by_score(state)
        return Closing(outcome, missing, tuple(leans))

    def unstated(self, state: State, stated: Collection[str]) -> Iterator[str]:
        """Facts that a declared position should have said, where they can matter."""
        return unstated.unstated(state, stated)

    def answers(self, state: State, fact: str) -> Sequence[Any] | None:
        """Answers that a fact left out may have, enough to speak for all; None: too many."""
        return unstated.answers(state, fact)

    def cites(self, move: Move, fact: str) -> str:
        """The rule of a move that needs this fact."""
        return unstated.cites(move, fact)

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
        """The state before the first turn of a score pad: 0 PV each, and nothing else is known."""
        state = self.bare(ruleset, options, catalog)
        state.phase = "-"
        state.unknown = (*mat.PI.values(), *state.zones)
        return state

    def score(self, state: State) -> dict[str, int]:
        """The PV of each seat, where a declared position says them."""
        return {seat: state.counters[mat.PV[seat]] for seat in self.seats if mat.PV[seat] not in state.unknown}


GAME = StarSafir()
