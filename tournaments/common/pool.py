"""The processes of a worker on the queue in files, which go on when one of them is killed.

They wait for work at one pipe, and whoever waits holds its lock. A process that is killed there, such as by the system
when memory runs out, would keep that lock for ever, and no job would be begun again. The locks here are the system's
own, which it takes back from whoever ends. On the other queues each process has a pipe of its own.
"""

import fcntl
import tempfile
from typing import Any

from celery.concurrency.prefork import BlockingPool, get_start_method
from celery.concurrency.prefork import TaskPool as PreforkPool


class FreedLock:
    """A lock between processes that were forked from the one that made it; freed when its holder ends."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - it is open as long as the lock is there

    def acquire(self) -> bool:
        """Wait for the lock and take it."""
        fcntl.lockf(self._file, fcntl.LOCK_EX)
        return True

    def release(self) -> None:
        """Give it back."""
        fcntl.lockf(self._file, fcntl.LOCK_UN)

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()


class Pool(BlockingPool):  # type: ignore[misc]  # Celery has no types
    """A pool whose pipes have such locks, where its processes are forked."""

    def _setup_queues(self) -> None:
        super()._setup_queues()
        if get_start_method() == "fork":
            for queue in (self._inqueue, self._outqueue):
                queue._rlock, queue._wlock = FreedLock(), FreedLock()


class TaskPool(PreforkPool):  # type: ignore[misc]
    """What `worker_pool` names."""

    BlockingPool: Any = Pool
