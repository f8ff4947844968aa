"""What the verbs of Altered share: who may act when, and how each lists its own candidates."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Protocol

from engine.core.context import Context
from engine.core.errors import Violation
from engine.core.game import Dealer, Game, Move, Verb
from engine.core.log import Entry
from engine.core.overrides import VOUCHED, note_of
from engine.core.state import State
from engine.core.verbs import Plain, arguments, missing, not_by, over
from engine.games.altered.effects.host import IN_PLAY
from engine.games.altered.mat import OTHER, RESERVE, SEATS, order

Reasons = list[Violation]
ACTING = (*IN_PLAY, *RESERVE.values())  # where the text of a card may do something by itself (ALT-1.2.4.d)


class DayVerb(Verb, Protocol):
    """A verb of the rule text: it knows its own candidates."""

    def candidates(self, state: State) -> Iterator[Move]:
        """Every legal move of this verb, chance left open."""
        ...


class AlteredVerb(Plain, ABC):
    """What the verbs share: the game, and who may act when."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def moment(self, state: State, move: Move, phase: str, rule: str, **args: Any) -> Reasons:
        """Why nobody may do this now: over, a choice waits, another phase. `rule` is cited for the phase."""
        reasons = over(self.game, state)
        if state.agenda:
            reasons.append(Violation("LOG-pending", {"seat": state.agenda[-1]["ask"]["by"]}))
        if move.by not in SEATS:
            return [*reasons, *not_by(move, *SEATS)]
        if "turn.phase" in state.unknown:
            return [*reasons, *missing(rule, "turn.phase")]
        if state.phase != phase:
            reasons.append(Violation(rule, {"seat": move.by, "phase": state.phase, **args}, why="phase"))
        return reasons

    def turn(self, state: State, move: Move, phase: str, rule: str, **args: Any) -> Reasons:
        """Why this seat may not act: the moment, or not its turn."""
        reasons = self.moment(state, move, phase, rule, **args)
        if reasons:
            return reasons
        if "turn.seat" in state.unknown:
            return missing(rule, "turn.seat")
        if state.seat == move.by:
            return []
        why = "passed" if state.noted("passed", move.by) else "turn"
        return [Violation(rule, {"seat": move.by, "turn": state.seat or "-", **args}, why=why)]

    def in_order(self, state: State, move: Move, note: str, rule: str, **args: Any) -> Reasons:
        """Why a decision that both players make is not this one's to make now: made already, or the other first."""
        if f"memory.{note}" in state.unknown:
            return missing(rule, f"memory.{note}")
        if move.by in waiting(state, note):
            return []
        if state.noted(note, move.by):
            return [Violation(rule, {"seat": move.by, **args}, why="again")]
        return [Violation(rule, {"seat": move.by, "first": OTHER[move.by], **args}, ("I-ALT-13",), why="order")]

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """The chance of what it sets going: the move is tried with the dealer's cards, then taken back."""
        ctx = Context(state)
        ctx.dealer = dealer
        try:
            self.run(ctx, move)
        finally:
            ctx.roll_back()
        return replace(move, chance=tuple(ctx.dealt)) if ctx.dealt else move

    @abstractmethod
    def run(self, ctx: Context, move: Move) -> None:
        """Make a move that `check` let through."""


def waiting(state: State, note: str) -> Sequence[str]:
    """The seats that may announce now what both decide: the first player first (I-ALT-13)."""
    left = [seat for seat in order(state) if not state.noted(note, seat)]
    return left[:1] if state.terms.options["I-ALT-13"] == "initiative" else left


def announced(ctx: Context, seat: str, note: str) -> bool:
    """A seat made a decision that both make; whether it was the last one."""
    if not ctx.state.noted(note, OTHER[seat]):
        ctx.lean("I-ALT-13")
    ctx.emit("note", note, seat)
    return ctx.state.noted(note, OTHER[seat])


def unread_stands(state: State) -> bool:
    """Whether a card that nobody can read is in play or in a Réserve: it may change what the rules of a phase say."""
    unread = state.terms.cards.unread
    return bool(unread) and any(state.refs[obj] in unread for path in ACTING for obj in state.zones[path])


def left_to_ruling(ctx: Context, seat: str, ref: str) -> None:
    """Nobody can read the card that a seat uses: it is in doubt, unless a judge vouched for it."""
    if note_of(seat, ref) not in ctx.state.memory.get(VOUCHED, ()):
        ctx.doubt(ref)


def nothing(entry: Entry) -> None:
    """No arguments. Raises Malformed."""
    arguments(entry, ())


def noted_first(move: Move) -> Sequence[str] | None:
    """The draw that the chance of a move begins with; None where nobody noted it."""
    kind, value = (move.chance or (("", ()),))[0]
    return value if kind == "draw" else None
