"""Read queries on money: what an entrant owes, which prices are offered, and what came in."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Prefetch, Q, QuerySet, Sum

from tournaments.common.csv_tables import Table
from tournaments.events.models import Entrant, Event
from tournaments.events.procedures import Entry, read_procedures
from tournaments.payments.currencies import takes
from tournaments.payments.models import Payment, PriceCode, PriceTier, Refund
from tournaments.payments.money import as_decimal, is_currency
from tournaments.payments.providers import names

Status = Payment.Status
COUNTED = Q(payments__status__in=(Status.WAITING, Status.CONFIRMED))  # payments that use up a price or a code


@dataclass(frozen=True)
class Price:
    """A price that is offered now. `tier` is None for the plain entry fee of an event without prices."""

    tier: PriceTier | None
    cents: int
    currency: str

    @property
    def id(self) -> str:
        """Its public id; "" for the plain entry fee."""
        return self.tier.public_id if self.tier else ""


def entry_of(event: Event) -> Entry:
    """The entry fee of an event, as set in its procedures."""
    return read_procedures(event.procedures).entry


def tiers_of(event: Event) -> QuerySet[PriceTier]:
    """The prices of an event that were not removed, each with `sold`: its open and its paid payments."""
    return event.price_tiers.filter(removed_at=None).annotate(sold=Count("payments", filter=COUNTED)).order_by("pk")


def codes_of(event: Event) -> QuerySet[PriceCode]:
    """The codes of an event that were not removed, each with `used`: its open and its paid payments."""
    return event.price_codes.filter(removed_at=None).annotate(used=Count("payments", filter=COUNTED)).order_by("pk")


def prices_of(event: Event, now: datetime) -> list[Price]:
    """The prices that are offered now: those of the event, or its plain entry fee if it has none.

    Empty if the entry is free or by voucher, if it costs nothing, or if no price is on sale now.
    """
    entry = entry_of(event)
    if entry.kind != "paid":
        return []
    tiers = list(tiers_of(event))
    if not tiers:
        return [Price(None, entry.cents, entry.currency)] if entry.cents else []
    left = [tier for tier in tiers if tier.count is None or tier.sold < tier.count]  # type: ignore[attr-defined]
    return [Price(tier, tier.cents, entry.currency) for tier in left if tier.is_offered(now)]


def providers_for(event: Event) -> list[str]:
    """The names of the providers through which entrants can pay, in the order of the settings. Empty: at the desk."""
    entry = entry_of(event)
    if entry.kind != "paid" or not is_currency(entry.currency):
        return []
    return [name for name in names() if takes(name, entry.currency)]


def payments_of(event: Event) -> QuerySet[Payment]:
    """The payments of an event with their entrants and refunds, newest first."""
    found = event.payments.select_related("entrant", "tier", "code").order_by("-pk")
    return found.prefetch_related(Prefetch("refunds", Refund.objects.order_by("pk")), "entrant__member_set")


def open_payment(entrant: Entrant) -> Payment | None:
    """The payment of an entrant that is waiting for the provider, if there is one."""
    return entrant.payments.filter(status=Status.WAITING).first()


def payments_shown(entrant: Entrant) -> list[Payment]:
    """The payments of an entrant that the player should see, newest first: open, paid and refunded ones."""
    shown = (Status.WAITING, Status.CONFIRMED, Status.REFUNDED, Status.ERROR)
    return list(entrant.payments.filter(status__in=shown).prefetch_related("refunds").order_by("-pk"))


@dataclass(frozen=True)
class Total:
    """What came in and went out in a currency, in its smallest unit."""

    currency: str
    received: int
    refunded: int

    @property
    def kept(self) -> int:
        """What is left."""
        return self.received - self.refunded


def totals_of(event: Event) -> list[Total]:
    """What came in and was given back, by currency. A refund counts once it is done."""
    received = Q(status__in=(Status.CONFIRMED, Status.REFUNDED))
    came = event.payments.filter(received).order_by().values_list("currency").annotate(Sum("cents"))
    done = Refund.objects.filter(payment__event=event, status=Refund.Status.DONE).order_by()
    back = dict(done.values_list("payment__currency").annotate(Sum("cents")))
    return [Total(currency, cents, back.get(currency, 0)) for currency, cents in sorted(came)]


def settled_without(event: Event) -> int:
    """How many entries count as paid without a payment that says how much: the desk marked them so."""
    paid = event.entrants.filter(settled=Entrant.Settled.PAID)
    return paid.exclude(payments__status=Status.CONFIRMED).count()


COLUMNS = (
    *("payment", "entrant", "name", "price", "code", "way", "status", "problem", "amount", "refunded"),
    *("currency", "started", "paid"),
)


def payments_table(event: Event) -> Table:
    """The payments of an event for download, oldest first. Amounts are in whole units."""
    rows = []
    for payment in payments_of(event).order_by("pk"):
        back = sum(each.cents for each in payment.refunds.all() if each.status == Refund.Status.DONE)
        rows.append((
            payment.public_id,
            payment.entrant.public_id,
            payment.entrant.full_name,
            payment.tier.name if payment.tier else "",
            payment.code.code if payment.code else "",
            payment.variant,
            payment.status,
            payment.problem,
            as_decimal(payment.cents, payment.currency),
            as_decimal(back, payment.currency),
            payment.currency,
            payment.started_at,
            payment.paid_at,
        ))
    return Table("payments", COLUMNS, tuple(rows))


def to_look_at(event: Event) -> int:
    """Count the payments that need the desk's attention: those with a problem that are not refunded yet."""
    return _questioned(event.payments.all()).count()


def all_to_look_at() -> int:
    """The same for all events together."""
    return _questioned(Payment.objects.all()).count()


def _questioned(payments: QuerySet[Payment]) -> QuerySet[Payment]:
    return payments.exclude(problem=Payment.Problem.NONE).exclude(status=Status.REFUNDED)
