"""Two browsers at once: one payment, one last use of a code, one effect of a notice."""

import json

import pytest
from django.test import Client

from tests.builders import NOW, an_entrant
from tests.cast import Cast
from tests.payments import paypal_standin
from tests.payments.stripe_standin import Standin, signature
from tests.play.test_races import at_once
from tournaments.common import clock, jobs
from tournaments.common.models import LedgerEntry
from tournaments.events.models import Event
from tournaments.payments import services as payments
from tournaments.payments.models import Notice, Payment, Refund

pytestmark = pytest.mark.django_db(transaction=True)


def test_two_browsers_that_begin_at_once_get_one_payment(charging: Event, cast: Cast, stripe: Standin) -> None:
    entrant = an_entrant(charging, cast.player, deck=None)
    begin = lambda: payments.start_payment(entrant=entrant, by=cast.player, now=NOW)  # noqa: E731
    assert at_once(begin, begin, begin) == ["done", "done", "done"]
    jobs.run_due(NOW)
    assert (Payment.objects.count(), len(stripe.sessions)) == (1, 1)


def test_the_last_use_of_a_code_is_given_once(charging: Event, cast: Cast, stripe: Standin) -> None:
    payments.add_code(event=charging, code="LAST", percent=50, uses=1, by=cast.organizer, now=NOW)
    one, two = (an_entrant(charging, user, deck=None) for user in (cast.player, cast.opponent))
    told = at_once(
        lambda: payments.start_payment(entrant=one, code="LAST", by=cast.player, now=NOW),
        lambda: payments.start_payment(entrant=two, code="last", by=cast.opponent, now=NOW),
    )
    assert told == ["code_used_up", "done"]
    assert Payment.objects.get().cents == 600


def test_a_notice_that_comes_twice_at_once_counts_once(charging: Event, cast: Cast, stripe: Standin) -> None:
    entrant = an_entrant(charging, cast.player, deck=None)
    payment = payments.start_payment(entrant=entrant, by=cast.player, now=NOW)
    jobs.run_due(NOW)
    payment.refresh_from_db()
    body = json.dumps(stripe.pay(payment.transaction_id)).encode()
    answers: list[int] = []

    def send() -> None:
        headers = {"Stripe-Signature": signature(body)}
        answer = Client().post("/payments/notices/stripe/", body, "application/json", headers=headers)
        answers.append(answer.status_code)

    assert at_once(send, send, send) == ["done", "done", "done"]
    assert (answers, Notice.objects.count()) == ([200, 200, 200], 1)
    assert LedgerEntry.objects.filter(code="payment.confirmed").count() == 1


def test_two_notices_of_paypal_at_once_settle_once(charging: Event, cast: Cast, paypal: paypal_standin.Standin) -> None:
    entrant = an_entrant(charging, cast.player, deck=None)
    payment = payments.start_payment(entrant=entrant, by=cast.player, now=clock.now())
    jobs.run_due(clock.now())
    payment.refresh_from_db()
    order = payment.transaction_id

    def send(notice: paypal_standin.Document) -> None:
        body = json.dumps(notice).encode()
        headers = paypal.signed(body)
        assert Client().post("/payments/notices/paypal/", body, "application/json", headers=headers).status_code == 200

    approved = paypal.approve(order)
    assert at_once(lambda: send(approved), lambda: send(approved), lambda: send(approved)) == ["done"] * 3
    work = lambda: jobs.run_due(clock.now())  # noqa: E731
    assert at_once(work, work) == ["done", "done"]
    assert [path for path, _ in paypal.asked].count(f"/v2/checkout/orders/{order}/capture") == 1
    captured, another = paypal.captured(order), paypal.captured(order)
    assert at_once(lambda: send(captured), lambda: send(captured), lambda: send(another)) == ["done"] * 3
    assert sorted(Notice.objects.values_list("outcome", flat=True)) == ["done", "done", "no_change"]
    assert LedgerEntry.objects.filter(code="payment.confirmed").count() == 1


def test_a_payment_is_refunded_once_by_two_who_refund_at_once(charging: Event, cast: Cast) -> None:
    entrant = an_entrant(charging, cast.player, deck=None)
    payment = payments.note_payment(entrant=entrant, by=cast.scorekeeper, now=NOW)
    told = at_once(
        lambda: payments.refund(payment=payment, key="one", by=cast.organizer, now=NOW),
        lambda: payments.refund(payment=payment, key="two", by=cast.organizer, now=NOW),
    )
    assert told == ["done", "refund_too_much"]
    assert Refund.objects.get().cents == 1200
