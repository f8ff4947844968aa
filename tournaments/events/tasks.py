"""Job handlers: import entrants from a large file, e-mail invitations, and delete files and addresses when due."""

from tournaments.common.jobs import RunningJob, handler
from tournaments.events.imports import forget_import, run_import
from tournaments.events.invitations import forget_address, send_invitation


@handler("events.import")
def enter(job: RunningJob) -> None:
    """Enter everybody of a confirmed import. Payload: `import` (its key) and `by` (key of the confirming account)."""
    run_import(import_id=job.payload["import"], by=job.payload["by"], now=job.now, progress=job.progress)


@handler("events.forget_import")
def forget_file(job: RunningJob) -> None:
    """Delete an import with its file. Payload: `import` (its key)."""
    forget_import(import_id=job.payload["import"])


@handler("events.invite")
def invite(job: RunningJob) -> None:
    """E-mail an invitation. Payload: `invitation` (its key)."""
    send_invitation(invitation_id=job.payload["invitation"], now=job.now)


@handler("events.forget_address")
def forget(job: RunningJob) -> None:
    """Delete the address of an expired invitation. Payload: `invitation` (its key)."""
    forget_address(invitation_id=job.payload["invitation"])
