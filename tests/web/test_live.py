"""The live stream: who may open it, what it tells, and what it holds on to."""

import asyncio
import json
import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core import signing
from django.http import HttpResponse

from tests.builders import NOW, a_running_event, an_open_event, match_of
from tests.cast import Cast
from tournaments.common import ledger
from tournaments.common.clock import now
from tournaments.events.selectors import current_stage
from tournaments.play import services as play
from tournaments.standings.services import compute_standings
from tournaments.web import live
from tournaments.web.answers import show
from tournaments.web.live import BeforeDjango, LiveStreams, News, Position, news_since, positions, stream_url, token_for
from tournaments.web.views import public, standings

EVENT = "e-watched"


class Browser:
    """One open request, spoken to as an ASGI server would."""

    def __init__(
        self, app: Any, path: str, query: str = "", headers: Mapping[str, str] | None = None, client: str = ""
    ) -> None:
        self.sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.heard: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.heard.put_nowait({"type": "http.request", "body": b"", "more_body": False})
        scope = {
            "type": "http",
            "method": "GET",
            "path": path,
            "query_string": query.encode(),
            "client": (client, 50000) if client else None,
            "headers": [(name.encode(), value.encode()) for name, value in (headers or {}).items()],
        }
        self.task = asyncio.create_task(app(scope, self.heard.get, self.sent.put))

    async def next(self, seconds: float = 5) -> dict[str, Any]:
        return await asyncio.wait_for(self.sent.get(), seconds)

    async def message(self) -> str:
        return (await self.next())["body"].decode()

    async def leave(self) -> None:
        self.heard.put_nowait({"type": "http.disconnect"})
        await asyncio.wait_for(self.task, 5)


def opened(
    app: Any, *, since: str = "1.0", event: str = EVENT, headers: Mapping[str, str] | None = None, client: str = ""
) -> Browser:
    return Browser(app, f"/live/{event}/", f"token={token_for(event)}&since={since}", headers, client)


class Ledger:
    """Where events stand, in memory: what `news_since` reads in the database."""

    def __init__(self) -> None:
        self.news = News(Position(1, 0), frozenset())
        self.reads: list[Mapping[str, Position]] = []
        self.broken = False

    def moves(self, *topics: str, table: int = 0) -> None:
        self.news = News(Position(self.news.position.number + 1, table), frozenset(topics))

    def read(self, known: Mapping[str, Position]) -> dict[str, News]:
        self.reads.append(dict(known))
        if self.broken:
            raise OSError("the database is away")
        return {event: self.news for event, position in known.items() if position != self.news.position}


def streams(book: Ledger, **options: Any) -> LiveStreams:
    return LiveStreams(read=book.read, **{"poll_seconds": 0.01, "heartbeat_seconds": 5, **options})


def data_of(message: str) -> dict[str, Any]:
    return json.loads(next(line for line in message.splitlines() if line.startswith("data:")).removeprefix("data:"))


def test_a_stream_tells_that_its_event_has_moved_and_about_what():
    async def scene() -> None:
        book = Ledger()
        browser = opened(streams(book))
        start = await browser.next()
        assert start["status"] == 200
        headers = dict(start["headers"])
        assert headers[b"content-type"].startswith(b"text/event-stream")
        assert b"content-encoding" not in headers and b"set-cookie" not in headers
        assert (await browser.message()).startswith("retry:")
        await asyncio.sleep(0.05)
        book.moves("result", "table")
        told = await browser.message()
        assert told.startswith("id: 2.0\nevent: revision\n")
        assert data_of(told) == {"revision": 2, "topics": ["result", "table"]}
        await browser.leave()

    asyncio.run(scene())


def test_a_browser_that_comes_back_is_told_what_it_missed():
    async def scene() -> None:
        book = Ledger()
        book.moves("round")
        browser = opened(streams(book), since="2.0", headers={"last-event-id": "1.0"})
        await browser.next()
        await browser.message()
        assert data_of(await browser.message()) == {"revision": 2, "topics": ["round"]}
        await browser.leave()

    asyncio.run(scene())


def test_a_page_that_is_up_to_date_is_told_nothing_but_that_the_stream_lives():
    async def scene() -> None:
        browser = opened(streams(Ledger(), heartbeat_seconds=0.05))
        await browser.next()
        await browser.message()
        assert (await browser.message()).startswith("event: beat\n")
        await browser.leave()

    asyncio.run(scene())


def test_one_poller_reads_for_all_streams_and_ends_with_the_last():
    async def scene() -> None:
        book = Ledger()
        app = streams(book)
        browsers = [opened(app, event=f"e-{number}") for number in range(20)]
        for browser in browsers:
            await browser.next()
            await browser.message()
        await asyncio.sleep(0.1)
        assert app.open_streams == 20
        assert len(book.reads[-1]) == 20, "one reading asks about all events at once"
        for browser in browsers:
            await browser.leave()
        assert app.open_streams == 0
        await asyncio.sleep(0.05)
        reads = len(book.reads)
        await asyncio.sleep(0.05)
        assert len(book.reads) == reads

    asyncio.run(scene())


def test_a_page_that_is_where_the_poller_looked_last_is_not_read_for():
    async def scene() -> None:
        book = Ledger()
        app = streams(book, poll_seconds=60)
        first = opened(app)
        await first.next()
        await first.message()
        while len(book.reads) < 2:  # its own position, and the poller's first look
            await asyncio.sleep(0.01)
        second = opened(app)
        await second.next()
        await second.message()
        behind = opened(app, since="0.0")
        await behind.next()
        await behind.message()
        assert "revision" in await behind.message()
        assert len(book.reads) == 3, "only for the page that is behind"
        for browser in (first, second, behind):
            await browser.leave()

    asyncio.run(scene())


def test_what_all_are_told_is_encoded_once():
    news = News(Position(7, 1), frozenset({"result"}))
    assert live._message(news) is live._message(News(Position(7, 1), frozenset({"result"})))


def test_news_are_merged_for_a_reader_that_is_slow():
    listener = live.Listener(Position())
    listener.tell(News(Position(2, 0), frozenset({"result"})))
    listener.tell(News(Position(3, 1), frozenset({"standings"})))
    assert listener.take() == News(Position(3, 1), frozenset({"result", "standings"}))
    assert listener.take().topics == frozenset()


def test_a_database_that_is_away_for_a_moment_ends_no_stream(caplog):
    async def scene() -> None:
        book = Ledger()
        browser = opened(streams(book))
        await browser.next()
        await browser.message()
        book.broken = True
        await asyncio.sleep(0.05)
        book.broken = False
        book.moves("clock")
        assert data_of(await browser.message())["topics"] == ["clock"]
        await browser.leave()

    asyncio.run(scene())
    assert "could not read" in caplog.text


TOKENS = {
    "none": lambda: "",
    "not ours": lambda: "nonsense",
    "of another event": lambda: token_for("e-other"),
    "of another use": lambda: signing.TimestampSigner(salt="other").sign(EVENT).removeprefix(EVENT + ":"),
}


@pytest.mark.parametrize("kind", TOKENS)
def test_a_stream_opens_with_the_token_of_its_event_alone(kind: str):
    async def scene() -> None:
        browser = Browser(streams(Ledger()), f"/live/{EVENT}/", f"token={TOKENS[kind]()}")
        assert (await browser.next())["status"] == 403

    asyncio.run(scene())


def test_a_token_is_good_for_twelve_hours(time_machine_of):
    token = token_for(EVENT)
    with time_machine_of(hours=11):
        assert live.token_opens(token, EVENT)
    with time_machine_of(hours=13):
        assert not live.token_opens(token, EVENT)


@pytest.fixture
def time_machine_of():
    def travel(hours: int) -> Any:
        return time_machine.travel(now() + timedelta(hours=hours), tick=False)

    return travel


def test_streams_beyond_the_bound_are_sent_away():
    async def scene() -> None:
        app = streams(Ledger(), max_streams=1)
        first = opened(app)
        await first.next()
        second = opened(app)
        answer = await second.next()
        assert answer["status"] == 503
        assert (b"retry-after", b"30") in answer["headers"]
        await first.leave()
        third = opened(app)
        assert (await third.next())["status"] == 200
        await third.leave()

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("bound", "second", "other"),
    [
        ({"max_of_event": 1}, {"client": "192.0.2.2"}, {"client": "192.0.2.1", "event": "e-other"}),
        ({"max_of_address": 1}, {"client": "192.0.2.1", "event": "e-other"}, {"client": "192.0.2.2"}),
    ],
)
def test_no_event_and_no_address_takes_all_the_streams(bound, second, other):
    async def scene() -> None:
        app = streams(Ledger(), **bound)
        first = opened(app, client="192.0.2.1")
        await first.next()
        answer = await opened(app, **second).next()
        assert (answer["status"], (b"retry-after", b"30") in answer["headers"]) == (503, True)
        beside = opened(app, **other)
        assert (await beside.next())["status"] == 200
        await first.leave()
        again = opened(app, **second)
        assert (await again.next())["status"] == 200
        for browser in (beside, again):
            await browser.leave()

    asyncio.run(scene())


def test_the_lifespan_ends_the_streams():
    async def scene() -> None:
        app = BeforeDjango(None, streams(Ledger()))
        heard: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        lifespan = asyncio.create_task(app({"type": "lifespan"}, heard.get, sent.put))
        heard.put_nowait({"type": "lifespan.startup"})
        assert (await sent.get())["type"] == "lifespan.startup.complete"
        browser = opened(app)
        await browser.next()
        heard.put_nowait({"type": "lifespan.shutdown"})
        assert (await sent.get())["type"] == "lifespan.shutdown.complete"
        await asyncio.wait_for(asyncio.gather(lifespan, browser.task), 5)

    asyncio.run(scene())


def test_what_is_not_the_stream_goes_to_django():
    asked: list[str] = []

    async def django(scope: Any, _receive: Any, _send: Any) -> None:
        asked.append(scope["path"])

    asyncio.run(BeforeDjango(django, streams(Ledger()))({"type": "http", "path": "/e/e-1/"}, None, None))
    assert asked == ["/e/e-1/"]


# ------------------------------------------------------------------ with the database


def test_the_topics_are_those_of_the_new_entries(cast: Cast, django_assert_num_queries):
    event = a_running_event(cast)
    before = positions([event.public_id])
    assert before[event.public_id].number == ledger.revision(event.public_id)
    round_ = play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    play.publish_round(round_=round_, by=cast.organizer, now=NOW)
    play.extend_table(match=match_of(round_, cast.player), minutes=3, by=cast.judge, now=NOW)
    with django_assert_num_queries(2):
        news = news_since(before)[event.public_id]
    assert news.topics == {"round", "table"}
    assert news.position.number == ledger.revision(event.public_id)


def test_a_finished_computation_is_news_without_an_entry(cast: Cast, django_assert_num_queries):
    event = a_running_event(cast)
    before = positions([event.public_id])
    compute_standings(stage_id=current_stage(event).pk, now=NOW)
    with django_assert_num_queries(1):
        news = news_since(before)[event.public_id]
    assert news.topics == {"standings"}
    assert news.position.number == before[event.public_id].number


def test_watching_thirty_events_costs_one_query(cast: Cast, django_assert_num_queries):
    known = positions([an_open_event(cast).public_id for _ in range(30)])
    with django_assert_num_queries(1):
        assert news_since(known) == {}


def test_a_page_of_an_event_carries_the_address_of_its_stream(client, cast: Cast):
    event = an_open_event(cast)
    shown = client.get(f"/e/{event.public_id}/").content.decode()
    assert f'data-live-stream="/live/{event.public_id}/?token=' in shown
    assert "data-live-stream" not in client.get("/").content.decode()
    assert f"since={positions([event.public_id])[event.public_id]}" in stream_url(event.public_id)


@pytest.mark.parametrize("where", ["standings", "match"])
def test_what_moves_while_a_page_is_rendered_is_told_to_it(client, cast: Cast, monkeypatch, where: str):
    event = a_running_event(cast)
    round_ = play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    play.publish_round(round_=round_, by=cast.organizer, now=NOW)
    match = match_of(round_, cast.player)
    compute_standings(stage_id=current_stage(event).pk, now=NOW)
    view = {"standings": standings, "match": public}[where]

    def moved_meanwhile(*args: Any, **options: Any) -> HttpResponse:
        play.extend_table(match=match, minutes=3, by=cast.judge, now=NOW)
        return show(*args, **options)

    monkeypatch.setattr(view, "show", moved_meanwhile)
    address = {"standings": f"/e/{event.public_id}/standings/", "match": f"/m/{match.public_id}/"}[where]
    page = client.get(address).content.decode()
    since = Position.parse(re.search(r"data-live-stream=\"[^\"]+since=([\d.]+)", page)[1])
    assert news_since({event.public_id: since})[event.public_id].topics == {"table"}


def test_positions_are_read_back_and_nonsense_is_not():
    assert Position.parse("17.4") == Position(17, 4)
    assert Position.parse(str(Position(17, 4, 9))) == Position(17, 4, 9)
    for text in ("", "17", "a.b", "-1.0", "1.2.3.4", "1.2.", "9" * 40 + ".1"):
        assert Position.parse(text) is None


def test_who_has_caught_up_is_not_told_the_same_again():
    app = streams(Ledger())
    late, early = live.Listener(Position(2)), live.Listener(Position(1))
    app._listeners[EVENT], app._known[EVENT] = {late, early}, Position(1)
    app._spread({EVENT: News(Position(2), frozenset({"result"}))})
    assert early.take().topics == {"result"}
    assert not late.woken.is_set()
