"""Job handlers: import entrants from a large file, e-mail invitations, and delete files and addresses when due."""

from tournaments.common.jobs import RunningJob, handler
from tournaments.events.entry_invitations import forget_expired, send_letters
from tournaments.events.imports import forget_import, run_import
from tournaments.events.invitations import forget_address, send_invitation


@handler("events.import")
def enter(job: RunningJob) -> None:
    """Enter everybody of a confirmed import.

    Payload: `import` (its key), `by` (key of the confirming account) and `invite` (whether they are invited).
    """
    asked = job.payload
    invite = asked.get("invite", False)
    run_import(import_id=asked["import"], by=asked["by"], invite=invite, now=job.now, progress=job.progress)


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


@handler("events.invite_entrants")
def invite_entrants(job: RunningJob) -> None:
    """E-mail the invitations of an event to take over entries. Payload: `event` (its key)."""
    send_letters(event_id=job.payload["event"], now=job.now, progress=job.progress)


@handler("events.forget_entry_addresses", daily=True)
def forget_entry_addresses(job: RunningJob) -> None:
    """Delete the addresses of expired invitations to take over an entry."""
    forget_expired(now=job.now)
