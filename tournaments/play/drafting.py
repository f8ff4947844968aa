"""The draft of a stage in pods: its steps by the event's procedures, and what its clock shows."""

from dataclasses import dataclass
from datetime import datetime

from tournaments.events.models import Event, Stage
from tournaments.events.procedures import draft_steps, read_procedures
from tournaments.play.models import DraftClock
from tournaments.swiss.draft import Face, Step, face


def steps_of(stage: Stage) -> tuple[Step, ...]:
    """The steps of a stage's draft; none where there is no draft, or it has no clock."""
    if stage.kind != Stage.Kind.PODS or stage.started_at is None:
        return ()
    return draft_steps(read_procedures(stage.event.procedures).limited)


def draft_open(stage: Stage) -> bool:
    """Whether the draft goes on: it ends when a round of its stage is paired."""
    return not stage.rounds.exists()


@dataclass(frozen=True)
class Draft:
    """The draft of a stage at an instant: its steps, and what its clock shows."""

    stage: Stage
    steps: tuple[Step, ...]
    face: Face


def draft_of(stage: Stage, now: datetime) -> Draft | None:
    """The draft of a stage; None where it has none with a clock."""
    steps = steps_of(stage)
    if not steps:
        return None
    clock = DraftClock.objects.filter(stage=stage).first()
    started, paused = (clock.started_at, clock.paused_at) if clock else (None, None)
    return Draft(stage, steps, face(steps, started, paused, now))


def open_draft(stage: Stage, now: datetime) -> Draft | None:
    """The draft of a stage that goes on; None before and after, and where there is none with a clock."""
    draft = draft_of(stage, now)
    return draft if draft and stage.event.status == Event.Status.RUNNING and draft_open(stage) else None
