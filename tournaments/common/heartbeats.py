"""Signs of life: when a worker and beat last swept, and whether the database can be written."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta

from django.db import DatabaseError, IntegrityError, connection, transaction

from tournaments.common import jobs
from tournaments.common.models import Heartbeat, Job
from tournaments.common.outages import is_busy

WORKER, BEAT, HEALTH = "worker", "beat", "health"
GONE = timedelta(minutes=3)  # without a sweep: 18 of them are missing
FORGOTTEN = timedelta(days=7)  # a beat that has been away for so long was switched off on purpose
LONGEST_WAIT = 1000  # milliseconds that a trial write waits for a lock


def stamp(name: str, now: datetime) -> None:
    """Note that something is alive."""
    if not Heartbeat.objects.filter(name=name).update(at=now):
        with suppress(IntegrityError), transaction.atomic():
            Heartbeat.objects.create(name=name, at=now)


def gone(now: datetime) -> list[str]:
    """Which of worker and beat have been there and have stopped, by name.

    A worker whose processes are all busy with long jobs does not sweep, but renews their leases. Without a worker
    nothing is known of beat, because it is the worker that notes the sweeps of both.
    """
    last = dict(Heartbeat.objects.filter(name__in=(WORKER, BEAT)).values_list("name", "at"))
    if WORKER not in last:
        return [WORKER] if jobs.no_worker_runs(now) else []
    if last[WORKER] <= now - GONE and not Job.objects.filter(status=Job.Status.RUNNING, lease_until__gt=now).exists():
        return [WORKER]
    return [BEAT] if BEAT in last and now - FORGOTTEN < last[BEAT] <= now - GONE else []


def try_write(now: datetime) -> None:
    """Write one row, waiting only briefly. Raises DatabaseError if the database takes no writes.

    A database that is busy with the writes of others does take them.
    """
    try:
        with short_waits():
            stamp(HEALTH, now)
    except DatabaseError as error:
        if not is_busy(error):
            raise


@contextmanager
def short_waits() -> Iterator[None]:
    """A block whose statements wait only briefly: for at most a second for a lock, and two in all."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA busy_timeout")
            (usual,) = cursor.fetchone()
            cursor.execute(f"PRAGMA busy_timeout={LONGEST_WAIT}")
            try:
                yield
            finally:
                cursor.execute(f"PRAGMA busy_timeout={usual}")
    else:
        with transaction.atomic(), connection.cursor() as cursor:
            limits = (LONGEST_WAIT, 2 * LONGEST_WAIT)
            cursor.execute("SET LOCAL lock_timeout={}; SET LOCAL statement_timeout={}".format(*limits))
            yield
