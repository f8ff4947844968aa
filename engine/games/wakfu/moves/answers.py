"""Answers to what effects ask: a wrong one breaks the rule of the question."""

from __future__ import annotations

from engine.core.agenda import Frame
from engine.core.effects.answering import Answer
from engine.core.errors import Violation
from engine.core.state import State


class WakfuAnswer(Answer):
    """`answer`: one option of what is asked, in the words of the rule that asks."""

    def wrong(self, state: State, ask: Frame, pick: str) -> Violation:
        """The rule of the question, what was named, by whom, and the card whose effect asks."""
        frame, rule = state.agenda[-1], str(ask["rule"])
        card = state.refs[frame["src"][0]] or "?" if "src" in frame else "-"
        args = {"pick": pick, "seat": str(ask["by"]), "card": card}
        return Violation(rule, args, why="" if rule.startswith("LOG-") else "pick")
