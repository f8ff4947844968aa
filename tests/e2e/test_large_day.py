"""An event of 300 players in a browser: pasted names, walk-ins, a late result, a top 8, a correction after the end."""

import re
from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.demonstration import Demonstration, a_page, signed_in
from tests.e2e.test_pages import faults_of

PLAYERS, ALIKE, TOP = 300, 20, 8
# Scripts run on the site, for actions that the browser would only repeat a hundred times.
BULK = """
from tournaments.accounts.models import User
from tournaments.common.clock import now
from tournaments.events.models import Event
from tournaments.play import services as play
from tournaments.play.models import Round
event = Event.objects.get(public_id="{event}")
by = User.objects.get(pk=event.created_by_id)
{action}
"""
CHECK_IN = """
from tournaments.events.services import check_in
for entrant in event.entrants.filter(checked_in_at=None).order_by("pk")[:{count}]:
    check_in(entrant=entrant, by=by, now=now())
"""
RESULTS = """
round_ = Round.objects.filter(stage__event=event).order_by("-number")[0]
for match in list(round_.matches.filter(table__isnull=False, games_drawn=None).order_by("table"))[{left}:]:
    play.enter_result(match=match, by=by, games=(2, 0, 0), now=now())
"""


def names_to_paste() -> list[str]:
    """Return 300 names, 20 of them with the same first name and the same initial of the family name."""
    rng = Random(300)
    ends = ["artin", "archand", "artinez", "oreau", "uller", "onet", "illet", "assé", "aillard", "ercier"]
    alike = [f"Emma M{end}" for end in ends] + [f"Emma M{end}eau" for end in ends]
    given = ["Ana", "Bob", "Chloé", "Denis", "Élise", "Farid", "Gaël", "Hana", "Ines", "Jean-Paul", "Karim", "Léa"]
    family = [
        f"{start}{end}" for start in ("Bel", "Cor", "Dur", "Fon", "Gar") for end in ("mont", "val", "ot", "ier", "in")
    ]
    pairs = [f"{first} {last}" for first in given for last in family]
    return alike + rng.sample(pairs, PLAYERS - ALIKE)


class Day:
    """The organizer's page and the address of the event."""

    def __init__(self, demo: Demonstration, page: Page) -> None:
        self.demo, self.page, self.event = demo, page, ""

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).first.click()

    def open(self, path: str = "") -> None:
        answer = self.page.goto(self.event + path)
        assert answer and answer.status == 200, path

    def in_bulk(self, action: str, **values: int) -> None:
        code = BULK.format(event=self.event.strip("/").split("/")[-1], action=action.format(**values))
        self.demo.site.run(code)

    def next(self, name: str) -> None:
        """Take the next step offered at the desk, and confirm it if asked."""
        self.open("staff/")
        step = self.page.get_by_role("region", name="Next")
        if step.locator("summary").count():
            step.locator("summary").first.click()
        step.get_by_role("button", name=re.compile(name)).first.click()

    def shown_at(self, path: str) -> None:
        """Assert that a page of the event has no faults on phone and desk; see `faults_of`."""
        page = self.page.context.new_page()
        page.goto(self.event + path)
        found = faults_of(page)
        page.close()
        assert not found, "\n".join([path, *found])


@pytest.fixture(scope="module")
def day(demo: Demonstration, browser: Browser) -> Day:
    return Day(demo, signed_in(browser, demo.site, demo.links["organizer"]))


def create(day: Day) -> None:
    page = day.page
    page.goto("/staff/new/")
    page.get_by_label("Name", exact=True).fill("Three hundred")
    page.get_by_label("Rounds").fill("2")
    page.get_by_label("Decklists").select_option("none")
    day.press("Create the event")
    day.event = page.url.removesuffix("staff/")
    day.press("Open registration")


def paste(day: Day) -> None:
    """Paste all names, preview them and confirm."""
    page, names = day.page, names_to_paste()
    day.open("staff/entrants/import/")
    page.get_by_label("Names", exact=True).fill("\n".join(names))
    day.press("Preview")
    day.press(f"Add {PLAYERS} entrants")
    expect(page.get_by_text(re.compile(rf"\b{PLAYERS}\b")).first).to_be_visible()


def every_name(day: Day, browser: Browser) -> list[str]:
    """Return the public names of all entrants, from the API."""
    reader = a_page(browser, day.demo.site)
    event, found = day.event.strip("/").split("/")[-1], []
    address: str | None = f"/api/v1/events/{event}/entrants/?page_size=200"
    while address:
        answer = reader.request.get(address).json()
        found += [row["name"] for row in answer["results"]]
        address = answer["next"]
    reader.context.close()
    return found


def walk_in(day: Day, given: str, family: str) -> None:
    """Add an entrant at the desk, confirming if the name is already entered."""
    page = day.page
    page.get_by_label("First name or nickname").fill(given)
    page.get_by_label("Last name", exact=True).fill(family)
    day.press("Add")
    if page.get_by_role("button", name="Add as another person").count():
        day.press("Add as another person")
    expect(page.get_by_label("First name or nickname")).to_be_focused()
    expect(page.get_by_label("First name or nickname")).to_have_value("")


def test_an_event_of_300_players_can_be_run_in_a_browser(day: Day, browser: Browser) -> None:
    create(day)
    paste(day)
    names = every_name(day, browser)
    assert len(names) == len(set(names)) == PLAYERS
    assert sum(name.startswith("Emma M") for name in names) == ALIKE

    day.next("Close registration|Lock")
    day.next("Open check-in")
    day.open("staff/entrants/?adding=1")
    for person in (("Zoé", "Late"), ("Emma", "Martin"), ("Ana", "de la Cruz")):
        walk_in(day, *person)
    day.open("staff/entrants/?find=emma+martin")
    expect(day.page.get_by_text("Emma Martin (1)").first).to_be_visible()
    expect(day.page.get_by_text("Emma Martin (2)").first).to_be_visible()
    assert len(set(every_name(day, browser))) == PLAYERS + 3

    day.in_bulk(CHECK_IN, count=PLAYERS - 2)
    play_the_rounds(day, browser)
    cut(day)
    correct_after_the_finish(day)


def play_the_rounds(day: Day, browser: Browser) -> None:
    """Play two rounds; the last result of the first one is entered at the results desk."""
    page = day.page
    day.open("staff/")
    expect(page.get_by_text("2 entrants are not ready.")).to_be_visible()
    page.get_by_label(re.compile("To drop those entrants")).fill("2")
    day.press("Drop them and start")
    pair(day, 1)
    reader = a_page(browser, day.demo.site, viewport={"width": 390, "height": 844})
    reader.goto(day.event + "rounds/1/?by=name&find=emma+moreau")
    expect(reader.get_by_role("row").filter(has_text="Emma Mor").first).to_be_visible()
    reader.context.close()
    for path in (
        "rounds/1/?by=name",
        "staff/rounds/1/",
        "staff/rounds/1/results/",
        "screen/pairings/",
        "staff/entrants/",
    ):
        day.shown_at(path)
    day.in_bulk(RESULTS, left=1)
    day.open("staff/rounds/1/results/")
    page.get_by_label("Table number, or part of a name").fill("1")
    page.keyboard.press("Enter")
    page.keyboard.press("7")
    expect(page.locator("#entries")).to_contain_text("Table 1:")
    close(day, 1)
    pair(day, 2)
    day.in_bulk(RESULTS, left=0)
    close(day, 2)


def pair(day: Day, number: int) -> None:
    """Pair and publish a round."""
    day.next(f"Pair round {number}")
    day.open(f"staff/rounds/{number}/")
    box = day.page.locator("details").filter(has=day.page.locator("summary", has_text="Publish the pairings")).first
    box.locator("summary").click()
    box.get_by_role("button", name="Publish", exact=True).click()
    expect(day.page.get_by_role("button", name="Start the clock")).to_be_visible()


def close(day: Day, number: int) -> None:
    day.open(f"staff/rounds/{number}/")
    day.press("Close the round")
    expect(day.page.get_by_text("Closed").first).to_be_visible()


def cut(day: Day) -> None:
    """Add a top 8 bracket, play it and finish the event."""
    day.open("staff/stages/")
    day.page.get_by_text("Add a stage").click()
    planned = day.page.locator("#new-stage")
    planned.get_by_label("Structure").select_option("single_elimination")
    planned.get_by_label("How many players qualify").fill(str(TOP))
    day.press("Add stage")
    day.next("Start")
    for number in (3, 4, 5):
        pair(day, number)
        day.in_bulk(RESULTS, left=0)
        close(day, number)
    day.next("Finish")
    day.shown_at("final/")


def correct_after_the_finish(day: Day) -> None:
    """Correct the result of the final, which reopens the event, and finish it again."""
    page, event = day.page, day.event.strip("/").split("/")[-1]
    final = page.request.get(f"/api/v1/events/{event}/rounds/5/").json()["matches"][0]
    first, second = (seat["entrant"]["name"] for seat in final["seats"])
    day.open("final/")
    expect(page.get_by_role("main")).to_contain_text(first)
    page.goto(f"/m/{final['id']}/staff/")
    page.locator("#id_first").fill("0")
    page.locator("#id_second").fill("2")
    page.get_by_label("Reason").fill("The slip was read upside down.")
    day.press("Reopen the event and enter the result")
    day.next("Finish")
    rows = page.request.get(f"/api/v1/events/{event}/final/").json()
    assert [row["entrant"]["name"] for row in rows["rows"][:2]] == [second, first]
    assert len(rows["rows"]) == PLAYERS + 1  # 303 entrants, of whom two were absent
    codes = [
        entry["code"]
        for entry in page.request.get(f"/api/v1/events/{event}/ledger/?code=event.reopened").json()["results"]
    ]
    assert codes == ["event.reopened"]
