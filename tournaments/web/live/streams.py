"""The live streams of a process: who follows which event, and the one task that reads the changes for all of them.

The public gets at most one message a second, so that a burst of results is a single message; staff get theirs at once.
"""

import asyncio
import json
import logging
import re
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, MutableMapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from asgiref.sync import sync_to_async
from django.db import connections

from tournaments.common import request_ids
from tournaments.common.clock import now
from tournaments.common.proxies import client_address
from tournaments.web.live.address import ANYBODY, Opening, Reader, Shown, opening_of
from tournaments.web.live.admissions import Admissions
from tournaments.web.live.history import Heard, History, reaches
from tournaments.web.live.parts import Parts, changes, parts_for
from tournaments.web.live.positions import News, Position, news_since
from tournaments.web.live.rights import Rights
from tournaments.web.live.topics import told
from tournaments.web.live.wakeups import wakeups

logger = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 15
GATHER_SECONDS = 1.0  # between two messages on one public stream
KNOWN_SECONDS = 5.0  # after its last reading, how long what is known of an event counts: see `changed_since`
MAX_STREAMS = 4_000
MAX_STREAMS_OF_EVENT = 3_000
MAX_STREAMS_OF_ADDRESS = 2_500  # a whole hall may come from one address
RETRY_MILLISECONDS = 3000
REFETCH = "parts"  # the topic sent instead of parts that are too many: the page requests them
_ADDRESS = re.compile(r"/live/(?P<event>[a-z0-9-]{3,20})/")

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
AsgiApp = Callable[[Scope, Receive, Send], Awaitable[None]]
Wanted = Mapping[str, Mapping[Shown, Collection[str]]]
"""For each event, what the pages that follow it show in parts, with the entrants whose own pages these are."""


class Wakeups(Protocol):
    """Says when to read again; see `wakeups.py`."""

    async def wait(self) -> None: ...

    def close(self) -> None: ...


class Told(NamedTuple):
    """One message of a stream."""

    position: Position
    topics: frozenset[str]
    parts: tuple[tuple[str, str], ...] = ()
    followers: int = 0


# Any thread of the pool may run these two, so connections left open would add up to one per thread.
def _read(known: Mapping[str, Position]) -> dict[str, News]:
    """What has changed since the known positions."""
    try:
        return news_since(known)
    finally:
        connections.close_all()


def _render(news: Mapping[str, News], wanted: Wanted) -> dict[str, Heard]:
    """The same changes with the parts of pages that show them; after a round is published, that may take seconds."""
    try:
        return {event: Heard(found, parts_for(event, wanted.get(event, {}), found)) for event, found in news.items()}
    finally:
        connections.close_all()


@dataclass(eq=False)
class Listener:
    """One open stream and what is still to be sent on it.

    New changes are merged into that, so a slow reader costs no memory. `ended` is whether the reader may no longer have
    the stream: then nothing more is sent.
    """

    position: Position
    shown: Shown | None = None
    reader: Reader = ANYBODY
    ended: bool = False
    topics: set[str] = field(default_factory=set)
    parts: dict[str, str] = field(default_factory=dict)
    woken: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def hurried(self) -> bool:
        """Whether changes are sent at once instead of once a second."""
        return self.reader.audience == "staff"

    def end(self) -> None:
        """End the stream without sending anything more."""
        self.ended = True
        self.woken.set()

    def tell(self, heard: Heard) -> None:
        """Add a change, to be sent with the next message of this stream."""
        self.position = heard.news.position
        topics = set(heard.news.topics)
        parts = heard.parts.get(self.shown) if self.shown else Parts()
        if parts is None:
            topics |= {REFETCH} if self.shown and changes(heard.news, self.shown) else set()
        else:
            topics -= self._of_others(parts, topics)
            self.parts |= parts.all
            for own in (parts.own[entrant] for entrant in self.reader.own if entrant in parts.own):
                if own.topics and self.reader.by_link:
                    continue  # the page of a seat link shows other elements: it asks for its fragment
                self.parts |= own.parts
                topics -= own.topics
        self.topics |= topics
        if self.topics or self.parts:
            self.woken.set()

    def _of_others(self, parts: Parts, topics: set[str]) -> set[str]:
        """The topics that change nothing on such a page: those of single matches and entrants that it does not show."""
        if self.shown and self.shown.round is not None:
            return {topic for topic in topics if ":" in topic}  # the tables of a round come in parts
        return {topic for topic, entrants in parts.tables.items() if not entrants & self.reader.own}

    def take(self, followers: int = 0) -> Told:
        """Take everything that is still to be sent, as one message."""
        message = Told(self.position, told(self.topics), tuple(sorted(self.parts.items())), followers)
        self.topics.clear()
        self.parts.clear()
        self.woken.clear()
        return message


class LiveStreams:
    """The ASGI application of the streams. A single task reads the database for all of them.

    It answers 405 to anything but a GET, 403 without a valid token or the rights it names, and 503 when there are too
    many streams or rights cannot be checked.
    """

    def __init__(
        self,
        *,
        read: Callable[[Mapping[str, Position]], dict[str, News]] = _read,
        rights: Rights | None = None,
        awaken: Callable[[], Wakeups] = wakeups,
        heartbeat_seconds: float = HEARTBEAT_SECONDS,
        gather_seconds: float = GATHER_SECONDS,
        max_streams: int = MAX_STREAMS,
        max_of_event: int = MAX_STREAMS_OF_EVENT,
        max_of_address: int = MAX_STREAMS_OF_ADDRESS,
    ) -> None:
        self._read = sync_to_async(read, thread_sensitive=False)
        self._render = sync_to_async(_render, thread_sensitive=False)
        self._admissions = Admissions(rights or Rights())
        self._awaken = awaken
        self._heartbeat_seconds = heartbeat_seconds
        self._gather_seconds = gather_seconds
        self._max_streams = max_streams
        self._max_of_event = max_of_event
        self._max_of_address = max_of_address
        self._open = 0
        self._addresses: Counter[str] = Counter()
        self._listeners: dict[str, set[Listener]] = {}
        self._known: dict[str, Position] = {}
        self._histories: dict[str, History] = {}
        self._reader: asyncio.Task[None] | None = None
        self._closing = False

    @property
    def open_streams(self) -> int:
        """How many streams are open in this process."""
        return self._open

    def changed_since(self, event: str, position: Position) -> frozenset[str] | None:
        """The topics of what has changed at an event since a position, from memory: it never waits for the database.

        None if this process does not know: nobody follows the event here, its history does not go back that far, or the
        database was not read for `KNOWN_SECONDS`.
        """
        history = self._histories.get(event)
        if history is None or history.read_at + KNOWN_SECONDS < time.monotonic():
            return None
        return history.topics_since(position)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = _ADDRESS.fullmatch(scope["path"])
        if scope["method"] != "GET":
            return await _answer(send, 405, "The live stream is read with GET.")
        event = found["event"] if found else ""
        query = scope.get("query_string", b"").decode("latin-1")
        opening = opening_of(query, _header(scope, b"last-event-id"), event, _header(scope, b"cookie"))
        if opening is None:
            return await _answer(send, 403, "This stream opens with the token of its page.")
        address = _address_of(scope)
        if self._closing or self._full(event, address):
            return await _answer(send, 503, "Too many streams are open here.", ((b"retry-after", b"30"),))
        self._addresses[address] += 1
        self._open += 1
        try:
            return await self._stream(event, opening, receive, send)
        finally:
            self._open -= 1
            self._addresses[address] -= 1
            if not self._addresses[address]:
                del self._addresses[address]

    def _full(self, event: str, address: str) -> bool:
        """Whether one more stream is too many for this process, the event, or the network address (if known)."""
        return (
            self._open >= self._max_streams
            or len(self._listeners.get(event, ())) >= self._max_of_event
            or (address != "" and self._addresses[address] >= self._max_of_address)
        )

    async def close(self) -> None:
        """End all streams and the reading task."""
        self._closing = True
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.end()
        if self._reader is not None:
            self._reader.cancel()

    async def _stream(self, event: str, opening: Opening, receive: Receive, send: Send) -> None:
        since = opening.since
        listener = Listener(since or Position(), opening.shown, opening.reader)
        # Registered before it catches up, so that no change falls between the two.
        self._listeners.setdefault(event, set()).add(listener)
        gone = asyncio.create_task(_disconnected(receive))
        gone.add_done_callback(lambda _gone: listener.woken.set())
        try:
            caught_up = await self._catch_up(event, listener, say=since is not None)
            self._watch(event, listener.position)
            if caught_up and not reaches(listener.position, self._known[event]):
                # A stream that opened at the same moment has read the database after a change, and this one before it.
                caught_up = await self._catch_up(event, listener, say=True)
            # Last, because changes of rights are followed from the position that was read.
            status = await self._admit(event, listener)
            if status == 403:
                return await _answer(send, 403, "You may not follow this event as this page did. Reload the page.")
            if status == 503:
                return await _answer(send, 503, "Try again in a moment.", ((b"retry-after", b"30"),))
            await self._serve(event, listener, gone, send, caught_up=caught_up)
        finally:
            self._forget(event, listener)
            gone.cancel()

    async def _admit(self, event: str, listener: Listener) -> int:
        """Check whether the reader may have the stream; returns the status of the answer."""
        try:
            reader = await self._admissions.admitted(event, listener.reader)
        except Exception as error:
            logger.warning("the rights of a reader could not be read (%s)", type(error).__name__)
            return 503
        listener.reader = reader or listener.reader
        return 200 if reader else 403

    async def _serve(
        self, event: str, listener: Listener, gone: asyncio.Task[None], send: Send, *, caught_up: bool
    ) -> None:
        try:
            await send({"type": "http.response.start", "status": 200, "headers": _STREAM_HEADERS})
            await _send(send, f"retry: {RETRY_MILLISECONDS}\n\n".encode())
            if caught_up:
                await _send(send, f"event: now\ndata: {int(now().timestamp() * 1000)}\n\n".encode())
            await self._tell(event, listener, gone, send)
        except asyncio.CancelledError:
            logger.info("a live stream was cut by the server's end")
        finally:
            if not gone.done():  # a reader who is still there is told that the stream ends
                await send({"type": "http.response.body", "body": b""})

    async def _tell(self, event: str, listener: Listener, gone: asyncio.Task[None], send: Send) -> None:
        """Send changes until the reader disconnects or loses the right to them, and a heartbeat when there are none.

        The heartbeat tells the page that its stream is alive, so that what it shows is current.
        """
        while not gone.done() and not listener.ended:
            try:
                async with asyncio.timeout(self._heartbeat_seconds):
                    await listener.woken.wait()
            except TimeoutError:
                # With the position: what the page has not been told of up to there changes nothing on it.
                await _send(send, f"id: {listener.position}\nevent: beat\ndata: 1\n\n".encode())
                continue
            if not gone.done() and not listener.ended:
                followers = 0 if listener.hurried else len(self._listeners.get(event, ()))
                await _send(send, _message(listener.take(followers)))
                if not listener.hurried:
                    # Meanwhile further changes are merged into the next message.
                    await asyncio.wait((gone,), timeout=self._gather_seconds)

    async def _catch_up(self, event: str, listener: Listener, *, say: bool) -> bool:
        """Add what has changed between the page's position and now, from memory or else from the database.

        `say` is whether the page named a position; without one it starts from now. Parts are read from the database
        only for the first stream of an event: if a whole hall has been away for long, each page requests its fragments
        instead. Returns False if the database could not be read; the page then requests everything by itself.
        """
        history = self._histories.get(event)
        heard = history.since(listener.position, listener.shown, listener.reader.own) if say and history else None
        if heard is None:
            try:
                alone = {event: {listener.shown: listener.reader.own}} if say and listener.shown and not history else {}
                news = await self._read({event: listener.position})
                heard = (await self._render(news, alone)).get(event) if news else None
            except Exception as error:
                logger.warning("where an event stands could not be read (%s)", type(error).__name__)
                return False
        if heard is not None and heard.news.position != listener.position:
            listener.position = heard.news.position
            if say:
                listener.tell(heard)
        return True

    def _watch(self, event: str, position: Position) -> None:
        self._known.setdefault(event, position)
        self._histories.setdefault(event, History(self._known[event]))
        self._admissions.follow(event)
        # The reading task ends when nobody follows any event.
        if self._reader is None or self._reader.done():
            self._reader = asyncio.create_task(self._follow())

    def _forget(self, event: str, listener: Listener) -> None:
        listeners = self._listeners.get(event, set())
        listeners.discard(listener)
        if not listeners:
            self._listeners.pop(event, None)
            self._known.pop(event, None)
            self._histories.pop(event, None)
            self._admissions.leave(event)

    async def _follow(self) -> None:
        request_ids.forget()  # the task goes on for all streams, not for the one that started it
        awake = self._awaken()
        try:
            while self._known:
                try:
                    # A copy, because streams come and go while a thread reads.
                    known, began = dict(self._known), time.monotonic()
                    news = await self._read(known)
                    for event in known.keys() & self._histories.keys():
                        self._histories[event].note(news.get(event), began)
                    heard = await self._render(news, self._wanted()) if news else {}
                    await self._end_lost(heard)
                    self._spread(heard)
                except Exception as error:  # the database is away: keep the streams, and try again next time
                    logger.warning("the live streams could not read where events stand (%s)", type(error).__name__)
                await awake.wait()
        finally:
            awake.close()

    async def _end_lost(self, heard: Mapping[str, Heard]) -> None:
        """End the streams of readers who lost their rights, before they are told of the same change."""
        lost = await self._admissions.lost({event: item.news.rights for event, item in heard.items()})
        for event in {event for event, _reader in lost}:
            for listener in self._listeners.get(event, ()):
                if (event, listener.reader) in lost:
                    listener.end()

    def _wanted(self) -> dict[str, dict[Shown, set[str]]]:
        wanted: dict[str, dict[Shown, set[str]]] = {event: {} for event in self._listeners}
        for event, listeners in self._listeners.items():
            for listener in listeners:
                if listener.shown:
                    wanted[event].setdefault(listener.shown, set()).update(listener.reader.own)
        return wanted

    def _spread(self, heard: Mapping[str, Heard]) -> None:
        for event, item in heard.items():
            if event in self._known:  # its last reader may have left while the database was read
                self._known[event] = item.news.position
                self._histories[event].add(item)
            for listener in self._listeners.get(event, ()):
                if listener.position != item.news.position:  # else it has caught up with this change already
                    listener.tell(item)


class BeforeDjango:
    """The whole site as an ASGI application: the live streams, the lifespan protocol, and Django for all the rest.

    Django does not support the lifespan protocol, by which the server says that it is shutting down.
    """

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
    (b"x-accel-buffering", b"no"),  # nginx would hold messages back otherwise
    (b"x-content-type-options", b"nosniff"),
]


def _address_of(scope: Scope) -> str:
    """The network address of the reader; empty if the server does not know it, as on a Unix socket."""
    told = [value.decode("latin-1") for name, value in scope.get("headers", ()) if name == b"x-forwarded-for"]
    forwarded = ",".join(told)
    return client_address((scope.get("client") or ("",))[0], forwarded)


def _header(scope: Scope, name: bytes) -> str:
    """A header of the request; empty if there is none. HTTP/2 may send cookies in several."""
    return "; ".join(value.decode("latin-1") for each, value in scope.get("headers", ()) if each == name)


@lru_cache(maxsize=100)
def _message(told: Told) -> bytes:
    """The message in the format of server-sent events, encoded only once for all streams that get the same one."""
    content: dict[str, Any] = {"revision": told.position.number, "topics": sorted(told.topics)}
    if told.parts:
        content["parts"] = dict(told.parts)
    if told.followers:
        content["followers"] = told.followers
    data = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return f"id: {told.position}\nevent: revision\ndata: {data}\n\n".encode()


async def _send(send: Send, body: bytes) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": True})


async def _answer(send: Send, status: int, text: str, headers: Iterable[tuple[bytes, bytes]] = ()) -> None:
    plain = [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store"), *headers]
    await send({"type": "http.response.start", "status": status, "headers": plain})
    await send({"type": "http.response.body", "body": text.encode()})


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
