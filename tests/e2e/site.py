"""A complete site for browser tests: its own database, web server and worker, started as `make run` does."""

import fcntl
import json
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
from dataclasses import dataclass, field
from pathlib import Path
from urllib.error import URLError

import psycopg

from tests.e2e.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
SEEDED = "template.json"  # file that tells where the seeded database of a test run is, and its sign-in links


@dataclass(frozen=True)
class Seeded:
    """A database with the demonstration in it: its URL, and the paths of its sign-in links by role."""

    url: str
    links: dict[str, str]


@dataclass
class Site:
    """The address of a site, the environment variables of its processes, and the paths of sign-in links by role."""

    url: str
    env: dict[str, str]
    links: dict[str, str] = field(default_factory=dict)
    _scripts: subprocess.Popen[str] | None = field(default=None, init=False, repr=False)

    def run(self, script: str) -> str:
        """Run a script on the site's database and return what it printed. All scripts of a site share a process."""
        if self._scripts is None:
            command = [sys.executable, "-m", "tests.e2e.scripts"]
            pipe = subprocess.PIPE
            self._scripts = subprocess.Popen(command, cwd=ROOT, env=self.env, stdin=pipe, stdout=pipe, text=True)
        asked, answers = self._scripts.stdin, self._scripts.stdout
        assert asked and answers
        print(json.dumps(script), file=asked, flush=True)
        printed, failure = json.loads(answers.readline())
        assert not failure, failure
        told: str = printed
        return told

    def close(self) -> None:
        """End the process of the scripts."""
        if self._scripts is not None:
            self._scripts.communicate(timeout=20)
            self._scripts = None

    def manage(self, *words: str) -> str:
        """Run a management command on the site's database and return what it printed."""
        command = [sys.executable, "manage.py", *words]
        done = subprocess.run(command, cwd=ROOT, env=self.env, check=True, capture_output=True, text=True)
        return done.stdout


def seeded_database(var: Path) -> Seeded:
    """Return a database with the demonstration in it, on the database server that the tests use.

    The processes of a test run share it through the folder `var`: the first one makes it while the others wait. It
    exists until `drop_seeded`.
    """
    done = var / SEEDED
    with (var / "template.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            url = _made(var)
            site = _site(var, url)
            site.manage("migrate", "--verbosity", "0")
            site.manage("seed_demo")
            # The rules for browsers, if they were made, are those of the engine as it is now.
            subprocess.run([sys.executable, "tools/browser_rules.py", "--refresh"], cwd=ROOT, check=True)
            links = dict(line.split(" ", 1) for line in site.manage("demo_links", "--base-url", "").splitlines())
            done.write_text(json.dumps({"url": url, "links": links}))
    return Seeded(**json.loads(done.read_text()))


def drop_seeded(var: Path) -> None:
    """Drop the seeded database of a test run, if there is one."""
    done = var / SEEDED
    if done.exists():
        _dropped(json.loads(done.read_text())["url"])
        done.unlink()


@contextmanager
def running_site(
    var: Path, template: Seeded, *, application: str = "tournaments.config.asgi:application"
) -> Iterator[Site]:
    """Run web server and worker on a copy of the database `template`; stop them at the end. Logs go to `site.log`."""
    port = _free_port()
    with _database(var, template.url) as url:
        site = _site(var, url, port)
        site.links = template.links
        env = site.env
        web = [sys.executable, "-m", "uvicorn", application, "--port", str(port)]
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
                site.close()
                _stop(processes)


def _site(var: Path, url: str, port: int = 0) -> Site:
    env = {
        **os.environ,
        "VAR_DIR": str(var),
        "DATABASE_URL": url,
        "DJANGO_SETTINGS_MODULE": "tournaments.config.settings",
        "SITE_URL": f"http://127.0.0.1:{port}",
        "LOG_LEVEL": "WARNING",
        "CELERY_BROKER_URL": _broker(),
    }
    return Site(f"http://127.0.0.1:{port}", env)


@contextmanager
def _database(var: Path, template: str = "") -> Iterator[str]:
    """Create a database, empty or a copy of one without connections; yield its URL and drop it at the end."""
    url = _made(var, template)
    try:
        yield url
    finally:
        _dropped(url)


def _made(var: Path, template: str = "") -> str:
    given = os.environ.get("DATABASE_URL", "")
    if not given.startswith("postgres"):
        file = var / "site.sqlite3"
        if template:
            shutil.copy(template.removeprefix("sqlite:///"), file)
        return f"sqlite:///{file}"
    name = f"arbitre_site_{secrets.token_hex(4)}"
    like = template.rsplit("/", 1)[-1] or "template1"
    with psycopg.connect(given, autocommit=True) as server:
        server.execute(f'CREATE DATABASE "{name}" TEMPLATE "{like}"')
        # Faster, and nothing here has to survive a crash of the server.
        server.execute(f'ALTER DATABASE "{name}" SET synchronous_commit = off')
    return given.rsplit("/", 1)[0] + "/" + name


def _dropped(url: str) -> None:
    """Drop a PostgreSQL database. The file of an SQLite database is deleted with its folder."""
    if url.startswith("postgres"):
        with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as server:
            server.execute(f'DROP DATABASE "{url.rsplit("/", 1)[-1]}" WITH (FORCE)')


def _broker() -> str:
    """Return the URL of the broker: on Redis, a database per test process, where no other worker takes its messages."""
    given = os.environ.get("CELERY_BROKER_URL", "filesystem://")
    process = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    return f"{given.rsplit('/', 1)[0]}/{10 + process % 6}" if given.startswith("redis") else given


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def _wait_for(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    late = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < late:
        if process.poll() is not None:
            raise RuntimeError(f"the web server stopped: {log.read_text()[-2000:]}")
        try:
            with urllib.request.urlopen(url + "/healthz", timeout=2):
                return
        except (URLError, ConnectionError, TimeoutError):
            time.sleep(0.1)
    raise RuntimeError(f"the site does not answer: {log.read_text()[-2000:]}")


def _stop(processes: list[subprocess.Popen[bytes]]) -> None:
    """Kill the processes at once. Their orderly shutdown is tested elsewhere."""
    for process in processes:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(5)
