"""Webhooks of an event or an account: create and manage them, and see their deliveries."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from tournaments.common.clock import now
from tournaments.events.access import event_for_staff
from tournaments.events.models import Event
from tournaments.integrations.access import webhook_for_owner
from tournaments.integrations.models import Webhook
from tournaments.integrations.selectors import deliveries_of, webhooks_shown
from tournaments.integrations.services import (
    change_webhook,
    delete_webhook,
    make_webhook,
    resend,
    rotate_secret,
    send_test,
)
from tournaments.web.form_tokens import accepted_once
from tournaments.web.forms.refusals import refusals_on
from tournaments.web.pages.webhooks.forms import NewWebhookForm, WebhookForm
from tournaments.web.rate_limits import PAPERS, rate_limited
from tournaments.web.requests import SignedInRequest
from tournaments.web.words.webhooks import DELIVERY_STATES, DISABLED_FOR, FORMATS, TOLD, UNREACHABLE

LINES = 50  # deliveries per page
State = dict[str, Any]


@login_required
@never_cache
@accepted_once
@rate_limited(PAPERS)
def account_webhooks(request: SignedInRequest) -> HttpResponse:
    """The webhooks of the account, for all events that it organizes; a POST creates one."""
    return _list(request, None)


@login_required
@never_cache
@accepted_once
@rate_limited(PAPERS)
def event_webhooks(request: SignedInRequest, event_id: str) -> HttpResponse:
    """The webhooks of an event; a POST creates one."""
    return _list(request, event_for_staff(request.user, event_id, "manage_event"))


def _list(request: SignedInRequest, event: Event | None) -> HttpResponse:
    form = NewWebhookForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            webhook, secret = make_webhook(by=request.user, event=event, now=now(), **form.cleaned_data)
            # No redirect: the secret is shown only this once.
            return _page(request, webhook, secret=secret)
    listed = [(webhook, _state(webhook)) for webhook in webhooks_shown(request.user, event)]
    context = {"webhooks": listed, "form": form, **({"event": event} if event else {})}
    return render(request, "web/webhooks/list.html", context, status=422 if form.errors else 200)


@login_required
@never_cache
@require_safe
def webhook(request: HttpRequest, webhook_id: str) -> HttpResponse:
    """A webhook and its deliveries."""
    return _page(request, webhook_for_owner(request.user, webhook_id))


@login_required
@never_cache
@accepted_once
@require_POST
@rate_limited(PAPERS)
def webhook_action(request: SignedInRequest, webhook_id: str, action: str) -> HttpResponse:
    """Change a webhook, switch it `on` or `off`, replace its `secret`, `test` it, or `delete` it."""
    found = webhook_for_owner(request.user, webhook_id)
    if action == "change":
        return _change(request, found)
    if action == "secret":
        return _page(request, found, secret=rotate_secret(webhook=found, by=request.user, now=now()))
    if action in ("on", "off"):
        change_webhook(webhook=found, by=request.user, active=action == "on", now=now())
    elif action == "test":
        send_test(webhook=found, now=now())
        messages.success(request, _("The test message is on its way. Its line below will show how it went."))
    elif action == "delete":
        delete_webhook(webhook=found, by=request.user, now=now())
        messages.success(request, _("The webhook is deleted."))
        return redirect("web:event_webhooks", found.event.public_id) if found.event else redirect("web:webhooks")
    else:
        raise Http404
    return redirect("web:webhook", found.public_id)


@login_required
@require_POST
@rate_limited(PAPERS)
def webhook_resend(request: HttpRequest, webhook_id: str, delivery_id: str) -> HttpResponse:
    """Send a delivery again."""
    found = webhook_for_owner(request.user, webhook_id)
    delivery = get_object_or_404(deliveries_of(found).select_related("webhook"), public_id=delivery_id)
    resend(delivery=delivery, now=now())
    messages.success(request, _("The message is sent again."))
    return redirect("web:webhook", found.public_id)


def _change(request: SignedInRequest, found: Webhook) -> HttpResponse:
    form = WebhookForm(request.POST)
    if form.is_valid():
        with refusals_on(form):
            change_webhook(webhook=found, by=request.user, now=now(), **form.cleaned_data)
            messages.success(request, _("The webhook is changed."))
            return redirect("web:webhook", found.public_id)
    return _page(request, found, form=form)


def _page(request: HttpRequest, found: Webhook, *, secret: str = "", form: WebhookForm | None = None) -> HttpResponse:
    page = Paginator(deliveries_of(found), LINES).get_page(request.GET.get("page"))
    context = {
        "webhook": found,
        "state": _state(found),
        "secret": secret,
        "form": form or WebhookForm(initial={"url": found.url, "kinds": found.kinds}),
        "deliveries": [
            (delivery, DELIVERY_STATES[delivery.status], UNREACHABLE.get(delivery.error, delivery.error))
            for delivery in page
        ],
        "page_of": page,
        "address": request.path,
        **({"event": found.event} if found.event else {}),
    }
    return render(request, "web/webhooks/webhook.html", context, status=422 if form and form.errors else 200)


def _state(found: Webhook) -> State:
    """The state of a webhook in words, with the look of its badge and the kinds of entries it gets."""
    if found.disabled_at is not None:
        words, badge = str(DISABLED_FOR[found.disabled_for]), "info" if found.disabled_for == "asked" else "bad"
    elif found.failing_since is not None:
        words, badge = _("failing"), "warn"
    else:
        words, badge = _("on"), "ok"
    return {
        "words": words,
        "badge": badge,
        "format": FORMATS[found.format],
        "kinds": [TOLD[kind] for kind in found.kinds],
    }
