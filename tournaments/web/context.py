"""What the shell of every page needs beside the view's own context. It asks the database nothing."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from tournaments.web.answers import safe_next

THEMES = ("auto", "light", "dark")
DOORS = ("sign_in", "sign_up")
LEFT_BEHIND = ("home", "link", "reset_ask", "reset", "address", "unsubscribe")
"""Pages that nobody comes back to once signed in: the first one, which is the default, and those of one gesture."""


def page(request: HttpRequest) -> dict[str, Any]:
    """`page`: where we are, the chosen theme, and the languages with their own names."""
    theme = request.COOKIES.get("theme", "auto")
    return {
        "page": {
            "path": request.get_full_path(),
            "back": _back(request),
            "theme": theme if theme in THEMES else "auto",
            "themes": THEMES,
            "languages": LANGUAGE_NAMES,
            "debug": settings.DEBUG,
            "shared": getattr(request, "is_shared", False),
        }
    }


def _back(request: HttpRequest) -> str:
    """Where who signs in by the head of this page comes back to: this page, or where signing in leads on to."""
    found = request.resolver_match
    if found is None or request.method not in ("GET", "HEAD") or found.url_name in DOORS:
        return safe_next(request, "")
    return "" if found.url_name in LEFT_BEHIND else request.get_full_path()


# Each language is offered under its own name, whatever the page's language is.
LANGUAGE_NAMES = (("fr", "Français"), ("en", "English"), ("it", "Italiano"))
