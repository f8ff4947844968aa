"""The health check for load balancers, containers and launchers."""

import logging

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse

from engine.version import VERSION
from tournaments.common import broker, caching, clock, jobs

logger = logging.getLogger(__name__)


def health(request: HttpRequest) -> HttpResponse:
    """Answer 200 if the database does, with the seconds by which the oldest job is overdue and the version; else 503.

    An unreachable cache or queue is named on a line of its own and is still a 200: the site works without them.
    """
    try:
        overdue = jobs.overdue(clock.now())
    except DatabaseError as error:
        logger.error("the database does not answer (%s)", type(error).__name__)
        return HttpResponse("database unreachable\n", status=503, content_type="text/plain")
    lines = ["ok", f"queue {int(overdue.total_seconds())}", f"version {VERSION}"]
    if not caching.is_reachable():
        lines.append("cache unreachable")
    if not broker.is_reachable():
        lines.append("queue unreachable")
    return HttpResponse("".join(f"{line}\n" for line in lines), content_type="text/plain")
