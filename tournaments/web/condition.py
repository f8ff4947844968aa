"""What an operator should know about the site, for `/healthz` and for the operator's page."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.conf import settings
from django.db import DatabaseError

from tournaments.archive.selectors import failed_checks
from tournaments.common import broker, caching, heartbeats, jobs, kept_backups
from tournaments.common.outages import is_busy, is_slow


@dataclass(frozen=True)
class Condition:
    """What works and what does not.

    - `overdue`: by how long the oldest job is overdue; None if the database is too busy to say, and then nothing else
      that the database knows is known either
    - `gone`: which of worker and beat have stopped, by name
    - `last_backup`: when the last good backup was made; `keeps_backups` is whether any are made at all
    """

    cache: bool
    queue: bool
    overdue: timedelta | None
    failed_jobs: int = 0
    failed_checks: int = 0
    gone: tuple[str, ...] = ()
    keeps_backups: bool = False
    last_backup: datetime | None = None


def measure(now: datetime) -> Condition:
    """Ask the database, the cache, the queue and the folder of backups. Raises DatabaseError without a database.

    A database that is busy, because somebody has locked a table or because it takes too long, must not look like a
    failure of this process, or all web processes would be taken out of service for it.
    """
    found = Condition(
        cache=caching.is_reachable(),
        queue=broker.is_reachable(),
        overdue=None,
        keeps_backups=bool(settings.BACKUP_DIR),
        last_backup=kept_backups.last_good() if settings.BACKUP_DIR else None,
    )
    try:
        with heartbeats.short_waits():
            return replace(
                found,
                overdue=jobs.overdue(now),
                failed_jobs=jobs.failed(),
                failed_checks=failed_checks(),
                gone=tuple(heartbeats.gone(now)),
            )
    except DatabaseError as error:
        if is_busy(error) or is_slow(error):
            return found
        raise
