"""Admission control: how many requests Django works on at once, and what becomes of the others.

A process has a fixed number of threads, its lanes. A request takes a lane once its body has arrived, and gives it back
before its answer is sent, so that a slow phone holds none. When no lane is free, requests wait in line: writes (a
report, a confirmation, a judge call) go before reads, and some lanes are never given to reads. What cannot be served in
time is answered 503 with `Retry-After`, by a page that tries again by itself.

Threads stay, so that each keeps its database connection from one request to the next.
"""

import asyncio
import json
import random
from collections import deque
from collections.abc import Awaitable, Callable, MutableMapping
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache
from http.cookies import CookieError, SimpleCookie
from typing import Any

from asgiref.sync import ThreadSensitiveContext
from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation.trans_real import parse_accept_lang_header

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
AsgiApp = Callable[[Scope, Receive, Send], Awaitable[None]]

READS = ("GET", "HEAD", "OPTIONS")
LANES = 6  # more only take turns at the same processor, at a cost
LANES_FOR_WRITES = 2  # of these: a write never waits for a slow page
LONGEST_LINE = 400  # requests that wait, of each kind
LARGEST_LINE = 64 * 1024 * 1024  # bytes of bodies that have arrived or are arriving, all requests together
PATIENCE = 8.0  # seconds that a read waits at most
PATIENCE_FOR_WRITES = 15.0
TRY_AGAIN = (3, 8)  # seconds, spread so that those sent away do not all come back at once


class Lanes:
    """A fixed number of threads, and the two lines of requests that wait for one."""

    def __init__(
        self, count: int = LANES, *, for_writes: int = LANES_FOR_WRITES, longest_line: int = LONGEST_LINE
    ) -> None:
        self._free: list[Executor] = [ThreadPoolExecutor(1, thread_name_prefix=f"lane-{n}") for n in range(count)]
        self._for_writes = min(for_writes, count - 1)
        self._longest_line = longest_line
        self._lines: dict[bool, deque[asyncio.Future[Executor]]] = {True: deque(), False: deque()}

    async def take(self, *, write: bool, patience: float) -> Executor | None:
        """A lane, within `patience` seconds; None when the line is too long or the wait was."""
        if len(self._free) > (0 if write else self._for_writes):
            return self._free.pop()
        line = self._lines[write]
        if len(line) >= self._longest_line:
            return None
        place: asyncio.Future[Executor] = asyncio.get_running_loop().create_future()
        line.append(place)
        try:
            async with asyncio.timeout(patience):
                return await asyncio.shield(place)
        except TimeoutError:
            return place.result() if place.done() and not place.cancelled() else None
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self.give_back(place.result())
            raise
        finally:
            place.cancel()
            with suppress(ValueError):
                line.remove(place)

    def give_back(self, lane: Executor) -> None:
        """A lane is free: the write that waits longest takes it, else the read, where enough are left for writes."""
        for write in (True, False):
            line = self._lines[write]
            if not write and len(self._free) < self._for_writes:
                break
            while line:
                place = line.popleft()
                if not place.done():
                    place.set_result(lane)
                    return
        self._free.append(lane)


class Admission:
    """An ASGI application behind lanes: it runs with one request a lane, and never holds one while bytes travel."""

    def __init__(
        self,
        app: AsgiApp,
        lanes: Lanes | None = None,
        *,
        patience: float = PATIENCE,
        patience_for_writes: float = PATIENCE_FOR_WRITES,
    ) -> None:
        self.app = app
        self.lanes = lanes or Lanes()
        self._held = 0  # bytes of bodies in memory
        self._patience = {False: patience, True: patience_for_writes}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        body: list[Message] = []
        try:
            if await self._arrives(body, receive):
                await self._admit(scope, body, receive, send)
            elif self._held > LARGEST_LINE:
                await turn_away(scope, send)
        finally:
            self._held -= _size(body)

    async def _arrives(self, body: list[Message], receive: Receive) -> bool:
        """Read a body into `body`; False when its sender went away, or when all bodies together are too large."""
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return False
            body.append(message)
            self._held += len(message.get("body", b""))
            if self._held > LARGEST_LINE:
                return False
            if not message.get("more_body", False):
                return True

    async def _admit(self, scope: Scope, body: list[Message], receive: Receive, send: Send) -> None:
        """Answer a request whose body is here, once there is a lane for it."""
        gone = asyncio.ensure_future(_gone(receive))
        try:
            lane = await self._lane(_is_write(scope), gone)
            if lane is not None:
                for message in await self._answer(lane, scope, body, gone):
                    await send(message)
            elif not gone.done():
                await turn_away(scope, send)
        finally:
            gone.cancel()

    async def _lane(self, write: bool, gone: "asyncio.Future[Message]") -> Executor | None:
        """A lane for a request whose sender still waits for it; None otherwise."""
        taking = asyncio.ensure_future(self.lanes.take(write=write, patience=self._patience[write]))
        await asyncio.wait((taking, gone), return_when=asyncio.FIRST_COMPLETED)
        if taking.done():
            return taking.result()
        taking.cancel()  # the phone was put away, or loads the page again
        with suppress(asyncio.CancelledError):
            lane = await taking
            if lane is not None:
                self.lanes.give_back(lane)
        return None

    async def _answer(
        self, lane: Executor, scope: Scope, body: list[Message], gone: "asyncio.Future[Message]"
    ) -> list[Message]:
        """What the application answers, as a whole: the lane is free again before the first byte leaves."""
        answer: list[Message] = []
        arrived = iter(body)

        async def receive() -> Message:
            message = next(arrived, None)
            return message if message is not None else await asyncio.shield(gone)

        async def keep(message: Message) -> None:
            answer.append(message)

        try:
            async with ThreadSensitiveContext(executor=lane):
                await self.app(scope, receive, keep)
        finally:
            self.lanes.give_back(lane)
        return answer


def _is_write(scope: Scope) -> bool:
    return scope["method"] not in READS


def _size(body: list[Message]) -> int:
    return sum(len(message.get("body", b"")) for message in body)


async def _gone(receive: Receive) -> Message:
    """The message that says that the sender went away."""
    while (message := await receive())["type"] != "http.disconnect":
        pass
    return message


# ---------------------------------------------------------------- turned away


async def turn_away(scope: Scope, send: Send) -> None:
    """503 with `Retry-After`: a problem for the API, for browsers a page that loads itself again.

    A form is not sent again by itself, for nobody could say what it was: its page says that nothing was saved.
    """
    wait = random.randint(*TRY_AGAIN)  # noqa: S311 - no secret, only a spread
    if scope["path"].startswith("/api/"):
        kind, body = "application/problem+json", _problem()
    else:
        kind, body = "text/html; charset=utf-8", busy_page(_language(scope), wait, write=_is_write(scope))
    headers = [
        (b"content-type", kind.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"retry-after", str(wait).encode()),
        (b"content-security-policy", b"default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'"),
    ]
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _problem() -> bytes:
    return json.dumps({
        "type": "about:blank",
        "title": "Service Unavailable",
        "status": 503,
        "code": "busy",
        "detail": "Too many requests at once: nothing was read or changed. Try again after Retry-After seconds.",
        "details": [],
    }).encode()


@lru_cache(maxsize=100)
def busy_page(language: str, wait: int, *, write: bool) -> bytes:
    """The page of a process that is too busy: after `wait` seconds it loads itself again, unless a form was sent."""
    with translation.override(language):
        return render_to_string("503.html", {"wait": wait, "write": write}).encode()


def _language(scope: Scope) -> str:
    """The language of the reader: of the cookie, else the first one of the browser's that is ours."""
    headers = {name: value.decode("latin-1") for name, value in scope.get("headers", ())}
    ours = dict(settings.LANGUAGES)
    with suppress(CookieError):
        chosen = SimpleCookie(headers.get(b"cookie", "")).get(settings.LANGUAGE_COOKIE_NAME)
        if chosen is not None and chosen.value in ours:
            return chosen.value
    spoken = (code.partition("-")[0] for code, _weight in parse_accept_lang_header(headers.get(b"accept-language", "")))
    return next((code for code in spoken if code in ours), settings.LANGUAGE_CODE)
