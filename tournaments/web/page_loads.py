"""Limit the pages a network address may load without an account, so that a scraper cannot slow the site for a hall.

No hall reaches the default: 2,500 phones behind one address, each loading a page or a part of one every five seconds,
make 30,000 requests a minute. Short peaks above that rate are left to `admission.py`. Only the GET and HEAD requests of
people who are not signed in are counted, in the memory of each process: this needs neither the database nor the cache.
The API has its own limits; static files and live streams never get here.
"""

import random
import threading
import time
from collections.abc import Callable
from functools import cache, lru_cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation

from tournaments.web.rate_limits import address_of
from tournaments.web.requests import htmx_of

SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}  # by the first letter of the unit
MOST_ADDRESSES = 100_000  # counted per period; further addresses are not limited until the next one
SPREAD = 10  # seconds over which refused clients come back


class Loads:
    """Page loads by network address: at most `limit` of them in each period of `seconds`."""

    def __init__(self, limit: int, seconds: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.limit = limit
        self.seconds = seconds
        self._clock = clock
        self._period = -1
        self._counts: dict[str, int] = {}
        self._lock = threading.Lock()

    def wait(self, address: str) -> int:
        """Count one page load. Returns 0, or, if it is over the limit, the seconds until the next period."""
        moment = self._clock()
        period = int(moment // self.seconds)
        with self._lock:
            if period != self._period:
                self._period, self._counts = period, {}
            count = self._counts.get(address, 0) + 1
            # When the table is full, addresses that are in it are still counted: a scraper among them stays limited.
            if count > 1 or len(self._counts) < MOST_ADDRESSES:
                self._counts[address] = count
        return 0 if count <= self.limit else int((period + 1) * self.seconds - moment) + 1

    @classmethod
    def of(cls, rate: str) -> "Loads":
        """Build it from a setting such as `30000/min`."""
        number, _slash, unit = rate.partition("/")
        return cls(int(number), SECONDS[unit[0]])


class PageLoadMiddleware:
    """Answer 429 beyond the `PAGE_LOADS` setting, with a page that reloads itself.

    It needs `request.user`, so it comes after Django's authentication middleware.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.loads = Loads.of(settings.PAGE_LOADS)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request, or say how long to wait."""
        if is_counted(request):
            wait = self.loads.wait(address_of(request))
            if wait:
                return refused(request, wait + random.randrange(SPREAD))  # noqa: S311 - spreads the retries
        return self.get_response(request)


def is_counted(request: HttpRequest) -> bool:
    """Whether a request counts as a page load: a GET or HEAD by somebody who is not signed in.

    The sign-in page does not count: signing in is the way out for a reader who is over the limit.
    """
    path = request.path
    if request.method not in ("GET", "HEAD") or path.startswith("/api/") or path in _free():
        return False
    return not request.user.is_authenticated


@cache
def _free() -> frozenset[str]:
    return frozenset({"/healthz", "/metrics", reverse("web:sign_in")})


def refused(request: HttpRequest, wait: int) -> HttpResponse:
    """Answer 429 with `Retry-After`. A part of a page that refreshes itself stays as it is and tries again later."""
    answer = HttpResponse(status=429)
    if htmx_of(request):
        answer["HX-Reswap"] = "none"
    else:
        answer.content = refusal_page(translation.get_language(), wait)
    answer["Retry-After"] = str(wait)
    answer["Cache-Control"] = "no-store"
    return answer


@lru_cache(maxsize=300)
def refusal_page(language: str, wait: int) -> bytes:
    """Render the "too many requests" page, which reloads itself after `wait` seconds."""
    with translation.override(language):
        return render_to_string("429.html", {"wait": wait, "sign_in": reverse("web:sign_in")}).encode()
