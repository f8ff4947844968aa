"""`answer`, the choice an effect waits for, and `react`, the reaction played next of those in Limbo."""

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
from engine.games.altered.moves.base import AlteredVerb, Reasons


class Answer(AlteredVerb):
    """`answer`: a mode, a target, an inner action, whatever an effect asks; null declines what is optional."""

    name = "answer"

    def parse(self, state: State, entry: Entry) -> Move:
        """`args.pick`: an option, or null."""
        pick = arguments(entry, ("pick",), ("pick",))["pick"]
        if pick is not None and not isinstance(pick, str):
            raise Malformed("wrong_type", "pick is an option as a string, or null", path="args.pick")
        return Move(entry.by, entry.do, {"pick": pick}, effect_chance(state, entry))

    def awaited(self, state: State) -> bool:
        """Whether the choice that is awaited is one of this verb."""
        return bool(state.agenda) and (state.agenda[-1]["step"] == "limbo") == (self.name == "react")

    def check(self, state: State, move: Move) -> Reasons:
        """Something is asked, of this seat, and this is among the options."""
        reasons = over(self.game, state)
        ask, pick = pending(state), move.args["pick"]
        said = str(pick)[:60]
        if ask is None or not self.awaited(state):
            rule = "LOG-answer" if ask is None else ask["rule"]
            return [*reasons, Violation(rule, {"pick": said, "seat": move.by, "card": said})]
        reasons += not_by(move, ask["by"])
        if not (ask["optional"] if pick is None else pick in ask["options"]):
            reasons.append(Violation(ask["rule"], {"pick": said, "seat": ask["by"], "card": self.card(state, said)}))
        return reasons

    def card(self, state: State, pick: str) -> str:
        """The card whose effect asks, or the one that was named."""
        source = state.agenda[-1].get("src")
        obj = at(state, pick) if source is None else source[0]
        return "-" if obj is None else state.refs[obj] or "?"

    def run(self, ctx: Context, move: Move) -> None:
        """Goes on with what waited."""
        ctx.emit("agenda", answered(ctx.state, move.args["pick"]))
        resolve(ctx, move)

    def candidates(self, state: State) -> Iterator[Move]:
        """Every option, and declining where that is possible."""
        ask = pending(state)
        if ask is None or state.result is not None or not self.awaited(state):
            return
        yield from (Move(ask["by"], self.name, {"pick": option}) for option in ask["options"])
        if ask["optional"]:
            yield Move(ask["by"], self.name, {"pick": None})


class React(Answer):
    """`react`: which of one's reactions in Limbo is played now (ALT-5.1.1.d)."""

    name = "react"
