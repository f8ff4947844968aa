"""Answers to what effects ask: a wrong one is refused by the rule behind the question."""

from __future__ import annotations

from engine.core.effects.answer import Answer
from engine.core.table.agenda import Frame
from engine.core.table.state import State
from engine.core.text.errors import Violation


class SeiyaAnswer(Answer):
    """`answer`: choose an option; a wrong answer cites the rule that asks."""

    def wrong(self, state: State, ask: Frame, pick: str) -> Violation:
        """Return the violation: the rule of the question, the pick, who answered, and the card that asks."""
        args = {"pick": pick, "seat": str(ask["by"]), "card": asker(state)}
        return Violation(ask["rule"], args, why="" if ask["rule"].startswith("LOG-") else "pick")


def asker(state: State) -> str:
    """Return the ref of the card whose effect waits for an answer, "-" if no card asks."""
    frame = state.agenda[-1]
    obj = frame["src"][0] if "src" in frame else frame.get("obj")
    return "-" if obj is None else state.refs[obj] or "?"
