"""The clock of a draft: pick after pick, booster after booster, then the time to build. Computed from `now` alone."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import accumulate
from math import ceil

from tournaments.swiss.field import SwissError

LEAST_SECONDS, MOST_SECONDS = 5, 40
"""No pick is shorter or longer, however few or many cards are left."""

PICK, BETWEEN, BUILD = "pick", "between", "build"


@dataclass(frozen=True, slots=True)
class Step:
    """One stretch of a draft: a pick, the time between two boosters (of the one to come), or the building.

    `pick` and `cards` (left to choose from) are 0 but in a pick, `booster` and `passing` (`L`, `R`) empty in building.
    """

    phase: str
    seconds: int
    booster: int = 0
    pick: int = 0
    cards: int = 0
    passing: str = ""


@dataclass(frozen=True, slots=True)
class Face:
    """What a draft's clock shows: `ready`, `running`, `paused` or `over`; `number` is that of the step, from 1.

    `step` is None once it is over; `ends_at`, when this step ends, and `closes_at`, when all do, are None unless it
    runs.
    """

    state: str
    number: int
    step: Step | None
    seconds_left: int
    ends_at: datetime | None = None
    closes_at: datetime | None = None


def pick_seconds(cards: int, *, each: int) -> int:
    """The seconds of a pick among so many cards: `each` a card, but from `LEAST_SECONDS` to `MOST_SECONDS`."""
    return max(LEAST_SECONDS, min(MOST_SECONDS, each * cards))


def schedule(passing: str, cards: int, *, each: int, between: int, minutes: int) -> tuple[Step, ...]:
    """The steps of a draft: a booster of so many cards for each letter of `passing`, `between` seconds from one to the
    next, and what is left of the minutes to build.

    Raises `SwissError` `draft_too_long` when the picks leave no time to build.
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
    """After how many seconds each step begins, and at the end, when the last one is over."""
    return (0, *accumulate(step.seconds for step in steps))


def face(steps: Sequence[Step], started: datetime | None, paused: datetime | None, now: datetime) -> Face:
    """The clock at `now`. `started` is the instant since which it would have run had it never stood still; `paused`
    the one at which it stands.
    """
    if started is None:
        return Face("ready", 1, steps[0], steps[0].seconds)
    edges = begins(steps)
    elapsed = max(0.0, ((paused or now) - started).total_seconds())
    place = bisect_right(edges, elapsed) - 1
    if place >= len(steps):
        return Face("over", len(steps), None, 0)
    ends_at, closes_at = (started + timedelta(seconds=edge) for edge in (edges[place + 1], edges[-1]))
    left = ceil(edges[place + 1] - elapsed)
    if paused is not None:
        return Face("paused", place + 1, steps[place], left)
    return Face("running", place + 1, steps[place], left, ends_at, closes_at)
