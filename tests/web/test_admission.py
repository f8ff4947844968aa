"""Admission control: how many requests run at once, which go first, and how requests are refused when it is busy.

The ASGI application is faked by `Site`, so that a test decides when its requests finish.
"""

import asyncio
import json
import random
import threading
from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from tournaments.common import metrics
from tournaments.web.admission import LANES, Admission, Lanes


class Caller:
    """One request to an ASGI application, started at once as a task, the way a server would send it."""

    def __init__(self, app: Any, path: str = "/", method: str = "GET", headers: dict[str, str] | None = None) -> None:
        self.path = path
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


# ------------------------------------------------------------------ reads that give way


def copies(*paths: str) -> Callable[[Any], list[dict[str, Any]] | None]:
    """Return what answers these paths without a lane."""

    def instead(scope: Any) -> list[dict[str, Any]] | None:
        if scope["path"] not in paths:
            return None
        return [{"type": "http.response.start", "status": 203, "headers": []}, {"type": "http.response.body"}]

    return instead


class Gate:
    """An application that answers a request once its path is let through."""

    def __init__(self) -> None:
        self.opened: dict[str, asyncio.Event] = {}
        self.running: list[str] = []

    async def __call__(self, scope: Any, _receive: Any, send: Any) -> None:
        self.running.append(scope["path"])
        await self.opened.setdefault(scope["path"], asyncio.Event()).wait()
        self.running.remove(scope["path"])
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body"})

    def let(self, path: str) -> None:
        self.opened.setdefault(path, asyncio.Event()).set()


async def settle() -> None:
    """Let every task run until it waits for something."""
    for _ in range(50):
        await asyncio.sleep(0)


def test_a_read_that_has_waited_long_is_answered_without_a_lane():
    async def scene() -> None:
        gate = Gate()
        app = Admission(gate, Lanes(1, for_writes=0), give_way=0.05, instead=copies("/kept"))
        first, kept, other = Caller(app, "/first"), Caller(app, "/kept"), Caller(app, "/other")
        await settle()
        assert not kept.answer, "it waits at first: most reads get a lane soon"
        before = metrics._counted.get(("arbitre_kept_pages_total", ()), 0)
        assert await kept.done() == 203
        assert metrics._counted["arbitre_kept_pages_total", ()] == before + 1
        assert not other.answer and app.lanes.waiting()[("request", "read"),] == 1, "it still waits for a lane"
        gate.let("/first")
        gate.let("/other")
        assert (await first.done(), await other.done()) == (200, 200)

    run(scene)


def test_a_read_for_which_an_answer_comes_later_is_answered_then():
    async def scene() -> None:
        gate, paths = Gate(), set[str]()
        app = Admission(gate, Lanes(1, for_writes=0), give_way=0.01, instead=lambda scope: copies(*paths)(scope))
        first, late = Caller(app, "/first"), Caller(app, "/late")
        await asyncio.sleep(0.05)
        assert not late.answer
        paths.add("/late")
        assert await late.done() == 203
        gate.let("/first")
        await first.done()

    run(scene)


def test_a_read_does_not_wait_at_all_while_the_queue_is_full():
    async def scene() -> None:
        gate = Gate()
        app = Admission(gate, Lanes(1, for_writes=0, longest_line=1), give_way=60, instead=copies("/kept"))
        first, queued = Caller(app, "/first"), Caller(app, "/queued")
        await settle()
        assert (await Caller(app, "/kept").done(), await Caller(app, "/refused").done()) == (203, 503)
        gate.let("/first")
        gate.let("/queued")
        assert (await first.done(), await queued.done()) == (200, 200)

    run(scene)


def test_a_read_with_a_free_lane_and_a_write_are_never_answered_without_a_lane():
    async def scene() -> None:
        gate = Gate()
        app = Admission(gate, Lanes(1, for_writes=0), give_way=0.01, instead=copies("/kept"))
        read, write = Caller(app, "/kept"), Caller(app, "/kept", "POST")
        await asyncio.sleep(0.05)
        assert not read.answer and not write.answer
        gate.let("/kept")
        assert (await read.done(), await write.done()) == (200, 200)

    run(scene)


def test_a_failure_to_answer_without_a_lane_costs_no_lane():
    def broken(_scope: Any) -> None:
        raise RuntimeError("broken")

    async def scene() -> None:
        gate = Gate()
        app = Admission(gate, Lanes(1, for_writes=0), give_way=0.01, instead=broken)
        first, failed = Caller(app, "/first"), Caller(app, "/failed")
        with pytest.raises(RuntimeError):
            await failed.done()
        gate.let("/first")
        gate.let("/next")
        assert (await first.done(), await Caller(app, "/next").done()) == (200, 200)

    run(scene)


@pytest.mark.parametrize("seed", range(30))
def test_no_write_waits_while_a_read_that_needs_no_lane_holds_a_place(seed: int):
    async def scene() -> None:
        draw = random.Random(seed)
        gate = Gate()
        kept = {f"/kept/{n}" for n in range(60)}
        app = Admission(gate, Lanes(3, for_writes=1, longest_line=5), give_way=60, instead=copies(*kept))
        callers: list[Caller] = []
        for n in range(60):
            path, method = draw.choice([(f"/kept/{n}", "GET"), (f"/read/{n}", "GET"), (f"/write/{n}", "POST")])
            callers.append(Caller(app, path, method))
            if gate.running and draw.random() < 0.3:
                gate.let(draw.choice(gate.running))
            if draw.random() < 0.2:
                draw.choice(callers).heard.put_nowait({"type": "http.disconnect"})
            await settle()
            waits = dict(app.lanes.waiting())
            places = [each for each in callers if not each.task.done() and each.path not in gate.running]
            assert len(places) == sum(waits.values())
            if waits[("request", "write"),]:
                assert not [each.path for each in places if each.path in kept]
        while any(not each.task.done() for each in callers):
            for path in list(gate.running):
                gate.let(path)
            await settle()
        assert len({app.lanes.take_free(write=True) for _ in range(3)} - {None}) == 3, "every lane came back"

    run(scene)
