"""A form that creates or adds up does so once, however often its page is submitted.

Each rendering of such a form carries a fresh key (`{% once %}`). The first submit claims it and keeps where it led; the
second makes nothing and goes there too. A refused submit gives the key back: the form is shown again. See
`common.idempotency`.
"""

import re
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournaments.common import idempotency
from tournaments.common.clock import now
from tournaments.common.idempotency import Answered
from tournaments.web.answers import way_back

FIELD = "once"
_KEY = re.compile(r"[\w-]{10,60}", re.ASCII)
View = Callable[..., HttpResponse]


def once(view: View) -> View:
    """Let a page act once. It stands inside `login_required`: keys are those of an account."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        key = request.POST.get(FIELD, "") if request.method == "POST" else ""
        if not _KEY.fullmatch(key):
            return view(request, *args, **kwargs)
        claimed = idempotency.claim(user=request.user, key=f"web:{key}", now=now())
        if isinstance(claimed, Answered):
            messages.info(request, _("Already done: this page was sent before, and it counts once."))
            return redirect((claimed.body or {}).get("led_to", "/"))
        try:
            response = view(request, *args, **kwargs)
        except BaseException:
            claimed.free()
            raise
        if response.status_code >= 400:
            claimed.free()
        else:
            claimed.keep(response.status_code, {"led_to": response.get("Location") or way_back(request)})
        return response

    return guarded
