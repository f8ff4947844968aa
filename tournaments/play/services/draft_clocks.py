"""Gestures on the clock of a draft, until a round of its stage is paired. Of two people at once, one acts."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.events.models import Event, Stage
from tournaments.play.drafting import draft_open, steps_of
from tournaments.play.models import DraftClock
from tournaments.play.services.entries import record
from tournaments.swiss.draft import Step, begins


def start_draft(*, stage: Stage, by: User, now: datetime) -> None:
    """Start the clock of a draft at its first pick."""
    with transaction.atomic():
        _open_draft(stage)
        _clock, made = DraftClock.objects.get_or_create(stage=stage, defaults={"started_at": now})
        if not made:
            raise Refusal("clock_state", _("The clock of the draft was started already."))
        _record(stage, by, "clock.draft_started", now)


def pause_draft(*, stage: Stage, by: User, now: datetime) -> None:
    """Stop a running draft for a while."""
    with transaction.atomic():
        _open_draft(stage)
        if not DraftClock.objects.filter(stage=stage, paused_at=None).update(paused_at=now):
            raise Refusal("clock_state", _("The clock of the draft is not running."))
        _record(stage, by, "clock.draft_paused", now)


def resume_draft(*, stage: Stage, by: User, now: datetime) -> None:
    """Let a paused draft run on; the time it stood still is given back."""
    with transaction.atomic():
        _open_draft(stage)
        clock = DraftClock.objects.filter(stage=stage).exclude(paused_at=None).first()
        if clock is None or clock.paused_at is None:
            raise Refusal("clock_state", _("The clock of the draft is not paused."))
        started = clock.started_at + (now - clock.paused_at)
        DraftClock.objects.filter(pk=clock.pk).update(started_at=started, paused_at=None)
        _record(stage, by, "clock.draft_resumed", now)


def move_draft(*, stage: Stage, step: int, by: User, now: datetime) -> None:
    """Set a draft to the start of a step, by its number from 1: back to a pick, or on to the next. A pause stays."""
    with transaction.atomic():
        steps = _open_draft(stage)
        if not 1 <= step <= len(steps):
            raise InvalidInput("draft_step", _("This draft has no such step."))
        passed = timedelta(seconds=begins(steps)[step - 1])
        clocks = DraftClock.objects.filter(stage=stage)
        moved = clocks.filter(paused_at=None).update(started_at=now - passed)
        if not moved and not clocks.update(started_at=now - passed, paused_at=now):
            raise Refusal("clock_state", _("The clock of the draft was not started yet."))
        _record(stage, by, "clock.draft_moved", now, {"step": step})


def undo_draft(*, stage: Stage, by: User, now: datetime) -> None:
    """Take the start of a draft's clock back: it stands before the first pick again."""
    with transaction.atomic():
        _open_draft(stage)
        if not DraftClock.objects.filter(stage=stage).delete()[0]:
            raise Refusal("clock_state", _("The clock of the draft was not started yet."))
        _record(stage, by, "clock.draft_undone", now)


def _open_draft(stage: Stage) -> Sequence[Step]:
    """The steps of a draft that goes on. Its event is locked, so that nobody pairs a round or moves the clock."""
    event = Event.objects.select_for_update().get(pk=stage.event_id)
    stage = Stage.objects.select_related("event").get(pk=stage.pk)
    steps = steps_of(stage)
    if not steps:
        raise Refusal("no_draft_clock", _("This stage has no draft with a clock, or has not started."))
    if event.status != Event.Status.RUNNING or not draft_open(stage):
        raise Refusal("draft_over", _("The draft is over: a round of its stage is paired, or the event is over."))
    return steps


def _record(stage: Stage, by: User, code: str, now: datetime, after: object = None) -> None:
    record(stage.event, by, code, now, object=f"s{stage.number}", after=after)
