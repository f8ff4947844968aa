"""A whole site for a browser: its own database, web server and worker, started as `make run` starts them."""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError

import psycopg

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Site:
    """Where the site answers, and the environment of its processes."""

    url: str
    env: dict[str, str]

    def manage(self, *words: str) -> str:
        """Run a management command on the site's database and return what it printed."""
        command = [sys.executable, "manage.py", *words]
        done = subprocess.run(command, cwd=ROOT, env=self.env, check=True, capture_output=True, text=True)
        return done.stdout


@contextmanager
def seeded_database(var: Path) -> Iterator[str]:
    """A database of the kind that the tests use, with the demonstration in it: sites are started on copies."""
    with _database(var) as url:
        site = _site(var, url)
        site.manage("migrate", "--verbosity", "0")
        site.manage("seed_demo")
        yield url


@contextmanager
def running_site(var: Path, template: str) -> Iterator[Site]:
    """Start web and worker on a copy of a database; stop them at the end."""
    port = _free_port()
    with _database(var, template) as url:
        site = _site(var, url, port)
        env = site.env
        web = [sys.executable, "-m", "uvicorn", "tournaments.config.asgi:application", "--port", str(port)]
        web += ["--timeout-graceful-shutdown", "1"]  # browsers hold streams open; they are cut, as `make run` cuts them
        worker = [sys.executable, "-m", "celery", "-A", "tournaments.config", "worker", "-c", "1", "-l", "WARNING"]
        with (var / "site.log").open("wb") as log:
            processes = [
                subprocess.Popen(command, cwd=ROOT, env=env, stdout=log, stderr=log, start_new_session=True)
                for command in (web, worker)
            ]
            try:
                _wait_for(site.url, processes[0], var / "site.log")
                yield site
            finally:
                _stop(processes)


def _site(var: Path, url: str, port: int = 0) -> Site:
    env = {
        **os.environ,
        "VAR_DIR": str(var),
        "DATABASE_URL": url,
        "DJANGO_SETTINGS_MODULE": "tournaments.config.settings",
        "LOG_LEVEL": "WARNING",
        "CELERY_BROKER_URL": _broker(),
    }
    return Site(f"http://127.0.0.1:{port}", env)


@contextmanager
def _database(var: Path, template: str = "") -> Iterator[str]:
    """The address of a new database, empty or a copy of another one that nobody uses."""
    given = os.environ.get("DATABASE_URL", "")
    if not given.startswith("postgres"):
        file = var / "site.sqlite3"
        if template:
            shutil.copy(template.removeprefix("sqlite:///"), file)
        yield f"sqlite:///{file}"
        return
    name = f"arbitre_site_{secrets.token_hex(4)}"
    with psycopg.connect(given, autocommit=True) as server:
        like = template.rsplit("/", 1)[-1] or "template1"
        server.execute(f'CREATE DATABASE "{name}" TEMPLATE "{like}"')
        try:
            yield given.rsplit("/", 1)[0] + "/" + name
        finally:
            server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def _broker() -> str:
    """The broker in use; of a Redis another database, where no other test's worker takes our messages."""
    given = os.environ.get("CELERY_BROKER_URL", "filesystem://")
    return given.rsplit("/", 1)[0] + "/8" if given.startswith("redis") else given


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def _wait_for(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    for _attempt in range(300):
        if process.poll() is not None:
            raise RuntimeError(f"the web server stopped: {log.read_text()[-2000:]}")
        try:
            with urllib.request.urlopen(url + "/healthz", timeout=2):
                return
        except (URLError, ConnectionError, TimeoutError):
            time.sleep(0.1)
    raise RuntimeError(f"the site does not answer: {log.read_text()[-2000:]}")


def _stop(processes: list[subprocess.Popen[bytes]]) -> None:
    for process in processes:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
    for process in processes:
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(5)
