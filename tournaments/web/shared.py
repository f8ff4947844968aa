"""What everybody of an audience sees is rendered once for all of them, kept in memory, and sent compressed.

A page or a fragment is kept with the version of what it is about: the number of the last ledger entry among its topics
(those of `live.topics`), so it is never older than what happened. When only some lines of pairings have changed, they
are put into what is kept (`mending.py`). What changes by the clock alone, such as the opening of registration, is late
by `FRESH_SECONDS` at most.

- `for_strangers` keeps the whole answer of a view for visitors without an account: all of them see the same.
- `body_for_all` keeps the inner part of a page, the same for all of an audience; who the reader is comes around it, and
  `marked` marks the reader's own lines in it.

A process keeps its own copies; where the cache is a server, other processes take theirs from there.
"""

import gzip
import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Any, Concatenate, NamedTuple, ParamSpec

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from tournaments.common.newest import newest
from tournaments.common.reading import stands_at
from tournaments.events.models import Entrant
from tournaments.web.answers import wants_fragment
from tournaments.web.live.address import Shown
from tournaments.web.live.positions import Position, positions
from tournaments.web.mending import Mend, mending

FRESH_SECONDS = 5.0
MENDED_SECONDS = 60.0  # how long lines may be put into a page before it is rendered again
SHELL = frozenset({"event", "round", "stage", "announcement", "decks", "standings"})
"""Topics of what stands around every page of an event: its navigation and what the staff announce."""
MOST_BYTES = 48 * 1024 * 1024  # of one process, as they are sent and as they are
LONGEST_ADDRESS = 150  # characters: a longer one is what somebody looks for, and is not kept

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, str, P], HttpResponse]
Key = tuple[object, ...]


class Version(NamedTuple):
    """What something is kept with: the newest ledger entry it is about, the standings table, the moves shown."""

    entry: int = 0
    table: int = 0
    shown: int = 0

    def reaches(self, other: "Version") -> bool:
        """Whether nothing has happened between `other` and this one that this one does not tell."""
        return all(mine >= its for mine, its in zip(self, other, strict=True))


AT_FIRST = Version()
START = Position()


@dataclass(frozen=True)
class Kept:
    """Something rendered: as it is, compressed, and the tag by which a browser asks whether it has changed.

    `position` is where the event stood at least, `until` says how long it may be shown as it is, and `rendered` when a
    template made it; both by `time.monotonic`.
    """

    body: bytes
    packed: bytes
    etag: str
    until: float
    rendered: float
    version: Version = AT_FIRST
    position: Position = START

    @classmethod
    def of(cls, rendered: bytes | str, version: Version = AT_FIRST, position: Position = START) -> "Kept":
        """Compress what was rendered a moment ago."""
        body = rendered.encode() if isinstance(rendered, str) else rendered
        moment = time.monotonic()
        packed = gzip.compress(body, 6, mtime=0)
        return cls(body, packed, _tag(body), moment + FRESH_SECONDS, moment, version, position)

    def with_body(self, body: bytes, version: Version, position: Position) -> "Kept":
        """The same, with what has changed since it was rendered."""
        until = time.monotonic() + FRESH_SECONDS
        if body == self.body:
            return replace(self, until=until, version=version, position=position)
        return replace(Kept.of(body, version, position), rendered=self.rendered)

    @property
    def text(self) -> SafeString:
        """What was rendered, to stand in a page."""
        return mark_safe(self.body.decode())  # noqa: S308 - rendered by a template

    @property
    def size(self) -> int:
        """Bytes in memory, about."""
        return len(self.body) + len(self.packed) + 500


def _tag(body: bytes) -> str:
    return f'"{hashlib.sha256(body).hexdigest()[:32]}"'


@dataclass
class Shelf:
    """What a process keeps, least used first; one thread renders what several ask for at once."""

    kept: OrderedDict[Key, Kept] = field(default_factory=OrderedDict)
    size: int = 0
    making: dict[Key, threading.Lock] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def take(
        self,
        key: Key,
        make: Callable[[], bytes | None],
        version: Version = AT_FIRST,
        position: Position = START,
        mend: Mend | None = None,
    ) -> Kept | None:
        """What is kept under a key at a version or a later one, else what `make` renders now, which is kept.

        None where it renders nothing. An older one that is kept is brought up to date by `mend` where that can be done.
        """
        found = self._found(key, version)
        if found is not None:
            return found
        with self.lock:
            turn = self.making.setdefault(key, threading.Lock())
        try:
            with turn:
                found = self._found(key, version) or _from_others(key, version)
                if found is None:
                    found = self._mended(key, version, position, mend) or _made(make, version, position)
                    if found is None:
                        return None
                    _to_others(key, found)
                self._keep(key, found)
                return found
        finally:
            with self.lock:
                self.making.pop(key, None)

    def clear(self) -> None:
        """Forget everything: for tests."""
        with self.lock:
            self.kept.clear()
            self.size = 0

    def _found(self, key: Key, version: Version) -> Kept | None:
        with self.lock:
            found = self.kept.get(key)
            if found is None or found.until < time.monotonic() or not found.version.reaches(version):
                return None
            self.kept.move_to_end(key)
            return found

    def _mended(self, key: Key, version: Version, position: Position, mend: Mend | None) -> Kept | None:
        """The older one that is kept, brought up to date; None where there is none, or where that cannot be done."""
        with self.lock:
            old = self.kept.get(key)
        if mend is None or old is None or old.rendered + MENDED_SECONDS < time.monotonic():
            return None
        body = mend(old.body.decode(), old.position)
        return None if body is None else old.with_body(body.encode(), version, position)

    def _keep(self, key: Key, found: Kept) -> None:
        with self.lock:
            before = self.kept.pop(key, None)
            self.size += found.size - (before.size if before else 0)
            self.kept[key] = found
            while self.size > MOST_BYTES and len(self.kept) > 1:
                self.size -= self.kept.popitem(last=False)[1].size


def _made(make: Callable[[], bytes | None], version: Version, position: Position) -> Kept | None:
    body = make()
    return None if body is None else Kept.of(body, version, position)


def _is_shared_cache() -> bool:
    return "locmem" not in settings.CACHES["default"]["BACKEND"]


def _name(key: Key) -> str:
    return "shared." + hashlib.sha256(repr(key).encode()).hexdigest()


def _from_others(key: Key, version: Version) -> Kept | None:
    """What another process rendered, from the cache that they share."""
    found: Any = cache.get(_name(key)) if _is_shared_cache() else None
    if not isinstance(found, tuple):
        return None
    packed, *at, where = found
    its = Version(*at)
    if not its.reaches(version):
        return None
    body, moment = gzip.decompress(packed), time.monotonic()
    return Kept(body, packed, _tag(body), moment + FRESH_SECONDS, moment, its, Position(*where))


def _to_others(key: Key, found: Kept) -> None:
    if _is_shared_cache():
        cache.set(_name(key), (found.packed, *found.version, tuple(found.position)), FRESH_SECONDS)


shelf = Shelf()


def version(event_id: str, topics: Iterable[str], position: Position) -> Version:
    """What a page about these topics is kept with, when its event stands at a position."""
    topics = frozenset(topics)
    table = position.table if "standings" in topics else 0
    shown = position.shown if "feature" in topics else 0
    return Version(newest.last(event_id, position.number, topics), table, shown)


def _position(request: HttpRequest, event_id: str) -> Position:
    since = getattr(request, "live_since", None) or positions([event_id])
    position = since.get(event_id, START)
    stands_at(event_id, position.number)
    return position


Follows = Callable[..., Shown | None]
"""From a request and what its address names: whose parts its page for strangers shows."""


def for_strangers(topics: str, follows: Follows | None = None) -> Callable[[View[P]], View[P]]:
    """Keep the answers of a view of an event for visitors without an account.

    `topics` is what its page is about; `follows` says which parts it is sent, where it is sent any.
    """

    def decorate(view: View[P]) -> View[P]:
        @wraps(view)
        def answered(request: HttpRequest, event_id: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            if not is_stranger(request):
                return view(request, event_id, *args, **kwargs)
            request.is_shared = True
            passed: list[HttpResponse] = []

            def make() -> bytes | None:
                response = view(request, event_id, *args, **kwargs)
                if _is_for_all(request, response):
                    return response.content
                passed.append(response)
                return None

            part, position = wants_fragment(request), _position(request, event_id)
            about = frozenset(topics.split()) | (frozenset() if part else SHELL)
            said = (request.get_full_path(), get_language(), request.COOKIES.get("theme", ""), part)
            mend = mending(event_id, follows(request, *args, **kwargs) if follows else None, about)
            kept = shelf.take(said, make, version(event_id, about, position), position, mend)
            return _sent(request, kept) if kept else passed[0]

        return answered

    return decorate


def is_stranger(request: HttpRequest) -> bool:
    """Whether the reader is one of many who all see the same: no account, no message that waits."""
    return (
        request.method == "GET"
        and settings.SESSION_COOKIE_NAME not in request.COOKIES
        and not request.user.is_authenticated
        and len(request.get_full_path()) <= LONGEST_ADDRESS
    )


def body_for_all(
    request: HttpRequest,
    event_id: str,
    topics: str,
    make: Callable[[], str],
    audience: str = "",
    follows: Shown | None = None,
) -> Kept:
    """The inner part of a page for an audience, as it is kept, or as `make` renders it now."""
    if len(request.get_full_path()) > LONGEST_ADDRESS:
        return Kept.of(make())
    about, position = frozenset(topics.split()), _position(request, event_id)
    key = ("body", request.get_full_path(), get_language(), audience)
    its, mend = version(event_id, about, position), mending(event_id, follows, about)
    kept = shelf.take(key, lambda: make().encode(), its, position, mend)
    assert kept is not None  # it always renders something
    return kept


def marked(body: SafeString, own: Iterable[Entrant]) -> SafeString:
    """The same with the reader's own lines marked; in what comes later, `live.js` marks them."""
    text = str(body)
    for entrant in own:
        said = f'data-entrant="{entrant.public_id}"'
        text = text.replace(said, f"{said} data-mine")
    return mark_safe(text)  # noqa: S308 - rendered by a template, and an id of ours


def answer_with(request: HttpRequest, kept: Kept) -> HttpResponse:
    """Something that is kept, as an answer; as it is within a view whose whole answer is kept for strangers."""
    return HttpResponse(kept.body) if getattr(request, "is_shared", False) else _sent(request, kept)


def _sent(request: HttpRequest, kept: Kept) -> HttpResponse:
    """304 to a browser that has it, else compressed where that is accepted."""
    response: HttpResponse
    if kept.etag in parse_etags(request.headers.get("If-None-Match", "")):
        response = HttpResponseNotModified()
    elif "gzip" in request.headers.get("Accept-Encoding", ""):
        response = HttpResponse(kept.packed)
        response.headers["Content-Encoding"] = "gzip"
    else:
        response = HttpResponse(kept.body)
    response.headers["ETag"] = kept.etag
    response.headers["Cache-Control"] = "no-cache"
    patch_vary_headers(response, ["HX-Request", "Accept-Encoding", "Cookie"])
    return response


def _is_for_all(request: HttpRequest, response: HttpResponse) -> bool:
    """Whether an answer has nothing of its reader: a page that was found, with no cookie and no form to send."""
    return (
        response.status_code == 200
        and response.headers.get("Content-Type", "").startswith("text/html")
        and not response.cookies
        and not request.META.get("CSRF_COOKIE_NEEDS_UPDATE")
    )
