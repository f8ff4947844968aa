"""`answer`: the choice that a payment or an effect waits for."""

from __future__ import annotations

from engine.core.agenda import Frame
from engine.core.effects import answering
from engine.core.errors import Violation
from engine.core.places import at
from engine.core.state import State


class Answer(answering.Answer):
    """`answer`, which cites the rule that asks."""

    def wrong(self, state: State, ask: Frame, pick: str) -> Violation:
        """The rule of the choice, and the card that was named."""
        obj = at(state, pick)
        card = "-" if obj is None else state.refs[obj] or "?"
        return Violation(ask["rule"], {"pick": pick, "seat": ask["by"], "card": card})
