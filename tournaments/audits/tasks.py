"""The jobs that audit a log, and all logs of an event again."""

from tournaments.audits.bulk import run_lane
from tournaments.audits.services import run_audit
from tournaments.common.clock import now
from tournaments.common.jobs import RunningJob, handler


@handler("audits.run")
def run(job: RunningJob) -> None:
    """Payload: `audit`, the audit's key."""
    run_audit(audit_id=job.payload["audit"], now=now(), progress=job.progress)


@handler("audits.bulk")
def bulk(job: RunningJob) -> None:
    """Payload: `bulk`, a bulk audit's key, and `lane`."""
    run_lane(bulk_id=job.payload["bulk"], lane=job.payload["lane"], now=now(), progress=job.progress)
