"""The outbox: work that is enqueued inside a transaction and done later by a Celery worker. See docs/jobs.md.

A service writes a `Job` row in its own transaction with `enqueue`; on commit, a small message that names the row is
sent. The message is only a hint: losing it or getting it twice does no harm, because the row alone decides, and `sweep`
sends a new message for whatever is due. A worker claims a row with a conditional update, under a lease that a heartbeat
renews. So a killed worker's job is taken over when its lease runs out, and a worker that lost its lease can no longer
change anything.

Handlers must be idempotent and read the newest state themselves: a job may run twice, and of several requests for the
same (kind, key), only the newest payload is stored.
"""

import logging
import os
import re
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from celery import current_app, shared_task
from django.db import DatabaseError, IntegrityError, close_old_connections, connections, transaction
from django.db.models import Case, Count, Exists, F, Min, OuterRef, Q, QuerySet, When
from django.db.models.functions import Greatest

from tournaments.common import clock, idempotency, request_ids
from tournaments.common.models import Job
from tournaments.common.outages import is_slow, outage_of
from tournaments.common.prepared import Prepared
from tournaments.common.refusals import Refusal

logger = logging.getLogger(__name__)

TASK = "common.run_job"  # for jobs of a kind that has no handler here; in earlier versions, for all jobs
SWEEP = "common.sweep"
SENT_BY = "sent_by"  # the header of a message that starts a sweep: beat names itself there
LEASE = timedelta(seconds=15)
SKEW = timedelta(seconds=15)  # between the clocks of two machines; a time further ahead means a clock was set back
HEARTBEAT = 5.0  # seconds between two renewals: two may fail before the lease runs out
ATTEMPTS = 8
LONGEST_DELAY = timedelta(seconds=60)
SWEEP_EVERY = 10.0  # seconds; the same as in the `beat_schedule` of broker.py
SWEEP_AT_MOST = 500  # messages sent by one sweep, so that a long queue does not fill up with copies
KEPT = timedelta(days=7)  # finished jobs are deleted after this
PATIENCE = timedelta(minutes=2)  # if a due job has not started by then, no worker is running
DAY = timedelta(days=1)
QUIET = 5.0  # seconds without sending after the broker failed, so that requests are not slowed down
PROGRESS_EVERY = 1.0  # seconds between two writes of a job's progress
ADDRESS = re.compile(r"[^\s@]+@[^\s@]+")

Status = Job.Status
_JOB = Prepared(lambda pk: Job.objects.filter(pk=pk), int)
_PENDING = Prepared(lambda kind, key: Job.objects.filter(kind=kind, key=key, status=Status.PENDING), str, str)


@dataclass(frozen=True)
class JobState:
    """The state of the work for one (kind, key), for pages: a running job, else a pending one, else the newest."""

    id: int
    status: str
    progress: int
    error: str
    attempts: int


@dataclass
class Load:
    """How much work of one kind there is: jobs by state, and how long the oldest due one has been waiting.

    A job whose worker was lost is due, not running.
    """

    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(("due", "waiting", "running", "failed"), 0))
    oldest: timedelta = timedelta(0)


@dataclass
class Lease:
    """The right to finish one job, valid until it runs out. `at()` counts from the time of the claim."""

    job_id: int
    token: str
    claimed_at: datetime
    lost: bool = False
    _started: float = field(default_factory=time.monotonic)

    def at(self) -> datetime:
        """The current time, by a clock that never jumps while the job runs."""
        return self.claimed_at + timedelta(seconds=time.monotonic() - self._started)

    def write(self, **fields: Any) -> bool:
        """Update the job's row if it is still ours. False if another worker has taken the job over."""
        mine = Job.objects.filter(pk=self.job_id, lease_token=self.token, status=Status.RUNNING)
        self.lost = mine.update(**fields) == 0
        return not self.lost


class LeaseLost(Exception):
    """Another worker has taken the job over: going on here would do the work twice."""


@dataclass
class RunningJob:
    """What a handler receives: the job, the number of this attempt (from 1), and `now`, the time of the claim."""

    id: int
    kind: str
    key: str
    payload: dict[str, Any]
    attempt: int
    now: datetime
    lease: Lease = field(repr=False)
    _written: float = field(default=float("-inf"), repr=False)

    def progress(self, percent: int) -> None:
        """Report progress from 0 to 100; written at most once a second. Call it outside transactions.

        Raises LeaseLost once another worker has the job: long work calls this often, and stops there.
        """
        if not self.lease.lost and time.monotonic() - self._written >= PROGRESS_EVERY:
            self._written = time.monotonic()
            self.lease.write(progress=max(0, min(100, percent)))
        if self.lease.lost:
            raise LeaseLost


Handler = Callable[[RunningJob], None]
BatchHandler = Callable[[list[RunningJob]], None]
Progress = Callable[[int], None]
_handlers: dict[str, Handler] = {}
_batches: dict[str, tuple[BatchHandler, int]] = {}  # with the size of the largest batch
_daily: set[str] = set()


def unseen(percent: int) -> None:
    """A `Progress` that reports to nobody, for work done by a command or a test."""


def handler(kind: str, *, daily: bool = False) -> Callable[[Handler], Handler]:
    """Register the decorated function as the handler for jobs of `kind`.

    The kind is also the name of a Celery task, so operators see what their workers do. A `daily` job is enqueued once a
    day by the workers' sweep, with an empty key. Raises RuntimeError if the kind has a handler already.
    """

    def register(function: Handler) -> Handler:
        if kind in _handlers:
            raise RuntimeError(f"two handlers for jobs of kind {kind!r}")
        _handlers[kind] = function
        shared_task(name=kind, bind=True)(run_message)
        if daily:
            _daily.add(kind)
        return function

    return register


def batch_handler(kind: str, *, at_most: int) -> Callable[[BatchHandler], BatchHandler]:
    """Register the decorated function as a handler that does up to `at_most` waiting jobs of `kind` in one call.

    If it raises, it is called again for each job of the batch alone, so one bad job does not hold up the others.
    """

    def register(function: BatchHandler) -> BatchHandler:
        handler(kind)(lambda job: function([job]))
        _batches[kind] = function, at_most
        return function

    return register


def run_message(task: Any, job_id: int) -> None:
    """Run one job of the outbox, if it is still to be done: what every Celery task of a kind does."""
    close_old_connections()
    try:
        with request_ids.known_as(task.request.get(request_ids.MESSAGE_HEADER) or ""):
            run(job_id)
    finally:
        close_old_connections()


def kinds() -> frozenset[str]:
    """Every kind of job that has a handler in this process."""
    return frozenset(_handlers)


def enqueue(
    kind: str, key: str, *, now: datetime, payload: dict[str, Any] | None = None, run_after: datetime | None = None
) -> Job:
    """Enqueue work inside the transaction that makes it necessary; its message is sent on commit.

    A job already pending for (kind, key) is reused: it takes the newest payload and the earlier `run_after`, and its
    attempts start afresh. A running one is not reused, because it may have read the old state; a new row follows it.
    Raises RuntimeError outside a transaction.

        with transaction.atomic():
            result.save()
            jobs.enqueue("standings.compute", str(stage.pk), payload={"stage": stage.pk}, now=now)
    """
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("a job is enqueued inside the transaction that makes it necessary")
    # Not before now: a pending job that is moved forward has an older `created_at`, and has not waited since then.
    due = max(run_after or now, now)
    wanted = Job(kind=kind, key=key, payload=payload or {}, run_after=due, created_at=now)
    waiting = Job.objects.filter(kind=kind, key=key, status=Status.PENDING)
    # The update locks the pending row until we commit: a worker that wants to claim it waits, and then reads our
    # payload and our changes. If no row is pending, the insert makes one; if a worker's claim or another insert comes
    # first, the next turn sees it. The savepoint keeps the caller's transaction usable after an IntegrityError.
    while True:
        if not _PENDING.rows(kind, key):
            with suppress(IntegrityError), transaction.atomic():
                wanted.save(force_insert=True)
                job = wanted
                break
        elif waiting.filter(run_after__lte=wanted.run_after).update(payload=wanted.payload, attempts=0, error=""):
            # Its message is on its way already: a second one would only lengthen the queue.
            return waiting.get()
        elif waiting.update(payload=wanted.payload, run_after=wanted.run_after, attempts=0, error=""):
            job = waiting.get()
            break
    # `robust`: the transaction is committed by then, so nothing that goes wrong here may fail the request.
    message = partial(send, job.pk, kind, after=job.run_after - now, request=request_ids.current())
    transaction.on_commit(message, robust=True)
    return job


def states_of(kind: str, keys: Iterable[str]) -> dict[str, JobState]:
    """The state of the work for each key that has any job, finished ones included until they are deleted. One query."""
    order = Case(When(status=Status.RUNNING, then=2), When(status=Status.PENDING, then=1), default=0)
    rows = Job.objects.filter(kind=kind, key__in=list(keys)).order_by(order, "pk")
    # The last row of a key wins: a running job over a pending one, and of the ended ones the newest.
    return {job.key: JobState(job.pk, job.status, job.progress, job.error, job.attempts) for job in rows}


def state_of(kind: str, key: str) -> JobState | None:
    """The state of the work for one key; None if it has no job, or only finished ones that were deleted."""
    return states_of(kind, [key]).get(key)


_quiet_until = float("-inf")


def send(job_id: int, kind: str, *, after: timedelta = timedelta(0), request: str = "") -> bool:
    """Send the message of a job to the workers. False if it was not sent; the sweep will send it later.

    A broker that is down is logged, and then left alone for `QUIET` seconds. `after` delays the message; a delay beyond
    the next sweep sends nothing. `request` is the id of the request that enqueued the job, for the worker's log. Only
    the message has it, and not the job's row: a message that the sweep sends has none.
    """
    global _quiet_until
    seconds = after.total_seconds()
    if seconds > SWEEP_EVERY or time.monotonic() < _quiet_until:
        return False
    # A little late rather than early: a worker skips a job that is not due.
    countdown = seconds + 0.05 if seconds > 0 else None
    try:
        headers = {request_ids.MESSAGE_HEADER: request} if request else None
        name = kind if kind in _handlers else TASK  # a worker drops a message with a name that it does not know
        current_app.send_task(
            name, args=[job_id], countdown=countdown, headers=headers, ignore_result=True, retry=False
        )
    except Exception as error:
        _quiet_until = time.monotonic() + QUIET
        logger.warning("the broker is not reachable (%s); the sweep will send job %s", type(error).__name__, job_id)
        return False
    return True


def sweep(now: datetime) -> int:
    """Send a new message for every job that is due, and return how many were sent. Harmless when run twice.

    It also deletes old finished jobs and old idempotency keys, and reschedules jobs that wait for a time given by a
    clock that has been set back since.
    """
    _prune(now)
    idempotency.prune(now)
    _follow_clock(now)
    sent = 0
    for job_id, kind in _due(now).order_by("run_after").values_list("pk", "kind")[:SWEEP_AT_MOST]:
        if not send(job_id, kind):  # the broker is down: the next sweep tries again
            break
        sent += 1
    return sent


def ask_daily(now: datetime) -> None:
    """Enqueue each daily job that was not enqueued in the last 24 hours."""
    for kind in sorted(_daily):
        # A job created further ahead than SKEW comes from a clock that was set back since, and does not count.
        if not Job.objects.filter(kind=kind, key="", created_at__gt=now - DAY, created_at__lte=now + SKEW).exists():
            with transaction.atomic():
                enqueue(kind, "", now=now)


def run_due(now: datetime) -> int:
    """Run every job due at `now` in this process until none is left; return how many. For commands and tests."""
    ran = 0
    while job_ids := list(_due(now).order_by("run_after", "pk").values_list("pk", flat=True)):
        done = sum(run(job_id, now=now) for job_id in job_ids)
        if not done:  # the rest is due but waits for a running job of the same key
            break
        ran += done
    return ran


def retry(job_id: int, *, now: datetime) -> bool:
    """Give a failed job a fresh set of attempts. False if it has not failed, or newer work is pending for its key."""
    failed = Job.objects.filter(pk=job_id, status=Status.FAILED)
    try:
        with transaction.atomic():
            if not failed.update(status=Status.PENDING, attempts=0, error="", run_after=now, finished_at=None):
                return False
            kind = Job.objects.values_list("kind", flat=True).get(pk=job_id)
            transaction.on_commit(partial(send, job_id, kind), robust=True)
    except IntegrityError:  # the constraint `one_pending_job`
        return False
    return True


def overdue(now: datetime) -> timedelta:
    """The longest that a job has waited since it was both due and asked for; zero while workers keep up."""
    # What is asked for today may have been due last week, as the reminder of an event that was played then.
    since = _due(now).annotate(since=Greatest("run_after", "created_at")).values_list("since", flat=True)
    oldest = since.order_by("since").first()
    return max(now - oldest, timedelta(0)) if oldest is not None else timedelta(0)


def loads(now: datetime) -> dict[str, Load]:
    """The load of every kind that has a handler, and of any other that has unfinished or failed jobs. Two queries."""
    found = {kind: Load() for kind in _handlers}
    due = _is_due(now)
    rows = Job.objects.filter(status__in=(Status.PENDING, Status.RUNNING)).values("kind").order_by("kind")
    for row in rows.annotate(
        due=Count("pk", filter=due),
        waiting=Count("pk", filter=Q(status=Status.PENDING) & ~due),
        running=Count("pk", filter=Q(status=Status.RUNNING) & ~due),
        since=Min(Greatest("run_after", "created_at"), filter=due),
    ):
        load = found.setdefault(row["kind"], Load())
        load.counts |= {name: row[name] for name in ("due", "waiting", "running")}
        load.oldest = max(now - row["since"], timedelta(0)) if row["since"] else timedelta(0)
    failed = Job.objects.filter(status=Status.FAILED).values_list("kind").annotate(Count("pk")).order_by("kind")
    for kind, count in failed:
        found.setdefault(kind, Load()).counts["failed"] = count
    return found


def failed() -> int:
    """Count the jobs that have failed for good, and that nobody has retried; they are deleted after 30 days."""
    return Job.objects.filter(status=Status.FAILED).count()


def no_worker_runs(now: datetime) -> bool:
    """Whether a job has waited so long that no worker can be running."""
    return overdue(now) >= PATIENCE


def _due(now: datetime) -> QuerySet[Job]:
    return Job.objects.filter(_is_due(now))


def _is_due(now: datetime) -> Q:
    return Q(status=Status.PENDING, run_after__lte=now) | Q(status=Status.RUNNING) & _ran_out(now)


def _ran_out(now: datetime) -> Q:
    """Match jobs whose lease has run out. One that ends later than any lease can is from a clock since set back."""
    return Q(lease_until__lte=now) | Q(lease_until__gt=now + LEASE + SKEW)


def _follow_clock(now: datetime) -> None:
    """Reschedule pending jobs that a clock since set back put too far ahead, each with its original delay."""
    ahead = Job.objects.filter(status=Status.PENDING, run_after__gt=now + SKEW)
    for job in ahead.filter(created_at__gt=now + SKEW).order_by("pk")[:SWEEP_AT_MOST]:
        delay = max(job.run_after - job.created_at, timedelta(0))
        waiting = Job.objects.filter(pk=job.pk, status=Status.PENDING, run_after=job.run_after)
        waiting.update(run_after=now + delay, created_at=now)
    # A retry is never further away than LONGEST_DELAY.
    tried = ahead.filter(Q(attempts__gt=0) | ~Q(error=""))
    tried.filter(run_after__gt=now + LONGEST_DELAY + SKEW).update(run_after=now)


def _prune(now: datetime) -> None:
    # Only the oldest rows are examined, by primary key, so a sweep costs the same however long the history is.
    oldest = Job.objects.filter(status=Status.DONE).order_by("pk").values_list("pk", "finished_at")[:SWEEP_AT_MOST]
    old = [pk for pk, finished_at in oldest if finished_at is not None and finished_at < now - KEPT]
    if old:
        Job.objects.filter(pk__in=old).delete()


def run(job_id: int, *, now: datetime | None = None) -> bool:
    """Claim a job and do it. False if it was not ours to do: ended, not due, or another worker has it.

    True means that the job was claimed and dealt with, not that it succeeded: its row says that. Waiting jobs of the
    same kind are done along with it if the handler takes batches.
    """
    known = _JOB.rows(job_id)
    if not known or known[0].status in (Status.DONE, Status.FAILED):
        return False  # the message came late: the job was done in a batch, or sent again by a sweep
    lease = _claim(job_id, now or clock.now())
    if lease is None:
        return False
    (job,) = _JOB.rows(job_id)  # read after the claim, so the payload is the newest one enqueued before it
    if job.attempts >= ATTEMPTS:  # by the loss of a worker: an exception would have ended it in `_try_later`
        _end(lease, Status.FAILED, error="the worker was lost each time")
        _send_next([job], lease.at())
        return True
    batch = [(job, lease), *_claim_more(job, lease)]
    with _heartbeat.keeps(lease for _job, lease in batch):
        if len(batch) == 1 or not _do_at_once(batch):
            for each in batch:
                _do(*each)
    _send_next([job for job, _lease in batch], lease.at())
    return True


def _claim(job_id: int, now: datetime) -> Lease | None:
    lease = Lease(job_id, secrets.token_hex(16), now)
    row = _without_rival(now).filter(pk=job_id)
    fields = _claimed_under(lease)
    waiting = row.filter(status=Status.PENDING, run_after__lte=now)
    # A lost worker counts as an attempt, or a job that kills workers would kill them forever.
    abandoned = row.filter(_ran_out(now), status=Status.RUNNING)
    won = waiting.update(**fields, progress=0) or abandoned.update(**fields, attempts=F("attempts") + 1)
    return lease if won else None


def _claim_more(job: Job, lease: Lease) -> list[tuple[Job, Lease]]:
    """Claim more jobs to do together with one just claimed; none unless its handler takes batches.

    A job that has been tried before is done alone.
    """
    _function, at_most = _batches.get(job.kind, (None, 1))
    if at_most == 1 or job.attempts:
        return []
    now = lease.claimed_at
    waiting = Job.objects.filter(kind=job.kind, status=Status.PENDING, run_after__lte=now, attempts=0)
    with transaction.atomic():
        # `skip_locked`: two workers never wait for each other here, each takes rows that the other has not locked.
        oldest = waiting.select_for_update(skip_locked=True).order_by("run_after", "pk").values_list("pk", flat=True)
        found = list(oldest[: at_most - 1])
        if found:
            _without_rival(now).filter(pk__in=found, status=Status.PENDING).update(**_claimed_under(lease), progress=0)
    claimed = Job.objects.filter(pk__in=found, lease_token=lease.token, status=Status.RUNNING) if found else ()
    return [(job, replace(lease, job_id=job.pk)) for job in claimed]


def _without_rival(now: datetime) -> QuerySet[Job]:
    """The jobs for whose (kind, key) no other job is running.

    Only one runs at a time. A job that follows a running one waits, and is sent when that one ends.
    """
    rival = Job.objects.filter(
        kind=OuterRef("kind"),
        key=OuterRef("key"),
        status=Status.RUNNING,
        lease_until__gt=now,
        lease_until__lte=now + LEASE + SKEW,
    ).exclude(pk=OuterRef("pk"))
    return Job.objects.filter(~Exists(rival))


def _claimed_under(lease: Lease) -> dict[str, Any]:
    return {"status": Status.RUNNING, "lease_token": lease.token, "lease_until": lease.claimed_at + LEASE}


def _do(job: Job, lease: Lease) -> None:
    try:
        function = _handlers.get(job.kind)
        if function is None:
            raise LookupError("no handler for this kind")
        function(_running(job, lease))
    except LeaseLost:
        logger.warning("job %s was taken over by another worker; it stops here", job.pk)
    except Refusal as refusal:  # another attempt would be refused too
        _end(lease, Status.FAILED, error=refusal.code)
    except Exception as error:
        outage = outage_of(error)
        # A statement that takes too long may do so at every attempt.
        if outage is not None and not is_slow(error):
            logger.error("job %s (%s) waits: %s", job.pk, job.kind, outage.code)
            _put_off(job, lease, _described(error), job.attempts, timedelta(seconds=outage.wait))
            return
        logger.exception("job %s (%s) raised on attempt %s", job.pk, job.kind, job.attempts + 1)
        _try_later(job, lease, _described(error))
    else:
        _end(lease, Status.DONE, progress=100)


def _do_at_once(batch: Sequence[tuple[Job, Lease]]) -> bool:
    """Give several jobs to their handler in one call. False if it raised; then none of them has ended."""
    kind, token = batch[0][0].kind, batch[0][1].token
    function, _at_most = _batches[kind]
    try:
        function([_running(job, lease) for job, lease in batch])
    except Exception as error:
        logger.info("%s jobs of %s are done one by one: %s", len(batch), kind, _described(error))
        return False
    mine = Job.objects.filter(pk__in=[job.pk for job, _lease in batch], lease_token=token, status=Status.RUNNING)
    ended = mine.update(status=Status.DONE, error="", finished_at=batch[0][1].at(), lease_until=None, progress=100)
    if ended < len(batch):
        logger.warning("%s jobs of %s were taken over by another worker", len(batch) - ended, kind)
    return True


def _running(job: Job, lease: Lease) -> RunningJob:
    return RunningJob(job.pk, job.kind, job.key, job.payload, job.attempts + 1, lease.claimed_at, lease)


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
    """Let a job be tried again after `delay`. For an outage, `attempts` is unchanged: it does not count as one."""
    try:
        with transaction.atomic():
            lease.write(
                status=Status.PENDING, attempts=attempts, error=error, run_after=lease.at() + delay, lease_until=None
            )
    except IntegrityError:
        # Newer work is pending for the same key, and will read the newer state: this job has nothing left to do.
        _end(lease, Status.DONE, error=f"superseded after {error}", attempts=attempts)


def _described(error: Exception) -> str:
    """The exception's type and the first line of its message, without e-mail addresses.

    Databases put the values of rows in the lines below.
    """
    first = (str(error).splitlines() or [""])[0][:300]
    return f"{type(error).__name__}: {ADDRESS.sub('<address>', first)}"


def _send_next(ended: Sequence[Job], now: datetime) -> None:
    """Send what is pending for the keys of jobs that ended: newer work, or these very jobs for their next attempt."""
    kind, keys, same = ended[0].kind, [job.key for job in ended], {job.pk for job in ended}
    waiting = Job.objects.filter(kind=kind, key__in=keys, status=Status.PENDING).values_list("pk", "run_after")
    for pk, run_after in waiting:
        send(pk, kind, after=run_after - now, request=request_ids.current() if pk in same else "")


class _Heartbeat:
    """Renews the leases of the jobs in progress in this process, from one thread that the first job starts."""

    def __init__(self) -> None:
        self._leases: dict[int, Lease] = {}
        self._lock = threading.Lock()
        self._process = 0  # the process in which the thread runs: threads do not survive a fork

    @contextmanager
    def keeps(self, leases: Iterable[Lease]) -> Iterator[None]:
        """Renew leases until the end of the block.

        A claim made inside an open transaction is not renewed: no other connection sees it yet, so nobody can take the
        job over, and a renewal on the thread's own connection would find no row and count the lease as lost.
        """
        if transaction.get_connection().in_atomic_block:
            yield
            return
        kept = {id(lease): lease for lease in leases}
        with self._lock:
            self._leases |= kept
            if self._process != os.getpid():
                self._process = os.getpid()
                threading.Thread(target=self._run, name="leases", daemon=True).start()
        try:
            yield
        finally:
            with self._lock:
                for key in kept:
                    del self._leases[key]

    def _run(self) -> None:
        while True:
            time.sleep(HEARTBEAT)
            with self._lock:
                leases = list(self._leases.values())
            if leases:
                self._renew(leases)

    def _renew(self, leases: Iterable[Lease]) -> None:
        try:
            for lease in leases:
                lease.write(lease_until=lease.at() + LEASE)
        except DatabaseError:
            logger.warning("leases could not be renewed", exc_info=True)
        finally:
            with suppress(DatabaseError):
                connections.close_all()  # those of this thread, which nothing else closes


_heartbeat = _Heartbeat()
