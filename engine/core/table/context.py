"""The context a move runs in: it emits events, reads recorded chance, and records what the move depends on.

Verbs and effects change the state only through a `Context`, so that a refused move can be undone exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.core.table.chance import Dealer, Draw
from engine.core.table.events import REDUCERS, Event, undo
from engine.core.table.state import State
from engine.core.text.errors import Malformed


class Context:
    """One move while it is being made: its events so far, their inverses, and what the move depends on.

    - `depends_on`: the interpretations the game has depended on so far, in the order they first mattered.
    - `doubts`: the cards (or rule ids) whose effect the engine does not execute and that need a ruling.
    - `window`: whether the next log entry is a response, in which case a move that can be responded to waits for it.
    - `taken`: choices with a single option that were made without asking, as (seat, option). A log may still contain an
      answer to them.
    - `supply`: the recorded chance that the effects of this move have not used yet; None if chance is open.
    - `dealer` and `dealt`: in self-play, the source of chance and what it has dealt, to be written in the log.
    """

    __slots__ = ("_undo", "dealer", "dealt", "depends_on", "doubts", "events", "state", "supply", "taken", "window")

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []
        self.depends_on: dict[str, None] = {}
        self.doubts: list[str] = []
        self.supply: list[tuple[str, Any]] | None = None
        self.dealer: Dealer | None = None
        self.window = False
        self.taken: list[tuple[str, str]] = []
        self.dealt: list[tuple[str, Any]] = []
        self._undo: list[Event] = []

    @property
    def inverses(self) -> tuple[Event, ...]:
        """The inverses of the events since `begin`, in the order of the events."""
        return tuple(self._undo)

    def begin(self) -> None:
        """Start a new move. `depends_on` is kept, because it belongs to the whole game."""
        self.events = []  # a new list, since the replay's step of the previous move keeps the old one
        self._undo.clear()
        if self.doubts:
            self.doubts = []
        if self.taken:
            self.taken = []

    def emit(self, *event: object) -> None:
        """Apply one event (see `core.table.events`). Raises Impossible if it would break an invariant."""
        self._undo.append(REDUCERS[event[0]](self.state, event))
        self.events.append(event)

    def depend_on(self, interpretation: str) -> None:
        """Record that the game depends on this interpretation, such as I-SAF-16."""
        self.depends_on[interpretation] = None

    def doubt(self, what: str) -> None:
        """Record that an effect of this card (or rule) was not executed and needs a ruling."""
        self.doubts.append(what)

    def roll_back(self) -> None:
        """Undo every event since `begin`."""
        undo(self.state, self._undo)
        self.events = []

    def chance(self, kind: str, what: str, deal: Callable[[Dealer], Any], blank: Any = None) -> Any:
        """Return the next outcome of chance, of a kind such as "draw" or "roll".

        In self-play, `deal` produces it from the dealer. Otherwise it is the next recorded one, or `blank` if there is
        a blank and no recorded chance is left. `what` describes it in the error.

        Raises Malformed, code `missing_chance`, if the next recorded chance is of another kind or none is left.
        """
        if self.dealer is not None:
            self.dealt.append((kind, deal(self.dealer)))
            return self.dealt[-1][1]
        if not self.supply and blank is not None:
            return blank
        if not self.supply or self.supply[0][0] != kind:
            raise Malformed("missing_chance", f"an effect needs a recorded {kind}: {what}", path="chance")
        return self.supply.pop(0)[1]

    def chance_draw(self, seat: str, count: int) -> Draw:
        """Return the `count` cards an effect draws, "?" for each if the draw was not recorded.

        Raises Malformed, code `missing_chance`, if a recorded draw has another number of cards.
        """
        state = self.state
        if self.dealer is None and self.supply and self.supply[0][0] != "draw":
            return ("?",) * count  # the next recorded chance is of a later effect, so this draw was not recorded
        found: Draw = self.chance(
            "draw", f"{count} cards for {seat}", lambda dealer: deal_top(state, seat, count, dealer), ("?",) * count
        )
        if len(found) != count:
            raise Malformed("missing_chance", f"an effect draws {count} cards for {seat}", path="chance")
        return found

    def draw(self, seat: str, refs: Draw) -> None:
        """Move the recorded cards from the top of the deck to the hand. "?" leaves a card unidentified.

        Raises Impossible: `already_named` if the card is known to be another one, `no_copy_left` if all copies of it in
        the registered list are accounted for.
        """
        state, hand = self.state, f"{seat}/hand"
        deck, known = state.zones[f"{seat}/deck"], state.refs
        for ref in refs:
            card = deck[-1]  # the end of the list is the top of the deck
            self.emit("move", card, hand, -1)
            if ref != "?" and ref != known[card]:
                self.emit("name", card, ref)


def deal(state: State, seat: str, objs: Sequence[int], dealer: Dealer, kind: str = "draw") -> Draw:
    """Return the refs of `objs` in order, with those not identified yet dealt from the unseen cards of the seat."""
    known = [state.refs[obj] for obj in objs]
    drawn = iter(dealer.deal(state.drawable(seat), known.count(None), kind))
    return tuple(ref or next(drawn) for ref in known)


def deal_top(state: State, seat: str, count: int, dealer: Dealer, kind: str = "draw") -> Draw:
    """Return the refs of up to `count` cards from the top of a deck, dealt as by `deal`."""
    return deal(state, seat, state.zones[f"{seat}/deck"][::-1][:count], dealer, kind)
