"""Score pads: the PV noted at the end of each turn, where nobody wrote the moves down."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.context import Context
from engine.core.errors import Impossible, Malformed, Violation
from engine.core.game import Game, Move
from engine.core.log import Entry
from engine.core.state import State
from engine.core.verbs import Plain, arguments, no_chance, not_by, over
from engine.core.views import fact
from engine.games.wakfu.moves.mat import PV, SEATS


class PadTurn(Plain):
    """`end_turn` of a score pad: its claims are all that is known, and become the score."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def parse(self, state: State, entry: Entry) -> Move:
        """The claims. Raises Malformed, or Impossible for PV below 0."""
        no_chance(entry)
        arguments(entry, ())
        points: dict[str, int] = {}
        for path, value in entry.claims.items():
            fact(state, path)
            if path not in PV.values():
                continue
            if type(value) is not int:
                raise Malformed("wrong_type", "points are an integer", path=f"claims.{path}")
            if value < 0:
                raise Impossible("below_minimum", f"{path} cannot be {value}", path=f"claims.{path}")
            points[path] = value
        return Move(entry.by, entry.do, points)

    def check(self, state: State, move: Move) -> list[Violation]:
        """Nothing after a leader is at 0 PV, and PV that only go down where no effect gives any."""
        reasons = over(self.game, state) + not_by(move, *SEATS)
        return reasons if reasons or self.generous(state) else reasons + list(self.excess(state, move))

    def excess(self, state: State, move: Move) -> Iterator[Violation]:
        """The rule that PV which rise break, once they were noted."""
        for path in PV.values():
            if path not in state.unknown and move.args.get(path, 0) > state.counters[path]:
                yield Violation("WAK-VIC-1")

    def generous(self, state: State) -> bool:
        """Whether the cards of the lists (of the catalogue, where one is not known) may give PV."""
        cards = state.terms.cards
        known = all(seat in state.unseen for seat in SEATS)
        refs = [ref for seat in SEATS for ref in state.unseen[seat]] if known else list(cards)
        return any(not cards[ref].vanilla for ref in refs)

    def run(self, ctx: Context, move: Move) -> None:
        """Takes the points over. Points that only an effect explains are left to a ruling."""
        state = ctx.state
        for reason in self.excess(state, move):
            ctx.doubt(reason.rule)
        known = tuple(path for path in move.args if path in state.unknown)
        for path, value in move.args.items():
            if value != state.counters[path]:
                ctx.emit("counter", path, value - state.counters[path])
        if known:
            ctx.emit("settle", known)
        ctx.emit("turn", state.turn + 1, move.by, "-")
