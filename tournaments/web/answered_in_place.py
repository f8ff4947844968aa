"""Answer a form with the page that it leads to, where that page is open already: one request instead of two.

The script that sends the form (`offline.js`) names the page that it shows. If the form leads back to it, the answer is
what that page shows of itself when it refreshes, and no redirect to it. Any other browser is redirected as usual.
"""

from collections.abc import Callable
from copy import copy
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

from django.contrib.messages import get_messages
from django.http import HttpResponse, QueryDict
from django.urls import get_script_prefix, resolve
from django_htmx.middleware import HtmxDetails

from tournaments.common.reading import reading
from tournaments.web.requests import SignedInRequest

SHOWN = "X-Shown-Page"
"""The header with the path and query of the page that the form was sent from."""
ACCOUNT = "X-Account"
"""The header of the answer that says whose page it is: another account may have signed in since the page was loaded."""
View = Callable[..., HttpResponse]


def answered_in_place(view: View) -> View:
    """Decorate a view that redirects after a POST. Apply it outside `accepted_once`, so that nothing stays locked."""

    @wraps(view)
    def answered(request: SignedInRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        shown = request.headers.get(SHOWN, "")
        # A part of a page has no room for messages.
        if not shown or response.get("Location") != shown or len(get_messages(request)):
            return response
        return _part_of(request, shown)

    return answered


def _part_of(request: SignedInRequest, address: str) -> HttpResponse:
    """What a page of this site shows of itself when it refreshes."""
    path, query = urlsplit(address)[2:4]
    found = resolve(f"/{path.removeprefix(get_script_prefix())}")
    with reading():  # as for any GET
        response: HttpResponse = found.func(_get(request, path, query), *found.args, **found.kwargs)
    response[ACCOUNT] = request.user.public_id
    return response


def _get(request: SignedInRequest, path: str, query: str) -> SignedInRequest:
    """The request with which the same reader's browser would refresh that page."""
    got = copy(request)
    got.method, got.path, got.path_info = "GET", path, f"/{path.removeprefix(get_script_prefix())}"
    got.GET, got.POST = QueryDict(query), QueryDict()
    got.META = {**request.META, "REQUEST_METHOD": "GET", "QUERY_STRING": query, "HTTP_HX_REQUEST": "true"}
    got.__dict__.pop("headers", None)  # kept from the form's request
    got.__dict__.pop("live_since", None)
    got.htmx = HtmxDetails(got)
    return got
