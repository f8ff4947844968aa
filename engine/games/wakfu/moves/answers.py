"""What effects ask of the players."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.agenda import answered, pending
from engine.core.context import Context
from engine.core.effects.interpreter import resolve
from engine.core.errors import Malformed, Violation
from engine.core.game import Move
from engine.core.hidden import effect_chance
from engine.core.log import Entry
from engine.core.state import State
from engine.core.verbs import arguments, not_by, over
from engine.games.wakfu.moves.base import Acting, Reasons


class Answer(Acting):
    """`answer`: the choice an effect waits for; `pick` null declines one that is optional."""

    def parse(self, state: State, entry: Entry) -> Move:
        """`args.pick`: an option, or null."""
        pick = arguments(entry, ("pick",), ("pick",))["pick"]
        if pick is not None and not isinstance(pick, str):
            raise Malformed("wrong_type", "pick is an option as a string, or null", path="args.pick")
        return Move(entry.by, entry.do, {"pick": pick}, effect_chance(state, entry))

    def check(self, state: State, move: Move) -> Reasons:
        """Something is asked, of this seat, and this is among the options."""
        reasons = over(self.game, state)
        ask, pick = pending(state), move.args["pick"]
        if ask is None:
            return [*reasons, Violation("LOG-answer", {"pick": str(pick)[:60]})]
        reasons += not_by(move, ask["by"])
        if not (ask["optional"] if pick is None else pick in ask["options"]):
            reasons.append(Violation("LOG-answer", {"pick": str(pick)[:60]}))
        return reasons

    def run(self, ctx: Context, move: Move) -> None:
        """Goes on with what waited."""
        ctx.emit("agenda", answered(ctx.state, move.args["pick"]))
        resolve(ctx, move)

    def candidates(self, state: State) -> Iterator[Move]:
        """Every option, and declining where that is possible."""
        ask = pending(state)
        if ask is None:
            return
        yield from (Move(ask["by"], "answer", {"pick": option}) for option in ask["options"])
        if ask["optional"]:
            yield Move(ask["by"], "answer", {"pick": None})
