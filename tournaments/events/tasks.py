"""The jobs that enter the people of a long file, write to an event's team, and forget files and addresses."""

from tournaments.common.jobs import RunningJob, handler
from tournaments.events.imports import forget_import, run_import
from tournaments.events.invitations import forget_address, send_invitation


@handler("events.import")
def enter(job: RunningJob) -> None:
    """Payload: `import`, its key, and `by`, who confirmed it."""
    run_import(import_id=job.payload["import"], by=job.payload["by"], now=job.now, progress=job.progress)


@handler("events.forget_import")
def forget_file(job: RunningJob) -> None:
    """Payload: `import`, its key."""
    forget_import(import_id=job.payload["import"])


@handler("events.invite")
def invite(job: RunningJob) -> None:
    """Payload: `invitation`."""
    send_invitation(invitation_id=job.payload["invitation"], now=job.now)


@handler("events.forget_address")
def forget(job: RunningJob) -> None:
    """Payload: `invitation`."""
    forget_address(invitation_id=job.payload["invitation"])
