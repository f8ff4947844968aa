"""Privacy, terms and contact: what the software does with what it is told, and who runs it here; the service worker."""

from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

_WORKER = Path(__file__).parents[1] / "static" / "web" / "offline-worker.js"


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """What is kept, who sees it, how long, and how it is erased."""
    return _page(request, "web/about/privacy.html")


@require_safe
def terms(request: HttpRequest) -> HttpResponse:
    """What everybody may expect of each other here."""
    return _page(request, "web/about/terms.html")


@require_safe
def contact(request: HttpRequest) -> HttpResponse:
    """Whom to ask about what."""
    return _page(request, "web/about/contact.html")


@cache_control(public=True, max_age=3600)
@require_safe
def offline_worker(request: HttpRequest) -> HttpResponse:
    """The service worker of the seat page: at the root, as a worker answers only for what stands below its address."""
    return HttpResponse(_WORKER.read_bytes(), content_type="text/javascript; charset=utf-8")


def _page(request: HttpRequest, template: str) -> HttpResponse:
    return render(request, template, {"operator": settings.OPERATOR, "contact": settings.CONTACT})
