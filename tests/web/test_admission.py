"""How many requests run at once, who goes first, and what those are told who cannot be served in time."""

import asyncio
import json
import threading
from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from tournaments.web.admission import LANES, Admission, Lanes


class Caller:
    """One request to an application, as an ASGI server would bring it."""

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
    """An application that answers when it is let, in the thread that it is given."""

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
    """Until all of them stand in line or are served."""
    for _ in callers:
        await asyncio.sleep(0.01)


def run(scene: Callable[[], Any]) -> None:
    asyncio.run(scene())


def test_three_hundred_requests_at_once_run_in_eight_threads():
    async def scene() -> None:
        site = Site()
        app = Admission(site, Lanes(longest_line=400))
        callers = [Caller(app) for _ in range(300)]
        await asyncio.sleep(0.1)
        site.open.set()
        assert {await caller.done() for caller in callers} == {200}
        assert len(site.threads) <= LANES and site.most <= LANES

    run(scene)


def test_a_write_goes_before_the_reads_that_came_first():
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


def test_some_threads_are_never_given_to_reads():
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


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("fr", "trop de monde"), ("en", "too busy for a moment"), ("it", "troppe richieste")],
)
def test_a_page_that_cannot_be_served_in_time_is_told_to_come_again_by_itself(language: str, sentence: str):
    async def scene() -> None:
        site = Site()
        app = Admission(site, Lanes(1, for_writes=0), patience=0.05)
        first = Caller(app)
        await waiting([first])
        late = Caller(app, headers={"accept-language": f"{language},en;q=0.5"})
        assert await late.done() == 503
        assert 3 <= int(late.headers[b"retry-after"]) <= 8
        assert f'<html lang="{language}"' in late.body and sentence in late.body.lower()
        assert '<meta http-equiv="refresh"' in late.body
        site.open.set()
        await first.done()

    run(scene)


def test_a_form_that_was_not_taken_says_so_and_is_not_sent_again_by_itself():
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


def test_the_api_is_told_by_a_problem():
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


def test_a_request_whose_sender_went_away_while_it_waited_is_not_served():
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


def test_a_lane_that_failed_serves_the_next_request():
    async def broken(_scope: Any, _receive: Any, _send: Any) -> None:
        raise RuntimeError("broken")

    async def scene() -> None:
        app = Admission(broken, Lanes(1, for_writes=0))
        for _ in range(2):
            with pytest.raises(RuntimeError):
                await Caller(app).done()

    run(scene)


def test_bodies_that_are_too_much_for_the_memory_are_sent_away(monkeypatch: pytest.MonkeyPatch):
    async def scene() -> None:
        site = Site()
        app = Admission(site, Lanes(1, for_writes=0))
        monkeypatch.setattr("tournaments.web.admission.LARGEST_LINE", 10)
        caller = Caller(app, "/upload", "POST")
        caller.heard.get_nowait()
        caller.heard.put_nowait({"type": "http.request", "body": b"x" * 11, "more_body": True})
        assert await caller.done() == 503
        site.open.set()
        assert await Caller(app).done() == 200

    run(scene)
