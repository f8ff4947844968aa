"""`answer`: the choice that a payment or an effect waits for."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.agenda import answered, pending
from engine.core.context import Context
from engine.core.effects.interpreter import resolve
from engine.core.errors import Malformed, Violation
from engine.core.game import Move
from engine.core.hidden import effect_chance
from engine.core.log import Entry
from engine.core.places import at
from engine.core.state import State
from engine.core.verbs import arguments, not_by, over
from engine.games.stellar_nexus.moves.base import Reasons, StellarVerb


class Answer(StellarVerb):
    """`answer`: one option of what is asked; `pick` null declines one that is optional."""

    def parse(self, state: State, entry: Entry) -> Move:
        """`args.pick`: an option, or null."""
        pick = arguments(entry, ("pick",), ("pick",))["pick"]
        if pick is not None and not isinstance(pick, str):
            raise Malformed("wrong_type", "pick is an option as a string, or null", path="args.pick")
        return Move(entry.by, entry.do, {"pick": pick}, effect_chance(state, entry))

    def check(self, state: State, move: Move) -> Reasons:
        """Something is asked, of this seat, and this is among the options."""
        reasons = over(self.game, state)
        ask = pending(state)
        pick = move.args["pick"]
        if ask is None:
            return [*reasons, Violation("LOG-answer", {"pick": str(pick)[:60]})]
        reasons += not_by(move, ask["by"])
        if not (ask["optional"] if pick is None else pick in ask["options"]):
            obj = None if pick is None else at(state, pick)
            card = "-" if obj is None else state.refs[obj] or "?"
            reasons.append(Violation(ask["rule"], {"pick": str(pick)[:60], "seat": ask["by"], "card": card}))
        return reasons

    def run(self, ctx: Context, move: Move) -> None:
        """Goes on with what waited."""
        ctx.emit("agenda", answered(ctx.state, move.args["pick"]))
        resolve(ctx, move)

    def candidates(self, state: State) -> Iterator[Move]:
        """Every option, and declining where that is possible."""
        ask = pending(state)
        if ask is None or state.result is not None:
            return
        for option in ask["options"]:
            yield Move(ask["by"], "answer", {"pick": option})
        if ask["optional"]:
            yield Move(ask["by"], "answer", {"pick": None})
