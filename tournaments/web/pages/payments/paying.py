"""What players see of their entry fee: what is owed, how to pay it, what became of it; and the notices of providers."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.request import RawPostDataException
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from tournaments.common.clock import now
from tournaments.events.access import event_for_viewer, own_entrants
from tournaments.events.models import Entrant, Event
from tournaments.payments import services
from tournaments.payments.access import payment_for_player
from tournaments.payments.models import Payment
from tournaments.payments.providers import LONGEST_NOTICE, BadNotice, ProviderDown, names, provider_of
from tournaments.payments.receiving import receive
from tournaments.payments.selectors import entry_of, open_payment, prices_of, providers_for
from tournaments.play.services.unpaid import pay_by
from tournaments.web.answers import show
from tournaments.web.forms.refusals import refused_beside, status_of
from tournaments.web.pages.payments.forms import PayForm
from tournaments.web.rate_limits import PAYMENTS, rate_limited
from tournaments.web.requests import SignedInRequest
from tournaments.web.words.payments import price_words, way_words
from tournaments.web.words.procedures import SETTLED, entry_words

SLOW = timedelta(seconds=30)  # after which a page that is not open yet needs an explanation


@dataclass(frozen=True)
class Fee:
    """The entry fee of an entrant, for the seat page: how it is settled, what is offered, and the open payment.

    `providers` are the names of those that take it. After `pay_by`, the place may go to somebody who waits for one.
    """

    settled: str
    words: object
    prices: list[str]
    payment: Payment | None
    providers: list[str]
    can_pay: bool
    pay_by: datetime | None


def price_line(event: Event, at: datetime) -> str:
    """What it costs to enter an event. Empty if only the organizer's note on the fee says so."""
    entry = entry_of(event)
    if entry.kind == "free" and event.fee:
        return ""
    return entry_words(entry, prices_of(event, at), online=bool(providers_for(event)))


def fee_of(entrant: Entrant, event: Event, at: datetime) -> Fee | None:
    """The entry fee of an entrant; None if entries to the event are not paid for."""
    if entry_of(event).kind != "paid":
        return None
    words, owes = SETTLED[entrant.settled], not entrant.settled
    prices = prices_of(event, at) if owes else []
    payment = open_payment(entrant) if owes else None
    providers = providers_for(event) if owes and event.status not in services.OVER else []
    return Fee(
        entrant.settled,
        words,
        [price_words(price) for price in prices],
        payment,
        providers,
        bool(providers) and entrant.status == Entrant.Status.REGISTERED and bool(prices),
        pay_by(entrant),
    )


@never_cache
@login_required
@rate_limited(PAYMENTS)
def pay(request: SignedInRequest, event_id: str) -> HttpResponse:
    """Choose a price and type a code; a POST begins to pay. `?entrant=` chooses among several own entrants."""
    event = event_for_viewer(request.user, event_id)
    entrant = _own_entrant(request, event)
    fee = fee_of(entrant, event, now())
    if fee is None:
        raise Http404
    codes = event.price_codes.filter(removed_at=None).exists()
    data = request.POST if request.method == "POST" else None
    form = PayForm(data, prices=prices_of(event, now()), codes=codes, providers=fee.providers)
    if request.method == "POST" and form.is_valid():
        with refused_beside(form):
            payment = services.start_payment(entrant=entrant, by=request.user, now=now(), **form.cleaned_data)
            return redirect("web:payment", payment.public_id)
    context = {"event": event, "entrant": entrant, "fee": fee, "form": form, "query": request.GET.urlencode()}
    return render(request, "web/payments/pay.html", context, status=status_of(form))


def _own_entrant(request: HttpRequest, event: Event) -> Entrant:
    wanted = request.GET.get("entrant", "")
    found = next((each for each in own_entrants(request.user, event) if wanted in ("", each.public_id)), None)
    if found is None:
        raise Http404
    return found


@never_cache
@login_required
@require_safe
def payment(request: SignedInRequest, payment_id: str) -> HttpResponse:
    """A player's own payment: the way to the provider's page, and what is known of it. It says only what we know."""
    shown = payment_for_player(request.user, payment_id)
    context = {
        "payment": shown,
        "event": shown.event,
        "entrant": shown.entrant,
        "way": way_words(shown.variant),
        "refunds": shown.refunds.all(),
        "seat": _seat_of(shown),
        "is_slow": shown.started_at + SLOW < now(),
    }
    return show(request, "web/payments/payment.html", context, fragment="web/payments/_payment.html")


def _seat_of(shown: Payment) -> str:
    return reverse("web:me", args=[shown.event.public_id]) + f"?entrant={shown.entrant.public_id}"


@login_required
@require_POST
def payment_cancel(request: SignedInRequest, payment_id: str) -> HttpResponse:
    """Cancel an open payment."""
    cancelled = payment_for_player(request.user, payment_id)
    services.cancel_payment(payment=cancelled, by=request.user, now=now())
    messages.success(request, _("The payment is being cancelled."))
    return redirect("web:payment", payment_id)


@csrf_exempt  # a provider posts here; its signature is the proof
@require_POST
def payment_notice(request: HttpRequest, provider: str) -> HttpResponse:
    """Take a signed notice of a provider. 400 and nothing changes if the signature is wrong, missing or too old.

    503 if what the signature is checked with cannot be fetched now.
    """
    if provider not in names():
        raise Http404
    try:
        body = request.body
    except RawPostDataException:  # a form with files: it was parsed before this view, and no provider sends one
        return _refused("signature_invalid", 400)
    if len(body) > LONGEST_NOTICE:
        return _refused("too_long", 413)
    at = now()
    try:
        said = provider_of(provider).read(body, request.headers, at)
    except BadNotice:
        return _refused("signature_invalid", 400)
    except ProviderDown:
        return _refused("signature_unchecked", 503)  # the provider sends it again
    return JsonResponse({"outcome": receive(provider=provider, said=said, now=at)})


def _refused(code: str, status: int) -> HttpResponse:
    return JsonResponse({"code": code}, status=status)
