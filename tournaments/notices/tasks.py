"""The job handlers that send the e-mails and the pushes of a ledger entry, and a test push."""

from tournaments.common.jobs import RunningJob, handler
from tournaments.notices.pushing import push, try_push
from tournaments.notices.services import tell, tell_followers


@handler("notices.tell")
def tell_players(job: RunningJob) -> None:
    """Send the e-mails of a ledger entry. Payload: `chain` and `number` of the entry."""
    tell(chain=job.payload["chain"], number=job.payload["number"], now=job.now, progress=job.progress)


@handler("notices.tell_followers")
def tell_those_who_follow(job: RunningJob) -> None:
    """Send the e-mails of a ledger entry to the followers of its event. Payload: as `notices.tell`."""
    tell_followers(chain=job.payload["chain"], number=job.payload["number"], now=job.now, progress=job.progress)


@handler("notices.push")
def push_to_players(job: RunningJob) -> None:
    """Push a ledger entry to the devices of players. Payload: `chain` and `number` of the entry."""
    push(chain=job.payload["chain"], number=job.payload["number"], now=job.now, progress=job.progress)


@handler("notices.try_push")
def push_to_device(job: RunningJob) -> None:
    """Push a test notification. Payload: `device`, the public id of a subscription."""
    try_push(device=job.payload["device"], now=job.now)
