"""How views answer: the whole page, or the fragment alone when htmx asks for it; and where to go back to."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.http import url_has_allowed_host_and_scheme


def show(
    request: HttpRequest, template: str, context: dict[str, Any], *, fragment: str = "", status: int = 200
) -> HttpResponse:
    """Render `template`, or `fragment` when htmx refreshes a part of the page."""
    part = bool(fragment) and wants_fragment(request)
    response = render(request, fragment if part else template, context, status=status)
    if fragment:
        patch_vary_headers(response, ["HX-Request"])
    return response


def wants_fragment(request: HttpRequest) -> bool:
    """Whether htmx refreshes a part of the page. A boosted form gets whole pages, as the browser would."""
    return bool(request.htmx) and not request.htmx.boosted


def way_back(request: HttpRequest) -> str:
    """The page the person came from, if it is ours."""
    referrer = request.META.get("HTTP_REFERER", "")
    here = f"{request.scheme}://{request.get_host()}/"
    return referrer[len(here) - 1 :] if referrer.startswith(here) else "/"


def safe_next(request: HttpRequest, default: str) -> str:
    """The `next` of a form or an address, if it is a page of ours."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    ours = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if ours else default
