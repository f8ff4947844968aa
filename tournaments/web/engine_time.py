"""A bound for what the engine computes in one request: two seconds of processor time. Jobs have none."""

import time
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

import engine
from tournaments.common.refusals import Refusal

MOST = 2.0  # seconds of processor time of the thread, counted from the first time that the engine asks


class EngineTimeMiddleware:
    """Refuse (`engine_takes_long`) what the engine cannot work out in that time. Waiting does not count."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with engine.asking(_bound()):
            return self.get_response(request)


def _bound() -> Callable[[], None]:
    begun: float | None = None

    def ask() -> None:
        nonlocal begun
        now = time.thread_time()
        begun = now if begun is None else begun
        if now - begun > MOST:
            raise Refusal(
                "engine_takes_long",
                _("This takes too long to work out here. Upload the log of the game: it is checked in the background."),
            )

    return ask
