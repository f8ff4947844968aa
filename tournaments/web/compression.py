"""Middleware that compresses text responses, on every installation, because a whole hall shares one access point."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

TEXT = ("text/", "application/json", "application/javascript", "application/x-ndjson", "application/schema+json")
PICTURES = ("image/svg+xml",)


class CompressionMiddleware(GZipMiddleware):
    """Compress text for browsers that accept it. Photos, PDFs and archives are compressed already.

    Against BREACH, where the length of a compressed response reveals the secrets in it: Django's middleware adds a
    random number of bytes to the gzip header, and the CSRF token is masked anew for every page. Live streams never
    reach this middleware: they are answered before Django.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Compress text of 200 bytes or more; leave every other response unchanged."""
        kind = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        if not kind.startswith((*TEXT, *PICTURES)) or kind == "text/event-stream":
            return response
        return super().process_response(request, response)
