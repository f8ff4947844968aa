"""Score pads: the Flames noted at the end of each turn, where nobody wrote the moves down."""

from __future__ import annotations

from engine.core.context import Context
from engine.core.errors import Impossible, Malformed, Violation
from engine.core.game import Game, Move
from engine.core.log import Entry
from engine.core.state import State
from engine.core.verbs import Plain, arguments, no_chance, not_by, over
from engine.core.views import fact
from engine.games.saint_seiya.moves.mat import FLAMES


class PadTurn(Plain):
    """`end_turn` of a pad: its claims are all that is known, and become the clock."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def parse(self, state: State, entry: Entry) -> Move:
        """The claims. Raises Malformed, or Impossible for Flames that no clock has."""
        no_chance(entry)
        arguments(entry, ())
        found: dict[str, int] = {}
        low, high = state.terms.bounds[FLAMES]
        for path, value in entry.claims.items():
            fact(state, path)
            if path != FLAMES:
                continue
            if type(value) is not int:
                raise Malformed("wrong_type", "Flames are an integer", path=f"claims.{path}")
            if value < low or (high is not None and value > high):
                code = "below_minimum" if value < low else "above_maximum"
                raise Impossible(code, f"{path} cannot be {value}", path=f"claims.{path}")
            found[path] = value
        return Move(entry.by, entry.do, found)

    def check(self, state: State, move: Move) -> list[Violation]:
        """Nothing after the last Flame, by a seat of the table."""
        return over(self.game, state) + not_by(move, *state.terms.seats)

    def run(self, ctx: Context, move: Move) -> None:
        """Takes the clock over. Flames that come back only an effect explains: they are left to a ruling."""
        state = ctx.state
        for path, value in move.args.items():
            if path not in state.unknown and value > state.counters[path]:
                ctx.doubt("SSD-OR-1")
            if value != state.counters[path]:
                ctx.emit("counter", path, value - state.counters[path])
        known = tuple(path for path in move.args if path in state.unknown)
        if known:
            ctx.emit("settle", known)
        ctx.emit("turn", state.turn + 1, move.by, "-")
