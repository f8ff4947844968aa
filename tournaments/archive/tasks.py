"""The jobs of event files."""

from tournaments.archive.nightly import check_events
from tournaments.archive.retention import forget_old
from tournaments.archive.selectors import CHECK
from tournaments.archive.services import (
    draw_boards,
    forget_export,
    forget_verification,
    run_check,
    run_export,
    run_verification,
)
from tournaments.common.jobs import RunningJob, handler


@handler("archive.boards")
def boards(job: RunningJob) -> None:
    """Payload: `event`, its public id."""
    draw_boards(event_id=job.payload["event"], progress=job.progress)


@handler("archive.export")
def export(job: RunningJob) -> None:
    """Payload: `export`, its key."""
    run_export(export_id=job.payload["export"], progress=job.progress)


@handler("archive.forget_export")
def forget_file(job: RunningJob) -> None:
    """Payload: `export`, its key."""
    forget_export(export_id=job.payload["export"])


@handler("archive.verify")
def verification(job: RunningJob) -> None:
    """Payload: `verification`, its key."""
    run_verification(verification_id=job.payload["verification"], progress=job.progress)


@handler("archive.forget")
def forget(job: RunningJob) -> None:
    """Payload: `verification`, its key."""
    forget_verification(verification_id=job.payload["verification"])


@handler("archive.retention", daily=True)
def retention(job: RunningJob) -> None:
    """No payload."""
    forget_old(now=job.now, progress=job.progress)


@handler("archive.check", daily=True)
def check(job: RunningJob) -> None:
    """No payload."""
    check_events(now=job.now, progress=job.progress)


@handler(CHECK)
def check_one(job: RunningJob) -> None:
    """Payload: `event`, its key."""
    run_check(event_id=job.payload["event"], now=job.now, progress=job.progress)
