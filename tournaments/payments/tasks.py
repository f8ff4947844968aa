"""Job handlers: everything that is asked of a provider. Each may run twice, as providers are given idempotency keys."""

from datetime import timedelta

from django.db import transaction

from tournaments.common import jobs
from tournaments.common.jobs import ATTEMPTS, RunningJob, handler
from tournaments.events.models import Event
from tournaments.payments.models import Payment, Refund
from tournaments.payments.providers import (
    APPROVED,
    ENDED,
    OPEN,
    PAID,
    Provider,
    ProviderDown,
    ProviderRefused,
    Said,
    provider_of,
)
from tournaments.payments.receiving import apply, give_up, has_its_amount, take_refund

Status = Payment.Status
AFTER = timedelta(minutes=2)  # after the end of a provider's page, until its notice is missed
AGAIN = timedelta(minutes=10)
DAY = timedelta(days=1)
LONGEST_REFUND = timedelta(days=30)  # after that, nobody asks any more what has become of one


@handler("payments.open")
def open_page(job: RunningJob) -> None:
    """Open the provider's page of a payment. Payload: `payment` (its key)."""
    payment = Payment.objects.get(pk=job.payload["payment"])
    if payment.status != Status.WAITING or payment.transaction_id:
        return
    try:
        opened = provider_of(payment.variant).open(payment)
    except (ProviderDown, ProviderRefused, ValueError) as error:
        if isinstance(error, ProviderDown) and job.attempt < ATTEMPTS:
            raise
        give_up(payment=payment, why=str(error), now=job.now)
        return
    with transaction.atomic():
        ours = Payment.objects.filter(pk=payment.pk, status=Status.WAITING, transaction_id="")
        kept = ours.update(transaction_id=opened.id, address=opened.address)
        due = (payment.expires_at or job.now) + AFTER
        jobs.enqueue("payments.check", payment.public_id, payload={"payment": payment.pk}, now=job.now, run_after=due)
    if not kept and Payment.objects.filter(pk=payment.pk).exclude(status=Status.WAITING).exists():
        # It was cancelled in the meantime: nobody may pay on this page.
        payment.transaction_id = opened.id
        _close(payment, job)


@handler("payments.close")
def close_page(job: RunningJob) -> None:
    """Close the provider's page of a payment that was cancelled. Payload: `payment` (its key)."""
    payment = Payment.objects.get(pk=job.payload["payment"])
    if payment.status == Status.WAITING and payment.transaction_id:
        _close(payment, job)


def _close(payment: Payment, job: RunningJob) -> None:
    try:
        provider_of(payment.variant).close(payment)
    except ProviderRefused:
        _ask(payment, job)  # it was paid, or has ended: the provider knows which
    else:
        _apply(payment, Said("", "", ENDED), job)


@handler("payments.check")
def check(job: RunningJob) -> None:
    """Ask the provider what became of a payment; take the money if it was approved. Payload: `payment` (its key)."""
    payment = Payment.objects.get(pk=job.payload["payment"])
    if payment.status != Status.WAITING or not payment.transaction_id:
        return
    try:
        _ask(payment, job)
    except ProviderDown:
        if job.attempt < ATTEMPTS:
            raise
        _check_again(payment, job, AGAIN)  # whoever has paid must not be forgotten, however long the provider is down


def _ask(payment: Payment, job: RunningJob) -> None:
    provider = provider_of(payment.variant)
    said = provider.ask(payment)
    if said.what == APPROVED:
        said = _take_money(payment, said, provider)
    elif said.what == OPEN and payment.expires_at is not None and payment.expires_at <= job.now:
        said = Said("", "", ENDED)  # we do not take its money any more
    if said.what in (PAID, ENDED):
        _apply(payment, said, job)
    else:
        _check_again(payment, job, AFTER if said.what == APPROVED else AGAIN)


def _take_money(payment: Payment, approved: Said, provider: Provider) -> Said:
    """Take the money of an approved payment. The notice settles the entry: what was approved is returned until then."""
    if not has_its_amount(payment, approved):
        return Said("", "", ENDED)
    try:
        provider.take(payment)
    except ProviderRefused:
        said = provider.ask(payment)  # it was taken before, and the answer was lost; or it was declined
        return said if said.what != APPROVED else Said("", "", ENDED)
    return approved


def _check_again(payment: Payment, job: RunningJob, after: timedelta) -> None:
    with transaction.atomic():
        key, payload = payment.public_id, {"payment": payment.pk}
        jobs.enqueue("payments.check", key, payload=payload, now=job.now, run_after=job.now + after)


def _apply(payment: Payment, said: Said, job: RunningJob) -> None:
    with transaction.atomic():
        Event.objects.select_for_update().get(pk=payment.event_id)
        apply(payment=payment, said=said, now=job.now)


@handler("payments.refund")
def refund(job: RunningJob) -> None:
    """Ask the provider for a refund, and once a day what has become of it. Payload: `refund` (its key)."""
    wanted = Refund.objects.select_related("payment").get(pk=job.payload["refund"])
    if wanted.status != Refund.Status.PENDING:
        return
    try:
        _ask_refund(wanted, job)
    except ProviderDown:
        if job.attempt < ATTEMPTS:
            raise
        _refund_again(wanted, job, AGAIN)


def _ask_refund(wanted: Refund, job: RunningJob) -> None:
    provider, asked = provider_of(wanted.payment.variant), bool(wanted.provider_id)
    try:
        said = provider.ask_refund(wanted) if asked else provider.give_back(wanted)
    except ProviderRefused:
        if asked:
            raise
        take_refund(refund=wanted, refund_id="", state=Refund.Status.FAILED, now=job.now)
        return
    if asked and said.state != Refund.Status.PENDING:
        _apply(wanted.payment, said, job)
        return
    take_refund(refund=wanted, refund_id=said.refund_id, state=said.state, now=job.now)
    _refund_again(wanted, job, DAY)


def _refund_again(wanted: Refund, job: RunningJob, after: timedelta) -> None:
    if job.now < wanted.asked_at + LONGEST_REFUND:
        with transaction.atomic():
            key, payload = wanted.public_id, {"refund": wanted.pk}
            jobs.enqueue("payments.refund", key, payload=payload, now=job.now, run_after=job.now + after)
