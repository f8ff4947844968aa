"""Gestures on the clock of a round. Each is a conditional update: of two people at once, one acts."""

from datetime import datetime

from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.play.models import Clock, Match, Round, TimeExtension
from tournaments.play.services.entries import record


def start_clock(*, round_: Round, by: User, now: datetime) -> None:
    """Start a published round's clock, or one that was to start later."""
    with transaction.atomic():
        ready = Clock.objects.filter(round=round_, round__status=Round.Status.PUBLISHED)
        waiting = Q(started_at=None) | Q(started_at__gt=now)
        if not ready.filter(waiting).update(started_at=now):
            raise Refusal("clock_state", _("The clock is running already, or the round is not open."))
        _record(round_, by, "clock.started", now)


def pause_clock(*, round_: Round, by: User, now: datetime) -> None:
    """Stop a running clock for a while."""
    with transaction.atomic():
        open_ = Clock.objects.filter(round=round_, round__status=Round.Status.PUBLISHED)
        running = open_.filter(started_at__lte=now, paused_at=None)
        if not running.update(paused_at=now):
            raise Refusal("clock_state", _("The clock is not running."))
        _record(round_, by, "clock.paused", now)


def resume_clock(*, round_: Round, by: User, now: datetime) -> None:
    """Let a paused clock run on; the time it stood still is given back."""
    with transaction.atomic():
        clock = Clock.objects.select_for_update().filter(round=round_, round__status=Round.Status.PUBLISHED).first()
        if clock is None or clock.paused_at is None:
            raise Refusal("clock_state", _("The clock is not paused."))
        clock.paused_seconds += round((now - clock.paused_at).total_seconds())
        clock.paused_at = None
        clock.save(update_fields=["paused_seconds", "paused_at"])
        _record(round_, by, "clock.resumed", now)


def extend_round(*, round_: Round, minutes: int, by: User, now: datetime) -> None:
    """Add 1 to 60 minutes for all tables."""
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
        raise InvalidInput("minutes_invalid", _("Between 1 and 60 minutes can be added."))


def _record(round_: Round, by: User, code: str, now: datetime, after: object = None) -> None:
    record(round_.stage.event, by, code, now, object=f"r{round_.number}", after=after)
