"""The outbox: work asked for inside a transaction, done outside the request by a Celery worker. See docs/jobs.md.

A service writes a `Job` row in its own transaction with `enqueue`; on commit one small message names the row. The
message is only a hint: losing it, or getting it twice, costs nothing, because the row alone decides and `sweep` sends
again whatever is due. A row is claimed by a conditional update under a lease that a heartbeat renews, so a killed
worker's job is taken over when its lease runs out, and a worker that lost its lease can change nothing any more.

Handlers must be idempotent and read the newest state themselves: a job may run twice, and the payload of several
requests for the same (kind, key) is the newest one only.
"""

import logging
import re
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from celery import current_app
from django.db import DatabaseError, IntegrityError, connections, transaction
from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, When

from tournaments.common import clock, idempotency
from tournaments.common.models import Job
from tournaments.common.outages import outage_of
from tournaments.common.refusals import Refusal

logger = logging.getLogger(__name__)

TASK = "common.run_job"
SWEEP = "common.sweep"
LEASE = timedelta(seconds=15)
SKEW = timedelta(seconds=15)  # by which the clocks of two machines may differ; what is further ahead was set back
HEARTBEAT = 5.0  # seconds between two renewals: two may fail before the lease is lost
ATTEMPTS = 8
LONGEST_DELAY = timedelta(seconds=60)
SWEEP_EVERY = 10.0  # seconds; broker.py tells a separate beat the same
SWEEP_AT_MOST = 500  # jobs sent again by one sweep, so that a long queue does not fill with copies
KEPT = timedelta(days=7)  # done jobs are pruned after this
PATIENCE = timedelta(minutes=2)  # a job that is due and not begun by then: no worker answers
DAY = timedelta(days=1)
QUIET = 5.0  # seconds without sending after the broker failed, so that pages are not slowed
PROGRESS_EVERY = 1.0  # seconds between two writes of a job's progress
ADDRESS = re.compile(r"[^\s@]+@[^\s@]+")

Status = Job.Status


@dataclass(frozen=True)
class JobState:
    """What a page shows of the work for one (kind, key): its newest job, a running one before a pending one."""

    id: int
    status: str
    progress: int
    error: str
    attempts: int


@dataclass
class Lease:
    """The right to finish one job, good until it runs out. `at()` counts from the instant of the claim."""

    job_id: int
    token: str
    claimed_at: datetime
    lost: bool = False
    _started: float = field(default_factory=time.monotonic)

    def at(self) -> datetime:
        """The present instant, by a clock that never jumps while the job runs."""
        return self.claimed_at + timedelta(seconds=time.monotonic() - self._started)

    def write(self, **fields: Any) -> bool:
        """Change the job if it is still ours; False when the lease went to another worker."""
        mine = Job.objects.filter(pk=self.job_id, lease_token=self.token, status=Status.RUNNING)
        self.lost = mine.update(**fields) == 0
        return not self.lost


class LeaseLost(Exception):
    """Another worker has taken the job over: what is still to be done here would be done twice."""


@dataclass
class RunningJob:
    """What a handler is given: `kind`, `key`, `payload`, the number of this attempt from 1, and `now`."""

    id: int
    kind: str
    key: str
    payload: dict[str, Any]
    attempt: int
    now: datetime
    lease: Lease = field(repr=False)
    _written: float = field(default=float("-inf"), repr=False)

    def progress(self, percent: int) -> None:
        """Show how far the work is, 0 to 100; written at most once a second. Call it outside transactions.

        Raises LeaseLost once another worker has the job: long work asks often, and stops there.
        """
        if not self.lease.lost and time.monotonic() - self._written >= PROGRESS_EVERY:
            self._written = time.monotonic()
            self.lease.write(progress=max(0, min(100, percent)))
        if self.lease.lost:
            raise LeaseLost


Handler = Callable[[RunningJob], None]
Progress = Callable[[int], None]
_handlers: dict[str, Handler] = {}
_daily: set[str] = set()


def unseen(percent: int) -> None:
    """The progress of work that nobody watches: done by a command, or in a test."""


def handler(kind: str, *, daily: bool = False) -> Callable[[Handler], Handler]:
    """Register a function as the one that does jobs of `kind`; RuntimeError when the kind is taken.

    A `daily` one is asked for once a day by the workers' sweep, under the empty key.
    """

    def register(function: Handler) -> Handler:
        if kind in _handlers:
            raise RuntimeError(f"two handlers for jobs of kind {kind!r}")
        _handlers[kind] = function
        if daily:
            _daily.add(kind)
        return function

    return register


def kinds() -> frozenset[str]:
    """Every kind of job that has a handler here."""
    return frozenset(_handlers)


def enqueue(
    kind: str, key: str, *, now: datetime, payload: dict[str, Any] | None = None, run_after: datetime | None = None
) -> Job:
    """Ask for work, inside the transaction of what makes it necessary; it is sent when that commits.

    A job already pending for (kind, key) is reused: it takes the newest payload, the earlier `run_after`, and its
    attempts afresh. A running one is not: it may have read the state of before, so a new row follows it.
    """
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("a job is enqueued inside the transaction that makes it necessary")
    wanted = Job(kind=kind, key=key, payload=payload or {}, run_after=run_after or now, created_at=now)
    waiting = Job.objects.filter(kind=kind, key=key, status=Status.PENDING)
    # The update locks the pending row until our commit: whoever claims it waits, and then reads our payload and our
    # changes. When none is pending, or it was claimed an instant ago, the insert makes one; when someone else's
    # insert comes first, the next turn joins it: the savepoint keeps the caller's transaction whole.
    while True:
        if waiting.filter(run_after__lte=wanted.run_after).update(payload=wanted.payload, attempts=0, error=""):
            # Its message is under way already: a second one would only lengthen the queue.
            return waiting.get()
        if waiting.update(payload=wanted.payload, run_after=wanted.run_after, attempts=0, error=""):
            break
        with suppress(IntegrityError), transaction.atomic():
            wanted.save(force_insert=True)
            break
    job = waiting.get()
    transaction.on_commit(partial(send, job.pk, after=job.run_after - now), robust=True)
    return job


def states_of(kind: str, keys: Iterable[str]) -> dict[str, JobState]:
    """What to show of the work for each key, where any was ever asked for (and not pruned); one query."""
    order = Case(When(status=Status.RUNNING, then=2), When(status=Status.PENDING, then=1), default=0)
    rows = Job.objects.filter(kind=kind, key__in=list(keys)).order_by(order, "pk")
    # The last one of a key wins: a running job before a pending one, and of what has ended the newest.
    return {job.key: JobState(job.pk, job.status, job.progress, job.error, job.attempts) for job in rows}


def state_of(kind: str, key: str) -> JobState | None:
    """What to show of the work for this; None when none was ever asked for (or it was pruned)."""
    return states_of(kind, [key]).get(key)


_quiet_until = float("-inf")


def send(job_id: int, *, after: timedelta = timedelta(0)) -> bool:
    """Tell the workers of a job; False when the broker is down, which is logged and mended by the sweep.

    `after` delays it; beyond the next sweep nothing is sent, since the sweep will.
    """
    global _quiet_until
    seconds = after.total_seconds()
    if seconds > SWEEP_EVERY or time.monotonic() < _quiet_until:
        return False
    # A little late rather than early: a worker refuses a job that is not due.
    countdown = seconds + 0.05 if seconds > 0 else None
    try:
        current_app.send_task(TASK, args=[job_id], countdown=countdown, ignore_result=True, retry=False)
    except Exception as error:
        _quiet_until = time.monotonic() + QUIET
        logger.warning("the broker is not reachable (%s); the sweep will send job %s", type(error).__name__, job_id)
        return False
    return True


def sweep(now: datetime) -> int:
    """Send again every job that is due, prune old done ones; how many were sent. Harmless when run twice.

    Jobs that wait for an instant of a clock that was set back since are brought to the clock of now.
    """
    _prune(now)
    idempotency.prune(now)
    _follow_clock(now)
    sent = 0
    for job_id in _due(now).order_by("run_after").values_list("pk", flat=True)[:SWEEP_AT_MOST]:
        if not send(job_id):
            break
        sent += 1
    return sent


def ask_daily(now: datetime) -> None:
    """Ask for each daily job that was not asked for in the last 24 hours."""
    for kind in sorted(_daily):
        if not Job.objects.filter(kind=kind, key="", created_at__gt=now - DAY, created_at__lte=now + SKEW).exists():
            with transaction.atomic():
                enqueue(kind, "", now=now)


def run_due(now: datetime) -> int:
    """Run every job due at `now` here, without a broker, until none is left: for commands and tests."""
    ran = 0
    while job_ids := list(_due(now).order_by("run_after", "pk").values_list("pk", flat=True)):
        done = sum(run(job_id, now=now) for job_id in job_ids)
        if not done:
            break
        ran += done
    return ran


def retry(job_id: int, *, now: datetime) -> bool:
    """Give a failed job its attempts afresh; False when it has not failed, or newer work is pending for its key."""
    failed = Job.objects.filter(pk=job_id, status=Status.FAILED)
    try:
        with transaction.atomic():
            if not failed.update(status=Status.PENDING, attempts=0, error="", run_after=now, finished_at=None):
                return False
            transaction.on_commit(partial(send, job_id), robust=True)
    except IntegrityError:
        return False
    return True


def overdue(now: datetime) -> timedelta:
    """How long the oldest job that is due has waited for a worker; nothing while workers keep up."""
    oldest = _due(now).order_by("run_after").values_list("run_after", flat=True).first()
    return max(now - oldest, timedelta(0)) if oldest is not None else timedelta(0)


def nobody_works(now: datetime) -> bool:
    """Whether jobs have waited so long that no worker can be there."""
    return overdue(now) >= PATIENCE


def _due(now: datetime) -> QuerySet[Job]:
    return Job.objects.filter(Q(status=Status.PENDING, run_after__lte=now) | Q(status=Status.RUNNING) & _ran_out(now))


def _ran_out(now: datetime) -> Q:
    """Jobs whose lease has run out, or ends later than any lease can: it was given by a clock that was set back."""
    return Q(lease_until__lte=now) | Q(lease_until__gt=now + LEASE + SKEW)


def _follow_clock(now: datetime) -> None:
    """Bring pending jobs that an earlier clock put too far ahead to the clock of now: each waits what it asked for."""
    ahead = Job.objects.filter(status=Status.PENDING, run_after__gt=now + SKEW)
    for job in ahead.filter(created_at__gt=now + SKEW).order_by("pk")[:SWEEP_AT_MOST]:
        delay = max(job.run_after - job.created_at, timedelta(0))
        waiting = Job.objects.filter(pk=job.pk, status=Status.PENDING, run_after=job.run_after)
        waiting.update(run_after=now + delay, created_at=now)
    # The next attempt of a job is never so far away.
    tried = ahead.filter(Q(attempts__gt=0) | ~Q(error=""))
    tried.filter(run_after__gt=now + LONGEST_DELAY + SKEW).update(run_after=now)


def _prune(now: datetime) -> None:
    # Only the oldest are looked at, by primary key, so a sweep costs the same however long the history is.
    oldest = Job.objects.filter(status=Status.DONE).order_by("pk").values_list("pk", "finished_at")[:SWEEP_AT_MOST]
    old = [pk for pk, finished_at in oldest if finished_at is not None and finished_at < now - KEPT]
    if old:
        Job.objects.filter(pk__in=old).delete()


def run(job_id: int, *, now: datetime | None = None) -> bool:
    """Claim a job and do it; False when it was not ours to do (done, not due, or another worker has it).

    True says that its handler was called, not that it succeeded: the row tells.
    """
    lease = _claim(job_id, now or clock.now())
    if lease is None:
        return False
    job = Job.objects.get(pk=job_id)  # after the claim: what was enqueued before it is in the payload
    if job.attempts >= ATTEMPTS:
        _end(lease, Status.FAILED, error="the worker was lost each time")
    else:
        with _heartbeat(lease):
            _do(job, lease)
    _send_next(job, lease.at())
    return True


def _claim(job_id: int, now: datetime) -> Lease | None:
    lease = Lease(job_id, secrets.token_hex(16), now)
    # One job a (kind, key) at a time: what follows a running one waits, and is sent when that ends.
    rival = Job.objects.filter(
        kind=OuterRef("kind"),
        key=OuterRef("key"),
        status=Status.RUNNING,
        lease_until__gt=now,
        lease_until__lte=now + LEASE + SKEW,
    ).exclude(pk=OuterRef("pk"))
    row = Job.objects.filter(~Exists(rival), pk=job_id)
    fields = {"status": Status.RUNNING, "lease_token": lease.token, "lease_until": now + LEASE}
    waiting = row.filter(status=Status.PENDING, run_after__lte=now)
    # A worker that died on it counts as an attempt, else a job that kills workers would kill them for ever.
    abandoned = row.filter(_ran_out(now), status=Status.RUNNING)
    won = waiting.update(**fields, progress=0) or abandoned.update(**fields, attempts=F("attempts") + 1)
    return lease if won else None


def _do(job: Job, lease: Lease) -> None:
    try:
        function = _handlers.get(job.kind)
        if function is None:
            raise LookupError("no handler for this kind")
        function(RunningJob(job.pk, job.kind, job.key, job.payload, job.attempts + 1, lease.claimed_at, lease))
    except LeaseLost:
        logger.warning("job %s was taken over by another worker; it stops here", job.pk)
    except Refusal as refusal:
        _end(lease, Status.FAILED, error=refusal.code)
    except Exception as error:
        outage = outage_of(error)
        if outage is not None:
            logger.error("job %s (%s) waits: %s", job.pk, job.kind, outage.code)
            _put_off(job, lease, _described(error), job.attempts, timedelta(seconds=outage.wait))
            return
        logger.exception("job %s (%s) raised on attempt %s", job.pk, job.kind, job.attempts + 1)
        _try_later(job, lease, _described(error))
    else:
        _end(lease, Status.DONE, progress=100)


def _end(lease: Lease, status: str, *, error: str = "", **fields: int) -> None:
    if not lease.write(status=status, error=error, finished_at=lease.at(), lease_until=None, **fields):
        logger.warning("job %s was taken over by another worker; its end here changes nothing", lease.job_id)


def _try_later(job: Job, lease: Lease, error: str) -> None:
    attempts = job.attempts + 1
    if attempts >= ATTEMPTS:
        _end(lease, Status.FAILED, error=error, attempts=attempts)
        return
    _put_off(job, lease, error, attempts, min(timedelta(seconds=2 ** (attempts - 1)), LONGEST_DELAY))


def _put_off(job: Job, lease: Lease, error: str, attempts: int, delay: timedelta) -> None:
    """Let a job be tried again after a while; an outage is no attempt."""
    try:
        with transaction.atomic():
            lease.write(
                status=Status.PENDING, attempts=attempts, error=error, run_after=lease.at() + delay, lease_until=None
            )
    except IntegrityError:
        # Newer work waits for the same key, and will read a newer state: this job has nothing left to do.
        _end(lease, Status.DONE, error=f"superseded after {error}", attempts=attempts)


def _described(error: Exception) -> str:
    """The type and the first line of the message. Databases put the values of rows in the lines below."""
    first = (str(error).splitlines() or [""])[0][:300]
    return f"{type(error).__name__}: {ADDRESS.sub('<address>', first)}"


def _send_next(job: Job, now: datetime) -> None:
    """Send what waits for the same key: what came in meanwhile, or this very job for its next attempt."""
    waiting = Job.objects.filter(kind=job.kind, key=job.key, status=Status.PENDING).values_list("pk", "run_after")
    for pk, run_after in waiting:
        send(pk, after=run_after - now)


@contextmanager
def _heartbeat(lease: Lease) -> Iterator[None]:
    stop = threading.Event()
    thread = threading.Thread(target=_renew, args=(lease, stop), name=f"lease of job {lease.job_id}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _renew(lease: Lease, stop: threading.Event) -> None:
    try:
        while not stop.wait(HEARTBEAT):
            try:
                if not lease.write(lease_until=lease.at() + LEASE):
                    return
            except DatabaseError:
                logger.warning("the lease of job %s could not be renewed", lease.job_id, exc_info=True)
    finally:
        with suppress(DatabaseError):
            connections.close_all()
