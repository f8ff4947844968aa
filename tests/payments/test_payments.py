"""Paying for an entry, against a stand-in of Stripe: what settles it, what does not, and what is given back."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from tests.builders import NOW, an_entrant
from tests.cast import Cast
from tests.payments.stripe_standin import Standin, signature
from tests.refusals import assert_refused
from tournaments.common import jobs, ledger
from tournaments.common.models import Job, LedgerEntry
from tournaments.events.models import Entrant, Event
from tournaments.events.services import change_procedures, settle_entry
from tournaments.payments import services as payments
from tournaments.payments.models import Notice, Payment, Refund
from tournaments.payments.selectors import prices_of, totals_of
from tournaments.play import services as play

pytestmark = pytest.mark.django_db
ADDRESS = "/payments/notices/stripe/"


@pytest.fixture
def entrant(charging: Event, cast: Cast) -> Entrant:
    return an_entrant(charging, cast.player, deck=None)


def sent(notice: dict[str, Any], **signed: Any) -> int:
    """Send a notice as Stripe does, and return the status of the answer."""
    body = json.dumps(notice).encode()
    headers = {"Stripe-Signature": signature(body, **signed)}
    return Client(enforce_csrf_checks=True).post(ADDRESS, body, "application/json", headers=headers).status_code


def test_a_form_with_files_is_no_notice(stripe: Standin) -> None:
    answer = Client().post(ADDRESS, {"a": "b"})  # multipart/form-data
    assert (answer.status_code, answer.json()["code"], Notice.objects.count()) == (400, "signature_invalid", 0)


def opened(entrant: Entrant, cast: Cast, **wanted: str) -> Payment:
    """A payment whose page at the provider is open."""
    payment = payments.start_payment(entrant=entrant, by=cast.player, now=NOW, **wanted)
    jobs.run_due(NOW)
    payment.refresh_from_db()
    return payment


def paid(entrant: Entrant, cast: Cast, stripe: Standin) -> Payment:
    """A payment that was made, and whose notice has come."""
    payment = opened(entrant, cast)
    assert sent(stripe.pay(payment.transaction_id)) == 200
    payment.refresh_from_db()
    return payment


def settled(entrant: Entrant) -> str:
    return Entrant.objects.get(pk=entrant.pk).settled


def codes(event: Event) -> list[str]:
    found = LedgerEntry.objects.filter(chain=event.public_id, code__startswith="payment.").order_by("number")
    return [entry.code for entry in found]


def test_a_signed_notice_settles_the_entry(charging: Event, entrant: Entrant, cast: Cast, stripe: Standin) -> None:
    payment = opened(entrant, cast)
    session = stripe.sessions[payment.transaction_id]
    assert payment.address == session["url"]
    assert (session["amount_total"], session["currency"]) == (1200, "eur")
    assert settled(entrant) == ""  # paying is nothing yet: the notice counts
    assert sent(stripe.pay(payment.transaction_id)) == 200
    payment.refresh_from_db()
    assert (payment.status, payment.captured_amount, settled(entrant)) == ("confirmed", 12, "paid")
    assert codes(charging) == ["payment.started", "payment.confirmed"]
    entry = LedgerEntry.objects.get(code="payment.confirmed")
    assert (entry.actor, entry.object) == (ledger.SYSTEM, entrant.public_id)
    assert entry.after == {"payment": payment.public_id, "cents": 1200, "currency": "EUR", "way": "stripe"}


def test_nothing_about_who_paid_is_sent_or_kept(entrant: Entrant, cast: Cast, stripe: Standin) -> None:
    payment = paid(entrant, cast, stripe)
    asked = json.dumps([form for _path, form in stripe.asked])
    assert "Player" not in asked and "example.com" not in asked
    kept = Payment.objects.filter(pk=payment.pk).values().get()
    assert "payer@example.com" not in str(kept) and "Payer" not in str(kept)


def test_a_doubled_notice_does_nothing(charging: Event, entrant: Entrant, cast: Cast, stripe: Standin) -> None:
    payment = opened(entrant, cast)
    notice = stripe.pay(payment.transaction_id)
    assert [sent(notice), sent(notice), sent(notice)] == [200, 200, 200]
    again = stripe.notice("checkout.session.completed", stripe.sessions[payment.transaction_id])
    assert sent(again) == 200  # another notice about the same
    assert codes(charging).count("payment.confirmed") == 1
    assert sorted(Notice.objects.values_list("outcome", flat=True)) == ["done", "no_change"]


def test_a_notice_that_comes_late_does_not_undo_a_newer_one(entrant: Entrant, cast: Cast, stripe: Standin) -> None:
    payment = opened(entrant, cast)
    late = stripe.notice("checkout.session.expired", stripe.sessions[payment.transaction_id] | {"status": "expired"})
    assert sent(stripe.pay(payment.transaction_id)) == 200
    assert sent(late) == 200
    payment.refresh_from_db()
    assert (payment.status, settled(entrant)) == ("confirmed", "paid")


def test_a_payment_that_comes_after_its_end_still_counts(entrant: Entrant, cast: Cast, stripe: Standin) -> None:
    payment = opened(entrant, cast)
    notice = stripe.pay(payment.transaction_id)
    assert sent(stripe.notice("checkout.session.async_payment_failed", notice["data"]["object"])) == 200
    payment.refresh_from_db()
    assert payment.status == "rejected"
    assert sent(notice) == 200
    payment.refresh_from_db()
    assert (payment.status, settled(entrant)) == ("confirmed", "paid")


def test_a_notice_before_the_page_is_noted_counts(entrant: Entrant, cast: Cast, stripe: Standin) -> None:
    payment = opened(entrant, cast)
    notice = stripe.pay(payment.transaction_id)
    Payment.objects.update(transaction_id="", address="")  # as if the job had been stopped right after asking
    assert sent(notice) == 200
    payment.refresh_from_db()
    assert (payment.status, payment.transaction_id) == ("confirmed", notice["data"]["object"]["id"])


def test_a_session_that_is_not_paid_yet_settles_nothing(entrant: Entrant, cast: Cast, stripe: Standin) -> None:
    payment = opened(entrant, cast)
    session = stripe.sessions[payment.transaction_id] | {"status": "complete", "payment_status": "unpaid"}
    assert sent(stripe.notice("checkout.session.completed", session)) == 200
    assert (settled(entrant), Notice.objects.count()) == ("", 0)


@pytest.mark.parametrize(
    "signed",
    [{"secret": "whsec_other"}, {"at": 1_700_000_000}, {"at": 4_000_000_000, "secret": "whsec_other"}],
    ids=["forged", "old", "forged in future"],
)
def test_a_notice_with_a_wrong_or_old_signature_is_refused(
    entrant: Entrant, cast: Cast, stripe: Standin, signed: dict[str, Any]
) -> None:
    payment = opened(entrant, cast)
    assert sent(stripe.pay(payment.transaction_id), **signed) == 400
    assert (settled(entrant), Notice.objects.count()) == ("", 0)


@pytest.mark.parametrize("header", ["", "t=1", "nonsense", "t=x,v1=y", "v1=" + "0" * 64])
def test_a_notice_without_a_readable_signature_is_refused(stripe: Standin, header: str) -> None:
    answer = Client().post(ADDRESS, b"{}", "application/json", headers={"Stripe-Signature": header})
    assert answer.status_code == 400


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b'{"id": 3}', b"\xff", b'{"id":"e","type":"x","data":[]}'])
def test_a_signed_notice_that_is_no_event_is_refused(stripe: Standin, body: bytes) -> None:
    headers = {"Stripe-Signature": signature(body)}
    assert Client().post(ADDRESS, body, "application/json", headers=headers).status_code == 400


def test_a_changed_body_is_refused(entrant: Entrant, cast: Cast, stripe: Standin) -> None:
    body = json.dumps(stripe.pay(opened(entrant, cast).transaction_id)).encode()
    headers = {"Stripe-Signature": signature(body)}
    changed = body.replace(b"1200", b"1300")
    assert Client().post(ADDRESS, changed, "application/json", headers=headers).status_code == 400
    assert settled(entrant) == ""


def test_a_notice_that_is_too_long_or_for_no_provider_is_refused(stripe: Standin) -> None:
    long = b'"' + b"x" * 300_000 + b'"'
    headers = {"Stripe-Signature": signature(long)}
    assert Client().post(ADDRESS, long, "application/json", headers=headers).status_code == 413
    assert Client().post("/payments/notices/paypal/", b"{}", "application/json").status_code == 404
    assert Client().get(ADDRESS).status_code != 200


@pytest.mark.parametrize(("field", "value"), [("amount_total", 1100), ("currency", "usd")])
def test_a_wrong_amount_or_currency_settles_nothing_and_the_desk_is_told(
    charging: Event, entrant: Entrant, cast: Cast, stripe: Standin, field: str, value: object
) -> None:
    payment = opened(entrant, cast)
    stripe.sessions[payment.transaction_id][field] = value
    assert sent(stripe.pay(payment.transaction_id)) == 200
    payment.refresh_from_db()
    assert (payment.status, payment.problem, settled(entrant)) == ("error", "wrong_amount", "")
    assert codes(charging) == ["payment.started", "payment.questioned"]
    assert Notice.objects.get().outcome == "questioned"


def test_money_for_somebody_who_dropped_is_kept_apart(
    charging: Event, entrant: Entrant, cast: Cast, stripe: Standin
) -> None:
    payment = opened(entrant, cast)
    play.drop(entrant=entrant, by=cast.player, now=NOW)
    assert sent(stripe.pay(payment.transaction_id)) == 200
    payment.refresh_from_db()
    assert (payment.status, payment.problem, settled(entrant)) == ("confirmed", "dropped", "")
    assert payment.left_cents == 1200


def test_an_entry_that_the_desk_settled_meanwhile_is_paid_twice(entrant: Entrant, cast: Cast, stripe: Standin) -> None:
    payment = opened(entrant, cast)
    settle_entry(entrant=entrant, how="paid", by=cast.scorekeeper, now=NOW)
    assert sent(stripe.pay(payment.transaction_id)) == 200
    payment.refresh_from_db()
    assert payment.problem == "paid_twice"
    payments.refund(payment=payment, key="back", by=cast.organizer, now=NOW)
    jobs.run_due(NOW)
    assert sent(stripe.refunded(Refund.objects.get().provider_id)) == 200
    assert settled(entrant) == "paid"  # the desk's payment stays


def test_a_notice_about_an_unknown_payment_is_recorded(entrant: Entrant, cast: Cast, stripe: Standin) -> None:
    payment = opened(entrant, cast)
    stripe.sessions[payment.transaction_id]["client_reference_id"] = "somebody-else"
    notice = stripe.pay(payment.transaction_id)
    assert [sent(notice), sent(notice)] == [200, 200]
    assert (Notice.objects.get().outcome, settled(entrant)) == ("unknown", "")


def test_beginning_twice_is_one_payment_with_one_page(entrant: Entrant, cast: Cast, stripe: Standin) -> None:
    first, second = opened(entrant, cast), opened(entrant, cast)
    assert first == second
    assert len(stripe.sessions) == 1


def test_beginning_again_with_the_last_place_of_a_price_is_the_same_payment(
    charging: Event, entrant: Entrant, cast: Cast, stripe: Standin
) -> None:
    payments.add_price(event=charging, name="Last", cents=900, count=1, by=cast.organizer, now=NOW)
    assert opened(entrant, cast) == opened(entrant, cast)
    with assert_refused("price_not_offered"):
        payments.start_payment(entrant=an_entrant(charging, cast.opponent, deck=None), by=cast.opponent, now=NOW)


def test_a_job_that_runs_again_opens_the_same_page(entrant: Entrant, cast: Cast, stripe: Standin) -> None:
    payment = opened(entrant, cast)
    Payment.objects.update(transaction_id="", address="")
    Job.objects.filter(kind="payments.open").update(status="pending")
    jobs.run_due(NOW)
    before = payment.transaction_id
    payment.refresh_from_db()
    assert (payment.transaction_id, len(stripe.sessions)) == (before, 1)


def test_another_price_waits_until_the_open_payment_is_cancelled(
    charging: Event, entrant: Entrant, cast: Cast, stripe: Standin
) -> None:
    for name, cents in (("Early", 1000), ("Regular", 1500)):
        payments.add_price(event=charging, name=name, cents=cents, by=cast.organizer, now=NOW)
    early, regular = prices_of(charging, NOW)
    first = opened(entrant, cast, price=early.id)
    with assert_refused("payment_open"):
        payments.start_payment(entrant=entrant, price=regular.id, by=cast.player, now=NOW)
    payments.cancel_payment(payment=first, by=cast.player, now=NOW)
    jobs.run_due(NOW)
    assert stripe.sessions[first.transaction_id]["status"] == "expired"
    assert opened(entrant, cast, price=regular.id).cents == 1500


def test_cancelling_what_was_paid_at_that_moment_keeps_the_payment(
    entrant: Entrant, cast: Cast, stripe: Standin
) -> None:
    payment = opened(entrant, cast)
    stripe.pay(payment.transaction_id)  # and its notice is still on the way
    payments.cancel_payment(payment=payment, by=cast.player, now=NOW)
    jobs.run_due(NOW)
    payment.refresh_from_db()
    assert (payment.status, settled(entrant)) == ("confirmed", "paid")


def test_a_payment_cancelled_before_its_page_opened_cannot_be_paid(
    entrant: Entrant, cast: Cast, stripe: Standin
) -> None:
    payment = payments.start_payment(entrant=entrant, by=cast.player, now=NOW)
    payments.cancel_payment(payment=payment, by=cast.player, now=NOW)
    jobs.run_due(NOW)
    payment.refresh_from_db()
    assert (payment.status, stripe.sessions) == ("cancelled", {})


def test_a_lost_notice_is_asked_for(entrant: Entrant, cast: Cast, stripe: Standin) -> None:
    payment = opened(entrant, cast)
    stripe.pay(payment.transaction_id)  # nothing is sent
    jobs.run_due(NOW + timedelta(minutes=30))
    assert settled(entrant) == ""
    jobs.run_due(NOW + timedelta(minutes=63))
    payment.refresh_from_db()
    assert (payment.status, settled(entrant)) == ("confirmed", "paid")


def test_a_page_that_nobody_paid_ends_and_another_can_be_opened(entrant: Entrant, cast: Cast, stripe: Standin) -> None:
    payment = opened(entrant, cast)
    assert sent(stripe.expire(payment.transaction_id)) == 200
    payment.refresh_from_db()
    assert payment.status == "rejected"
    assert opened(entrant, cast) != payment


def test_a_provider_that_is_down_is_asked_again(entrant: Entrant, cast: Cast, stripe: Standin) -> None:
    stripe.down = True
    payment = opened(entrant, cast)
    assert (payment.status, payment.transaction_id) == ("waiting", "")
    stripe.down = False
    jobs.run_due(NOW + timedelta(minutes=5))
    payment.refresh_from_db()
    assert payment.address


def test_a_payment_that_the_provider_refuses_ends_with_its_reason(
    entrant: Entrant, cast: Cast, stripe: Standin
) -> None:
    stripe.refuses = True
    payment = opened(entrant, cast)
    assert payment.status == "error"
    stripe.refuses = False
    assert opened(entrant, cast).address


def test_without_a_provider_the_event_is_paid_at_the_desk(charging: Event, entrant: Entrant, cast: Cast) -> None:
    with assert_refused("payment_at_desk"):
        payments.start_payment(entrant=entrant, by=cast.player, now=NOW)
    payment = payments.note_payment(entrant=entrant, by=cast.scorekeeper, now=NOW)
    assert (payment.variant, payment.status, settled(entrant)) == ("desk", "confirmed", "paid")
    with assert_refused("already_paid"):
        payments.note_payment(entrant=entrant, by=cast.scorekeeper, now=NOW)
    assert codes(charging) == ["payment.confirmed"]


def test_who_dropped_waits_or_has_paid_cannot_pay(charging: Event, entrant: Entrant, cast: Cast) -> None:
    for status, code in (("waiting", "entrant_waiting"), ("dropped", "entrant_dropped")):
        Entrant.objects.update(status=status, dropped_after=0 if status == "dropped" else None)
        with assert_refused(code):
            payments.start_payment(entrant=entrant, by=cast.player, now=NOW)
    Entrant.objects.update(status="registered", dropped_after=None)
    Event.objects.update(status="cancelled")
    with assert_refused("event_state"):
        payments.start_payment(entrant=entrant, by=cast.player, now=NOW)


# Refunds


def test_a_refund_is_done_once_the_provider_says_so(
    charging: Event, entrant: Entrant, cast: Cast, stripe: Standin
) -> None:
    payment = paid(entrant, cast, stripe)
    made = payments.refund(payment=payment, key="once", by=cast.organizer, now=NOW)
    jobs.run_due(NOW)
    made.refresh_from_db()
    assert (made.status, made.provider_id, settled(entrant)) == ("pending", "re_test_000004", "paid")
    assert sent(stripe.refunded(made.provider_id)) == 200
    made.refresh_from_db()
    payment.refresh_from_db()
    assert (made.status, payment.status, payment.captured_amount, settled(entrant)) == ("done", "refunded", 0, "")
    assert codes(charging)[2:] == ["payment.refund_asked", "payment.refunded"]


def test_a_refund_with_the_same_key_is_made_once(entrant: Entrant, cast: Cast, stripe: Standin) -> None:
    payment = paid(entrant, cast, stripe)
    first = payments.refund(payment=payment, key="k", cents=500, by=cast.organizer, now=NOW)
    assert payments.refund(payment=payment, key="k", cents=500, by=cast.organizer, now=NOW) == first
    with assert_refused("key_reused"):
        payments.refund(payment=payment, key="k", cents=600, by=cast.organizer, now=NOW)
    jobs.run_due(NOW)
    Refund.objects.update(provider_id="")
    jobs.run_due(NOW + timedelta(days=1))  # the answer was lost, and the job runs again
    assert [refund["amount"] for refund in stripe.refunds.values()] == [500]


def test_a_part_can_be_refunded_and_never_more_than_was_paid(entrant: Entrant, cast: Cast, stripe: Standin) -> None:
    payment = paid(entrant, cast, stripe)
    payments.refund(payment=payment, key="a", cents=500, by=cast.organizer, now=NOW)
    with assert_refused("refund_too_much") as caught:
        payments.refund(payment=payment, key="b", cents=800, by=cast.organizer, now=NOW)
    assert caught.value.details == [700]
    jobs.run_due(NOW)
    assert sent(stripe.refunded(Refund.objects.get().provider_id)) == 200
    payment.refresh_from_db()
    assert (payment.status, payment.captured_amount, settled(entrant)) == ("confirmed", 7, "paid")
    (total,) = totals_of(payment.event)
    assert (total.received, total.refunded, total.kept) == (1200, 500, 700)


def test_a_refund_that_fails_leaves_the_money_to_refund(entrant: Entrant, cast: Cast, stripe: Standin) -> None:
    payment = paid(entrant, cast, stripe)
    made = payments.refund(payment=payment, key="a", by=cast.organizer, now=NOW)
    stripe.refuses = True
    jobs.run_due(NOW)
    made.refresh_from_db()
    payment.refresh_from_db()
    assert (made.status, payment.status, payment.left_cents) == ("failed", "confirmed", 1200)


def test_a_refund_that_bounces_after_it_was_done_is_taken_back(entrant: Entrant, cast: Cast, stripe: Standin) -> None:
    payment = paid(entrant, cast, stripe)
    made = payments.refund(payment=payment, key="a", by=cast.organizer, now=NOW)
    jobs.run_due(NOW)
    made.refresh_from_db()
    done = stripe.refunded(made.provider_id)
    assert [sent(done), sent(stripe.refunded(made.provider_id, "failed")), sent(done)] == [200, 200, 200]
    payment.refresh_from_db()
    made.refresh_from_db()
    assert (made.status, payment.status, payment.left_cents) == ("failed", "confirmed", 1200)


def test_a_refund_made_on_the_providers_site_is_noted(entrant: Entrant, cast: Cast, stripe: Standin) -> None:
    payment = paid(entrant, cast, stripe)
    about = {"id": "re_site", "object": "refund", "amount": 1200, "currency": "eur", "status": "succeeded"}
    about |= {"payment_intent": payment.money_id, "metadata": {}}
    assert sent(stripe.notice("refund.created", about)) == 200
    assert sent(stripe.notice("refund.updated", about)) == 200
    refund = Refund.objects.get()
    assert (refund.cents, refund.status, refund.by, settled(entrant)) == (1200, "done", None, "")


def test_a_lost_notice_about_a_refund_is_asked_for(entrant: Entrant, cast: Cast, stripe: Standin) -> None:
    payment = paid(entrant, cast, stripe)
    made = payments.refund(payment=payment, key="a", by=cast.organizer, now=NOW)
    jobs.run_due(NOW)
    jobs.run_due(NOW + timedelta(days=1))
    made.refresh_from_db()
    assert made.status == "pending"
    stripe.refunded(made.provider_id)  # nothing is sent
    jobs.run_due(NOW + timedelta(days=2))
    made.refresh_from_db()
    assert (made.status, settled(entrant)) == ("done", "")
    assert sorted(stripe.refunds) == [made.provider_id]


def test_what_was_paid_at_the_desk_is_given_back_there(charging: Event, entrant: Entrant, cast: Cast) -> None:
    payment = payments.note_payment(entrant=entrant, by=cast.scorekeeper, now=NOW)
    refund = payments.refund(payment=payment, key="till", by=cast.organizer, now=NOW)
    assert (refund.status, settled(entrant)) == ("done", "")
    assert codes(charging) == ["payment.confirmed", "payment.refunded"]


def test_what_has_not_come_in_cannot_be_refunded(entrant: Entrant, cast: Cast, stripe: Standin) -> None:
    payment = opened(entrant, cast)
    with assert_refused("payment_not_received"):
        payments.refund(payment=payment, key="a", by=cast.organizer, now=NOW)
    with assert_refused("key_invalid"):
        payments.refund(payment=payment, key="a b", by=cast.organizer, now=NOW)


# Prices and codes


def test_a_price_is_offered_between_its_dates_and_as_often_as_it_may_be_sold(
    charging: Event, entrant: Entrant, cast: Cast
) -> None:
    hour = timedelta(hours=1)
    add = payments.add_price
    early = add(event=charging, name="Early", cents=900, closes_at=NOW + hour, count=1, by=cast.organizer, now=NOW)
    late = add(event=charging, name="Late", cents=1500, opens_at=NOW + hour, by=cast.organizer, now=NOW)
    assert [price.tier for price in prices_of(charging, NOW)] == [early]
    assert [price.tier for price in prices_of(charging, NOW + hour)] == [late]
    payments.note_payment(entrant=entrant, by=cast.scorekeeper, now=NOW)
    assert prices_of(charging, NOW) == []
    other = an_entrant(charging, cast.opponent, deck=None)
    with assert_refused("price_not_offered"):
        payments.note_payment(entrant=other, price=early.public_id, by=cast.scorekeeper, now=NOW)


def test_a_removed_price_is_not_offered_and_its_name_is_free(charging: Event, cast: Cast) -> None:
    tier = payments.add_price(event=charging, name="Adult", cents=900, by=cast.organizer, now=NOW)
    with assert_refused("name_taken"):
        payments.add_price(event=charging, name="Adult", cents=800, by=cast.organizer, now=NOW)
    for _again in range(2):
        payments.remove_price(tier=tier, by=cast.organizer, now=NOW)
    assert [price.cents for price in prices_of(charging, NOW)] == [1200]
    payments.add_price(event=charging, name="Adult", cents=800, by=cast.organizer, now=NOW)
    assert codes(charging) == ["payment.price_added", "payment.price_removed", "payment.price_added"]


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"name": " "}, "name_missing"),
        ({"cents": 0}, "out_of_bounds"),
        ({"cents": 1_000_001}, "out_of_bounds"),
        ({"count": 0}, "out_of_bounds"),
        ({"opens_at": NOW, "closes_at": NOW}, "out_of_order"),
    ],
)
def test_impossible_prices_are_refused(charging: Event, cast: Cast, wanted: dict[str, Any], code: str) -> None:
    with assert_refused(code):
        payments.add_price(**{"event": charging, "name": "A", "cents": 100, "by": cast.organizer, "now": NOW, **wanted})


def test_an_event_has_twenty_prices_at_most(charging: Event, cast: Cast) -> None:
    for number in range(20):
        payments.add_price(event=charging, name=str(number), cents=100, by=cast.organizer, now=NOW)
    with assert_refused("too_many_prices"):
        payments.add_price(event=charging, name="more", cents=100, by=cast.organizer, now=NOW)


@pytest.mark.parametrize(
    ("entry", "code"), [({"kind": "free"}, "entry_free"), ({"currency": "XQX"}, "currency_unknown")]
)
def test_a_price_needs_an_entry_fee_in_a_real_currency(
    charging: Event, cast: Cast, entry: dict[str, str], code: str
) -> None:
    change_procedures(event=charging, procedures={"entry": {"kind": "paid", **entry}}, by=cast.organizer, now=NOW)
    with assert_refused(code):
        payments.add_price(event=charging, name="A", cents=100, by=cast.organizer, now=NOW)


def test_a_code_lowers_the_price_and_is_written_as_one_likes(
    charging: Event, entrant: Entrant, cast: Cast, stripe: Standin
) -> None:
    payments.add_code(event=charging, code="Club-10", percent=10, uses=1, by=cast.organizer, now=NOW)
    payment = opened(entrant, cast, code=" club-10 ")
    assert (payment.cents, stripe.sessions[payment.transaction_id]["amount_total"]) == (1080, 1080)
    other = an_entrant(charging, cast.opponent, deck=None)
    with assert_refused("code_used_up"):
        payments.start_payment(entrant=other, code="CLUB-10", by=cast.opponent, now=NOW)
    assert sent(stripe.expire(payment.transaction_id)) == 200  # nobody paid: the code is free again
    assert payments.start_payment(entrant=other, code="CLUB-10", by=cast.opponent, now=NOW).cents == 1080


def test_a_code_that_leaves_nothing_settles_the_entry_at_once(charging: Event, entrant: Entrant, cast: Cast) -> None:
    payments.add_code(event=charging, code="GUEST", percent=100, by=cast.organizer, now=NOW)
    payment = payments.start_payment(entrant=entrant, code="guest", by=cast.player, now=NOW)
    assert (payment.cents, payment.status, settled(entrant)) == (0, "confirmed", "voucher")


def test_an_unknown_removed_or_late_code_is_not_valid(charging: Event, entrant: Entrant, cast: Cast) -> None:
    add = payments.add_code
    gone = add(event=charging, code="GONE", cents_off=100, by=cast.organizer, now=NOW)
    payments.remove_code(code=gone, by=cast.organizer, now=NOW)
    add(event=charging, code="LATE", cents_off=100, until=NOW, by=cast.organizer, now=NOW)
    for word in ("GONE", "LATE", "NEVER", "x" * 40):
        with assert_refused("code_unknown"):
            payments.note_payment(entrant=entrant, code=word, by=cast.scorekeeper, now=NOW)


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"code": "a"}, "code_invalid"),
        ({"code": "=SUM(1)"}, "code_invalid"),
        ({"cents_off": 100}, "code_takes_off"),
        ({"percent": None}, "code_takes_off"),
        ({"percent": 101}, "out_of_bounds"),
        ({"uses": 0}, "out_of_bounds"),
    ],
)
def test_impossible_codes_are_refused(charging: Event, cast: Cast, wanted: dict[str, Any], code: str) -> None:
    with assert_refused(code):
        payments.add_code(**{
            "event": charging,
            "code": "CLUB",
            "percent": 10,
            "by": cast.organizer,
            "now": NOW,
            **wanted,
        })


def test_a_code_is_taken_once_per_event(charging: Event, cast: Cast) -> None:
    payments.add_code(event=charging, code="CLUB", percent=10, by=cast.organizer, now=NOW)
    with assert_refused("code_taken"):
        payments.add_code(event=charging, code="club", percent=20, by=cast.organizer, now=NOW)


def test_the_ledger_does_not_say_a_code(charging: Event, cast: Cast) -> None:
    payments.add_code(event=charging, code="SECRET-WORD", percent=10, by=cast.organizer, now=NOW)
    assert "SECRET" not in str(list(LedgerEntry.objects.values()))
