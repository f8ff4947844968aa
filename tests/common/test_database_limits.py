"""Web processes, and only they, give up a statement or a lock in time: a locked table stops nobody who needs others."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from django.db import connection, connections
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests.api.scenes import token_client
from tests.builders import an_event
from tests.cast import Cast
from tests.contracts.project import ROOT
from tests.web.pages import signed_in, text
from tests.web.test_live_rights import page_of, status
from tests.workers import database_url
from tournaments.common.database_limits import limit_statements, limited
from tournaments.common.models import Heartbeat
from tournaments.web.live.streams import LiveStreams

FORM = {"name": "Waiting", "preset": "star-safir"}
SOON = 30.0  # seconds: somebody who waits for the lock waits until the test ends
SHOW = """
import django
django.setup()
{}
from django.db import connection
with connection.cursor() as cursor:
    print([cursor.execute(f"SHOW {{name}}") and cursor.fetchone()[0] for name in ("statement_timeout", "lock_timeout")])
"""


def test_limits_are_options_of_the_connection() -> None:
    limits = {"statement_timeout": 20, "lock_timeout": 5}
    assert limited({}, limits) == {"options": "-c statement_timeout=20s -c lock_timeout=5s"}


def test_what_the_operator_wrote_in_the_url_wins() -> None:
    given = {"options": "-c lock_timeout=9s", "sslmode": "require"}
    assert limited(given, {"lock_timeout": 5}) == {"options": "-c lock_timeout=5s -c lock_timeout=9s"}


def test_without_limits_nothing_is_sent() -> None:
    assert limited({"sslmode": "require"}, {"statement_timeout": 0, "lock_timeout": 0}) == {}


def _postgresql_only() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("these are limits of PostgreSQL")


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("kind", "shown"),
    [("import tournaments.config.asgi", ["20s", "5s"]), ("import tournaments.config.celery", ["0", "0"])],
)
@pytest.mark.parametrize("pool", ["0", "1"])
def test_only_web_processes_have_limits(kind: str, shown: list[str], pool: str) -> None:
    _postgresql_only()
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "tournaments.config.settings",
        "DATABASE_URL": database_url(),
        "DATABASE_POOL": pool,
    }
    ran = subprocess.run(
        [sys.executable, "-c", SHOW.format(kind)],
        env=environment,
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
    )
    assert ran.stdout.strip() == str(shown), ran.stderr


@pytest.fixture
def _limited(transactional_db: None, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The connections of this test as in a web process, with shorter limits."""
    _postgresql_only()
    settings.DATABASE_LOCK_TIMEOUT = 1
    monkeypatch.setitem(connections.settings["default"], "OPTIONS", dict(connections.settings["default"]["OPTIONS"]))
    limit_statements()
    monkeypatch.setitem(connection.settings_dict, "OPTIONS", connections.settings["default"]["OPTIONS"])
    connection.close()
    yield
    connection.close()


@contextmanager
def locked(*tables: str) -> Iterator[None]:
    """Somebody else holds whole tables until the block ends, as a migration or a careless administrator does."""
    with psycopg.connect(database_url()) as other:
        other.execute(f"LOCK TABLE {', '.join(tables)} IN ACCESS EXCLUSIVE MODE")
        began = time.monotonic()
        yield
        assert time.monotonic() - began < SOON


def quiet(client: Client) -> Client:
    client.raise_request_exception = False
    return client


@pytest.mark.services
@pytest.mark.usefixtures("_limited")
class TestWithALockedTable:
    """What a web process answers while a table is locked."""

    def test_a_form_that_needs_it_gets_a_503(self, cast: Cast) -> None:
        client = quiet(signed_in(cast.organizer))
        with locked("events_stage"):
            answer = client.post("/staff/new/", FORM)
        assert (answer.status_code, answer["Retry-After"]) == (503, "5")
        assert "database_busy" in text(answer) and 'name="name" value="Waiting"' in text(answer)
        assert client.post("/staff/new/", FORM).status_code == 302

    def test_an_api_write_that_needs_it_gets_a_503(self, cast: Cast) -> None:
        client = token_client(cast.organizer, "organize")
        with locked("events_stage"):
            answer = client.post("/api/v1/events/", FORM, format="json", HTTP_IDEMPOTENCY_KEY="k1")
        assert (answer.status_code, answer.json()["code"], answer["Retry-After"]) == (503, "database_busy", "5")

    def test_pages_that_need_other_tables_work(self, cast: Cast) -> None:
        event, client = an_event(cast), signed_in(cast.organizer)
        with locked("play_match", "judging_penalty"):
            assert client.get("/").status_code == 200
            assert client.post("/staff/new/", FORM).status_code == 302
            assert quiet(client).get(reverse("web:account")).status_code == 200
        assert client.get(reverse("web:staff", args=[event.public_id])).status_code == 200

    def test_static_texts_need_no_table(self, client: Client) -> None:
        with locked("django_session", "accounts_user"):
            for path in ("/robots.txt", "/.well-known/security.txt"):
                assert client.get(path).status_code == 200

    @pytest.mark.parametrize("table", ["common_job", "archive_check", "common_heartbeat"])
    def test_health_is_not_taken_for_a_failure_of_the_process(self, client: Client, table: str) -> None:
        with locked(table):
            answer = client.get("/healthz")
        assert answer.status_code == 200
        lines = answer.content.decode().splitlines()
        assert lines[:2] == ["ok", "queue unknown"]
        assert "database busy" in lines

    def test_health_does_not_need_the_other_tables(self, client: Client) -> None:
        with locked("events_event", "django_session", "accounts_user"):
            assert client.get("/healthz").content.decode().splitlines()[:2] == ["ok", "queue 0"]
        assert Heartbeat.objects.exists()

    def test_a_stream_is_refused_for_a_while(self, cast: Cast) -> None:
        page = page_of(cast.organizer, an_event(cast), "staff")

        async def scene() -> None:
            with locked("events_event"):
                assert await status(page.stream(LiveStreams())) == 503
            assert await status(page.stream(LiveStreams())) == 200

        asyncio.run(scene())
