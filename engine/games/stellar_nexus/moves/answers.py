"""`answer`: the choice that a payment or an effect waits for."""

from __future__ import annotations

from engine.core.effects import answer
from engine.core.table.agenda import Frame
from engine.core.table.state import State
from engine.core.text.errors import Violation


class Answer(answer.Answer):
    """`answer`, citing the rule that asks for the choice."""

    def wrong(self, state: State, ask: Frame, pick: str) -> Violation:
        """Return the violation of a pick that is not an option, under the rule of the choice."""
        why = {"STN-CBT-3": "next", "STN-RSS-2": "affinity" if ask["optional"] else ""}.get(ask["rule"], "")
        return Violation(ask["rule"], {"pick": pick, "seat": ask["by"]}, why=why)
