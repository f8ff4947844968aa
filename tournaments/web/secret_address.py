"""Addresses that hold a secret."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse

View = Callable[..., HttpResponse]


def secret_address(view: View) -> View:
    """Keep an address that holds a secret out of caches, indexes and the referrer of what follows it.

    `strict-origin` and not `no-referrer`: under the latter browsers send `Origin: null` with the form, which the
    check against forged requests must refuse. The path, and with it the secret, is sent to nobody either way.
    """

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        response["Referrer-Policy"] = "strict-origin"
        response["Cache-Control"] = "no-store"
        response["X-Robots-Tag"] = "noindex"
        return response

    return guarded
