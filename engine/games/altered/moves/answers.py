"""`answer`, which makes the choice an effect waits for, and `react`, which picks the next reaction in Limbo."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.effects import answer
from engine.core.table.agenda import Frame
from engine.core.table.context import Context
from engine.core.table.game import Move, Wanted
from engine.core.table.places import at
from engine.core.table.state import State
from engine.core.table.verbs import over
from engine.core.text.errors import Violation
from engine.games.altered.mat import SEATS
from engine.games.altered.moves.base import ACTING, left_to_ruling


class Answer(answer.Answer):
    """`answer`: choose a mode, a target, an inner action or what else an effect asks; null declines if optional."""

    def awaited(self, state: State) -> bool:
        """Whether the pending choice is answered with this verb."""
        return bool(state.agenda) and (state.agenda[-1]["step"] == "limbo") == (self.name == "react")

    def wrong(self, state: State, ask: Frame, pick: str) -> Violation:
        """Return the violation of a pick that is not an option.

        Its `card` is the one whose effect asks; if no effect does, the card at the place that was picked.
        """
        source = state.agenda[-1].get("src")
        obj = at(state, pick) if source is None else source[0]
        card = "-" if obj is None else state.refs[obj] or "?"
        return Violation(ask["rule"], {"pick": pick, "seat": ask["by"], "card": card})


class React(Answer):
    """`react`: choose which of the player's reactions in Limbo is played next (ALT-5.1.1.d).

    A card the engine cannot execute may react at any time: naming it changes nothing and is left to a ruling.
    """

    name = "react"

    def check(self, state: State, move: Move) -> list[Violation]:
        """Accept a reaction waiting in Limbo, or a card in play or in the Reserve that the engine cannot execute."""
        if move.args["pick"] in unreadable(state, move.by):
            return over(self.game, state)
        return super().check(state, move)

    def run(self, ctx: Context, move: Move) -> None:
        """Play the reaction."""
        if move.args["pick"] in unreadable(ctx.state, move.by):
            left_to_ruling(ctx, move.by, str(move.args["pick"]))
        else:
            super().run(ctx, move)

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """List the reactions in Limbo and the cards the engine cannot execute."""
        yield from super().candidates(state, wanted)
        for seat in wanted.among(SEATS) if state.result is None else ():
            yield from (Move(seat, self.name, {"pick": ref}) for ref in unreadable(state, seat))


def unreadable(state: State, seat: str) -> list[str]:
    """List the refs of a player's cards that the engine cannot execute and that lie where they may react."""
    cards = [state.card(obj) for path in ACTING if path.startswith(f"{seat}/")
             for obj in state.zones[path]]  # fmt: skip
    return list(dict.fromkeys(card.ref for card in cards if card is not None and not card.executable))
