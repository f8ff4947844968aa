"""`answer`: the choice that a payment or an effect waits for."""

from __future__ import annotations

from engine.core.agenda import Frame
from engine.core.effects import answering
from engine.core.errors import Violation
from engine.core.state import State


class Answer(answering.Answer):
    """`answer`, which cites the rule that asks."""

    def wrong(self, state: State, ask: Frame, pick: str) -> Violation:
        """The rule of the choice, what was named and by whom."""
        why = {"STN-CBT-3": "next", "STN-RSS-2": "affinity" if ask["optional"] else ""}.get(ask["rule"], "")
        return Violation(ask["rule"], {"pick": pick, "seat": ask["by"]}, why=why)
