"""A real worker on a real queue, for tests that kill it. `queue` is a fixture: import it where it is used.

The worker's jobs can be stopped halfway (`held`): see tests/common/slow_handler.py.
"""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from celery import Celery
from django.db import connection, transaction
from django.db.models import F
from pytest_django import Settings

from tests.contracts.project import ROOT
from tournaments.common import broker, jobs
from tournaments.common.models import Job

COMMAND = [sys.executable, "-m", "celery", "-A", "tournaments.config", "worker", "--concurrency", "2", "-l", "info"]
COMMAND += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
KINDS = ("test.slow", "audits.slow")  # see tests/common/slow_handler.py
PATIENCE = 30.0  # seconds to wait for something that takes one or two on an idle machine


def database_url() -> str:
    """The test's own database, as a URL for another process."""
    given = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{given['NAME']}"
    secret = f":{given['PASSWORD']}" if given["PASSWORD"] else ""
    return f"postgres://{given['USER']}{secret}@{given['HOST']}:{given['PORT'] or 5432}/{given['NAME']}"


def reachable(url: str, port: int) -> str:
    """Return the URL if something listens there; otherwise skip the test, or fail it where services are required."""
    parts = urlsplit(url)
    try:
        socket.create_connection((parts.hostname or "127.0.0.1", parts.port or port), timeout=1).close()
    except OSError:
        if os.environ.get("REQUIRE_SERVICES") == "1":
            pytest.fail(f"no {parts.scheme} broker is reachable")
        pytest.skip(f"no {parts.scheme} broker is reachable")
    return url


def broker_url(name: str) -> str:
    if name == "redis":
        return reachable(os.environ.get("TEST_REDIS_URL", "redis://127.0.0.1:6379/9"), 6379)
    if name == "amqp":
        return reachable(os.environ.get("TEST_AMQP_URL", "amqp://guest:guest@127.0.0.1:5672//"), 5672)
    return "filesystem://"


def both(name: str) -> tuple[str, str]:
    """The queue of a test session with this name, and its queue of audits."""
    return name, f"{name}-audits"


@pytest.fixture(params=["files", *(pytest.param(name, marks=pytest.mark.services) for name in ("redis", "amqp"))])
def queue(
    request: pytest.FixtureRequest, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[dict[str, str]]:
    """Send this process's jobs to an empty queue, and return the environment of a worker that reads it."""
    url = broker_url(request.param)
    # Test sessions may share a broker but not a database: named after it, a queue serves the worker of one session.
    name = f"arbitre-{Path(connection.settings_dict['NAME']).stem}"
    settings.VAR_DIR = tmp_path
    monkeypatch.delenv("CELERY_BROKER_URL", raising=False)  # it would override Celery's own setting
    app = Celery("sender", set_as_current=False)
    app.conf.update(broker.settings_for(url) | broker.queues(*both(name)))
    _empty(app)
    monkeypatch.setattr(jobs, "current_app", app)
    monkeypatch.setattr(jobs, "_quiet_until", float("-inf"))
    for kind in KINDS:  # the worker has their handlers; without one here too, the messages would not have their names
        monkeypatch.setitem(jobs._handlers, kind, lambda job: None)
    yield os.environ | {
        "DJANGO_SETTINGS_MODULE": "tournaments.config.settings",
        "DATABASE_URL": database_url(),
        "CELERY_BROKER_URL": url,
        "TEST_QUEUE": name,
        "CELERY_SKIP_CHECKS": "1",
        "VAR_DIR": str(tmp_path),
    }
    _empty(app)
    app.close()


def _empty(app: Celery) -> None:
    """Empty the queue. Unlike a request, a test has time to wait for a broker that is slow to answer."""
    with app.connection(connect_timeout=PATIENCE) as broker_connection:
        app.control.purge(broker_connection)


@contextmanager
def worker(environment: dict[str, str], *options: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a worker in its own process group. The block starts when it is ready, and at its end the worker is killed."""
    before = log_of(environment)
    # A unique name: RabbitMQ locks a queue by it, and another session's worker or a killed one may still hold the lock.
    name = f"{environment['TEST_QUEUE']}-{before.count(' ready.')}@%h"
    queues = ",".join(both(environment["TEST_QUEUE"]))
    command = [*COMMAND, "--include", "tests.common.slow_handler", "--queues", queues]
    command += ["--hostname", name, *options]
    with (
        _log(environment).open("ab") as log,
        subprocess.Popen(command, env=environment, cwd=ROOT, stdout=log, stderr=log, start_new_session=True) as process,
    ):
        try:
            assert eventually(lambda: " ready." in log_of(environment)[len(before) :]), log_of(environment)
            yield process
        finally:
            if process.poll() is None:
                kill(process)


def kill(process: subprocess.Popen[bytes]) -> None:
    """Send SIGKILL to the worker and its children, and wait until they are gone."""
    os.killpg(process.pid, signal.SIGKILL)
    assert process.wait(PATIENCE) == -signal.SIGKILL


@contextmanager
def held(environment: dict[str, str]) -> Iterator[None]:
    """Inside the block, jobs that are halfway stay there."""
    hold = Path(environment["VAR_DIR"]) / "hold"
    hold.touch()
    try:
        yield
    finally:
        hold.unlink()


def half_way(kind: str, *, besides: Sequence[Job] = ()) -> list[Job]:
    """The jobs of a kind that are halfway through their current attempt, ordered by key.

    A job whose worker was killed looks the same until another worker takes it over, so pass the known ones as
    `besides`.
    """
    begun = Job.objects.filter(kind=kind, status="running", progress=10 * (F("attempts") + 1))
    return list(begun.exclude(lease_token__in=[job.lease_token for job in besides]).order_by("key"))


def is_cut(job: Job) -> bool:
    """Whether a job's worker was killed and no other worker has taken the job over yet."""
    return Job.objects.filter(pk=job.pk, status="running", lease_token=job.lease_token).exists()


def ask(key: str, kind: str = "test.slow") -> None:
    with transaction.atomic():
        jobs.enqueue(kind, key, now=datetime.now(UTC))


def eventually(condition: Callable[[], object], seconds: float = PATIENCE) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if condition():
            return True
        time.sleep(0.05)
    return bool(condition())


def all_done() -> bool:
    return not Job.objects.exclude(status="done").exists()


def log_of(environment: dict[str, str]) -> str:
    log = _log(environment)
    return log.read_text(errors="replace") if log.exists() else ""


def _log(environment: dict[str, str]) -> Path:
    return Path(environment["VAR_DIR"]) / "worker.log"
