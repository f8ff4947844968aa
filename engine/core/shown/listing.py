"""Lists legal moves for people and programs: of the seats asked for, and with an end.

A declared position may have hundreds of cards, and some moves name a group of them, or two at once. So a list ends
after `MOST_MOVES` moves of one seat by one verb, of which at most `MOST_WAYS` are ways to make the same move, and says
that there are more. Random games stay far below both. A move that is not listed can be played all the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice
from typing import NamedTuple

from engine.core.table.game import Game, Move, Wanted
from engine.core.table.state import State

MOST_WAYS = 124  # groups of cards, or payments, listed for one move, besides the group of all cards
MOST_MOVES = 12 * (MOST_WAYS + 1)  # moves of one seat by one verb: in Saint Seiya, for six targets in two modes
MOST_TRIED = 4 * MOST_MOVES  # moves checked for one list where facts are unknown


class Listing(NamedTuple):
    """Legal moves, and whether there are more."""

    moves: tuple[Move, ...]
    more: bool


def listing(
    game: Game,
    state: State,
    seats: Collection[str] | None = None,
    verbs: Collection[str] | None = None,
    most: int | None = None,
) -> Listing:
    """List the legal moves of these seats by these verbs (None: all), with their chance open.

    `seats` may contain "table". `most` is the number of moves of one seat by one verb after which the list ends; it is
    `MOST_MOVES` by default.
    """
    end = MOST_MOVES if most is None else most
    asked = (*state.terms.seats, "table") if seats is None else seats
    found: list[Move] = []
    more = False
    for do in game.verbs():
        for seat in asked if verbs is None or do in verbs else ():
            wanted = Wanted((seat,), (do,), MOST_WAYS)
            moves = _certain(game, state, wanted)
            found += islice(moves, end)
            rest = next(moves, None)  # before `cut` is read: it is noted once the moves are used up
            more = more or wanted.cut or rest is not None
    return Listing(tuple(found), more)


def _certain(game: Game, state: State, wanted: Wanted) -> Iterator[Move]:
    """Yield the moves that are legal whatever the unknown facts are. Notes a cut after too many that are not."""
    if not state.unknown:
        yield from game.candidates(state, wanted)
        return
    # Candidates assume a known state; where facts are missing, only `check` tells which moves are certain.
    verbs, tried = game.verbs(), game.candidates(state, wanted)
    yield from (move for move in islice(tried, MOST_TRIED) if not verbs[move.do].check(state, move))
    wanted.cut = wanted.cut or next(tried, None) is not None
