"""A convention of three events in one hall, one for 16 teams of three, played to its end in a browser."""

import re

from playwright.sync_api import Browser, Page, expect

from tests.e2e.site import Site
from tests.e2e.test_live import enter
from tests.e2e.test_main_job import open_and_press, press, signed_up

TEAMS, ROUNDS = 16, 2
SOLO = {"Swiss": 12, "Evening": 8}
BOARDS = ("779", "467", "994", "876")  # one digit a board: the results of team matches in turn
SLIPS = ("2–0", "2–1", "0–2", "1–2")
PHONE = {"width": 390, "height": 844}


class Organizer:
    """The organizer's page, with the addresses of the club, the convention and the events by name."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.club = self.convention = ""
        self.events: dict[str, str] = {}
        self.faults: list[str] = []
        page.on("console", lambda message: self.faults.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.faults.append(str(error)))

    def make_club(self) -> None:
        page = self.page
        page.goto("/clubs/new/")
        page.get_by_label("Name", exact=True).fill("Card Club")
        press(page, "Create club")
        self.club = page.url.removesuffix("manage/")
        page.locator("#venue summary").click()
        page.get_by_label("Name and address").fill("Town hall")
        page.get_by_label("Tables", exact=True).fill("1-40")
        press(page, "Save venue")
        page.get_by_role("link", name="New convention here").click()
        page.get_by_label("Name", exact=True).fill("Winter Convention")
        page.get_by_label("First day").fill("2030-03-02")
        page.get_by_label("Last day").fill("2030-03-03")
        page.get_by_label("Show it to everybody").check()
        press(page, "Create convention")
        self.convention = page.url.removesuffix("manage/")

    def make_event(self, name: str, places: int, hour: int) -> None:
        """Create an event for the club, from the club's page, and add it to the convention."""
        page = self.page
        page.goto(self.club + "manage/")
        page.get_by_role("link", name="New event").click()
        expect(page.get_by_label("Club", exact=True)).to_have_value(self.club.strip("/").split("/")[-1])
        page.get_by_label("Name", exact=True).fill(name)
        page.get_by_label("Rounds").fill(str(ROUNDS))
        page.get_by_label("Places").fill(str(places))
        page.get_by_label("Start", exact=True).fill(f"2030-03-02T{hour:02}:00")
        page.get_by_label("Decklists").select_option("none")
        press(page, "Create the event")
        address = re.search(r"/e/e-\w+/", page.url)
        assert address, page.url
        self.events[name] = address[0]
        page.goto(self.convention + "manage/")
        page.get_by_label("Event", exact=True).select_option(label=name)
        press(page, "Add event")

    def enter_teams(self) -> None:
        page, event = self.page, self.events["Teams"]
        page.goto(event + "staff/teams/")
        page.get_by_label("Players of a team").fill("3")
        page.get_by_label("By boards").check()
        press(page, "Save settings")
        page.goto(event + "staff/")
        press(page, "Open registration")
        page.goto(event + "staff/teams/")
        if not page.get_by_label("Teams", exact=True).is_visible():
            page.locator("#add summary").click()
        lines = [f"Team {number}: T{number} Ann, T{number} Bob, T{number} Cy" for number in range(1, TEAMS + 1)]
        page.get_by_label("Teams", exact=True).fill("\n".join(lines))
        press(page, "Add teams")
        expect(page.get_by_text("Incomplete")).to_have_count(0)

    def enter_players(self, name: str) -> None:
        page, event, count = self.page, self.events[name], SOLO[name]
        page.goto(event + "staff/")
        press(page, "Open registration")
        page.goto(event + "staff/entrants/import/")
        lines = [f"{name} Player{number}" for number in range(1, count + 1)]
        page.get_by_label("Names", exact=True).fill("\n".join(lines))
        press(page, "Preview")
        press(page, f"Add {count} entrants")

    def start(self, event: str) -> None:
        page = self.page
        page.goto(event + "staff/")
        open_and_press(page, "Close registration", "Close registration")
        page.get_by_role("link", name="Start without check-in").click()
        press(page, "Start without check-in")

    def pair(self, event: str, number: int) -> list[int]:
        """Pair and publish a round; returns its tables, from the API."""
        page = self.page
        page.goto(event + "staff/")
        press(page, f"Pair round {number}")
        open_and_press(page, "Publish the pairings", "Publish")
        matches = page.request.get(f"/api/v1/events/{event.strip('/').split('/')[1]}/rounds/{number}/").json()
        return [match["table"] for match in matches["matches"]]

    def enter_slips(self, event: str, number: int, tables: list[int]) -> None:
        """Enter the result of each table, of boards by their digits, of others by a button; close the round."""
        page, desk = self.page, f"{event}staff/rounds/{number}/"
        page.goto(desk)
        for at, table in enumerate(tables):
            if event == self.events["Teams"]:
                page.goto(f"{desk}results/?find={table}")
                page.locator("#ranks").press_sequentially(BOARDS[(at + number) % 4])  # the last digit sends the slip
                expect(page.locator("#entries li")).to_have_count(1)
            else:
                enter(page, table, SLIPS[(at + number) % 4])
        page.goto(desk)
        press(page, "Close the round")


def shown_on_a_phone(browser: Browser, site: Site, address: str, name: str) -> str:
    """Return what a visitor's phone answers to where somebody plays now; the page must fit the phone."""
    phone = browser.new_context(base_url=site.url, locale="en-GB", viewport=PHONE).new_page()
    phone.goto(address)
    phone.get_by_label("Find a name").fill(name)
    press(phone, "Find")
    place = phone.get_by_role("region", name="Where do I play now?").get_by_role("listitem")
    expect(place).to_have_count(1)
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    said = place.inner_text()
    phone.context.close()
    return said


def test_a_convention_is_played_to_its_end_in_one_hall(browser: Browser, site: Site) -> None:
    held = Organizer(signed_up(browser, site, "Host"))
    held.make_club()
    for name, places, hour in (("Teams", TEAMS, 9), ("Swiss", SOLO["Swiss"], 10), ("Evening", SOLO["Evening"], 20)):
        held.make_event(name, places, hour)
    press(held.page, "Assign tables")
    expect(held.page.get_by_text("The tables are assigned.")).to_be_visible()
    rows = [row.inner_text() for row in held.page.locator("tbody tr").all()]
    assert len(rows) == 3 and all(re.search(r"\t\d+-\d+\s", row) for row in rows), rows
    held.enter_teams()
    for name in SOLO:
        held.enter_players(name)
    for event in held.events.values():
        held.start(event)
    for number in range(1, ROUNDS + 1):
        tables = {name: held.pair(event, number) for name, event in held.events.items()}
        assert not {*tables["Teams"]} & {*tables["Swiss"]}  # at the same hours
        assert [len(some) for some in tables.values()] == [8, 6, 4]
        said = shown_on_a_phone(browser, site, held.convention, "Swiss Player7")
        assert "Swiss" in said and f"Round {number}, table" in said
        for name, event in held.events.items():
            held.enter_slips(event, number, tables[name])
    for name, event in held.events.items():
        held.page.goto(event + "staff/")
        open_and_press(held.page, "Finish the event", "Finish the event")
        held.page.goto(event + "standings/")
        expect(held.page.locator("tbody tr")).to_have_count(SOLO.get(name, TEAMS))
    held.page.goto(held.convention)
    expect(held.page.get_by_text("Finished")).to_have_count(3)
    assert held.faults == []
