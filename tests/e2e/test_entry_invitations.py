"""From a file of a ticket shop to players with accounts: invitations by e-mail, and decklists of the file."""

import re
from email import message_from_bytes, policy
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.builders import deck_text
from tests.e2e.demonstration import Demonstration, a_page, signed_in
from tests.e2e.patience import wait_until
from tests.e2e.test_pages import faults_of

INVITED = "player-12@example.com"
HEADERS = "Order code,Email,Attendee name,Attendee email,Product,Decklist"


def the_file() -> bytes:
    """Two tickets of one order, as pretix exports them: the first with a list, the second with one nobody can read."""
    first = f'A1B2C,buyer@example.org,Player 12,{INVITED},Entry,"{deck_text(1)}"'
    second = 'A1B2C,buyer@example.org,Player 13,,Entry,"3 No such card"'
    third = "A1B2D,other@example.org,Player 14,player-14@example.com,Entry,"
    return "\n".join((HEADERS, first, second, third)).encode()


def the_link(demo: Demonstration, to: str) -> str:
    """The address of the page that the e-mail to somebody links to, once it is sent."""
    folder = Path(demo.site.env["VAR_DIR"]) / "mail"
    return wait_until(lambda: _link_in(folder, to), f"no e-mail to {to}")


def _link_in(folder: Path, to: str) -> str:
    for sent in folder.glob("*"):
        for raw in re.split(rb"\n-{70,}\n", sent.read_bytes()):
            letter = message_from_bytes(raw.lstrip(), policy=policy.default)
            if letter["To"] == to:
                return re.search(r"/entry-invitation/\S+", letter.get_body(("plain",)).get_content())[0]
    return ""


@pytest.fixture(scope="module")
def desk(demo: Demonstration, browser: Browser) -> Page:
    return signed_in(browser, demo.site, demo.links["organizer"], reduced_motion="reduce")


def created(desk: Page) -> str:
    """Create an event that is open for registration; return its address."""
    desk.goto("/staff/new/")
    desk.get_by_label("Name", exact=True).fill("Invited")
    desk.get_by_role("button", name="Create the event").click()
    desk.get_by_role("button", name="Open registration").click()
    expect(desk.get_by_text("Registration is open.", exact=True)).to_be_visible()
    return desk.url.removesuffix("staff/")


def imported(desk: Page, event: str) -> None:
    """Upload the file, look at the preview, and enter everybody with the invitations."""
    desk.goto(event + "staff/entrants/import/")
    desk.get_by_label("Or a CSV file").set_input_files({
        "name": "orders.csv",
        "mimeType": "text/csv",
        "buffer": the_file(),
    })
    desk.get_by_role("button", name="Preview").click()
    expect(desk.get_by_label("2 e-mail addresses found: invite the players")).to_be_checked()
    expect(desk.get_by_text(re.compile("Line [0-9]+: some lines cannot be read"))).to_be_visible()
    assert not faults_of(desk)
    desk.get_by_role("button", name="Add 3 entrants").click()
    expect(desk.get_by_text("Players added", exact=True)).to_be_visible()
    expect(desk.get_by_text("Decklists that were not submitted")).to_be_visible()
    assert not faults_of(desk)


def test_a_player_of_a_file_is_invited_takes_over_the_entry_and_submits_a_list(
    demo: Demonstration, desk: Page, browser: Browser
) -> None:
    event = created(desk)
    imported(desk, event)
    invited = the_link(demo, "player-14@example.com")
    player = a_page(browser, demo.site, reduced_motion="reduce")
    player.goto(invited)
    expect(player.get_by_text("The organizer has entered you.")).to_be_visible()
    assert not faults_of(player)
    player.get_by_role("main").get_by_role("link", name="Sign up").click()
    player.get_by_label("First name or nickname").fill("Newcomer")
    player.get_by_label("E-mail address").fill("player-14@example.com")
    player.get_by_label("Password").fill("quite-long-enough")
    player.get_by_role("button", name="Create my account").click()
    player.get_by_role("button", name="Take over as Newcomer").click()
    expect(player).to_have_url(re.compile(r"/me/deck/$"))
    player.locator("textarea[name=text]").fill(deck_text(2))
    player.get_by_role("button", name="Submit", exact=True).first.click()
    expect(player.get_by_text("Version 1 is registered and legal.")).to_be_visible()
    desk.goto(event + "staff/entrants/invitations/")
    row = desk.get_by_role("row", name=re.compile("Newcomer"))
    expect(row.get_by_text("taken over")).to_be_visible()
    expect(row.get_by_text("submitted", exact=True)).to_be_visible()
    other = desk.get_by_role("row", name=re.compile("Player 12"))
    expect(other.get_by_text(INVITED)).to_be_visible()
    assert not faults_of(desk)
    player.goto(invited)
    expect(player.get_by_text("You have taken over this entry.")).to_be_visible()
    assert INVITED not in player.goto(event + "entrants/").text()
    other.get_by_role("link", name="Change").click()
    assert not faults_of(desk)
    desk.get_by_role("button", name="Withdraw invitation").click()
    expect(desk.get_by_text("The invitation is withdrawn and the address deleted.")).to_be_visible()
