"""The health check for load balancers, containers and launchers."""

import logging
from collections.abc import Iterator
from datetime import datetime, timedelta

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse

from engine.version import VERSION
from tournaments.archive.selectors import failed_checks
from tournaments.common import broker, caching, clock, heartbeats, jobs, kept_backups
from tournaments.common.outages import is_busy, is_slow

logger = logging.getLogger(__name__)


def health(request: HttpRequest) -> HttpResponse:
    """Answer 200 if the database reads and writes, with what an operator should know; else 503.

    The first lines are always `ok`, the seconds by which the oldest job is overdue, and the version. Each further line
    names something that is wrong but does not stop the site; the last is the age of the newest backup in hours.
    """
    now = clock.now()
    try:
        queue, worries = _measured(now)
    except DatabaseError as error:
        return _down("unreachable", error)
    try:
        heartbeats.try_write(now)
    except DatabaseError as error:
        return _down("read-only", error)
    lines = ["ok", f"queue {queue}", f"version {VERSION}", *_services(), *worries]
    return HttpResponse("".join(f"{line}\n" for line in lines), content_type="text/plain")


def _measured(now: datetime) -> tuple[str, list[str]]:
    """By how many seconds the oldest job is overdue, and what the database says is wrong.

    The first is `unknown` if somebody has locked what it is read from, or if it takes too long. It must not look like a
    failure of this process, or all web processes would be taken out of service for it.
    """
    try:
        with heartbeats.short_waits():
            return str(int(jobs.overdue(now).total_seconds())), list(_worries(now))
    except DatabaseError as error:
        if not (is_busy(error) or is_slow(error)):
            raise
        return "unknown", ["database busy"]


def _services() -> Iterator[str]:
    if not caching.is_reachable():
        yield "cache unreachable"
    if not broker.is_reachable():
        yield "queue unreachable"


def _worries(now: datetime) -> Iterator[str]:
    for what, number in (("jobs", jobs.failed()), ("checks", failed_checks())):
        if number:
            yield f"failed {what} {number}"
    for name in heartbeats.gone(now):
        yield f"{name} gone"
    if settings.BACKUP_DIR:
        last = kept_backups.last_good()
        yield f"backup {(now - last) // timedelta(hours=1)}" if last else "backup none"


def _down(how: str, error: DatabaseError) -> HttpResponse:
    logger.error("the database is %s (%s)", how, type(error).__name__)
    return HttpResponse(f"database {how}\n", status=503, content_type="text/plain")
