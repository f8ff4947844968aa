"""What providers say, and what it changes: an entry is settled, a payment ends, a refund is done.

A signed notice is the usual way; where one was lost, a job asks the provider. Both come here. A notice counts once, and
a late one never undoes a newer one. What does not fit (a wrong amount, an entrant who has dropped, a second payment) is
noted for the desk and settles nothing.
"""

import logging
from datetime import datetime

from django.db import IntegrityError, transaction

from tournaments.common import jobs, ledger
from tournaments.events.models import Entrant, Event
from tournaments.events.services import mark_settled
from tournaments.payments.models import Notice, Payment, Refund
from tournaments.payments.providers import APPROVED, ENDED, PAID, REFUND, Said, provider_of
from tournaments.payments.services import end_refund, told

logger = logging.getLogger(__name__)
Status, Outcome = Payment.Status, Notice.Outcome


def receive(*, provider: str, said: Said, now: datetime) -> str:
    """Take a notice whose signature was checked. Returns its outcome; a doubled one has none (`no_change`)."""
    if not said.what:
        return Outcome.NO_CHANGE
    payment = _payment_of(provider, said)
    if payment is None:
        logger.warning("a notice of %s about a payment that is not known here: %s", provider, said.notice_id)
    try:
        with transaction.atomic():
            if payment is not None:
                Event.objects.select_for_update().get(pk=payment.event_id)
            notice = Notice.objects.create(
                provider=provider,
                notice_id=said.notice_id,
                kind=said.kind,
                payment=payment,
                outcome=Outcome.UNKNOWN,
                received_at=now,
            )
            if payment is not None:
                notice.outcome = apply(payment=payment, said=said, now=now)
                notice.save(update_fields=["outcome"])
            return notice.outcome
    except IntegrityError:
        if not Notice.objects.filter(provider=provider, notice_id=said.notice_id).exists():
            raise
        return Outcome.NO_CHANGE  # the same notice once more


def _payment_of(provider: str, said: Said) -> Payment | None:
    """The payment that a notice is about, or None."""
    ours = Payment.objects.filter(variant=provider)
    if said.what != REFUND:
        found = ours.filter(token=said.reference).first() if said.reference else None
        # Another order than the one that was opened for this payment says nothing about it.
        other = found is not None and found.transaction_id and said.session not in ("", found.transaction_id)
        return None if other else found
    refund = Refund.objects.filter(public_id=said.refund, payment__variant=provider).first() if said.refund else None
    if refund is not None:
        return refund.payment
    return ours.filter(money_id=said.money).first() if said.money else None


def apply(*, payment: Payment, said: Said, now: datetime) -> str:
    """Change what a provider's word changes, with one ledger entry. Returns the outcome.

    Call it in a transaction with the event's row locked.
    """
    payment = Payment.objects.select_related("event", "entrant").get(pk=payment.pk)
    if said.what == PAID:
        return _paid(payment, said, now)
    if said.what == ENDED:
        return _ended(payment, now)
    if said.what == APPROVED:
        return _approved(payment, said, now)
    return _refunded(payment, said, now)


def _record(payment: Payment, code: str, now: datetime, **more: object) -> None:
    ledger.record(
        chain=payment.event.public_id,
        actor=ledger.SYSTEM,
        code=code,
        object=payment.entrant.public_id,
        now=now,
        after={**told(payment), **more},
    )


def has_its_amount(payment: Payment, said: Said) -> bool:
    """Whether the provider reports the amount and the currency that the payment has here."""
    expected = provider_of(payment.variant).counted(payment.cents, payment)
    return (said.cents, said.currency) == (expected, payment.currency)


def _approved(payment: Payment, said: Said, now: datetime) -> str:
    """The player has approved a payment: a job takes its money, and nothing is settled yet."""
    waiting = Payment.objects.filter(pk=payment.pk, status=Status.WAITING)
    if not waiting.update(transaction_id=payment.transaction_id or said.session):
        return Outcome.NO_CHANGE
    jobs.enqueue("payments.check", payment.public_id, payload={"payment": payment.pk}, now=now)
    return Outcome.DONE


def _paid(payment: Payment, said: Said, now: datetime) -> str:
    if payment.status in (Status.CONFIRMED, Status.REFUNDED):
        return Outcome.NO_CHANGE
    if not has_its_amount(payment, said):
        if payment.problem == Payment.Problem.WRONG_AMOUNT:
            return Outcome.NO_CHANGE
        payment.status, payment.problem = Status.ERROR, Payment.Problem.WRONG_AMOUNT
        payment.save(update_fields=["status", "problem"])
        _record(payment, "payment.questioned", now, problem=payment.problem)
        return Outcome.QUESTIONED
    # The money is there, whatever became of the payment here in the meantime.
    payment.status, payment.paid_at, payment.captured_amount = Status.CONFIRMED, now, payment.total
    payment.money_id, payment.transaction_id = said.money, payment.transaction_id or said.session
    payment.problem = _problem_of(payment)
    if payment.problem == Payment.Problem.NONE and not mark_settled(
        entrant=payment.entrant, before=Entrant.Settled.NO, after=Entrant.Settled.PAID
    ):
        payment.problem = Payment.Problem.PAID_TWICE
    payment.save(
        update_fields=["status", "paid_at", "captured_amount", "money_id", "transaction_id", "problem", "modified"]
    )
    if payment.problem:
        _record(payment, "payment.questioned", now, problem=payment.problem)
        return Outcome.QUESTIONED
    _record(payment, "payment.confirmed", now)
    return Outcome.DONE


def _problem_of(payment: Payment) -> str:
    """Why money that came in does not settle the entry: the event or the entrant is not there any more."""
    if payment.event.status == Event.Status.CANCELLED:
        return Payment.Problem.CANCELLED
    if payment.entrant.status == Entrant.Status.DROPPED:
        return Payment.Problem.DROPPED
    return Payment.Problem.NONE


def _ended(payment: Payment, now: datetime) -> str:
    if not Payment.objects.filter(pk=payment.pk, status=Status.WAITING).update(status=Status.REJECTED):
        return Outcome.NO_CHANGE
    _record(payment, "payment.ended", now)
    return Outcome.DONE


def _refunded(payment: Payment, said: Said, now: datetime) -> str:
    refund = _refund_of(payment, said, now)
    if refund is None:
        return Outcome.QUESTIONED
    if said.refund_id and not refund.provider_id:
        refund.provider_id = said.refund_id
        refund.save(update_fields=["provider_id"])
    # A refund that was done can still fail, as when a bank sends it back; nothing else is undone.
    moves = {
        Refund.Status.PENDING: (Refund.Status.DONE, Refund.Status.FAILED),
        Refund.Status.DONE: (Refund.Status.FAILED,),
    }
    if said.state not in moves.get(Refund.Status(refund.status), ()):
        return Outcome.NO_CHANGE
    end_refund(refund, said.state, now)
    code = "payment.refunded" if said.state == Refund.Status.DONE else "payment.refund_failed"
    _record(payment, code, now, refund=refund.public_id, cents=refund.cents)
    return Outcome.DONE


def _refund_of(payment: Payment, said: Said, now: datetime) -> Refund | None:
    """The refund that a notice is about. One made on the provider's own site gets a row; None if it cannot be."""
    ours = payment.refunds.filter(public_id=said.refund).first() if said.refund else None
    found = ours or payment.refunds.filter(provider_id=said.refund_id).first()
    if found is not None:
        return found
    cents = said.cents // provider_of(payment.variant).counted(1, payment)
    if said.currency != payment.currency or not 0 < cents <= payment.left_cents:
        return None
    key = f"provider-{said.refund_id}"[:60]
    return Refund.objects.create(payment=payment, cents=cents, key=key, provider_id=said.refund_id, asked_at=now)


def take_refund(*, refund: Refund, refund_id: str, state: str, now: datetime) -> None:
    """Take what the provider answered to a refund. It is done only once the notice says so; it can fail at once."""
    with transaction.atomic():
        Event.objects.select_for_update().get(pk=refund.payment.event_id)
        refund = Refund.objects.select_related("payment__event", "payment__entrant").get(pk=refund.pk)
        if refund_id and not refund.provider_id:
            refund.provider_id = refund_id
            refund.save(update_fields=["provider_id"])
        if state == Refund.Status.FAILED and refund.status == Refund.Status.PENDING:
            end_refund(refund, state, now)
            _record(refund.payment, "payment.refund_failed", now, refund=refund.public_id, cents=refund.cents)


def give_up(*, payment: Payment, why: str, now: datetime) -> None:
    """End a payment whose page the provider does not open. `why` is for the organizer."""
    with transaction.atomic():
        Event.objects.select_for_update().get(pk=payment.event_id)
        payment = Payment.objects.select_related("event", "entrant").get(pk=payment.pk)
        waiting = Payment.objects.filter(pk=payment.pk, status=Status.WAITING, transaction_id="")
        if waiting.update(status=Status.ERROR, message=why[:200]):
            _record(payment, "payment.ended", now)
