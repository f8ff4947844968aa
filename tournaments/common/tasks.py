"""The Celery tasks besides those of the kinds of jobs (`jobs.handler`), and the timer in every worker that sweeps."""

import logging
import os
import signal
import threading
import time
from contextlib import suppress
from typing import Any

from celery import current_app, shared_task
from celery.signals import worker_ready, worker_shutting_down
from django.db import close_old_connections

from tournaments.common import clock, heartbeats, jobs

logger = logging.getLogger(__name__)

GRACE = 8.0  # seconds to finish tasks: less than the 10 that process managers usually wait before they kill

_stopping = threading.Event()
_workers: list[Any] = []


# Earlier versions send every job under this name. Jobs of a kind that has no handler also come this way, and fail.
run_job = shared_task(name=jobs.TASK, bind=True)(jobs.run_message)


@shared_task(name=jobs.SWEEP, bind=True)
def sweep(self: Any) -> None:
    """Send new messages for due jobs, and enqueue the daily ones."""
    now = clock.now()
    close_old_connections()
    try:
        heartbeats.stamp(heartbeats.WORKER, now)
        if self.request.get(jobs.SENT_BY) == heartbeats.BEAT:
            heartbeats.stamp(heartbeats.BEAT, now)
        jobs.sweep(now)
        jobs.ask_daily(now)
    finally:
        close_old_connections()


@worker_ready.connect
def start_sweeping(sender: Any, **_: Any) -> None:
    """Start to sweep: at once, for jobs enqueued while no worker ran, then every 10 seconds.

    The worker's main process only sends the message: since it forks, it must never open the database itself. The sweep
    has its own thread, because Celery's timer sleeps through a shutdown. Celery sends `worker_ready` again after each
    lost connection; only the first one starts the thread.
    """
    if not _workers:
        threading.Thread(target=_tick, name="sweep", daemon=True).start()
    _workers[:] = [sender]


def _tick() -> None:
    ask_for_sweep()
    while not _stopping.wait(jobs.SWEEP_EVERY):
        ask_for_sweep()


def ask_for_sweep() -> None:
    """Send the message that starts a sweep. It expires when the next one is sent."""
    try:
        current_app.send_task(jobs.SWEEP, expires=jobs.SWEEP_EVERY, ignore_result=True, retry=False)
    except Exception as error:
        logger.warning("the broker is not reachable (%s); the next sweep will try again", type(error).__name__)


@worker_shutting_down.connect
def stop_in_time(**_: Any) -> None:
    """Bound the time of a shutdown: Celery waits forever if a signal to the whole group has killed its children first.

    A hard exit does no harm: other workers take over unfinished jobs when their leases run out.
    """
    if not _stopping.is_set():
        _stopping.set()
        children = [pid for worker in _workers for pid in worker.pool.info.get("processes", [])]
        threading.Thread(target=_leave, args=(children,), name="leave", daemon=True).start()


def _leave(children: list[int]) -> None:
    time.sleep(GRACE)
    logger.warning("tasks were still under way after %s s; other workers will take their jobs over", GRACE)
    for pid in children:
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)
    os._exit(0)
