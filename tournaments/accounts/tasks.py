"""The letters about an account."""

from tournaments.accounts.addresses import send_letter
from tournaments.common.jobs import RunningJob, handler


@handler("accounts.letter")
def letter(job: RunningJob) -> None:
    """Payload: `letter`, which one; `user`, or null for none; `asked`, when, so that none goes twice."""
    send_letter(letter=job.payload["letter"], user_id=job.payload["user"], asked=job.payload["asked"], now=job.now)
