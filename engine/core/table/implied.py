"""Moves that a log may leave out: an entry of a later phase implies the end of the earlier phases and of open choices.

Paper logs rarely record that a player leaves a phase or is done with a list of choices. `Game.implied` says which move
may be filled in before an entry.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.core.table.context import Context
from engine.core.table.game import Game, Move, Verb
from engine.core.table.log import Entry
from engine.core.text.errors import EngineError, Violation

MAX_IMPLIED = 16  # moves filled in before one entry

Play = Callable[["Verb", "Move"], None]


@dataclass(frozen=True, slots=True)
class FilledIn:
    """The result of filling in moves: the entry as a legal move, or the reasons that remain against it."""

    move: Move | None = None
    reasons: Sequence[Violation] = ()


def fill_in(game: Game, ctx: Context, entry: Entry, play: Play) -> FilledIn:
    """Make the moves that the log leaves out before an entry, until the entry is legal.

    `play` makes one checked move. If the entry stays illegal, the moves made so far are not undone: the caller has to
    roll them back. The reasons are then those against the entry in the last position reached, if it could be judged
    there.
    """
    state, verbs, found = ctx.state, game.verbs(), FilledIn()
    try:
        for _ in range(MAX_IMPLIED):
            implied = game.implied(state, entry.by, entry.do)
            if implied is None:
                return found
            if verbs[implied.do].check(state, implied):
                return FilledIn()
            play(verbs[implied.do], implied)
            if state.result is not None:
                return FilledIn()
            move = verbs[entry.do].parse(state, entry)
            found = FilledIn(None, verbs[entry.do].check(state, move))
            if not found.reasons:
                return FilledIn(move)
    except EngineError:  # a move that cannot be filled in explains nothing: the entry keeps its own reasons
        return FilledIn()
    return FilledIn()
