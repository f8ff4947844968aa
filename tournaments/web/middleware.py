"""Turns refusals into answers, and lets a signed-in account's language win over cookie and browser."""

from collections.abc import Callable

from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.translation import gettext as _

from tournaments.common.refusals import Refusal
from tournaments.web.answers import way_back
from tournaments.web.brakes import TooMany


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
