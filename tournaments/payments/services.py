"""Actions on prices, codes, payments and refunds.

Each action locks the event's row, which keeps the last use of a price or of a code from being given twice, and writes
one ledger entry. Nothing here talks to a provider: the jobs of `tasks` do, and `receiving` takes what providers say.
"""

import re
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common import jobs
from tournaments.common.moments import check_dates
from tournaments.common.names import as_name
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.events.models import Entrant, Event
from tournaments.events.services import mark_settled, record, settle_entry
from tournaments.payments.currencies import takes
from tournaments.payments.models import CODE, DESK, Payment, PriceCode, PriceTier, Refund
from tournaments.payments.money import as_decimal, is_currency
from tournaments.payments.providers import names, title_of
from tournaments.payments.selectors import (
    Price,
    codes_of,
    entry_of,
    open_payment,
    prices_of,
    providers_for,
)

Status = Payment.Status
MOST_CENTS = 1_000_000
MOST_COUNT = 100_000
MOST_PRICES = 20
MOST_CODES = 500
LONGEST_NAME = 60
LONGEST_CODE = 30
LONGEST_KEY = 60
OPEN_FOR = timedelta(
    minutes=60
)  # the provider's page: Stripe takes 30 minutes at least, PayPal keeps it for some hours
_CODE = re.compile(r"[A-Z0-9][A-Z0-9_-]{1,29}", re.ASCII)
OVER = (Event.Status.DRAFT, Event.Status.FINISHED, Event.Status.ARCHIVED, Event.Status.CANCELLED)


def _locked(event_id: int) -> Event:
    return Event.objects.select_for_update().get(pk=event_id)


def add_price(
    *,
    event: Event,
    name: str,
    cents: int,
    by: User,
    now: datetime,
    opens_at: datetime | None = None,
    closes_at: datetime | None = None,
    count: int | None = None,
) -> PriceTier:
    """Offer a price from `opens_at` until `closes_at`, at most `count` times. Amounts are in the smallest unit.

    Refused: `entry_free` unless the event has an entry fee, `currency_unknown`, `name_missing`, `out_of_bounds`,
    `out_of_order`, `date_out_of_range`, `name_taken`, `too_many_prices`.
    """
    name = as_name(name, LONGEST_NAME)
    if not name:
        raise InvalidInput("name_missing", _("Give the price a name."))
    _check(cents, 1, MOST_CENTS)
    _check(count, 1, MOST_COUNT)
    check_dates(opens_at=opens_at, closes_at=closes_at)
    if opens_at and closes_at and closes_at <= opens_at:
        raise InvalidInput("out_of_order", _("The price ends before it begins."))
    try:
        with transaction.atomic():
            event = _locked(event.pk)
            entry = entry_of(event)
            if entry.kind != "paid":
                raise Refusal("entry_free", _("This event has no entry fee: set one in the procedures first."))
            if not is_currency(entry.currency):
                raise Refusal("currency_unknown", _("Choose a currency such as EUR in the procedures first."))
            if event.price_tiers.filter(removed_at=None).count() >= MOST_PRICES:
                raise Refusal("too_many_prices", _("An event has 20 prices at most."))
            tier = PriceTier.objects.create(
                event=event, name=name, cents=cents, opens_at=opens_at, closes_at=closes_at, count=count
            )
            after = {"price": tier.public_id, "cents": cents, "currency": entry.currency, "count": count}
            record(event, by, "payment.price_added", now, after=after)
            return tier
    except IntegrityError:  # the constraint `one_price_per_name`
        raise Refusal("name_taken", _("There is a price of this name already."))


def remove_price(*, tier: PriceTier, by: User, now: datetime) -> None:
    """Stop offering a price; payments that have been started can still be finished. Idempotent."""
    with transaction.atomic():
        event = _locked(tier.event_id)
        if PriceTier.objects.filter(pk=tier.pk, removed_at=None).update(removed_at=now):
            record(event, by, "payment.price_removed", now, before={"price": tier.public_id, "cents": tier.cents})


def add_code(
    *,
    event: Event,
    code: str,
    by: User,
    now: datetime,
    percent: int | None = None,
    cents_off: int | None = None,
    uses: int | None = None,
    until: datetime | None = None,
) -> PriceCode:
    """Add a code that takes `percent` or `cents_off` off a price, `uses` times at most, until a time.

    Refused: `code_invalid` unless it is 2 to 30 letters, digits, `-` or `_`; `code_takes_off` unless exactly one of
    both is given; `out_of_bounds`, `date_out_of_range`, `code_taken`, `too_many_codes`.
    """
    word = code_word(code)
    if not _CODE.fullmatch(word):
        raise InvalidInput("code_invalid", _("A code is 2 to 30 letters and digits, such as CLUB-10."))
    if percent is None and cents_off is None:
        raise InvalidInput("code_takes_off", _("Enter what the code takes off: a percentage or an amount."))
    if percent is not None and cents_off is not None:
        raise InvalidInput("code_takes_off", _("Enter a percentage or an amount, not both."))
    _check(percent, 1, 100)
    _check(cents_off, 1, MOST_CENTS)
    _check(uses, 1, MOST_COUNT)
    check_dates(until=until)
    try:
        with transaction.atomic():
            event = _locked(event.pk)
            if event.price_codes.filter(removed_at=None).count() >= MOST_CODES:
                raise Refusal("too_many_codes", _("An event has 500 codes at most."))
            made = PriceCode.objects.create(
                event=event, code=word, percent=percent, cents_off=cents_off, uses=uses, until=until
            )
            # Not the code itself: all of the staff read the ledger, and a code is worth money.
            after = {"code": made.public_id, "percent": percent, "cents_off": cents_off, "uses": uses}
            record(event, by, "payment.code_added", now, after=after)
            return made
    except IntegrityError:  # the constraint `one_code_per_word`
        raise Refusal("code_taken", _("This event has this code already."))


def remove_code(*, code: PriceCode, by: User, now: datetime) -> None:
    """Stop accepting a code; payments started with it can still be finished. Idempotent."""
    with transaction.atomic():
        event = _locked(code.event_id)
        if PriceCode.objects.filter(pk=code.pk, removed_at=None).update(removed_at=now):
            record(event, by, "payment.code_removed", now, before={"code": code.public_id})


def code_word(text: str) -> str:
    """A code as it is stored: in capitals, without blanks around it.

    >>> code_word(" club-10 ")
    'CLUB-10'
    """
    return text.strip().upper()[: LONGEST_CODE + 1]


def _check(value: int | None, low: int, high: int) -> None:
    if value is not None and not low <= value <= high:
        raise InvalidInput(
            "out_of_bounds",
            _("Choose a number from %(low)d to %(high)d.") % {"low": low, "high": high},
            details=[low, high],
        )


def start_payment(
    *, entrant: Entrant, by: User, now: datetime, price: str = "", code: str = "", provider: str = ""
) -> Payment:
    """Start a payment for an entry, and return it; a job opens the provider's page.

    `price` is the public id of a price, "" for the only one; `provider` the name of one, "" for the first that takes
    the amount. Whoever begins twice in the same way gets the same payment. If a code leaves nothing to pay, the entry
    is settled at once.

    Refused: `event_state`, `entrant_dropped`, `entrant_waiting`, `already_paid`, `price_not_offered`, `code_unknown`,
    `code_used_up`, `payment_at_desk` without a provider, `provider_unknown` (with those that there are),
    `amount_not_whole` if the provider does not take the amount, `payment_open` while another one is open.
    """
    with transaction.atomic():
        event = _locked(entrant.event_id)
        entrant = _who_owes(event, entrant)
        offered = providers_for(event)
        begun = open_payment(entrant)
        if begun is not None:
            is_open = begun.expires_at is None or now < begun.expires_at
            if is_open and _is_same(begun, price, code) and provider in ("", begun.variant):
                return begun
            _give_way(begun, now)
        chosen, taken = _priced(event, price, code, now)
        cents = taken.lowered(chosen.cents) if taken else chosen.cents
        variant = _through(offered, provider, cents, chosen.currency) if cents else CODE
        payment = _make(event, entrant, chosen, taken, cents, variant, now)
        if not cents:
            _settle(payment, entrant, Entrant.Settled.VOUCHER, by, now)
            return payment
        jobs.enqueue("payments.open", payment.public_id, payload={"payment": payment.pk}, now=now)
        record(event, by, "payment.started", now, object=entrant.public_id, after=told(payment))
        return payment


def _through(offered: list[str], provider: str, cents: int, currency: str) -> str:
    """The name of the provider that takes an amount: the wanted one, or the first that does."""
    if not offered:
        raise Refusal("payment_at_desk", _("This event is paid at the desk."))
    if provider and provider not in offered:
        raise InvalidInput("provider_unknown", _("Choose one of the payment methods offered."), details=offered)
    wanted = [provider] if provider else offered
    found = next((name for name in wanted if takes(name, currency, cents)), None)
    if found is None:
        raise _not_whole(wanted[0])
    return found


def _not_whole(provider: str) -> Refusal:
    sentence = _("%(provider)s takes only whole amounts in this currency. Choose another way to pay.")
    return Refusal("amount_not_whole", sentence % {"provider": title_of(provider)})


def _who_owes(event: Event, entrant: Entrant) -> Entrant:
    """The entrant as it is now. Refuses one who cannot pay or owes nothing."""
    entrant = Entrant.objects.get(pk=entrant.pk)
    if event.status in OVER:
        raise Refusal("event_state", _("Entries to this event cannot be paid now."))
    if entrant.status == Entrant.Status.DROPPED:
        raise Refusal("entrant_dropped", _("This entrant has dropped from the event."))
    if entrant.status == Entrant.Status.WAITING:
        raise Refusal("entrant_waiting", _("This entrant is on the waiting list: there is no place yet."))
    if entrant.settled:
        raise Refusal("already_paid", _("This entry is settled already."))
    return entrant


def _is_same(begun: Payment, price: str, code: str) -> bool:
    """Whether a payment was begun with this price and code. Without a price, whichever it was begun with counts."""
    of_price = not price or (begun.tier is not None and begun.tier.public_id == price)
    return of_price and code_word(code) == (begun.code.code if begun.code else "")


def _only(event: Event, now: datetime) -> str:
    """The id of the only price that is offered; "" if there are several, or it is the plain entry fee."""
    offered = prices_of(event, now)
    return offered[0].id if len(offered) == 1 else ""


def _give_way(begun: Payment, now: datetime) -> None:
    """Make room for another payment. Refuses while the open one could still be paid."""
    if begun.transaction_id:
        if begun.expires_at is not None and begun.expires_at <= now:
            jobs.enqueue("payments.check", begun.public_id, payload={"payment": begun.pk}, now=now)
        raise Refusal("payment_open", _("A payment is open: finish it, or cancel it first."))
    # Its page was never opened, or is being opened: the job finds the payment ended, and closes the page again.
    Payment.objects.filter(pk=begun.pk, status=Status.WAITING).update(status=Status.CANCELLED)


def _priced(event: Event, price: str, code: str, now: datetime) -> tuple[Price, PriceCode | None]:
    """The price with this id and the code, both checked. Call it with the event locked: it counts what was sold."""
    offered = prices_of(event, now)
    wanted = price or _only(event, now)
    chosen = next((each for each in offered if each.id == wanted), None)
    if chosen is None:
        raise Refusal("price_not_offered", _("Choose one of the prices that are offered now."))
    if not code.strip():
        return chosen, None
    taken = codes_of(event).filter(code=code_word(code)).first()
    if taken is None or (taken.until is not None and taken.until <= now):
        raise InvalidInput("code_unknown", _("This code is not valid here."))
    if taken.uses is not None and taken.used >= taken.uses:  # type: ignore[attr-defined]  # annotated
        raise Refusal("code_used_up", _("This code has been used as often as it can be."))
    return chosen, taken


def _make(
    event: Event, entrant: Entrant, chosen: Price, taken: PriceCode | None, cents: int, variant: str, now: datetime
) -> Payment:
    named = f"{event.name} · {chosen.tier.name}" if chosen.tier else event.name
    payment = Payment(
        event=event,
        entrant=entrant,
        tier=chosen.tier,
        code=taken,
        cents=cents,
        currency=chosen.currency,
        total=as_decimal(cents, chosen.currency),
        description=named[:200],
        variant=variant,
        started_at=now,
        expires_at=now + OPEN_FOR if variant not in (CODE, DESK) else None,
    )
    if variant in (CODE, DESK):
        payment.status, payment.paid_at, payment.captured_amount = Status.CONFIRMED, now, payment.total
    payment.save()
    return payment


def _settle(payment: Payment, entrant: Entrant, how: str, by: User, now: datetime) -> None:
    mark_settled(entrant=entrant, before=Entrant.Settled.NO, after=how)
    record(payment.event, by, "payment.confirmed", now, object=entrant.public_id, after=told(payment))


def told(payment: Payment) -> dict[str, object]:
    """What the ledger records of a payment: ids and amounts, nothing about the payer."""
    return {
        "payment": payment.public_id,
        "cents": payment.cents,
        "currency": payment.currency,
        "way": payment.variant,
    }


def cancel_payment(*, payment: Payment, by: User, now: datetime) -> None:
    """Cancel an open payment. If the provider's page is open already, a job closes it first. Idempotent.

    Refused: `payment_not_open` if it was paid or has failed.
    """
    with transaction.atomic():
        event = _locked(payment.event_id)
        payment = Payment.objects.select_related("entrant").get(pk=payment.pk)
        if payment.status in (Status.CANCELLED, Status.REJECTED):
            return
        if payment.status != Status.WAITING:
            raise Refusal("payment_not_open", _("This payment is not open any more."))
        if payment.transaction_id:
            jobs.enqueue("payments.close", payment.public_id, payload={"payment": payment.pk}, now=now)
            return
        Payment.objects.filter(pk=payment.pk).update(status=Status.CANCELLED)
        record(event, by, "payment.ended", now, object=payment.entrant.public_id, after=told(payment))


def note_payment(*, entrant: Entrant, by: User, now: datetime, price: str = "", code: str = "") -> Payment:
    """Note that an entrant paid a price at the desk, and settle the entry.

    Refused: `event_state`, `entrant_dropped`, `entrant_waiting`, `already_paid`, `price_not_offered`, `code_unknown`,
    `code_used_up`.
    """
    with transaction.atomic():
        event = _locked(entrant.event_id)
        entrant = _who_owes(event, entrant)
        chosen, taken = _priced(event, price, code, now)
        cents = taken.lowered(chosen.cents) if taken else chosen.cents
        payment = _make(event, entrant, chosen, taken, cents, DESK if cents else CODE, now)
        _settle(payment, entrant, Entrant.Settled.PAID if cents else Entrant.Settled.VOUCHER, by, now)
        return payment


def mark_paid(*, entrant: Entrant, by: User, now: datetime) -> None:
    """Note that an entrant paid at the desk, with the amount if the event has a price.

    Refused as `note_payment`: `price_not_offered` if there are several prices.
    """
    if prices_of(entrant.event, now):
        note_payment(entrant=entrant, by=by, now=now)
    else:
        settle_entry(entrant=entrant, how=Entrant.Settled.PAID, by=by, now=now)


def note_settled(*, entrant: Entrant, how: str, by: User, now: datetime) -> None:
    """Note at the desk how an entry was settled: `paid` (see `mark_paid`), `voucher`, or "" if it is owed. Idempotent.

    Refused: `entry_unknown`, `entry_free`, `price_not_offered`.
    """
    with transaction.atomic():
        _locked(entrant.event_id)
        before = Entrant.objects.get(pk=entrant.pk).settled
        if how == before == Entrant.Settled.PAID:
            return
        if before or how == Entrant.Settled.NO:
            mark_owed(entrant=entrant, by=by, now=now)
        if how == Entrant.Settled.PAID:
            mark_paid(entrant=entrant, by=by, now=now)
        elif how != Entrant.Settled.NO:
            settle_entry(entrant=entrant, how=how, by=by, now=now)


def mark_owed(*, entrant: Entrant, by: User, now: datetime) -> None:
    """Note that an entry is owed again; an amount that was noted at the desk counts as given back. Idempotent."""
    with transaction.atomic():
        for payment in Payment.objects.filter(entrant=entrant, variant=DESK, status=Status.CONFIRMED):
            refund(payment=payment, key=f"undo-{payment.public_id}", by=by, now=now)
        settle_entry(entrant=entrant, how=Entrant.Settled.NO, by=by, now=now)


def refund(*, payment: Payment, key: str, by: User, now: datetime, cents: int | None = None) -> Refund:
    """Refund `cents` of a payment, or all that is left. The same `key` refunds once.

    What was paid at the desk is given back there, and counts at once. A provider is asked by a job, and its notice
    ends the refund.

    Refused: `key_invalid`, `key_reused` for another amount, `payment_not_received`, `refund_too_much` (with what is
    left), `provider_gone` if the settings no longer have the provider, `amount_not_whole` if it does not take the
    amount.
    """
    if not re.fullmatch(r"[\w-]{1,60}", key, re.ASCII):
        raise InvalidInput("key_invalid", _("The key of a refund is 1 to 60 letters and digits."))
    _check(cents, 1, MOST_CENTS)
    with transaction.atomic():
        event = _locked(payment.event_id)
        payment = Payment.objects.select_related("entrant", "event").get(pk=payment.pk)
        before = payment.refunds.filter(key=key).first()
        if before is not None:
            if cents is not None and before.cents != cents:
                raise Refusal("key_reused", _("This refund was asked for before, with another amount."))
            return before
        if payment.status not in (Status.CONFIRMED, Status.REFUNDED):
            raise Refusal("payment_not_received", _("This payment has not come in: there is nothing to refund."))
        left = payment.left_cents
        wanted = left if cents is None else cents
        if not 0 < wanted <= left:
            raise Refusal("refund_too_much", _("That is more than is left of this payment."), details=[left])
        if payment.variant != DESK and payment.variant not in names():
            raise Refusal("provider_gone", _("This provider is no longer set up: refund it on the provider’s site."))
        if payment.variant != DESK and not takes(payment.variant, payment.currency, wanted):
            raise _not_whole(payment.variant)
        made = Refund.objects.create(payment=payment, cents=wanted, key=key, by=by, asked_at=now)
        if payment.variant == DESK:
            end_refund(made, Refund.Status.DONE, now)
        else:
            jobs.enqueue("payments.refund", made.public_id, payload={"refund": made.pk}, now=now)
        code = "payment.refunded" if payment.variant == DESK else "payment.refund_asked"
        after = {**told(payment), "refund": made.public_id, "cents": wanted}
        record(event, by, code, now, object=payment.entrant.public_id, after=after)
        return made


def end_refund(made: Refund, state: str, now: datetime) -> None:
    """Record that a refund is done or has failed, and update its payment and its entry.

    Call it with the event's row locked. An entry that was given back whole is owed again.
    """
    made.status, made.ended_at = state, now
    made.save(update_fields=["status", "ended_at", "provider_id"])
    payment = Payment.objects.select_related("entrant").get(pk=made.payment_id)
    done = payment.refunds.filter(status=Refund.Status.DONE)
    given = sum(done.values_list("cents", flat=True))
    whole = given >= payment.cents
    payment.captured_amount = as_decimal(max(0, payment.cents - given), payment.currency)
    payment.status = Status.REFUNDED if whole else Status.CONFIRMED
    payment.save(update_fields=["captured_amount", "status"])
    if whole and payment.problem == Payment.Problem.NONE:
        mark_settled(entrant=payment.entrant, before=Entrant.Settled.PAID, after=Entrant.Settled.NO)
