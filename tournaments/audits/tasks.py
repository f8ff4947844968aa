"""Background jobs: audit submitted logs, and run a lane of a bulk audit."""

from tournaments.audits.bulk import run_lane
from tournaments.audits.services import run_audits
from tournaments.common.clock import now
from tournaments.common.jobs import RunningJob, batch_handler, handler


@batch_handler("audits.run", at_most=16)
def run(jobs: list[RunningJob]) -> None:
    """Run waiting audits, up to 16 at once. Payload: `audit`, the audit's key."""
    run_audits(audit_ids=[job.payload["audit"] for job in jobs], now=now())


@handler("audits.bulk")
def bulk(job: RunningJob) -> None:
    """Run one turn of a lane. Payload: `bulk`, the bulk audit's key, and `lane`, its number from 0."""
    run_lane(bulk_id=job.payload["bulk"], lane=job.payload["lane"], now=now(), progress=job.progress)
