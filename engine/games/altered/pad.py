"""Score pads of Altered: the expeditions' steps at the end of each day."""

from __future__ import annotations

from engine.core.replay.pads import PadVerb, effects_possible
from engine.core.table.context import Context
from engine.core.table.game import Move
from engine.core.table.state import State
from engine.core.table.verbs import not_by, over
from engine.core.text.errors import Violation
from engine.games.altered.mat import SEATS, STEPS


class PadDay(PadVerb):
    """`pass` in a score pad."""

    noted = tuple(STEPS.values())

    def check(self, state: State, move: Move) -> list[Violation]:
        """Check that an expedition advances at most one region a day and never goes back (ALT-1.3.2.e).

        Nothing is checked if a card of the lists may move an expedition.
        """
        reasons = over(self.game, state) + not_by(move, *SEATS)
        if reasons or effects_possible(state):
            return reasons
        return [self.unlikely(state, path, move.args[path]) for path in self.odd(state, move)]

    def unlikely(self, state: State, path: str, after: int) -> Violation:
        """Return the violation of an expedition that went back, or too far."""
        args: dict[str, str | int] = {"seat": path[0], "before": state.counters[path], "after": after}
        return Violation("ALT-1.3.2.e", args, why="back" if after < state.counters[path] else "leap")

    def odd(self, state: State, move: Move) -> list[str]:
        """List the expeditions that went back or advanced by more than one region."""
        known = [path for path in move.args if path not in state.unknown]
        return [path for path in known if not 0 <= move.args[path] - state.counters[path] <= 1]

    def run(self, ctx: Context, move: Move) -> None:
        """Record the steps claimed; those that only an effect can explain are left to a ruling."""
        if self.odd(ctx.state, move):
            ctx.doubt("ALT-1.3.2.e")
        self.note(ctx, move)
