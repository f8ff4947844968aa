"""The jobs of accounts: e-mails about an account, and forgetting old changes of rights."""

from tournaments.accounts.addresses import send_letter
from tournaments.accounts.guardianship import send_guardian_letter
from tournaments.accounts.rights_changes import forget_changes
from tournaments.common.jobs import RunningJob, handler


@handler("accounts.letter")
def letter(job: RunningJob) -> None:
    """Send an e-mail about an account.

    Payload: `letter`, the kind of e-mail; `user`, the account's key or null; `asked`, the time of the request, so that
    each request is answered once.
    """
    send_letter(letter=job.payload["letter"], user_id=job.payload["user"], asked=job.payload["asked"], now=job.now)


@handler("accounts.guardian_letter")
def guardian_letter(job: RunningJob) -> None:
    """Write to the guardian of a child's account. Payload as for `accounts.letter`."""
    send_guardian_letter(
        letter=job.payload["letter"], user_id=job.payload["user"], asked=job.payload["asked"], now=job.now
    )


@handler("accounts.forget_rights_changes", daily=True)
def forget_rights_changes(job: RunningJob) -> None:
    """Delete changes of rights of which every live stream has heard."""
    forget_changes(job.now)
