"""Let other sites show a page in a frame. No site may, unless the view says so with `framed_by`."""

from collections.abc import Iterable
from typing import Any

from csp.constants import NONE, SELF
from django.http import HttpResponse


def framed_by(response: HttpResponse, origins: Iterable[str]) -> HttpResponse:
    """Let exactly these origins frame the response, which must have no forms.

    A page in a frame can be laid under something else, so that a visitor presses what they do not see.
    """
    page: Any = response
    page._csp_replace = {"frame-ancestors": list(origins), "form-action": [NONE]}  # as `csp.decorators` notes it
    page.xframe_options_exempt = True  # X-Frame-Options knows no list of origins
    return response


def frames_own_pages(response: HttpResponse) -> HttpResponse:
    """Let a page show other pages of this site in frames, as far as these allow it (`framed_by`)."""
    page: Any = response
    page._csp_update = {"frame-src": [SELF]}
    return response
