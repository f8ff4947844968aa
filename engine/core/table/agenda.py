"""The agenda: the stack of effect steps that are still to be resolved, as a state stores it.

The stack is stored only while a player has to make a choice; `effects.host.Stack` resolves it. Each frame is a mapping
of JSON values: `step` names what to do (a key of `host.steps`), and the other keys are whatever that step needs. A
frame with an `ask` ({by, options, optional, rule}) is waiting for a choice, and the next log entry must be an `answer`
that names one of its options. A mandatory choice with a single option is made automatically; an optional choice that
the log does not answer counts as declined.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.table.state import State
from engine.core.text.errors import Ambiguous

WINDOW = "window"

Frame = Mapping[str, Any]


def window(by: str) -> Frame:
    """Return a frame that waits for a response by seat `by`. Any entry that is not a response closes the window."""
    return {"step": WINDOW, "ask": {"by": by, "options": [], "optional": True, "rule": "LOG-answer"}}


def open_window(state: State) -> bool:
    """Whether a response window is open."""
    return bool(state.agenda) and state.agenda[-1]["step"] == WINDOW


def pending(state: State) -> Mapping[str, Any] | None:
    """Return the choice the game is waiting for, {by, options, optional, rule}, or None."""
    if not state.agenda:
        return None
    found: Mapping[str, Any] = state.agenda[-1]["ask"]
    return found


def answered(state: State, pick: str | None) -> tuple[Frame, ...]:
    """Return the agenda with the pending choice made. `pick` is an option, or None for a declined choice."""
    *below, frame = state.agenda
    return (*below, {**{key: value for key, value in frame.items() if key != "ask"}, "picked": pick})


def unanswered(state: State) -> Ambiguous:
    """Return the error for an entry that skips a mandatory choice."""
    ask = state.agenda[-1]["ask"]
    return Ambiguous("unanswered", f"an effect awaits an answer of {ask['by']}", options=ask["options"], path="do")
