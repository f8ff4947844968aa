"""A team event in a browser: eight teams of three by boards, from the choice of teams to the board standings."""

import re

from playwright.sync_api import Browser, Page, expect

from tests.e2e.site import Site
from tests.e2e.test_main_job import open_and_press, press, signed_up

TEAMS, ROUNDS = 8, 3
KEYS = ("779", "467", "994", "876")  # one digit a board: the results of the tables in turn


def create_team_event(page: Page) -> str:
    """Create an event without decklists, choose teams of three by boards, open registration; return its address."""
    page.goto("/staff/new/")
    page.get_by_label("Name", exact=True).fill("Team Cup")
    page.get_by_label("Rounds").fill(str(ROUNDS))
    page.get_by_label("Decklists").select_option("none")
    press(page, "Create the event")
    address = re.search(r"/e/e-\w+/", page.url)
    assert address, page.url
    page.goto(address[0] + "staff/teams/")
    page.get_by_label("Players of a team").fill("3")
    page.get_by_label("By boards").check()
    page.get_by_label("Substitutes that a team may have").fill("1")
    press(page, "Save settings")
    expect(page.get_by_text("Team settings saved.")).to_be_visible()
    page.goto(address[0] + "staff/")
    press(page, "Open registration")
    return address[0]


def enter_teams(organizer: Page, captain: Page, mate: Page, event: str) -> str:
    """A captain registers a team and a mate joins by the link; the desk enters the others. Return the team's page."""
    captain.goto(event)
    press(captain, "Register a team")
    captain.get_by_label("Name of the team").fill("Foxes")
    press(captain, "Register a team")
    expect(captain.get_by_role("heading", name="Foxes")).to_be_visible()
    team, link = captain.url, captain.locator("a.code").inner_text()
    mate.goto(link)
    press(mate, "Join the team")
    expect(mate.get_by_text("Board 2", exact=False).first).to_be_visible()
    organizer.goto(event + "staff/teams/")
    lines = [f"Team {number}: T{number} Ann, T{number} Bob, T{number} Cy" for number in range(2, TEAMS + 1)]
    if not organizer.get_by_label("Teams", exact=True).is_visible():
        organizer.locator("#add summary").click()
    organizer.get_by_label("Teams", exact=True).fill("\n".join(lines))
    press(organizer, "Add teams")
    expect(organizer.get_by_text("Incomplete")).to_have_count(1)
    organizer.goto(team)
    for name in ("Dan Dale", "Eve Sub"):
        organizer.locator("#new-member").fill(name)
        press(organizer, "Add")
    expect(organizer.get_by_text("Only complete teams are paired")).to_have_count(0)
    return team


def enter_results(page: Page, event: str, number: int, reported: int = 0) -> None:
    """Enter the slips of a round at the results desk, one digit a board; the table `reported` as its captain did."""
    for table in range(1, TEAMS // 2 + 1):
        page.goto(f"{event}staff/rounds/{number}/results/?find={table}")
        page.locator("#ranks").press_sequentially("777" if table == reported else KEYS[(table + number) % len(KEYS)])
        expect(page.locator("#entries li")).to_have_count(1)  # the last digit sends the slip
    page.goto(f"{event}staff/rounds/{number}/")
    press(page, "Close the round")


def test_a_team_event_is_played_to_its_end(browser: Browser, site: Site) -> None:
    organizer, captain, mate = (signed_up(browser, site, name) for name in ("Organizer", "Captain", "Mate"))
    faults: list[str] = []
    for page in (organizer, captain, mate):
        page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: faults.append(str(error)))
    event = create_team_event(organizer)
    team = enter_teams(organizer, captain, mate, event)
    organizer.goto(event + "staff/")
    open_and_press(organizer, "Close registration", "Close registration")
    organizer.get_by_role("link", name="Start without check-in").click()
    press(organizer, "Start without check-in")

    for number in range(1, ROUNDS + 1):
        organizer.goto(event + "staff/")
        press(organizer, f"Pair round {number}")
        open_and_press(organizer, "Publish the pairings", "Publish")
        reported = 0
        if number == 1:  # the captain reports board by board; the desk then enters the same
            captain.goto(event + "me/")
            reported = int(captain.locator(".seat-number").inner_text())
            expect(captain.get_by_text("Board 3")).to_be_visible()
            captain.get_by_role("link", name="Report all boards at once").click()
            for board in range(3):
                captain.get_by_label(re.compile(f"^Board {board + 1}")).select_option(index=1)
            press(captain, "Report result")
            expect(captain.get_by_text("You reported")).to_be_visible()
        enter_results(organizer, event, number, reported)
        if number == 2:  # between two rounds, the substitute takes board 3
            captain.goto(team)
            captain.get_by_label("Board 3").select_option(label="Eve")
            press(captain, "Save boards")
            expect(captain.get_by_text("Boards saved.")).to_be_visible()

    organizer.goto(event + "staff/")
    open_and_press(organizer, "Finish the event", "Finish the event")
    organizer.goto(event + "standings/")
    expect(organizer.locator("tbody tr")).to_have_count(TEAMS)
    organizer.get_by_role("link", name="Board standings").click()
    expect(organizer.locator("tbody tr")).to_have_count(3 * TEAMS + 1)  # Foxes had two players at board 3
    expect(organizer.get_by_role("rowheader", name="Eve", exact=True)).to_be_visible()
    assert faults == []
