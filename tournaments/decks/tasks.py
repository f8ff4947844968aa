"""Job handlers: read an uploaded card list, and delete it after a day."""

from tournaments.common.jobs import RunningJob, handler
from tournaments.decks.catalogues import forget_upload, read_upload


@handler("decks.read_cards")
def read_cards(job: RunningJob) -> None:
    """Read an uploaded card list. Payload: `upload` (its key)."""
    read_upload(upload_id=job.payload["upload"], progress=job.progress)


@handler("decks.forget_cards")
def forget_cards(job: RunningJob) -> None:
    """Delete an uploaded card list. Payload: `upload` (its key)."""
    forget_upload(upload_id=job.payload["upload"])
