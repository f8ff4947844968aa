"""Score pads of Stellar Nexus: the PV at the end of each turn."""

from __future__ import annotations

from engine.core.replay.pads import PadVerb, effects_possible
from engine.core.table.context import Context
from engine.core.table.game import Move
from engine.core.table.state import State
from engine.core.table.verbs import not_by, over
from engine.core.text.errors import Violation
from engine.games.stellar_nexus.mat import PV, SEATS


class PadTurn(PadVerb):
    """`end_turn` in a score pad."""

    noted = tuple(PV.values())

    def check(self, state: State, move: Move) -> list[Violation]:
        """Check that no hero was at 0, and that PV do not grow unless a card of the lists may give some (STN-HER-1)."""
        reasons = over(self.game, state) + not_by(move, *SEATS)
        if reasons or effects_possible(state):
            return reasons
        return [Violation("STN-HER-1", {"seat": seat}) for seat in SEATS if self.grown(state, move, seat)]

    def grown(self, state: State, move: Move, seat: str) -> bool:
        """Whether a seat has more PV than were recorded before."""
        known = PV[seat] in move.args and PV[seat] not in state.unknown
        return known and move.args[PV[seat]] > state.counters[PV[seat]]

    def run(self, ctx: Context, move: Move) -> None:
        """Record the PV claimed; those that only an effect can explain are left to a ruling."""
        if any(self.grown(ctx.state, move, seat) for seat in SEATS):
            ctx.doubt("STN-HER-1")
        self.note(ctx, move)
