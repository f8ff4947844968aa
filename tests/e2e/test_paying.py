"""Paying an entry fee in Chromium, against stand-ins of Stripe and PayPal: to their page and back to ours."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.demonstration import Demonstration, demonstration_of, signed_in
from tests.e2e.patience import wait_until
from tests.e2e.site import Seeded, Site, running_site
from tests.e2e.test_pages import HEIGHT, PHONE, look_at, said_by_axe, too_small, too_wide
from tests.payments import paypal_standin, stripe_standin

MAKE = """
from tournaments.accounts.models import User
from tournaments.accounts.services import make_sign_in_link, own_person
from tournaments.common.clock import now
from tournaments.demo.services import DOMAIN
from tournaments.events import services as events
organizer = User.objects.get(email=f"organizer@{DOMAIN}")
player = User.objects.get(persons__member__entrant__public_id="ENTRANT")
event = events.create_event(name="Paid Open", preset="star-safir", by=organizer, now=now())
entry = {"entry": {"kind": "paid", "cents": 1200, "currency": "EUR"}}
events.change_procedures(event=event, procedures=entry, by=organizer, now=now())
events.open_registration(event=event, by=organizer, now=now())
events.register(event=event, person=own_person(player), by=player, now=now())
print(event.public_id, make_sign_in_link(user=player, now=now(), hours=1))
"""


@pytest.fixture(scope="module")
def stripe() -> Iterator[stripe_standin.Standin]:
    with stripe_standin.standin() as running:
        yield running


@pytest.fixture(scope="module")
def paypal() -> Iterator[paypal_standin.Standin]:
    with paypal_standin.standin() as running:
        yield running


@pytest.fixture(scope="module")
def demo(
    template: Seeded,
    stripe: stripe_standin.Standin,
    paypal: paypal_standin.Standin,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Demonstration]:
    with pytest.MonkeyPatch.context() as env:
        env.setenv("STRIPE_SECRET_KEY", stripe_standin.KEY)
        env.setenv("STRIPE_WEBHOOK_SECRET", stripe_standin.SECRET)
        env.setenv("STRIPE_API_BASE", stripe.url)
        env.setenv("PAYPAL_CLIENT_ID", paypal_standin.CLIENT_ID)
        env.setenv("PAYPAL_SECRET", paypal_standin.SECRET)
        env.setenv("PAYPAL_WEBHOOK_ID", paypal_standin.WEBHOOK_ID)
        env.setenv("PAYPAL_API_BASE", paypal.url)
        with running_site(Path(tmp_path_factory.mktemp("paying")), template) as site:
            stripe.notices = f"{site.url}/payments/notices/stripe/"
            paypal.notices = f"{site.url}/payments/notices/paypal/"
            yield demonstration_of(site)


def _made(site: Site, entrant: str) -> tuple[str, str]:
    """Make an event with an entry fee in which the account of an entrant is registered. Its id, and a sign-in link."""
    told = site.run(MAKE.replace("ENTRANT", entrant))
    event, secret = told.split()
    return event, f"{site.url}/link/{secret}/"


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_a_player_pays_on_the_providers_page_and_sees_that_it_is_settled(
    browser: Browser, demo: Demonstration, scripts: bool
) -> None:
    reader = signed_in(browser, demo.site, demo.links["organizer"])
    entrant = reader.request.get(f"/api/v1/events/{demo.event_id}/entrants/").json()["results"][3 + scripts]["id"]
    event, link = _made(demo.site, entrant)
    view = {"width": PHONE, "height": HEIGHT}
    page = signed_in(browser, demo.site, link, viewport=view, java_script_enabled=scripts)
    page.goto(f"/e/{event}/me/")
    page.get_by_role("link", name="Pay now").click()
    if scripts:
        page.wait_for_load_state()
        assert [*too_wide(page), *too_small(page), *said_by_axe(page)] == []
    page.get_by_role("button", name="Continue").click()
    pay = page.get_by_role("link", name="Pay with Stripe")
    if not scripts:
        wait_until(lambda: pay.is_visible() or page.get_by_role("link", name="Check again").click(), "no payment", page)
    expect(pay).to_be_visible()  # a job opens it: the page asks every second
    if scripts:
        assert [*too_wide(page), *too_small(page), *said_by_axe(page)] == []
    pay.click()
    page.get_by_role("button", name="Pay now").click()
    expect(page.get_by_text("Paid. Your entry is settled.")).to_be_visible()
    page.goto(f"/e/{event}/me/")
    expect(page.get_by_role("link", name="Pay now")).to_have_count(0)
    reader.goto(f"/e/{event}/staff/payments/")
    expect(reader.get_by_role("cell", name="12.00 EUR")).to_be_visible()
    if scripts:
        assert [*too_wide(reader), *said_by_axe(reader)] == []
    page.context.close()
    reader.context.close()


def test_a_player_chooses_paypal_approves_there_and_sees_that_it_is_settled(
    browser: Browser, demo: Demonstration, paypal: paypal_standin.Standin, tmp_path: Path
) -> None:
    reader = signed_in(browser, demo.site, demo.links["organizer"])
    entrant = reader.request.get(f"/api/v1/events/{demo.event_id}/entrants/").json()["results"][6]["id"]
    event, link = _made(demo.site, entrant)
    page = signed_in(browser, demo.site, link, viewport={"width": PHONE, "height": HEIGHT})
    page.goto(f"/e/{event}/me/")
    page.get_by_role("link", name="Pay now").click()
    look_at(page, tmp_path, "ways")
    page.get_by_label("PayPal").check()
    page.get_by_role("button", name="Continue").click()
    pay = page.get_by_role("link", name="Pay with PayPal")
    expect(pay).to_be_visible()
    look_at(page, tmp_path, "waiting")
    pay.click()
    page.get_by_role("button", name="Complete Purchase").click()
    expect(page.get_by_text("Paid. Your entry is settled.")).to_be_visible()
    look_at(page, tmp_path, "paid")
    (order,) = paypal.orders.values()
    assert order["status"] == "COMPLETED"
    reader.goto(f"/e/{event}/staff/payments/")
    reader.get_by_role("row", name="PayPal").get_by_role("link").first.click()
    reader.get_by_label("Amount in EUR").fill("5")
    reader.get_by_role("button", name="Refund").click()
    expect(reader.get_by_text("On its way")).to_be_visible()
    wait_until(lambda: paypal.refunds, "no refund was asked for", reader)
    paypal.told(paypal.refunded(next(iter(paypal.refunds))))
    reader.reload()
    expect(reader.get_by_text("Refunded", exact=True)).to_be_visible()
    look_at(reader, tmp_path, "refunded")
    page.context.close()
    reader.context.close()
