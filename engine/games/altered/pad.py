"""Score pads: the steps of the expeditions noted as a day ends, where nobody wrote the moves down."""

from __future__ import annotations

from engine.core.context import Context
from engine.core.errors import Impossible, Malformed, Violation
from engine.core.game import Game, Move
from engine.core.log import Entry
from engine.core.state import State
from engine.core.verbs import Plain, arguments, no_chance, not_by, over
from engine.core.views import fact
from engine.games.altered.mat import LAST, SEATS, STEPS


class PadDay(Plain):
    """`pass` of a score pad: the steps claimed become the score."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def parse(self, state: State, entry: Entry) -> Move:
        """The claims. Raises Malformed, or Impossible for steps that no expedition can make."""
        no_chance(entry)
        arguments(entry, ())
        steps: dict[str, int] = {}
        for path, value in entry.claims.items():
            fact(state, path)
            if path not in STEPS.values():
                continue
            if type(value) is not int:
                raise Malformed("wrong_type", "steps are an integer", path=f"claims.{path}")
            if not 0 <= value <= LAST:
                code = "above_maximum" if value > LAST else "below_minimum"
                raise Impossible(code, f"{path} cannot be {value}", path=f"claims.{path}")
            steps[path] = value
        return Move(entry.by, entry.do, steps)

    def check(self, state: State, move: Move) -> list[Violation]:
        """One region a day at most, never back, where no card of the lists says otherwise (ALT-1.3.2.e)."""
        reasons = over(self.game, state) + not_by(move, *SEATS)
        if reasons or self.generous(state):
            return reasons
        return [self.unlikely(state, path, move.args[path]) for path in self.odd(state, move)]

    def unlikely(self, state: State, path: str, after: int) -> Violation:
        """Why an expedition cannot have gone from where it was to where it is."""
        args: dict[str, str | int] = {"seat": path[0], "before": state.counters[path], "after": after}
        return Violation("ALT-1.3.2.e", args, why="back" if after < state.counters[path] else "leap")

    def odd(self, state: State, move: Move) -> list[str]:
        """The expeditions that went back, or by more than a region."""
        known = [path for path in move.args if path not in state.unknown]
        return [path for path in known if not 0 <= move.args[path] - state.counters[path] <= 1]

    def generous(self, state: State) -> bool:
        """Whether the cards of the lists (of the catalogue, where one is not known) may move an expedition."""
        cards = state.terms.cards
        known = all(seat in state.unseen for seat in SEATS)
        refs = [ref for seat in SEATS for ref in state.unseen[seat]] if known else list(cards)
        return any(not cards[ref].vanilla for ref in refs)

    def run(self, ctx: Context, move: Move) -> None:
        """Takes the steps over. Those that only an effect explains are left to a ruling."""
        state = ctx.state
        if self.odd(state, move):
            ctx.doubt("ALT-1.3.2.e")
        for path, value in move.args.items():
            if value != state.counters[path]:
                ctx.emit("counter", path, value - state.counters[path])
        known = tuple(path for path in move.args if path in state.unknown)
        if known:
            ctx.emit("settle", known)
        ctx.emit("turn", state.turn + 1, move.by, "-")
