"""Words for payments: their states, why the desk should look at one, refunds, and prices."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.payments.models import CODE, DESK, Payment, PriceCode, Refund
from tournaments.payments.money import shown
from tournaments.payments.providers import title_of
from tournaments.payments.selectors import Price
from tournaments.web.words.meaning import Meaning

Status, Problem = Payment.Status, Payment.Problem

PAYMENT: Mapping[str, Meaning] = {
    Status.WAITING: Meaning(_("Not paid yet"), _("The provider has not reported a payment yet."), "warn"),
    Status.CONFIRMED: Meaning(_("Received"), _("The money has arrived."), "ok"),
    Status.REJECTED: Meaning(_("Not paid"), _("The payment page was closed before anything was paid."), ""),
    Status.REFUNDED: Meaning(_("Refunded"), _("The whole amount was given back."), "info"),
    Status.ERROR: Meaning(_("Failed"), _("The provider did not take the payment."), "bad"),
    Status.CANCELLED: Meaning(_("Cancelled"), _("It was cancelled before anything was paid."), ""),
}

PAYMENT_PROBLEM: Mapping[str, Meaning] = {
    Problem.NONE: Meaning(""),
    Problem.DROPPED: Meaning(
        _("Dropped"), _("The entrant had dropped when the money came in. Refund it, or reinstate the entrant."), "bad"
    ),
    Problem.PAID_TWICE: Meaning(
        _("Paid twice"), _("The entry was settled already when the money came in. Refund this payment."), "bad"
    ),
    Problem.WRONG_AMOUNT: Meaning(
        _("Wrong amount"),
        _("The provider reports another amount or currency. Look at the payment on the provider’s site."),
        "bad",
    ),
    Problem.CANCELLED: Meaning(
        _("Event cancelled"), _("The event was cancelled when the money came in. Refund it."), "bad"
    ),
}

REFUND: Mapping[str, Meaning] = {
    Refund.Status.PENDING: Meaning(_("On its way"), _("The provider has not reported the refund yet."), "warn"),
    Refund.Status.DONE: Meaning(_("Refunded"), _("The money was given back."), "ok"),
    Refund.Status.FAILED: Meaning(_("Failed"), _("The provider did not refund it. Try again."), "bad"),
}

WAYS: Mapping[str, Promise] = {DESK: _("at the desk"), CODE: _("by code")}


def way_words(variant: str) -> str:
    """How a payment is made: at the desk, by a code alone, or the name of a provider."""
    return str(WAYS.get(variant) or title_of(variant))


def price_words(price: Price) -> str:
    """A price with its name: `Early bird: 10.00 EUR`."""
    amount = shown(price.cents, price.currency)
    if price.tier is None:
        return amount
    return gettext("%(name)s: %(price)s") % {"name": price.tier.name, "price": amount}


def off_words(code: PriceCode, currency: str) -> str:
    """What a code takes off: `10% off` or `5.00 EUR off`."""
    if code.percent is not None:
        return gettext("%(percent)d%% off") % {"percent": code.percent}
    return gettext("%(amount)s off") % {"amount": shown(code.cents_off or 0, currency)}
