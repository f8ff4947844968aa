"""The one place that reads the clock. Services take `now` as an argument, so that tests can choose it."""

from datetime import datetime

from django.utils import timezone


def now() -> datetime:
    """The current time in UTC. Read it once, where a request, command or job begins, and pass it on."""
    return timezone.now()
