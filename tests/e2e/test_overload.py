"""A site without a lane for pages: they are shown as they were, say so, and are brought up to date."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.demonstration import Demonstration, a_page, signed_in
from tests.e2e.overloaded import OVERLOADED
from tests.e2e.patience import wait_until
from tests.e2e.site import Seeded, Site, running_site

PHONE = {"width": 390, "height": 844}
BUSY = re.compile(r"The site is very busy\. This page shows how things stood \d+ seconds? ago\.")
# Script that corrects the result of a table.
ENTER = """
from tournaments.common.clock import now
from tournaments.events.models import StaffRole
from tournaments.play.models import Match
from tournaments.play.services import enter_result
match = Match.objects.filter(round__stage__event__public_id="{event}", round__number=4, table=3).get()
by = StaffRole.objects.get(event=match.round.stage.event, role="owner").user
enter_result(match=match, by=by, games=(0, 2, 1), now=now(), reason="Wrong way round")
"""


@pytest.fixture(scope="module")
def site(template: Seeded, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site that tests can overload."""
    folder = Path(tmp_path_factory.mktemp("site"))
    with running_site(folder, template, application="tests.e2e.overloaded:application") as running:
        yield running


@contextmanager
def overload(site: Site) -> Iterator[None]:
    """Leave no lane to pages within the block."""
    file = Path(site.env["VAR_DIR"]) / OVERLOADED
    file.touch()
    try:
        yield
    finally:
        file.unlink()


@pytest.fixture
def follower(demo: Demonstration, browser: Browser) -> Iterator[Page]:
    """A visitor's open page of pairings: it is cached, and its stream makes the process follow the event."""
    page = a_page(browser, demo.site, viewport=PHONE)
    with page.expect_request("**/live/**"):
        page.goto(demo.event + "rounds/4/")
    page.wait_for_timeout(1_000)  # the streams have read the event
    yield page
    page.context.close()


def test_a_visitor_sees_the_page_as_it_was_until_the_stream_has_brought_it_up_to_date(
    demo: Demonstration, browser: Browser, follower: Page
) -> None:
    table = follower.get_by_role("row", name=re.compile(r"^Table 3\b"))
    other = a_page(browser, demo.site, viewport=PHONE)
    other.route("**/live/**", lambda route: route.abort())
    with overload(demo.site):
        demo.site.run(ENTER.format(event=demo.event_id))
        expect(table).to_contain_text("0–2")  # the open page hears of it from its stream
        other.goto(demo.event + "rounds/4/")
        expect(other.get_by_text(BUSY)).to_be_visible()
        line = other.get_by_role("row", name=re.compile(r"^Table 3\b"))
        expect(line).not_to_contain_text("0–2")
        clocks = [page.locator(".clock__time").first.inner_text() for page in (follower, other)]
        first, second = (
            60 * int(minutes) + int(seconds) for minutes, seconds in (each.strip("+").split(":") for each in clocks)
        )
        assert abs(first - second) <= 3, "the clock of the older page is right all the same"
        other.unroute("**/live/**")
        other.reload()
        expect(line).to_contain_text("0–2")
        expect(other.get_by_text(BUSY)).to_have_count(0)
    other.context.close()


def test_a_second_tab_of_a_browser_is_brought_up_to_date_when_there_are_lanes_again(
    demo: Demonstration, follower: Page
) -> None:
    tab = follower.context.new_page()  # the first tab holds the stream for both
    with overload(demo.site):
        tab.goto(demo.event + "rounds/4/")
        expect(tab.get_by_text(BUSY)).to_be_visible()
    expect(tab.get_by_text(BUSY)).to_have_count(0)


def test_a_signed_in_reader_sees_what_everybody_sees_until_the_own_page_is_there(
    demo: Demonstration, browser: Browser, follower: Page
) -> None:
    player = signed_in(browser, demo.site, demo.links["player"], viewport=PHONE)
    player.goto(demo.event + "me/")
    wait_until(lambda: player.evaluate("async () => !!(await caches.match(location.href))"), "no seat is kept", player)
    seat = player.url
    with overload(demo.site):
        player.goto(demo.event + "rounds/4/")
        expect(player.get_by_text(BUSY)).to_be_visible()
        expect(player.get_by_text("If you are signed in, you still are")).to_be_visible()
        player.wait_for_timeout(1_500)
        expect(player.get_by_text(BUSY)).to_be_visible()
        assert player.evaluate("async (seat) => !!(await caches.match(seat))", seat), "the seat page was forgotten"
    expect(player.get_by_role("button", name="Sign out")).to_be_visible()  # the page has reloaded itself
    expect(player.get_by_text(BUSY)).to_have_count(0)
    player.context.close()


def test_an_open_page_whose_part_is_refused_says_how_old_it_is(demo: Demonstration, follower: Page) -> None:
    with overload(demo.site):
        follower.evaluate("htmx.trigger(document.querySelector('[data-live]'), 'live')")
        expect(follower.get_by_text(re.compile(r"This page shows how things stood at \d\d:\d\d\."))).to_be_visible()
    expect(follower.get_by_text("Connection restored.")).to_be_attached()
