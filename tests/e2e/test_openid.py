"""Signing in with an account at another site, in Chromium: the content security policy lets the browser go there."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.site import Seeded, Site, running_site
from tests.e2e.test_pages import HEIGHT, PHONE, said_by_axe, too_small, too_wide
from tests.web.openid import CLIENT_ID, SECRET, Provider, a_provider


@pytest.fixture(scope="module")
def club() -> Iterator[Provider]:
    with a_provider() as provider:
        provider.person = {"sub": "17", "given_name": "Player 12"}
        yield provider


@pytest.fixture(scope="module")
def site_of_club(template: Seeded, club: Provider, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    variables = {"NAME": "Our Club", "SERVER_URL": club.url, "CLIENT_ID": CLIENT_ID, "SECRET": SECRET}
    with pytest.MonkeyPatch.context() as env:
        env.setenv("OPENID_PROVIDERS", "club")
        for name, value in variables.items():
            env.setenv(f"OPENID_CLUB_{name}", value)
        with running_site(Path(tmp_path_factory.mktemp("openid")), template) as running:
            yield running


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_the_button_leads_to_the_other_site_and_back_signed_in(
    browser: Browser, site_of_club: Site, scripts: bool
) -> None:
    view = {"width": PHONE, "height": HEIGHT}
    url = site_of_club.url
    context = browser.new_context(base_url=url, viewport=view, locale="en-GB", java_script_enabled=scripts)
    page = context.new_page()
    page.goto("/sign-in/?next=/account/security/")
    page.get_by_role("button", name="Sign in with Our Club").click()
    expect(page.get_by_role("heading", name="Accounts at other sites")).to_be_visible()
    expect(page.get_by_role("button", name="Disconnect Our Club")).to_be_visible()
    if scripts:
        assert [*too_wide(page), *too_small(page), *said_by_axe(page)] == []
    context.close()
