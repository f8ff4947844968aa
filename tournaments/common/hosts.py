"""Requests under a name that is not ours (`ALLOWED_HOSTS`) end here, quietly: scanners send them all day."""

from collections.abc import Callable

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest

SENTENCE = "This site does not answer under this name.\n"


class KnownHosts:
    """Answers 400 where the `Host` of a request is none of ours: no page is made, and nothing is logged."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass the request on, or end it."""
        try:
            request.get_host()
        except DisallowedHost:
            response = HttpResponseBadRequest(SENTENCE, content_type="text/plain")
            response._has_been_logged = True  # type: ignore[attr-defined]  # else Django warns of each
            return response
        return self.get_response(request)
