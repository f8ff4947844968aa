"""Ledger entries for actions of play."""

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
    """Append an entry to the ledger of an event. `by` is None for what a job does. See `ledger.record`."""
    return ledger.record(
        chain=event.public_id,
        actor=by.public_id if by else ledger.SYSTEM,
        code=code,
        object=object,
        now=now,
        before=before,
        after=after,
        note=note,
    )
