"""The job handler that computes the standings of a league."""

from tournaments.common.clock import now
from tournaments.common.jobs import RunningJob, handler
from tournaments.leagues.services import compute_league


@handler("leagues.compute")
def compute(job: RunningJob) -> None:
    """Compute the standings of a league. Payload: `league` (its key)."""
    compute_league(league_id=job.payload["league"], now=now(), progress=job.progress)
