"""Refuses bodies that are larger than anything anyone sends, before Django reads them."""

import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

LARGEST = 9 * 1024 * 1024 + 64 * 1024  # a move log of 8 MiB, with its form around it
SENTENCE = "The request is too large."

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
AsgiApp = Callable[[Scope, Receive, Send], Awaitable[None]]


class UploadLimit:
    """An ASGI application behind a limit: 413 by the length that is announced, or once more than it has come in."""

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
            # To the application the sender has gone away: it stops reading and answers nothing.
            return {"type": "http.disconnect"} if come > self.largest else message

        async def noting(message: Message) -> None:
            nonlocal answered
            answered = True
            await send(message)

        await self.app(scope, counting, noting)
        if come > self.largest and not answered:
            await _refuse(scope, send)


async def _refuse(scope: Scope, send: Send) -> None:
    """413: a problem for the API, a short page otherwise. The connection is closed: the rest is not read."""
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
