"""The one place that asks what time it is; services are told `now`."""

from datetime import datetime

from django.utils import timezone


def now() -> datetime:
    """The present instant, in UTC. Taken once at the edge of a request, a command or a job."""
    return timezone.now()
