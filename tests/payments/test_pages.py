"""The pages of prices and payments, and what else shows them: menu, event page, privacy, personal data, exports."""

import csv
import io
import json

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests.builders import NOW, an_entrant
from tests.cast import Cast
from tests.payments import paypal_standin
from tests.payments.stripe_standin import Standin, signature
from tests.refusals import assert_refused
from tests.web.pages import queries_of, signed_in
from tournaments.accounts.models import User
from tournaments.accounts.services import erase_person, own_person
from tournaments.common import clock, jobs
from tournaments.events.entering import Newcomer, enter_people
from tournaments.events.models import Entrant, Event
from tournaments.payments import services as payments
from tournaments.payments.models import Payment, PriceCode, PriceTier, Refund
from tournaments.play import services as play

pytestmark = pytest.mark.django_db


@pytest.fixture
def entrant(charging: Event, cast: Cast) -> Entrant:
    return an_entrant(charging, cast.player, deck=None)


def at(name: str, *ids: str) -> str:
    return reverse(f"web:{name}", args=ids)


def text(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def test_a_player_pays_from_the_seat_page_to_the_providers_page_and_back(
    charging: Event, entrant: Entrant, cast: Cast, stripe: Standin
) -> None:
    client = signed_in(cast.player)
    assert at("pay", charging.public_id) in text(client, at("me", charging.public_id))
    assert "12.00 EUR" in text(client, at("pay", charging.public_id))
    page = client.post(at("pay", charging.public_id))["Location"]
    assert "being opened" in text(client, page)
    jobs.run_due(clock.now())
    payment = Payment.objects.get()
    assert payment.address in text(client, page)
    assert stripe.sessions[payment.transaction_id]["success_url"].endswith(page)
    assert "have not heard from Stripe" in text(client, page)  # whoever comes back has proved nothing
    body = json.dumps(stripe.pay(payment.transaction_id)).encode()
    Client().post(
        at("payment_notice", "stripe"), body, "application/json", headers={"Stripe-Signature": signature(body)}
    )
    assert "Your entry is settled" in text(client, page)
    assert payment.address not in text(client, page)


def test_an_amount_has_the_decimal_sign_of_the_language(charging: Event, entrant: Entrant, cast: Cast) -> None:
    User.objects.filter(pk=cast.player.pk).update(language="fr")
    client = signed_in(User.objects.get(pk=cast.player.pk))
    assert "12,00 EUR" in text(client, at("pay", charging.public_id))
    assert at("pay", charging.public_id) not in text(client, at("me", charging.public_id))


def test_a_player_chooses_among_the_providers_that_take_the_currency(
    charging: Event, entrant: Entrant, cast: Cast, stripe: Standin, paypal: paypal_standin.Standin
) -> None:
    client, address = signed_in(cast.player), at("pay", charging.public_id)
    page = text(client, address)
    assert 'value="stripe"' in page and 'value="paypal"' in page
    assert client.post(address, {"provider": "cash"}).status_code == 422
    assert client.post(address, {}).status_code == 422
    assert Payment.objects.count() == 0
    client.post(address, {"provider": "paypal"})
    assert Payment.objects.get().variant == "paypal"
    Payment.objects.all().delete()
    Event.objects.update(procedures={"entry": {"kind": "paid", "cents": 1200, "currency": "ISK"}})
    assert "Payment method" not in text(client, address)  # PayPal does not take it: there is one way
    client.post(address, {})
    assert Payment.objects.get().variant == "stripe"


def test_one_provider_is_not_asked_about(
    charging: Event, entrant: Entrant, cast: Cast, paypal: paypal_standin.Standin
) -> None:
    client, address = signed_in(cast.player), at("pay", charging.public_id)
    assert "Payment method" not in text(client, address)
    client.post(address, {})
    assert Payment.objects.get().variant == "paypal"


def test_the_api_names_the_providers_that_can_be_chosen(
    charging: Event, entrant: Entrant, cast: Cast, stripe: Standin, paypal: paypal_standin.Standin
) -> None:
    client, address = signed_in(cast.player), f"/api/v1/entrants/{entrant.public_id}/payments/"
    answer = client.post(address, {"provider": "cash"}, "application/json")
    assert (answer.status_code, answer.json()["code"], answer.json()["details"]) == (
        422,
        "provider_unknown",
        ["stripe", "paypal"],
    )
    assert client.post(address, {"provider": "paypal"}, "application/json").json()["way"] == "paypal"


def test_without_a_provider_the_seat_page_sends_players_to_the_desk(
    charging: Event, entrant: Entrant, cast: Cast
) -> None:
    seat = text(signed_in(cast.player), at("me", charging.public_id))
    assert "Pay at the desk." in seat and at("pay", charging.public_id) not in seat
    answer = signed_in(cast.player).post(at("pay", charging.public_id))
    assert answer.status_code == 409
    assert "paid at the desk" in text(Client(), at("event", charging.public_id))


def test_an_event_without_a_fee_shows_nothing_of_it(cast: Cast, charging: Event, entrant: Entrant) -> None:
    Event.objects.update(procedures={})
    client = signed_in(cast.player)
    assert "Entry fee" not in text(client, at("me", charging.public_id))
    assert client.get(at("pay", charging.public_id)).status_code == 404
    desk = signed_in(cast.organizer)
    assert at("staff_payments", charging.public_id) not in text(desk, at("staff", charging.public_id))
    assert "This event has no entry fee." in text(desk, at("staff_payments", charging.public_id))


def test_a_player_chooses_among_prices_and_types_a_code(
    charging: Event, entrant: Entrant, cast: Cast, stripe: Standin
) -> None:
    for name, cents in (("Child", 600), ("Adult", 1200)):
        payments.add_price(event=charging, name=name, cents=cents, by=cast.organizer, now=NOW)
    payments.add_code(event=charging, code="CLUB", percent=50, by=cast.organizer, now=NOW)
    client, address = signed_in(cast.player), at("pay", charging.public_id)
    assert "Child: 6.00 EUR" in text(client, address)
    assert "Child: 6.00 EUR" in text(Client(), at("event", charging.public_id))
    child, _adult = PriceTier.objects.all()
    wrong = client.post(address, {"price": child.public_id, "code": "nope"})
    assert wrong.status_code == 422 and "not valid" in wrong.content.decode()
    client.post(address, {"price": child.public_id, "code": "club"})
    assert Payment.objects.get().cents == 300


def test_a_player_cancels_an_open_payment(charging: Event, entrant: Entrant, cast: Cast, stripe: Standin) -> None:
    client = signed_in(cast.player)
    client.post(at("pay", charging.public_id))
    payment = Payment.objects.get()
    client.post(at("payment_cancel", payment.public_id))
    assert "Cancelled" in text(client, at("payment", payment.public_id))


def test_nobody_sees_the_payment_of_somebody_else(charging: Event, entrant: Entrant, cast: Cast) -> None:
    payment = payments.note_payment(entrant=entrant, by=cast.scorekeeper, now=NOW)
    an_entrant(charging, cast.opponent, deck=None)
    for user in (cast.opponent, cast.stranger, cast.organizer):
        assert signed_in(user).get(at("payment", payment.public_id)).status_code == 404
        assert signed_in(user).post(at("payment_cancel", payment.public_id)).status_code == 404


def test_an_organizer_sets_prices_and_codes_and_takes_them_back(charging: Event, cast: Cast) -> None:
    client, page = signed_in(cast.organizer), at("staff_payments", charging.public_id)
    assert page in text(client, at("staff", charging.public_id))
    wrong = client.post(at("staff_price_add", charging.public_id), {"name": "Adult", "cents": "12.505"})
    assert wrong.status_code == 422
    client.post(at("staff_price_add", charging.public_id), {"name": "Adult", "cents": "12.50", "count": "3"})
    twice = client.post(at("staff_price_add", charging.public_id), {"name": "Adult", "cents": "1"})
    assert twice.status_code == 409
    client.post(at("staff_code_add", charging.public_id), {"code": "friends", "cents_off": "2.50"})
    both = client.post(at("staff_code_add", charging.public_id), {"code": "b-1", "cents_off": "2", "percent": "5"})
    assert both.status_code == 422
    shown = text(client, page)
    assert "12.50 EUR" in shown and "0 of 3 taken" in shown and "FRIENDS" in shown and "2.50 EUR" in shown
    tier, code = PriceTier.objects.get(), PriceCode.objects.get()
    assert (tier.cents, code.cents_off) == (1250, 250)
    client.post(at("staff_price_remove", charging.public_id, tier.public_id))
    client.post(at("staff_code_remove", charging.public_id, code.public_id))
    assert "12.50 EUR" not in text(client, page) and "FRIENDS" not in text(client, page)


def test_a_price_is_typed_in_the_time_zone_of_the_event(charging: Event, cast: Cast) -> None:
    Event.objects.update(time_zone="Europe/Paris")
    said = {"name": "Early", "cents": "9", "closes_at": "2026-07-01T12:00"}
    signed_in(cast.organizer).post(at("staff_price_add", charging.public_id), said)
    closes = PriceTier.objects.get().closes_at
    assert closes and closes.isoformat() == "2026-07-01T10:00:00+00:00"


def test_the_desk_notes_a_payment_and_the_organizer_refunds_it(charging: Event, entrant: Entrant, cast: Cast) -> None:
    desk, note = signed_in(cast.scorekeeper), at("staff_note_payment", charging.public_id, entrant.public_id)
    assert note in text(desk, at("staff_entry", charging.public_id, entrant.public_id))
    desk.post(note)
    payment = Payment.objects.get()
    assert payment.variant == "desk"
    assert desk.post(note).status_code == 409  # the same again
    page = at("staff_payment", charging.public_id, payment.public_id)
    assert desk.post(page, {"key": "a"}).status_code == 403
    client = signed_in(cast.organizer)
    assert client.post(page, {"key": "a", "cents": "13"}).status_code == 409
    client.post(page, {"key": "a", "cents": "5"})
    client.post(page, {"key": "a", "cents": "5"})
    assert Refund.objects.get().cents == 500
    listed = text(client, at("staff_payments", charging.public_id))
    assert "12.00 EUR" in listed and "5.00 EUR" in listed and "7.00 EUR" in listed


def test_a_payment_that_needs_attention_is_marked(
    charging: Event, entrant: Entrant, cast: Cast, stripe: Standin
) -> None:
    payment = payments.note_payment(entrant=entrant, by=cast.scorekeeper, now=NOW)
    play.drop(entrant=entrant, by=cast.player, now=NOW)
    client, page = signed_in(cast.organizer), at("staff_payments", charging.public_id)
    assert "Dropped: refund?" in text(client, page)
    Payment.objects.update(problem="paid_twice")
    assert "1 payment needs your attention." in text(client, page)
    assert "1 payment needs your attention." in text(client, at("staff", charging.public_id))
    assert "Refund this payment." in text(client, at("staff_payment", charging.public_id, payment.public_id))


def test_the_csv_has_the_amounts_and_no_formula(charging: Event, cast: Cast) -> None:
    people = [Newcomer("=HYPERLINK(1)")]
    (entrant,) = enter_people(event=charging, people=people, by=cast.scorekeeper, now=NOW).entrants
    payments.note_payment(entrant=entrant, by=cast.scorekeeper, now=NOW)
    answer = signed_in(cast.scorekeeper).get(at("staff_payments_csv", charging.public_id))
    (row,) = csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig")))
    assert row["name"] == "'=HYPERLINK(1)"
    assert (row["amount"], row["currency"], row["way"], row["refunded"]) == ("12.00", "EUR", "desk", "0.00")


def test_an_erased_player_leaves_amounts_without_a_name(charging: Event, entrant: Entrant, cast: Cast) -> None:
    payments.note_payment(entrant=entrant, by=cast.scorekeeper, now=NOW)
    erase_person(person=own_person(cast.player), now=NOW)
    answer = signed_in(cast.scorekeeper).get(at("staff_payments_csv", charging.public_id)).content.decode()
    assert "Player 1" not in answer and "12.00" in answer


def test_personal_data_has_the_payments(charging: Event, entrant: Entrant, cast: Cast) -> None:
    payments.note_payment(entrant=entrant, by=cast.scorekeeper, now=NOW)
    kept = json.loads(text(signed_in(cast.player), at("account_data")))
    ((entry,),) = [person["entrants"] for person in kept["persons"]]
    assert [(each["cents"], each["way"]) for each in entry["payments"]] == [(1200, "desk")]


def test_the_privacy_page_names_the_providers_only_if_there_are_any(
    stripe: Standin, paypal: paypal_standin.Standin, settings: Settings
) -> None:
    assert "Stripe or PayPal" in text(Client(), at("privacy"))
    assert "Stripe o PayPal" in Client().get(at("privacy"), headers={"Accept-Language": "it"}).content.decode()
    settings.PAYMENT_VARIANTS = {}
    assert "Stripe" not in text(Client(), at("privacy"))


def test_merging_two_entries_keeps_the_payment(charging: Event, cast: Cast, stripe: Standin) -> None:
    people = [Newcomer("Ada"), Newcomer("Ada L.")]
    gone, kept = enter_people(event=charging, people=people, by=cast.scorekeeper, now=NOW).entrants
    payments.start_payment(entrant=gone, by=cast.scorekeeper, now=NOW)
    with assert_refused("payment_open"):
        play.merge_entrants(entrant=gone, into=kept, by=cast.scorekeeper, now=NOW)
    payments.cancel_payment(payment=Payment.objects.get(), by=cast.scorekeeper, now=NOW)
    payments.note_payment(entrant=gone, by=cast.scorekeeper, now=NOW)
    play.merge_entrants(entrant=gone, into=kept, by=cast.scorekeeper, now=NOW)
    assert {payment.entrant for payment in Payment.objects.all()} == {kept}
    assert Entrant.objects.get(pk=kept.pk).settled == "paid"


@pytest.mark.slow
def test_the_money_page_of_a_large_event_has_pages_of_50_and_costs_no_more_queries(charging: Event, cast: Cast) -> None:
    page, browser = at("staff_payments", charging.public_id), signed_in(cast.organizer)
    costs = []
    for names in (["Alex Martin", "Alex Martin"], [f"Player {number}" for number in range(298)]):
        enter_people(event=charging, people=[Newcomer(name) for name in names], by=cast.organizer, now=NOW)
        for entrant in charging.entrants.filter(payments=None).order_by("pk"):
            payments.note_payment(entrant=entrant, by=cast.scorekeeper, now=NOW)
        costs.append(queries_of(browser, page))
    assert costs[0] == costs[1]
    shown = text(browser, page)
    assert shown.count("12.00 EUR") > 50 and "Player 297" in shown and "Alex Martin" not in shown
    assert text(browser, page + "?page=6").count("Alex Martin") >= 2
    assert "3600.00 EUR" in shown
