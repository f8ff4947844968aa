"""Middleware of the pages.

- `AddressMiddleware` answers 404 for addresses that the database cannot look up, and redirects those of copied links.
- `ReadingMiddleware` caches what one page reads several times.
- `LiveSinceMiddleware` notes the position from which the page's live stream starts.
- `ConfidentialMiddleware` keeps pages for staff out of caches.
- `RefusalMiddleware` turns refusals into responses, and applies the language of a signed-in account.
- `PostAddressMiddleware` redirects a GET on an address that only takes a POST.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import is_valid_path
from django.utils import translation
from django.utils.translation import gettext as _

from tournaments.accounts.guardianship import allow
from tournaments.common import confidential
from tournaments.common.reading import note_ledger_number, reading
from tournaments.common.refusals import Refusal
from tournaments.play.models import Match
from tournaments.web.answers import wants_fragment, way_back
from tournaments.web.live.positions import positions
from tournaments.web.post_addresses import page_of
from tournaments.web.rate_limits import TooMany
from tournaments.web.requests import PageRequest

NUL = "\x00"
MOST = 2**63 - 1
"""The largest integer of both databases."""


class ReadingMiddleware:
    """Let a GET or HEAD request read each thing only once: see `common.reading`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method not in ("GET", "HEAD"):
            return self.get_response(request)
        with reading():
            return self.get_response(request)


class ConfidentialMiddleware:
    """Let browsers keep no copy of an answer that only staff may read: after they sign out, *Back* shows nothing."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with confidential.answering():
            response = self.get_response(request)
            if confidential.is_marked():
                response.headers.setdefault("Cache-Control", "no-store")
            return response


AFTER_LINKS = ".,;:!?)>]}\"'”’»"  # what is copied together with the link of an e-mail


class AddressMiddleware:
    """Answer 404 for an address that no database can look up, and redirect one with punctuation copied after it.

    PostgreSQL takes no NUL in text, and neither database takes an integer of more than 64 bits.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        path = request.path_info
        meant = f"{path.rstrip(AFTER_LINKS + '/')}/"
        if request.method in ("GET", "HEAD") and path.rstrip("/") != meant.rstrip("/") and is_valid_path(meant):
            return redirect(meant + (f"?{request.META['QUERY_STRING']}" if request.META.get("QUERY_STRING") else ""))
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> None:
        """Look at the parameters of the address, before anything looks them up."""
        if NUL in request.path_info or any(isinstance(value, int) and value > MOST for value in kwargs.values()):
            raise Http404


class LiveSinceMiddleware:
    """Set `request.live_since`, the position of the page's event, before the view reads anything.

    The page's live stream starts from there. If the position were read later, a change made between the view's queries
    and the rendering would never reach the page.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: PageRequest, view: Callable[..., HttpResponse], args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> None:
        """Read the position of the event that the address names, directly or by one of its matches."""
        if request.method != "GET" or request.path.startswith("/api/") or wants_fragment(request):
            return
        if "event_id" in kwargs:
            request.live_since = positions([kwargs["event_id"]])
            for event_id, position in request.live_since.items():
                note_ledger_number(event_id, position.number)
        elif "match_id" in kwargs:
            matches = Match.objects.filter(public_id=kwargs["match_id"])
            request.live_since = positions(matches.values_list("round__stage__event__public_id", flat=True))


OWN_BUSINESS = frozenset({
    "sign_in", "sign_up", "sign_out", "link", "reset_ask", "reset", "address", "guardian", "set_language", "set_theme",
    "account_guardian", "account_address", "account_confirm", "account_erase", "account_name", "account_stream",
    "browser_end", "browsers_end", "provider_disconnect", "token_revoke", "guide_read", "guides_again",
})  # fmt: skip
"""The pages that a child's account may use before its guardian has consented: they change nothing but the account."""


class RefusalMiddleware:
    """Turn a `Refusal` that a view did not handle into a response with its message, code and status.

    An htmx request gets only a fragment, targeted at the messages region, so that what the user typed stays; any other
    request gets a page. A 404 in an htmx request is answered the same way.

    Also activates the language that the signed-in account chose: it takes precedence over the cookie and the browser.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        chosen = request.user.page_language if request.user.is_authenticated else ""
        if chosen and chosen != translation.get_language():
            translation.activate(chosen)
            request.LANGUAGE_CODE = translation.get_language()
        response = self._not_readable(request) or self.get_response(request)
        if request.user.is_authenticated:
            # LocaleMiddleware set this header before the account was known.
            response.headers["Content-Language"] = translation.get_language()
        return response

    def _not_readable(self, request: HttpRequest) -> HttpResponse | None:
        """Refuse a form that is too large, and a query or form with a NUL in it; None for any other.

        This has to happen before the CSRF check, which reads the form too and would fail without saying why.
        """
        if request.path.startswith("/api/"):
            return None
        try:
            sent = (request.GET, request.POST) if request.method == "POST" else (request.GET,)
        except RequestDataTooBig:
            return refused(request, _too_large())
        return refused(request, _nul()) if any(map(_has_nul, sent)) else None

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> HttpResponse | None:
        """Refuse whatever a child's account does before its guardian has consented, but for what is `OWN_BUSINESS`."""
        if request.method in ("GET", "HEAD") or request.path.startswith("/api/") or not request.user.is_authenticated:
            return None
        found = request.resolver_match
        if found is None or found.url_name in OWN_BUSINESS or not found.namespaces:
            return None  # the pages of allauth, about signing in, have no namespace
        try:
            allow(request.user)
        except Refusal as refusal:
            return refused(request, refusal)
        return None

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Answer refusals; leave any other exception to Django."""
        if request.path.startswith("/api/"):
            return None
        if isinstance(exception, Refusal):
            return refused(request, exception)
        if isinstance(exception, Http404) and getattr(request, "htmx", False):
            return refused(request, _not_found())
        return None


class PostAddressMiddleware:
    """Redirect a GET on an address that only takes a POST to the page it belongs to; the API answers 405.

    Such a GET is an ordinary thing: browsers send it after signing in, on reload, or from a bookmark.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request; redirect it if the method was wrong."""
        response = self.get_response(request)
        wrong = response.status_code == 405 and request.method in ("GET", "HEAD")
        if not wrong or request.path.startswith("/api/") or request.resolver_match is None:
            return response
        return redirect(page_of(request, request.resolver_match))


def refused(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    """The response to a refused request: a fragment for htmx, else a page."""
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


def _has_nul(sent: QueryDict) -> bool:
    return any(NUL in value for name, values in sent.lists() for value in (name, *values))


def _nul() -> Refusal:
    refusal = Refusal("nul", _("The text contains the character NUL, which cannot be saved. Remove it and try again."))
    refusal.status = 400
    return refusal


def _not_found() -> Refusal:
    refusal = Refusal("not_found", _("This page does not exist, or you do not have access to it."))
    refusal.status = 404
    return refusal


def _too_large() -> Refusal:
    refusal = Refusal("too_large", _("The request is too large."))
    refusal.status = 413
    return refusal
