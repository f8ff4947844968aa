"""The main job in a browser: an event from its creation to the final standings, with one disputed result."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.builders import deck_text
from tests.cast import PASSWORD
from tests.e2e.patience import PATIENCE
from tests.e2e.site import Site
from tournaments.demo.games import self_played, winner_of, with_a_second_attack

PLAYERS = 8


@dataclass
class People:
    """The browser pages of an organizer, a judge and eight players, the latter by name."""

    site: Site
    organizer: Page
    judge: Page
    players: dict[str, Page]


def signed_up(browser: Browser, site: Site, name: str) -> Page:
    """Open a page in a browser context of its own and sign up as `name`."""
    page = browser.new_context(base_url=site.url, locale="en-GB").new_page()
    page.set_default_timeout(PATIENCE)
    page.goto("/sign-up/")
    page.get_by_label("First name or nickname").fill(name)
    page.get_by_label("E-mail address").fill(f"{name.lower().replace(' ', '-')}@example.com")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Create my account").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    return page


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).first.click()


def open_and_press(page: Page, summary: str, name: str) -> None:
    """Open a confirmation by its summary and press its button."""
    box = page.locator("details").filter(has=page.locator("summary", has_text=summary)).first
    box.locator("summary").click()
    box.get_by_role("button", name=name, exact=True).click()


def create_event(people: People) -> str:
    """Create an event of one round, open registration, grant the judge's role; return the address of the event."""
    page = people.organizer
    page.goto("/staff/new/")
    page.get_by_label("Name", exact=True).fill("Browser Open")
    page.get_by_label("Rounds").fill("1")
    press(page, "Create the event")
    address = re.search(r"/e/e-\w+/", page.url)
    assert address, page.url
    press(page, "Open registration")
    page.goto(address[0] + "staff/team/")
    given = page.get_by_role("region", name="Give a role")
    given.get_by_label("E-mail").fill("judge@example.com")
    given.get_by_label("Role").select_option("head_judge")
    press(page, "Give the role")
    expect(page.get_by_role("row", name=re.compile("judge@example.com"))).to_be_visible()
    return address[0]


def register(page: Page, event: str, text: str) -> None:
    """Register a player and submit a decklist."""
    page.goto(event)
    press(page, "Register")
    submit(page, event, text)


def submit(page: Page, event: str, text: str) -> None:
    page.goto(event + "me/deck/")
    page.locator("textarea").fill(text)
    press(page, "Submit")


def register_all(people: People, event: str) -> None:
    """Register all players. The first submits 41 cards, sees which rule that breaks, and corrects the list."""
    for number, page in enumerate(people.players.values(), 1):
        register(page, event, forty_one_cards() if number == 1 else deck_text(number))
    mistaken = people.players["Player 1"]
    expect(mistaken.get_by_text("SAF-I-2", exact=True)).to_be_visible()
    expect(mistaken.get_by_text("Not legal", exact=True)).to_be_visible()
    submit(mistaken, event, deck_text(1))
    expect(mistaken.get_by_text("Legal", exact=True)).to_be_visible()


def forty_one_cards() -> str:
    """Return a decklist with one card too many (rule SAF-I-2)."""
    return "Deck\n" + "\n".join(f"{1 if n == 21 else 2} DEMO-SAF-{n:03d}" for n in range(1, 22))


def pair_and_start(people: People, event: str) -> None:
    """Lock the decks, start the event, pair and publish round 1, and start the clock."""
    page = people.organizer
    page.goto(event + "staff/")
    open_and_press(page, "Lock decklists", "Lock decklists")
    page.get_by_role("link", name="Start without check-in").click()
    press(page, "Start without check-in")
    press(page, "Pair round 1")
    open_and_press(page, "Publish the pairings", "Publish")
    press(page, "Start the clock")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()


def seats_of(people: People, event: str) -> dict[int, list[str]]:
    """Return the names of round 1 by table, in seat order, from the API."""
    event_id = event.strip("/").split("/")[1]
    answer = people.organizer.request.get(f"/api/v1/events/{event_id}/rounds/1/")
    return {match["table"]: [seat["entrant"]["name"] for seat in match["seats"]] for match in answer.json()["matches"]}


def report_and_confirm(first: Page, second: Page, event: str) -> None:
    """Report 2–0 as the first player and confirm as the second."""
    first.goto(event + "me/")
    press(first, "I won 2–0")
    expect(first.get_by_text("You reported")).to_be_visible()
    second.goto(event + "me/")
    expect(second.get_by_text("Your opponent has reported")).to_be_visible()
    press(second, "That is right")
    expect(second.get_by_text("0–2").first).to_be_visible()


def contest(first: Page, second: Page, event: str) -> None:
    first.goto(event + "me/")
    press(first, "I won 2–0")
    expect(first.get_by_text("You reported")).to_be_visible()
    second.goto(event + "me/")
    second.get_by_text("That is not right").click()
    second.get_by_label("What happened").fill("A fighter attacked twice.")
    press(second, "Call a judge about this result")
    expect(second.get_by_text("A judge will decide").first).to_be_visible()


def spoiled_log(people: People, event: str, table: int, names: list[str]) -> dict[str, Any]:
    """Return a log of the table's first game, with the registered lists, in which a fighter illegally attacks twice."""
    event_id = event.strip("/").split("/")[1]
    entrants = people.organizer.request.get(f"/api/v1/events/{event_id}/entrants/").json()["results"]
    ids = {entrant["name"]: entrant["id"] for entrant in entrants}
    decks = {}
    for name in names:
        answer = people.organizer.request.get(f"/api/v1/entrants/{ids[name]}/decklist/")
        decks[ids[name]] = answer.json()["cards"]
    where = {"event": event_id, "round": 1, "table": table, "game": 1}
    games = (self_played("star-safir", f"browser/{attempt}", where, decks) for attempt in range(200))
    return next(log for game in games if winner_of(game) and (log := with_a_second_attack(game)))


def audit_and_rule(people: People, event: str, log: dict[str, Any], second: Page, folder: Path) -> None:
    """Submit the log as the second player; as the judge, read its audit and rule for that player."""
    file = folder / "game.json"
    file.write_text(json.dumps(log))
    second.goto(event + "me/")
    second.get_by_role("link", name="Open the match").first.click()
    second.get_by_role("link", name=re.compile("Add a log|log", re.IGNORECASE)).first.click()
    second.locator("input[type=file]").set_input_files(file)
    press(second, "Add the log")
    judge = people.judge
    judge.goto(event + "judge/")
    judge.get_by_role("link", name=re.compile("Look into it")).click()
    link = judge.locator("a[href^='/logs/']").first
    expect(link).to_be_visible()
    expect(judge.get_by_text("Illegal move").first).to_be_visible()
    ruling = judge.url
    link.click()
    expect(judge.get_by_text("SAF-VI.3-5").first).to_be_visible()
    shown = judge.get_by_role("heading", name=re.compile(r"After move \d+"))
    before = shown.inner_text()
    judge.get_by_role("link", name="Previous").click()
    expect(shown).not_to_have_text(before)
    judge.keyboard.press("ArrowRight")
    expect(shown).to_have_text(before)
    expect(judge).to_have_url(re.compile(r"/moves/\d+/(#replay)?$"))
    judge.locator("#go-previous").focus()
    judge.keyboard.press("Home")
    expect(judge.get_by_role("heading", name="Before the first move")).to_be_visible()
    judge.goto(ruling)
    judge.get_by_label("Change the result").check()
    judge.get_by_label("Games won by").first.fill("0")
    judge.get_by_label("Games won by").nth(1).fill("2")
    judge.get_by_label("Reason").fill("The second attack was illegal and decided the game.")
    press(judge, "Make ruling")
    expect(judge.get_by_text("No result is contested.")).to_be_visible()


@pytest.fixture
def people(browser: Browser, site: Site) -> People:
    """Sign everybody up."""
    return People(
        site,
        signed_up(browser, site, "Organizer"),
        signed_up(browser, site, "Judge"),
        {f"Player {n}": signed_up(browser, site, f"Player {n}") for n in range(1, PLAYERS + 1)},
    )


def test_an_event_can_be_run_from_its_creation_to_the_final_standings(people: People, tmp_path: Path) -> None:
    faults: list[str] = []
    for page in (people.organizer, people.judge, *people.players.values()):
        page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: faults.append(str(error)))
    event = create_event(people)
    register_all(people, event)
    pair_and_start(people, event)
    tables = seats_of(people, event)
    for table in (1, 2, 3):
        report_and_confirm(*(people.players[name] for name in tables[table]), event)
    first, second = (people.players[name] for name in tables[4])
    contest(first, second, event)
    audit_and_rule(people, event, spoiled_log(people, event, 4, tables[4]), second, tmp_path)

    winners = {tables[1][0], tables[2][0], tables[3][0], tables[4][1]}
    page = people.organizer
    page.goto(event + "standings/")
    expect(page.get_by_role("heading", name="No standings yet")).to_be_visible()
    page.goto(event + "staff/rounds/1/")
    press(page, "Close the round")
    page.goto(event + "standings/")
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(PLAYERS)
    expect(page.get_by_text("are being counted")).to_have_count(0)
    leading = [rows.nth(place).inner_text() for place in range(4)]
    assert {name for name in people.players if any(re.search(rf"\b{name}\b", row) for row in leading)} == winners
    assert all(re.search(r"\b3\b", row) for row in leading)

    page.goto(event + "staff/")
    open_and_press(page, "Finish the event", "Finish the event")
    expect(page.get_by_role("heading", name="Nothing left to do")).to_be_visible()
    page.goto(event + "standings/")
    expect(rows).to_have_count(PLAYERS)
    assert faults == []
