"""Django's error handlers: 503 for an outage that will pass (see `common.outages`), else the usual error pages."""

import logging
import re
import sys
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseServerError, JsonResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views import defaults

from tournaments.common import request_ids
from tournaments.common.outages import Outage, outage_of
from tournaments.web.middleware import refused
from tournaments.web.rate_limits import TooMany

logger = logging.getLogger(__name__)
_PERSONAL = re.compile(
    r"/(?P<kind>seat|team|join|claim|invitation|entry-invitation|link|reset|address|letters|feed)(?:/|$)"
)
"""Addresses that begin so are those of links that somebody was given; the rest of each holds a secret."""
_OF_ACCOUNTS = ("link", "reset", "address", "letters", "feed")  # the others are given out by an event
PLAIN = '<!DOCTYPE html><html lang="en"><title>Arbitre</title><h1>Something went wrong</h1><p>Request {}</p>\n'
MOST_WAITED = 600  # seconds: the longest period among allauth's limits in the settings


def failed(request: HttpRequest, *_args: Any, **_more: Any) -> HttpResponse:
    """Django's `handler500`: 503 if the exception is an outage, else 500. It makes no database query."""
    outage = outage_of(sys.exc_info()[1])
    if outage is not None:
        return _out(request, outage)
    if request.path.startswith("/api/"):
        problem = _("Something went wrong. The error has been logged.")
        return _problem(500, "Internal Server Error", "server_error", problem, request=request_ids.current())
    return HttpResponseServerError(_page_of_a_bug())


def _page_of_a_bug() -> str:
    """The page for a 500, with the id of the request; a plain one if the template fails too."""
    try:
        # Rendered without the request: a context processor may be the very thing that failed.
        return render_to_string("500.html", {"request_id": request_ids.current()})
    except Exception:
        logger.exception("the error page could not be rendered")
        return PLAIN.format(request_ids.current())


def not_readable(request: HttpRequest, exception: Exception, *_args: Any, **_more: Any) -> HttpResponse:
    """Django's `handler400`: 503 if an outage is behind it, else 400."""
    # A session that could not be saved also ends as a 400, even if the database is down: look at what caused it.
    cause: BaseException | None = exception
    while cause is not None:
        outage = outage_of(cause)
        if outage is not None:
            return _out(request, outage)
        cause = cause.__cause__ or cause.__context__
    # A form that cannot be read is not read again: the page of the error would fail for the same reason.
    request._mark_post_parse_error()  # type: ignore[attr-defined]
    return defaults.bad_request(request, exception)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's `handler404`: of a personal link it says that it was replaced or is incomplete, whatever it was for.

    An address of the API that leads to no operation is answered as the API does.
    """
    if request.path_info.startswith("/api/"):
        return _problem(404, "Not Found", "not_found", _("There is nothing at this address."))
    kind = _PERSONAL.match(request.path_info)
    if kind is None:
        return defaults.page_not_found(request, exception)
    response = HttpResponse(
        render_to_string("404_link.html", {"of_account": kind["kind"] in _OF_ACCOUNTS}, request), status=404
    )
    response["Cache-Control"] = "no-store"
    response["Referrer-Policy"] = "strict-origin"
    return response


def too_many(request: HttpRequest) -> HttpResponse:
    """The answer to a request that is over one of allauth's limits: 429."""
    refusal = TooMany("too_many_attempts", _("Too many attempts. Wait a while, then try again."), wait=MOST_WAITED)
    return refused(request, refusal)


def _out(request: HttpRequest, outage: Outage) -> HttpResponse:
    logger.error("%s on %s", outage.code, request.path)
    response = _out_of_api(outage) if request.path.startswith("/api/") else unavailable(request, outage)
    response._has_been_logged = True  # type: ignore[attr-defined]  # else Django logs it again, as a server error
    return response


def unavailable(request: HttpRequest, outage: Outage) -> HttpResponse:
    """Answer 503 with `Retry-After`: a page that reloads itself, or the submitted form, ready to be sent again."""
    safe = request.method in ("GET", "HEAD")
    context = {"refusal": outage, "wait": outage.wait, "safe": safe, "path": request.get_full_path()}
    context["request_id"] = request_ids.current()
    if getattr(request, "htmx", False):
        response = HttpResponse(render_to_string("_refusal.html", context), status=503)
        response["HX-Retarget"] = "#messages"
    else:
        context["fields"] = [] if safe else _fields(request)
        # Rendered without the request: the context processors and the page shell may query the database.
        response = HttpResponse(render_to_string("unavailable.html", context), status=503)
    response["Retry-After"] = str(outage.wait)
    response["Cache-Control"] = "no-store"
    return response


def _out_of_api(outage: Outage) -> HttpResponse:
    """The same for API requests that failed before they reached a view."""
    answer = _problem(outage.status, "Service Unavailable", outage.code, str(outage.message))
    answer["Retry-After"] = str(outage.wait)
    return answer


def _problem(status: int, title: str, code: str, detail: str, *, request: str = "") -> HttpResponse:
    """Problem JSON, as `api.problems` makes it for requests that reach a view."""
    content = {"type": "about:blank", "title": title, "status": status, "code": code, "detail": detail, "details": []}
    content |= {"request": request} if request else {}
    return JsonResponse(content, status=status, content_type="application/problem+json")


def _fields(request: HttpRequest) -> list[tuple[str, str]]:
    """The submitted fields, so that the reader can send them again; none if there is a password or a file."""
    try:
        sent = request.POST
        whole = not request.FILES and not any("password" in name for name in sent)
    except Exception:  # reading the form may be the very thing that failed
        return []
    return [(name, value) for name, values in sent.lists() for value in values] if whole else []
