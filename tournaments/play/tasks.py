"""Job handlers: give unpaid places to those who wait."""

from tournaments.common.jobs import RunningJob, handler
from tournaments.play.services.unpaid import JOB, release_unpaid


@handler(JOB)
def release(job: RunningJob) -> None:
    """Give overdue unpaid places to the waiting list. Payload: `event` (its public id)."""
    release_unpaid(event_id=job.payload["event"], now=job.now)
