"""The job that writes the letters of an entry."""

from tournaments.common.jobs import RunningJob, handler
from tournaments.notices.services import tell


@handler("notices.tell")
def tell_players(job: RunningJob) -> None:
    """Payload: `chain` and `number` of the entry."""
    tell(chain=job.payload["chain"], number=job.payload["number"], now=job.now, progress=job.progress)
