"""What a page answers when something failed: 503 for what passes by itself, else the page of a fault of ours."""

import logging
import sys
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.views import defaults

from tournaments.common.outages import Outage, outage_of

logger = logging.getLogger(__name__)


def failed(request: HttpRequest, *_args: Any, **_more: Any) -> HttpResponse:
    """Django's `handler500`: the answer to what was raised. It reads and writes nothing."""
    outage = outage_of(sys.exc_info()[1])
    return defaults.server_error(request) if outage is None else _out(request, outage)


def not_readable(request: HttpRequest, exception: Exception, *_args: Any, **_more: Any) -> HttpResponse:
    """Django's `handler400`. It says so too of a session that could not be saved, whatever the reason."""
    cause: BaseException | None = exception
    while cause is not None:
        outage = outage_of(cause)
        if outage is not None:
            return _out(request, outage)
        cause = cause.__cause__ or cause.__context__
    return defaults.bad_request(request, exception)


def _out(request: HttpRequest, outage: Outage) -> HttpResponse:
    logger.error("%s on %s", outage.code, request.path)
    response = _problem(outage) if request.path.startswith("/api/") else unavailable(request, outage)
    response._has_been_logged = True  # type: ignore[attr-defined]  # Django would log it again, as a fault of ours
    return response


def unavailable(request: HttpRequest, outage: Outage) -> HttpResponse:
    """503 with `Retry-After`: a page that loads itself again, or a form that can be sent again as it is."""
    safe = request.method in ("GET", "HEAD")
    context = {"refusal": outage, "wait": outage.wait, "safe": safe, "path": request.get_full_path()}
    if getattr(request, "htmx", False):
        response = HttpResponse(render_to_string("_refusal.html", context), status=503)
        response["HX-Retarget"] = "#messages"
    else:
        context["fields"] = [] if safe else _fields(request)
        # Without the request: what every page needs of it may have to be read first.
        response = HttpResponse(render_to_string("unavailable.html", context), status=503)
    response["Retry-After"] = str(outage.wait)
    response["Cache-Control"] = "no-store"
    return response


def _problem(outage: Outage) -> HttpResponse:
    """The same for the API, where it failed before a view of it was reached."""
    content = {
        "type": "about:blank",
        "title": "Service Unavailable",
        "status": outage.status,
        "code": outage.code,
        "detail": str(outage.message),
        "details": [],
    }
    answer = JsonResponse(content, status=outage.status, content_type="application/problem+json")
    answer["Retry-After"] = str(outage.wait)
    return answer


def _fields(request: HttpRequest) -> list[tuple[str, str]]:
    """What a form sent, to be sent again by its reader; no password comes back in a page, and no file."""
    try:
        sent = request.POST
        whole = not request.FILES and not any("password" in name for name in sent)
    except Exception:  # it was reading the form that failed
        return []
    return [(name, value) for name, values in sent.lists() for value in values] if whole else []
