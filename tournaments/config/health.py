"""The health check for load balancers, containers and launchers."""

import logging
from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse

from engine.version import VERSION
from tournaments.common import clock, heartbeats
from tournaments.web.condition import Condition, measure

logger = logging.getLogger(__name__)


def health(request: HttpRequest) -> HttpResponse:
    """Answer 200 if the database reads and writes, with what an operator should know; else 503.

    The first lines are always `ok`, the seconds by which the oldest job is overdue, and the version. Each further line
    names something that is wrong but does not stop the site; the last is the age of the newest backup in hours.
    """
    now = clock.now()
    try:
        condition = measure(now)
    except DatabaseError as error:
        return _down("unreachable", error)
    try:
        heartbeats.try_write(now)
    except DatabaseError as error:
        return _down("read-only", error)
    lines = ["ok", f"queue {_overdue(condition)}", f"version {VERSION}", *_worries(condition, now)]
    return HttpResponse("".join(f"{line}\n" for line in lines), content_type="text/plain")


def _overdue(condition: Condition) -> str:
    return "unknown" if condition.overdue is None else str(int(condition.overdue.total_seconds()))


def _worries(condition: Condition, now: datetime) -> Iterator[str]:
    if not condition.cache:
        yield "cache unreachable"
    if not condition.queue:
        yield "queue unreachable"
    if condition.overdue is None:
        yield "database busy"
    for what, number in (("jobs", condition.failed_jobs), ("checks", condition.failed_checks)):
        if number:
            yield f"failed {what} {number}"
    for name in condition.gone:
        yield f"{name} gone"
    if condition.keeps_backups:
        last = condition.last_backup
        yield f"backup {(now - last) // timedelta(hours=1)}" if last else "backup none"


def _down(how: str, error: DatabaseError) -> HttpResponse:
    logger.error("the database is %s (%s)", how, type(error).__name__)
    return HttpResponse(f"database {how}\n", status=503, content_type="text/plain")
