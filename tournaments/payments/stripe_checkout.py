"""Stripe's Checkout as a provider of payments, on django-payments' class for it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import stripe
from payments.stripe.providers import StripeProviderV3

from tournaments.payments.models import Payment, Refund
from tournaments.payments.money import as_decimal
from tournaments.payments.providers import (
    ENDED,
    PAID,
    REFUND,
    SECONDS,
    UNREADABLE,
    BadNotice,
    Opened,
    ProviderDown,
    ProviderRefused,
    Said,
    document_of,
)

TOLERANCE = 300  # seconds by which a notice may be old; a later one is somebody's copy
# The kinds of Stripe's notices that mean something here. All others are answered and forgotten.
_KINDS = {
    "checkout.session.completed": PAID,
    "checkout.session.async_payment_succeeded": PAID,
    "checkout.session.async_payment_failed": ENDED,
    "checkout.session.expired": ENDED,
    "refund.created": REFUND,
    "refund.updated": REFUND,
    "refund.failed": REFUND,
    "charge.refund.updated": REFUND,
}
_REFUND_STATES = {"succeeded": Refund.Status.DONE, "failed": Refund.Status.FAILED, "canceled": Refund.Status.FAILED}


class Stripe(StripeProviderV3):
    """Stripe's Checkout: the player pays on a page of Stripe, and Stripe's signed notice says so.

    The library counts amounts and writes the lines of the page. Here each request carries an idempotency key, has a
    timeout and uses its own client instead of the module's global key; nothing about the player is sent or kept.
    """

    title = "Stripe"

    def __init__(self, api_key: str, endpoint_secret: str, api_base: str = "") -> None:
        super().__init__(api_key=api_key, endpoint_secret=endpoint_secret)
        self.client = stripe.StripeClient(
            api_key,
            base_addresses={"api": api_base} if api_base else {},
            http_client=stripe.RequestsClient(timeout=SECONDS),
            max_network_retries=0,  # the job is tried again
        )

    def get_line_items(self, payment: Payment) -> list[dict[str, Any]]:
        """The library's one line, with the event and the price as its name instead of a number."""
        (line,) = super().get_line_items(payment)
        named = {"name": payment.description[:200]}
        return [{"quantity": 1, "price_data": {**_filled(line["price_data"]), "product_data": named}}]

    def open(self, payment: Payment) -> Opened:
        """Make the page where a payment is made. The same payment always gets the same page."""
        expires = payment.expires_at or payment.started_at
        wanted: Any = {
            "mode": "payment",
            "line_items": self.get_line_items(payment),
            "success_url": payment.get_success_url(),
            "cancel_url": payment.get_failure_url(),
            "client_reference_id": payment.token,
            "expires_at": int(expires.timestamp()),
        }
        with _errors():
            made = self.client.v1.checkout.sessions.create(wanted, {"idempotency_key": f"open-{payment.token}"})
        return Opened(str(made.id), str(made.url or ""))

    def close(self, payment: Payment) -> None:
        """End a payment's page, so that nobody can pay there. Raises ProviderRefused if it was paid or has ended."""
        with _errors():
            self.client.v1.checkout.sessions.expire(payment.transaction_id)

    def ask(self, payment: Payment) -> Said:
        """What has become of a payment's page, for when the notice was lost."""
        with _errors():
            found = self.client.v1.checkout.sessions.retrieve(payment.transaction_id).to_dict()
        ended = "checkout.session.expired" if found.get("status") == "expired" else "checkout.session.completed"
        return _session("", ended, found)

    def take(self, payment: Payment) -> None:
        """Do nothing: Stripe takes the money itself, on its page."""

    def give_back(self, refund: Refund) -> Said:
        """Ask for a refund. The same refund is made once, however often this is called."""
        payment = refund.payment
        wanted: Any = {
            "payment_intent": payment.money_id,
            "amount": self.counted(refund.cents, payment),
            "reason": "requested_by_customer",
            "metadata": {"refund": refund.public_id},
        }
        with _errors():
            made = self.client.v1.refunds.create(wanted, {"idempotency_key": f"refund-{refund.public_id}"})
        return _refund("", "refund.created", made.to_dict())

    def ask_refund(self, refund: Refund) -> Said:
        """What has become of a refund, for when its notice was lost."""
        with _errors():
            found = self.client.v1.refunds.retrieve(refund.provider_id)
        return _refund("", "refund.updated", found.to_dict())

    def counted(self, cents: int, payment: Payment) -> int:
        """An amount in the unit that Stripe counts this currency in, which for a few is not the smallest one."""
        return int(self.convert_amount(payment.currency, as_decimal(cents, payment.currency)))

    def read(self, body: bytes, headers: Mapping[str, str], now: datetime) -> Said:
        """Read a notice. Raises BadNotice if it is not signed with our secret, or was signed too long ago."""
        try:
            stripe.WebhookSignature.verify_header(
                body.decode(), headers.get("Stripe-Signature", ""), self.endpoint_secret, TOLERANCE
            )
            event = document_of(body)
            kind, about = str(event["type"]), event["data"]["object"]
            if not isinstance(about, dict):
                raise BadNotice("not an event")
            what = _KINDS.get(kind, "")
            if what == REFUND:
                return _refund(event["id"], kind, about)
            return _session(event["id"], kind, about) if what else Said(event["id"], kind[:80], "")
        except (*UNREADABLE, stripe.SignatureVerificationError) as error:
            raise BadNotice(type(error).__name__) from error


def _filled(values: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}


def _session(notice_id: str, kind: str, about: dict[str, Any]) -> Said:
    """What a Checkout session says. One that is complete without being paid yet, as by bank transfer, says nothing."""
    what = _KINDS[kind]
    if what == PAID and about.get("payment_status") != "paid":
        what = ""
    return Said(
        notice_id,
        kind,
        what,
        reference=str(about.get("client_reference_id") or ""),
        session=str(about.get("id") or ""),
        money=str(about.get("payment_intent") or ""),
        cents=int(about.get("amount_total") or 0),
        currency=str(about.get("currency") or "").upper(),
    )


def _refund(notice_id: str, kind: str, about: dict[str, Any]) -> Said:
    return Said(
        notice_id,
        kind,
        REFUND,
        money=str(about.get("payment_intent") or ""),
        cents=int(about.get("amount") or 0),
        currency=str(about.get("currency") or "").upper(),
        refund=str((about.get("metadata") or {}).get("refund") or ""),
        refund_id=str(about.get("id") or ""),
        state=_REFUND_STATES.get(str(about.get("status")), Refund.Status.PENDING),
    )


@contextmanager
def _errors() -> Iterator[None]:
    """Turn the errors of Stripe's client into those of this module."""
    try:
        yield
    except stripe.StripeError as error:
        status = error.http_status or 0
        # 409: a request with the same idempotency key is still being worked on.
        if isinstance(error, stripe.APIConnectionError) or status in (409, 429) or status >= 500:
            raise ProviderDown(type(error).__name__) from error
        raise ProviderRefused(str(error.user_message or type(error).__name__)[:200]) from error
