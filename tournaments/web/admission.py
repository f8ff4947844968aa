"""Admission control: limit how many requests Django handles at once, and queue or refuse the rest.

Each process has a fixed number of threads, called lanes. A request takes a lane once its body has arrived, and gives it
back before its response is sent, so a slow phone never holds one. When no lane is free, requests queue: writes (a
report, a confirmation, a judge call) go before reads, and some lanes are never given to reads. A request that cannot be
served in time gets a 503 with `Retry-After`, and a page that reloads itself.

Reads give way to writes: a read that would have to wait is answered without a lane if that is possible, for example
with the page as it was some seconds ago (`kept_pages.py`). That is tried as soon as a write waits or the queue is full,
and else after a second. A read that can only be answered by a lane keeps its place in the queue.

What needs no page's work has lanes of its own: the health check and the metrics, and texts and static files. They are
answered even while all other lanes wait, for example for a locked table.

The threads live as long as the process, so that each keeps its database connection from one request to the next.
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

from tournaments.common import metrics, request_ids
from tournaments.common.metrics import Labels
from tournaments.web.tracing import kind_of

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
AsgiApp = Callable[[Scope, Receive, Send], Awaitable[None]]
Instead = Callable[[Scope], list[Message] | None]
"""Answers a read without a lane: the messages of the response, or None if it cannot. It must be quick."""

READS = ("GET", "HEAD", "OPTIONS")
LANES = 6  # more threads would only compete for the same processor, at a cost
LANES_FOR_WRITES = 2  # of the lanes above: a write never waits for a slow page
LANES_BESIDE = {"monitoring": 2, "static": 2}  # see `_lanes_of`
TEXTS = ("/robots.txt", "/.well-known/security.txt")
LONGEST_LINE = 400  # queued requests, for reads and for writes each
LARGEST_LINE = 64 * 1024 * 1024  # bytes of request bodies in memory, over all requests
PATIENCE = 8.0  # longest wait of a read, in seconds
PATIENCE_FOR_WRITES = 15.0
GIVE_WAY = 1.0  # seconds that a read waits before it is answered without a lane, and between two attempts at that
PLACE = "request-id"  # stands for the id of the request in a page that is rendered once for many
TRY_AGAIN = (3, 8)  # seconds; random, so that refused clients do not all come back at once


class Lanes:
    """A fixed number of threads, and the two queues (writes and reads) of requests waiting for one."""

    def __init__(
        self, count: int = LANES, *, for_writes: int = LANES_FOR_WRITES, longest_line: int = LONGEST_LINE
    ) -> None:
        # One thread each: Django has one database connection per thread, so there are as many as lanes.
        self._free: list[Executor] = [ThreadPoolExecutor(1, thread_name_prefix=f"lane-{n}") for n in range(count)]
        self._for_writes = min(for_writes, count - 1)  # at least one lane is left for reads
        self._longest_line = longest_line
        # The queues of writes (True) and of reads (False).
        self._lines: dict[bool, deque[asyncio.Future[Executor]]] = {True: deque(), False: deque()}
        self._write_waits: asyncio.Future[None] | None = None

    def take_free(self, *, write: bool) -> Executor | None:
        """Take a free lane without waiting; None if there is none for this kind of request."""
        return self._free.pop() if len(self._free) > (0 if write else self._for_writes) else None

    async def take(self, *, write: bool, patience: float) -> Executor | None:
        """Wait up to `patience` seconds for a lane; None if the queue is full or the time is up."""
        free = self.take_free(write=write)
        if free is not None:
            return free
        line = self._lines[write]
        if len(line) >= self._longest_line:
            return None
        place: asyncio.Future[Executor] = asyncio.get_running_loop().create_future()
        line.append(place)
        if write and self._write_waits is not None and not self._write_waits.done():
            self._write_waits.set_result(None)
        try:
            async with asyncio.timeout(patience):
                return await asyncio.shield(place)
        except TimeoutError:
            # A lane may have been handed over in the very moment the time was up.
            return place.result() if place.done() and not place.cancelled() else None
        except asyncio.CancelledError:
            # Without this, a lane handed over while the wait was being cancelled would be lost for good.
            if place.done() and not place.cancelled():
                self.give_back(place.result())
            raise
        finally:
            place.cancel()
            with suppress(ValueError):
                line.remove(place)

    def is_overloaded(self) -> bool:
        """Whether a write waits for a lane, or no further read may."""
        return bool(self._lines[True]) or len(self._lines[False]) >= self._longest_line

    def next_write(self) -> "asyncio.Future[None]":
        """A future that is done as soon as another write has to wait; all who wait for that share it."""
        loop = asyncio.get_running_loop()
        if self._write_waits is None or self._write_waits.done() or self._write_waits.get_loop() is not loop:
            self._write_waits = loop.create_future()
        return self._write_waits

    def waiting(self) -> dict[Labels, float]:
        """How many requests wait for a lane, as a gauge (see `common.metrics`)."""
        return {(("request", name),): len(self._lines[write]) for write, name in ((True, "write"), (False, "read"))}

    def give_back(self, lane: Executor) -> None:
        """Return a lane: to the longest-waiting write, else to the longest-waiting read if enough stay for writes."""
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
    """ASGI middleware that runs the application on lanes, one request per lane.

    A lane is held only while the application works: bodies are read before, responses are sent after. `instead` answers
    reads that would have to wait for a lane; `give_way` is how many seconds they wait before.
    """

    def __init__(
        self,
        app: AsgiApp,
        lanes: Lanes | None = None,
        *,
        patience: float = PATIENCE,
        patience_for_writes: float = PATIENCE_FOR_WRITES,
        give_way: float = GIVE_WAY,
        instead: Instead = lambda _scope: None,
    ) -> None:
        self.app = app
        self._instead = instead
        self._give_way = give_way
        self.lanes = lanes or Lanes()
        self._beside = {kind: Lanes(count, for_writes=0) for kind, count in LANES_BESIDE.items()}
        self._held = 0  # bytes of request bodies in memory
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
        """Read the request into `body`; False if the client disconnected or all bodies together are too large."""
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
        """Answer a request whose body has arrived, as soon as there is a lane for it."""
        lanes = self._lanes_of(scope)
        # The body is complete, so the only message that can still arrive is the disconnect.
        gone = asyncio.ensure_future(_gone(receive))
        try:
            turn = await self._turn(lanes, scope, gone)
            if isinstance(turn, Executor):
                turn = await self._answer(lanes, turn, scope, body, gone)
            elif turn is not None:
                metrics.count("arbitre_kept_pages_total")
            if turn is not None:
                for message in turn:
                    await send(message)
            elif not gone.done():
                await turn_away(scope, send)
        finally:
            gone.cancel()

    def _lanes_of(self, scope: Scope) -> Lanes:
        """The lanes for a request, by its address."""
        kind = "static" if scope["path"] in TEXTS else kind_of(scope)
        return self._beside.get(kind, self.lanes)

    async def _turn(
        self, lanes: Lanes, scope: Scope, gone: "asyncio.Future[Message]"
    ) -> Executor | list[Message] | None:
        """Get a lane or, for a read that would have to wait for it, an answer without one.

        None if the client disconnects first, the queue is full or the wait is too long.
        """
        write = _is_write(scope)
        free = lanes.take_free(write=write)
        if free is not None:
            return free
        answer = self._instead(scope) if not write and lanes.is_overloaded() else None
        if answer is not None:
            return answer
        taking = asyncio.ensure_future(lanes.take(write=write, patience=self._patience[write]))
        signals: set[asyncio.Future[Any]] = {taking, gone} if write else {taking, gone, lanes.next_write()}
        try:
            while answer is None:
                pause = None if write else self._give_way
                await asyncio.wait(signals, timeout=pause, return_when=asyncio.FIRST_COMPLETED)
                if taking.done():
                    return taking.result()
                if gone.done():  # the phone was put away, or the page reloaded
                    return None
                # Only the first write that has to wait is a signal: of a hundred, each would wake all reads.
                signals = {taking, gone}
                answer = None if write else self._instead(scope)
            return answer
        finally:
            await _leave_line(lanes, taking)

    async def _answer(
        self, lanes: Lanes, lane: Executor, scope: Scope, body: list[Message], gone: "asyncio.Future[Message]"
    ) -> list[Message]:
        """Run the application on a lane and collect its whole response.

        The lane is given back before the first byte is sent, so a slow connection cannot block it.
        """
        answer: list[Message] = []
        arrived = iter(body)

        async def receive() -> Message:
            # After the body Django asks once more, to notice a disconnect. Shielded, as `_admit` waits for it too.
            message = next(arrived, None)
            return message if message is not None else await asyncio.shield(gone)

        async def keep(message: Message) -> None:
            answer.append(message)

        try:
            async with ThreadSensitiveContext(executor=lane):
                await self.app(scope, receive, keep)
        finally:
            lanes.give_back(lane)
        return answer


async def _leave_line(lanes: Lanes, taking: "asyncio.Task[Executor | None]") -> None:
    """End the wait for a lane; does nothing if it has ended already."""
    if taking.done():
        return
    taking.cancel()
    with suppress(asyncio.CancelledError):
        lane = await taking
        if lane is not None:
            lanes.give_back(lane)


def _is_write(scope: Scope) -> bool:
    return scope["method"] not in READS


def _size(body: list[Message]) -> int:
    return sum(len(message.get("body", b"")) for message in body)


async def _gone(receive: Receive) -> Message:
    """Wait for the client to disconnect, and return that message."""
    while (message := await receive())["type"] != "http.disconnect":
        pass
    return message


# ---------------------------------------------------------------- refused requests


async def turn_away(scope: Scope, send: Send) -> None:
    """Answer 503 with `Retry-After`: problem JSON for the API, a self-reloading page for browsers.

    The page does not resubmit a form, because a reload cannot send its content again: it says that nothing was saved.
    """
    metrics.count("arbitre_refused_total", request="write" if _is_write(scope) else "read")
    wait = random.randint(*TRY_AGAIN)  # noqa: S311 - spreads the retries, not a secret
    if scope["path"].startswith("/api/"):
        kind, body = "application/problem+json", _problem()
    else:
        page = busy_page(_language(scope), wait, write=_is_write(scope))
        kind, body = "text/html; charset=utf-8", page.replace(PLACE.encode(), request_ids.current().encode())
    headers = [
        (b"content-type", kind.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"retry-after", str(wait).encode()),
        # Usually Django's middleware sets this header, but the request never got there.
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
    """Render the "too busy" page, with `PLACE` for the id of the request.

    It reloads itself after `wait` seconds, unless a form was sent (`write`).
    """
    with translation.override(language):
        context = {"wait": wait, "write": write, "request_id": PLACE}
        return render_to_string("503.html", context).encode()


def _language(scope: Scope) -> str:
    """The reader's language: from the cookie, else the first of the browser's languages that the site has.

    Read from the raw headers, as no Django middleware has run yet.
    """
    headers = {name: value.decode("latin-1") for name, value in scope.get("headers", ())}
    ours = dict(settings.LANGUAGES)
    with suppress(CookieError):
        chosen = SimpleCookie(headers.get(b"cookie", "")).get(settings.LANGUAGE_COOKIE_NAME)
        if chosen is not None and chosen.value in ours:
            return chosen.value
    spoken = (code.partition("-")[0] for code, _weight in parse_accept_lang_header(headers.get(b"accept-language", "")))
    return next((code for code in spoken if code in ours), settings.LANGUAGE_CODE)
