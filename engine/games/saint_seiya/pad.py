"""Score pads of Saint Seiya: the Flames at the end of each turn."""

from __future__ import annotations

from engine.core.replay.pads import PadVerb
from engine.core.table.context import Context
from engine.core.table.game import Move
from engine.core.table.state import State
from engine.core.table.verbs import not_by, over
from engine.core.text.errors import Violation
from engine.games.saint_seiya.moves.mat import FLAMES


class PadTurn(PadVerb):
    """`end_turn` in a score pad."""

    noted = (FLAMES,)

    def check(self, state: State, move: Move) -> list[Violation]:
        """Refuse turns after the last Flame, and by anybody who is not at the table."""
        return over(self.game, state) + not_by(move, *state.terms.seats)

    def run(self, ctx: Context, move: Move) -> None:
        """Set the Flames; a number that grows can only come from an effect and is left to a ruling."""
        state = ctx.state
        if any(path not in state.unknown and value > state.counters[path] for path, value in move.args.items()):
            ctx.doubt("SSD-OR-1")
        self.note(ctx, move)
