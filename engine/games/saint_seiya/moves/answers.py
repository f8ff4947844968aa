"""Answers to what effects ask: a wrong one breaks the rule of the question."""

from __future__ import annotations

from engine.core.agenda import Frame
from engine.core.effects.answering import Answer
from engine.core.errors import Violation
from engine.core.state import State


class SeiyaAnswer(Answer):
    """`answer`: one option of what is asked, in the words of the rule that asks."""

    def wrong(self, state: State, ask: Frame, pick: str) -> Violation:
        """The rule of the question, what was named, by whom, and the card whose effect asks."""
        args = {"pick": pick, "seat": str(ask["by"]), "card": asker(state)}
        return Violation(ask["rule"], args, why="" if ask["rule"].startswith("LOG-") else "pick")


def asker(state: State) -> str:
    """The ref of the card whose effect waits for an answer, "-" where the question is of no card."""
    frame = state.agenda[-1]
    obj = frame["src"][0] if "src" in frame else frame.get("obj")
    return "-" if obj is None else state.refs[obj] or "?"
