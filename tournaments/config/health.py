"""Whether this process serves: asked by balancers, containers and launchers."""

import logging

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse

from tournaments.common import clock, jobs

logger = logging.getLogger(__name__)


def health(request: HttpRequest) -> HttpResponse:
    """200 when the database answers, with the seconds that the oldest job is overdue; else 503."""
    try:
        overdue = jobs.overdue(clock.now())
    except DatabaseError as error:
        logger.error("the database does not answer (%s)", type(error).__name__)
        return HttpResponse("database unreachable\n", status=503, content_type="text/plain")
    return HttpResponse(f"ok\nqueue {int(overdue.total_seconds())}\n", content_type="text/plain")
