"""A request for a foreign host name gets a 400 and leaves nothing in the log."""

import asyncio
import logging

import pytest
from asgiref.testing import ApplicationCommunicator

from tournaments.config.asgi import application

PAGES = ("/", "/sign-in/", "/privacy", "/api/v1/presets/", "/healthz", "/nothing/")
FOREIGN = (b"evil.example", b"a b", b"x..y:99999", b"")


def ask(path: str, host: bytes) -> tuple[int, bytes]:
    """Send a request as an ASGI server does; return the status and body of the response."""
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(b"host", host)],
        "client": ("127.0.0.1", 5000),
        "server": ("127.0.0.1", 8000),
    }

    async def talk() -> tuple[int, bytes]:
        communicator = ApplicationCommunicator(application, scope)
        await communicator.send_input({"type": "http.request", "body": b""})
        start = await communicator.receive_output(10)
        body = await communicator.receive_output(10)
        return start["status"], body.get("body", b"")

    return asyncio.run(talk())


@pytest.mark.parametrize("host", FOREIGN)
@pytest.mark.parametrize("path", PAGES)
def test_a_foreign_host_gets_a_400_that_is_not_logged(path: str, host: bytes, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, logger="django"):
        status, body = ask(path, host)
    assert (status, body) == (400, b"This site does not answer under this name.\n")
    assert [record.getMessage() for record in caplog.records if record.name.startswith("django")] == []


def test_a_host_of_ours_is_answered() -> None:
    status, body = ask("/privacy/", b"localhost")
    assert status == 200
    assert b"<h1" in body
