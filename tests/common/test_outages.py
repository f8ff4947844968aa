"""Outages are answered with a 503 that says what to do, on pages and in the API."""

import errno

import psycopg
import pytest
from django.db import InternalError, OperationalError
from django.test import Client

from tests.cast import Cast
from tests.web.pages import signed_in, text
from tournaments.api import problems
from tournaments.common.outages import outage_of
from tournaments.events import services


def failing(error: Exception) -> object:
    def fail(*_args: object, **_more: object) -> None:
        raise error

    return fail


class Terminated(Exception):
    sqlstate = "57P01"


class Deadlock(Exception):
    sqlstate = "40P01"


class DiskFull(Exception):
    sqlstate = "53100"


def with_state(state: str, kind: type[Exception] = OperationalError) -> Exception:
    """An error as Django raises it for an SQLSTATE of PostgreSQL."""
    error = kind("x")
    error.__cause__ = psycopg.errors.lookup(state)("x")
    return error


def caused(cause: Exception) -> OperationalError:
    error = OperationalError("x")
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (caused(Terminated()), "database_unreachable"),
        (OperationalError("the connection is closed"), "database_unreachable"),
        (caused(DiskFull()), "storage_full"),
        (with_state("25006", InternalError), "database_read_only"),
        (with_state("53300"), "database_unreachable"),
        (with_state("57P03"), "database_unreachable"),
        (with_state("25P03", InternalError), "database_unreachable"),
        (with_state("55P03"), "database_busy"),
        (with_state("53200"), "database_busy"),
        (with_state("57014"), "database_slow"),
        (OSError(errno.ENOSPC, "No space left on device"), "storage_full"),
    ],
)
def test_an_outage_is_recognized_by_its_exception(error: Exception, code: str) -> None:
    outage = outage_of(error)
    assert outage is not None
    assert (outage.code, outage.status) == (code, 503)


@pytest.mark.parametrize("error", [caused(Deadlock()), OSError(errno.EACCES, "no"), ValueError(), None])
def test_other_exceptions_are_not_outages(error: Exception | None) -> None:
    assert outage_of(error) is None


def test_a_page_requested_during_an_outage_reloads_itself(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.web.pages.public.about._page", failing(caused(Terminated())))
    client.raise_request_exception = False
    page = client.get("/privacy/")
    assert (page.status_code, page["Retry-After"], page["Cache-Control"]) == (503, "5", "no-store")
    assert '<meta http-equiv="refresh" content="5">' in text(page)
    assert "database_unreachable" in text(page)


def test_form_input_is_not_lost_when_the_disk_is_full(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "create_event", failing(OSError(errno.ENOSPC, "No space left on device")))
    client = signed_in(cast.organizer)
    client.raise_request_exception = False
    page = client.post("/staff/new/", {"name": "Kept <name>", "preset": "star-safir"})
    assert (page.status_code, page["Retry-After"]) == (503, "60")
    assert "The disk of this site is full" in text(page)
    assert 'name="name" value="Kept &lt;name&gt;"' in text(page)


def test_the_page_of_an_outage_does_not_contain_a_typed_password(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournaments.web.pages.account.account.SignInForm", failing(caused(Terminated())))
    client.raise_request_exception = False
    page = client.post("/sign-in/", {"email": "a@example.com", "password": "correct-horse-battery"})
    assert page.status_code == 503
    assert "correct-horse-battery" not in text(page)


def test_the_api_answers_an_outage_with_a_problem_response(cast: Cast) -> None:
    answer = problems.handle(caused(Terminated()), {})
    assert answer is not None
    assert (answer.status_code, answer.data["code"], answer["Retry-After"]) == (503, "database_unreachable", "5")


def test_a_bug_is_still_a_500(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.web.pages.public.about._page", failing(ValueError()))
    client.raise_request_exception = False
    assert client.get("/privacy/").status_code == 500
