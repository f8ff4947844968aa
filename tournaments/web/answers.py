"""Helpers for responses: render a whole page or only a fragment for htmx, and find a safe page to go back to."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language

from tournaments.web.requests import htmx_of


def show(
    request: HttpRequest, template: str, context: dict[str, Any], *, fragment: str = "", status: int = 200
) -> HttpResponse:
    """Render `template`, or only `fragment` when htmx refreshes a part of the page.

    Sets `Vary: HX-Request` if there is a fragment, because both come from the same address.
    """
    part = bool(fragment) and wants_fragment(request)
    response = render(request, fragment if part else template, context, status=status)
    if fragment:
        patch_vary_headers(response, ["HX-Request"])
    return response


def wants_fragment(request: HttpRequest) -> bool:
    """Whether htmx is refreshing a part of the page. Boosted forms and links get whole pages, as a browser would."""
    htmx = htmx_of(request)
    return bool(htmx) and not htmx.boosted


def way_back(request: HttpRequest) -> str:
    """The path of the page that the request came from (its referrer), or `/` if that is on another site."""
    referrer = request.META.get("HTTP_REFERER", "")
    here = f"{request.scheme}://{request.get_host()}/"
    if not referrer.startswith(here):
        return "/"
    path = referrer[len(here) - 1 :]
    # A browser reads `//host` and `/\host` as another host.
    return path if url_has_allowed_host_and_scheme(path, allowed_hosts=None) else "/"


def safe_next(request: HttpRequest, default: str) -> str:
    """The `next` parameter of the form or the address if it leads to this site, else `default`."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    ours = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if ours else default


def language_of_page() -> str:
    """The language of the page, which becomes that of an account that is made on it."""
    language = get_language() or settings.LANGUAGE_CODE
    return language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
