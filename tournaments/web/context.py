"""Context processor for the shell of every page. It makes no database query."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from engine.version import VERSION
from tournaments.common.mail import sends_mail
from tournaments.web.answers import safe_next
from tournaments.web.blanks import blank, leaves_blanks

THEMES = ("auto", "light", "dark")
DOORS = ("sign_in", "sign_up")  # signing in must not lead back to these
LEFT_BEHIND = ("home", "link", "reset_ask", "reset", "address", "unsubscribe")
"""Pages to which signing in does not return: the home page, which is the default, and pages for a single action."""


def page(request: HttpRequest) -> dict[str, Any]:
    """Add `page`: the current address, the reader's account, the chosen theme, the languages to choose from,
    whether the site sends e-mails, and the version.

    In a page that is cached for all players, the account and the CSRF token are blanks (see `web.blanks`).
    """
    left_blank = leaves_blanks(request)
    return {
        **({"csrf_token": blank("csrf")} if left_blank else {}),
        "page": {
            "path": request.get_full_path(),
            "back": _back(request),
            "theme": theme_of(request),
            "themes": THEMES,
            "languages": LANGUAGE_NAMES,
            "debug": settings.DEBUG,
            "sends_mail": sends_mail(),
            "version": VERSION,
            "has_forms": left_blank or not getattr(request, "is_shared", False),
            "account": blank("account") if left_blank else getattr(request.user, "public_id", ""),
        },
    }


def theme_of(request: HttpRequest) -> str:
    """The colours that the reader chose: one of `THEMES`."""
    theme = request.COOKIES.get("theme", "auto")
    return theme if theme in THEMES else "auto"


def _back(request: HttpRequest) -> str:
    """Where the "Sign in" link in this page's header leads back to.

    That is this page. For the sign-in and sign-up pages, and after a POST, it is the `next` that the request carries.
    """
    found = request.resolver_match
    if found is None or request.method not in ("GET", "HEAD") or found.url_name in DOORS:
        return safe_next(request, "")
    return "" if found.url_name in LEFT_BEHIND else request.get_full_path()


# Each language is offered under its own name, whatever the page's language is.
LANGUAGE_NAMES = (("fr", "Français"), ("en", "English"), ("it", "Italiano"))
