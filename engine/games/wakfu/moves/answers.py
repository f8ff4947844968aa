"""`answer`: the choice that an effect waits for."""

from __future__ import annotations

from engine.core.effects.answer import Answer
from engine.core.table.agenda import Frame
from engine.core.table.state import State
from engine.core.text.errors import Violation


class WakfuAnswer(Answer):
    """`answer`: choose one of the options asked for, citing the rule that asks."""

    def wrong(self, state: State, ask: Frame, pick: str) -> Violation:
        """Return the violation of a pick that is not an option: the pick, the seat, and the card whose effect asks."""
        frame, rule = state.agenda[-1], str(ask["rule"])
        card = state.refs[frame["src"][0]] or "?" if "src" in frame else "-"
        args = {"pick": pick, "seat": str(ask["by"]), "card": card}
        return Violation(rule, args, why="" if rule.startswith("LOG-") else "pick")
