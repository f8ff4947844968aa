"""Turns refusals into answers, lets a signed-in account's language win over cookie and browser, and sends a GET on an
address that takes a POST to its page.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _

from tournaments.common.reading import reading, stands_at
from tournaments.common.refusals import Refusal
from tournaments.play.models import Match
from tournaments.web.answers import wants_fragment, way_back
from tournaments.web.brakes import TooMany
from tournaments.web.live.positions import positions
from tournaments.web.post_addresses import page_of


class ReadingMiddleware:
    """What a page asks for several times is read once, while it is only read: see `common.reading`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method not in ("GET", "HEAD"):
            return self.get_response(request)
        with reading():
            return self.get_response(request)


class LiveSinceMiddleware:
    """Notes where the event of a page stands before the view reads it: its live stream tells what has moved since.

    Read any later, what happens between the view's reading and the page's rendering would never be told.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> None:
        """Read the position of the event, or of the match's event, that the address names."""
        if request.method != "GET" or request.path.startswith("/api/") or wants_fragment(request):
            return
        if "event_id" in kwargs:
            request.live_since = positions([kwargs["event_id"]])
            for event_id, position in request.live_since.items():
                stands_at(event_id, position.number)
        elif "match_id" in kwargs:
            matches = Match.objects.filter(public_id=kwargs["match_id"])
            request.live_since = positions(matches.values_list("round__stage__event__public_id"))


class RefusalMiddleware:
    """A `Refusal` that a view did not handle becomes an answer with its sentence, its code and its status.

    An htmx request gets the fragment alone, aimed at the messages region, so that what was typed stays; anything
    else gets a page. A 404 inside an htmx request is answered the same way.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.user.is_authenticated and request.user.language != translation.get_language():
            translation.activate(request.user.language)
            request.LANGUAGE_CODE = translation.get_language()
        response = self._too_large(request) or self.get_response(request)
        if request.user.is_authenticated:
            # LocaleMiddleware noted the language before the account was known.
            response.headers["Content-Language"] = translation.get_language()
        return response

    def _too_large(self, request: HttpRequest) -> HttpResponse | None:
        """A form that is too large is refused here: the check against forgery would read it next, and only fail."""
        if request.method != "POST" or request.path.startswith("/api/"):
            return None
        try:
            request.POST  # noqa: B018 - reading it is what finds out
        except RequestDataTooBig:
            return refused(request, _too_large())
        return None

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Answer refusals; anything else is not ours."""
        if request.path.startswith("/api/"):
            return None
        if isinstance(exception, Refusal):
            return refused(request, exception)
        if isinstance(exception, Http404) and getattr(request, "htmx", False):
            return refused(request, _not_found())
        return None


class PostAddressMiddleware:
    """Sends a GET on an address that only takes a POST to its page; the API answers 405.

    Such a GET is nobody's fault: the browser comes back so after signing in, by "reload", or from a bookmark.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request, and redirect where it came by the wrong method."""
        response = self.get_response(request)
        wrong = response.status_code == 405 and request.method in ("GET", "HEAD")
        if not wrong or request.path.startswith("/api/") or request.resolver_match is None:
            return response
        return redirect(page_of(request, request.resolver_match))


def refused(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    """The answer to a refused request."""
    context = {"refusal": refusal, "back": way_back(request)}
    part = bool(getattr(request, "htmx", False))
    response = render(request, "_refusal.html" if part else "refusal.html", context, status=refusal.status)
    if isinstance(refusal, TooMany):
        response["Retry-After"] = str(refusal.wait)
    if not part:
        return response
    response["HX-Retarget"] = "#messages"
    response["HX-Reswap"] = "innerHTML show:#messages:top"
    response["HX-Reselect"] = ".notice"
    response["HX-Push-Url"] = "false"
    return response


def _not_found() -> Refusal:
    refusal = Refusal("not_found", _("This page does not exist, or not for you."))
    refusal.status = 404
    return refusal


def _too_large() -> Refusal:
    refusal = Refusal("too_large", _("The request is too large."))
    refusal.status = 413
    return refusal
