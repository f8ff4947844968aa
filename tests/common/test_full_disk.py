"""A full disk gives one clear answer; accepted work is stored, and waiting jobs run once there is room again."""

import errno
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction
from django.test import Client

from tests.api.scenes import token_client
from tests.builders import an_event
from tests.cast import PASSWORD, Cast
from tests.contracts.project import ROOT
from tests.web.pages import signed_in, text
from tests.workers import database_url
from tournaments.common import jobs
from tournaments.common.jobs import RunningJob
from tournaments.common.models import Job
from tournaments.events.models import Event

NOW = datetime(2026, 3, 14, 10, 0, tzinfo=UTC)
FORM = {"name": "No room", "preset": "star-safir"}


@contextmanager
def full() -> Iterator[None]:
    """A database that cannot grow: SQLite through its own limit, PostgreSQL by raising the error it would raise."""
    if connection.vendor != "sqlite":
        with connection.execute_wrapper(_disk_full):
            yield
        return
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE filling (text TEXT)")
        pages = cursor.execute("PRAGMA page_count").fetchone()[0]
        cursor.execute(f"PRAGMA max_page_count = {pages}")
        # Free space in existing pages must be filled too, with smaller and smaller rows.
        for size in (100_000, 3_000, 10):
            with pytest.raises(OperationalError):
                while True:
                    cursor.execute("INSERT INTO filling VALUES (%s)", ["x" * size])
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA max_page_count = 1000000")
            cursor.execute("DROP TABLE filling")


class DiskFull(Exception):
    sqlstate = "53100"


def _disk_full(execute, sql, params, many, context):
    if sql.startswith("INSERT"):
        raise OperationalError("could not extend file: No space left on device") from DiskFull()
    return execute(sql, params, many, context)


def quiet(client: Client) -> Client:
    client.raise_request_exception = False
    return client


def until_full(send: Callable[[int], Any], accepted: int) -> tuple[Any, int]:
    """Send until the status differs from `accepted`; return that response, and how many were accepted before it.

    SQLite still finds room in pages that are half empty, so the first request may succeed.
    """
    for count in range(500):
        answer = send(count)
        if answer.status_code != accepted:
            return answer, count
    raise AssertionError("it never filled")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("once", [False, True])
def test_a_form_refused_by_a_full_disk_says_so_and_can_be_sent_again(cast: Cast, once: bool) -> None:
    event, client = an_event(cast), quiet(signed_in(cast.organizer))

    def send(count: int) -> Any:
        return client.post("/staff/new/", {**FORM, "form_token": f"no-room-at-all-{count}" if once else ""})

    with full():
        answer, accepted = until_full(send, 302)
        assert client.get(f"/e/{event.public_id}/staff/").status_code == 200, "what is there can be read"
        assert Event.objects.filter(name="No room").count() == accepted, "what was accepted is there"
    assert (answer.status_code, answer["Retry-After"]) == (503, "60")
    assert "The disk of this site is full" in text(answer) and 'value="No room"' in text(answer)
    assert send(accepted).status_code == 302
    assert Event.objects.filter(name="No room").count() == accepted + 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("key", [False, True])
def test_an_api_write_refused_by_a_full_disk_is_a_problem_response(cast: Cast, key: bool) -> None:
    client = quiet(token_client(cast.organizer, "organize"))

    def send(count: int) -> Any:
        headers = {"HTTP_IDEMPOTENCY_KEY": f"k{count}"} if key else {}
        return client.post("/api/v1/events/", FORM, format="json", **headers)

    with full():
        answer, accepted = until_full(send, 201)
        assert Event.objects.filter(name="No room").count() == accepted, "what was accepted is there"
    assert (answer.status_code, answer.json()["code"], answer["Retry-After"]) == (503, "storage_full", "60")
    assert send(accepted).status_code == 201
    assert Event.objects.filter(name="No room").count() == accepted + 1


@pytest.mark.django_db(transaction=True)
def test_signing_in_with_a_full_disk_is_not_a_500(cast: Cast) -> None:
    form = {"email": cast.player.email, "password": PASSWORD}
    with full():
        answer, _accepted = until_full(lambda _count: quiet(Client()).post("/sign-in/", form), 302)
    assert answer.status_code == 503
    assert PASSWORD not in text(answer)


@pytest.mark.django_db
def test_a_job_stopped_by_a_full_disk_waits_without_using_up_attempts(monkeypatch: pytest.MonkeyPatch) -> None:
    room: list[str] = []

    def work(job: RunningJob) -> None:
        if not room:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setitem(jobs._handlers, "test.work", work)
    monkeypatch.setattr(jobs.current_app, "send_task", lambda *_args, **_options: None)
    with transaction.atomic():
        job = jobs.enqueue("test.work", "e-1", now=NOW)
    for minute in range(2 * jobs.ATTEMPTS):
        assert jobs.run(job.pk, now=NOW.replace(hour=11, minute=2 * minute))
    waiting = Job.objects.get()
    assert (waiting.status, waiting.attempts) == ("pending", 0)
    room.append("some")
    assert jobs.run(job.pk, now=NOW.replace(hour=12))
    assert Job.objects.get().status == "done"


WITHOUT_ROOM = """
import resource, sys
import django
django.setup()
from django.core import mail
from tournaments.common import jobs
from tournaments.common.outages import is_full
jobs.current_app.loader.import_default_modules()
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
sent = jobs.send(1, "standings.compute")
try:
    mail.send_mail("Hello", "There", None, ["a@example.com"])
except OSError as error:
    print("sent" if sent else "not sent", "full" if is_full(error) else error)
"""


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_a_queue_message_refused_by_a_full_disk_leaves_no_file(tmp_path: Path) -> None:
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "tournaments.config.settings",
        "DATABASE_URL": database_url(),
        "CELERY_BROKER_URL": "filesystem://",
        "VAR_DIR": str(tmp_path),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [sys.executable, "-c", WITHOUT_ROOM]
    ran = subprocess.run(command, env=environment, cwd=ROOT, check=False, capture_output=True, text=True)
    assert ran.stdout == "not sent full\n", ran.stderr
    assert [path.name for path in (tmp_path / "queue" / "messages").iterdir()] == []
