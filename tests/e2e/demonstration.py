"""The demonstration event on a running site, and browser pages signed in to it."""

import re
import urllib.request
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser, Page, expect

from tests.e2e.patience import PATIENCE
from tests.e2e.site import Site
from tournaments.demo.services import MAIN

LINK_FOR_ENTRANT = """
from tournaments.accounts.models import User
from tournaments.accounts.services import make_sign_in_link
from tournaments.common.clock import now
user = User.objects.get(persons__member__entrant__public_id="{entrant}")
print(make_sign_in_link(user=user, now=now(), hours=1))
"""


@dataclass(frozen=True)
class Demonstration:
    """The demonstration on a site: the path of its event, and sign-in links by role."""

    site: Site
    event: str
    links: dict[str, str]

    @property
    def event_id(self) -> str:
        return self.event.strip("/").split("/")[1]

    def link_of(self, entrant: str) -> str:
        """Make a sign-in link for the account of an entrant, given by its public id."""
        secret = self.site.run(LINK_FOR_ENTRANT.format(entrant=entrant)).strip()
        return f"{self.site.url}/link/{secret}/"

    def round(self, reader: Page, number: int = 4) -> dict[int, dict[str, Any]]:
        """Return the matches of a round by table number, as the API gives them to this reader."""
        answer = reader.request.get(f"/api/v1/events/{self.event_id}/rounds/{number}/")
        return {match["table"]: match for match in answer.json()["matches"]}


def demonstration_of(site: Site) -> Demonstration:
    """Find the demonstration on a site, and the sign-in links that were made with it."""
    with urllib.request.urlopen(site.url + "/") as home:
        page = home.read().decode()
    address = re.search(rf'"(/e/e-\w+/)"[^>]*>\s*(?:<[^>]*>\s*)*{MAIN.name}', page)
    assert address, f"the demonstration is not on the first page:\n{page}"
    return Demonstration(site, address[1], {role: site.url + path for role, path in site.links.items()})


def a_page(browser: Browser, site: Site, **options: Any) -> Page:
    """Open an English page in a browser context of its own. `options` are those of Playwright's `new_context`."""
    context = browser.new_context(base_url=site.url, locale="en-GB", **options)
    context.set_default_timeout(PATIENCE)
    return context.new_page()


def signed_in(browser: Browser, site: Site, link: str, **options: Any) -> Page:
    """Open a page in a browser context of its own and sign in by a link, as a person would."""
    page = a_page(browser, site, **options)
    page.goto(link)
    page.get_by_role("button", name="Sign in as this account").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    return page
