"""The job that computes standings."""

from tournaments.common.clock import now
from tournaments.common.jobs import RunningJob, handler
from tournaments.standings.services import compute_standings


@handler("standings.compute")
def compute(job: RunningJob) -> None:
    """Payload: `stage`, the stage's key."""
    compute_standings(stage_id=job.payload["stage"], now=now(), progress=job.progress)
