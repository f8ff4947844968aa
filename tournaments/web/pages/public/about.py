"""Pages about the site (privacy, terms, contact), and the service worker of the seat page."""

from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

_WORKER = Path(__file__).parents[2] / "static" / "web" / "offline-worker.js"


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """The privacy page: what is stored, for how long, who sees it, and how to erase it."""
    return _page(request, "web/about/privacy.html")


@require_safe
def terms(request: HttpRequest) -> HttpResponse:
    """The terms of use."""
    return _page(request, "web/about/terms.html")


@require_safe
def contact(request: HttpRequest) -> HttpResponse:
    """The contact page: whom to ask about what."""
    return _page(request, "web/about/contact.html")


@cache_control(public=True, max_age=3600)
@require_safe
def offline_worker(request: HttpRequest) -> HttpResponse:
    """The service worker that keeps the seat page available offline.

    It is served at the root because a worker only controls pages below its own address.
    """
    return HttpResponse(_WORKER.read_bytes(), content_type="text/javascript; charset=utf-8")


def _page(request: HttpRequest, template: str) -> HttpResponse:
    return render(request, template, {"operator": settings.OPERATOR, "contact": settings.CONTACT})
