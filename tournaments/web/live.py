"""The live stream: tells open pages that an event has moved, as server-sent events. It never sends content.

`/live/<event>/?token=…&since=…` is a plain ASGI application, mounted before Django: no session and no database
connection is held for a stream. One poller a process reads where every watched event stands, in one query four
times a second, and in a second query the codes of what is new. A message is `event: revision` with
`{"revision": 17, "topics": ["result", "table"]}`; the page then asks for its fragments again.

A topic is what stands before the dot of a ledger code (`result.confirmed` → `result`). Standings are finished by a
job, which writes no entry; so the newest standings table is watched as well and gives the topic `standings`. A move of
a feature match is told when its delay is over: how many have come to the public is watched, and gives `feature`.

A position is `<ledger number>.<newest standings table>`, with `.<moves shown>` where there is a feature match: the page
carries the one it was rendered at, and a browser that reconnects sends the last it saw (`Last-Event-ID`), so nothing
between is missed.
"""

import asyncio
import json
import logging
import re
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import parse_qs

from asgiref.sync import sync_to_async
from django.core import signing
from django.db import connections
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.urls import get_script_prefix

from tournaments.audits.models import Feature
from tournaments.audits.watching import shown_counts
from tournaments.common.clock import now
from tournaments.common.models import LedgerEntry, LedgerHead
from tournaments.common.proxies import client_address
from tournaments.standings.models import StandingsTable

logger = logging.getLogger(__name__)

SALT = "arbitre.live"
TOKEN_SECONDS = 12 * 3600
POLL_SECONDS = 0.25
HEARTBEAT_SECONDS = 15
MAX_STREAMS = 2_000
MAX_STREAMS_OF_EVENT = 1_500
MAX_STREAMS_OF_ADDRESS = 1_000  # a whole hall may come from one address
RETRY_MILLISECONDS = 3000
_ADDRESS = re.compile(r"/live/(?P<event>[a-z0-9-]{3,20})/")

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
AsgiApp = Callable[[Scope, Receive, Send], Awaitable[None]]


class Position(NamedTuple):
    """Where an event stands: the number of its last ledger entry, the key of its newest standings table, and how many
    moves of its feature matches the public sees.
    """

    number: int = 0
    table: int = 0
    shown: int = 0

    def __str__(self) -> str:
        return f"{self.number}.{self.table}" + (f".{self.shown}" if self.shown else "")

    @classmethod
    def parse(cls, text: str) -> "Position | None":
        """The position that a page or a browser sends back; None when it is not one."""
        found = re.fullmatch(r"(\d{1,9})\.(\d{1,15})(?:\.(\d{1,9}))?", text)
        return cls(int(found[1]), int(found[2]), int(found[3] or 0)) if found else None


class News(NamedTuple):
    """What a watched event has to tell since a position."""

    position: Position
    topics: frozenset[str]


def token_for(event_id: str) -> str:
    """A signed token that opens the stream of one event for twelve hours."""
    return signing.TimestampSigner(salt=SALT).sign(event_id).removeprefix(event_id + ":")


def token_opens(token: str, event_id: str) -> bool:
    """Whether a token is ours, young enough and of this event."""
    try:
        signing.TimestampSigner(salt=SALT).unsign(f"{event_id}:{token}", max_age=TOKEN_SECONDS)
    except signing.BadSignature:
        return False
    return True


def stream_url(event_id: str, since: Mapping[str, Position] | None = None) -> str:
    """What a page opens: the stream of its event from the position in `since`, else from where the event stands."""
    position = (since or positions([event_id])).get(event_id, Position())
    return f"{get_script_prefix()}live/{event_id}/?token={token_for(event_id)}&since={position}"


def positions(event_ids: Iterable[str] | QuerySet[Any, str]) -> dict[str, Position]:
    """Where events stand, in one query; in three where one of them has a feature match."""
    newest = StandingsTable.objects.filter(stage__event__public_id=OuterRef("chain")).order_by("-pk").values("pk")[:1]
    features = Feature.objects.filter(match__round__stage__event__public_id=OuterRef("chain"))
    heads = LedgerHead.objects.filter(chain__in=event_ids if isinstance(event_ids, QuerySet) else list(event_ids))
    rows = heads.annotate(table=Subquery(newest), featured=Exists(features)).values_list(
        "chain", "number", "table", "featured"
    )
    found = list(rows)
    featured = [chain for chain, *_rest, featured in found if featured]
    shown = shown_counts(featured, now()) if featured else {}
    return {chain: Position(number, table or 0, shown.get(chain, 0)) for chain, number, table, _featured in found}


def news_since(known: Mapping[str, Position]) -> dict[str, News]:
    """The events that have moved since the known positions, with the topics of what is new: a query more, where an
    entry of a ledger is.
    """
    here = positions(known)
    moved = {event: position for event, position in here.items() if position != known[event]}
    topics: dict[str, set[str]] = defaultdict(set)
    grown = [event for event in moved if moved[event].number > known[event].number]
    if grown:
        newer = Q()
        for event in grown:
            newer |= Q(chain=event, number__gt=known[event].number)
        for chain, code in LedgerEntry.objects.filter(newer).order_by().values_list("chain", "code").distinct():
            topics[chain].add(code.split(".", 1)[0])
    for event, position in moved.items():
        if position.table != known[event].table:
            topics[event].add("standings")
        if position.shown != known[event].shown:
            topics[event].add("feature")
    return {event: News(position, frozenset(topics[event])) for event, position in moved.items()}


def _read(known: Mapping[str, Position]) -> dict[str, News]:
    """`news_since` from the poller's thread, which keeps no connection."""
    try:
        return news_since(known)
    finally:
        connections.close_all()


@dataclass(eq=False)
class Listener:
    """One open stream: what it has still to be told. News are merged, so a slow reader costs no memory."""

    position: Position
    topics: set[str] = field(default_factory=set)
    woken: asyncio.Event = field(default_factory=asyncio.Event)

    def tell(self, news: News) -> None:
        self.position = news.position
        self.topics |= news.topics
        self.woken.set()

    def take(self) -> News:
        news = News(self.position, frozenset(self.topics))
        self.topics.clear()
        self.woken.clear()
        return news


class LiveStreams:
    """The ASGI application of the streams, and their one poller."""

    def __init__(
        self,
        *,
        read: Callable[[Mapping[str, Position]], dict[str, News]] = _read,
        poll_seconds: float = POLL_SECONDS,
        heartbeat_seconds: float = HEARTBEAT_SECONDS,
        max_streams: int = MAX_STREAMS,
        max_of_event: int = MAX_STREAMS_OF_EVENT,
        max_of_address: int = MAX_STREAMS_OF_ADDRESS,
    ) -> None:
        self._read = sync_to_async(read, thread_sensitive=False)
        self._poll_seconds = poll_seconds
        self._heartbeat_seconds = heartbeat_seconds
        self._max_streams = max_streams
        self._max_of_event = max_of_event
        self._max_of_address = max_of_address
        self._addresses: Counter[str] = Counter()
        self._listeners: dict[str, set[Listener]] = {}
        self._known: dict[str, Position] = {}
        self._poller: asyncio.Task[None] | None = None
        self._closing = False

    @property
    def open_streams(self) -> int:
        return sum(len(listeners) for listeners in self._listeners.values())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = _ADDRESS.fullmatch(scope["path"])
        query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
        if scope["method"] != "GET":
            return await _answer(send, 405, "The live stream is read with GET.")
        if found is None or not token_opens(query.get("token", [""])[0], found["event"]):
            return await _answer(send, 403, "This stream opens with the token of its page.")
        address = _address_of(scope)
        if self._closing or self._full(found["event"], address):
            return await _answer(send, 503, "Too many streams are open here.", ((b"retry-after", b"30"),))
        self._addresses[address] += 1
        try:
            return await self._stream(found["event"], _since(scope, query), receive, send)
        finally:
            self._addresses[address] -= 1
            if not self._addresses[address]:
                del self._addresses[address]

    def _full(self, event: str, address: str) -> bool:
        """Whether one more stream is too many: of this process, of the event, or of an address (if it is known)."""
        return (
            self.open_streams >= self._max_streams
            or len(self._listeners.get(event, ())) >= self._max_of_event
            or (address != "" and self._addresses[address] >= self._max_of_address)
        )

    async def close(self) -> None:
        """End all streams and the poller."""
        self._closing = True
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.woken.set()
        if self._poller is not None:
            self._poller.cancel()

    async def _stream(self, event: str, since: Position | None, receive: Receive, send: Send) -> None:
        listener = Listener(since or Position())
        self._listeners.setdefault(event, set()).add(listener)
        gone = asyncio.create_task(_disconnected(receive))
        gone.add_done_callback(lambda _gone: listener.woken.set())
        try:
            await send({"type": "http.response.start", "status": 200, "headers": _STREAM_HEADERS})
            await _send(send, f"retry: {RETRY_MILLISECONDS}\n\n".encode())
            await self._catch_up(event, listener, told=since is not None)
            self._watch(event, listener.position)
            await self._tell(listener, gone, send)
        except asyncio.CancelledError:
            logger.info("a live stream was cut by the server's end")
        finally:
            self._forget(event, listener)
            if not gone.done():
                await send({"type": "http.response.body", "body": b""})
            gone.cancel()

    async def _tell(self, listener: Listener, gone: asyncio.Task[None], send: Send) -> None:
        """Send what comes until the reader goes away, and a beat when nothing does: a page knows it is true."""
        while not gone.done() and not self._closing:
            try:
                async with asyncio.timeout(self._heartbeat_seconds):
                    await listener.woken.wait()
            except TimeoutError:
                await _send(send, b"event: beat\ndata: 1\n\n")
                continue
            if not gone.done() and not self._closing:
                await _send(send, _message(listener.take()))

    async def _catch_up(self, event: str, listener: Listener, *, told: bool) -> None:
        """Tell what happened between the page and its stream. A page that names no position starts from now.

        Where the poller was when it last looked, nothing has happened that it will not tell.
        """
        if told and self._known.get(event) == listener.position:
            return
        try:
            news = await self._read({event: listener.position})
        except Exception as error:
            logger.warning("where an event stands could not be read (%s)", type(error).__name__)
            return
        if event in news:
            listener.position = news[event].position
            if told:
                listener.tell(news[event])

    def _watch(self, event: str, position: Position) -> None:
        self._known.setdefault(event, position)
        if self._poller is None or self._poller.done():
            self._poller = asyncio.create_task(self._poll())

    def _forget(self, event: str, listener: Listener) -> None:
        listeners = self._listeners.get(event, set())
        listeners.discard(listener)
        if not listeners:
            self._listeners.pop(event, None)
            self._known.pop(event, None)

    async def _poll(self) -> None:
        while self._known:
            try:
                self._spread(await self._read(dict(self._known)))
            except Exception as error:  # the database is away: the streams stay, the next turn reads again
                logger.warning("the live streams could not read where events stand (%s)", type(error).__name__)
            await asyncio.sleep(self._poll_seconds)

    def _spread(self, news: Mapping[str, News]) -> None:
        for event, item in news.items():
            if event in self._known:
                self._known[event] = item.position
            for listener in self._listeners.get(event, ()):
                if listener.position != item.position:  # else it caught up with this just now
                    listener.tell(item)


class BeforeDjango:
    """The whole site as ASGI: the live streams, the lifespan that Django does not speak, and Django."""

    def __init__(self, django: AsgiApp, streams: LiveStreams) -> None:
        self.django = django
        self.streams = streams

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "http" and scope["path"].startswith("/live/"):
            await self.streams(scope, receive, send)
        else:
            await self.django(scope, receive, send)

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                await send({"type": "lifespan.startup.complete"})
            elif message["type"] == "lifespan.shutdown":
                await self.streams.close()
                await send({"type": "lifespan.shutdown.complete"})
                return


_STREAM_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store, no-transform"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
]


def _address_of(scope: Scope) -> str:
    """The network address of the reader; empty where the server knows none, as on a socket file."""
    told = [value.decode("latin-1") for name, value in scope.get("headers", ()) if name == b"x-forwarded-for"]
    forwarded = ",".join(told)
    return client_address((scope.get("client") or ("",))[0], forwarded)


def _since(scope: Scope, query: Mapping[str, list[str]]) -> Position | None:
    """The position from which to tell: what the browser saw last, else what the page was rendered at."""
    seen = dict(scope.get("headers", ())).get(b"last-event-id", b"").decode("latin-1")
    return Position.parse(seen) or Position.parse(query.get("since", [""])[0])


@lru_cache(maxsize=100)
def _message(news: News) -> bytes:
    """The event as it is sent: encoded once for all who are told the same."""
    data = json.dumps({"revision": news.position.number, "topics": sorted(news.topics)})
    return f"id: {news.position}\nevent: revision\ndata: {data}\n\n".encode()


async def _send(send: Send, body: bytes) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": True})


async def _answer(send: Send, status: int, text: str, headers: Iterable[tuple[bytes, bytes]] = ()) -> None:
    plain = [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store"), *headers]
    await send({"type": "http.response.start", "status": status, "headers": plain})
    await send({"type": "http.response.body", "body": text.encode()})


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
