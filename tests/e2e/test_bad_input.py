"""Mistakes made in a browser: the page says what is wrong and where, keeps the input, and does nothing twice."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.builders import deck_text
from tests.cast import PASSWORD
from tests.e2e.demonstration import Demonstration, a_page, signed_in

LARGE = ("4 " + 1_021 * "A" + "\n") * 70  # 70 KiB
EMPTY_LOG = {"format": 1, "game": "star-safir", "ruleset": "star-safir-1", "seats": {"A": {}, "B": {}}, "moves": []}
# Script that makes a running event of two tables.
SMALL_EVENT = """
from tests.builders import a_running_event
from tests.cast import make_cast
print(a_running_event(make_cast(), players=4, name="Small Open").public_id)
"""


@pytest.fixture(scope="module")
def player(demo: Demonstration, browser: Browser) -> Page:
    return signed_in(browser, demo.site, demo.links["player"])


@pytest.fixture(scope="module")
def deck_page(demo: Demonstration, browser: Browser, player: Page) -> str:
    """The address of the player's decklist page at an event that takes registrations."""
    organizer = signed_in(browser, demo.site, demo.links["organizer"])
    organizer.goto("/staff/new/")
    organizer.get_by_label("Name", exact=True).fill("Next Open")
    organizer.get_by_role("button", name="Create the event").click()
    organizer.get_by_role("button", name="Open registration").click()
    expect(organizer.get_by_text("Registration is open.", exact=True)).to_be_visible()
    event = organizer.url.removesuffix("staff/")
    organizer.context.close()
    player.goto(event)
    player.get_by_role("button", name="Register").click()
    expect(player.get_by_text("You are registered.")).to_be_visible()
    return event + "me/deck/"


def submit_list(player: Page, deck_page: str, text: str) -> None:
    player.goto(deck_page)
    player.get_by_label("Your list").fill(text)
    player.get_by_role("button", name="Submit").click()


def test_an_unreadable_decklist_names_the_line_and_keeps_the_input(player: Page, deck_page: str) -> None:
    typed = deck_text(1).replace("\n", "\n4 A card nobody printed\n", 1)
    submit_list(player, deck_page, typed)
    told = player.get_by_role("alert")
    expect(told).to_contain_text("Line 2:")
    expect(told).to_contain_text("4 A card nobody printed")
    expect(player.get_by_label("Your list")).to_have_value(typed)
    player.get_by_label("Your list").fill(deck_text(1))
    player.get_by_role("button", name="Submit").click()
    expect(player.get_by_text("Legal", exact=True)).to_be_visible()


def test_a_decklist_of_70_kib_is_refused_with_a_message(player: Page, deck_page: str, tmp_path: Path) -> None:
    submit_list(player, deck_page, LARGE)
    expect(player.get_by_role("alert")).to_contain_text("A decklist can have 64 KiB of text at most.")
    expect(player.get_by_label("Your list")).to_have_value(LARGE)
    file = tmp_path / "list.txt"
    file.write_text(LARGE)
    player.goto(deck_page)
    player.get_by_label("Or a text file").set_input_files(file)
    player.get_by_role("button", name="Submit").click()
    expect(player.get_by_role("alert")).to_contain_text("A decklist can have 64 KiB of text at most.")


@pytest.mark.parametrize(
    ("document", "code", "where"),
    [
        ('{"format": 1,\n "game": ', "not_json", "line 2 column 10"),
        ('{"format": 1, "format": 1}', "duplicate_key", "format"),
        (json.dumps({**EMPTY_LOG, "claimed": {"winner": "Z"}}), "bad_value", "claimed.winner"),
        (json.dumps({**EMPTY_LOG, "moves": [{"by": "A"}]}), "missing_key", "move 1"),
    ],
)
def test_an_unreadable_log_shows_the_code_and_the_place(
    demo: Demonstration, player: Page, tmp_path: Path, document: str, code: str, where: str
) -> None:
    player.goto(f"/m/{demo.round(player)[2]['id']}/games/1/log/")
    file = tmp_path / "game.json"
    file.write_text(document)
    fault, pasted = player.locator(".faults li"), player.get_by_label("Or its text")
    player.get_by_label("Log file").set_input_files(file)
    player.get_by_role("button", name="Add the log").click()
    expect(fault).to_contain_text(code)
    expect(fault).to_contain_text(where)
    pasted.fill(document)
    player.get_by_role("button", name="Add the log").click()
    expect(fault).to_contain_text(code)
    expect(pasted).to_have_value(document)


def test_publishing_in_two_tabs_is_refused_in_the_second(demo: Demonstration, browser: Browser) -> None:
    event = "/e/" + demo.site.run(SMALL_EVENT).strip() + "/"
    first = a_page(browser, demo.site)
    first.goto("/sign-in/")
    first.get_by_label("E-mail address").fill("organizer@example.com")
    first.get_by_label("Password").fill(PASSWORD)
    first.get_by_role("button", name="Sign in", exact=True).click()
    expect(first.get_by_role("button", name="Sign out")).to_be_visible()
    first.goto(event + "staff/")
    first.get_by_role("button", name="Pair round 1").click()
    second = first.context.new_page()
    second.goto(event + "staff/rounds/1/")
    for tab in (first, second):
        tab.get_by_text("Publish the pairings").click()
    first.get_by_role("button", name="Publish", exact=True).click()
    expect(first.get_by_text("The pairings of round 1 are published.")).to_be_visible()
    second.get_by_role("button", name="Publish", exact=True).click()
    expect(second.get_by_role("alert")).to_contain_text("These pairings have been published or discarded.")
    second.get_by_role("link", name="Back").click()
    expect(second.get_by_role("button", name="Start the clock")).to_be_visible()
    expect(second.locator(".desk-row")).to_have_count(2)
    second.goto(event + "staff/ledger/")
    expect(second.get_by_role("rowheader", name=re.compile("published", re.IGNORECASE))).to_have_count(1)
    first.context.close()


def test_confirming_a_report_that_was_corrected_meanwhile_is_refused(
    demo: Demonstration, browser: Browser, player: Page
) -> None:
    seats = demo.round(player)[2]["seats"]
    opponent = signed_in(browser, demo.site, demo.link_of(seats[1]["entrant"]["id"]))
    opponent.route("**/live/**", lambda route: route.abort())  # without the live stream, its page becomes stale
    player.goto(demo.event + "me/")
    player.get_by_role("button", name="I won 2–0").click()
    expect(player.get_by_text("You reported 2–0")).to_be_visible()
    opponent.goto(demo.event + "me/")
    expect(opponent.locator("#report-box .score")).to_have_text("0–2")
    player.get_by_text("Correct my report").click()
    player.get_by_role("button", name="I won 2–1").click()
    expect(player.get_by_text("You reported 2–1")).to_be_visible()

    opponent.get_by_role("button", name="That is right").click()
    expect(opponent.get_by_role("alert")).to_contain_text("The report has changed in the meantime: look at it again.")
    expect(opponent.locator("#report-box .score")).to_have_text("1–2")
    opponent.get_by_role("button", name="That is right").click()
    expect(opponent.get_by_text("You both agree: the result counts.")).to_be_visible()
    opponent.context.close()
