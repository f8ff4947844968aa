"""Processes of an installation: run a worker beside the web, and read what processes and their children use."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from bench._listeners import ROOT
from tournaments.config.launcher import end_with_parent


@contextmanager
def worker(processes: int = 2) -> Iterator[int]:
    """Run a worker as `make run` starts it, or with another number of processes; yields its pid."""
    command = [sys.executable, "-m", "celery", "-A", "tournaments.config", "worker", "--concurrency", str(processes)]
    quiet = ["--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "ERROR"]
    nowhere = subprocess.DEVNULL
    # As in compose: each worker process opens one connection and keeps it.
    environment = {**os.environ, "DATABASE_POOL": "0"}
    process = subprocess.Popen(
        [*command, *quiet],
        cwd=ROOT,
        env=environment,
        stdout=nowhere,
        stderr=nowhere,
        preexec_fn=end_with_parent,
    )
    try:
        yield process.pid
    finally:
        process.terminate()
        process.wait()


def family(pid: int) -> list[int]:
    """A process and all its descendants."""
    found = [pid]
    with suppress(OSError):  # it has ended
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            found += family(int(child))
    return found


def processor(pid: int) -> float:
    """The seconds of processor time a process has used; 0 if it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_of(pid: int) -> int:
    """The proportional set size of a process in bytes; 0 if it is gone."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0
    return sum(int(each.split()[1]) for each in text.splitlines() if each.startswith("Pss:")) * 1024


def threads_of(pid: int) -> int:
    """The number of threads of a process; 0 if it is gone."""
    try:
        return len(list(Path(f"/proc/{pid}/task").iterdir()))
    except OSError:
        return 0
