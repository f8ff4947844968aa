"""Run Arbitre on this machine until Ctrl-C: `make run` in a checkout, `arbitre run` from a wheel.

In a checkout it first compiles the messages. It collects the static files, migrates, seeds the demonstration (a line on
standard error says so), starts the web and the worker, and prints their address: `ready http://…`, then a sign-in link
for each role. PORT is the first port tried, WEB_WORKERS the number of web processes; state and logs are in VAR_DIR. A
second instance on the same VAR_DIR reports that the first is running, and exits. If one part dies, all stop with exit
code 1.
"""

import ctypes
import fcntl
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import NoReturn

from tournaments.config import places

HOST = "127.0.0.1"
PATIENCE = 60.0  # seconds the web may take to answer
GRACE = 9.0  # seconds the parts may take to end; a worker needs up to 8
MOST_WORKERS = 16
BUILDING = (
    ("messages", ("-m", "tournaments.locale.messages", "compile")),
    ("rules for browsers", ("tools/browser_rules.py", "--refresh")),  # if they were made
)  # what a wheel contains already
ALONE = ("--without-gossip", "--without-mingle", "--without-heartbeat")  # there is no other worker to talk to
WORKER = ("-m", "celery", "-A", "tournaments.config", "worker", "--concurrency", "2", *ALONE, "--loglevel", "WARNING")
Parts = dict[str, subprocess.Popen[bytes]]


class Stop(Exception):
    """The user asked to stop."""


class Failure(Exception):
    """Arbitre cannot run; the message says why."""


def main() -> int:
    """Run until asked to stop; returns the exit code."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stop)
    var = places.var_dir()
    os.environ |= {"VAR_DIR": str(var), "PYTHONUNBUFFERED": "1"}
    # Determined before "ready" is printed: once make has been killed, it is no longer the parent.
    make = _make()
    try:
        for folder in ("log", "static"):
            (var / folder).mkdir(parents=True, exist_ok=True)
        with _only_one(var / "run.lock") as lock:
            workers, port = _workers(), _free_port(_wanted_port())
            os.environ.setdefault("SITE_URL", f"http://{HOST}:{port}")
            for name, arguments in () if places.FROM_A_WHEEL else BUILDING:
                _once(name, arguments)
            # Not on standard output, whose lines other programs read.
            print("preparing the database and its demonstration: about a minute the first time", file=sys.stderr)
            links = _once("installation", ("-m", "tournaments.config.prepare", f"http://{HOST}:{port}"))
            _serve(web(port, workers), port, links, var / "log", lock, make)
    except Stop:
        return 0
    except (Failure, OSError) as failure:
        print(failure, file=sys.stderr)
        return 1
    return 0


def _stop(_number: int, _frame: FrameType | None) -> NoReturn:
    raise Stop


@contextmanager
def _only_one(path: Path) -> Iterator[Path]:
    """Hold the lock of this VAR_DIR. The system releases it however the process ends."""
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Failure(f"Arbitre is running already: {path.read_text().strip() or 'it is starting'}") from None
        path.write_text("")
        yield path


def _wanted_port() -> int:
    given = os.environ.get("PORT") or "8000"
    if not given.isdecimal() or not 1 <= int(given) <= 65535:
        raise Failure(f"PORT is {given!r}; accepted values: 1 to 65535")
    return int(given)


def _workers() -> int:
    given = os.environ.get("WEB_WORKERS") or "1"
    if not given.isdecimal() or not 1 <= int(given) <= MOST_WORKERS:
        raise Failure(f"WEB_WORKERS is {given!r}; accepted values: 1 to {MOST_WORKERS}")
    return int(given)


def _free_port(wanted: int) -> int:
    """The wanted port, or the next free one; every port that is taken is reported."""
    for port in range(wanted, min(wanted + 100, 65536)):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with suppress(OSError):
                probe.bind((HOST, port))
                return port
        print(f"port {port} is taken", flush=True)
    raise Failure(f"no port is free from {wanted} on")


def _once(name: str, arguments: tuple[str, ...]) -> str:
    """Run one step and return its output. If it fails, its output becomes part of the error."""
    done = subprocess.run([sys.executable, *arguments], cwd=places.TOP, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failure(f"{done.stdout}{done.stderr}\n{name}: failed with exit code {done.returncode}")
    return done.stdout


def _serve(command: tuple[str, ...], port: int, links: str, logs: Path, lock: Path, make: int | None) -> None:
    url = f"http://{HOST}:{port}"
    parts: Parts = {}
    try:
        parts["web"] = _start(logs / "web.log", command)
        parts["worker"] = _start(logs / "worker.log", WORKER)
        _wait_for(url, parts, logs)
        lock.write_text(url)
        print(f"ready {url}\n{links}", end="", flush=True)
        while make is None or not _gave_up(make):
            _check(parts, logs)
            time.sleep(0.3)
    finally:
        _end(parts)


def _make() -> int | None:
    """The pid of the make that called this process, or None if something else did, even inside a make."""
    parent = os.getppid()
    with suppress(OSError):
        return parent if Path(f"/proc/{parent}/comm").read_text().strip() in ("make", "gmake") else None
    return parent if "MAKELEVEL" in os.environ else None


def _gave_up(make: int) -> bool:
    """Whether the make that called this process is gone, or was interrupted on its own.

    make forwards SIGTERM, but not SIGINT. After a SIGINT it waits for its children inside the signal handler, during
    which SIGINT is blocked; that is what is checked here.
    """
    if os.getppid() != make:
        return True
    with suppress(OSError):
        status = Path(f"/proc/{make}/status").read_text()
        blocked = next(line.split()[1] for line in status.splitlines() if line.startswith("SigBlk:"))
        return bool(int(blocked, 16) >> (signal.SIGINT - 1) & 1)
    return False


def web(port: int, workers: int = 1) -> tuple[str, ...]:
    """The command of the web: one process, or several that share the port."""
    # Live streams never end by themselves, so they are cut after three seconds.
    server = ("-m", "uvicorn", "tournaments.config.asgi:application", "--host", HOST, "--port", str(port))
    return (
        *server,
        "--no-access-log",
        "--no-proxy-headers",
        "--log-level",
        "warning",
        "--timeout-graceful-shutdown",
        "3",
        *(("--workers", str(workers)) if workers > 1 else ()),
    )


def _start(log: Path, arguments: tuple[str, ...]) -> subprocess.Popen[bytes]:
    """Start a part in a process group of its own, so that Ctrl-C reaches it only through this process."""
    with log.open("wb") as file:
        return subprocess.Popen(
            [sys.executable, *arguments],
            cwd=places.TOP,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=end_with_parent,
        )


def end_with_parent() -> None:
    """Ask the system, where possible, to end this process when the launcher is killed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)


def _wait_for(url: str, parts: Parts, logs: Path) -> None:
    until = time.monotonic() + PATIENCE
    while not _answers(f"{url}/healthz"):
        _check(parts, logs)
        if time.monotonic() > until:
            raise Failure(f"{_tail(logs / 'web.log')}the web did not answer within {PATIENCE:.0f} seconds")
        time.sleep(0.1)


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5):
            return True
    except urllib.error.HTTPError as error:
        return error.code < 500
    except OSError:
        return False


def _check(parts: Parts, logs: Path) -> None:
    for name, process in parts.items():
        code = process.poll()
        if code is not None:
            raise Failure(f"{_tail(logs / f'{name}.log')}the {name} ended with exit code {code}")


def _tail(log: Path) -> str:
    return "".join(log.read_text(errors="replace").splitlines(keepends=True)[-30:])


def _end(parts: Parts) -> None:
    """Ask each part to end and wait, then kill what is left of its process group."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    for process in parts.values():
        with suppress(ProcessLookupError):
            process.terminate()
    until = time.monotonic() + GRACE
    for process in parts.values():
        with suppress(subprocess.TimeoutExpired):
            process.wait(max(0.0, until - time.monotonic()))
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


if __name__ == "__main__":
    sys.exit(main())
