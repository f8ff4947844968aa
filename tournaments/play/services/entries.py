"""One line of the ledger, for an event reached from anything in play."""

from datetime import datetime

from tournaments.accounts.models import User
from tournaments.common import ledger
from tournaments.common.models import LedgerEntry
from tournaments.events.models import Event


def record(
    event: Event,
    by: User | None,
    code: str,
    now: datetime,
    *,
    object: str,
    before: object = None,
    after: object = None,
    note: str = "",
) -> LedgerEntry:
    """Append to the event's ledger; `by` is None for what a job did."""
    return ledger.record(
        chain=event.public_id,
        actor=by.public_id if by else "system",
        code=code,
        object=object,
        now=now,
        before=before,
        after=after,
        note=note,
    )
