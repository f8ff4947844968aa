"""Score pads of Star Safir: the points at the end of each turn.

A pad can be checked for arithmetic and caps only, as far as no card effect changes PV.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.replay.pads import PadVerb, effects_possible
from engine.core.table.context import Context
from engine.core.table.game import Move
from engine.core.table.state import State
from engine.core.table.verbs import not_by, over
from engine.core.text.errors import Violation
from engine.games.star_safir.moves.calcul import SCALE
from engine.games.star_safir.moves.mat import OTHER, PI, PV, SEATS, THREE

MOST_PV = len(THREE) * max(pv for pv, _ in SCALE.values())  # per calculation: dominating all three territories


class PadTurn(PadVerb):
    """`end_turn` on a score pad. PI and PV are bounded (SAF-VI.4-5)."""

    noted = (*PV.values(), *PI.values())

    def check(self, state: State, move: Move) -> list[Violation]:
        """Refuse points after 30 PV, and more PV than the calculations since the last note can give."""
        reasons = over(self.game, state) + not_by(move, *SEATS)
        if reasons or effects_possible(state):
            return reasons
        return reasons + list(self.excess(state, move))

    def excess(self, state: State, move: Move) -> Iterator[Violation]:
        """Yield the rules that the claimed PV break, assuming that no card effect gives or takes PV."""
        for seat in SEATS:
            value = move.args.get(PV[seat])
            if value is None:
                continue
            turns = len(ended(state, seat, move.by))
            gained = value - state.counters[PV[seat]]
            # PV are gained in one's own calculation only, so a seat whose turn did not end gains none.
            if gained and not turns:
                yield Violation("SAF-VI.4-1")
            elif not 0 <= gained <= MOST_PV * turns:
                yield Violation("SAF-VI.4-3")

    def run(self, ctx: Context, move: Move) -> None:
        """Set the claimed points; those that only a card effect could explain are left to a ruling."""
        state = ctx.state
        for reason in self.excess(state, move):
            ctx.doubt(reason.rule)
        for seat in SEATS:
            turns = ended(state, seat, move.by)
            # The turns of a seat add up until its PV are noted again: a pad may skip lines.
            if PV[seat] in move.args:
                ctx.emit("wipe", (f"ended.{seat}",))
            else:
                for _ in turns[len(state.memory.get(f"ended.{seat}", ())) :]:
                    ctx.emit("note", f"ended.{seat}", seat)
        self.note(ctx, move)


def ended(state: State, seat: str, by: str) -> list[int | str]:
    """Return one item for each turn of `seat` that ended since its PV were last noted, the turn of `by` included.

    Turns alternate, so two entries in a row by one seat have a turn of the other seat between them that is not on the
    pad.
    """
    turns = list(state.memory.get(f"ended.{seat}", ()))
    # On the first line nobody knows who began: the other player may have had a turn before it.
    between = by == state.seat or (state.seat is None and by == OTHER[seat])
    if seat == by or between:
        turns.append(seat)
    return turns
