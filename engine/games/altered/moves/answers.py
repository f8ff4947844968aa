"""`answer`, the choice an effect waits for, and `react`, the reaction played next of those in Limbo."""

from __future__ import annotations

from engine.core.agenda import Frame
from engine.core.effects import answering
from engine.core.errors import Violation
from engine.core.places import at
from engine.core.state import State


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
    """`react`: which of one's reactions in Limbo is played now (ALT-5.1.1.d)."""

    name = "react"
