"""Star Safir: the mat, the set-up and how the game is won.

The verbs are in `moves`, what cards do is in `effects`, the deck rules are in `deck`.
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
from engine.core.table.game import Closing, Move, Ruleset, Verb, ruleset
from engine.core.table.log import Header, Seat
from engine.core.table.overrides import ALLOWED, VOUCHED
from engine.core.table.state import Layout, Outcome, State, add, add_hidden
from engine.core.table.verbs import common_verbs
from engine.core.text import registry
from engine.core.text.errors import Malformed
from engine.core.text.rulebook import with_common_rules
from engine.games.star_safir import deck, endgame, moves, shown, unknown
from engine.games.star_safir.effects import moments
from engine.games.star_safir.effects.host import HOST, KEPT
from engine.games.star_safir.moves import mat
from engine.games.star_safir.pad import PadTurn

OPENING_PI = 4  # SAF-V-3
# While one of these is unknown, nothing is implied: nobody can say which turn an entry belongs to.
TURN_FACTS = ("turn.seat", "turn.phase", "turn.n")
AFTER_BEGINNING = ("play", "sacrifice", "move", "activate", "attack", "end_turn")  # each needs `begin_turn` first

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
    """Star Safir as the engine sees it (see `core.table.game.Game`); `GAME` is the only instance."""

    id = "star-safir"
    seats: tuple[str, ...] = mat.SEATS
    records = shown.RECORDS
    over_rule = "SAF-I-1"
    phases: tuple[str, ...] = (mat.PREPARATION, mat.LANCEMENT, mat.INVOCATION, mat.COMBAT)
    notes: tuple[str, ...] = (*mat.TURN_NOTES, *mat.OPENING_NOTES, *KEPT, MADE, ALLOWED, VOUCHED)
    frames: Mapping[str, Mapping[str, str]] = shown.FRAMES
    numbered: tuple[str, ...] = ("sacrificed",)
    responses: tuple[str, ...] = ("reveal",)
    order = "live"
    # Relative weights of the verbs in self-play.
    habits: Mapping[str, int] = MappingProxyType({
        "first_player": 1, "commander": 1, "keep": 3, "mulligan": 2, "begin_turn": 1,
        "play": 12, "attack": 6, "sacrifice": 1, "move": 1, "end_turn": 4,
        "activate": 4, "reveal": 1, "answer": 1,
    })  # fmt: skip

    facts = unknown
    layout = LAYOUT
    host = HOST
    scored = mat.PV

    def __init__(self) -> None:
        book = with_common_rules(registry.rulebook(self.id))
        self.rulesets: Mapping[str, Ruleset] = MappingProxyType({"safir-v2@1": ruleset("safir-v2@1", book)})
        self._verbs = moves.verbs(self)
        self._all: Mapping[str, Verb] = MappingProxyType({
            **self._verbs, **common_verbs(self), **partial_verbs(),
        })  # fmt: skip
        self.pad: tuple[str, Verb] = ("end_turn", PadTurn(self))

    def deck_rules(self, fmt: Format) -> Sequence[DeckRule]:
        """Return the deck rules of a format."""
        return deck.deck_rules(fmt)

    def setup(self, header: Header, catalog: Catalog) -> State:
        """Return the state before the first entry: decks shuffled, hands empty, 4 PI each (SAF-V-3).

        Registered commanders are in play from the start (I-SAF-27). Raises Malformed: `unknown_seat`, `missing_deck`,
        `unknown_card`, or an error of `Ruleset.options`.
        """
        if tuple(header.seats) != self.seats:
            raise Malformed("unknown_seat", "Star Safir is played by seats A and B", path="seats")
        state = self.bare(header.ruleset, header.options, catalog)
        for seat, who in header.seats.items():
            self._seat(state, seat, who)
        return state

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
            # The commander is not in `unseen`: it lies open from the start, outside of the deck.
            add(state, seat, f"{seat}/commander", commander)
            force.awaken(state)

    def listing(self, state: State) -> Iterable[str]:
        """Return the verbs that may have legal moves.

        While a choice is pending, only answers are legal, and reveals if a response window is open. After the end, only
        reveals that prove what a face-down card was (I-SAF-23).
        """
        # Cards may still be turned up after the end, to prove what they were; nothing else may be done.
        if state.result is not None:
            return ("reveal",)
        if state.agenda:
            return ("answer", "reveal") if open_window(state) else ("answer",)
        return self._verbs

    def implied(self, state: State, by: str, do: str) -> Move | None:
        """Return the `end_turn` or `begin_turn` that a log may leave out before the entry `do` by `by`, or None.

        A log may omit `end_turn` before the opponent's `begin_turn`, or `begin_turn` before the first action of a turn.
        It may not omit both between two turns: the log must still show where each turn ends.
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
        """Return the `begin_turn` that a log left out; its draw is an unknown card."""
        due = 1 if state.turn != 1 and state.zones[f"{seat}/deck"] else 0
        return Move(seat, "begin_turn", {}, (("draw", ("?",)),) * due)

    def outcome(self, state: State) -> Outcome | None:
        """Return the winner by 30 PV (SAF-I-1), None if nobody has them; both at once follow I-SAF-15."""
        points = state.counters
        a, b = points["A.pv"] >= mat.PV_GOAL, points["B.pv"] >= mat.PV_GOAL
        if not (a or b):
            return None
        if a and b:
            judge = state.terms.options["I-SAF-15"] == "judge"
            return Outcome(None if judge else "draw", "pv", self.over_rule, ("I-SAF-15",))
        return Outcome("A" if a else "B", "pv", self.over_rule)

    def closing(self, state: State) -> Closing:
        """Say what a log that stops here comes to.

        An endless game follows I-SAF-17; face-down cards that nobody showed follow I-SAF-23.
        """
        hidden = moments.face_down(state)
        depends_on = ["I-SAF-23"] if hidden or endgame.unnamed(state) else []
        missing = endgame.unshown(state, hidden)
        outcome = None
        if endgame.endless(state):
            depends_on.append("I-SAF-17")
            outcome = endgame.by_score(state)
        return Closing(outcome, missing, tuple(depends_on))

    def in_force(self, state: State, obj: int) -> Mapping[str, Any]:
        """Return what a board shows of a card in play beyond what is printed."""
        return shown.in_force(state, obj)

    def blank_pad(self, ruleset: str, options: Mapping[str, str], catalog: Catalog, seats: Sequence[str] = ()) -> State:
        """Return the state before the first turn of a score pad: 0 PV each, everything else unknown."""
        state = self.bare(ruleset, options, catalog)
        state.phase = "-"
        state.unknown = (*mat.PI.values(), *state.zones)
        return state


GAME = StarSafir()
