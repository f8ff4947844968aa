"""Chance as people at a table tell it: one question after the other, until an entry has all the chance it needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core.text.errors import Malformed

UNSEEN = "?"
# What a log may leave unknown. All other chance is seen by everybody, so it has to be told.
MAY_BE_UNSEEN = ("draw", "look", "choice")


@dataclass(frozen=True)
class Question:
    """What has to be told next of the chance of a move.

    `kind` is what the log calls it (see `Dealer`). `options` are what can be told: seats, numbers of a die, places, or
    refs of cards. `count` is how many of them, each as often as `copies` says. `unseen` says that "?" is an answer too.
    """

    kind: str
    options: tuple[Any, ...]
    count: int = 1
    copies: Mapping[str, int] | None = None
    unseen: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return `{kind, options, count, unseen}`, with `copies` where copies of cards are counted."""
        found = {"kind": self.kind, "options": list(self.options), "count": self.count, "unseen": self.unseen}
        return found if self.copies is None else {**found, "copies": dict(self.copies)}


class Told:
    """A dealer that deals what people told: `answers`, a list of values for each question, in order.

    Where only one thing can have happened, nothing is asked. The first question without an answer is in `question`.
    Raises Malformed `missing_chance` for an answer that is not an option.
    """

    window = False

    def __init__(self, answers: Sequence[Sequence[Any]]) -> None:
        self.question: Question | None = None
        self._answers = list(answers)

    def pick(self, options: Sequence[Any], kind: str = "pick") -> Any:
        """Return the option that was told."""
        different = tuple(dict.fromkeys(options))
        if len(different) == 1:
            return different[0]
        unseen = kind in MAY_BE_UNSEEN and UNSEEN not in different and all(isinstance(each, str) for each in different)
        return self._told(Question(kind, different, unseen=unseen), [different[0]])[0]

    def deal(self, unseen: Mapping[str, int], count: int, kind: str = "draw") -> list[str]:
        """Return the cards that were told, or as many as are left."""
        left = {ref: copies for ref, copies in unseen.items() if copies > 0}
        count = min(count, sum(left.values()))
        if count == 0 or len(left) == 1:
            return [*left][:1] * count
        question = Question(kind, tuple(left), count, left, unseen=kind in MAY_BE_UNSEEN)
        return self._told(question, [UNSEEN] * count)

    def _told(self, question: Question, blank: list[Any]) -> list[Any]:
        if self.question is not None or not self._answers:
            self.question = self.question or question
            return blank
        answer = list(self._answers.pop(0))
        allowed = (*question.options, UNSEEN) if question.unseen else question.options
        if len(answer) != question.count or any(value not in allowed for value in answer):
            raise Malformed("missing_chance", f"{question.kind}: {question.count} of what is possible", path="chance")
        return answer
