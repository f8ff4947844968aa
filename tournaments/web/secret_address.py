"""Response headers for pages whose address contains a secret."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase

View = Callable[..., HttpResponseBase]


def secret_address(view: View) -> View:
    """Decorate a view whose address contains a secret: keep it out of caches, search engines and referrers.

    The policy is `strict-origin` because with `no-referrer` browsers send `Origin: null` with a form, which the CSRF
    check has to refuse. Neither policy sends the path, which holds the secret.
    """

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = view(request, *args, **kwargs)
        response["Referrer-Policy"] = "strict-origin"
        response["Cache-Control"] = "no-store"
        response["X-Robots-Tag"] = "noindex"
        return response

    return guarded
