"""What a move may do to a game while it runs: emit events, read the recorded chance, lean on interpretations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.core.errors import Malformed
from engine.core.events import REDUCERS, Event, undo
from engine.core.game import Dealer, Draw
from engine.core.state import State


class Context:
    """One move in the making: its events so far, what undoes them, and what it leaned on.

    `leaned` keeps the interpretations in the order they first mattered; `doubts` the cards (or rule ids) whose
    effect the engine does not execute and that a ruling must settle. `window` says that the next entry responds, so
    that a move which may be responded to waits for it. `taken` are the choices of one option that were made without
    asking, as (seat, option): a log may answer them all the same.
    """

    __slots__ = ("_undo", "dealer", "dealt", "doubts", "events", "leaned", "state", "supply", "taken", "window")

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []
        self.leaned: dict[str, None] = {}
        self.doubts: list[str] = []
        self.supply: list[tuple[str, Any]] | None = None
        self.dealer: Dealer | None = None
        self.window = False
        self.taken: list[tuple[str, str]] = []
        self.dealt: list[tuple[str, Any]] = []
        self._undo: list[Event] = []

    @property
    def inverses(self) -> tuple[Event, ...]:
        """What undoes the events since `begin`, in their order."""
        return tuple(self._undo)

    def begin(self) -> None:
        """Forget the previous move; `leaned` goes on growing."""
        self.events = []
        self._undo.clear()
        if self.doubts:
            self.doubts = []
        if self.taken:
            self.taken = []

    def emit(self, *event: object) -> None:
        """Apply one event. Raises Impossible when an invariant would break."""
        self._undo.append(REDUCERS[event[0]](self.state, event))
        self.events.append(event)

    def lean(self, interpretation: str) -> None:
        """Record that what happens depends on this interpretation."""
        self.leaned[interpretation] = None

    def doubt(self, what: str) -> None:
        """Record that the effect of a card (or a rule) was not executed and needs a ruling."""
        self.doubts.append(what)

    def roll_back(self) -> None:
        """Undo everything emitted since `begin`."""
        undo(self.state, self._undo)
        self.events = []

    def chance(self, kind: str, what: str, deal: Callable[[Dealer], Any], blank: Any = None) -> Any:
        """The next chance: dealt in self-play, the next recorded one, or `blank` where none is left or it is open.

        Raises Malformed, code `missing_chance`, where the next recorded chance is not of this kind.
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
        """The cards an effect draws, "?" where not noted. Raises Malformed `missing_chance` for another number."""
        state = self.state
        if self.dealer is None and self.supply and self.supply[0][0] != "draw":
            return ("?",) * count
        found: Draw = self.chance(
            "draw", f"{count} cards for {seat}", lambda dealer: deal_top(state, seat, count, dealer), ("?",) * count
        )
        if len(found) != count:
            raise Malformed("missing_chance", f"an effect draws {count} cards for {seat}", path="chance")
        return found

    def draw(self, seat: str, refs: Draw) -> None:
        """Take the recorded cards from the top of the deck into the hand; "?" says nothing about a card.

        Raises Impossible `already_named` for another card than the one that was seen there.
        """
        state, hand = self.state, f"{seat}/hand"
        deck, known = state.zones[f"{seat}/deck"], state.refs
        for ref in refs:
            card = deck[-1]
            self.emit("move", card, hand, -1)
            if ref != "?" and ref != known[card]:
                self.emit("name", card, ref)


def deal(state: State, seat: str, objs: Sequence[int], dealer: Dealer) -> Draw:
    """What some objects of a seat turn out to be, in order: those that are known, and others dealt from the unseen."""
    known = [state.refs[obj] for obj in objs]
    drawn = iter(dealer.deal(state.drawable(seat), known.count(None)))
    return tuple(ref or next(drawn) for ref in known)


def deal_top(state: State, seat: str, count: int, dealer: Dealer) -> Draw:
    """The cards on top of a deck, at most `count`."""
    return deal(state, seat, state.zones[f"{seat}/deck"][::-1][:count], dealer)
