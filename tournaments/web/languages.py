"""The language of a page that its address names, for pages that other sites show and for pictures."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation

View = Callable[..., HttpResponse]


def language_in_address(view: View) -> View:
    """Decorate a view so that `?language=fr` chooses its language; otherwise it has that of the reader."""

    @wraps(view)
    def translated(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        language = request.GET.get("language", "")
        if language not in dict(settings.LANGUAGES):
            return view(request, *args, **kwargs)
        with translation.override(language):
            response = view(request, *args, **kwargs)
            response.headers["Content-Language"] = language
            return response

    return translated
