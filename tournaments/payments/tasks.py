"""Job handlers: everything that is asked of a provider. Each may run twice, as providers are given idempotency keys."""

from datetime import timedelta

from django.db import transaction

from tournaments.common import jobs
from tournaments.common.jobs import ATTEMPTS, RunningJob, handler
from tournaments.events.models import Event
from tournaments.payments.models import Payment, Refund
from tournaments.payments.providers import ENDED, ProviderDown, ProviderRefused, Said, provider_of
from tournaments.payments.receiving import apply, give_up, take_refund

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
        _take(payment, Said("", "", ENDED), job)


@handler("payments.check")
def check(job: RunningJob) -> None:
    """Ask the provider what became of a payment whose notice is missing. Payload: `payment` (its key)."""
    payment = Payment.objects.get(pk=job.payload["payment"])
    if payment.status == Status.WAITING and payment.transaction_id:
        _ask(payment, job)


def _ask(payment: Payment, job: RunningJob) -> None:
    said = provider_of(payment.variant).ask(payment)
    if said.what:
        _take(payment, said, job)
        return
    with transaction.atomic():
        jobs.enqueue(
            "payments.check",
            payment.public_id,
            payload={"payment": payment.pk},
            now=job.now,
            run_after=job.now + AGAIN,
        )


def _take(payment: Payment, said: Said, job: RunningJob) -> None:
    with transaction.atomic():
        Event.objects.select_for_update().get(pk=payment.event_id)
        apply(payment=payment, said=said, now=job.now)


@handler("payments.refund")
def refund(job: RunningJob) -> None:
    """Ask the provider for a refund, and once a day what has become of it. Payload: `refund` (its key)."""
    wanted = Refund.objects.select_related("payment").get(pk=job.payload["refund"])
    if wanted.status != Refund.Status.PENDING:
        return
    provider, asked = provider_of(wanted.payment.variant), bool(wanted.provider_id)
    try:
        said = provider.ask_refund(wanted) if asked else provider.give_back(wanted)
    except ProviderRefused:
        if asked:
            raise
        take_refund(refund=wanted, refund_id="", state=Refund.Status.FAILED, now=job.now)
        return
    if asked and said.state != Refund.Status.PENDING:
        _take(wanted.payment, said, job)
        return
    take_refund(refund=wanted, refund_id=said.refund_id, state=said.state, now=job.now)
    if job.now < wanted.asked_at + LONGEST_REFUND:
        with transaction.atomic():
            key, payload = wanted.public_id, {"refund": wanted.pk}
            jobs.enqueue("payments.refund", key, payload=payload, now=job.now, run_after=job.now + DAY)
