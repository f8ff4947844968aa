"""The entrants desk in the hour before an event: keyboard, focus and selection while the page refreshes itself."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.demonstration import Demonstration, signed_in
from tests.e2e.test_pages import faults_of

NAMES = "Ana de la Cruz\nEmma Martin\nEmma Moreau\nBob Smith\nZoé Lune\nPlayer 2\nPlayer 10"
TEXT = "# Prizes\n\n| rank | boosters |\n| --- | --- |\n| 1 | 12 |\n\nSee [the rules](https://example.com)."


@pytest.fixture
def desk(page: Page) -> Page:
    """The entrants desk, freshly loaded and without filters."""
    page.goto(page.url.split("staff/")[0] + "staff/entrants/" if "staff/" in page.url else page.url + "staff/entrants/")
    return page


@pytest.fixture(scope="module")
def page(demo: Demonstration, browser: Browser) -> Page:
    """The organizer's page at the entrants desk of an event in check-in."""
    page = signed_in(browser, demo.site, demo.links["organizer"], reduced_motion="reduce")
    page.goto("/staff/new/")
    page.get_by_label("Name", exact=True).fill("Last hour")
    page.get_by_label("Decklists").select_option("optional")
    page.get_by_role("button", name="Create the event").click()
    event = page.url
    page.goto(event + "entrants/import/")
    page.get_by_label("Names", exact=True).fill(NAMES)
    page.get_by_role("button", name="Preview").click()
    enter = page.get_by_role("button", name="Add 7 entrants")
    expect(enter).to_be_visible()
    assert not faults_of(page)
    enter.click()
    for step in ("open", "lock", "check_in"):
        page.goto(event)
        token = page.locator("[name=csrfmiddlewaretoken]").first.input_value()
        page.request.post(event + f"steps/{step}/", form={"csrfmiddlewaretoken": token}, headers={"Referer": event})
    page.goto(event + "entrants/")
    return page


def test_checking_in_by_keyboard_moves_the_focus_to_the_next_row(desk: Page) -> None:
    desk.goto(desk.url + "?show=absent")
    row, other = (desk.locator("tbody tr", has_text=name) for name in ("Emma Martin", "Emma Moreau"))
    row.get_by_role("button", name="Check in").focus()
    desk.keyboard.press("Enter")
    expect(desk.locator("tbody tr", has_text="Emma Martin")).to_have_count(0)  # it no longer matches the filter
    expect(other.locator("th")).to_be_focused()
    desk.goto(desk.url.replace("show=absent", "sort=-here"))
    row.get_by_role("button", name="Undo check-in").focus()
    desk.keyboard.press("Enter")
    expect(row.locator("th")).to_be_focused()
    desk.keyboard.press("Tab")
    expect(row.get_by_role("button", name="Check in")).to_be_focused()


def test_walk_ins_can_be_added_one_after_another_by_keyboard(desk: Page) -> None:
    desk.goto(desk.url + "?show=absent")
    desk.get_by_text("Add somebody without an account").click()
    first = desk.get_by_label("First name or nickname")
    for name, family in (("Carla", "Rossi"), ("bob", "smith")):
        first.fill(name)
        desk.get_by_label("Last name", exact=True).fill(family)
        desk.keyboard.press("Enter")
        expect(desk.get_by_text(re.compile("Carla Rossi is entered|Is this another person"))).to_be_visible()
    expect(desk.get_by_text("Is this another person of the same name?")).to_be_visible()
    assert not faults_of(desk)
    desk.get_by_role("button", name="Add as another person").click()
    expect(desk.get_by_text(re.compile("^bob smith.* is entered and checked in."))).to_be_visible()
    expect(first).to_be_focused()
    assert "show=absent" in desk.url


def test_a_selection_survives_a_refresh_of_the_list(desk: Page) -> None:
    for name in ("Ana de la Cruz", "Zoé Lune"):
        desk.get_by_label(f"Select {name}").check()
    with desk.expect_response(lambda answer: answer.request.headers.get("hx-request") == "true"):
        desk.evaluate("htmx.trigger('#entrants-desk', 'live')")
    expect(desk.get_by_label("Select Zoé Lune")).to_be_checked()
    desk.locator("#several").get_by_role("button", name="Check in").click()
    expect(desk.get_by_text("2 entrants are checked in.")).to_be_visible()
    assert not faults_of(desk)


def test_a_description_is_previewed_and_shown(desk: Page) -> None:
    event = desk.url.split("staff/")[0]
    desk.goto(event + "staff/details/")
    desk.get_by_label("Description").fill(TEXT)
    desk.get_by_role("button", name="Preview the description").click()
    expect(desk.locator("#preview h3")).to_have_text("Prizes")
    assert not faults_of(desk)
    desk.get_by_role("button", name="Save", exact=True).click()
    desk.goto(event)
    expect(desk.get_by_role("link", name="the rules")).to_have_attribute("rel", "nofollow noopener")
    assert not faults_of(desk)
