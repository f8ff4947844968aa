"""Job handlers: make an event of an uploaded file, and delete files when due."""

from tournaments.common.jobs import RunningJob, handler
from tournaments.transfers.services import MAKE, forget_transfer, run_transfer


@handler(MAKE)
def make(job: RunningJob) -> None:
    """Create the event of a confirmed file. Payload: `transfer` (its key)."""
    run_transfer(transfer_id=job.payload["transfer"], now=job.now, progress=job.progress)


@handler("transfers.forget")
def forget(job: RunningJob) -> None:
    """Delete an uploaded file. Payload: `transfer` (its key)."""
    forget_transfer(transfer_id=job.payload["transfer"])
