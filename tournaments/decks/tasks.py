"""Job handlers: read an uploaded card list, submit the decklists of imported entrants, delete both after a day."""

from tournaments.common.jobs import RunningJob, handler
from tournaments.decks import entry_lists
from tournaments.decks.catalogues import forget_upload, read_upload


@handler("decks.read_cards")
def read_cards(job: RunningJob) -> None:
    """Read an uploaded card list. Payload: `upload` (its key)."""
    read_upload(upload_id=job.payload["upload"], progress=job.progress)


@handler("decks.forget_cards")
def forget_cards(job: RunningJob) -> None:
    """Delete an uploaded card list. Payload: `upload` (its key)."""
    forget_upload(upload_id=job.payload["upload"])


@handler("decks.enter_lists")
def enter_lists(job: RunningJob) -> None:
    """Submit the decklists that came in with entrants. Payload: `batch` (its key)."""
    entry_lists.enter_lists(batch_id=job.payload["batch"], now=job.now, progress=job.progress)


@handler("decks.forget_lists")
def forget_lists(job: RunningJob) -> None:
    """Delete decklists that came in with entrants and were not submitted. Payload: `batch` (its key)."""
    entry_lists.forget_lists(batch_id=job.payload["batch"])
