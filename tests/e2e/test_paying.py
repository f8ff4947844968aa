"""Paying an entry fee in Chromium, against a stand-in of Stripe: to its page, and back to one that knows."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.demonstration import Demonstration, demonstration_of, signed_in
from tests.e2e.site import Site, running_site
from tests.e2e.test_pages import HEIGHT, PHONE, said_by_axe, too_small, too_wide
from tests.payments.stripe_standin import KEY, SECRET, Standin, standin

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
def stripe() -> Iterator[Standin]:
    with standin() as running:
        yield running


@pytest.fixture(scope="module")
def demo(template: str, stripe: Standin, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demonstration]:
    with pytest.MonkeyPatch.context() as env:
        env.setenv("STRIPE_SECRET_KEY", KEY)
        env.setenv("STRIPE_WEBHOOK_SECRET", SECRET)
        env.setenv("STRIPE_API_BASE", stripe.url)
        with running_site(Path(tmp_path_factory.mktemp("paying")), template) as site:
            stripe.notices = f"{site.url}/payments/notices/stripe/"
            yield demonstration_of(site)


def _made(site: Site, entrant: str) -> tuple[str, str]:
    """Make an event with an entry fee in which the account of an entrant is registered. Its id, and a sign-in link."""
    told = site.manage("shell", "--verbosity", "0", "-c", MAKE.replace("ENTRANT", entrant))
    event, secret = told.split()
    return event, f"{site.url}/link/{secret}/"


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_a_player_pays_on_the_providers_page_and_sees_that_it_is_settled(
    browser: Browser, demo: Demonstration, stripe: Standin, scripts: bool
) -> None:
    reader = signed_in(browser, demo.site, demo.links["organizer"])
    entrant = reader.request.get(f"/api/v1/events/{demo.event_id}/entrants/").json()["results"][3 + scripts]["id"]
    event, link = _made(demo.site, entrant)
    view = {"width": PHONE, "height": HEIGHT}
    page = signed_in(browser, demo.site, link, viewport=view, java_script_enabled=scripts)
    page.goto(f"/e/{event}/me/")
    page.get_by_role("link", name="Pay now").click()
    if scripts:
        assert [*too_wide(page), *too_small(page), *said_by_axe(page)] == []
    page.get_by_role("button", name="Continue").click()
    pay = page.get_by_role("link", name="Pay with Stripe")
    if not scripts:
        for _again in range(20):
            if pay.is_visible():
                break
            page.wait_for_timeout(500)
            page.get_by_role("link", name="Check again").click()
    expect(pay).to_be_visible()
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
