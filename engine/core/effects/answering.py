"""The verb by which a player makes the choice that an effect waits for."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.agenda import Frame, answered, pending
from engine.core.context import Context
from engine.core.effects.interpreter import resolve, tried
from engine.core.errors import Malformed, Violation
from engine.core.game import Dealer, Game, Move
from engine.core.hidden import effect_chance
from engine.core.log import Entry
from engine.core.state import State
from engine.core.verbs import Plain, arguments, not_by, over


class Answer(Plain):
    """`answer`: one option of what is asked; `pick` null declines one that is optional."""

    name = "answer"

    def __init__(self, game: Game) -> None:
        self.game = game

    def parse(self, state: State, entry: Entry) -> Move:
        """`args.pick`: an option, or null."""
        pick = arguments(entry, ("pick",), ("pick",))["pick"]
        if pick is not None and not isinstance(pick, str):
            raise Malformed("wrong_type", "pick is an option as a string, or null", path="args.pick")
        return Move(entry.by, entry.do, {"pick": pick}, effect_chance(state, entry))

    def awaited(self, state: State) -> bool:
        """Whether the choice that is awaited is one of this verb."""
        return pending(state) is not None

    def check(self, state: State, move: Move) -> list[Violation]:
        """Something is asked, of this seat, and this is among the options."""
        reasons = over(self.game, state)
        ask, pick = pending(state), move.args["pick"]
        if ask is None:
            return [*reasons, Violation("LOG-answer", {"pick": str(pick)[:60]})]
        if not self.awaited(state):
            return [*reasons, self.wrong(state, ask, str(pick)[:60])]
        reasons += not_by(move, ask["by"])
        if not (ask["optional"] if pick is None else pick in ask["options"]):
            reasons.append(self._no_option(state, ask, None if pick is None else pick[:60]))
        return reasons

    def _no_option(self, state: State, ask: Frame, pick: str | None) -> Violation:
        """The violation of a pick that is no option: of a hand, that the card is not in it; that a choice is due."""
        if pick is None and ask["rule"] in ("LOG-hand", "LOG-answer"):
            return Violation("LOG-answer", {"seat": str(ask["by"])}, why="must")
        if ask["rule"] == "LOG-hand" and pick is not None:
            return Violation("LOG-hand", {"card": pick, "seat": state.agenda[-1].get("seat", ask["by"])})
        return self.wrong(state, ask, str(pick))

    def wrong(self, state: State, ask: Frame, pick: str) -> Violation:
        """The violation of a pick that is no option."""
        return Violation("LOG-answer", {"pick": pick})

    def run(self, ctx: Context, move: Move) -> None:
        """Goes on with what waited."""
        ctx.emit("agenda", answered(ctx.state, move.args["pick"]))
        resolve(ctx, move)

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """The chance of what it sets going."""
        return tried(self.run, state, move, dealer)

    def candidates(self, state: State) -> Iterator[Move]:
        """Every option, and declining where that is possible."""
        ask = pending(state)
        if ask is None or state.result is not None or not self.awaited(state):
            return
        yield from (Move(ask["by"], self.name, {"pick": option}) for option in ask["options"])
        if ask["optional"]:
            yield Move(ask["by"], self.name, {"pick": None})
