"""The clock of a round: what it shows, and the actions on it.

Nothing ticks on the server: what is shown is computed from the stored times and `now`. Most actions are one conditional
update, so if two people act at once, one of them wins and the other gets a refusal (`clock_state`).
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.play.models import Clock, Match, Round, TimeExtension
from tournaments.play.services.entries import record


@dataclass(frozen=True)
class ClockFace:
    """What a clock shows.

    `seconds_left` is negative once time is over. `ends_at` is None unless the clock is running or scheduled.
    """

    state: str  # "ready", "scheduled", "running", "paused", "stopped"
    seconds_left: int
    ends_at: datetime | None
    starts_at: datetime | None = None  # only while "scheduled"


def face(clock: Clock, now: datetime, extension_minutes: int = 0) -> ClockFace:
    """What the clock shows at `now`, for a table with `extension_minutes` of its own.

    The clock of a closed round shows what it showed when the round was closed.
    """
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


def start_clock(*, round_: Round, by: User, now: datetime) -> None:
    """Start the clock of a published round now, even if it was to start later."""
    with transaction.atomic():
        ready = Clock.objects.filter(round=round_, round__status=Round.Status.PUBLISHED)
        # A clock that is scheduled for later can be started at once.
        waiting = Q(started_at=None) | Q(started_at__gt=now)
        if not ready.filter(waiting).update(started_at=now):
            raise Refusal("clock_state", _("The clock is already running, or the round is not open."))
        _record(round_, by, "clock.started", now)


def cancel_clock_start(*, round_: Round, by: User, now: datetime) -> None:
    """Cancel the planned start of a clock: it is ready again, and starts when somebody starts it."""
    with transaction.atomic():
        open_ = Clock.objects.filter(round=round_, round__status=Round.Status.PUBLISHED)
        if not open_.filter(started_at__gt=now).update(started_at=None):
            raise Refusal("clock_state", _("No start of the clock is planned, or it has started."))
        _record(round_, by, "clock.start_cancelled", now)


def pause_clock(*, round_: Round, by: User, now: datetime) -> None:
    """Pause a running clock."""
    with transaction.atomic():
        open_ = Clock.objects.filter(round=round_, round__status=Round.Status.PUBLISHED)
        running = open_.filter(started_at__lte=now, paused_at=None)
        if not running.update(paused_at=now):
            raise Refusal("clock_state", _("The clock is not running."))
        _record(round_, by, "clock.paused", now)


def resume_clock(*, round_: Round, by: User, now: datetime) -> None:
    """Resume a paused clock. The time of the pause is added, rounded to seconds."""
    with transaction.atomic():
        # The length of the pause must be read first, so the row is locked instead of updated conditionally.
        clock = Clock.objects.select_for_update().filter(round=round_, round__status=Round.Status.PUBLISHED).first()
        if clock is None or clock.paused_at is None:
            raise Refusal("clock_state", _("The clock is not paused."))
        clock.paused_seconds += round((now - clock.paused_at).total_seconds())
        clock.paused_at = None
        clock.save(update_fields=["paused_seconds", "paused_at"])
        _record(round_, by, "clock.resumed", now)


def extend_round(*, round_: Round, minutes: int, by: User, now: datetime) -> None:
    """Add 1 to 60 minutes for all tables of a round."""
    _check(minutes)
    with transaction.atomic():
        open_ = Clock.objects.filter(round=round_, round__status=Round.Status.PUBLISHED)
        if not open_.update(seconds=F("seconds") + 60 * minutes):
            raise Refusal("round_state", _("This round is not open."))
        _record(round_, by, "clock.extended", now, {"minutes": minutes})


def extend_table(*, match: Match, minutes: int, by: User, now: datetime) -> TimeExtension:
    """Add 1 to 60 minutes for one table."""
    _check(minutes)
    with transaction.atomic():
        if not Round.objects.filter(pk=match.round_id, status=Round.Status.PUBLISHED).exists():
            raise Refusal("round_state", _("This round is not open."))
        extension = TimeExtension.objects.create(match=match, minutes=minutes, by=by, at=now)
        record(
            match.round.stage.event,
            by,
            "table.extended",
            now,
            object=match.public_id,
            after={"minutes": minutes},
        )
    return extension


def _check(minutes: int) -> None:
    if not 1 <= minutes <= 60:
        raise InvalidInput("minutes_invalid", _("Add 1 to 60 minutes."))


def _record(round_: Round, by: User, code: str, now: datetime, after: object = None) -> None:
    record(round_.stage.event, by, code, now, object=f"r{round_.number}", after=after)
