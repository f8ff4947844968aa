"""The processes of an installation: a worker beside the web, and what processes and their children take."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench._listeners import ROOT


@contextmanager
def worker() -> Iterator[int]:
    """A worker beside the web, as `make run` starts it."""
    command = [sys.executable, "-m", "celery", "-A", "tournaments.config", "worker", "--concurrency", "2"]
    quiet = ["--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "ERROR"]
    nowhere = subprocess.DEVNULL
    environment = {**os.environ, "DATABASE_POOL": "0"}
    process = subprocess.Popen([*command, *quiet], cwd=ROOT, env=environment, stdout=nowhere, stderr=nowhere)
    try:
        yield process.pid
    finally:
        process.terminate()
        process.wait()


def family(pid: int) -> list[int]:
    """A process and all that it started."""
    found = [pid]
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        found += family(int(child))
    return found


def processor(pid: int) -> float:
    """Seconds of processor that a process has taken."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_of(pid: int) -> int:
    """Bytes of a process, what it shares counted by its share."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0
    return sum(int(each.split()[1]) for each in text.splitlines() if each.startswith("Pss:")) * 1024


def threads_of(pid: int) -> int:
    """How many threads a process has."""
    try:
        return len(list(Path(f"/proc/{pid}/task").iterdir()))
    except OSError:
        return 0
