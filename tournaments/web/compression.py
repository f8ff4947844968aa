"""Compresses what is text on its way out, on every installation: a hall shares one access point."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

TEXT = ("text/", "application/json", "application/javascript", "application/x-ndjson", "application/schema+json")
PICTURES = ("image/svg+xml",)


class CompressionMiddleware(GZipMiddleware):
    """Send text compressed to browsers that accept it; photos, paper and archives are compressed already.

    Every page has a random number of bytes in its head, as Django's middleware adds them, and a form token that is
    masked anew: the length of an answer says nothing about the secrets in it (BREACH). Live streams never come here:
    they are answered before Django.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Compress a text of more than 200 bytes; leave everything else as it is."""
        kind = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        if not kind.startswith((*TEXT, *PICTURES)) or kind == "text/event-stream":
            return response
        return super().process_response(request, response)
