"""How views answer: the whole page, or the fragment alone when htmx asks for it; and where to go back to."""

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.http import url_has_allowed_host_and_scheme

from tournaments.events.models import Entrant


def show(
    request: HttpRequest, template: str, context: dict[str, Any], *, fragment: str = "", status: int = 200
) -> HttpResponse:
    """Render `template`, or `fragment` when htmx refreshes a part of the page."""
    part = bool(fragment) and wants_fragment(request)
    response = render(request, fragment if part else template, context, status=status)
    if fragment:
        patch_vary_headers(response, ["HX-Request"])
    return response


def ids_of(entrants: Iterable[Entrant]) -> str:
    """The public ids of the reader's own entrants, as a page tells them to its script, which marks their lines."""
    return " ".join(entrant.public_id for entrant in entrants)


def wants_fragment(request: HttpRequest) -> bool:
    """Whether htmx refreshes a part of the page. A boosted form gets whole pages, as the browser would."""
    return bool(request.htmx) and not request.htmx.boosted


def way_back(request: HttpRequest) -> str:
    """The path of the page that the person came from, `/` if that page is not ours."""
    referrer = request.META.get("HTTP_REFERER", "")
    here = f"{request.scheme}://{request.get_host()}/"
    if not referrer.startswith(here):
        return "/"
    path = referrer[len(here) - 1 :]
    # A browser reads `//host` and `/\host` as another host.
    return path if url_has_allowed_host_and_scheme(path, allowed_hosts=None) else "/"


def safe_next(request: HttpRequest, default: str) -> str:
    """The `next` of a form or an address, if it is a page of ours."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    ours = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if ours else default
