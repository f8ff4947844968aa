"""The job that audits a log."""

from tournaments.audits.services import run_audit
from tournaments.common.clock import now
from tournaments.common.jobs import RunningJob, handler


@handler("audits.run")
def run(job: RunningJob) -> None:
    """Payload: `audit`, the audit's key."""
    run_audit(audit_id=job.payload["audit"], now=now(), progress=job.progress)
