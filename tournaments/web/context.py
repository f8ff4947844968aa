"""What the shell of every page needs beside the view's own context. It asks the database nothing."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest

THEMES = ("auto", "light", "dark")


def page(request: HttpRequest) -> dict[str, Any]:
    """`page`: where we are, the chosen theme, and the languages with their own names."""
    theme = request.COOKIES.get("theme", "auto")
    return {
        "page": {
            "path": request.get_full_path(),
            "theme": theme if theme in THEMES else "auto",
            "themes": THEMES,
            "languages": LANGUAGE_NAMES,
            "debug": settings.DEBUG,
        }
    }


# Each language is offered under its own name, whatever the page's language is.
LANGUAGE_NAMES = (("fr", "Français"), ("en", "English"), ("it", "Italiano"))
