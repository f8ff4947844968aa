"""A worker keeps working when one of its processes is killed, for example by the system when memory runs out."""

import os
import signal
from pathlib import Path

import pytest

from tests.workers import all_done, ask, eventually, log_of, queue, worker

__all__ = ["queue"]


def children_of(pid: int) -> list[int]:
    """The process ids of a process's children."""
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    return sorted(int(child) for listed in lists for child in listed.read_text().split())


def is_replaced(child: int, parent: int) -> bool:
    children = children_of(parent)
    return child not in children and len(children) == 2


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="no /proc here")
@pytest.mark.slow
def test_a_worker_whose_idle_children_were_killed_one_by_one_does_the_next_job(queue: dict[str, str]) -> None:
    with worker(queue) as process:
        ask("before")
        assert eventually(all_done), log_of(queue)
        for child in children_of(process.pid):
            os.kill(child, signal.SIGKILL)
            assert eventually(lambda gone=child: is_replaced(gone, process.pid))
        ask("after")
        assert eventually(all_done, 15), log_of(queue)
