"""What PostgreSQL refuses for a while is a 503 with `Retry-After`, on pages, at sign-in and in the API."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import psycopg
import pytest
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse

from tests.api.scenes import token_client
from tests.builders import NOW, an_event
from tests.cast import PASSWORD, Cast
from tests.web.pages import signed_in, text
from tests.workers import database_url
from tournaments.common import jobs
from tournaments.common.jobs import RunningJob
from tournaments.common.models import Job
from tournaments.events.models import Event

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]
FORM = {"name": "Refused", "preset": "star-safir"}
Fault = Callable[[], AbstractContextManager[None]]


@pytest.fixture(autouse=True)
def _postgresql_only() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("these are faults of PostgreSQL")


@contextmanager
def setting(name: str, value: str) -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute(f"SET {name} = {value}")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"RESET {name}")


@contextmanager
def read_only() -> Iterator[None]:
    with setting("default_transaction_read_only", "on"):
        yield


@contextmanager
def locked(*tables: str) -> Iterator[None]:
    """Somebody else holds whole tables, as a migration or a careless administrator does."""
    with psycopg.connect(database_url()) as other:
        other.execute(f"LOCK TABLE {', '.join(tables)} IN ACCESS EXCLUSIVE MODE")
        yield


@contextmanager
def locked_for_long() -> Iterator[None]:
    with setting("lock_timeout", "'100ms'"), locked("events_stage", "django_session"):
        yield


@contextmanager
def slow() -> Iterator[None]:
    """PostgreSQL cancels a statement that takes too long, when a row is added."""

    def watch(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith("INSERT"):
            execute("SET statement_timeout = '100ms'", None, False, context)
            execute("SELECT pg_sleep(600)", None, False, context)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(watch):
        yield
    connection.close()  # and with it the setting


@contextmanager
def crowded() -> Iterator[None]:
    """PostgreSQL has no connection left, and says so as it says it to a new one."""

    def refuse(_params: Any) -> None:
        raise psycopg.OperationalError("connection failed: FATAL: remaining connection slots are reserved")

    connection.close()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(connection, "get_new_connection", refuse)
        yield


FAULTS = [
    pytest.param(read_only, "database_read_only", "60", id="read-only"),
    pytest.param(locked_for_long, "database_busy", "5", id="locked"),
    pytest.param(slow, "database_slow", "5", id="slow"),
    pytest.param(crowded, "database_unreachable", "5", id="crowded"),
]
of_each = pytest.mark.parametrize(("fault", "code", "wait"), FAULTS)


def quiet(client: Client) -> Client:
    client.raise_request_exception = False
    return client


@of_each
@pytest.mark.parametrize("token", ["", "a-key-of-this-form"])
def test_a_form_gets_a_503_and_succeeds_afterwards(cast: Cast, fault: Fault, code: str, wait: str, token: str) -> None:
    client, form = quiet(signed_in(cast.organizer)), {**FORM, "form_token": token}
    with fault():
        answer = client.post("/staff/new/", form)
    assert (answer.status_code, answer["Retry-After"]) == (503, wait)
    assert code in text(answer)
    assert not Event.objects.filter(name="Refused").exists()
    assert client.post("/staff/new/", form).status_code == 302


@of_each
@pytest.mark.parametrize("key", ["", "k1"])
def test_an_api_write_gets_a_problem_and_succeeds_afterwards(
    cast: Cast, fault: Fault, code: str, wait: str, key: str
) -> None:
    client = quiet(token_client(cast.organizer, "organize"))
    headers = {"HTTP_IDEMPOTENCY_KEY": key} if key else {}
    with fault():
        answer = client.post("/api/v1/events/", FORM, format="json", **headers)
    assert (answer.status_code, answer.json()["code"], answer["Retry-After"]) == (503, code, wait)
    assert answer["Content-Type"] == "application/problem+json"
    assert client.post("/api/v1/events/", FORM, format="json", **headers).status_code == 201
    assert Event.objects.filter(name="Refused").count() == 1


@of_each
def test_signing_in_gets_a_503_without_the_password(cast: Cast, fault: Fault, code: str, wait: str) -> None:
    form = {"email": cast.player.email, "password": PASSWORD}
    with fault():
        answer = quiet(Client()).post("/sign-in/", form)
    assert (answer.status_code, answer["Retry-After"]) == (503, wait)
    assert code in text(answer) and PASSWORD not in text(answer)
    assert Client().post("/sign-in/", form).status_code == 302


def test_a_read_only_database_still_shows_pages(cast: Cast) -> None:
    event, client = an_event(cast), signed_in(cast.organizer)
    with read_only():
        assert client.get(reverse("web:staff", args=[event.public_id])).status_code == 200
        assert client.get("/").status_code == 200


def test_the_page_of_a_read_only_database_says_that_nothing_was_saved(cast: Cast) -> None:
    client = quiet(signed_in(cast.organizer))
    with read_only():
        page = text(client.post("/staff/new/", FORM))
    assert "the database is read-only" in page and "Your input was not saved" in page
    assert 'name="name" value="Refused"' in page


def test_a_job_that_was_too_slow_uses_up_an_attempt(monkeypatch: pytest.MonkeyPatch) -> None:
    def work(_job: RunningJob) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET statement_timeout = '100ms'")
            try:
                cursor.execute("SELECT pg_sleep(600)")
            finally:
                cursor.execute("RESET statement_timeout")

    monkeypatch.setitem(jobs._handlers, "test.work", work)
    monkeypatch.setattr(jobs.current_app, "send_task", lambda *_args, **_options: None)
    with transaction.atomic():
        job = jobs.enqueue("test.work", "e-1", now=NOW)
    assert jobs.run(job.pk, now=NOW)
    waiting = Job.objects.get()
    assert (waiting.status, waiting.attempts) == ("pending", 1)
