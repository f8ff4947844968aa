"""The staff's page of prices and payments: prices, codes, what came in, and refunds."""

import secrets

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournaments.common.clock import now
from tournaments.common.csv_tables import as_csv
from tournaments.events.access import entrant_for_staff, event_for_staff, may
from tournaments.events.models import Entrant, Event
from tournaments.payments import services
from tournaments.payments.access import code_for_staff, payment_for_staff, tier_for_staff
from tournaments.payments.models import Payment
from tournaments.payments.money import shown
from tournaments.payments.selectors import (
    codes_of,
    entry_of,
    payments_of,
    payments_table,
    prices_of,
    providers_for,
    settled_without,
    tiers_of,
    to_look_at,
    totals_of,
)
from tournaments.web.form_tokens import accepted_once
from tournaments.web.forms.refusals import refused_beside, status_of
from tournaments.web.pages.payments.forms import CodeForm, PayForm, PriceForm, RefundForm
from tournaments.web.paging import page_of
from tournaments.web.requests import SignedInRequest
from tournaments.web.words.payments import off_words, price_words, way_words


def _page(
    request: HttpRequest, event: Event, price_form: PriceForm | None = None, code_form: CodeForm | None = None
) -> HttpResponse:
    entry = entry_of(event)
    page = page_of(request, payments_of(event), 50)
    context = {
        "event": event,
        "entry": entry,
        "manages": may(request.user, event, "manage_event"),
        "online": bool(providers_for(event)),
        "tiers": [(tier, shown(tier.cents, entry.currency), tier.is_offered(now())) for tier in tiers_of(event)],
        "fee": shown(entry.cents, entry.currency),
        "codes": [(code, off_words(code, entry.currency)) for code in codes_of(event)],
        "price_form": price_form or PriceForm(currency=entry.currency),
        "code_form": code_form or CodeForm(currency=entry.currency),
        "payments": [(payment, way_words(payment.variant), _owed_back(payment)) for payment in page],
        "page_of": page,
        "totals": [
            [shown(cents, total.currency) for cents in (total.received, total.refunded, total.kept)]
            for total in totals_of(event)
        ],
        "without": settled_without(event),
        "to_look_at": to_look_at(event),
    }
    forms = [form for form in (price_form, code_form) if form is not None]
    return render(request, "web/payments/prices.html", context, status=max([200, *map(status_of, forms)]))


def _owed_back(payment: Payment) -> bool:
    """Whether an entrant who has dropped may want the money back."""
    return payment.entrant.status == Entrant.Status.DROPPED and payment.left_cents > 0


@login_required
@require_safe
def staff_payments(request: SignedInRequest, event_id: str) -> HttpResponse:
    """Prices, codes and payments of the event, with totals."""
    return _page(request, event_for_staff(request.user, event_id, "run_desk"))


@login_required
@require_safe
def staff_payments_csv(request: SignedInRequest, event_id: str) -> HttpResponse:
    """Download the payments as CSV."""
    event = event_for_staff(request.user, event_id, "run_desk")
    answer = HttpResponse(as_csv(payments_table(event)), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{event.public_id}-payments.csv"'
    return answer


@login_required
@require_POST
@accepted_once
def staff_price_add(request: SignedInRequest, event_id: str) -> HttpResponse:
    """Offer a price."""
    event = event_for_staff(request.user, event_id, "manage_event")
    form = PriceForm(request.POST, currency=entry_of(event).currency)
    if form.is_valid():
        with refused_beside(form):
            services.add_price(event=event, by=request.user, now=now(), **form.cleaned_data)
            messages.success(request, _("Price added."))
            return redirect("web:staff_payments", event_id)
    return _page(request, event, price_form=form)


@login_required
@require_POST
def staff_price_remove(request: SignedInRequest, event_id: str, tier_id: str) -> HttpResponse:
    """Stop offering a price."""
    tier = tier_for_staff(request.user, tier_id)
    if tier.event.public_id != event_id:
        raise Http404
    services.remove_price(tier=tier, by=request.user, now=now())
    messages.success(request, _("Price removed."))
    return redirect("web:staff_payments", event_id)


@login_required
@require_POST
@accepted_once
def staff_code_add(request: SignedInRequest, event_id: str) -> HttpResponse:
    """Add a code."""
    event = event_for_staff(request.user, event_id, "manage_event")
    form = CodeForm(request.POST, currency=entry_of(event).currency)
    if form.is_valid():
        with refused_beside(form):
            services.add_code(event=event, by=request.user, now=now(), **form.cleaned_data)
            messages.success(request, _("Code added."))
            return redirect("web:staff_payments", event_id)
    return _page(request, event, code_form=form)


@login_required
@require_POST
def staff_code_remove(request: SignedInRequest, event_id: str, code_id: str) -> HttpResponse:
    """Stop taking a code."""
    code = code_for_staff(request.user, code_id)
    if code.event.public_id != event_id:
        raise Http404
    services.remove_code(code=code, by=request.user, now=now())
    messages.success(request, _("Code removed."))
    return redirect("web:staff_payments", event_id)


@login_required
@accepted_once
def staff_payment(request: SignedInRequest, event_id: str, payment_id: str) -> HttpResponse:
    """A payment with its refunds; a POST refunds it, which is for organizers."""
    payment = payment_for_staff(request.user, payment_id, "manage_event" if request.method == "POST" else "run_desk")
    if payment.event.public_id != event_id:
        raise Http404
    form = RefundForm(request.POST or None, payment=payment, initial={"key": secrets.token_hex(8)})
    if request.method == "POST" and form.is_valid():
        with refused_beside(form):
            services.refund(payment=payment, by=request.user, now=now(), **form.cleaned_data)
            messages.success(request, _("Refund noted."))
            return redirect("web:staff_payment", event_id, payment_id)
    context = {
        "event": payment.event,
        "payment": payment,
        "entrant": payment.entrant,
        "way": way_words(payment.variant),
        "left": shown(payment.left_cents, payment.currency) if payment.left_cents else "",
        "refunds": payment.refunds.all(),
        "form": form,
        "manages": may(request.user, payment.event, "manage_event"),
    }
    return render(request, "web/payments/staff_payment.html", context, status=status_of(form))


@login_required
@accepted_once
def staff_note_payment(request: SignedInRequest, event_id: str, entrant_id: str) -> HttpResponse:
    """Note what an entrant pays at the desk: one of the prices, with a code if there is one."""
    entrant = entrant_for_staff(request.user, entrant_id, "run_desk")
    event = entrant.event
    if event.public_id != event_id:
        raise Http404
    prices = prices_of(event, now())
    codes = event.price_codes.filter(removed_at=None).exists()
    form = PayForm(request.POST if request.method == "POST" else None, prices=prices, codes=codes)
    if request.method == "POST" and form.is_valid():
        with refused_beside(form):
            services.note_payment(entrant=entrant, by=request.user, now=now(), **form.cleaned_data)
            messages.success(request, _("%(name)s has paid.") % {"name": entrant.full_name})
            return redirect("web:staff_entrants", event_id)
    context = {"event": event, "entrant": entrant, "form": form, "prices": [price_words(price) for price in prices]}
    return render(request, "web/payments/note.html", context, status=status_of(form))
