"""A form that creates or adds up does so once, however often its page is submitted.

Each rendering of such a form carries a fresh key (`{% once %}`). The first submit keeps where it led;
the second makes nothing and goes there too. A refused submit leaves the key free: the form is shown again. See
`common.idempotency`.
"""

import re
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.db import InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournaments.common import idempotency
from tournaments.common.clock import now
from tournaments.common.idempotency import Answered, AnsweredBefore, KeyedRequest
from tournaments.common.outages import is_lost
from tournaments.common.refusals import Refusal
from tournaments.web.answers import way_back

FIELD = "once"
_KEY = re.compile(r"[\w-]{10,60}", re.ASCII)
View = Callable[..., HttpResponse]


def once(view: View) -> View:
    """Let a page act once. It stands inside `login_required`: keys are those of an account."""
    return _once(view, computes=False)


def once_computed(view: View) -> View:
    """Like `once`, for a page whose service computes before it writes, inside `idempotency.writing`."""
    return _once(view, computes=True)


def _once(view: View, *, computes: bool) -> View:
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        key = request.POST.get(FIELD, "") if request.method == "POST" else ""
        if not _KEY.fullmatch(key):
            return view(request, *args, **kwargs)
        try:
            return _act(view, request, key, computes, args, kwargs)
        except (InterfaceError, OperationalError) as error:
            if not is_lost(error):
                raise
        connection.close()  # what was lost with it is undone, or it is done and its answer kept: once more is safe
        return _act(view, request, key, computes, args, kwargs)

    return guarded


def _act(
    view: View, request: HttpRequest, key: str, computes: bool, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> HttpResponse:
    """What a page does under its key, or where it led before."""
    at = now()
    idempotency.prune(at)
    keyed = KeyedRequest(request.user, f"web:{key}", at)
    before = keyed.answered()
    if before is not None:
        return _led(request, before)
    try:
        with keyed:
            if not computes:
                keyed.begin()
            response = view(request, *args, **kwargs)
            if response.status_code >= 400:
                keyed.undo()
            else:
                keyed.keep(response.status_code, {"led_to": response.get("Location") or way_back(request)})
    except AnsweredBefore as other:
        return _led(request, other.answered)
    except Refusal:
        before = keyed.answered()  # the same page, sent twice, is in its own way
        if before is None:
            raise
        return _led(request, before)
    return response


def _led(request: HttpRequest, before: Answered) -> HttpResponse:
    messages.info(request, _("Already done: this page was sent before, and it counts once."))
    return redirect((before.body or {}).get("led_to", "/"))
