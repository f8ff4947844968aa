"""Nothing is final by accident: different reports, a ruling, a correction with its repair, a reopened event.

Pages are also checked for faults on phone and desk; see `faults_of`.
"""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.demonstration import Demonstration, signed_in
from tests.e2e.test_pages import faults_of

REPORTED, DISPUTED = 2, 1  # tables of the running round: one without a report, one that is contested


@pytest.fixture(scope="module")
def organizer(demo: Demonstration, browser: Browser) -> Page:
    return signed_in(browser, demo.site, demo.links["organizer"], reduced_motion="reduce")


@pytest.fixture(scope="module")
def judge(demo: Demonstration, browser: Browser) -> Page:
    return signed_in(browser, demo.site, demo.links["judge"], reduced_motion="reduce")


def test_two_players_who_report_different_scores_see_both_and_one_accepts(
    demo: Demonstration, browser: Browser, organizer: Page
) -> None:
    match = demo.round(organizer)[REPORTED]
    one, other = (
        signed_in(browser, demo.site, demo.link_of(seat["entrant"]["id"]), reduced_motion="reduce")
        for seat in match["seats"]
    )
    for player, score in ((one, "I won 2–0"), (other, "I won 2–1")):
        player.goto(demo.event + "me/")
        if player == other:
            player.get_by_text("That is not right").click()
        player.get_by_role("button", name=score).click()
    expect(other.get_by_role("heading", name="Your reports differ")).to_be_visible()
    expect(one.get_by_role("heading", name="Your reports differ")).to_be_visible()  # without a reload
    assert not faults_of(other)
    one.get_by_role("button", name="Accept").click()
    for player in (one, other):
        expect(player.get_by_text("You both agree: the result counts.")).to_be_visible()
        player.context.close()


def test_the_form_of_a_ruling_shows_only_the_fields_the_decision_needs(
    demo: Demonstration, organizer: Page, judge: Page
) -> None:
    match = demo.round(organizer)[DISPUTED]
    judge.goto(f"/m/{match['id']}/judge/")
    score, reason = judge.get_by_label("Games won by").first, judge.get_by_label("Reason")
    expect(reason).to_be_hidden()
    judge.get_by_label("Change the result").check()
    expect(score).to_be_visible()
    assert not faults_of(judge)
    judge.get_by_label("Keep the report").check()
    expect(score).to_be_hidden()
    reason.fill("Both players agree on it now.")
    judge.get_by_role("button", name="Make ruling", exact=True).click()
    expect(judge.get_by_text("No result is contested.")).to_be_visible()


def swap_the_score(page: Page) -> None:
    """Swap the games won of the two players in the form."""
    first, second = page.locator("#id_first"), page.locator("#id_second")
    won, lost = first.input_value(), second.input_value()
    first.fill(lost)
    second.fill(won)


def test_a_correction_leads_to_the_repair_of_the_next_round(demo: Demonstration, organizer: Page) -> None:
    earlier = demo.round(organizer, 3)
    match = next(match for table, match in sorted(earlier.items(), key=lambda item: item[0] or 0) if table)
    organizer.goto(f"/m/{match['id']}/staff/")
    swap_the_score(organizer)
    organizer.get_by_label("Reason").fill("The slip was misread.")
    assert not faults_of(organizer)
    organizer.get_by_role("button", name="Enter the result").click()
    expect(organizer.get_by_role("heading", name="Repair the pairings of round 4")).to_be_visible()
    assert not faults_of(organizer)
    organizer.get_by_role("button", name=re.compile("Leave the pairings as they are|Continue with the round")).click()
    expect(organizer.get_by_text("The pairings of round 4 stay as they are.")).to_be_visible()


def test_the_owner_reopens_a_finished_event_with_a_correction(organizer: Page) -> None:
    organizer.goto("/archive/")
    organizer.get_by_role("link", name="Star Safir cup").first.click()
    event = organizer.url
    organizer.goto(event + "staff/")
    organizer.locator("#reopen summary").click()
    assert not faults_of(organizer)
    last = organizer.request.get("/api/v1/events/" + event.strip("/").split("/")[-1] + "/rounds/").json()[-1]["number"]
    organizer.goto(f"{event}staff/rounds/{last}/")
    organizer.locator("a.correct").first.click()
    swap_the_score(organizer)
    organizer.get_by_label("Reason").fill("The final was entered the wrong way round.")
    assert not faults_of(organizer)
    organizer.get_by_role("button", name="Reopen the event and enter the result").click()
    expect(organizer.get_by_text(re.compile("Result of table .* saved"))).to_be_visible()
    organizer.goto(event + "staff/")
    expect(organizer.get_by_text("In progress").or_(organizer.get_by_text("Running")).first).to_be_visible()
