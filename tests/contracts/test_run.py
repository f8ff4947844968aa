"""`make run` from the outside: it gets ready, prints three working links, and leaves nothing behind after Ctrl-C."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import pytest

from tests.contracts.project import ROOT
from tournaments.config import launcher

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]
# Variables that would make the launcher use other services than its own.
ELSEWHERE = ("DATABASE_URL", "CELERY_BROKER_URL", "CACHE_URL", "DJANGO_SETTINGS_MODULE", "PORT")


GONE = 25.0  # seconds: the processes are killed after nine; the rest is for a busy machine

RUN = (sys.executable, "-m", "tournaments.config.launcher")


def _hears_interrupts() -> None:
    """Stop ignoring Ctrl-C: processes that a shell starts in the background ignore it, and so do their children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def launched(var: Path, port: int | str, command: tuple[str, ...] = RUN) -> Iterator[subprocess.Popen[str]]:
    """Run the launcher with its own state in `var`; whatever the test leaves running is killed."""
    kept = {name: value for name, value in os.environ.items() if name not in ELSEWHERE}
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=kept | {"VAR_DIR": str(var), "PORT": str(port)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=_hears_interrupts,
    )
    try:
        yield process
    finally:
        for pid in alive(var):
            os.kill(pid, signal.SIGKILL)
        process.communicate(timeout=10)


def alive(var: Path) -> list[int]:
    """List the processes that use this state, by their environment."""
    wanted = f"VAR_DIR={var}".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
        except OSError:
            continue  # it has ended, or belongs to another user
    return found


def until_ready(process: subprocess.Popen[str]) -> tuple[str, dict[str, str]]:
    """Wait until the launcher is ready; return its address and the sign-in links by role."""
    assert process.stdout is not None
    lines = iter(process.stdout.readline, "")
    ready = next((line for line in lines if line.startswith("ready ")), "")
    assert ready, process.stderr and process.stderr.read()
    links = dict(next(lines).split(maxsplit=1) for _ in range(3))
    return ready.split()[1], {role: link.strip() for role, link in links.items()}


def end(process: subprocess.Popen[str], number: int) -> float:
    """Send a signal, wait for the end, and return the seconds that it took."""
    started = time.monotonic()
    process.send_signal(number)
    process.wait(20)
    return time.monotonic() - started


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def run_and_look(var: Path, number: signal.Signals) -> None:
    """Run the launcher, follow its links, end it with a signal, and check that no process is left."""
    port = free_port()
    with launched(var, port) as process:
        url, links = until_ready(process)
        assert url == f"http://127.0.0.1:{port}"
        assert list(links) == ["organizer", "judge", "player"]
        for link in (url, *links.values()):
            assert re.match(rf"{url}(/|$)", link)
            with urllib.request.urlopen(link, timeout=20) as page:
                shown = page.read()
            assert page.status == 200 and b"</html>" in shown
            assert re.search(rb'href="/static/web/app\.[0-9a-f]{12}\.css"', shown), "the static files are collected"
        assert end(process, number) < 10
        assert process.returncode == 0
        assert alive(var) == []


@pytest.fixture(scope="module")
def first_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The state that a first run leaves behind, with the demonstration seeded."""
    var = tmp_path_factory.mktemp("first_run")
    run_and_look(var, signal.SIGINT)
    return var


@pytest.fixture
def var(first_run: Path, tmp_path: Path) -> Path:
    """A copy of that state for one test."""
    return shutil.copytree(first_run, tmp_path / "var")


def test_a_second_run_on_the_same_state_works_and_leaves_no_process_behind(first_run: Path) -> None:
    run_and_look(first_run, signal.SIGTERM)


def test_a_second_launcher_says_that_the_first_is_running(var: Path) -> None:
    with launched(var, free_port()) as first:
        url, _links = until_ready(first)
        with launched_beside(var) as second:
            _out, said = second.communicate(timeout=30)
            assert second.returncode == 1 and f"running already: {url}" in said
        end(first, signal.SIGINT)


@contextmanager
def launched_beside(var: Path) -> Iterator[subprocess.Popen[str]]:
    environment = os.environ | {"VAR_DIR": str(var)}
    with subprocess.Popen(
        RUN,
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        yield process


def test_a_start_says_that_it_is_preparing_before_it_is_ready(var: Path) -> None:
    with launched(var, free_port()) as process:
        assert process.stderr is not None
        assert process.stderr.readline().startswith("preparing the database")
        until_ready(process)
        end(process, signal.SIGINT)


def test_a_port_that_is_taken_is_reported_and_another_one_is_used(var: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with launched(var, port) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == f"port {port} is taken\n"
            url, _links = until_ready(process)
            assert url != f"http://127.0.0.1:{port}"
            end(process, signal.SIGINT)


@pytest.mark.parametrize("part", ["uvicorn", "celery"])
def test_when_a_process_dies_it_is_named_and_all_others_stop(part: str, var: Path) -> None:
    with launched(var, free_port()) as process:
        until_ready(process)
        victim = min(pid for pid in alive(var) if part in Path(f"/proc/{pid}/cmdline").read_text())
        os.kill(victim, signal.SIGKILL)
        _out, said = process.communicate(timeout=20)
        assert process.returncode == 1
        assert {"uvicorn": "the web ended", "celery": "the worker ended"}[part] in said
        assert alive(var) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_ending_only_make_ends_all_other_processes(number: signal.Signals, var: Path, tmp_path: Path) -> None:
    if shutil.which("make") is None:
        pytest.skip("no make")
    makefile = tmp_path / "Makefile"
    makefile.write_text(f"run:\n\t@{' '.join(RUN)}\n")
    with launched(var, free_port(), ("make", "-f", str(makefile), "run")) as make:
        until_ready(make)
        make.send_signal(number)
        until = time.monotonic() + GONE
        while [pid for pid in alive(var) if pid != make.pid] and time.monotonic() < until:
            time.sleep(0.1)
        assert [pid for pid in alive(var) if pid != make.pid] == []


@pytest.mark.parametrize("port", ["none", "0", "70000"])
def test_an_invalid_port_is_refused(port: str, tmp_path: Path) -> None:
    with launched(tmp_path, port) as process:
        _out, said = process.communicate(timeout=30)
        assert process.returncode == 1 and said == f"PORT is {port!r}; accepted values: 1 to 65535\n"


@pytest.mark.parametrize("workers", ["none", "0", "17"])
def test_an_invalid_number_of_web_processes_is_refused(
    workers: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEB_WORKERS", workers)
    with launched(tmp_path, 8777) as process:
        _out, said = process.communicate(timeout=30)
        assert process.returncode == 1 and said == f"WEB_WORKERS is {workers!r}; accepted values: 1 to 16\n"


def test_several_web_processes_are_started_as_workers_on_one_port() -> None:
    assert launcher.web(8000)[-2:] == ("--timeout-graceful-shutdown", "3")
    assert launcher.web(8000, 2)[-2:] == ("--workers", "2")


def test_a_caller_inside_make_that_briefly_blocks_signals_does_not_end_the_launcher(var: Path) -> None:
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        with mock.patch.dict(os.environ, {"MAKELEVEL": "1"}), launched(var, free_port()) as process:
            until_ready(process)
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(1.5)  # the launcher checks three times a second
            end(process, signal.SIGTERM)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
