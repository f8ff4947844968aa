"""The live stream: its messages, tokens, limits, what it remembers for reconnecting pages, and how it is woken.

Most tests run the stream's ASGI application against `Ledger`, in memory; those with `cast` read the real database.
"""

import asyncio
import json
import re
import threading
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core import signing
from django.db import connection, connections, transaction
from django.http import HttpResponse
from django.test.utils import CaptureQueriesContext

from tests.builders import NOW, a_running_event, an_open_event, match_of
from tests.cast import Cast
from tournaments.common import ledger
from tournaments.common.clock import now
from tournaments.events.selectors import current_stage
from tournaments.events.services import add_entrant, choose_visibility
from tournaments.judging.services import call_judge
from tournaments.play import services as play
from tournaments.play.models import Round, Seat
from tournaments.standings.services import compute_standings
from tournaments.web.answers import show
from tournaments.web.live import streams as live
from tournaments.web.live import wakeups
from tournaments.web.live.address import (
    AUDIENCES,
    Opening,
    Reader,
    Shown,
    opening_of,
    stream_url,
    token_for,
    token_opens,
)
from tournaments.web.live.history import MOST_LINES, MOST_MERGED, REMEMBERED, Heard, History
from tournaments.web.live.parts import Parts, parts_for, parts_of
from tournaments.web.live.positions import News, Position, news_since, positions
from tournaments.web.live.rights import Granted, Rights
from tournaments.web.live.streams import REFETCH, BeforeDjango, Listener, LiveStreams, Told
from tournaments.web.live.topics import about, told
from tournaments.web.live.wakeups import Polling
from tournaments.web.pages.public import public
from tournaments.web.pages.standings import standings

EVENT = "e-watched"


class Browser:
    """One open request, driven the way an ASGI server would."""

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
        """Return the next message, skipping "now", which says that the page is up to date."""
        said = (await self.next())["body"].decode()
        return await self.message() if said.startswith("event: now") else said

    async def leave(self) -> None:
        self.heard.put_nowait({"type": "http.disconnect"})
        await asyncio.wait_for(self.task, 5)


def opened(
    app: Any, *, since: str = "1.0", event: str = EVENT, headers: Mapping[str, str] | None = None, client: str = ""
) -> Browser:
    return Browser(app, f"/live/{event}/", f"token={token_for(event)}&since={since}", headers, client)


class Ledger:
    """The position and topics of one event, in memory: a stand-in for `news_since`, which reads the database."""

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


OPEN = Rights(check=lambda asked: dict.fromkeys(asked, Granted()), changes=lambda _since: {})
"""Rights that let everybody in, without the database; for the real ones see test_live_rights.py."""


def streams(book: Ledger, **options: Any) -> LiveStreams:
    """Return the application of the live stream, polling `book` every 10 ms unless told otherwise."""
    polling = Polling(options.pop("poll_seconds", 0.01))
    return LiveStreams(read=book.read, rights=OPEN, awaken=lambda: polling, **{"heartbeat_seconds": 5, **options})


def data_of(message: str) -> dict[str, Any]:
    return json.loads(next(line for line in message.splitlines() if line.startswith("data:")).removeprefix("data:"))


def test_a_stream_sends_new_revisions_with_their_topics():
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
        assert data_of(told) == {"revision": 2, "topics": ["result", "table"], "followers": 1}
        await browser.leave()

    asyncio.run(scene())


def test_a_reconnecting_browser_gets_what_it_missed():
    async def scene() -> None:
        book = Ledger()
        book.moves("round")
        browser = opened(streams(book), since="2.0", headers={"last-event-id": "1.0"})
        await browser.next()
        await browser.message()
        assert data_of(await browser.message()) == {"revision": 2, "topics": ["round"], "followers": 1}
        await browser.leave()

    asyncio.run(scene())


def test_an_up_to_date_page_gets_only_heartbeats():
    async def scene() -> None:
        browser = opened(streams(Ledger(), heartbeat_seconds=0.05))
        await browser.next()
        await browser.message()
        assert (await browser.message()).startswith("id: 1.0\nevent: beat\n")
        await browser.leave()

    asyncio.run(scene())


def test_one_poller_reads_for_all_streams_and_stops_with_the_last():
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


def test_the_database_is_read_only_for_pages_that_are_behind_the_poller():
    async def scene() -> None:
        book = Ledger()
        app = streams(book, poll_seconds=60)
        first = opened(app)
        await first.next()
        await first.message()
        while len(book.reads) < 2:  # one for the page's own position, one by the poller
            await asyncio.sleep(0.01)
        second = opened(app)
        await second.next()
        await second.message()
        behind = opened(app, since="0.0")
        await behind.next(), await behind.next()
        assert (await behind.next())["body"].startswith(b"event: now"), "it has caught up, and missed nothing"
        assert len(book.reads) == 3, "only for the page that is behind"
        for browser in (first, second, behind):
            await browser.leave()

    asyncio.run(scene())


def test_a_message_to_all_streams_is_encoded_once():
    told = Told(Position(7, 1), frozenset({"result"}))
    assert live._message(told) is live._message(Told(Position(7, 1), frozenset({"result"})))


def test_news_are_merged_for_a_slow_reader():
    listener = Listener(Position())
    listener.tell(Heard(News(Position(2, 0), frozenset({"result"})), {}))
    listener.tell(Heard(News(Position(3, 1), frozenset({"standings"})), {}))
    assert listener.take() == Told(Position(3, 1), frozenset({"result", "standings"}))
    assert listener.take().topics == frozenset()


def test_streams_survive_a_short_database_outage(caplog):
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
def test_a_stream_opens_only_with_a_token_for_its_event(kind: str):
    async def scene() -> None:
        browser = Browser(streams(Ledger()), f"/live/{EVENT}/", f"token={TOKENS[kind]()}")
        assert (await browser.next())["status"] == 403

    asyncio.run(scene())


def test_a_token_is_valid_for_twelve_hours(time_machine_of):
    token = token_for(EVENT)
    with time_machine_of(hours=11):
        assert token_opens(token, EVENT)
    with time_machine_of(hours=13):
        assert not token_opens(token, EVENT)


@pytest.fixture
def time_machine_of():
    def travel(hours: int) -> Any:
        return time_machine.travel(now() + timedelta(hours=hours), tick=False)

    return travel


def test_streams_beyond_the_limit_are_refused():
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
def test_streams_are_limited_per_event_and_per_network_address(bound, second, other):
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


def test_streams_end_when_the_server_shuts_down():
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


def test_other_requests_go_to_django():
    asked: list[str] = []

    async def django(scope: Any, _receive: Any, _send: Any) -> None:
        asked.append(scope["path"])

    asyncio.run(BeforeDjango(django, streams(Ledger()))({"type": "http", "path": "/e/e-1/"}, None, None))
    assert asked == ["/e/e-1/"]


# ------------------------------------------------------------------ news in the database


def test_the_topics_are_read_from_the_new_ledger_entries(cast: Cast, django_assert_num_queries):
    event = a_running_event(cast)
    before = positions([event.public_id])
    assert before[event.public_id].number == ledger.revision(event.public_id)
    round_ = play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    play.publish_round(round_=round_, by=cast.organizer, now=NOW)
    play.extend_table(match=match_of(round_, cast.player), minutes=3, by=cast.judge, now=NOW)
    with django_assert_num_queries(2):
        news = news_since(before)[event.public_id]
    match = match_of(round_, cast.player)
    assert news.topics == {"round", "round-1", about("table", match.public_id)}
    assert set(news.matches) == {match.public_id}
    assert news.position.number == ledger.revision(event.public_id)


def test_pages_of_both_entrants_hear_of_their_merge(cast: Cast):
    event = an_open_event(cast)
    gone, kept = (
        add_entrant(event=event, given_name=name, family_name="", by=cast.organizer, now=NOW) for name in ("Ada", "Eve")
    )
    before = positions([event.public_id])
    gone_id = gone.public_id
    play.merge_entrants(entrant=gone, into=kept, by=cast.organizer, now=NOW)
    news = news_since(before)[event.public_id]
    assert {about("entrant", gone_id), about("entrant", kept.public_id)} <= news.topics


def test_new_standings_are_news_without_a_ledger_entry(cast: Cast, django_assert_num_queries):
    event = a_running_event(cast)
    before = positions([event.public_id])
    compute_standings(stage_id=current_stage(event).pk, now=NOW)
    with django_assert_num_queries(1):
        news = news_since(before)[event.public_id]
    assert news.topics == {"standings"}
    assert news.position.number == before[event.public_id].number


def test_watching_thirty_events_takes_one_query(cast: Cast, django_assert_num_queries):
    known = positions([an_open_event(cast).public_id for _ in range(30)])
    with django_assert_num_queries(1):
        assert news_since(known) == {}


def test_a_page_of_an_event_contains_the_address_of_its_stream(client, cast: Cast):
    event = an_open_event(cast)
    shown = client.get(f"/e/{event.public_id}/").content.decode()
    assert f'data-live-stream="/live/{event.public_id}/?token=' in shown
    assert "data-live-stream" not in client.get("/").content.decode()
    assert f"since={positions([event.public_id])[event.public_id]}" in stream_url(event.public_id)


@pytest.mark.parametrize("where", ["standings", "match"])
def test_a_change_made_while_a_page_is_rendered_reaches_its_stream(client, cast: Cast, monkeypatch, where: str):
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
    assert news_since({event.public_id: since})[event.public_id].topics == {about("table", match.public_id)}


def test_positions_are_parsed_and_nonsense_is_rejected():
    assert Position.parse("17.4") == Position(17, 4)
    assert Position.parse(str(Position(17, 4, 9))) == Position(17, 4, 9)
    for text in ("", "17", "a.b", "-1.0", "1.2.3.4", "1.2.", "9" * 40 + ".1"):
        assert Position.parse(text) is None


def test_an_up_to_date_listener_is_not_woken_again():
    app = streams(Ledger())
    late, early = Listener(Position(2)), Listener(Position(1))
    app._listeners[EVENT], app._known[EVENT] = {late, early}, Position(1)
    app._histories[EVENT] = History(Position(1))
    app._spread({EVENT: Heard(News(Position(2), frozenset({"result"})), {})})
    assert early.take().topics == {"result"}
    assert not late.woken.is_set()


# ------------------------------------------------------------------ reconnecting pages
PAGE = Shown("public", "en", 1)


def _at(number: int, *topics: str, lines: Mapping[str, str] | None = None) -> Heard:
    matches = {line.removeprefix("line-"): number for line in lines or {}}
    return Heard(News(Position(number), frozenset(topics), matches), {PAGE: Parts(lines or {})})


def _history(*heard: Heard) -> History:
    history = History(Position(1))
    for each in heard:
        history.add(each)
    return history


def test_history_gives_newer_topics_and_the_newest_line_of_each_match():
    history = _history(
        _at(2, "result:a", lines={"line-m-a": "old"}),
        _at(3, "result:b", lines={"line-m-b": "b"}),
        _at(4, "result:a", lines={"line-m-a": "new"}),
    )
    heard = history.since(Position(2), PAGE)
    assert heard is not None and heard.news.position == Position(4)
    assert heard.news.topics == {"result:a", "result:b"}
    assert heard.parts == {PAGE: Parts({"line-m-a": "new", "line-m-b": "b"})}


def test_history_merges_once_for_all_who_come_back_from_the_same_position():
    history = History(Position(1))
    history.add(_at(2, "result", lines={"line-m-a": "a"}))
    first, again = history.since(Position(1), PAGE), history.since(Position(1), PAGE)
    assert first is not None and again is first
    history.add(_at(3, "result", lines={"line-m-b": "b"}))
    later = history.since(Position(1), PAGE)
    assert later is not None and later.parts == {PAGE: Parts({"line-m-a": "a", "line-m-b": "b"})}
    for number in range(MOST_MERGED + 1):
        assert history.since(Position(1, number), PAGE) is not None
    assert len(history._merged) <= MOST_MERGED


def test_history_gives_nothing_to_a_page_that_missed_nothing():
    heard = _history(_at(2, "result")).since(Position(2), PAGE)
    assert heard is not None and heard.news == News(Position(2), frozenset())


def test_history_has_no_answer_for_what_it_no_longer_remembers():
    history = _history(*(_at(number + 2, "round") for number in range(REMEMBERED + 1)))
    assert history.since(Position(1), None) is None
    assert history.since(Position(2), None) is not None


def test_a_page_is_told_to_refetch_if_too_many_or_no_lines_are_remembered():
    lines = [_at(number + 2, "result", lines={f"line-m-{number}": "x"}) for number in range(MOST_LINES + 1)]
    french = PAGE._replace(language="fr")
    for shown, missed in ((PAGE, lines), (french, lines[:1])):
        listener = Listener(Position(1), shown)
        heard = _history(*missed).since(Position(1), shown)
        assert heard is not None
        listener.tell(heard)
        told = listener.take()
        assert REFETCH in told.topics and not told.parts


def test_a_reconnecting_page_is_answered_from_memory():
    async def scene() -> None:
        book = Ledger()
        app = streams(book)
        stays = opened(app)
        await asyncio.sleep(0.05)
        book.moves("round")
        await asyncio.sleep(0.05)
        # Any further read would fail.
        book.read = None  # type: ignore[method-assign, assignment]
        app._read = None  # type: ignore[assignment]
        back = opened(app, since="1.0")
        await back.next()
        assert (await back.message()).startswith("retry")
        assert data_of(await back.message())["topics"] == ["round"]
        for browser in (stays, back):
            await browser.leave()

    asyncio.run(scene())


def test_a_page_is_told_it_is_up_to_date_only_once_that_is_known():
    async def scene() -> None:
        book = Ledger()
        for broken, said in ((True, []), (False, ["event: now"])):
            book.broken = broken
            browser = opened(streams(book), since="1.0")
            await asyncio.sleep(0.05)
            await browser.leave()
            bodies = [browser.sent.get_nowait().get("body", b"").decode() for _ in range(browser.sent.qsize())]
            assert [body.partition("\n")[0] for body in bodies if body.startswith("event: now")] == said

    asyncio.run(scene())


def test_what_has_changed_is_known_from_memory_while_the_event_is_followed_and_the_database_read(monkeypatch):
    async def scene() -> None:
        book = Ledger()
        app = streams(book)
        assert app.changed_since(EVENT, Position(1)) is None, "nobody follows the event"
        page = opened(app)
        await page.next()
        await read_again(book)
        assert app.changed_since(EVENT, Position(1)) == frozenset()
        book.moves("result", "clock")
        await page.message()
        assert await page.message() and app.changed_since(EVENT, Position(1)) == {"result", "clock"}
        assert app.changed_since(EVENT, Position(2)) == frozenset()
        assert app.changed_since(EVENT, Position(0)) is None, "it has followed the event since position 1 only"
        assert app.changed_since("e-another", Position(1)) is None
        book.broken = True
        await read_again(book)
        later = live.time.monotonic() + live.KNOWN_SECONDS
        monkeypatch.setattr(live.time, "monotonic", lambda: later + 1)
        assert app.changed_since(EVENT, Position(1)) is None, "the database has not answered since"
        monkeypatch.undo()
        await page.leave()
        assert app.changed_since(EVENT, Position(1)) is None

    asyncio.run(scene())


async def read_again(book: Ledger) -> None:
    """Wait until the database has been read once more, and what was read is known."""
    reads = len(book.reads)
    async with asyncio.timeout(5):
        while len(book.reads) < reads + 2:
            await asyncio.sleep(0.01)


def test_of_two_streams_that_open_around_a_change_both_are_told_of_it():
    async def scene() -> None:
        book, changed, first = Ledger(), threading.Event(), threading.Lock()

        def read(known: Mapping[str, Position]) -> dict[str, News]:
            heard = book.read(known)
            if first.acquire(blocking=False):
                changed.wait(5)  # what the first stream has read arrives after the second one is told
            return heard

        app = LiveStreams(read=read, rights=OPEN, awaken=lambda: Polling(0.01), heartbeat_seconds=5)
        early = opened(app)
        while not book.reads:
            await asyncio.sleep(0.01)
        book.moves("result")
        late = opened(app)
        await late.next(), await late.message()
        assert data_of(await late.message())["revision"] == 2
        changed.set()
        await early.next(), await early.message()
        assert data_of(await early.message())["revision"] == 2
        await early.leave()
        await late.leave()

    asyncio.run(scene())


def test_lines_in_three_languages_take_the_queries_of_one(cast: Cast, django_assert_max_num_queries):
    round_ = _published(cast)
    event, match = round_.stage.event.public_id, match_of(round_, cast.player)
    before = positions([event])
    play.enter_result(match=match, by=cast.organizer, games=(2, 1, 0), now=NOW)
    [news] = news_since(before).values()
    wanted = [
        PAGE._replace(language=language, audience=audience) for language in ("en", "fr", "it") for audience in AUDIENCES
    ]
    with CaptureQueriesContext(connection) as one:
        parts_for(event, dict.fromkeys(wanted[:1], ()), news)
    with django_assert_max_num_queries(len(one)):
        found = parts_for(event, dict.fromkeys(wanted, ()), news)
    assert len({parts.all[f"line-{match.public_id}"] for parts in found.values() if parts}) == 3


# ------------------------------------------------------------------ rendered parts and topics


def _published(cast: Cast, **options: Any) -> Round:
    event = a_running_event(cast, **options)
    round_ = play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    play.publish_round(round_=round_, by=cast.organizer, now=NOW)
    return round_


def _heard(round_: Round, shown: Shown, happens: Callable[[], object]) -> Heard:
    """Let something happen and return the news of it, with the parts rendered for one kind of page and its players."""
    event = round_.stage.event.public_id
    before = positions([event])
    happens()
    news = news_since(before)[event]
    own = () if shown.round else {seat.entrant.public_id for seat in Seat.objects.filter(round=round_)}
    return Heard(news, {shown: parts_of(event, shown, news, own)})


def test_a_new_result_sends_its_line_to_readers_of_the_pairings(cast: Cast, django_assert_max_num_queries):
    round_ = _published(cast)
    match, shown = match_of(round_, cast.player), Shown("public", "fr", 1)
    with django_assert_max_num_queries(60):
        heard = _heard(
            round_, shown, lambda: play.enter_result(match=match, by=cast.organizer, games=(2, 1, 0), now=NOW)
        )
    listener = Listener(Position(), shown)
    listener.tell(heard)
    parts = dict(listener.take().parts)
    assert list(parts) == [f"line-{match.public_id}"]
    assert parts[f"line-{match.public_id}"].startswith(f'<tr id="line-{match.public_id}"')
    assert "2–1" in parts[f"line-{match.public_id}"] and "régie" in parts[f"line-{match.public_id}"]


def test_no_line_is_sent_to_readers_who_may_not_see_the_pairings(cast: Cast):
    round_ = _published(cast)
    event, match = round_.stage.event, match_of(round_, cast.player)
    choose_visibility(event=event, cells={"pairings.public.swiss": "never"}, by=cast.organizer, now=NOW)
    for audience, sent in (("public", False), ("players", True)):
        heard = _heard(
            round_,
            Shown(audience, "en", 1),
            lambda: play.extend_table(match=match, minutes=1, by=cast.judge, now=NOW),
        )
        listener = Listener(Position(), Shown(audience, "en", 1))
        listener.tell(heard)
        told = listener.take()
        assert bool(told.parts) is sent
        assert (REFETCH in told.topics) is not sent, "the page asks again, and is refused like any other"


def test_each_player_gets_only_their_own_seat_when_a_round_is_published(cast: Cast):
    event = a_running_event(cast, players=5)
    round_ = play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    shown = Shown("players", "en")
    heard = _heard(round_, shown, lambda: play.publish_round(round_=round_, by=cast.organizer, now=NOW))
    seats = {seat.entrant.public_id: seat for seat in Seat.objects.filter(round=round_)}
    assert len(seats) == 5
    for entrant, seat in seats.items():
        listener = Listener(Position(), shown, Reader("players", frozenset({entrant})))
        listener.tell(heard)
        [(part, said)] = listener.take().parts
        assert part == f"seat-{entrant}"
        assert f"{seat.match.table}</p>" in said if seat.match.table else "a bye" in said
        others = seat.match.seats.exclude(pk=seat.pk)
        assert all(other.entrant.name in said for other in others)


def test_no_seat_is_rendered_for_players_who_have_no_page_open(cast: Cast):
    event = a_running_event(cast, players=5)
    round_ = play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    before = positions([event.public_id])
    play.publish_round(round_=round_, by=cast.organizer, now=NOW)
    news = news_since(before)[event.public_id]
    present = next(iter(Seat.objects.filter(round=round_))).entrant.public_id
    parts = parts_of(event.public_id, Shown("players", "en"), news, {present})
    assert parts is not None and list(parts.own) == [present]


def test_a_started_clock_is_sent(cast: Cast):
    round_ = _published(cast)
    shown = Shown("players", "en")
    heard = _heard(round_, shown, lambda: play.start_clock(round_=round_, by=cast.organizer, now=now()))
    listener = Listener(Position(), shown)
    listener.tell(heard)
    assert "data-ends-at" in dict(listener.take().parts)["round-clock"]


def test_the_topic_of_a_judge_call_does_not_reveal_the_match(cast: Cast):
    round_ = _published(cast)
    match = match_of(round_, cast.player)
    before = positions([round_.stage.event.public_id])
    call_judge(match=match, by=cast.player, matter="rules", now=NOW)
    [news] = news_since(before).values()
    assert news.topics == {about("call", match.public_id)}
    assert match.public_id not in " ".join(news.topics)
    assert about("call", match.public_id) != about("result", match.public_id).replace("result", "call")


def test_a_message_about_many_matches_names_none_of_them():
    topics = {about("result", f"m-{number}") for number in range(301)}
    assert told({*topics, "round"}) == {"result", "round"}
    assert told(list(topics)[:300]) == frozenset(list(topics)[:300])


def test_a_token_opens_the_stream_only_with_the_signed_rights():
    token = token_for(EVENT, "players", ["p-1", "p-2"])
    opening = opening_of(f"token={token}&since=3.1&language=fr", "", EVENT)
    own = frozenset({"p-1", "p-2"})
    assert opening == Opening(Shown("players", "fr"), Position(3, 1), Reader("players", own))
    link = token_for(EVENT, "public", ["p-1"], by_link=True)
    assert token_opens(link, EVENT) == Reader("public", frozenset({"p-1"}), by_link=True)
    forged = token.replace("players", "staff")
    assert opening_of(f"token={forged}", "", EVENT) is None
    stolen = token.replace("p-2", "p-3")
    assert opening_of(f"token={stolen}&language=fr", "", EVENT) is None
    staff = opening_of(f"token={token_for(EVENT, 'staff')}&pairings=2&language=xx", "", EVENT, "a=b; sessionid=abc")
    assert staff == Opening(None, None, Reader("staff", session="abc"))


def test_messages_to_the_public_are_batched_and_staff_get_them_at_once():
    async def scene(audience: str) -> int:
        book = Ledger()
        app = streams(book, gather_seconds=0.5)
        browser = Browser(app, f"/live/{EVENT}/", f"token={token_for(EVENT, audience)}&since=1.0")
        await browser.next()
        await browser.message()
        end = asyncio.get_running_loop().time() + 0.4
        while asyncio.get_running_loop().time() < end:
            book.moves("result")
            await asyncio.sleep(0.02)
        await browser.leave()
        return sum(b"revision" in message.get("body", b"") for message in _all(browser.sent))

    assert asyncio.run(scene("public")) == 1
    assert asyncio.run(scene("staff")) > 3


def _all(queue: asyncio.Queue[dict[str, Any]]) -> list[dict[str, Any]]:
    return [queue.get_nowait() for _ in range(queue.qsize())]


# ------------------------------------------------------------------ notifications of PostgreSQL


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite notifies nobody: it is asked four times a second")
def test_a_process_is_woken_when_another_one_commits(cast: Cast, monkeypatch):
    event = a_running_event(cast)
    monkeypatch.setattr(wakeups, "SWEEP_SECONDS", 30)
    monkeypatch.setattr(wakeups, "POLL_SECONDS", 30)

    def write(commit: threading.Event, written: threading.Event) -> None:
        try:
            with transaction.atomic():
                ledger.record(chain=event.public_id, actor="system", code="round.closed", object="r1", now=NOW)
                written.set()
                commit.wait(5)
        finally:
            connections.close_all()

    async def scene() -> None:
        listening = wakeups.wakeups()
        assert isinstance(listening, wakeups.Listening)
        first = asyncio.create_task(listening.wait())
        await asyncio.wait_for(first, 5)  # it wakes once when it starts listening, for what was committed before
        commit, written = threading.Event(), threading.Event()
        woken = asyncio.create_task(listening.wait())
        writer = asyncio.create_task(asyncio.to_thread(write, commit, written))
        await asyncio.to_thread(written.wait, 5)
        await asyncio.sleep(0.3)
        assert not woken.done(), "nothing is committed yet"
        commit.set()
        await asyncio.wait_for(woken, 5)
        await writer
        listening.close()

    asyncio.run(scene())


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "postgresql", reason="there is no connection to lose on SQLite")
def test_a_process_that_lost_its_connection_polls_until_it_listens_again(cast: Cast, monkeypatch, caplog):
    monkeypatch.setattr(wakeups, "RETRY_SECONDS", 0.1)

    def end_listeners() -> None:
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN %'")
        finally:
            connections.close_all()

    async def scene() -> None:
        listening = wakeups.wakeups()
        await asyncio.wait_for(listening.wait(), 5)
        assert listening._listens
        await asyncio.to_thread(end_listeners)
        for _ in range(50):
            await asyncio.wait_for(listening.wait(), 5)
            if "no notifications" in caplog.text and listening._listens:
                break
        assert "no notifications" in caplog.text and listening._listens
        listening.close()

    asyncio.run(scene())
