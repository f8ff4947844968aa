"""A lost connection to PostgreSQL goes unnoticed by people who read, and by those who write with a key."""

from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from django.db import OperationalError, connection, transaction
from django.test import Client
from django.urls import reverse

from tests.api.scenes import token_client
from tests.builders import an_event
from tests.cast import Cast
from tests.web.pages import signed_in
from tests.workers import database_url
from tournaments.accounts.models import User
from tournaments.common.outages import is_lost
from tournaments.events.models import Event

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]
FORM = {"name": "Lost", "preset": "star-safir"}


@pytest.fixture(autouse=True)
def _postgresql_only() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no connections to lose")


def cut() -> None:
    """End our database session from another one, as an administrator or a restart does."""
    if connection.connection is None:
        return
    with psycopg.connect(database_url(), autocommit=True) as other:
        other.execute("select pg_terminate_backend(%s, 5000)", [connection.connection.info.backend_pid])


def cutting(before: Callable[[str], bool]) -> Callable[..., Any]:
    """A statement wrapper that cuts the connection once, before the first statement for which `before` is true."""
    done: list[str] = []

    def watch(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if not done and before(sql):
            done.append(sql)
            cut()
        return execute(sql, params, many, context)

    watch.done = done  # type: ignore[attr-defined]
    return watch


def quiet(client: Client) -> Client:
    client.raise_request_exception = False
    return client


def test_a_read_after_a_lost_connection_succeeds() -> None:
    assert not User.objects.exists()
    cut()
    assert not User.objects.exists()


def test_a_transaction_cut_before_its_first_statement_succeeds(cast: Cast) -> None:
    committed: list[str] = []
    with transaction.atomic():
        cut()
        transaction.on_commit(lambda: committed.append("yes"))
        User.objects.filter(pk=cast.player.pk).update(language="it")
        with transaction.atomic():
            User.objects.filter(pk=cast.opponent.pk).update(language="it")
    assert User.objects.filter(language="it").count() == 2
    assert committed == ["yes"]


def test_a_transaction_cut_in_the_middle_is_rolled_back_and_raises(cast: Cast) -> None:
    with pytest.raises(OperationalError), transaction.atomic():
        User.objects.filter(pk=cast.player.pk).update(language="it")
        cut()
        User.objects.filter(pk=cast.opponent.pk).update(language="it")
    connection.close()
    assert not User.objects.filter(language="it").exists()


@pytest.mark.parametrize("table", ["django_session", "accounts_user", "events_event"])
def test_a_page_loads_even_if_the_connection_is_cut_before_reading_a_table(cast: Cast, table: str) -> None:
    event = an_event(cast)
    client = signed_in(cast.organizer)
    watch = cutting(lambda sql: f'FROM "{table}"' in sql)
    with connection.execute_wrapper(watch):
        page = client.get(reverse("web:staff", args=[event.public_id]))
    assert (page.status_code, bool(watch.done)) == (200, True)  # type: ignore[attr-defined]


def test_requests_succeed_after_the_server_ended_every_session(cast: Cast) -> None:
    event, client = an_event(cast), signed_in(cast.organizer)
    for _time in range(3):
        cut()
        assert client.get(reverse("web:staff", args=[event.public_id])).status_code == 200


def test_a_form_with_a_key_acts_once_if_it_is_cut_in_the_middle(cast: Cast) -> None:
    client = quiet(signed_in(cast.organizer))
    watch = cutting(lambda sql: sql.startswith('INSERT INTO "events_stage"'))
    with connection.execute_wrapper(watch):
        answer = client.post("/staff/new/", {**FORM, "form_token": "cut-in-the-middle"})
    assert watch.done  # type: ignore[attr-defined]
    assert (answer.status_code, Event.objects.filter(name="Lost").count()) == (302, 1)


def test_an_api_write_with_a_key_acts_once_if_it_is_cut_in_the_middle(cast: Cast) -> None:
    client = token_client(cast.organizer, "organize")
    watch = cutting(lambda sql: sql.startswith('INSERT INTO "events_stage"'))
    with connection.execute_wrapper(watch):
        answer = client.post("/api/v1/events/", FORM, format="json", HTTP_IDEMPOTENCY_KEY="k1")
    assert watch.done  # type: ignore[attr-defined]
    assert (answer.status_code, Event.objects.filter(name="Lost").count()) == (201, 1)


def test_a_form_without_a_key_gets_a_page_to_try_again_if_it_is_cut(cast: Cast) -> None:
    client = quiet(signed_in(cast.organizer))
    watch = cutting(lambda sql: sql.startswith('INSERT INTO "events_stage"'))
    with connection.execute_wrapper(watch):
        answer = client.post("/staff/new/", FORM)
    page = answer.content.decode()
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "database_unreachable" in page and 'name="preset" value="star-safir"' in page
    assert not Event.objects.filter(name="Lost").exists()
    assert client.post("/staff/new/", FORM).status_code == 302


def test_an_api_write_without_a_key_gets_a_problem_with_retry_after_if_it_is_cut(cast: Cast) -> None:
    client = token_client(cast.organizer, "organize")
    watch = cutting(lambda sql: sql.startswith('INSERT INTO "events_stage"'))
    with connection.execute_wrapper(watch):
        answer = client.post("/api/v1/events/", FORM, format="json")
    assert (answer.status_code, answer.json()["code"], answer["Retry-After"]) == (503, "database_unreachable", "5")
    assert answer["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("inside", [False, True])
def test_an_exhausted_pool_is_an_outage_and_the_next_read_succeeds(
    monkeypatch: pytest.MonkeyPatch, inside: bool
) -> None:
    from psycopg_pool import PoolTimeout

    def crowded(_params: Any) -> None:
        raise PoolTimeout("couldn't get a connection after 5.00 sec")

    with monkeypatch.context() as patched:
        with pytest.raises(OperationalError) as caught:
            if inside:
                with transaction.atomic():
                    cut()
                    patched.setattr(connection, "get_new_connection", crowded)
                    User.objects.exists()
            else:
                assert not User.objects.exists()
                cut()
                patched.setattr(connection, "get_new_connection", crowded)
                User.objects.exists()
        assert is_lost(caught.value)
    assert not connection.in_atomic_block
    assert not User.objects.exists()
