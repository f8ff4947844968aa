"""Score pads: logs of the figures at the end of each turn, where nobody wrote down the moves.

A pad can only be checked for arithmetic: whether the figures stay within their bounds, and whether they can have
changed as they did. Each game says what may change (`PadVerb.check`) and which figures a pad notes (`PadVerb.noted`).
"""

from __future__ import annotations

from engine.core.shown.views import fact
from engine.core.table.context import Context
from engine.core.table.game import Game, Move
from engine.core.table.log import Entry
from engine.core.table.state import State
from engine.core.table.verbs import Plain, arguments, no_chance
from engine.core.text.errors import Impossible, Malformed


class PadVerb(Plain):
    """The one verb of a score pad: the figures claimed by its entry become the score.

    `noted` are the paths of the counters that a pad of this game notes.
    """

    noted: tuple[str, ...] = ()

    def __init__(self, game: Game) -> None:
        self.game = game

    def parse(self, state: State, entry: Entry) -> Move:
        """Read the figures claimed.

        Raises Malformed, code `wrong_type`, and Impossible, codes `below_minimum` and `above_maximum`.
        """
        no_chance(entry)
        arguments(entry, ())
        figures: dict[str, int] = {}
        for path, value in entry.claims.items():
            # Refuses unknown paths. Other facts may be claimed too, but a pad has no board to compare them with.
            fact(state, path)
            if path not in self.noted:
                continue
            if type(value) is not int:
                raise Malformed("wrong_type", "points must be an integer", path=f"claims.{path}")
            low, high = state.terms.bounds[path]
            if value < low or (high is not None and value > high):
                code = "below_minimum" if value < low else "above_maximum"
                raise Impossible(code, f"{path} cannot be {value}", path=f"claims.{path}")
            figures[path] = value
        return Move(entry.by, entry.do, figures)

    def note(self, ctx: Context, move: Move) -> None:
        """Set the figures claimed, and begin the next turn."""
        state = ctx.state
        for path, value in move.args.items():
            if value != state.counters[path]:
                ctx.emit("counter", path, value - state.counters[path])
        # A pad begins with every figure unknown; the first claim of each makes it known.
        known = tuple(path for path in move.args if path in state.unknown)
        if known:
            ctx.emit("settle", known)
        ctx.emit("turn", state.turn + 1, move.by, "-")


def effects_possible(state: State) -> bool:
    """Whether a card of the decklists, or of the catalogue if a list is unknown, may change a figure by an effect."""
    cards, seats = state.terms.cards, state.terms.seats
    known = all(seat in state.unseen for seat in seats)
    refs = [ref for seat in seats for ref in state.unseen[seat]] if known else list(cards)
    return any(not cards[ref].vanilla for ref in refs)
