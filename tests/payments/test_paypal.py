"""Paying for an entry through PayPal, against a stand-in of it: approved, captured, settled by the notice, refunded."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from tests.builders import an_entrant
from tests.cast import Cast
from tests.payments import stripe_standin
from tests.payments.paypal_standin import Document, Standin
from tests.refusals import assert_refused
from tournaments.common import clock, jobs
from tournaments.common.models import Job, LedgerEntry
from tournaments.events.models import Entrant, Event
from tournaments.events.services import change_procedures
from tournaments.payments import services as payments
from tournaments.payments.models import Notice, Payment, Refund
from tournaments.payments.providers import provider_of
from tournaments.payments.selectors import providers_for

pytestmark = pytest.mark.django_db
ADDRESS = "/payments/notices/paypal/"


@pytest.fixture
def entrant(charging: Event, cast: Cast) -> Entrant:
    return an_entrant(charging, cast.player, deck=None)


def sent(paypal: Standin, notice: Document, **signed: Any) -> int:
    """Send a notice as PayPal does, and return the status of the answer."""
    body = json.dumps(notice).encode()
    client = Client(enforce_csrf_checks=True)
    return client.post(ADDRESS, body, "application/json", headers=paypal.signed(body, **signed)).status_code


def test_a_form_with_files_is_no_notice(paypal: Standin) -> None:
    answer = Client().post(ADDRESS, {"a": "b"})  # multipart/form-data
    assert (answer.status_code, answer.json()["code"], Notice.objects.count()) == (400, "signature_invalid", 0)


def work(**later: float) -> None:
    """Do the jobs that are due, or will be due some time later."""
    jobs.run_due(clock.now() + timedelta(**later))


def again(payment: Payment) -> Payment:
    payment.refresh_from_db()
    return payment


def opened(entrant: Entrant, cast: Cast, **wanted: str) -> Payment:
    """A payment whose page at PayPal is open."""
    payment = payments.start_payment(entrant=entrant, by=cast.player, now=clock.now(), **wanted)
    work()
    return again(payment)


def approved(entrant: Entrant, cast: Cast, paypal: Standin) -> Payment:
    """A payment that the player has approved, whose notice has come, and whose money a job has taken."""
    payment = opened(entrant, cast)
    assert sent(paypal, paypal.approve(payment.transaction_id)) == 200
    work()
    return again(payment)


def paid(entrant: Entrant, cast: Cast, paypal: Standin) -> Payment:
    """A payment that was made, and whose notices have come."""
    payment = approved(entrant, cast, paypal)
    assert sent(paypal, paypal.captured(payment.transaction_id)) == 200
    return again(payment)


def settled(entrant: Entrant) -> str:
    return Entrant.objects.get(pk=entrant.pk).settled


def codes(event: Event) -> list[str]:
    found = LedgerEntry.objects.filter(chain=event.public_id, code__startswith="payment.").order_by("number")
    return [entry.code for entry in found]


def in_currency(event: Event, cast: Cast, currency: str, cents: int) -> None:
    entry = {"entry": {"kind": "paid", "cents": cents, "currency": currency}}
    change_procedures(event=event, procedures=entry, by=cast.organizer, now=clock.now())
    event.refresh_from_db()


def test_the_notice_about_the_money_settles_the_entry_and_nothing_before_it_does(
    charging: Event, entrant: Entrant, cast: Cast, paypal: Standin
) -> None:
    payment = opened(entrant, cast)
    order = paypal.orders[payment.transaction_id]
    assert payment.address == f"{paypal.url}/checkoutnow?token={order['id']}"
    assert order["purchase_units"][0]["amount"] == {"currency_code": "EUR", "value": "12.00"}
    notice = paypal.approve(payment.transaction_id)
    assert sent(paypal, notice) == 200
    assert (order["status"], settled(entrant)) == ("APPROVED", "")
    work()
    assert (order["status"], again(payment).status, settled(entrant)) == ("COMPLETED", "waiting", "")
    assert sent(paypal, paypal.captured(payment.transaction_id)) == 200
    assert (again(payment).status, payment.captured_amount, settled(entrant)) == ("confirmed", 12, "paid")
    assert payment.money_id == paypal.capture_of(payment.transaction_id)["id"]
    assert codes(charging) == ["payment.started", "payment.confirmed"]


def test_nothing_about_who_paid_is_sent_or_kept(entrant: Entrant, cast: Cast, paypal: Standin) -> None:
    payment = paid(entrant, cast, paypal)
    assert "Player" not in json.dumps([document for _path, document in paypal.asked])
    kept = str(Payment.objects.filter(pk=payment.pk).values().get()) + str(list(Notice.objects.values()))
    assert "payer@example.com" not in kept and "Payer" not in kept


def test_coming_back_from_the_page_settles_nothing(entrant: Entrant, cast: Cast, paypal: Standin) -> None:
    payment = opened(entrant, cast)
    client = Client()
    client.force_login(cast.player)
    page = client.get(f"/payments/{payment.public_id}/?token={payment.transaction_id}&PayerID=QYR5Z8XDVJNXQ")
    assert "have not heard from PayPal" in page.content.decode()
    assert (again(payment).status, settled(entrant)) == ("waiting", "")


def test_doubled_notices_take_and_settle_once(charging: Event, entrant: Entrant, cast: Cast, paypal: Standin) -> None:
    payment = opened(entrant, cast)
    notice = paypal.approve(payment.transaction_id)
    assert [sent(paypal, notice), sent(paypal, notice)] == [200, 200]
    work()
    captured = paypal.captured(payment.transaction_id)
    assert [sent(paypal, captured), sent(paypal, captured)] == [200, 200]
    assert sent(paypal, paypal.captured(payment.transaction_id)) == 200  # another notice about the same
    assert [path for path, _ in paypal.asked if path.endswith("/capture")] == [
        f"/v2/checkout/orders/{payment.transaction_id}/capture"
    ]
    assert codes(charging).count("payment.confirmed") == 1
    assert sorted(Notice.objects.values_list("outcome", flat=True)) == ["done", "done", "no_change"]


def test_an_approval_after_the_end_takes_no_money(entrant: Entrant, cast: Cast, paypal: Standin) -> None:
    payment = opened(entrant, cast)
    payments.cancel_payment(payment=payment, by=cast.player, now=clock.now())
    work()
    assert again(payment).status == "rejected"
    assert sent(paypal, paypal.approve(payment.transaction_id)) == 200
    work()
    assert paypal.orders[payment.transaction_id]["status"] == "APPROVED"  # not captured
    assert opened(entrant, cast) != payment


def test_cancelling_what_was_captured_at_that_moment_keeps_the_payment(
    entrant: Entrant, cast: Cast, paypal: Standin
) -> None:
    payment = approved(entrant, cast, paypal)
    payments.cancel_payment(payment=payment, by=cast.player, now=clock.now())
    work()
    assert (again(payment).status, settled(entrant)) == ("confirmed", "paid")


# Lost answers, lost notices and a provider that is down


def test_a_capture_whose_answer_was_lost_is_found_by_asking_for_the_order(
    entrant: Entrant, cast: Cast, paypal: Standin
) -> None:
    payment = opened(entrant, cast)
    assert sent(paypal, paypal.approve(payment.transaction_id)) == 200
    paypal.loses = True
    work()
    assert (paypal.orders[payment.transaction_id]["status"], again(payment).status) == ("COMPLETED", "waiting")
    paypal.loses = False
    work(minutes=2)  # and the notice is lost, too
    assert (again(payment).status, settled(entrant)) == ("confirmed", "paid")


def test_an_order_that_somebody_else_captures_at_that_moment_is_found_paid(
    entrant: Entrant, cast: Cast, paypal: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    payment = opened(entrant, cast)
    assert sent(paypal, paypal.approve(payment.transaction_id)) == 200
    take = provider_of("paypal").take

    def twice(taken: Payment) -> None:
        take(taken)
        paypal.answered.clear()  # as if it had been asked for with another id
        take(taken)

    monkeypatch.setattr(provider_of("paypal"), "take", twice)
    work()
    assert paypal.orders[payment.transaction_id]["status"] == "COMPLETED"
    assert (again(payment).status, settled(entrant)) == ("confirmed", "paid")


def test_both_notices_lost_are_found_at_the_end_of_the_page(entrant: Entrant, cast: Cast, paypal: Standin) -> None:
    payment = opened(entrant, cast)
    paypal.approve(payment.transaction_id)  # nothing is sent
    work(minutes=63)
    assert paypal.orders[payment.transaction_id]["status"] == "COMPLETED"
    work(minutes=66)
    assert (again(payment).status, settled(entrant)) == ("confirmed", "paid")


def test_an_order_that_nobody_approves_ends_with_its_page(entrant: Entrant, cast: Cast, paypal: Standin) -> None:
    payment = opened(entrant, cast)
    work(minutes=63)
    assert again(payment).status == "rejected"
    assert opened(entrant, cast) != payment


def test_an_order_that_paypal_has_forgotten_ends(entrant: Entrant, cast: Cast, paypal: Standin) -> None:
    payment = opened(entrant, cast)
    paypal.orders.clear()
    work(minutes=63)
    assert again(payment).status == "rejected"


def test_money_that_is_on_its_way_is_waited_for(entrant: Entrant, cast: Cast, paypal: Standin) -> None:
    paypal.capture_status = "PENDING"
    payment = approved(entrant, cast, paypal)
    assert sent(paypal, paypal.captured(payment.transaction_id, "PENDING")) == 200
    work(hours=5)
    assert (again(payment).status, settled(entrant)) == ("waiting", "")
    with assert_refused("payment_open"):
        payments.start_payment(entrant=entrant, by=cast.player, now=clock.now() + timedelta(hours=5))
    paypal.orders[payment.transaction_id]["purchase_units"][0]["payments"]["captures"][0]["status"] = "COMPLETED"
    assert sent(paypal, paypal.captured(payment.transaction_id)) == 200
    assert (again(payment).status, settled(entrant)) == ("confirmed", "paid")


def test_money_that_was_on_its_way_and_is_denied_ends_the_payment(
    entrant: Entrant, cast: Cast, paypal: Standin
) -> None:
    paypal.capture_status = "PENDING"
    payment = approved(entrant, cast, paypal)
    assert sent(paypal, paypal.captured(payment.transaction_id, "DENIED")) == 200
    assert (again(payment).status, settled(entrant)) == ("rejected", "")


def test_a_declined_payment_ends_and_another_can_be_made(entrant: Entrant, cast: Cast, paypal: Standin) -> None:
    paypal.declines = True
    payment = approved(entrant, cast, paypal)
    assert (payment.status, settled(entrant)) == ("rejected", "")
    paypal.declines = False
    assert paid(entrant, cast, paypal) != payment
    assert settled(entrant) == "paid"


def test_an_order_whose_answer_was_lost_is_opened_once(entrant: Entrant, cast: Cast, paypal: Standin) -> None:
    paypal.loses = True
    payment = opened(entrant, cast)
    assert (payment.status, payment.transaction_id, len(paypal.orders)) == ("waiting", "", 1)
    paypal.loses = False
    work(minutes=2)
    assert (again(payment).transaction_id, len(paypal.orders)) == (next(iter(paypal.orders)), 1)


def test_an_approval_before_the_order_is_noted_counts(entrant: Entrant, cast: Cast, paypal: Standin) -> None:
    payment = opened(entrant, cast)
    order = payment.transaction_id
    Payment.objects.update(transaction_id="", address="")  # as if the job had been stopped right after asking
    assert sent(paypal, paypal.approve(order)) == 200
    work()
    assert (again(payment).transaction_id, paypal.orders[order]["status"]) == (order, "COMPLETED")


def test_paypal_being_down_at_the_capture_loses_nothing(entrant: Entrant, cast: Cast, paypal: Standin) -> None:
    payment = opened(entrant, cast)
    assert sent(paypal, paypal.approve(payment.transaction_id)) == 200
    paypal.down = True
    for minute in range(30):  # longer than a job is tried
        work(minutes=minute)
    assert again(payment).status == "waiting"
    assert Job.objects.filter(kind="payments.check", status="pending").count() == 1
    paypal.down = False
    work(minutes=45)
    assert sent(paypal, paypal.captured(payment.transaction_id)) == 200
    assert settled(entrant) == "paid"


def test_a_page_that_cannot_be_opened_says_that_nothing_was_paid(entrant: Entrant, cast: Cast, paypal: Standin) -> None:
    paypal.refuses = True
    payment = opened(entrant, cast)
    assert (payment.status, payment.message) == ("error", "PAYEE_ACCOUNT_RESTRICTED: It cannot be done.")
    client = Client()
    client.force_login(cast.player)
    page = client.get(f"/payments/{payment.public_id}/").content.decode()
    assert "Nothing was paid" in page and "PAYEE_ACCOUNT" not in page


def test_a_page_that_takes_long_to_open_says_so(entrant: Entrant, cast: Cast, paypal: Standin) -> None:
    paypal.down = True
    payment = opened(entrant, cast)
    client = Client()
    client.force_login(cast.player)
    address = f"/payments/{payment.public_id}/"
    assert "This takes a few seconds" in client.get(address).content.decode()
    Payment.objects.update(started_at=clock.now() - timedelta(minutes=1))
    assert "PayPal is not answering yet" in client.get(address).content.decode()
    paypal.down = False
    work(minutes=2)
    assert "Pay with PayPal" in client.get(address).content.decode()


def test_wrong_keys_end_the_payment_with_what_paypal_says(
    entrant: Entrant, cast: Cast, paypal: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.payments.paypal_standin.SECRET", "another")
    payment = opened(entrant, cast)
    assert (payment.status, payment.message) == ("error", "invalid_client: Client Authentication failed")


def test_a_token_is_asked_for_once_and_again_when_it_was_taken_back(
    entrant: Entrant, cast: Cast, paypal: Standin
) -> None:
    payment = approved(entrant, cast, paypal)
    assert len(paypal.tokens) == 1
    paypal.tokens[:] = ["taken back"]
    provider_of("paypal").ask(payment)
    assert len(paypal.tokens) == 2


# Notices that are not PayPal's, or not about our payment


@pytest.mark.parametrize(
    ("field", "value"),
    [("value", "11.00"), ("value", "1200"), ("value", "12.001"), ("value", "NaN"), ("currency_code", "USD")],
)
def test_a_wrong_amount_or_currency_settles_nothing_and_the_desk_is_told(
    charging: Event, entrant: Entrant, cast: Cast, paypal: Standin, field: str, value: str
) -> None:
    payment = approved(entrant, cast, paypal)
    notice = paypal.captured(payment.transaction_id)
    notice["resource"]["amount"][field] = value
    assert sent(paypal, notice) == 200
    assert (again(payment).status, payment.problem, settled(entrant)) == ("error", "wrong_amount", "")
    assert codes(charging) == ["payment.started", "payment.questioned"]


def test_an_order_over_another_amount_is_not_captured(entrant: Entrant, cast: Cast, paypal: Standin) -> None:
    payment = opened(entrant, cast)
    paypal.orders[payment.transaction_id]["purchase_units"][0]["amount"]["value"] = "1.00"
    assert sent(paypal, paypal.approve(payment.transaction_id)) == 200
    work()
    assert (again(payment).status, paypal.orders[payment.transaction_id]["status"]) == ("rejected", "APPROVED")


def test_a_notice_about_another_order_settles_nothing(entrant: Entrant, cast: Cast, paypal: Standin) -> None:
    payment = approved(entrant, cast, paypal)
    notice = paypal.captured(payment.transaction_id)
    notice["resource"]["supplementary_data"]["related_ids"]["order_id"] = "99999LRD09843212P"
    assert sent(paypal, notice) == 200
    assert (Notice.objects.latest("pk").outcome, settled(entrant)) == ("unknown", "")


def test_a_notice_about_an_unknown_payment_is_recorded_once(entrant: Entrant, cast: Cast, paypal: Standin) -> None:
    payment = approved(entrant, cast, paypal)
    notice = paypal.captured(payment.transaction_id)
    notice["resource"]["custom_id"] = "somebody-else"
    assert [sent(paypal, notice), sent(paypal, notice)] == [200, 200]
    assert (Notice.objects.filter(outcome="unknown").count(), settled(entrant)) == (1, "")


def test_a_notice_of_the_payment_of_another_provider_settles_nothing(
    entrant: Entrant, cast: Cast, paypal: Standin
) -> None:
    payment = approved(entrant, cast, paypal)
    Payment.objects.update(variant="stripe")
    assert sent(paypal, paypal.captured(payment.transaction_id)) == 200
    assert (Notice.objects.latest("pk").outcome, settled(entrant)) == ("unknown", "")


@pytest.mark.parametrize("resource", [[], None, "x", {"purchase_units": []}, {"purchase_units": [[]]}])
def test_a_signed_notice_without_an_order_is_refused(paypal: Standin, resource: Any) -> None:
    notice = paypal.notice("CHECKOUT.ORDER.APPROVED", {})
    assert sent(paypal, notice | {"resource": resource}) == 400
    assert Notice.objects.count() == 0


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b'{"id": 3}', b"\xff", b'{"id":"' + b"x" * 101 + b'"}'])
def test_a_signed_notice_that_is_no_event_is_refused(paypal: Standin, body: bytes) -> None:
    assert Client().post(ADDRESS, body, "application/json", headers=paypal.signed(body)).status_code == 400


def test_a_notice_that_means_nothing_here_is_answered_and_forgotten(paypal: Standin) -> None:
    assert sent(paypal, paypal.notice("CUSTOMER.DISPUTE.CREATED", {"id": "PP-D-1"})) == 200
    assert Notice.objects.count() == 0


# Refunds


def test_a_refund_in_part_and_then_the_rest(charging: Event, entrant: Entrant, cast: Cast, paypal: Standin) -> None:
    payment = paid(entrant, cast, paypal)
    part = payments.refund(payment=payment, key="part", cents=500, by=cast.organizer, now=clock.now())
    work()
    part.refresh_from_db()
    assert (part.status, paypal.refunds[part.provider_id]["amount"]["value"]) == ("pending", "5.00")
    assert sent(paypal, paypal.refunded(part.provider_id)) == 200
    assert (again(payment).status, payment.captured_amount, settled(entrant)) == ("confirmed", 7, "paid")
    with assert_refused("refund_too_much"):
        payments.refund(payment=payment, key="more", cents=701, by=cast.organizer, now=clock.now())
    rest = payments.refund(payment=payment, key="rest", by=cast.organizer, now=clock.now())
    work()
    rest.refresh_from_db()
    assert paypal.refunds[rest.provider_id]["amount"] == {"currency_code": "EUR", "value": "7.00"}
    assert sent(paypal, paypal.refunded(rest.provider_id)) == 200
    assert (again(payment).status, payment.captured_amount, settled(entrant)) == ("refunded", 0, "")
    assert codes(charging)[-1] == "payment.refunded"


def test_a_refund_whose_answer_was_lost_is_made_once(entrant: Entrant, cast: Cast, paypal: Standin) -> None:
    payment = paid(entrant, cast, paypal)
    refund = payments.refund(payment=payment, key="k", by=cast.organizer, now=clock.now())
    paypal.loses = True
    work()
    paypal.loses = False
    (provider_id,) = paypal.refunds
    assert sent(paypal, paypal.refunded(provider_id)) == 200  # before we know its id
    work(minutes=2)
    refund.refresh_from_db()
    assert (refund.status, refund.provider_id, len(paypal.refunds)) == ("done", provider_id, 1)
    assert Refund.objects.count() == 1


def test_a_refund_is_asked_for_again_after_paypal_was_down_for_long(
    entrant: Entrant, cast: Cast, paypal: Standin
) -> None:
    payment = paid(entrant, cast, paypal)
    payments.refund(payment=payment, key="k", by=cast.organizer, now=clock.now())
    paypal.down = True
    for minute in range(30):
        work(minutes=minute)
    paypal.down = False
    work(minutes=45)
    assert len(paypal.refunds) == 1


def test_a_refund_that_paypal_refuses_leaves_the_money_to_refund(entrant: Entrant, cast: Cast, paypal: Standin) -> None:
    payment = paid(entrant, cast, paypal)
    refund = payments.refund(payment=payment, key="k", by=cast.organizer, now=clock.now())
    paypal.refuses = True
    work()
    refund.refresh_from_db()
    assert (refund.status, again(payment).left_cents) == ("failed", 1200)


def test_a_refund_that_fails_after_it_was_done_is_taken_back(entrant: Entrant, cast: Cast, paypal: Standin) -> None:
    payment = paid(entrant, cast, paypal)
    refund = payments.refund(payment=payment, key="k", by=cast.organizer, now=clock.now())
    work()
    refund.refresh_from_db()
    assert sent(paypal, paypal.refunded(refund.provider_id)) == 200
    assert sent(paypal, paypal.refunded(refund.provider_id, "FAILED")) == 200
    assert (again(payment).status, payment.left_cents) == ("confirmed", 1200)


def test_a_refund_or_a_reversal_on_paypals_site_is_noted(entrant: Entrant, cast: Cast, paypal: Standin) -> None:
    payment = paid(entrant, cast, paypal)
    links = [{"rel": "up", "href": f"https://api.paypal.com/v2/payments/captures/{payment.money_id}", "method": "GET"}]
    # PayPal repeats what the capture has as its own id.
    about = {"id": "1Y107995YT783435V", "status": "COMPLETED", "custom_id": str(payment.token), "links": links}
    for number, kind in enumerate(("PAYMENT.CAPTURE.REFUNDED", "PAYMENT.CAPTURE.REVERSED")):
        amount = {"currency_code": "EUR", "value": "6.00"}
        assert sent(paypal, paypal.notice(kind, about | {"id": f"SITE{number}", "amount": amount}, "refund")) == 200
    assert list(Refund.objects.values_list("cents", "status", "by")) == [(600, "done", None)] * 2
    assert (again(payment).status, settled(entrant)) == ("refunded", "")


def test_a_notice_for_a_refunded_payment_changes_nothing(entrant: Entrant, cast: Cast, paypal: Standin) -> None:
    payment = paid(entrant, cast, paypal)
    refund = payments.refund(payment=payment, key="k", by=cast.organizer, now=clock.now())
    work()
    refund.refresh_from_db()
    assert sent(paypal, paypal.refunded(refund.provider_id)) == 200
    assert sent(paypal, paypal.captured(payment.transaction_id)) == 200
    assert sent(paypal, paypal.captured(payment.transaction_id, "DENIED")) == 200
    assert (again(payment).status, settled(entrant)) == ("refunded", "")
    assert Notice.objects.filter(outcome="no_change").count() == 2


def test_a_lost_notice_about_a_refund_is_asked_for(entrant: Entrant, cast: Cast, paypal: Standin) -> None:
    payment = paid(entrant, cast, paypal)
    refund = payments.refund(payment=payment, key="a", by=cast.organizer, now=clock.now())
    work()
    refund.refresh_from_db()
    paypal.refunded(refund.provider_id)  # nothing is sent
    work(days=1)
    refund.refresh_from_db()
    assert (refund.status, settled(entrant)) == ("done", "")


# Currencies and the choice of a provider


@pytest.mark.parametrize(
    ("currency", "cents", "value"),
    [("JPY", 1200, "1200"), ("HUF", 450_000, "4500"), ("TWD", 30_000, "300"), ("USD", 1250, "12.50")],
)
def test_amounts_are_written_as_paypal_takes_them_and_read_back(
    charging: Event, entrant: Entrant, cast: Cast, paypal: Standin, currency: str, cents: int, value: str
) -> None:
    in_currency(charging, cast, currency, cents)
    payment = paid(entrant, cast, paypal)
    amount = paypal.orders[payment.transaction_id]["purchase_units"][0]["amount"]
    assert amount == {"currency_code": currency, "value": value}
    assert (payment.status, payment.cents, settled(entrant)) == ("confirmed", cents, "paid")


def test_an_amount_with_decimals_that_paypal_does_not_take_is_refused_before_anything_is_opened(
    charging: Event, entrant: Entrant, cast: Cast, paypal: Standin
) -> None:
    in_currency(charging, cast, "HUF", 450_050)
    with assert_refused("amount_not_whole"):
        payments.start_payment(entrant=entrant, by=cast.player, now=clock.now())
    in_currency(charging, cast, "HUF", 450_000)
    payment = paid(entrant, cast, paypal)
    with assert_refused("amount_not_whole"):
        payments.refund(payment=payment, key="k", cents=450, by=cast.organizer, now=clock.now())
    assert payments.refund(payment=payment, key="k", cents=4500, by=cast.organizer, now=clock.now()).cents == 4500


def test_an_event_in_a_currency_that_paypal_does_not_know_is_paid_elsewhere(
    charging: Event, entrant: Entrant, cast: Cast, paypal: Standin, stripe: stripe_standin.Standin
) -> None:
    assert providers_for(charging) == ["paypal", "stripe"]
    in_currency(charging, cast, "ISK", 1200)
    assert providers_for(charging) == ["stripe"]
    assert opened(entrant, cast).variant == "stripe"


def test_the_entrant_chooses_among_the_providers(
    charging: Event, entrant: Entrant, cast: Cast, stripe: stripe_standin.Standin, paypal: Standin
) -> None:
    with assert_refused("provider_unknown") as caught:
        payments.start_payment(entrant=entrant, provider="cash", by=cast.player, now=clock.now())
    assert caught.value.details == ["stripe", "paypal"]
    payment = opened(entrant, cast, provider="paypal")
    assert payment.address.startswith(paypal.url)
    assert opened(entrant, cast) == payment  # whichever it was begun with
    with assert_refused("payment_open"):
        payments.start_payment(entrant=entrant, provider="stripe", by=cast.player, now=clock.now())
    payments.cancel_payment(payment=payment, by=cast.player, now=clock.now())
    work()
    assert opened(entrant, cast, provider="stripe").address.startswith(stripe.url)
