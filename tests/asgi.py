"""Requests sent to the whole site as an ASGI server sends them, for what happens outside of Django."""

import asyncio
from typing import NamedTuple

from asgiref.testing import ApplicationCommunicator

from tournaments.config.asgi import application

PATIENCE = 60  # seconds


class Answer(NamedTuple):
    """The response to a request."""

    status: int
    headers: dict[str, str]
    text: str


def ask(path: str, *, method: str = "GET", peer: str = "127.0.0.1", **headers: str) -> Answer:
    """Send a request without a body; return the response. `x_request_id="a"` sets the header `X-Request-ID`."""
    sent = {"host": "localhost"} | {name.replace("_", "-"): value for name, value in headers.items()}
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in sent.items()],
        "client": (peer, 5000),
        "server": ("127.0.0.1", 8000),
    }
    return asyncio.run(_talk(scope))


async def _talk(scope: dict[str, object]) -> Answer:
    communicator = ApplicationCommunicator(application, scope)
    await communicator.send_input({"type": "http.request", "body": b""})
    start = await communicator.receive_output(PATIENCE)
    body, more = b"", True
    while more:
        message = await communicator.receive_output(PATIENCE)
        body += message.get("body", b"")
        more = message.get("more_body", False)
    await communicator.wait(PATIENCE)
    headers = {name.decode().lower(): value.decode() for name, value in start["headers"]}
    return Answer(start["status"], headers, body.decode())
