"""Score pads of Wakfu: the PV at the end of each turn."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.replay.pads import PadVerb, effects_possible
from engine.core.table.context import Context
from engine.core.table.game import Move
from engine.core.table.state import State
from engine.core.table.verbs import not_by, over
from engine.core.text.errors import Violation
from engine.games.wakfu.moves.mat import PV, SEATS


class PadTurn(PadVerb):
    """`end_turn` in a score pad."""

    noted = tuple(PV.values())

    def check(self, state: State, move: Move) -> list[Violation]:
        """Check that no leader was at 0 PV, and that PV only go down unless a card of the lists may give some."""
        reasons = over(self.game, state) + not_by(move, *SEATS)
        return reasons if reasons or effects_possible(state) else reasons + list(self.excess(state, move))

    def excess(self, state: State, move: Move) -> Iterator[Violation]:
        """Yield a violation for each seat whose PV went up."""
        for path in PV.values():
            if path not in state.unknown and move.args.get(path, 0) > state.counters[path]:
                yield Violation("WAK-VIC-1")

    def run(self, ctx: Context, move: Move) -> None:
        """Record the PV claimed; those that only an effect can explain are left to a ruling."""
        for reason in self.excess(ctx.state, move):
            ctx.doubt(reason.rule)
        self.note(ctx, move)
