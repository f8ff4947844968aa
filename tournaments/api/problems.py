"""Error responses as `application/problem+json` (RFC 9457): type, title, status, code, detail, details."""

import logging
import sys
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.core.signals import got_request_exception
from django.http import Http404, UnreadablePostError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from rest_framework import exceptions
from rest_framework.response import Response

from tournaments.common import request_ids
from tournaments.common.outages import Outage, outage_of
from tournaments.common.refusals import Refusal

MEDIA_TYPE = "application/problem+json"
logger = logging.getLogger(__name__)
# Messages of Django REST framework that our own translations replace: it lacks some, others are hard to understand.
OF_FRAMEWORK = (
    gettext_noop("This field is required."),
    gettext_noop("This field may not be null."),
    gettext_noop("This field may not be blank."),
    gettext_noop("Must be a valid boolean."),
    gettext_noop("Not a valid string."),
    gettext_noop("Must be a valid UUID."),
    gettext_noop("A valid integer is required."),
    gettext_noop("A valid number is required."),
    gettext_noop("Ensure this value is less than or equal to {max_value}."),
    gettext_noop("Ensure this value is greater than or equal to {min_value}."),
    gettext_noop("Ensure this field has no more than {max_length} characters."),
    gettext_noop("Ensure this field has at least {min_length} characters."),
    gettext_noop("Ensure this field has no more than {max_length} elements."),
    gettext_noop("Ensure this field has at least {min_length} elements."),
    gettext_noop('"{input}" is not a valid choice.'),
    gettext_noop('Expected a list of items but got type "{input_type}".'),
    gettext_noop('Expected a dictionary of items but got type "{input_type}".'),
    gettext_noop("Invalid data. Expected a dictionary, but got {datatype}."),
    gettext_noop("This list may not be empty."),
    gettext_noop("This dictionary may not be empty."),
    gettext_noop("Datetime has wrong format. Use one of these formats instead: {format}."),
    gettext_noop("Datetime value out of range."),
    gettext_noop("Date has wrong format. Use one of these formats instead: {format}."),
    gettext_noop('Invalid datetime for the timezone "{timezone}".'),
    gettext_noop("Surrogate characters are not allowed: U+{code_point:X}."),
    gettext_noop("Authentication credentials were not provided."),
    gettext_noop('Method "{method}" not allowed.'),
    gettext_noop('Unsupported media type "{media_type}" in request.'),
    gettext_noop("Malformed request."),
)


def problem(status: int, code: str, detail: object, details: list[Any] | None = None) -> Response:
    """Return a refusal as a response.

    `title` is the HTTP status in words; `code` is what clients act on, `detail` the message for people, and `details`
    has one entry per fault.
    """
    content = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "code": code,
        "detail": str(detail),
        "details": details or [],
    }
    return Response(content, status=status, content_type=MEDIA_TYPE)


def handle(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """Return the response to an exception. This is DRF's `EXCEPTION_HANDLER`.

    A bug is logged and gets a 500 without its traceback. Under DEBUG None is returned, so that Django shows the
    traceback.
    """
    outage = outage_of(error)
    if outage is not None:
        return _outage(error, outage)
    if isinstance(error, Refusal):
        return problem(error.status, error.code, error.message, error.details)
    if isinstance(error, Http404):
        return problem(404, "not_found", _("There is nothing at this address."))
    if isinstance(error, PermissionDenied):
        return problem(403, "permission_denied", _("This is not allowed."))
    if isinstance(error, RequestDataTooBig):
        return problem(413, "too_large", _("The request is too large."))
    if isinstance(error, UnreadablePostError):
        return problem(400, "malformed", _("The request was cut short."))
    if isinstance(error, exceptions.APIException):
        return _framework(error)
    return _bug(error, context)


def _outage(error: Exception, outage: Outage) -> Response:
    """503 with `Retry-After`: nothing is wrong with the request, and the outage will pass."""
    logger.error("%s: %s in the API", outage.code, type(error).__name__)
    answer = problem(outage.status, outage.code, outage.message)
    answer["Retry-After"] = str(outage.wait)
    return answer


def _framework(error: exceptions.APIException) -> Response:
    """Refusals of Django REST framework itself: authentication, validation, throttling, media types."""
    if isinstance(error, exceptions.ValidationError):
        return problem(422, "invalid", _("Some fields are not valid."), list(_faults(error.detail)))
    codes = {exceptions.ParseError: "malformed", exceptions.Throttled: "throttled", exceptions.NotFound: "not_found"}
    code = codes.get(type(error)) or str(getattr(error.detail, "code", error.default_code))
    answer = problem(error.status_code, code, error.detail)
    if header := getattr(error, "auth_header", None):
        answer["WWW-Authenticate"] = header
    if wait := getattr(error, "wait", None):
        answer["Retry-After"] = str(int(wait) + 1)  # rounded up: a retry a fraction early would be refused
    return answer


def _faults(detail: Any, path: str = "") -> Iterator[dict[str, str]]:
    """Yield each fault with its field: `{"field": "games[1]", "code": "max_value", "message": "…"}`."""
    if isinstance(detail, Mapping):
        for key, inner in detail.items():
            if key == "non_field_errors":
                yield from _faults(inner, path)
            elif isinstance(key, int):
                yield from _faults(inner, f"{path}[{key}]")
            else:
                yield from _faults(inner, f"{path}.{key}" if path else str(key))
    elif isinstance(detail, list | tuple):
        for inner in detail:
            yield from _faults(inner, path)
    else:
        yield {"field": path, "code": getattr(detail, "code", "invalid"), "message": str(detail)}


def _bug(error: Exception, context: Mapping[str, Any]) -> Response | None:
    if settings.DEBUG:
        return None
    request = context.get("request")
    logger.error("the API failed on %s", getattr(request, "path", "?"), exc_info=error)
    # Django's own handler sends this signal: without it, error monitoring and the test client would miss the bug.
    if sys.exc_info()[0] is not None:
        got_request_exception.send(sender=None, request=getattr(request, "_request", None))
    answer = problem(500, "server_error", _("Something went wrong. The error has been logged."))
    if request_ids.current():
        answer.data["request"] = request_ids.current()
    return answer
