"""Ends requests for a host that is not in `ALLOWED_HOSTS`, without logging them: scanners send them all day."""

from collections.abc import Callable

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest

SENTENCE = "This site does not answer under this name.\n"


class KnownHosts:
    """Middleware that answers 400 if the `Host` header is not ours. It renders no page and logs nothing."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass the request on, or answer 400."""
        try:
            request.get_host()
        except DisallowedHost:
            response = HttpResponseBadRequest(SENTENCE, content_type="text/plain")
            response._has_been_logged = True  # type: ignore[attr-defined]  # or Django logs a warning
            return response
        return self.get_response(request)
