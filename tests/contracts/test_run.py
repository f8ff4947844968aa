"""`make run` as a person meets it: ready, three links, a page, and nothing left after Ctrl-C."""

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
from tools import run

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]
ELSEWHERE = ("DATABASE_URL", "CELERY_BROKER_URL", "CACHE_URL", "DJANGO_SETTINGS_MODULE", "PORT")


GONE = 25.0  # seconds: the parts have nine to end and are killed then; the rest is for a machine that is busy

RUN = (sys.executable, "tools/run.py")


def _hears_interrupts() -> None:
    """What a shell starts in the background ignores Ctrl-C, and so does all that it starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def launched(var: Path, port: int | str, command: tuple[str, ...] = RUN) -> Iterator[subprocess.Popen[str]]:
    """The launcher on a state of its own; ended by force if a test leaves it running."""
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
    """Processes that work on this state."""
    wanted = f"VAR_DIR={var}".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
        except OSError:
            continue  # it ended meanwhile, or it is somebody else's
    return found


def until_ready(process: subprocess.Popen[str]) -> tuple[str, dict[str, str]]:
    """The address, and the sign-in links by role."""
    assert process.stdout is not None
    lines = iter(process.stdout.readline, "")
    ready = next((line for line in lines if line.startswith("ready ")), "")
    assert ready, process.stderr and process.stderr.read()
    links = dict(next(lines).split(maxsplit=1) for _ in range(3))
    return ready.split()[1], {role: link.strip() for role, link in links.items()}


def end(process: subprocess.Popen[str], number: int) -> float:
    """Send a signal and wait; the seconds it took."""
    started = time.monotonic()
    process.send_signal(number)
    process.wait(20)
    return time.monotonic() - started


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def run_and_look(var: Path, number: signal.Signals) -> None:
    """Run, follow the links, end it with a signal, and find nothing left of it."""
    port = free_port()
    with launched(var, port) as process:
        url, links = until_ready(process)
        assert url == f"http://127.0.0.1:{port}"
        assert list(links) == ["organizer", "judge", "player"]
        for link in (url, *links.values()):
            assert re.match(rf"{url}(/|$)", link)
            with urllib.request.urlopen(link, timeout=20) as page:
                assert page.status == 200 and b"</html>" in page.read()
        assert end(process, number) < 10
        assert process.returncode == 0
        assert alive(var) == []


@pytest.fixture(scope="module")
def first_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a first run on nothing leaves: its state, with the demonstration."""
    var = tmp_path_factory.mktemp("first_run")
    run_and_look(var, signal.SIGINT)
    return var


@pytest.fixture
def var(first_run: Path, tmp_path: Path) -> Path:
    """A state like that one, for one test."""
    return shutil.copytree(first_run, tmp_path / "var")


def test_it_runs_signs_in_and_leaves_nothing_behind_twice(first_run: Path) -> None:
    run_and_look(first_run, signal.SIGTERM)


def test_a_second_one_says_that_the_first_is_running(var: Path) -> None:
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


def test_a_port_that_is_taken_is_said_and_passed_over(var: Path) -> None:
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
def test_when_a_part_dies_all_stop_and_it_is_named(part: str, var: Path) -> None:
    with launched(var, free_port()) as process:
        until_ready(process)
        victim = min(pid for pid in alive(var) if part in Path(f"/proc/{pid}/cmdline").read_text())
        os.kill(victim, signal.SIGKILL)
        _out, said = process.communicate(timeout=20)
        assert process.returncode == 1
        assert {"uvicorn": "the web ended", "celery": "the worker ended"}[part] in said
        assert alive(var) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_make_that_is_ended_alone_takes_everything_with_it(number: signal.Signals, var: Path, tmp_path: Path) -> None:
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
def test_a_port_that_is_none_is_refused(port: str, tmp_path: Path) -> None:
    with launched(tmp_path, port) as process:
        _out, said = process.communicate(timeout=30)
        assert process.returncode == 1 and said == f"PORT is {port!r}; accepted values: 1 to 65535\n"


@pytest.mark.parametrize("workers", ["none", "0", "17"])
def test_a_number_of_web_processes_that_is_none_is_refused(
    workers: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEB_WORKERS", workers)
    with launched(tmp_path, 8777) as process:
        _out, said = process.communicate(timeout=30)
        assert process.returncode == 1 and said == f"WEB_WORKERS is {workers!r}; accepted values: 1 to 16\n"


def test_several_web_processes_share_the_port() -> None:
    assert run.web(8000)[-2:] == ("--timeout-graceful-shutdown", "3")
    assert run.web(8000, 2)[-2:] == ("--workers", "2")


def test_a_caller_inside_a_make_that_blocks_signals_for_a_moment_is_no_make_that_gave_up(var: Path) -> None:
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        with mock.patch.dict(os.environ, {"MAKELEVEL": "1"}), launched(var, free_port()) as process:
            until_ready(process)
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(1.5)  # it looks three times a second
            end(process, signal.SIGTERM)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
