"""Pages about the site (privacy, legal information, terms, contact), the installed app, and the workers."""

from pathlib import Path

from babel.lists import format_list
from csp.constants import WASM_UNSAFE_EVAL
from csp.decorators import csp_update
from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_safe

from tournaments.payments.providers import names, title_of
from tournaments.web.context import theme_of
from tournaments.web.words.legal import uses_of_data

_SCRIPTS = Path(__file__).parents[2] / "static" / "web"
_WORKER = _SCRIPTS / "offline-worker.js"
_RULES_WORKER = _SCRIPTS / "rules-worker.js"
_PAPER = "#f5f3ec"  # --paper of app.css: shown while the app starts
# Drawn by tools/icons.py: the file, its width in pixels, and what a system may do with it.
_ICONS = (("icon-192.png", 192, "any"), ("icon-512.png", 512, "any"), ("maskable-512.png", 512, "maskable"))


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """The privacy page: what is stored, for how long, who sees it, and how to erase it."""
    return _page(request, "web/about/privacy.html")


@require_safe
def legal(request: HttpRequest) -> HttpResponse:
    """Legal information: publisher, host, and for what, on which basis and for whom personal data is used."""
    providers, hosts = payment_providers(), ", ".join(settings.CARD_IMAGE_HOSTS)
    notices = {
        "operator": settings.OPERATOR,
        "operator_address": settings.OPERATOR_ADDRESS,
        "operator_phone": settings.OPERATOR_PHONE,
        "operator_registration": settings.OPERATOR_REGISTRATION,
        "contact": settings.CONTACT,
        "publication_director": settings.PUBLICATION_DIRECTOR,
        "host": settings.HOSTED_BY,
        "host_address": settings.HOSTED_BY_ADDRESS,
        "host_phone": settings.HOSTED_BY_PHONE,
        "not_given": _("The operator has not filled this in."),
        "uses": uses_of_data(providers, hosts),
    }
    return render(request, "web/about/legal.html", notices)


@require_safe
def terms(request: HttpRequest) -> HttpResponse:
    """The terms of use."""
    return _page(request, "web/about/terms.html")


@require_safe
def contact(request: HttpRequest) -> HttpResponse:
    """The contact page: whom to ask about what."""
    return _page(request, "web/about/contact.html")


@require_safe
def app(request: HttpRequest) -> HttpResponse:
    """How to install the site as an app."""
    return render(request, "web/about/app.html")


@cache_control(public=True, max_age=3600)
@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """What a browser needs to install the site as an app, in the `language` of the query.

    The language is in the address because browsers ask for a manifest without cookies.
    """
    language = request.GET.get("language", "")
    known = language in dict(settings.LANGUAGES)
    with translation.override(language if known else translation.get_language()):
        return JsonResponse(_manifest(), content_type="application/manifest+json")


def _manifest() -> dict[str, object]:
    home = reverse("web:home")
    icons = [
        {"src": static(f"web/app/{name}"), "sizes": f"{width}x{width}", "type": "image/png", "purpose": purpose}
        for name, width, purpose in _ICONS
    ]
    return {
        "id": home,
        "name": _("Arbitre: card game tournaments"),
        "short_name": "Arbitre",
        "description": _("Your table, your results and the standings of trading card game tournaments."),
        "lang": translation.get_language(),
        "start_url": home,
        "scope": home,
        "display": "standalone",
        "background_color": _PAPER,
        "theme_color": _PAPER,
        "icons": icons,
    }


@never_cache
@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """The page that the service worker shows for pages that it cannot reach.

    It is kept on the device, so it says nothing about the reader.
    """
    return HttpResponse(render_to_string("web/about/offline.html", {"page": {"theme": theme_of(request)}}))


@cache_control(public=True, max_age=3600)
@require_safe
def offline_worker(request: HttpRequest) -> HttpResponse:
    """The service worker, which keeps the seat page available offline and shows notifications.

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
    about = {
        "operator": settings.OPERATOR,
        "contact": settings.CONTACT,
        "image_hosts": settings.CARD_IMAGE_HOSTS,
        "accounts_end_after": settings.ACCOUNTS_END_AFTER,
        "payment_providers": payment_providers(),
    }
    return render(request, template, about)


def payment_providers() -> str:
    """The providers of payments, listed in the current language; empty if there are none."""
    return format_list([title_of(name) for name in names()], style="or", locale=translation.get_language())
