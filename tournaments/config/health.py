"""Whether this process serves: asked by balancers, containers and launchers."""

import logging

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse

from tournaments.common import broker, caching, clock, jobs

logger = logging.getLogger(__name__)


def health(request: HttpRequest) -> HttpResponse:
    """200 when the database answers, with the seconds that the oldest job is overdue; else 503.

    What else is away is named in lines of its own: the site goes on without it.
    """
    try:
        overdue = jobs.overdue(clock.now())
    except DatabaseError as error:
        logger.error("the database does not answer (%s)", type(error).__name__)
        return HttpResponse("database unreachable\n", status=503, content_type="text/plain")
    lines = ["ok", f"queue {int(overdue.total_seconds())}"]
    if not caching.is_reachable():
        lines.append("cache unreachable")
    if not broker.is_reachable():
        lines.append("queue unreachable")
    return HttpResponse("".join(f"{line}\n" for line in lines), content_type="text/plain")
