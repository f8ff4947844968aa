"""Base class and helpers of Altered's verbs: the reasons why a seat may not act now, and simultaneous decisions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine.core.table.chance import Dealer
from engine.core.table.context import Context
from engine.core.table.game import Game, Move
from engine.core.table.log import Entry
from engine.core.table.overrides import VOUCHED, note_of
from engine.core.table.state import State
from engine.core.table.verbs import Plain, arguments, missing, not_by, over
from engine.core.text.errors import Violation
from engine.games.altered.effects.host import IN_PLAY
from engine.games.altered.mat import OTHER, RESERVE, SEATS, order

Reasons = list[Violation]
ACTING = (*IN_PLAY, *RESERVE.values())  # where the text of a card may do something by itself (ALT-1.2.4.d)


class AlteredVerb(Plain, ABC):
    """Base class of the verbs: checks of phase, turn and order, and chance for self-play."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def moment(self, state: State, move: Move, phase: str, rule: str, **args: Any) -> Reasons:
        """Return why nobody may do this now: game over, a choice pending, or the wrong phase.

        `rule` is the rule cited for the phase, `args` are further arguments of its message.
        """
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
        """Return why this seat may not act: the reasons of `moment`, or it is not the seat's turn."""
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
        """Return why this seat may not announce a decision that both players make.

        It has already announced it, or the other player comes first (I-ALT-13). `note` records who has announced.
        """
        if f"memory.{note}" in state.unknown:
            return missing(rule, f"memory.{note}")
        if move.by in waiting(state, note):
            return []
        if state.noted(note, move.by):
            return [Violation(rule, {"seat": move.by, **args}, why="again")]
        return [Violation(rule, {"seat": move.by, "first": OTHER[move.by], **args}, ("I-ALT-13",), why="order")]

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """Fill in the chance of a candidate: try the move with the dealer's cards, then roll it back."""
        ctx = Context(state)
        ctx.dealer = dealer
        try:
            self.run(ctx, move)
        finally:
            ctx.roll_back()
        return replace(move, chance=tuple(ctx.dealt)) if ctx.dealt else move

    @abstractmethod
    def run(self, ctx: Context, move: Move) -> None:
        """Make a move that `check` accepted."""


def waiting(state: State, note: str) -> Sequence[str]:
    """List the seats that may now announce a decision both players make, first player first (I-ALT-13)."""
    left = [seat for seat in order(state) if not state.noted(note, seat)]
    return left[:1] if state.terms.options["I-ALT-13"] == "initiative" else left


def announced(ctx: Context, seat: str, note: str) -> bool:
    """Note that a seat has announced a decision both players make; return whether it was the last to do so."""
    if not ctx.state.noted(note, OTHER[seat]):
        ctx.depend_on("I-ALT-13")
    ctx.emit("note", note, seat)
    return ctx.state.noted(note, OTHER[seat])


def unread_acts(state: State) -> bool:
    """Whether a card the engine cannot execute is in play or in a Reserve.

    Such a card may change any number that the rules of a phase give, so these checks become lenient.
    """
    unread = state.terms.cards.unread
    return bool(unread) and any(state.refs[obj] in unread for path in ACTING for obj in state.zones[path])


def left_to_ruling(ctx: Context, seat: str, ref: str) -> None:
    """Leave the effect of a card the engine cannot execute to a ruling, unless a judge has vouched for it."""
    if note_of(seat, ref) not in ctx.state.memory.get(VOUCHED, ()):
        ctx.doubt(ref)


def nothing(entry: Entry) -> None:
    """Check that an entry has no arguments. Raises Malformed."""
    arguments(entry, ())


def noted_first(move: Move) -> Sequence[str] | None:
    """Return the draw that the move's chance begins with, or None if none was recorded."""
    kind, value = (move.chance or (("", ()),))[0]
    return value if kind == "draw" else None
