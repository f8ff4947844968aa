"""Pages that an overloaded process sends as they were some seconds ago, so that reads give way to writes.

When `admission.py` has no lane for a page in time, it asks here for a copy of what visitors without an account last got
(`shared.py`). It is found and sent by the event loop, without a lane and without the database. A notice at the top says
how old it is. A page that has no place for the notice, such as a widget in a frame of another site, is never sent so.

Everybody gets the same copy, as it holds nothing personal. A reader with a session is told so, and the page reloads
itself until it is the reader's own. All other readers are brought up to date by the page's live stream.

A copy must not show what has been hidden meanwhile, and the database is not asked. So it is used only if

- it was compared with the database at most `OLDEST` seconds ago,
- the live streams of this process follow its event, and have read the database in the last seconds, and
- since then nothing has changed that the page is about, but for `STILL_SHOWN`.

When an event becomes private or hides its pairings, its ledger gets an entry about `event`, which every page is about.
This process hears of it when its streams do, which is also when it ends the streams of those who lost the right to
them. A link to a profile that was switched off is noticed as soon as the process has read the event's links again; what
no ledger entry tells, such as an erased name, after `OLDEST` seconds.
"""

import gzip
import random
import time
from collections.abc import Callable, MutableMapping
from functools import lru_cache
from io import BytesIO
from typing import Any, cast

from csp.middleware import CSPMiddleware
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse
from django.middleware.clickjacking import XFrameOptionsMiddleware
from django.middleware.security import SecurityMiddleware
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import get_language_from_request

from tournaments.common.clock import now
from tournaments.common.hosts import KnownHosts
from tournaments.common.proxies import TrustedProxies
from tournaments.profiles.links import last_digest
from tournaments.web.admission import TRY_AGAIN
from tournaments.web.live.positions import Position
from tournaments.web.patched_pages import IN_PARTS
from tournaments.web.shared import Confirmed, address_key, shelf

OLDEST = 60.0  # seconds; as long as a page may be patched before it is rendered from scratch
STILL_SHOWN = IN_PARTS | {"standings", "feature"}
"""Topics of changes after which everybody may still see what a page showed before: results, the clock, new tables."""
PLACE = b'<div class="page messages" id="messages" aria-live="polite">'
"""Where the notice comes, as in base.html."""
NOBODY = b' data-account=""'
"""As in base.html: for offline.js this says that the reader has signed out, and it forgets what the device keeps."""

Changed = Callable[[str, Position], frozenset[str] | None]
"""The topics of the changes of an event since a position; None if they are not known."""


class KeptPages:
    """Answers page requests from the page cache, within the limits given above."""

    def __init__(self, changed: Changed) -> None:
        self._changed = changed

    def __call__(self, scope: MutableMapping[str, Any]) -> list[MutableMapping[str, Any]] | None:
        """The response to a request as ASGI messages; None if no kept page may be sent."""
        if scope["method"] != "GET" or not shelf.confirmed:
            return None
        try:
            request = ASGIRequest(dict(scope), BytesIO())
        except UnicodeDecodeError:
            return None
        # An open page that asks for a part of it shows how things stood already, and asks again.
        response = None if "HX-Request" in request.headers else self._copy(request)
        if response is None:
            return None
        response = _with_headers(request, response)
        if response.status_code != 200:
            return None
        headers = [(name.lower().encode(), value.encode("latin-1")) for name, value in response.items()]
        return [
            {"type": "http.response.start", "status": 200, "headers": headers},
            {"type": "http.response.body", "body": response.content},
        ]

    def _copy(self, request: HttpRequest) -> HttpResponse | None:
        language = get_language_from_request(request)
        found = shelf.last_confirmed(address_key(request, language))
        if found is None or not self._may_be_shown(found[0]):
            return None
        note, kept = found
        age = max(1, round(time.monotonic() - note.at))
        has_session = settings.SESSION_COOKIE_NAME in request.COOKIES
        accepts = "gzip" in request.headers.get("Accept-Encoding", "")
        second = int(now().timestamp())
        plain, packed = _with_notice(kept.body, language, age, second, has_session=has_session)
        if not plain:
            return None
        headers = {"Cache-Control": "no-store", "Age": str(age), "Content-Language": language}
        if accepts:
            headers["Content-Encoding"] = "gzip"
        if has_session:
            headers["Refresh"] = str(random.randint(*TRY_AGAIN))  # noqa: S311 - spreads the reloads
        response = HttpResponse(packed if accepts else plain, headers=headers)
        response.headers["Content-Length"] = str(len(response.content))
        return response

    def _may_be_shown(self, note: Confirmed) -> bool:
        """Whether everybody may still see a page: see the top of this module."""
        if note.at + OLDEST < time.monotonic() or (note.links and note.links != (last_digest(note.event),)):
            return False
        changed = self._changed(note.event, note.position)
        if changed is None:
            return False
        return {topic.partition(":")[0] for topic in changed} & note.topics <= STILL_SHOWN


def _with_headers(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The response with the headers of every page, or another one if the request has to be refused or redirected.

    This is the part of the middleware in the settings that needs neither the session nor the database.
    """
    answer: Any = lambda _request: response  # noqa: E731
    for middleware in (XFrameOptionsMiddleware, CSPMiddleware, SecurityMiddleware, KnownHosts, TrustedProxies):
        answer = middleware(answer)
    return cast(HttpResponse, answer(request))


@lru_cache(maxsize=30)
def _with_notice(page: bytes, language: str, age: int, second: int, *, has_session: bool) -> tuple[bytes, bytes]:
    """The page with the notice, plain and compressed; both empty if it has no place for it.

    `age` is in seconds, `second` the time now, which the clocks on the page need. A hall asks for the same page many
    times a second.
    """
    before, place, after = page.partition(PLACE)
    if not place:
        return b"", b""
    with translation.override(language):
        context = {"age": age, "sent_at": str(1000 * second), "has_session": has_session}
        notice = render_to_string("_kept_page.html", context).encode()
    if has_session:
        before = before.replace(NOBODY, b"", 1)
    plain = before + place + notice + after
    return plain, gzip.compress(plain, 1, mtime=0)
