"""A move that breaks an invariant half way is undone as a whole."""

from __future__ import annotations

import pytest

from engine.core.replay.replay import Replay, perform
from engine.core.table.context import Context
from engine.core.table.game import Move
from engine.core.text.errors import EngineError
from tests.engine.cast import OPENING, catalog, told


class HalfWay:
    """A verb that takes a point and then breaks an invariant."""

    def run(self, ctx: Context, move: Move) -> None:
        """Take one PI, then more than there are."""
        ctx.emit("counter", "A.pi", -1)
        ctx.emit("counter", "A.pi", -99)


def test_a_move_that_breaks_an_invariant_leaves_the_state_as_it_was() -> None:
    replay = Replay(told(*OPENING), catalogs=[catalog()])
    list(replay)
    state, ctx = replay.state, Context(replay.state)
    points = state.counters["A.pi"]
    with pytest.raises(EngineError):
        perform(replay.game, ctx, HalfWay(), Move("A", "play", {}))  # type: ignore[arg-type]
    assert state.counters["A.pi"] == points
    assert ctx.events == []
