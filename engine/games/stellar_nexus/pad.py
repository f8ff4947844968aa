"""Score pads: the PV noted at the end of each turn, where nobody wrote the moves down."""

from __future__ import annotations

from engine.core.context import Context
from engine.core.errors import Impossible, Malformed, Violation
from engine.core.game import Game, Move
from engine.core.log import Entry
from engine.core.state import State
from engine.core.verbs import Plain, arguments, no_chance, not_by, over
from engine.core.views import fact
from engine.games.stellar_nexus.mat import PV, SEATS


class PadTurn(Plain):
    """`end_turn` of a score pad: the PV claimed become the score."""

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
                raise Malformed("wrong_type", "PV are an integer", path=f"claims.{path}")
            if value < 0:
                raise Impossible("below_minimum", f"{path} cannot be {value}", path=f"claims.{path}")
            points[path] = value
        return Move(entry.by, entry.do, points)

    def check(self, state: State, move: Move) -> list[Violation]:
        """Nothing after a hero is at 0; PV never grow where no card of the lists gives any (STN-HER-1)."""
        reasons = over(self.game, state) + not_by(move, *SEATS)
        if reasons or self.generous(state):
            return reasons
        return [Violation("STN-HER-1", {"seat": seat}) for seat in SEATS if self.grown(state, move, seat)]

    def grown(self, state: State, move: Move, seat: str) -> bool:
        """Whether a seat has more PV than were noted before."""
        known = PV[seat] in move.args and PV[seat] not in state.unknown
        return known and move.args[PV[seat]] > state.counters[PV[seat]]

    def generous(self, state: State) -> bool:
        """Whether the cards of the lists (of the catalogue, where one is not known) may give PV."""
        cards = state.terms.cards
        known = all(seat in state.unseen for seat in SEATS)
        refs = [ref for seat in SEATS for ref in state.unseen[seat]] if known else list(cards)
        return any(not cards[ref].vanilla for ref in refs)

    def run(self, ctx: Context, move: Move) -> None:
        """Takes the PV over. Those that only an effect explains are left to a ruling."""
        state = ctx.state
        if any(self.grown(state, move, seat) for seat in SEATS):
            ctx.doubt("STN-HER-1")
        for path, value in move.args.items():
            if value != state.counters[path]:
                ctx.emit("counter", path, value - state.counters[path])
        known = tuple(path for path in move.args if path in state.unknown)
        if known:
            ctx.emit("settle", known)
        ctx.emit("turn", state.turn + 1, move.by, "-")
