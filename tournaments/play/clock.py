"""Arithmetic of a round's clock: what is shown, from its figures and `now`. Nothing ticks on the server."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from tournaments.play.models import Clock, Round


@dataclass(frozen=True)
class ClockFace:
    """What a page shows. `seconds_left` is negative once time is called; `ends_at` is None unless it runs or will."""

    state: str  # "ready", "scheduled", "running", "paused", "stopped"
    seconds_left: int
    ends_at: datetime | None
    starts_at: datetime | None = None  # of a clock that will start by itself


def face(clock: Clock, now: datetime, extension_minutes: int = 0) -> ClockFace:
    """The clock at `now`, with a table's own extension. That of a closed round stands as it was when it was closed."""
    if clock.round.status == Round.Status.CLOSED:
        stopped = _running(clock, clock.round.closed_at or now, extension_minutes)
        return ClockFace("stopped", stopped.seconds_left, None)
    return _running(clock, now, extension_minutes)


def _running(clock: Clock, now: datetime, extension_minutes: int) -> ClockFace:
    total = clock.seconds + 60 * extension_minutes
    if clock.started_at is None:
        return ClockFace("ready", total, None)
    ends_at = clock.started_at + timedelta(seconds=total + clock.paused_seconds)
    if clock.paused_at is not None:
        return ClockFace("paused", int((ends_at - clock.paused_at).total_seconds()), None)
    if clock.started_at > now:
        return ClockFace("scheduled", total, ends_at, clock.started_at)
    return ClockFace("running", int((ends_at - now).total_seconds()), ends_at)
