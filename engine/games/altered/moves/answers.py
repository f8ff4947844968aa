"""`answer`, the choice an effect waits for, and `react`, the reaction played next of those in Limbo."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.agenda import Frame
from engine.core.context import Context
from engine.core.effects import answering
from engine.core.errors import Violation
from engine.core.game import Move
from engine.core.places import at
from engine.core.state import State
from engine.core.verbs import over
from engine.games.altered.mat import SEATS
from engine.games.altered.moves.base import ACTING, left_to_ruling


class Answer(answering.Answer):
    """`answer`: a mode, a target, an inner action, whatever an effect asks; null declines what is optional."""

    def awaited(self, state: State) -> bool:
        """Whether the choice that is awaited is one of this verb."""
        return bool(state.agenda) and (state.agenda[-1]["step"] == "limbo") == (self.name == "react")

    def wrong(self, state: State, ask: Frame, pick: str) -> Violation:
        """The rule of the choice, and the card whose effect asks, or the one that was named."""
        source = state.agenda[-1].get("src")
        obj = at(state, pick) if source is None else source[0]
        card = "-" if obj is None else state.refs[obj] or "?"
        return Violation(ask["rule"], {"pick": pick, "seat": ask["by"], "card": card})


class React(Answer):
    """`react`: which of one's reactions in Limbo is played now (ALT-5.1.1.d).

    Nobody knows when a card reacts that nobody can read: naming one changes nothing and is left to a ruling.
    """

    name = "react"

    def check(self, state: State, move: Move) -> list[Violation]:
        """A reaction that waits in Limbo, or a card in play or in the Réserve that nobody can read."""
        if move.args["pick"] in unreadable(state, move.by):
            return over(self.game, state)
        return super().check(state, move)

    def run(self, ctx: Context, move: Move) -> None:
        """Plays it."""
        if move.args["pick"] in unreadable(ctx.state, move.by):
            left_to_ruling(ctx, move.by, str(move.args["pick"]))
        else:
            super().run(ctx, move)

    def candidates(self, state: State) -> Iterator[Move]:
        """What waits in Limbo, and the cards nobody can read."""
        yield from super().candidates(state)
        for seat in SEATS if state.result is None else ():
            yield from (Move(seat, self.name, {"pick": ref}) for ref in unreadable(state, seat))


def unreadable(state: State, seat: str) -> list[str]:
    """The cards of a player that may react and that nobody can read, by ref."""
    cards = [state.card(obj) for path in ACTING if path.startswith(f"{seat}/")
             for obj in state.zones[path]]  # fmt: skip
    return list(dict.fromkeys(card.ref for card in cards if card is not None and not card.executable))
