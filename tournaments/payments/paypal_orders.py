"""PayPal as a provider of payments: an order that the player approves on PayPal's page, and that we then capture.

It uses PayPal's Orders v2 and Payments v2; django-payments' own class for PayPal speaks the older v1, which has no
signed notices. An order takes no money until it is captured, so one that is not captured needs no closing.
"""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Any

from payments.core import BasicProvider

from tournaments.payments.currencies import PAYPAL_WITHOUT_DECIMALS
from tournaments.payments.models import Payment, Refund
from tournaments.payments.money import as_decimal, decimals_of, is_currency
from tournaments.payments.paypal_api import Api
from tournaments.payments.paypal_signatures import Certificates, signed_of
from tournaments.payments.providers import (
    APPROVED,
    ENDED,
    OPEN,
    PAID,
    REFUND,
    UNREADABLE,
    BadNotice,
    Opened,
    ProviderDown,
    ProviderRefused,
    Said,
    document_of,
)

API = "https://api-m.paypal.com"
LONGEST_DESCRIPTION = 127
# The kinds of PayPal's notices that mean something here. All others are answered and forgotten.
_KINDS = {
    "CHECKOUT.ORDER.APPROVED": APPROVED,
    "CHECKOUT.PAYMENT-APPROVAL.REVERSED": ENDED,
    "PAYMENT.CAPTURE.COMPLETED": PAID,
    "PAYMENT.CAPTURE.DECLINED": ENDED,
    "PAYMENT.CAPTURE.DENIED": ENDED,
    "PAYMENT.CAPTURE.REFUNDED": REFUND,
    "PAYMENT.CAPTURE.REVERSED": REFUND,
    "PAYMENT.REFUND.FAILED": REFUND,
    "PAYMENT.REFUND.PENDING": REFUND,
}
_ORDERS = {"APPROVED": APPROVED, "CREATED": OPEN, "PAYER_ACTION_REQUIRED": OPEN, "SAVED": OPEN, "VOIDED": ENDED}
_CAPTURES = {"COMPLETED": PAID, "PARTIALLY_REFUNDED": PAID, "REFUNDED": PAID, "DECLINED": ENDED, "FAILED": ENDED}
_REFUNDS = {
    "COMPLETED": Refund.Status.DONE,
    "FAILED": Refund.Status.FAILED,
    "CANCELLED": Refund.Status.FAILED,
}


class PayPal(BasicProvider):
    """PayPal: the player approves an order on PayPal's page, a job captures it, and PayPal's signed notice says so."""

    title = "PayPal"

    def __init__(self, client_id: str, secret: str, webhook_id: str, api_base: str = API) -> None:
        super().__init__()
        self.api = Api(client_id, secret, api_base)
        self.certificates = Certificates(api_base)
        self.webhook_id = webhook_id

    def open(self, payment: Payment) -> Opened:
        """Make the order of a payment. The same payment always gets the same order."""
        wanted = {
            "intent": "CAPTURE",
            "purchase_units": [
                {
                    "custom_id": str(payment.token),
                    "description": payment.description[:LONGEST_DESCRIPTION],
                    "amount": _money(payment.cents, payment.currency),
                }
            ],
            "payment_source": {
                "paypal": {
                    "experience_context": {
                        "return_url": payment.get_success_url(),
                        "cancel_url": payment.get_failure_url(),
                        "shipping_preference": "NO_SHIPPING",
                        "user_action": "PAY_NOW",
                    }
                }
            },
        }
        made = self.api.post("/v2/checkout/orders", wanted, request_id=f"open-{payment.token}")
        address = _link(made, "payer-action") or _link(made, "approve")
        if not made.get("id") or not address:
            raise ProviderDown("an order without its page")
        return Opened(str(made["id"]), address)

    def close(self, payment: Payment) -> None:
        """Do nothing but look: an order that is not captured takes no money. Refused if it was captured or is gone."""
        if self._order(payment).get("status") == "COMPLETED":
            raise ProviderRefused("ORDER_ALREADY_CAPTURED")

    def ask(self, payment: Payment) -> Said:
        """What has become of a payment's order. PayPal forgets one that nobody approves after some hours."""
        try:
            return _order(self._order(payment))
        except ProviderRefused as error:
            if not str(error).startswith(("RESOURCE_NOT_FOUND", "INVALID_RESOURCE_ID")):
                raise
            return Said("", "", ENDED)

    def _order(self, payment: Payment) -> dict[str, Any]:
        return self.api.get(f"/v2/checkout/orders/{payment.transaction_id}")

    def take(self, payment: Payment) -> None:
        """Capture the order. Refused if it was captured before, or if PayPal declines it."""
        path = f"/v2/checkout/orders/{payment.transaction_id}/capture"
        if _order(self.api.post(path, {}, request_id=f"take-{payment.token}")).what == ENDED:
            raise ProviderRefused("DECLINED")

    def give_back(self, refund: Refund) -> Said:
        """Ask for a refund. The same refund is made once, however often this is called."""
        payment = refund.payment
        wanted = {"amount": _money(refund.cents, payment.currency), "custom_id": refund.public_id}
        path = f"/v2/payments/captures/{payment.money_id}/refund"
        return _refund("", "", self.api.post(path, wanted, request_id=f"refund-{refund.public_id}"))

    def ask_refund(self, refund: Refund) -> Said:
        """What has become of a refund, for when its notice was lost."""
        return _refund("", "", self.api.get(f"/v2/payments/refunds/{refund.provider_id}"))

    def counted(self, cents: int, payment: Payment) -> int:
        """The same amount: what PayPal says is read into the smallest unit."""
        return cents

    def read(self, body: bytes, headers: Mapping[str, str], now: datetime) -> Said:
        """Read a notice. Raises BadNotice if PayPal did not sign it for our webhook, or did so too long ago.

        Raises ProviderDown if the certificate cannot be fetched now.
        """
        self.certificates.check(signed_of(headers, now), body, self.webhook_id, now)
        event = document_of(body)
        kind, about = str(event.get("event_type")), event.get("resource")
        if not isinstance(about, dict):
            raise BadNotice("not a notice")
        try:
            return _notice(event["id"], kind, about)
        except UNREADABLE as error:
            raise BadNotice(type(error).__name__) from error


def _notice(notice_id: str, kind: str, about: dict[str, Any]) -> Said:
    what = _KINDS.get(kind, "")
    if what == REFUND:
        return _refund(notice_id, kind, about)
    if not what:
        return Said(notice_id, kind[:80], "")
    if kind.startswith("CHECKOUT."):
        unit = about["purchase_units"][0]
        order = str(about.get("id") or about.get("order_id") or "")
        return Said(notice_id, kind, what, reference=str(unit.get("custom_id") or ""), session=order)
    return _capture(notice_id, kind, what, about)


def _capture(notice_id: str, kind: str, what: str, about: dict[str, Any]) -> Said:
    related = (about.get("supplementary_data") or {}).get("related_ids") or {}
    cents, currency = _cents(about.get("amount"))
    return Said(
        notice_id,
        kind,
        what,
        reference=str(about.get("custom_id") or ""),
        session=str(related.get("order_id") or ""),
        money=str(about.get("id") or ""),
        cents=cents,
        currency=currency,
    )


def _order(order: dict[str, Any]) -> Said:
    """What an order says. One whose money is still on its way, as by bank transfer, says nothing."""
    unit = (order.get("purchase_units") or [{}])[0]
    captures = (unit.get("payments") or {}).get("captures") or []
    if order.get("status") == "COMPLETED" and captures:
        capture = {"custom_id": unit.get("custom_id"), **captures[-1]}
        said = _capture("", "", _CAPTURES.get(str(capture.get("status")), ""), capture)
        return Said("", "", said.what, said.reference, str(order.get("id")), said.money, said.cents, said.currency)
    cents, currency = _cents(unit.get("amount"))
    return Said(
        "",
        "",
        _ORDERS.get(str(order.get("status")), ""),
        reference=str(unit.get("custom_id") or ""),
        session=str(order.get("id") or ""),
        cents=cents,
        currency=currency,
    )


def _refund(notice_id: str, kind: str, about: dict[str, Any]) -> Said:
    cents, currency = _cents(about.get("amount"))
    return Said(
        notice_id,
        kind,
        REFUND,
        money=_link(about, "up").rsplit("/", 1)[-1],
        cents=cents,
        currency=currency,
        refund=str(about.get("custom_id") or ""),
        refund_id=str(about.get("id") or ""),
        state=_REFUNDS.get(str(about.get("status")), Refund.Status.PENDING),
    )


def _link(document: dict[str, Any], rel: str) -> str:
    """The address of a link of a document, or ""."""
    found = [link.get("href") for link in document.get("links") or [] if link.get("rel") == rel]
    return str(found[0] or "") if found else ""


def _money(cents: int, currency: str) -> dict[str, str]:
    """An amount as PayPal writes it. Raises ProviderRefused if it has decimals that PayPal does not take."""
    amount = as_decimal(cents, currency)
    if currency in PAYPAL_WITHOUT_DECIMALS:
        if amount != int(amount):
            raise ProviderRefused(f"PayPal takes whole amounts of {currency} only.")
        amount = Decimal(int(amount))
    return {"currency_code": currency, "value": f"{amount:f}"}


def _cents(amount: Any) -> tuple[int, str]:
    """An amount of PayPal in the smallest unit, with its currency; 0 if it cannot be read, which settles nothing."""
    currency = str((amount or {}).get("currency_code") or "")
    if not is_currency(currency):
        return 0, currency
    try:
        cents = Decimal(str(amount.get("value"))).scaleb(decimals_of(currency))
        return (int(cents) if cents == cents.to_integral_value() else 0), currency
    except (InvalidOperation, OverflowError, ValueError):
        return 0, currency
