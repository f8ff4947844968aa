"""Moves that a log may leave out: an entry of a later phase ends the earlier ones, and says `done` to their lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.core.errors import EngineError, Violation

if TYPE_CHECKING:
    from engine.core.context import Context
    from engine.core.game import Game, Move, Verb
    from engine.core.log import Entry

MAX_IMPLIED = 16  # moves left out before one entry

Play = Callable[["Verb", "Move"], None]


@dataclass(frozen=True, slots=True)
class Led:
    """What the moves left out came to: the move that the entry now is, or the reasons that still speak against it."""

    move: Move | None = None
    reasons: Sequence[Violation] = ()


def lead_in(game: Game, ctx: Context, entry: Entry, play: Play) -> Led:
    """Make the moves that the log leaves out before an entry, until the entry may be made.

    `play` makes one checked move. Where the entry is refused whatever is left out, what was made is still there, for
    the caller to roll back; the reasons are those that stand once the moment of the entry has come, if it came.
    """
    state, verbs, left = ctx.state, game.verbs(), Led()
    try:
        for _ in range(MAX_IMPLIED):
            implied = game.implied(state, entry.by, entry.do)
            if implied is None:
                return left
            if verbs[implied.do].check(state, implied):
                return Led()
            play(verbs[implied.do], implied)
            if state.result is not None:
                return Led()
            move = verbs[entry.do].parse(state, entry)
            left = Led(None, verbs[entry.do].check(state, move))
            if not left.reasons:
                return Led(move)
    except EngineError:
        return Led()
    return Led()
