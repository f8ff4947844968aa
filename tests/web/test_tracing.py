"""Every request has an id: in the response, on error pages, in the log, and in the jobs it enqueues."""

import json
import logging
import os
import re
import subprocess
import sys
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.utils import translation
from pytest_django import Settings

from tests.asgi import ask
from tournaments.common import clock, jobs, request_ids, tasks
from tournaments.common.logs import JsonLines, NameRequest
from tournaments.web import admission, failures
from tournaments.web.tracing import access

MADE = r"[0-9a-f]{12}"


def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a page that needs no database fail."""

    def fail(*_args: object, **_more: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr("tournaments.web.pages.public.about._page", fail)


@pytest.mark.parametrize("path", ["/privacy/", "/nothing/", "/static/web/mark.svg", "/live/e-1/", "/api/v1/nothing/"])
def test_every_response_has_an_id_of_its_own(path: str) -> None:
    first, second = (ask(path).headers["x-request-id"] for _time in range(2))
    assert re.fullmatch(MADE, first) and re.fullmatch(MADE, second) and first != second


def test_the_id_that_a_trusted_proxy_gives_is_kept(settings: Settings) -> None:
    settings.TRUSTED_PROXIES = [ip_network("10.0.0.0/8")]
    assert ask("/privacy/", peer="10.0.0.1", x_request_id="edge-7.A").headers["x-request-id"] == "edge-7.A"


@pytest.mark.parametrize(
    ("peer", "header"),
    [("192.0.2.1", "edge-7.A"), ("10.0.0.1", "a b"), ("10.0.0.1", "x" * 65), ("10.0.0.1", "<b>"), ("10.0.0.1", "")],
)
def test_an_id_from_a_stranger_or_a_malformed_one_is_replaced(settings: Settings, peer: str, header: str) -> None:
    settings.TRUSTED_PROXIES = [ip_network("10.0.0.0/8")]
    assert re.fullmatch(MADE, ask("/privacy/", peer=peer, x_request_id=header).headers["x-request-id"])


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "If you report this, quote"), ("fr", "Si vous signalez"), ("it", "Se segnali")],
)
def test_the_page_of_a_bug_says_which_id_to_quote(
    monkeypatch: pytest.MonkeyPatch, language: str, sentence: str
) -> None:
    broken(monkeypatch)
    answer = ask("/privacy/", accept_language=language)
    assert answer.status == 500 and sentence in answer.text
    assert f"<code>{answer.headers['x-request-id']}</code>" in answer.text


def test_a_bug_is_logged_with_the_id_that_its_page_shows(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken(monkeypatch)
    caplog.handler.addFilter(NameRequest())
    answer = ask("/privacy/")
    logged = [record for record in caplog.records if record.exc_info]
    assert [record.request_id for record in logged] == [answer.headers["x-request-id"]]


def test_a_bug_has_a_page_with_its_id_even_if_the_template_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    broken(monkeypatch)

    def fail(*_args: object, **_more: object) -> str:
        raise RuntimeError("no templates")

    monkeypatch.setattr(failures, "render_to_string", fail)
    answer = ask("/privacy/")
    assert answer.status == 500 and answer.headers["x-request-id"] in answer.text


def test_a_bug_in_the_api_outside_of_a_view_is_a_problem_with_its_id(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr("rest_framework.views.APIView.initialize_request", fail)
    answer = ask("/api/v1/presets/")
    problem = json.loads(answer.text)
    assert (answer.status, problem["code"]) == (500, "server_error")
    assert problem["request"] == answer.headers["x-request-id"]


def test_the_page_of_a_site_that_is_too_busy_says_which_id_to_quote(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "LARGEST_LINE", -1)
    answers = [ask("/privacy/"), ask("/privacy/")]
    assert [answer.status for answer in answers] == [503, 503]
    assert all(f"<code>{answer.headers['x-request-id']}</code>" in answer.text for answer in answers)


def test_an_error_page_without_an_id_does_not_ask_for_one() -> None:
    with translation.override("en"):
        assert "quote" not in failures._page_of_a_bug()


@pytest.mark.django_db(transaction=True)
def test_a_job_keeps_the_id_of_the_request_that_enqueued_it(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[dict[str, Any]] = []
    seen: list[str] = []
    monkeypatch.setattr(jobs.current_app, "send_task", lambda *_args, **options: sent.append(options))
    monkeypatch.setattr(jobs, "_quiet_until", float("-inf"))
    monkeypatch.setitem(jobs._handlers, "test.work", lambda _job: seen.append(request_ids.current()))
    with request_ids.known_as("7f3a"), transaction.atomic():
        job = jobs.enqueue("test.work", "e-1", now=clock.now())
    assert sent[0]["headers"] == {"request_id": "7f3a"}
    tasks.run_job.push_request(**sent[0]["headers"])  # as a worker does
    try:
        tasks.run_job.run(job.pk)
    finally:
        tasks.run_job.pop_request()
    assert seen == ["7f3a"] and request_ids.current() == ""


@pytest.mark.django_db(transaction=True)
def test_a_message_that_the_sweep_sends_has_no_id(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[dict[str, Any]] = []
    monkeypatch.setattr(jobs.current_app, "send_task", lambda *_args, **options: sent.append(options))
    monkeypatch.setattr(jobs, "_quiet_until", float("-inf"))
    with request_ids.known_as("7f3a"):
        with transaction.atomic():
            jobs.enqueue("test.work", "e-1", now=clock.now())
        jobs.sweep(clock.now())
    assert [options["headers"] for options in sent] == [{"request_id": "7f3a"}, None]


# The access log


def test_a_line_of_the_access_log_has_the_pattern_of_the_address_and_no_secret(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.INFO, logger=access.name):
        ask("/privacy/")
        ask("/nothing/")
        ask("/static/web/mark.svg")
        ask("/unsubscribe/someone/all/secret/")
    lines = [record.getMessage() for record in caplog.records if record.name == access.name]
    assert [re.sub(r"\d+ ms", "… ms", line) for line in lines[:3]] == [
        "GET /privacy/ 200 … ms",
        "GET - 404 … ms",
        "GET /static/ 200 … ms",
    ]
    assert "secret" not in lines[3]


def test_the_server_logs_as_the_site_does_and_keeps_no_access_log_of_its_own(tmp_path: Path) -> None:
    script = """
import logging, uvicorn
uvicorn.Config("none", log_level="warning")
import django
django.setup()
logging.getLogger("uvicorn.error").info("too much")
logging.getLogger("uvicorn.error").warning("a warning")
print(logging.getLogger("uvicorn.access").hasHandlers())
"""
    environment = os.environ | {"LOG_FORMAT": "json", "VAR_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
    assert [json.loads(line)["message"] for line in done.stderr.splitlines()] == ["a warning"]


def test_the_access_log_is_off_by_default() -> None:
    assert not access.isEnabledFor(logging.INFO)


def test_a_json_line_has_the_time_the_request_and_what_the_access_log_says() -> None:
    fields = {"method": "GET", "route": "/", "status": 200, "ms": 3}
    record = logging.LogRecord("arbitre.access", logging.INFO, "", 0, "GET %s", ("/",), None)
    record.fields = fields
    with request_ids.known_as("7f3a"):
        NameRequest().filter(record)
    line = JsonLines().format(record)
    told = json.loads(line)
    assert "\n" not in line and re.fullmatch(r"20\d\d-.+\+00:00", told.pop("time"))
    assert told == {"level": "INFO", "logger": "arbitre.access", "request": "7f3a", "message": "GET /"} | fields


def test_a_json_line_has_the_exception_in_one_line() -> None:
    try:
        raise ValueError("bad\nvalue")
    except ValueError as error:
        record = logging.LogRecord("x", logging.ERROR, "", 0, "failed", (), (type(error), error, error.__traceback__))
    line = JsonLines().format(record)
    assert "\n" not in line and "ValueError: bad\nvalue" in json.loads(line)["exception"]
    assert json.loads(line)["request"] == "-"
