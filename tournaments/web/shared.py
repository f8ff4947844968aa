"""Page cache: what a whole audience sees alike is rendered once, kept in memory, and sent compressed.

A page or a fragment is cached under the version of what it is about: the number of the last ledger entry among its
topics (see `live.topics`). So it is never older than the latest change, and needs no other invalidation. When only some
lines of the pairings have changed, they are replaced in the cached page (`patched_pages.py`). What changes only with
time, such as the opening of registration, is at most `FRESH_SECONDS` late.

- `rendered_once` caches the whole response of a view: for visitors without an account, who all see the same, and, if
  the view supplies the personal parts, for everybody who is not on the staff (see `blanks`).
- `body_for_all` caches the inner part of a page for everybody of an audience, including the staff.

Each process keeps its own copies; if Django's cache is a server, the processes also share them there.

    @rendered_once("result table clock", own=nothing_else)
    def some_page(request: HttpRequest, event_id: str) -> HttpResponse: ...
"""

import gzip
import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Any, Concatenate, NamedTuple, ParamSpec, cast

from django.conf import settings
from django.contrib.messages import get_messages
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.middleware.csrf import get_token
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from tournaments.common.newest import newest
from tournaments.common.reading import note_ledger_number
from tournaments.events.access import event_named, is_private, is_shown, own_entrants, readers_as, roles_of
from tournaments.events.visibility import PLAYERS, PUBLIC
from tournaments.profiles.links import links_in
from tournaments.web.announced import announcements_to
from tournaments.web.answers import wants_fragment
from tournaments.web.blanks import filled, ids_of, marked
from tournaments.web.live.address import Shown
from tournaments.web.live.positions import Position, positions
from tournaments.web.patched_pages import Patch, patching
from tournaments.web.requests import PageRequest, SignedInRequest

FRESH_SECONDS = 5.0
OTHERS_SECONDS = 3  # longest wait for a page that another process renders
OTHERS_POLL = 0.02  # seconds between two looks whether it is there
PATCHED_SECONDS = 60.0  # how long a page may be patched before it is rendered from scratch
SHELL = frozenset({"event", "round", "stage", "announcement", "decks", "standings"})
"""Topics of what surrounds every page of an event: its navigation and its announcements."""
MOST_BYTES = 48 * 1024 * 1024  # per process, compressed and uncompressed copies together
MOST_CONFIRMED = 2_000  # pages; see `Confirmed`
LONGEST_ADDRESS = 150  # characters; longer addresses are searches, which hardly anybody repeats

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, str, P], HttpResponse]
Key = tuple[object, ...]


class Version(NamedTuple):
    """The version of a cached page: its newest ledger entry, the standings table and the number of moves shown."""

    entry: int = 0
    table: int = 0
    shown: int = 0

    def reaches(self, other: "Version") -> bool:
        """Whether this version is at least as new as `other` in every respect."""
        return all(mine >= its for mine, its in zip(self, other, strict=True))


AT_FIRST = Version()
START = Position()


@dataclass(frozen=True)
class Kept:
    """A cached page or fragment: its HTML, the same compressed, and its ETag.

    `position` is the position of the event that it includes at least. `until` is when it expires, `rendered` when a
    template last rendered it as a whole; both on the clock of `time.monotonic`.
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
        """Build it from what has just been rendered."""
        body = rendered.encode() if isinstance(rendered, str) else rendered
        moment = time.monotonic()
        packed = gzip.compress(body, 6, mtime=0)
        return cls(body, packed, _tag(body), moment + FRESH_SECONDS, moment, version, position)

    def with_body(self, body: bytes, version: Version, position: Position) -> "Kept":
        """The same page after patching, valid again for `FRESH_SECONDS`; `rendered` keeps its value."""
        until = time.monotonic() + FRESH_SECONDS
        if body == self.body:
            return replace(self, until=until, version=version, position=position)
        return replace(Kept.of(body, version, position), rendered=self.rendered)

    @property
    def text(self) -> SafeString:
        """The HTML as a safe string, to be included in a page."""
        return mark_safe(self.body.decode())  # noqa: S308 - rendered by a template

    @property
    def size(self) -> int:
        """Approximate size in memory, in bytes."""
        return len(self.body) + len(self.packed) + 500


def _tag(body: bytes) -> str:
    return f'"{hashlib.sha256(body).hexdigest()[:32]}"'


class Confirmed(NamedTuple):
    """A note that a cached page was what a visitor without an account had to be shown; `kept_pages.py` uses it.

    - `key`, `etag`: which page, and which state of it
    - `event`, `topics`: the public id of its event, and what it is about
    - `position`: where the event was
    - `links`: the digest of the profiles that it links to, if it does
    - `at`: when that was, on the clock of `time.monotonic`
    """

    key: Key
    etag: str
    event: str
    topics: frozenset[str]
    position: Position
    links: Key
    at: float


@dataclass
class Shelf:
    """The cache of one process, least recently used first. If several threads want the same page, one renders it.

    `confirmed` has the latest note about each page for visitors without an account, by `address_key`.
    """

    kept: OrderedDict[Key, Kept] = field(default_factory=OrderedDict)
    confirmed: OrderedDict[Key, Confirmed] = field(default_factory=OrderedDict)
    size: int = 0
    making: dict[Key, threading.Lock] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def take(
        self,
        key: Key,
        make: Callable[[], bytes | None],
        version: Version = AT_FIRST,
        position: Position = START,
        patch: Patch | None = None,
    ) -> Kept | None:
        """Return the cached page if it is at least of this version, else patch it or render it with `make`.

        `make` returns None for a response that must not be cached; then this returns None too. An older cached page is
        brought up to date with `patch` where possible, which is much cheaper than rendering.
        """
        found = self._found(key, version)
        if found is not None:
            return found
        # One lock per page: other pages are not held up while this one is being rendered.
        with self.lock:
            turn = self.making.setdefault(key, threading.Lock())
        try:
            with turn:
                found = self._found(key, version) or _from_others(key, version)
                if found is None:
                    found = self._patched(key, version, position, patch) or _made(key, make, version, position)
                if found is None:
                    return None
                self._keep(key, found)
                return found
        finally:
            with self.lock:
                self.making.pop(key, None)

    def confirm(self, address: Key, note: Confirmed) -> None:
        """Note that a page was right for visitors without an account."""
        with self.lock:
            self.confirmed[address] = note
            self.confirmed.move_to_end(address)
            while len(self.confirmed) > MOST_CONFIRMED:
                self.confirmed.popitem(last=False)

    def last_confirmed(self, address: Key) -> tuple[Confirmed, Kept] | None:
        """The latest note about a page and the page as it was then, however old; None if it is not cached any more."""
        with self.lock:
            note = self.confirmed.get(address)
            found = self.kept.get(note.key) if note else None
        # Between the note and now, another thread may have cached another state of the page.
        return (note, found) if note and found and found.etag == note.etag else None

    def clear(self) -> None:
        """Empty the cache, for tests."""
        with self.lock:
            self.kept.clear()
            self.confirmed.clear()
            self.size = 0

    def _found(self, key: Key, version: Version) -> Kept | None:
        with self.lock:
            found = self.kept.get(key)
            if found is None or found.until < time.monotonic() or not found.version.reaches(version):
                return None
            self.kept.move_to_end(key)
            return found

    def _patched(self, key: Key, version: Version, position: Position, patch: Patch | None) -> Kept | None:
        """The older cached page, brought up to date; None if there is none or it has to be rendered."""
        with self.lock:
            old = self.kept.get(key)
        if patch is None or old is None or old.rendered + PATCHED_SECONDS < time.monotonic():
            return None
        body = patch(old.body.decode(), old.position)
        if body is None:
            return None
        found = old.with_body(body.encode(), version, position)
        _to_others(key, found)
        return found

    def _keep(self, key: Key, found: Kept) -> None:
        with self.lock:
            before = self.kept.pop(key, None)
            self.size += found.size - (before.size if before else 0)
            self.kept[key] = found
            # At least one page is kept, so that a single page larger than the limit is cached too.
            while self.size > MOST_BYTES and len(self.kept) > 1:
                self.size -= self.kept.popitem(last=False)[1].size


def _made(key: Key, make: Callable[[], bytes | None], version: Version, position: Position) -> Kept | None:
    """Render a page, unless another process renders it just now: then wait for that one."""
    with _turn_of_processes(key, version) as from_others:
        if from_others is not None:
            return from_others
        body = make()
        if body is None:
            return None
        found = Kept.of(body, version, position)
        _to_others(key, found)
        return found


@contextmanager
def _turn_of_processes(key: Key, version: Version) -> Iterator[Kept | None]:
    """Wait while another process renders a page. Yields what it rendered, or None when this process has to render.

    When a round is published, hundreds of phones ask for pages that no process has rendered yet. Rendering each of them
    in one process only halves the processor time of that moment.
    """
    if not _is_shared_cache():
        yield None
        return
    mark, end = f"{_name(key)}.made", time.monotonic() + OTHERS_SECONDS
    while not cache.add(mark, 1, OTHERS_SECONDS) and time.monotonic() < end:
        time.sleep(OTHERS_POLL)
        found = _from_others(key, version)
        if found is not None:
            yield found
            return
    try:
        yield None
    finally:
        cache.delete(mark)


def _is_shared_cache() -> bool:
    # A local memory cache belongs to this process alone, so a second copy in it would be of no use.
    return "locmem" not in settings.CACHES["default"]["BACKEND"]


def _name(key: Key) -> str:
    return "shared." + hashlib.sha256(repr(key).encode()).hexdigest()


def _from_others(key: Key, version: Version) -> Kept | None:
    """The page that another process rendered, from the shared cache; None if it is not there or too old."""
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
    """The version of a page about these topics when its event is at this position."""
    topics = frozenset(topics)
    # Standings tables and feature match moves have no ledger entry of their own, so the position has to say.
    table = position.table if "standings" in topics else 0
    shown = position.shown if "feature" in topics else 0
    return Version(newest.last(event_id, position.number, topics), table, shown)


def address_key(request: HttpRequest, language: str | None) -> Key:
    """The part of a key that a request itself gives: its address, a language and the colours."""
    return request.get_full_path(), language, request.COOKIES.get("theme", "")


def _position(request: HttpRequest, event_id: str) -> Position:
    since = getattr(request, "live_since", None) or positions([event_id])
    position = since.get(event_id, START)
    note_ledger_number(event_id, position.number)
    return position


Follows = Callable[..., Shown | None]
"""Takes the request, the view's other arguments and `readers`; returns which live parts the page shows, if any."""
Own = Callable[..., Mapping[str, str]]
"""Takes the view's arguments and returns the page's further personal parts, as HTML by the name of their blank."""


def rendered_once(
    topics: str, follows: Follows | None = None, own: Own | None = None, *, linked: bool = False
) -> Callable[[View[P]], View[P]]:
    """Decorate a view of an event so that its responses are cached, one for each audience.

    `topics` are the topics of the page, separated by spaces. `follows` says which live parts the page shows; a page
    that has some can be patched. With `own`, the page is also cached for people who are signed in and not on the staff:
    the view and its template must then leave blanks for everything personal. A `linked` page has links to the profiles
    of players.
    """

    def decorate(view: View[P]) -> View[P]:
        @wraps(view)
        def answered(request: HttpRequest, event_id: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            began = time.monotonic()
            audience = _audience(request, event_id, signed_in=own is not None)
            if audience is None:
                return view(request, event_id, *args, **kwargs)
            stranger, part = audience.name == STRANGERS, wants_fragment(request)
            passed: list[HttpResponse] = []  # a response that must not be cached

            def make() -> bytes | None:
                with _rendering_for_all(request, leaves_blanks=not stranger):
                    response = view(request, event_id, *args, **kwargs)
                if _is_for_all(request, response):
                    return response.content
                passed.append(response)
                return None

            # The position is read before the view runs: a change made meanwhile then makes the page outdated.
            position = _position(request, event_id)
            about = frozenset(topics.split()) | (frozenset() if part else SHELL)
            links, address = _links(event_id, linked=linked), address_key(request, get_language())
            key: Key = (*address, part, audience.name, *links)
            shown = follows(request, *args, readers=audience.readers, **kwargs) if follows else None
            kept = shelf.take(key, make, version(event_id, about, position), position, patching(event_id, shown, about))
            if kept is None:
                # For others the response has blanks in it, so the view has to run again without them.
                return passed[0] if stranger else view(request, event_id, *args, **kwargs)
            if stranger and not part:
                shelf.confirm(address, Confirmed(key, kept.etag, event_id, about, position, links, began))
            if stranger or part or own is None:
                return _sent(request, kept)
            # Only signed-in readers have an audience other than the strangers.
            return _filled(cast(SignedInRequest, request), event_id, kept, own(request, event_id, *args, **kwargs))

        return cast(View[P], answered)  # Django passes `event_id` by name, which Concatenate cannot say

    return decorate


@contextmanager
def _rendering_for_all(request: HttpRequest, *, leaves_blanks: bool) -> Iterator[None]:
    """Mark the request while its view renders a page for everyone, with blanks for what is personal if so wanted."""
    page = cast(PageRequest, request)
    page.is_shared, page.leaves_blanks = True, leaves_blanks
    try:
        yield
    finally:
        page.is_shared = page.leaves_blanks = False


def nothing_else(_request: HttpRequest, _event_id: str, *_args: Any, **_kwargs: Any) -> Mapping[str, str]:
    """No further personal parts: for pages that have only the blanks listed in `blanks`."""
    return {}


class Audience(NamedTuple):
    """People to whom a page looks the same: the audience's name, and its reader kinds for `events.visibility`."""

    name: str
    readers: frozenset[str]


STRANGERS = "strangers"


def _audience(request: HttpRequest, event_id: str, *, signed_in: bool) -> Audience | None:
    """The audience whose cached page this reader may get; None if the page has to be rendered for this reader."""
    if request.method != "GET" or len(request.get_full_path()) > LONGEST_ADDRESS:
        return None
    # A visitor with a session cookie is rendered a page of their own, as messages may wait in the session.
    if settings.SESSION_COOKIE_NAME not in request.COOKIES and not request.user.is_authenticated:
        # A page that was kept while the event was public must not be brought up to date for strangers.
        _position(request, event_id)
        return None if is_private(event_id) else Audience(STRANGERS, frozenset({PUBLIC}))
    if not signed_in or not request.user.is_authenticated or len(get_messages(request)):
        return None
    event = event_named(event_id)
    if roles_of(request.user, event) or not is_shown(request.user, event):
        return None
    readers = readers_as((), own_entrants(request.user, event))
    return Audience("players" if PLAYERS in readers else "accounts", readers)


def _filled(request: SignedInRequest, event_id: str, kept: Kept, own: Mapping[str, str]) -> HttpResponse:
    """The cached page with this reader's personal parts filled in."""
    event = event_named(event_id)
    mine = own_entrants(request.user, event)
    values = {
        "csrf": get_token(request),
        "account": request.user.public_id,
        "own": ids_of(mine),
        "announcements": announcements_to(request.user, event),
        **own,
    }
    response = HttpResponse(filled(marked(kept.text, mine), values))
    response.headers["Cache-Control"] = "private, no-cache"
    patch_vary_headers(response, ["HX-Request", "Cookie"])
    return response


def body_for_all(
    request: HttpRequest,
    event_id: str,
    topics: str,
    make: Callable[[], str],
    audience: str = "",
    follows: Shown | None = None,
    *,
    linked: bool = False,
) -> Kept:
    """The inner part of a page for an audience: cached, patched, or rendered now with `make`.

    `topics` are the topics of the page, separated by spaces; `follows` are its live parts, if it shows any.
    A `linked` page has links to the profiles of players.
    """
    if len(request.get_full_path()) > LONGEST_ADDRESS:
        return Kept.of(make())
    about, position = frozenset(topics.split()), _position(request, event_id)
    key = ("body", request.get_full_path(), get_language(), audience, *_links(event_id, linked=linked))
    its, patch = version(event_id, about, position), patching(event_id, follows, about)
    kept = shelf.take(key, lambda: make().encode(), its, position, patch)
    assert kept is not None  # it always renders something
    return kept


def _links(event_id: str, *, linked: bool) -> Key:
    """The part of a key that changes when a player of the event switches the profile on or off."""
    return (links_in(event_id).digest,) if linked else ()


def answer_with(request: HttpRequest, kept: Kept) -> HttpResponse:
    """The response with a cached page."""
    # Within `rendered_once` the plain body is wanted: its own response is compressed, and gets an ETag, later.
    return HttpResponse(kept.body) if getattr(request, "is_shared", False) else _sent(request, kept)


def _sent(request: HttpRequest, kept: Kept) -> HttpResponse:
    """Answer 304 if the browser has this version, else the page, compressed if the browser accepts that."""
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
    """Whether a response holds nothing personal: a successful page that sets no cookie and has no form."""
    return (
        response.status_code == 200
        and response.headers.get("Content-Type", "").startswith("text/html")
        and not response.cookies
        and not request.META.get("CSRF_COOKIE_NEEDS_UPDATE")
    )
