"""Form tokens: a form that creates something does so once, however often it is submitted.

Each time such a form is rendered it gets a fresh token (`{% form_token %}`). The first submission stores where it
redirected to; a second one with the same token changes nothing and redirects there too. A refused submission leaves the
token unused, so the form can be corrected and sent again. See `common.idempotency`.
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

from tournaments.common.clock import now
from tournaments.common.idempotency import Answered, AnsweredBefore, KeyedRequest
from tournaments.common.outages import is_lost
from tournaments.common.refusals import Refusal
from tournaments.web.answers import way_back

FIELD = "form_token"
_KEY = re.compile(r"[\w-]{10,60}", re.ASCII)
View = Callable[..., HttpResponse]


def accepted_once(view: View) -> View:
    """Decorate a view so that it acts once per form token. Apply it inside `login_required`: tokens are per account."""
    return _accepted_once(view, computes=False)


def accepted_once_computed(view: View) -> View:
    """Like `accepted_once`, for a view whose service computes first and writes inside `idempotency.writing`."""
    return _accepted_once(view, computes=True)


def _accepted_once(view: View, *, computes: bool) -> View:
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        key = request.POST.get(FIELD, "") if request.method == "POST" else ""
        # A form without a token, such as one rendered before an upgrade, is accepted too; only without this protection.
        if not _KEY.fullmatch(key):
            return view(request, *args, **kwargs)
        try:
            return _act(view, request, key, computes, args, kwargs)
        except (InterfaceError, OperationalError) as error:
            if not is_lost(error):
                raise
        # The transaction was either rolled back, or committed together with its answer: either way it is safe to retry.
        connection.close()
        return _act(view, request, key, computes, args, kwargs)

    return guarded


def _act(
    view: View, request: HttpRequest, key: str, computes: bool, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> HttpResponse:
    """Run the view under its token, or redirect to where the first submission went."""
    keyed = KeyedRequest(request.user, f"web:{key}", now())
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
        # The refusal may come from the first submission of this very form, which has succeeded in the meantime.
        before = keyed.answered()
        if before is None:
            raise
        return _led(request, before)
    return response


def _led(request: HttpRequest, before: Answered) -> HttpResponse:
    messages.info(request, _("Already done: this page was sent before and counts only once."))
    return redirect((before.body or {}).get("led_to", "/"))
