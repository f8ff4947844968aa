"""Requests as views get them, for annotations: what the middleware has added, and who has signed in."""

from collections.abc import Mapping
from typing import cast

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from tournaments.accounts.models import User
from tournaments.web.live.positions import Position


class PageRequest(HttpRequest):
    """A request with what the middleware of pages and `web.shared` may set on it.

    - `htmx`: what htmx says about the request; false for one that the browser made itself
    - `event_zone`, `live_since`: set on the pages of an event only
    - `is_shared`, `leaves_blanks`: set while a page is rendered for a whole audience
    """

    htmx: HtmxDetails
    event_zone: str
    live_since: Mapping[str, Position]
    is_shared: bool
    leaves_blanks: bool


class SignedInRequest(PageRequest):
    """A request of a signed-in account: what a view under `login_required` gets."""

    user: User


def htmx_of(request: HttpRequest) -> HtmxDetails:
    """What htmx says about a request; false for one that the browser made itself."""
    return cast(PageRequest, request).htmx
