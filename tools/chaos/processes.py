"""Processes that are killed and started again, and that all end with this run."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

GRACE = 8.0  # seconds a process has to end
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36


class Program:
    """A command that can be started, killed and started again. Its output is appended to `log`.

    `stop` is the signal for an orderly end; it is also sent if the run itself is killed.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[object],
        *,
        log: Path,
        environment: Mapping[str, str],
        cwd: Path = Path("/"),
        owner: str | None = None,
        stop: signal.Signals = signal.SIGTERM,
    ) -> None:
        self.name = name
        self.log = log
        self._command = [str(part) for part in command]
        self._environment = dict(environment)
        self._cwd, self._owner, self._stop = cwd, owner, stop
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, unless it is running."""
        if self._process is not None and self._process.poll() is None:
            return
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                cwd=self._cwd,
                env=self._environment,
                user=self._owner,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=partial(_signalled_with_parent, self._stop),
            )

    @property
    def pid(self) -> int:
        """The process id of the last start."""
        assert self._process is not None
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """The exit code if it ended, or None while it runs."""
        return self._process.poll() if self._process is not None else None

    def kill(self) -> None:
        """SIGKILL it and all its descendants, stopping them first so that none can react."""
        self.send(signal.SIGSTOP)
        self.send(signal.SIGKILL)
        self._process and self._process.wait()

    def send(self, number: signal.Signals) -> None:
        """Send a signal to it and all its descendants."""
        for pid in family(self.pid):
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def kill_child(self, number: int) -> bool:
        """SIGKILL one of its descendants; False if there is none."""
        children = family(self.pid)[1:]
        if not children:
            return False
        with suppress(ProcessLookupError):
            os.kill(children[number % len(children)], signal.SIGKILL)
        return True

    def end(self) -> None:
        """End it with its stop signal, then by force."""
        if self._process is None:
            return
        self._process.send_signal(self._stop)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE)
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


def family(pid: int) -> list[int]:
    """A process and all its descendants, itself first."""
    found = [pid]
    for threads in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            for child in threads.read_text().split():
                found += family(int(child))
    return found


def until(condition: Callable[[], object], seconds: float) -> bool:
    """Wait until a condition holds. Returns whether it did within this many seconds."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


def adopt_orphans() -> None:
    """Become the parent of processes our children leave behind, so that `end_descendants` finds them."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)


def end_descendants() -> list[int]:
    """SIGKILL every descendant of this process. Returns those that were there."""
    found: list[int] = []
    while pids := family(os.getpid())[1:]:
        found += [pid for pid in pids if pid not in found]
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        time.sleep(0.05)
    return found


def _signalled_with_parent(number: signal.Signals) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, number)
