"""Clock of a draft: one period per pick, a break between boosters, and the time left for deck construction.

Nothing runs in the background. What the clock shows is computed from its starting time and the current time.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import accumulate
from math import ceil

from tournaments.swiss.field import SwissError

LEAST_SECONDS, MOST_SECONDS = 5, 40
"""Bounds for the length of a pick, however few or many cards are left."""

PICK, BETWEEN, BUILD = "pick", "between", "build"


@dataclass(frozen=True, slots=True)
class Step:
    """One period of a draft: a pick, the break before the next booster, or deck construction.

    `pick` and `cards` (the number of cards to choose from) are 0 unless this is a pick. `booster` and `passing` (`L` or
    `R`) are empty during construction; in a break they belong to the coming booster.
    """

    phase: str
    seconds: int
    booster: int = 0
    pick: int = 0
    cards: int = 0
    passing: str = ""


@dataclass(frozen=True, slots=True)
class Face:
    """What the clock of a draft shows.

    `state` is `ready`, `running`, `paused` or `over`. `number` is the number of the step, from 1, and `step` is None
    once the draft is over. `ends_at` (end of this step) and `closes_at` (end of the draft) are None unless the clock is
    running.
    """

    state: str
    number: int
    step: Step | None
    seconds_left: int
    ends_at: datetime | None = None
    closes_at: datetime | None = None


def pick_seconds(cards: int, *, each: int) -> int:
    """Seconds for a pick among `cards` cards: `each` per card, between `LEAST_SECONDS` and `MOST_SECONDS`."""
    return max(LEAST_SECONDS, min(MOST_SECONDS, each * cards))


def schedule(passing: str, cards: int, *, each: int, between: int, minutes: int) -> tuple[Step, ...]:
    """The steps of a draft.

    There is one booster of `cards` cards for each letter of `passing`, with a break of `between` seconds from one to
    the next. Deck construction gets what remains of `minutes`. Raises `SwissError` `draft_too_long` if the picks leave
    no time for it.
    """
    steps: list[Step] = []
    for booster, way in enumerate(passing, 1):
        if booster > 1 and between:
            steps.append(Step(BETWEEN, between, booster, passing=way))
        for left in range(cards, 0, -1):
            steps.append(Step(PICK, pick_seconds(left, each=each), booster, cards - left + 1, left, way))
    rest = 60 * minutes - sum(step.seconds for step in steps)
    if rest <= 0:
        raise SwissError("draft_too_long", "the picks take longer than the draft", "minutes")
    return (*steps, Step(BUILD, rest))


def begins(steps: Sequence[Step]) -> tuple[int, ...]:
    """The second at which each step begins, followed by the second at which the last one ends."""
    return (0, *accumulate(step.seconds for step in steps))


def face(steps: Sequence[Step], started: datetime | None, paused: datetime | None, now: datetime) -> Face:
    """The state of the clock at `now`.

    `started` is when the clock would have been started had it never been paused (None before the start). `paused` is
    when it was paused, or None.
    """
    if started is None:
        return Face("ready", 1, steps[0], steps[0].seconds)
    edges = begins(steps)
    # Resuming moves `started` forward by the length of the pause, so no pauses need to be added up here.
    elapsed = max(0.0, ((paused or now) - started).total_seconds())
    place = bisect_right(edges, elapsed) - 1
    if place >= len(steps):
        return Face("over", len(steps), None, 0)
    ends_at, closes_at = (started + timedelta(seconds=edge) for edge in (edges[place + 1], edges[-1]))
    left = ceil(edges[place + 1] - elapsed)
    if paused is not None:
        return Face("paused", place + 1, steps[place], left)
    return Face("running", place + 1, steps[place], left, ends_at, closes_at)
