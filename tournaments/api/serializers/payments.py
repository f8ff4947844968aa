"""Prices, codes, payments and refunds. Amounts are whole numbers of the currency's smallest unit, such as cents."""

from rest_framework import serializers

from tournaments.api.serializers.base import Input, MomentField
from tournaments.payments.models import Payment, PriceTier, Refund
from tournaments.payments.selectors import entry_of
from tournaments.payments.services import (
    LONGEST_CODE,
    LONGEST_KEY,
    LONGEST_NAME,
    MOST_CENTS,
    MOST_COUNT,
)


class PriceSerializer(serializers.Serializer):
    """A price of an event."""

    id = serializers.CharField(source="public_id")
    name = serializers.CharField()
    cents = serializers.IntegerField()
    currency = serializers.SerializerMethodField()
    opens_at = serializers.DateTimeField(allow_null=True)
    closes_at = serializers.DateTimeField(allow_null=True)
    count = serializers.IntegerField(allow_null=True)
    sold = serializers.IntegerField(default=0, help_text="Open and paid payments.")

    def get_currency(self, tier: PriceTier) -> str:
        """The currency of the event's entry fee."""
        return entry_of(tier.event).currency


class PriceInput(Input):
    """A new price."""

    name = serializers.CharField(max_length=LONGEST_NAME)
    cents = serializers.IntegerField(min_value=1, max_value=MOST_CENTS)
    opens_at = MomentField(required=False, allow_null=True)
    closes_at = MomentField(required=False, allow_null=True)
    count = serializers.IntegerField(min_value=1, max_value=MOST_COUNT, required=False, allow_null=True)


class CodeSerializer(serializers.Serializer):
    """A code that lowers a price."""

    id = serializers.CharField(source="public_id")
    code = serializers.CharField()
    percent = serializers.IntegerField(allow_null=True)
    cents_off = serializers.IntegerField(allow_null=True)
    uses = serializers.IntegerField(allow_null=True)
    used = serializers.IntegerField(default=0, help_text="Open and paid payments.")
    until = serializers.DateTimeField(allow_null=True)


class CodeInput(Input):
    """A new code. It takes off either a percentage or an amount."""

    code = serializers.CharField(max_length=LONGEST_CODE)
    percent = serializers.IntegerField(min_value=1, max_value=100, required=False, allow_null=True)
    cents_off = serializers.IntegerField(min_value=1, max_value=MOST_CENTS, required=False, allow_null=True)
    uses = serializers.IntegerField(min_value=1, max_value=MOST_COUNT, required=False, allow_null=True)
    until = MomentField(required=False, allow_null=True)


class RefundSerializer(serializers.Serializer):
    """A refund of a payment."""

    id = serializers.CharField(source="public_id")
    cents = serializers.IntegerField()
    status = serializers.ChoiceField(Refund.Status.choices)
    asked_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)


class PaymentSerializer(serializers.Serializer):
    """A payment. `address` is the provider's page while it can be paid there, empty until it is open."""

    id = serializers.CharField(source="public_id")
    entrant = serializers.CharField(source="entrant.public_id")
    price = serializers.CharField(source="tier.public_id", default=None, allow_null=True)
    code = serializers.CharField(source="code.code", default=None, allow_null=True)
    way = serializers.CharField(source="variant", help_text="`desk`, `code`, or the name of a provider.")
    cents = serializers.IntegerField()
    currency = serializers.CharField()
    status = serializers.ChoiceField(Payment.Status.choices)
    problem = serializers.CharField(allow_blank=True, help_text="Why it did not settle the entry; empty if it did.")
    address = serializers.SerializerMethodField()
    started_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True)
    paid_at = serializers.DateTimeField(allow_null=True)
    refunds = RefundSerializer(many=True)

    def get_address(self, payment: Payment) -> str:
        """The provider's page, while the payment is open."""
        return payment.address if payment.status == Payment.Status.WAITING else ""


class PaymentsQuery(serializers.Serializer):
    """Which payments to list."""

    status = serializers.ChoiceField(Payment.Status.choices, required=False)


class PayInput(Input):
    """What is paid: the id of a price, which may be left out if there is only one, and a code."""

    price = serializers.CharField(max_length=20, required=False, allow_blank=True)
    code = serializers.CharField(max_length=60, required=False, allow_blank=True)


class StartPaymentInput(PayInput):
    """What is paid, and through which provider: `stripe`, `paypal`; the first of the site if it is left out."""

    provider = serializers.CharField(max_length=20, required=False, allow_blank=True)


class RefundInput(Input):
    """How much is given back (all that is left if `cents` is left out), and a key: the same key refunds once."""

    key = serializers.CharField(max_length=LONGEST_KEY)
    cents = serializers.IntegerField(min_value=1, max_value=MOST_CENTS, required=False, allow_null=True)
