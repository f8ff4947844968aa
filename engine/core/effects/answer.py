"""The verb by which a player makes the choice that an effect awaits."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.effects.hidden_cards import effect_chance
from engine.core.effects.interpreter import resolve, tried
from engine.core.table.agenda import Frame, answered, pending
from engine.core.table.chance import Dealer
from engine.core.table.context import Context
from engine.core.table.game import Game, Move, Wanted
from engine.core.table.log import Entry
from engine.core.table.state import State
from engine.core.table.verbs import Plain, arguments, not_by, over
from engine.core.text.errors import Malformed, Violation


class Answer(Plain):
    """`answer`: picks one option of the awaited choice; `pick` null declines an optional one."""

    name = "answer"

    def __init__(self, game: Game) -> None:
        self.game = game

    def parse(self, state: State, entry: Entry) -> Move:
        """Read `args.pick`: an option, or null."""
        pick = arguments(entry, ("pick",), ("pick",))["pick"]
        if pick is not None and not isinstance(pick, str):
            raise Malformed("wrong_type", "pick must be an option as a string, or null", path="args.pick")
        return Move(entry.by, entry.do, {"pick": pick}, effect_chance(state, entry))

    def awaited(self, state: State) -> bool:
        """Return whether the awaited choice is one that this verb answers."""
        return pending(state) is not None

    def check(self, state: State, move: Move) -> list[Violation]:
        """Refuse an answer when nothing is asked, by another seat than the one asked, or that is not an option."""
        reasons = over(self.game, state)
        ask, pick = pending(state), move.args["pick"]
        if ask is None:
            return [*reasons, Violation("LOG-answer", {"pick": str(pick)[:60]})]  # a log may hold a very long pick
        if not self.awaited(state):
            return [*reasons, self.wrong(state, ask, str(pick)[:60])]
        reasons += not_by(move, ask["by"])
        if not (ask["optional"] if pick is None else pick in ask["options"]):
            reasons.append(self._no_option(state, ask, None if pick is None else pick[:60]))
        return reasons

    def _no_option(self, state: State, ask: Frame, pick: str | None) -> Violation:
        """Return the violation of a pick that is not an option.

        For a choice among the cards of a hand, it says that the card is not in that hand; for a choice that was
        declined but is not optional, that it must be made.
        """
        if pick is None and ask["rule"] in ("LOG-hand", "LOG-answer"):
            return Violation("LOG-answer", {"seat": str(ask["by"])}, why="must")
        if ask["rule"] == "LOG-hand" and pick is not None:
            return Violation("LOG-hand", {"card": pick, "seat": state.agenda[-1].get("seat", ask["by"])})
        return self.wrong(state, ask, str(pick))

    def wrong(self, state: State, ask: Frame, pick: str) -> Violation:
        """Return the violation of a pick that is not an option. A game may cite a rule of its own."""
        return Violation("LOG-answer", {"pick": pick})

    def run(self, ctx: Context, move: Move) -> None:
        """Resume what was waiting."""
        ctx.emit("agenda", answered(ctx.state, move.args["pick"]))
        resolve(ctx, move)

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """Deal the chance of what the answer triggers."""
        return tried(self.run, state, move, dealer)

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield every option, and declining if the choice is optional."""
        ask = pending(state)
        if ask is None or state.result is not None or not self.awaited(state):
            return
        if wanted.seat(ask["by"]) is None:
            return
        yield from (Move(ask["by"], self.name, {"pick": option}) for option in ask["options"])
        if ask["optional"]:
            yield Move(ask["by"], self.name, {"pick": None})
