"""Without JavaScript: signing in, reading, reporting, the round desk and an audit all work."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.demonstration import Demonstration, signed_in

FIRST, SECOND = 2, 6  # tables of the running round without a report


def plain(browser: Browser, demo: Demonstration, link: str) -> Page:
    """Open the event's page, signed in by a link, in a browser without JavaScript."""
    page = signed_in(browser, demo.site, link, java_script_enabled=False)
    page.goto(demo.event)
    return page


@pytest.fixture(scope="module")
def organizer(demo: Demonstration, browser: Browser) -> Page:
    return plain(browser, demo, demo.links["organizer"])


def test_a_player_finds_the_seat_and_reports_and_the_opponent_confirms(
    demo: Demonstration, browser: Browser, organizer: Page
) -> None:
    match = demo.round(organizer)[FIRST]
    own, other = (seat["entrant"] for seat in match["seats"])
    player = plain(browser, demo, demo.links["player"])
    player.get_by_role("link", name="My seat").first.click()
    expect(player.locator(".seat-number")).to_have_text(str(FIRST))
    expect(player.locator(".seat__name")).to_have_text(other["name"])
    expect(player.get_by_role("timer")).to_have_text(re.compile(r"^\d\d:\d\d$"))
    player.get_by_role("button", name="I won 2–1").click()
    expect(player.get_by_text("You reported")).to_be_visible()

    opponent = plain(browser, demo, demo.link_of(other["id"]))
    opponent.get_by_role("link", name="My seat").first.click()
    expect(opponent.locator("#report-box .score")).to_have_text("1–2")
    opponent.get_by_role("button", name="That is right").click()
    expect(opponent.get_by_text("You both agree: the result counts.")).to_be_visible()

    player.get_by_role("link", name="Pairings").click()
    line = player.get_by_role("row", name=re.compile(rf"Table {FIRST}\b"))
    expect(line).to_contain_text(own["name"])
    expect(line).to_contain_text("2–1")


def test_an_organizer_enters_and_corrects_a_result_at_the_desk(demo: Demonstration, organizer: Page) -> None:
    organizer.goto(demo.event + "staff/rounds/4/")
    table = organizer.locator(".desk-row", has=organizer.get_by_text(re.compile(rf"^Table {SECOND}$")))
    table.get_by_role("button", name=re.compile("^2–0")).click()
    expect(organizer.get_by_text(f"Result of table {SECOND} saved.")).to_be_visible()
    table.get_by_role("link", name="Correct").click()
    organizer.get_by_label("Games won by").nth(1).fill("1")
    organizer.get_by_label("Reason").fill("The slip says 2–1.")
    organizer.get_by_role("button", name="Enter the result").click()
    expect(table.locator(".desk-row__state")).to_contain_text("2–1")


def test_a_judge_reads_an_audit_and_steps_through_the_game(demo: Demonstration, browser: Browser) -> None:
    judge = plain(browser, demo, demo.links["judge"])
    judge.get_by_role("link", name="Judges").first.click()
    judge.get_by_role("link", name=re.compile("^Log")).first.click()
    expect(judge.get_by_role("heading", name="Verdict Illegal move")).to_be_visible()
    expect(judge.get_by_text("Rule SAF-VI.3-5").first).to_be_visible()
    shown = judge.get_by_role("heading", name=re.compile(r"After move \d+ of \d+"))
    found = re.search(r"After move (\d+) of (\d+)", shown.inner_text())
    assert found
    before, last = map(int, found.groups())
    judge.get_by_role("link", name="Next", exact=True).click()
    refused = judge.get_by_role("heading", name=f"At move {before + 1}, which is not allowed")
    expect(refused).to_be_visible()
    assert before + 1 == last
    judge.get_by_label("Move", exact=True).fill("3")
    judge.get_by_role("button", name="Go").click()
    expect(judge.get_by_role("heading", name=f"After move 3 of {last}")).to_be_visible()
    judge.get_by_role("link", name="Next", exact=True).click()
    expect(judge.get_by_role("heading", name=f"After move 4 of {last}")).to_be_visible()
    expect(judge.get_by_text("Turn 1", exact=False).first).to_be_visible()
