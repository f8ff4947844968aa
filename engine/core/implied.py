"""Moves that a log may leave out: an entry of a later phase ends the earlier ones, and says `done` to their lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.core.errors import EngineError

if TYPE_CHECKING:
    from engine.core.context import Context
    from engine.core.game import Game, Move, Verb
    from engine.core.log import Entry

MAX_IMPLIED = 16  # moves left out before one entry

Play = Callable[["Verb", "Move"], None]


def lead_in(game: Game, ctx: Context, entry: Entry, play: Play) -> Move | None:
    """Make the moves that the log leaves out before an entry, until the entry may be made; the move it then is.

    `play` makes one checked move. None where the entry is refused whatever is left out: what was made is still there,
    for the caller to roll back.
    """
    state, verbs = ctx.state, game.verbs()
    try:
        for _ in range(MAX_IMPLIED):
            implied = game.implied(state, entry.by, entry.do)
            if implied is None or verbs[implied.do].check(state, implied):
                return None
            play(verbs[implied.do], implied)
            if state.result is not None:
                return None
            move = verbs[entry.do].parse(state, entry)
            if not verbs[entry.do].check(state, move):
                return move
    except EngineError:
        return None
    return None
