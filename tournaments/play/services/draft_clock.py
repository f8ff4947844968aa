"""The clock of a draft in pods: its steps, what it shows, and the actions on it.

The steps follow from the event's procedures. The clock runs until a round of its stage is paired. If two people act on
it at once, one of them wins and the other gets a refusal (`clock_state`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.events.models import Event, Stage
from tournaments.events.procedures import draft_steps, read_procedures
from tournaments.play.models import DraftClock
from tournaments.play.services.entries import record
from tournaments.swiss.draft import Face, Step, begins, face


def steps_of(stage: Stage) -> tuple[Step, ...]:
    """The steps of a stage's draft; empty if the stage has no draft, has not started, or its draft has no clock."""
    if stage.kind != Stage.Kind.PODS or stage.started_at is None:
        return ()
    return draft_steps(read_procedures(stage.event.procedures).limited)


def draft_open(stage: Stage) -> bool:
    """Whether the draft is not over yet: pairing a round of the stage ends it."""
    return not stage.rounds.exists()


@dataclass(frozen=True)
class Draft:
    """A stage's draft at a moment in time: its steps, and what its clock shows."""

    stage: Stage
    steps: tuple[Step, ...]
    face: Face


def draft_of(stage: Stage, now: datetime) -> Draft | None:
    """The draft of a stage at `now`, or None if it has no draft with a clock."""
    steps = steps_of(stage)
    if not steps:
        return None
    clock = DraftClock.objects.filter(stage=stage).first()
    started, paused = (clock.started_at, clock.paused_at) if clock else (None, None)
    return Draft(stage, steps, face(steps, started, paused, now))


def open_draft(stage: Stage, now: datetime) -> Draft | None:
    """The draft of a stage while it lasts; None before and after, or if it has no draft with a clock."""
    draft = draft_of(stage, now)
    return draft if draft and stage.event.status == Event.Status.RUNNING and draft_open(stage) else None


def start_draft(*, stage: Stage, by: User, now: datetime) -> None:
    """Start the clock of a draft at its first pick."""
    with transaction.atomic():
        _open_draft(stage)
        _clock, made = DraftClock.objects.get_or_create(stage=stage, defaults={"started_at": now})
        if not made:
            raise Refusal("clock_state", _("The clock of the draft has already been started."))
        _record(stage, by, "clock.draft_started", now)


def pause_draft(*, stage: Stage, by: User, now: datetime) -> None:
    """Pause a running draft clock."""
    with transaction.atomic():
        _open_draft(stage)
        if not DraftClock.objects.filter(stage=stage, paused_at=None).update(paused_at=now):
            raise Refusal("clock_state", _("The clock of the draft is not running."))
        _record(stage, by, "clock.draft_paused", now)


def resume_draft(*, stage: Stage, by: User, now: datetime) -> None:
    """Resume a paused draft clock where it stopped."""
    with transaction.atomic():
        _open_draft(stage)
        clock = DraftClock.objects.filter(stage=stage).exclude(paused_at=None).first()
        if clock is None or clock.paused_at is None:
            raise Refusal("clock_state", _("The clock of the draft is not paused."))
        # The start moves by the length of the pause, so that pauses need not be stored one by one.
        started = clock.started_at + (now - clock.paused_at)
        DraftClock.objects.filter(pk=clock.pk).update(started_at=started, paused_at=None)
        _record(stage, by, "clock.draft_resumed", now)


def move_draft(*, stage: Stage, step: int, by: User, now: datetime) -> None:
    """Set the clock to the start of a step, given by its number from 1, in either direction.

    A paused clock stays paused. Raises InvalidInput `draft_step` if there is no such step.
    """
    with transaction.atomic():
        steps = _open_draft(stage)
        if not 1 <= step <= len(steps):
            raise InvalidInput("draft_step", _("This draft has no such step."))
        passed = timedelta(seconds=begins(steps)[step - 1])
        clocks = DraftClock.objects.filter(stage=stage)
        moved = clocks.filter(paused_at=None).update(started_at=now - passed)
        # A paused clock gets its pause moved to `now`, so that it stands at the very start of the step.
        if not moved and not clocks.update(started_at=now - passed, paused_at=now):
            raise Refusal("clock_state", _("The clock of the draft has not been started yet."))
        _record(stage, by, "clock.draft_moved", now, {"step": step})


def undo_draft(*, stage: Stage, by: User, now: datetime) -> None:
    """Undo the start of a draft's clock: it waits before the first pick again."""
    with transaction.atomic():
        _open_draft(stage)
        if not DraftClock.objects.filter(stage=stage).delete()[0]:
            raise Refusal("clock_state", _("The clock of the draft has not been started yet."))
        _record(stage, by, "clock.draft_undone", now)


def _open_draft(stage: Stage) -> Sequence[Step]:
    """The steps of a draft that is not over; else a refusal (`no_draft_clock`, `draft_over`).

    Locks the event, so that nobody pairs a round or moves the clock at the same time.
    """
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
