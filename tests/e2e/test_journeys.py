"""Whole journeys of people who are new to the site.

A player, a spectator, a scorekeeper, an organizer with a cut, and a contested result up to its appeal. Others are in
`test_main_job`, `test_without_javascript` and `test_asking`.
"""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.builders import deck_text
from tests.cast import PASSWORD
from tests.e2e.demonstration import Demonstration, a_page, signed_in
from tests.e2e.test_pages import faults_of
from tournaments.demo.services import CUP

DISPUTED, FREE = 1, (7, 8)  # tables of the running round: in dispute, and without a result
NAMES = ("Ada", "Bea", "Cid", "Dan")


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).first.click()


def sign_up(page: Page, name: str) -> None:
    """Fill in and submit the sign-up form that is open."""
    page.get_by_label("First name or nickname").fill(name)
    page.get_by_label("E-mail address").fill(f"{name.lower()}@example.com")
    page.get_by_label("Password").fill(PASSWORD)
    press(page, "Create my account")
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()


def a_new_event(page: Page, name: str, **fields: str) -> str:
    """Create an event, open its registration and return its address."""
    page.goto("/staff/new/")
    page.get_by_label("Name", exact=True).fill(name)
    if "format" in fields:
        page.get_by_label("Format").select_option(label=fields["format"])
    if "rounds" in fields:
        page.get_by_label("Rounds").fill(fields["rounds"])
    press(page, "Create the event")
    press(page, "Open registration")
    expect(page.get_by_text("Registration is open.", exact=True)).to_be_visible()
    return page.url.removesuffix("staff/")


def an_invited(demo: Demonstration, browser: Browser, organizer: Page, name: str, role: str) -> Page:
    """Invite somebody by link; return their page after they signed up and accepted the role."""
    organizer.goto(demo.event + "staff/team/")
    invite = organizer.get_by_role("region", name="Invite by link")
    invite.get_by_label("Role").select_option(label=role)
    press(organizer, "Create link")
    link = invite.get_by_role("listitem").filter(has_text=role).locator("code").first.inner_text()
    page = a_page(browser, demo.site)
    page.goto("/" + link.split("/", 3)[3])
    page.get_by_role("main").get_by_role("link", name="Sign up").click()
    sign_up(page, name)
    press(page, "Accept role")
    expect(page.get_by_text("You are now on the staff.")).to_be_visible()
    return page


@pytest.fixture(scope="module")
def organizer(demo: Demonstration, browser: Browser) -> Page:
    return signed_in(browser, demo.site, demo.links["organizer"])


def test_a_new_player_finds_an_event_signs_up_and_corrects_a_decklist(
    demo: Demonstration, browser: Browser, organizer: Page
) -> None:
    a_new_event(organizer, "Harbour evening")
    player = a_page(browser, demo.site, viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    player.goto("/")
    player.get_by_text("Find an event").click()
    player.get_by_role("search").get_by_role("textbox").first.fill("harbour")
    press(player, "Find")
    player.get_by_role("link", name=re.compile("Harbour evening")).click()
    player.get_by_role("banner").get_by_role("link", name="Sign up").click()
    sign_up(player, "Mina")
    expect(player.get_by_role("heading", name="Harbour evening")).to_be_visible()
    press(player, "Register")
    expect(player.get_by_text("Submit your decklist before the lists are locked.", exact=True)).to_be_visible()

    player.get_by_role("link", name="Submit list").click()
    player.get_by_label("Your list").fill(deck_text(1) + "\n9 DEMO-SAF-001")
    press(player, "Submit")
    expect(player.get_by_text("Not legal", exact=True)).to_be_visible()
    expect(player.locator(".faults").get_by_text(re.compile(r"^SAF-I-\d")).first).to_be_visible()
    player.get_by_label("Your list").fill(deck_text(1))
    press(player, "Submit")
    expect(player.get_by_text("Legal", exact=True)).to_be_visible()
    player.get_by_role("link", name="Back to my page").click()
    expect(player.locator("#me").get_by_text("Legal", exact=True)).to_be_visible()
    assert faults_of(player) == []
    player.context.close()


def test_a_spectator_finds_pairings_and_winners_without_an_account(demo: Demonstration, browser: Browser) -> None:
    reader = a_page(browser, demo.site, viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    reader.goto(demo.event)
    reader.get_by_role("navigation").get_by_role("link", name="Pairings").click()
    reader.get_by_role("link", name="By name").click()
    reader.get_by_label("Find a name").fill("Player 18")
    press(reader, "Find")
    expect(reader.locator("tbody tr")).to_have_count(1)
    expect(reader.locator("tbody tr")).to_contain_text("Player 18")

    reader.goto("/")
    reader.get_by_role("link", name=re.compile(CUP.name)).click()
    podium = reader.get_by_role("region", name="Winners").get_by_role("listitem")
    expect(podium.first).to_have_text(re.compile(r"^\s*1\."))
    winner = podium.first.locator(".podium__name").inner_text()
    reader.get_by_role("navigation").get_by_role("link", name="Standings").click()
    reader.locator("tbody").get_by_role("link", name=winner, exact=True).click()
    expect(reader.get_by_role("heading", name=winner, exact=True)).to_be_visible()
    reader.get_by_role("link", name="Why this rank").first.click()
    expect(reader.get_by_role("heading", name=f"Why this rank: {winner}")).to_be_visible()
    reader.get_by_role("main").get_by_role("link", name="Bracket").click()
    expect(reader.get_by_text("Final", exact=True)).to_be_visible()
    reader.get_by_role("navigation").get_by_role("link", name="Decklists").click()
    expect(reader.get_by_role("heading", name="Decklists")).to_be_visible()
    assert faults_of(reader) == []
    reader.context.close()


def test_an_invited_scorekeeper_enters_a_pile_of_slips(demo: Demonstration, browser: Browser, organizer: Page) -> None:
    keeper = an_invited(demo, browser, organizer, "Sky", "Scorekeeper")
    keeper.get_by_role("link", name="Go to the desk of round 4").click()
    keeper.get_by_role("link", name="Results", exact=True).click()
    keeper.wait_for_url("**/results/")  # and for its script: without it, Enter goes to the page of the table
    for table in FREE:
        keeper.locator("#find").fill(str(table))
        keeper.keyboard.press("Enter")
        expect(keeper.locator("#slip [data-slip=table]")).to_have_text(str(table))
        keeper.keyboard.press("7")
        expect(keeper.locator("#entries")).to_contain_text(f"Table {table}:")
        expect(keeper.locator("#find")).to_be_focused()
    tables = demo.round(organizer)
    assert [[seat["games_won"] for seat in tables[table]["seats"]] for table in FREE] == [[2, 0], [2, 0]]
    keeper.context.close()


def test_an_organizer_gets_from_import_to_cut_and_final_standings(
    demo: Demonstration, browser: Browser, organizer: Page
) -> None:
    page = organizer
    event = a_new_event(page, "Small cup", format="Another game", rounds="1")
    page.goto(event + "staff/entrants/import/")
    content = "First name\n" + "\n".join(NAMES)
    page.locator("input[type=file]").set_input_files([
        {"name": "players.csv", "mimeType": "text/csv", "buffer": content.encode()}
    ])
    press(page, "Preview")
    press(page, "Add 4 entrants")
    page.goto(event + "staff/stages/")
    page.get_by_text("Add a stage").click()
    plan = page.locator("details", has=page.get_by_text("Add a stage"))
    plan.get_by_label("Structure").select_option(label="Single elimination")
    plan.get_by_label("How many players qualify").fill("2")
    press(page, "Add stage")
    expect(page.get_by_text("Stage added.")).to_be_visible()
    page.goto(event + "staff/")
    page.locator("#confirm-next summary").click()
    page.locator("#confirm-next").get_by_role("button").click()
    page.get_by_role("link", name="Start without check-in").click()
    press(page, "Start without check-in")
    for number, step in ((1, "Pair round 1"), (2, "Start stage 2: Single elimination")):
        press(page, step)
        if number == 2:
            press(page, "Pair round 2")
        page.get_by_text("Publish the pairings").first.click()
        press(page, "Publish")
        waiting = page.get_by_role("region", name="Not final yet").locator(".desk-row")
        expect(page.get_by_role("button", name="Start the clock")).to_be_visible()
        for left in range(waiting.count() - 1, -1, -1):
            waiting.first.get_by_role("button", name=re.compile("^2–0")).click()
            expect(waiting).to_have_count(left)
        press(page, "Close the round")
        page.get_by_role("link", name="What comes next").click()
    page.locator("#confirm-next summary").click()
    page.locator("#confirm-next").get_by_role("button").click()
    expect(page.get_by_role("heading", name="Nothing left to do")).to_be_visible()
    assert faults_of(page) == []

    page.goto(event)
    podium = page.get_by_role("region", name="Winners").get_by_role("listitem")
    expect(podium.nth(2)).to_have_text(re.compile(r"^\s*3\."))  # players with equal figures share a rank
    assert set(podium.locator(".podium__name").all_inner_texts()) <= set(NAMES)
    page.get_by_role("link", name="Final ranking").click()
    expect(page.locator("tbody tr")).to_have_count(len(NAMES))
    page.goto(event + "staff/")
    page.get_by_role("region", name="Nothing left to do").get_by_role("link", name="Exports").click()
    with page.expect_download() as download:
        page.get_by_role("link", name=re.compile("^CSV Stage 1,")).first.click()
    assert names_in(Path(download.value.path()))


def names_in(file: Path) -> set[str]:
    """Return which of `NAMES` are in an exported table."""
    return {cell for line in file.read_text("utf-8-sig").splitlines()[1:] for cell in line.split(",") if cell in NAMES}


def test_both_players_see_a_ruling_and_one_appeals(demo: Demonstration, browser: Browser, organizer: Page) -> None:
    match = demo.round(organizer)[DISPUTED]
    judge = an_invited(demo, browser, organizer, "Jo", "Judge")
    judge.goto(demo.event + "judge/")
    judge.get_by_role("link", name=re.compile(f"Look into it Table {DISPUTED}$")).click()
    judge.get_by_label("Change the result").check()
    judge.get_by_label("Games won by").first.fill("0")
    judge.get_by_label("Games won by").nth(1).fill("2")
    judge.get_by_label("Reason").fill("The second attack decided the game.")
    press(judge, "Make ruling")
    expect(judge.get_by_text("No result is contested.")).to_be_visible()
    for place, seat in enumerate(match["seats"]):
        player = signed_in(browser, demo.site, demo.link_of(seat["entrant"]["id"]))
        player.goto(demo.event + "me/")
        told = player.get_by_role("region", name="Ruling")
        expect(told).to_contain_text("“The second attack decided the game.”")
        if place == 0:
            told.get_by_text("Appeal to the head judge").click()
            told.get_by_label("Why it is not right").fill("The attack was allowed.")
            press(player, "Appeal")
            expect(told).to_contain_text("It stands until then.")
        player.context.close()
    judge.context.close()
    head = signed_in(browser, demo.site, demo.links["judge"])
    head.goto(demo.event + "judge/")
    expect(head.get_by_text("appealed", exact=True)).to_be_visible()
    head.context.close()
