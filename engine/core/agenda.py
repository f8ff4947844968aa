"""What effects still have to do: one stack of JSON frames, kept in the state only while an answer is awaited.

A frame is a mapping of JSON values with `step`, what is to be done, and whatever the step needs. A frame with `ask`
({by, options, optional, rule}) waits: the next entry of the log must be an `answer` that names an option. One option of
a choice that is not optional is taken silently; an optional one that the log passes over is declined.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.core.context import Context
from engine.core.errors import Ambiguous, Malformed
from engine.core.state import State

WINDOW = "window"
MAX_FRAMES = 500  # frames resolved in one move

Frame = Mapping[str, Any]
Step = Callable[["Stack", Frame], None]


class Stack:
    """The frames of one move while they are resolved, the last one first.

    The frame that waits keeps the number `made` so far: the answers that a move waits for count as part of it.
    """

    __slots__ = ("ctx", "frames", "host", "made")

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.host = ctx.state.terms.host
        self.frames: list[Frame] = list(ctx.state.agenda)
        self.made: int = self.frames[-1].get("made", 0) if self.frames else 0

    def push(self, frame: Frame) -> None:
        """Something to do before everything else that waits."""
        self.frames.append(frame)

    def run(self) -> None:
        """Resolve frames until none is left, one awaits an answer, or the game is decided.

        Raises Malformed, code `endless_effects`, past the bound.
        """
        frames, host, state = self.frames, self.host, self.ctx.state
        while frames:
            frame = frames[-1]
            if "ask" in frame:
                if frame.get("made") != self.made:
                    frames[-1] = {**frame, "made": self.made}
                break
            frames.pop()
            self.made += 1
            if self.made > MAX_FRAMES:
                raise Malformed("endless_effects", f"effects go on beyond {MAX_FRAMES} steps in one move")
            host.steps[frame["step"]](self, frame)
            if host.decided(state):
                frames.clear()
        left = tuple(frames)
        if left != state.agenda:
            self.ctx.emit("agenda", left)

    def ask(self, frame: Frame, by: str, options: Sequence[str], rule: str, *, optional: bool = False) -> None:
        """Wait for a choice, then come back to the frame with `picked`; a single option is taken silently."""
        if len(options) == 1 and not optional:
            self.push({**frame, "picked": options[0]})
            self.ctx.taken.append((by, options[0]))
        elif options:
            self.push({**frame, "ask": {"by": by, "options": list(options), "optional": optional, "rule": rule}})
        else:
            self.push({**frame, "picked": None})


def window(by: str) -> Frame:
    """A frame that waits for responses: the first entry that is none passes it over."""
    return {"step": WINDOW, "ask": {"by": by, "options": [], "optional": True, "rule": "LOG-answer"}}


def open_window(state: State) -> bool:
    """Whether a response may be made now."""
    return bool(state.agenda) and state.agenda[-1]["step"] == WINDOW


def pending(state: State) -> Mapping[str, Any] | None:
    """The choice that is awaited: {by, options, optional, rule}."""
    if not state.agenda:
        return None
    found: Mapping[str, Any] = state.agenda[-1]["ask"]
    return found


def answered(state: State, pick: str | None) -> tuple[Frame, ...]:
    """The agenda once its choice is made (None: declined)."""
    *below, frame = state.agenda
    return (*below, {**{key: value for key, value in frame.items() if key != "ask"}, "picked": pick})


def unanswered(state: State) -> Ambiguous:
    """The error of an entry that passes over a choice which is not optional."""
    ask = state.agenda[-1]["ask"]
    return Ambiguous("unanswered", f"an effect awaits an answer of {ask['by']}", options=ask["options"], path="do")
