"""Refuse request bodies that are larger than any legitimate one, before Django reads them."""

import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

LARGEST = 9 * 1024 * 1024 + 64 * 1024  # room for a move log of 8 MiB with its form around it
SENTENCE = "The request is too large."

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
AsgiApp = Callable[[Scope, Receive, Send], Awaitable[None]]


class UploadLimit:
    """ASGI middleware that answers 413 if the body is too large.

    It goes by the Content-Length if there is one, and else counts the bytes that arrive.
    """

    def __init__(self, app: AsgiApp, largest: int = LARGEST) -> None:
        self.app = app
        self.largest = largest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        announced = dict(scope.get("headers", ())).get(b"content-length", b"")
        if announced.isdigit() and int(announced) > self.largest:
            await _refuse(scope, send)
            return
        await self._counted(scope, receive, send)

    async def _counted(self, scope: Scope, receive: Receive, send: Send) -> None:
        come, answered = 0, False

        async def counting() -> Message:
            nonlocal come
            if come > self.largest:
                return {"type": "http.disconnect"}
            message = await receive()
            come += len(message.get("body", b""))
            # To the application this looks like a client that has disconnected: it stops reading and sends nothing.
            return {"type": "http.disconnect"} if come > self.largest else message

        async def noting(message: Message) -> None:
            nonlocal answered
            answered = True
            await send(message)

        await self.app(scope, counting, noting)
        if come > self.largest and not answered:
            await _refuse(scope, send)


async def _refuse(scope: Scope, send: Send) -> None:
    """Answer 413: problem JSON for the API, a short page otherwise. Closes the connection without reading the rest."""
    if scope["path"].startswith("/api/"):
        media_type = "application/problem+json"
        problem = {
            "type": "about:blank",
            "title": "Request Entity Too Large",
            "status": 413,
            "code": "too_large",
            "detail": SENTENCE,
            "details": [],
        }
        body = json.dumps(problem)
    else:
        media_type = "text/html; charset=utf-8"
        body = f'<!DOCTYPE html><html lang="en"><title>{SENTENCE}</title><h1>{SENTENCE}</h1>\n'
    headers = [
        (b"content-type", media_type.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": body.encode()})
