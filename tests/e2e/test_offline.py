"""A player without a network: the seat page is shown with its age, and a report is kept and counts once."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.e2e.demonstration import Demonstration, signed_in
from tests.e2e.patience import wait_until

PHONE = {"width": 390, "height": 844}
LOST = re.compile(r"Connection lost\. This page shows how things stood at \d\d:\d\d\.")
UNSENT = re.compile(r"“I won 2–1” has not been sent yet\. It has been saved on this device since \d\d:\d\d")
# Script that prints the reports of a match.
REPORTS = """
from tournaments.play.models import Report
print(list(Report.objects.filter(match__public_id="{match}").order_by("pk").values_list("games", "status")))
"""
# Playwright's contexts are private windows, in which Chromium installs nothing.
IN_PRIVATE = {"errorId": "in-incognito", "errorArguments": []}
# Whether the page and its style sheet are cached and the service worker is in charge.
IS_KEPT = """async () => !!navigator.serviceWorker.controller && !!(await caches.match(location.href))
  && !!(await caches.match(document.querySelector('link[rel=stylesheet]').href))"""
# What is stored in the browser: the number of pages in each cache, and the unsent reports.
KEPT = """async () => JSON.stringify([
  await Promise.all((await caches.keys()).filter((name) => name.includes("pages"))
    .map(async (name) => (await (await caches.open(name)).keys()).length)),
  localStorage.getItem("arbitre-unsent"),
])"""


@pytest.fixture
def player(demo: Demonstration, browser: Browser) -> Iterator[Page]:
    """The player's seat page on a phone, cached for offline use."""
    page = signed_in(browser, demo.site, demo.links["player"], viewport=PHONE)
    open_seat(page, demo)
    yield page
    page.context.close()


def open_seat(page: Page, demo: Demonstration) -> None:
    page.goto(demo.event + "me/")
    wait_for_promise(page, IS_KEPT)


def wait_for_promise(page: Page, promised: str) -> None:
    """Wait until a promise yields true. Playwright's `wait_for_function` would take the promise itself for true."""
    wait_until(lambda: page.evaluate(promised), promised, page)


def reports(demo: Demonstration, match: str) -> str:
    return demo.site.run(REPORTS.format(match=match)).strip()


def own_match(page: Page) -> str:
    href = page.get_by_role("link", name="Another score, or a concession").first.get_attribute("href")
    assert href
    return href.split("/")[2]


def test_the_seat_page_works_offline_with_its_age_and_the_right_clock(demo: Demonstration, player: Page) -> None:
    table = player.locator(".seat-number").inner_text()
    player.context.set_offline(True)
    expect(player.get_by_text(LOST)).to_be_visible()
    shown = player.get_by_role("timer").inner_text()
    player.reload()
    expect(player.locator(".seat-number")).to_have_text(table)
    expect(player.get_by_text(LOST)).to_be_visible()
    assert player.evaluate("getComputedStyle(document.querySelector('.seat-number')).fontSize") != "16px"
    assert re.fullmatch(r"\d+:\d\d", shown)
    assert abs(seconds(player.get_by_role("timer").inner_text()) - seconds(shown)) < 30
    assert not player.evaluate("document.body.hasAttribute('data-kept-at')")

    player.context.set_offline(False)
    expect(player.get_by_text(LOST)).to_be_hidden()


def seconds(timer: str) -> int:
    minutes, rest = timer.split(":")
    return int(minutes) * 60 + int(rest)


def test_an_offline_report_survives_a_reload_and_counts_once(demo: Demonstration, player: Page) -> None:
    match = own_match(player)
    player.context.set_offline(True)
    player.get_by_role("button", name="I won 2–0").click()
    player.get_by_role("button", name="I won 2–1").click()  # the last one counts
    expect(player.get_by_text(UNSENT)).to_be_visible()
    player.reload()
    expect(player.get_by_text(UNSENT)).to_be_visible()
    expect(player.get_by_text("“I won 2–0”")).to_have_count(0)

    sent: list[str] = []

    def lose_the_answer(route: Route) -> None:
        """Let the server process the first report, but never deliver its answer."""
        sent.append(route.request.post_data or "")
        if len(sent) == 1:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    player.route("**/report/", lose_the_answer)
    player.context.set_offline(False)
    expect(player.get_by_text("Already done: this page was sent before and counts only once.")).to_be_visible()
    expect(player.get_by_text(UNSENT)).to_be_hidden()
    expect(player.locator("#report-box")).to_contain_text("You reported 2–1")
    assert len(sent) == 2
    assert len({re.search(r"form_token=(\w+)", body)[1] for body in sent}) == 1  # type: ignore[index]
    assert re.fullmatch(r"\[\(\[\d, \d, 0\], 'standing'\)\]", reports(demo, match)), reports(demo, match)


def test_signing_out_removes_the_players_data_from_the_browser(demo: Demonstration, player: Page) -> None:
    # The page writes its copy again whenever it changes: wait until it has.
    wait_for_promise(player, f"async () => (await ({KEPT})()).startsWith('[[1],')")
    player.get_by_role("button", name="Sign out").click()
    expect(player.get_by_role("link", name="Sign in")).to_be_visible()
    assert player.evaluate(KEPT) == "[[],null]"
    player.context.set_offline(True)
    player.goto(demo.event + "me/")
    expect(player.get_by_role("heading", name="No network")).to_be_visible()
    expect(player.locator(".seat-number")).to_have_count(0)


def test_a_page_that_is_not_kept_says_that_there_is_no_network(demo: Demonstration, player: Page) -> None:
    wait_for_promise(player, "async () => !!(await caches.match('/offline/'))")
    player.context.set_offline(True)
    player.goto(demo.event)
    expect(player.get_by_role("heading", name="No network")).to_be_visible()
    assert player.evaluate("getComputedStyle(document.querySelector('h1')).fontFamily").find("serif") >= 0
    player.context.set_offline(False)
    player.get_by_role("link", name="Try again").click()
    expect(player.get_by_role("button", name="Sign out")).to_be_visible()
    assert player.url.endswith(demo.event)


def test_chromium_finds_the_site_installable_and_one_worker_serves_all_of_it(demo: Demonstration, player: Page) -> None:
    devtools = player.context.new_cdp_session(player)
    assert devtools.send("Page.getInstallabilityErrors")["installabilityErrors"] in ([], [IN_PRIVATE])
    manifest = devtools.send("Page.getAppManifest")
    assert not manifest["errors"] and manifest["url"].endswith("/manifest.webmanifest?language=en")
    scopes = "async () => (await navigator.serviceWorker.getRegistrations()).map((one) => new URL(one.scope).pathname)"
    assert player.evaluate(scopes) == ["/"]


def test_another_account_in_the_same_browser_finds_no_data_of_the_first(
    demo: Demonstration, browser: Browser, player: Page
) -> None:
    player.context.set_offline(True)
    player.evaluate("localStorage.setItem('arbitre-unsent', JSON.stringify([{key: 'k', at: Date.now(), fields: []}]))")
    player.goto("about:blank")  # otherwise the seat page, back online, would fetch and navigate meanwhile
    player.context.set_offline(False)
    player.context.clear_cookies()
    player.goto(demo.links["judge"])
    player.get_by_role("button", name="Sign in as this account").click()
    expect(player.get_by_role("button", name="Sign out")).to_be_visible()
    assert player.evaluate(KEPT) == "[[],null]"
