"""Pages about the site (privacy, terms, contact), and the workers of the seat page and the recorder."""

from pathlib import Path

from csp.constants import WASM_UNSAFE_EVAL
from csp.decorators import csp_update
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

_SCRIPTS = Path(__file__).parents[2] / "static" / "web"
_WORKER = _SCRIPTS / "offline-worker.js"
_RULES_WORKER = _SCRIPTS / "rules-worker.js"


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


@csp_update({"script-src": [WASM_UNSAFE_EVAL]})  # of this worker alone, which compiles Pyodide
@cache_control(public=True, max_age=3600)
@require_safe
def rules_worker(request: HttpRequest) -> HttpResponse:
    """The worker in which the recorder runs the rules.

    It is served below the recorder's address, so that the service worker answers for what it loads without a network.
    """
    return HttpResponse(_RULES_WORKER.read_bytes(), content_type="text/javascript; charset=utf-8")


def _page(request: HttpRequest, template: str) -> HttpResponse:
    about = {"operator": settings.OPERATOR, "contact": settings.CONTACT, "image_hosts": settings.CARD_IMAGE_HOSTS}
    return render(request, template, about)
