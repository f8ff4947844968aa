"""The job that adds up the points of a league."""

from tournaments.common.clock import now
from tournaments.common.jobs import RunningJob, handler
from tournaments.leagues.services import compute_league


@handler("leagues.compute")
def compute(job: RunningJob) -> None:
    """Payload: `league`, its key."""
    compute_league(league_id=job.payload["league"], now=now(), progress=job.progress)
