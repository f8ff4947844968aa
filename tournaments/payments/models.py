"""Models of money: the prices and codes of an event, payments, the notices of a provider, and refunds."""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from payments.models import BasePayment

from tournaments.common.ids import new_id
from tournaments.events.models import Entrant, Event
from tournaments.payments.money import shown

DESK = "desk"  # the `variant` of what was paid at the desk
CODE = "code"  # the `variant` of an entry for which a code left nothing to pay


def tier_id() -> str:
    return new_id("t")


def code_id() -> str:
    return new_id("c")


def payment_id() -> str:
    return new_id("y")


def refund_id() -> str:
    return new_id("z")


class PriceTier(models.Model):
    """One of the prices of an event, such as "Early bird". Its currency is that of the event's entry fee.

    A removed price is kept for the payments that name it.
    """

    public_id = models.CharField(max_length=20, unique=True, default=tier_id, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="price_tiers")
    name = models.CharField(max_length=60)
    cents = models.PositiveIntegerField(help_text="In the smallest unit of the currency.")
    opens_at = models.DateTimeField(null=True, blank=True, help_text="Empty: at once.")
    closes_at = models.DateTimeField(null=True, blank=True, help_text="Empty: never.")
    count = models.PositiveIntegerField(null=True, blank=True, help_text="How often it is sold; empty: no limit.")
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "name"], condition=Q(removed_at=None), name="one_price_per_name"),
            models.CheckConstraint(condition=~Q(name=""), name="a_price_has_a_name"),
        ]
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.public_id

    def is_offered(self, now: datetime) -> bool:
        """Whether its dates allow it now; how often it was sold is not looked at."""
        began = self.opens_at is None or self.opens_at <= now
        return self.removed_at is None and began and (self.closes_at is None or now < self.closes_at)


class PriceCode(models.Model):
    """A word that lowers the price at an event, by `percent` or by an amount. It is kept in capital letters."""

    public_id = models.CharField(max_length=20, unique=True, default=code_id, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="price_codes")
    code = models.CharField(max_length=30)
    percent = models.PositiveSmallIntegerField(null=True, blank=True)
    cents_off = models.PositiveIntegerField(null=True, blank=True)
    uses = models.PositiveIntegerField(null=True, blank=True, help_text="Empty: no limit.")
    until = models.DateTimeField(null=True, blank=True, help_text="Empty: no end.")
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "code"], condition=Q(removed_at=None), name="one_code_per_word"),
            models.CheckConstraint(
                condition=Q(percent__isnull=True, cents_off__isnull=False)
                | Q(percent__gte=1, percent__lte=100, cents_off__isnull=True),
                name="a_code_takes_off_one_way",
            ),
        ]
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.public_id

    def lowered(self, cents: int) -> int:
        """The price that is left of `cents`; a percentage is rounded in favour of the player."""
        off = self.cents_off if self.percent is None else -(-cents * self.percent // 100)
        return max(0, cents - (off or 0))


class Payment(BasePayment, models.Model):  # named again, as the library's class has no types
    """What an entrant pays, or has paid, for the entry.

    The library's fields for a name, an address and a network address are left out: only the provider knows who paid.
    `status` is one of the library's; `problem` says why money that came in did not settle the entry.
    """

    class Status(models.TextChoices):
        """The library's states that are used here."""

        WAITING = "waiting"
        CONFIRMED = "confirmed"
        REJECTED = "rejected"
        REFUNDED = "refunded"
        ERROR = "error"
        CANCELLED = "cancelled"

    class Problem(models.TextChoices):
        """Why the desk has to look at a payment."""

        NONE = ""
        DROPPED = "dropped"
        PAID_TWICE = "paid_twice"
        WRONG_AMOUNT = "wrong_amount"
        CANCELLED = "cancelled"

    billing_first_name = None
    billing_last_name = None
    billing_address_1 = None
    billing_address_2 = None
    billing_city = None
    billing_postcode = None
    billing_country_code = None
    billing_country_area = None
    billing_email = None
    billing_phone = None
    customer_ip_address = None
    delivery = None
    tax = None
    fraud_status = None
    fraud_message = None

    public_id = models.CharField(max_length=20, unique=True, default=payment_id, editable=False)
    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="payments")
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="payments")
    tier = models.ForeignKey(PriceTier, on_delete=models.PROTECT, null=True, blank=True, related_name="payments")
    code = models.ForeignKey(PriceCode, on_delete=models.PROTECT, null=True, blank=True, related_name="payments")
    cents = models.PositiveIntegerField(help_text="The price, in the smallest unit of the currency.")
    problem = models.CharField(max_length=20, choices=Problem.choices, default=Problem.NONE, blank=True)
    money_id = models.CharField(
        max_length=255, default="", blank=True, help_text="The provider's id of the money, by which it is refunded."
    )
    address = models.TextField(default="", blank=True, help_text="Of the provider's page where it is paid.")
    started_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True, blank=True, help_text="Until then the provider takes the money.")
    paid_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            # Two open payments could both be paid.
            models.UniqueConstraint(
                fields=["entrant"], condition=Q(status="waiting"), name="one_open_payment_per_entrant"
            ),
        ]
        indexes = [
            models.Index(fields=["token"], name="payment_by_token"),
            models.Index(fields=["money_id"], name="payment_by_money"),
        ]
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.public_id

    @property
    def price(self) -> str:
        """The price as pages show it."""
        return shown(self.cents, self.currency)

    @property
    def refunded_cents(self) -> int:
        """What was given back, and what is being given back, in the smallest unit. Reads the refunds."""
        return sum(refund.cents for refund in self.refunds.all() if refund.status != Refund.Status.FAILED)

    @property
    def left_cents(self) -> int:
        """What can still be refunded; 0 unless the money came in."""
        received = (self.Status.CONFIRMED, self.Status.REFUNDED)
        return self.cents - self.refunded_cents if self.status in received else 0

    def get_success_url(self) -> str:
        """Where the provider sends the player back to: our own page, which says what we know."""
        return f"{settings.SITE_URL}{reverse('web:payment', args=[self.public_id])}"

    def get_failure_url(self) -> str:
        """The same page: whether it was paid is up to the provider's notice alone."""
        return self.get_success_url()

    def get_process_url(self) -> str:
        """The address for the provider's notices; they are the same for all payments."""
        return reverse("web:payment_notice", args=[self.variant])

    def get_purchased_items(self) -> list[Any]:
        """Nothing: the price is one line, which `providers` writes."""
        return []


class Notice(models.Model):
    """A signed notice of a provider, once: a doubled one finds its row and does nothing.

    `outcome` is what became of it. It holds nothing about who paid.
    """

    class Outcome(models.TextChoices):
        DONE = "done"
        NO_CHANGE = "no_change"
        UNKNOWN = "unknown"
        QUESTIONED = "questioned"

    provider = models.CharField(max_length=20)
    notice_id = models.CharField(max_length=100)
    kind = models.CharField(max_length=80)
    payment = models.ForeignKey(Payment, on_delete=models.CASCADE, null=True, blank=True, related_name="notices")
    outcome = models.CharField(max_length=20, choices=Outcome.choices)
    received_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["provider", "notice_id"], name="a_notice_counts_once")]
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.provider} {self.notice_id}"


class Refund(models.Model):
    """Money given back, or to be given back. `key` is chosen by whoever asks, so that asking twice refunds once."""

    class Status(models.TextChoices):
        PENDING = "pending"
        DONE = "done"
        FAILED = "failed"

    public_id = models.CharField(max_length=20, unique=True, default=refund_id, editable=False)
    payment = models.ForeignKey(Payment, on_delete=models.CASCADE, related_name="refunds")
    cents = models.PositiveIntegerField()
    key = models.CharField(max_length=60)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.PENDING)
    provider_id = models.CharField(max_length=255, default="", blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+", help_text="Empty: elsewhere."
    )
    asked_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["payment", "key"], name="a_refund_once_per_key"),
            models.UniqueConstraint(
                fields=["provider_id"], condition=~Q(provider_id=""), name="one_refund_per_provider_id"
            ),
            models.CheckConstraint(condition=Q(cents__gte=1), name="a_refund_gives_something"),
        ]
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.public_id

    @property
    def amount(self) -> str:
        """The amount as pages show it."""
        return shown(self.cents, self.payment.currency)
