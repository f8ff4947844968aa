"""The jobs of this app: exports, verifications, checks and retention."""

from tournaments.archive.nightly import check_events
from tournaments.archive.retention import forget_old
from tournaments.archive.selectors import CHECK
from tournaments.archive.services import (
    forget_export,
    forget_verification,
    run_check,
    run_export,
    run_verification,
)
from tournaments.archive.unused import end_unused
from tournaments.common.jobs import RunningJob, handler


@handler("archive.export")
def export(job: RunningJob) -> None:
    """Write a requested event file. Payload: `export`, its primary key."""
    run_export(export_id=job.payload["export"], progress=job.progress)


@handler("archive.forget_export")
def forget_file(job: RunningJob) -> None:
    """Delete a requested event file after a day. Payload: `export`, its primary key."""
    forget_export(export_id=job.payload["export"])


@handler("archive.verify")
def verification(job: RunningJob) -> None:
    """Verify an uploaded file. Payload: `verification`, its primary key."""
    run_verification(verification_id=job.payload["verification"], progress=job.progress)


@handler("archive.forget")
def forget(job: RunningJob) -> None:
    """Delete a verification after a day. Payload: `verification`, its primary key."""
    forget_verification(verification_id=job.payload["verification"])


@handler("archive.retention", daily=True)
def retention(job: RunningJob) -> None:
    """Delete personal data that is no longer needed. No payload."""
    forget_old(now=job.now, progress=job.progress)


@handler("archive.end_unused", daily=True)
def unused(job: RunningJob) -> None:
    """Warn and erase accounts that nobody uses, and people without an account not seen for long. No payload."""
    end_unused(now=job.now, progress=job.progress)


@handler("archive.check", daily=True)
def check(job: RunningJob) -> None:
    """Verify the running and recently finished events. No payload."""
    check_events(now=job.now, progress=job.progress)


@handler(CHECK)
def check_one(job: RunningJob) -> None:
    """Verify one event on request. Payload: `event`, its primary key."""
    run_check(event_id=job.payload["event"], now=job.now, progress=job.progress)
