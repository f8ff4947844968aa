"""Notifications: choose them by channel, turn them on for a device, or unsubscribe through the link in an e-mail."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from tournaments.common.clock import now
from tournaments.notices.access import device_for_owner
from tournaments.notices.devices import add_device, remove_device, try_device
from tournaments.notices.models import Channel
from tournaments.notices.sealing import public_key
from tournaments.notices.selectors import devices_of, wanted_kinds
from tournaments.notices.services import choose_notices, reader_of, silence
from tournaments.web.pages.account.forms import NoticesForm
from tournaments.web.pages.account.security import browser_name, browsers_of
from tournaments.web.rate_limits import PAPERS, rate_limited
from tournaments.web.requests import SignedInRequest
from tournaments.web.secret_address import secret_address
from tournaments.web.words.notices import NOTICES

KEPT_IN_SESSION = "device"  # the public id of this browser's subscription: see `web.browsers`


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def account_notices(request: SignedInRequest) -> HttpResponse:
    """Choose the kinds of notifications that the account gets by e-mail and on its devices, and see its devices."""
    if request.method == "POST":
        form = NoticesForm(request.POST)
        valid = form.is_valid()
        # Kinds that the form does not know are passed on, so that the service refuses them by name.
        for field, channel in (("kinds", Channel.LETTER), ("push", Channel.PUSH)):
            chosen = form.cleaned_data[field] if valid else request.POST.getlist(field)
            choose_notices(user=request.user, kinds=chosen, channel=channel)
        messages.success(request, _("Your choice is saved."))
        return redirect("web:account_notices")
    chosen = {"kinds": wanted_kinds(request.user), "push": wanted_kinds(request.user, Channel.PUSH)}
    context: dict[str, Any] = {
        "form": NoticesForm(initial=chosen),
        "devices": devices_of(request.user),
        "key": public_key(),
    }
    return render(request, "web/account/notices.html", context)


@login_required
@require_POST
@rate_limited(PAPERS)
def device_add(request: SignedInRequest) -> HttpResponse:
    """Turn notifications on for the browser that sends this."""
    device = add_device(
        user=request.user,
        browser=browser_name(request.headers.get("User-Agent", "")),
        session=next(session for session in browsers_of(request) if session.is_current()),
        now=now(),
        **{name: request.POST.get(name, "") for name in ("endpoint", "p256dh", "auth")},
    )
    request.session[KEPT_IN_SESSION] = device.public_id
    messages.success(request, _("Notifications are on for this device."))
    return redirect("web:account_notices")


@login_required
@require_POST
@rate_limited(PAPERS)
def device_action(request: HttpRequest, device_id: str, action: str) -> HttpResponse:
    """Turn notifications off for a device (`remove`), or send it one to try (`test`)."""
    device = device_for_owner(request.user, device_id)
    if action == "remove":
        remove_device(device=device)
        messages.success(request, _("Notifications are off for that device."))
    elif action == "test":
        try_device(device=device, now=now())
        messages.success(request, _("A test notification is on its way."))
    else:
        raise Http404
    return redirect("web:account_notices")


@csrf_exempt  # mail programs post here for one-click unsubscribing; the signature in the address is the proof
@secret_address
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, public_id: str, kind: str, signature: str) -> HttpResponse:
    """Unsubscribe from e-mails of a kind, without signing in. Opening the link does nothing; its button does."""
    user = reader_of(public_id, kind, signature)
    if request.method == "POST":
        silence(user=user, kind=kind)
    context = {"kind": NOTICES[kind], "done": request.method == "POST"}
    return render(request, "web/account/unsubscribe.html", context)
