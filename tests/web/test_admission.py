"""Admission control: how many requests run at once, which go first, and how requests are refused when it is busy.

The ASGI application is faked by `Site`, so that a test decides when its requests finish.
"""

import asyncio
import json
import threading
from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from tournaments.web.admission import LANES, Admission, Lanes


class Caller:
    """One request to an ASGI application, started at once as a task, the way a server would send it."""

    def __init__(self, app: Any, path: str = "/", method: str = "GET", headers: dict[str, str] | None = None) -> None:
        self.answer: list[dict[str, Any]] = []
        self.heard: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.heard.put_nowait({"type": "http.request", "body": b"", "more_body": False})
        named = [(name.encode(), value.encode()) for name, value in (headers or {}).items()]
        scope = {"type": "http", "path": path, "method": method, "headers": named}
        self.task = asyncio.create_task(app(scope, self.heard.get, self._send))

    async def _send(self, message: dict[str, Any]) -> None:
        self.answer.append(message)

    async def done(self) -> int:
        await asyncio.wait_for(self.task, 5)
        return int(self.answer[0]["status"])

    @property
    def headers(self) -> dict[bytes, bytes]:
        return dict(self.answer[0]["headers"])

    @property
    def body(self) -> str:
        return self.answer[1]["body"].decode()


class Site:
    """An application whose requests block until `open` is set; it records the threads it ran in and what it served."""

    def __init__(self) -> None:
        self.open = threading.Event()
        self.served: list[str] = []
        self.threads: set[int] = set()
        self.most = self.now = 0

    async def __call__(self, scope: Any, _receive: Any, send: Any) -> None:
        await sync_to_async(self.work)(scope)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"ok"})

    def work(self, scope: Any) -> None:
        self.now += 1
        self.most = max(self.most, self.now)
        self.threads.add(threading.get_ident())
        self.open.wait(5)
        self.now -= 1
        self.served.append(f"{scope['method']} {scope['path']}")


async def waiting(callers: list[Caller]) -> None:
    """Wait until all of these requests are queued or being served."""
    for _ in callers:  # a caller gets to its place in the queue within a few turns of the event loop
        await asyncio.sleep(0.01)


def run(scene: Callable[[], Any]) -> None:
    asyncio.run(scene())


def test_three_hundred_requests_at_once_use_no_more_threads_than_lanes():
    async def scene() -> None:
        site = Site()
        app = Admission(site, Lanes(longest_line=400))
        callers = [Caller(app) for _ in range(300)]
        await asyncio.sleep(0.1)
        site.open.set()
        assert {await caller.done() for caller in callers} == {200}
        assert len(site.threads) <= LANES and site.most <= LANES

    run(scene)


def test_a_write_overtakes_queued_reads():
    async def scene() -> None:
        site = Site()
        app = Admission(site, Lanes(1, for_writes=0))
        first = Caller(app, "/first")
        await waiting([first])
        reads = [Caller(app, f"/read/{n}") for n in range(3)]
        await waiting(reads)
        write = Caller(app, "/report", "POST")
        await waiting([write])
        site.open.set()
        assert {await caller.done() for caller in (first, *reads, write)} == {200}
        assert site.served[:2] == ["GET /first", "POST /report"]

    run(scene)


def test_some_lanes_are_reserved_for_writes():
    async def scene() -> None:
        site = Site()
        app = Admission(site, Lanes(3, for_writes=1))
        reads = [Caller(app, "/slow") for _ in range(5)]
        await asyncio.sleep(0.1)
        assert site.now == 2
        write = Caller(app, "/report", "POST")
        await asyncio.sleep(0.1)
        assert site.now == 3, "the write runs while all that reads may have is taken"
        site.open.set()
        assert {await caller.done() for caller in (*reads, write)} == {200}

    run(scene)


@pytest.mark.parametrize("path", ["/healthz", "/metrics", "/robots.txt", "/.well-known/security.txt", "/static/a.css"])
def test_health_and_static_texts_do_not_wait_for_pages(path: str):
    async def scene() -> None:
        site = Site()
        app = Admission(site, Lanes(2, for_writes=1))
        pages = [Caller(app, "/slow"), Caller(app, "/report", "POST"), Caller(app, "/queued")]
        await waiting(pages)
        assert site.now == 2
        beside = Caller(app, path)
        await waiting([beside, beside])
        assert site.now == 3, "it is being served while the pages still are"
        site.open.set()
        assert {await caller.done() for caller in (*pages, beside)} == {200}

    run(scene)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("fr", "trop de personnes"), ("en", "too busy for a moment"), ("it", "troppe richieste")],
)
def test_a_page_that_cannot_be_served_in_time_reloads_itself(language: str, sentence: str):
    async def scene() -> None:
        site = Site()
        app = Admission(site, Lanes(1, for_writes=0), patience=0.05)
        first = Caller(app)
        await waiting([first])
        late = Caller(app, headers={"accept-language": f"{language},en;q=0.5"})
        assert await late.done() == 503
        assert 3 <= int(late.headers[b"retry-after"]) <= 8  # random, so that not all come back at once
        assert f'<html lang="{language}"' in late.body and sentence in late.body.lower()
        assert '<meta http-equiv="refresh"' in late.body
        site.open.set()
        await first.done()

    run(scene)


def test_a_refused_form_says_it_was_not_saved_and_does_not_resubmit_itself():
    async def scene() -> None:
        site = Site()
        app = Admission(site, Lanes(1, for_writes=0), patience_for_writes=0.05)
        first = Caller(app)
        await waiting([first])
        late = Caller(app, method="POST")
        assert await late.done() == 503
        assert "not saved" in late.body and "http-equiv" not in late.body
        site.open.set()
        await first.done()

    run(scene)


def test_the_api_answers_with_problem_json_when_busy():
    async def scene() -> None:
        site = Site()
        app = Admission(site, Lanes(1, for_writes=0, longest_line=0))
        first = Caller(app)
        await waiting([first])
        late = Caller(app, "/api/v1/events/")
        assert await late.done() == 503
        assert late.headers[b"content-type"] == b"application/problem+json"
        assert json.loads(late.body)["code"] == "busy" and int(late.headers[b"retry-after"]) > 0
        site.open.set()
        await first.done()

    run(scene)


def test_a_queued_request_is_dropped_when_its_client_disconnects():
    async def scene() -> None:
        site = Site()
        app = Admission(site, Lanes(1, for_writes=0))
        first = Caller(app, "/first")
        await waiting([first])
        gone, other = Caller(app, "/gone"), Caller(app, "/other")
        await waiting([gone, other])
        gone.heard.put_nowait({"type": "http.disconnect"})
        await asyncio.wait_for(gone.task, 5)
        site.open.set()
        assert (await first.done(), await other.done()) == (200, 200)
        assert gone.answer == [] and "GET /gone" not in site.served

    run(scene)


def test_a_lane_serves_the_next_request_after_a_failure():
    async def broken(_scope: Any, _receive: Any, _send: Any) -> None:
        raise RuntimeError("broken")

    async def scene() -> None:
        app = Admission(broken, Lanes(1, for_writes=0))
        for _ in range(2):
            with pytest.raises(RuntimeError):
                await Caller(app).done()

    run(scene)


def test_a_request_is_refused_when_bodies_in_memory_exceed_the_limit(monkeypatch: pytest.MonkeyPatch):
    async def scene() -> None:
        site = Site()
        app = Admission(site, Lanes(1, for_writes=0))
        monkeypatch.setattr("tournaments.web.admission.LARGEST_LINE", 10)  # bytes, over all requests
        caller = Caller(app, "/upload", "POST")
        caller.heard.get_nowait()
        caller.heard.put_nowait({"type": "http.request", "body": b"x" * 11, "more_body": True})
        assert await caller.done() == 503
        site.open.set()
        assert await Caller(app).done() == 200  # the refused body no longer counts

    run(scene)
