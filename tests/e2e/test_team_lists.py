"""A team of three registers three decklists in a browser, of which two share too many copies of a card."""

import re

from playwright.sync_api import Browser, Page, expect

from tests.builders import own_deck
from tests.e2e.site import Site
from tests.e2e.test_main_job import press, signed_up

NAMES = ("Captain", "Mate", "Third")


def a_team_event_with_a_limit(page: Page) -> str:
    """Create an event for teams of three with a limit of two copies, open registration, and return its address."""
    page.goto("/staff/new/")
    page.get_by_label("Name", exact=True).fill("Unified Cup")
    press(page, "Create the event")
    address = re.search(r"/e/e-\w+/", page.url)
    assert address, page.url
    page.goto(address[0] + "staff/teams/")
    page.get_by_label("Players of a team").fill("3")
    page.get_by_label("By boards").check()
    press(page, "Save settings")
    expect(page.get_by_text("Team settings saved.")).to_be_visible()
    page.goto(address[0] + "staff/format/")
    page.get_by_label("Copies of a card in a team").fill("2")
    press(page, "Use this format")
    expect(page.get_by_text("Decklists are checked by this format.")).to_be_visible()
    page.goto(address[0] + "staff/")
    press(page, "Open registration")
    return address[0]


def enter_team(players: list[Page], event: str) -> str:
    """The first player registers the team, the others join it by the link. Returns the address of its page."""
    captain, *mates = players
    captain.goto(event)
    press(captain, "Register a team")
    captain.get_by_label("Name of the team").fill("Foxes")
    press(captain, "Register a team")
    expect(captain.get_by_role("heading", name="Foxes")).to_be_visible()
    team, link = captain.url, captain.locator("a.code").inner_text()
    for mate in mates:
        mate.goto(link)
        press(mate, "Join the team")
        expect(mate.get_by_role("heading", name="Foxes")).to_be_visible()
    return team


def submit(page: Page, event: str, text: str) -> None:
    page.goto(event + "me/deck/")
    page.locator("#list textarea").fill(text)
    press(page, "Submit")
    expect(page.get_by_role("heading", name=re.compile("Version"))).to_be_visible()


def test_a_team_of_three_registers_three_lists_of_which_two_share_too_many_copies(browser: Browser, site: Site) -> None:
    organizer, *players = (signed_up(browser, site, name) for name in ("Organizer", *NAMES))
    captain, mate, third = players
    event = a_team_event_with_a_limit(organizer)
    team = enter_team(players, event)

    submit(captain, event, own_deck(0, shared=1))
    expect(captain.get_by_text("Legal", exact=True)).to_be_visible()
    submit(mate, event, own_deck(1, shared=1))
    fault = mate.get_by_text("Too many copies of")
    expect(fault).to_contain_text("4 (Captain: 2, Mate: 2). The limit is 2: take out 2.")
    submit(third, event, own_deck(2))
    expect(third.get_by_text("Legal", exact=True)).to_be_visible()

    # The captain's list has the same fault now, and the page of the team says so without showing a card.
    captain.goto(event + "me/deck/")
    expect(captain.get_by_text("Too many copies of")).to_be_visible()
    captain.goto(team)
    expect(captain.get_by_text("1 problem", exact=True)).to_have_count(2)
    expect(captain.get_by_text("legal", exact=True)).to_have_count(1)

    submit(mate, event, own_deck(1))
    expect(mate.get_by_text("Legal", exact=True)).to_be_visible()
    captain.reload()
    expect(captain.get_by_text("legal", exact=True)).to_have_count(3)
    organizer.goto(event + "staff/entrants/")
    expect(organizer.get_by_role("link", name=re.compile("^version"))).to_have_count(3)
