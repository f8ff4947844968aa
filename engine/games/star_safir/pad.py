"""Score pads: the points noted at the end of each turn, where nobody wrote the moves down."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.context import Context
from engine.core.errors import Impossible, Malformed, Violation
from engine.core.game import Game, Move
from engine.core.log import Entry
from engine.core.state import State
from engine.core.verbs import Plain, arguments, no_chance, not_by, over
from engine.core.views import fact
from engine.games.star_safir.moves.calcul import SCALE
from engine.games.star_safir.moves.mat import OTHER, PI, PV, SEATS, THREE

MOST_PV = len(THREE) * max(pv for pv, _ in SCALE.values())  # of one calculation: dominating everywhere
POINTS = (*PV.values(), *PI.values())


class PadTurn(Plain):
    """`end_turn` of a score pad: its claims are all that is known, and become the score."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def parse(self, state: State, entry: Entry) -> Move:
        """The claims. Raises Malformed, or Impossible for PI and PV beyond their bounds (SAF-VI.4-5)."""
        no_chance(entry)
        arguments(entry, ())
        points: dict[str, int] = {}
        for path, value in entry.claims.items():
            fact(state, path)
            if path not in POINTS:
                continue
            if type(value) is not int:
                raise Malformed("wrong_type", "points are an integer", path=f"claims.{path}")
            low, high = state.terms.bounds[path]
            if value < low:
                raise Impossible("below_minimum", f"{path} cannot be {value}", path=f"claims.{path}")
            if high is not None and value > high:
                raise Impossible("above_maximum", f"{path} cannot be {value}", path=f"claims.{path}")
            points[path] = value
        return Move(entry.by, entry.do, points)

    def check(self, state: State, move: Move) -> list[Violation]:
        """Nothing after 30 PV, and no more PV than the calculations in between can give."""
        reasons = over(self.game, state) + not_by(move, *SEATS)
        if reasons or self.generous(state):
            return reasons
        return reasons + list(self.excess(state, move))

    def excess(self, state: State, move: Move) -> Iterator[Violation]:
        """The rules that these points break, where no effect gives or takes any."""
        for seat in SEATS:
            value = move.args.get(PV[seat])
            if value is None:
                continue
            turns = len(ended(state, seat, move.by))
            gained = value - state.counters[PV[seat]]
            if gained and not turns:
                yield Violation("SAF-VI.4-1")
            elif not 0 <= gained <= MOST_PV * turns:
                yield Violation("SAF-VI.4-3")

    def generous(self, state: State) -> bool:
        """Whether the cards of the lists (of the catalogue, where one is not known) may give or take PV otherwise."""
        cards = state.terms.cards
        known = all(seat in state.unseen for seat in SEATS)
        refs = [ref for seat in SEATS for ref in state.unseen[seat]] if known else list(cards)
        return any(not cards[ref].vanilla for ref in refs)

    def run(self, ctx: Context, move: Move) -> None:
        """Takes the points over. Points that only an effect explains are left to a ruling."""
        state = ctx.state
        for reason in self.excess(state, move):
            ctx.doubt(reason.rule)
        for seat in SEATS:
            turns = ended(state, seat, move.by)
            if PV[seat] in move.args:
                ctx.emit("wipe", (f"ended.{seat}",))
            else:
                for _ in turns[len(state.memory.get(f"ended.{seat}", ())) :]:
                    ctx.emit("note", f"ended.{seat}", seat)
        for path, value in move.args.items():
            if value != state.counters[path]:
                ctx.emit("counter", path, value - state.counters[path])
        known = tuple(path for path in move.args if path in state.unknown)
        if known:
            ctx.emit("settle", known)
        ctx.emit("turn", state.turn + 1, move.by, "-")


def ended(state: State, seat: str, by: str) -> list[int | str]:
    """The turns of a seat that ended since its PV were noted, the one of `by` that ends now included.

    Turns alternate: two in a row of one seat have one of the other between them that is not on the pad.
    """
    turns = list(state.memory.get(f"ended.{seat}", ()))
    between = by == state.seat or (state.seat is None and by == OTHER[seat])
    if seat == by or between:
        turns.append(seat)
    return turns
