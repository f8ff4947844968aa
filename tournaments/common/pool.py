"""A pool of worker processes for the file queue that keeps working when one of them is killed.

The processes wait for work on one shared pipe, and the one that is waiting holds the pipe's lock. If it is killed then,
for example by the system when memory runs out, Celery's own lock is never released, and no job starts again.
The locks here are file locks, which the system releases when their holder ends. With the other brokers, each process
has its own pipe.
"""

import fcntl
import tempfile
from typing import Any

from celery.concurrency.prefork import BlockingPool, get_start_method
from celery.concurrency.prefork import TaskPool as PreforkPool


class ProcessLock:
    """A lock shared by processes forked from the one that made it, and released when its holder ends."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - stays open as long as the lock exists

    def acquire(self) -> bool:
        """Wait for the lock and take it."""
        # Not flock: such a lock would belong to all processes that inherited the open file.
        fcntl.lockf(self._file, fcntl.LOCK_EX)
        return True

    def release(self) -> None:
        """Release the lock."""
        fcntl.lockf(self._file, fcntl.LOCK_UN)

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()


class Pool(BlockingPool):  # type: ignore[misc]  # Celery has no types
    """A pool whose pipes use such locks, if its processes are forked: spawned ones would not inherit the file."""

    def _setup_queues(self) -> None:
        super()._setup_queues()
        if get_start_method() == "fork":
            for queue in (self._inqueue, self._outqueue):
                queue._rlock, queue._wlock = ProcessLock(), ProcessLock()


class TaskPool(PreforkPool):  # type: ignore[misc]
    """The pool that the setting `worker_pool` names for the file queue (see broker.py)."""

    BlockingPool: Any = Pool
