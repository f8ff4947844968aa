"""How many pages a network address may load without an account, so that one scraper does not slow the site for a hall.

The default is what no hall reaches: 2,500 phones behind one address, each asking for a page or a part of one every five
seconds, are 30,000 a minute. Short peaks above that pace are the business of `admission.py`. Counted are the GET and
HEAD requests of people who are not signed in, in the memory of each process: no database and no cache is asked. The API
has limits of its own; static files and live streams never come here.
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

from tournaments.web.brakes import address_of

SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}  # by the first letter of the unit
MOST_ADDRESSES = 100_000  # counted at once; those that come on top are not counted until the next period
SPREAD = 10  # seconds over which those who were refused come back


class Loads:
    """Page loads of each address in the present period: `limit` of them, then none until the next begins."""

    def __init__(self, limit: int, seconds: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.limit = limit
        self.seconds = seconds
        self._clock = clock
        self._period = -1
        self._counts: dict[str, int] = {}
        self._lock = threading.Lock()

    def wait(self, address: str) -> int:
        """Count one load; the seconds until the next period where it is one too many, else 0."""
        moment = self._clock()
        period = int(moment // self.seconds)
        with self._lock:
            if period != self._period:
                self._period, self._counts = period, {}
            count = self._counts.get(address, 0) + 1
            if count > 1 or len(self._counts) < MOST_ADDRESSES:
                self._counts[address] = count
        return 0 if count <= self.limit else int((period + 1) * self.seconds - moment) + 1

    @classmethod
    def of(cls, rate: str) -> "Loads":
        """From a setting, such as `30000/min`."""
        number, _slash, unit = rate.partition("/")
        return cls(int(number), SECONDS[unit[0]])


class PageLoadMiddleware:
    """Answers 429 beyond `PAGE_LOADS`, with a page that loads itself again. It stands below the authentication."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.loads = Loads.of(settings.PAGE_LOADS)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request, or say how long to wait."""
        if is_counted(request):
            wait = self.loads.wait(address_of(request))
            if wait:
                return refused(request, wait + random.randrange(SPREAD))  # noqa: S311 - no secret, only a spread
        return self.get_response(request)


def is_counted(request: HttpRequest) -> bool:
    """Whether a request is a page load of somebody who is not signed in. Signing in is the way on, so it is free."""
    path = request.path
    if request.method not in ("GET", "HEAD") or path.startswith("/api/") or path in _free():
        return False
    return not request.user.is_authenticated


@cache
def _free() -> frozenset[str]:
    return frozenset({"/healthz", reverse("web:sign_in")})


def refused(request: HttpRequest, wait: int) -> HttpResponse:
    """429 with `Retry-After`. A part of a page that asks for itself stays as it is, and asks again later."""
    answer = HttpResponse(status=429)
    if request.htmx:
        answer["HX-Reswap"] = "none"
    else:
        answer.content = refusal_page(translation.get_language(), wait)
    answer["Retry-After"] = str(wait)
    answer["Cache-Control"] = "no-store"
    return answer


@lru_cache(maxsize=300)
def refusal_page(language: str, wait: int) -> bytes:
    """The page that says so, and loads itself again after `wait` seconds."""
    with translation.override(language):
        return render_to_string("429.html", {"wait": wait, "sign_in": reverse("web:sign_in")}).encode()
