"""The job handler that sends the e-mails of a ledger entry."""

from tournaments.common.jobs import RunningJob, handler
from tournaments.notices.services import tell


@handler("notices.tell")
def tell_players(job: RunningJob) -> None:
    """Send the e-mails of a ledger entry. Payload: `chain` and `number` of the entry."""
    tell(chain=job.payload["chain"], number=job.payload["number"], now=job.now, progress=job.progress)
