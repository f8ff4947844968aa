"""Names in a browser: full at the desk, short but unique for the public, sorted, searched, corrected.

Pages are also checked for faults on phone and desk; see `faults_of`.
"""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.demonstration import Demonstration, a_page, signed_in
from tests.e2e.test_pages import faults_of

# Script that makes an event with entrants and publishes its first round.
PLAYED = """
from tournaments.common.clock import now
from tournaments.decks.services import lock_decks
from tournaments.demo.services import demo_event, demo_people
from tournaments.events.selectors import current_stage
from tournaments.events.services import add_entrant, create_event, open_registration
from tournaments.play import services as play
by = demo_people(demo_event())["organizer"]
event = create_event(name="Names", preset="star-safir", rounds=2, lists="none", by=by, now=now())
open_registration(event=event, by=by, now=now())
for given, family in {people}:
    add_entrant(event=event, given_name=given, family_name=family, by=by, now=now())
lock_decks(event=event, by=by, now=now())
play.start_event(event=event, by=by, now=now())
play.publish_round(round_=play.pair_round(stage=current_stage(event), by=by, now=now()), by=by, now=now())
print(event.public_id)
"""
PEOPLE = (
    ("Player 10", ""), ("Bob", "Smiht"), ("Emma", "Martin"), ("Ana", "Dahl"),
    ("Player 2", ""), ("Zoé", "Lune"), ("Emma", "Marchand"), ("Ana", "de la Cruz"),
)  # fmt: skip
# Sorted by family name, ignoring "de la", and numerically: as the desk and as the public see them.
FULL = ["Ana de la Cruz", "Ana Dahl", "Zoé Lune", "Emma Marchand", "Emma Martin", "Player 2", "Player 10"]
SHORT = ["Ana de la C.", "Ana D.", "Zoé", "Emma Marc.", "Emma Mart.", "Player 2", "Player 10", "Bob"]
PASTED = "Emma Martin\nCarla Rossi <carla.rossi@example.com>\nwalter@example.com\nPlayer 10\nPlayer 2"
ADDRESS = "example.com"


@pytest.fixture(scope="module")
def event(demo: Demonstration) -> str:
    """The address of an event with the eight `PEOPLE` in its first round."""
    told = demo.site.run(PLAYED.format(people=PEOPLE))
    return f"/e/{told.split()[-1]}/"


@pytest.fixture(scope="module")
def desk(demo: Demonstration, browser: Browser) -> Page:
    return signed_in(browser, demo.site, demo.links["organizer"], reduced_motion="reduce")


@pytest.fixture(scope="module")
def visitor(demo: Demonstration, browser: Browser) -> Page:
    return a_page(browser, demo.site, reduced_motion="reduce")


@pytest.fixture(scope="module")
def pasted(desk: Page) -> str:
    """The address of an event whose names were pasted with e-mail addresses, as another program exported them."""
    desk.goto("/staff/new/")
    desk.get_by_label("Name", exact=True).fill("Pasted")
    desk.get_by_label("Decklists").select_option("none")
    desk.get_by_role("button", name="Create the event").click()
    desk.get_by_role("button", name="Open registration").click()
    expect(desk.get_by_text("Registration is open.", exact=True)).to_be_visible()
    event = desk.url.removesuffix("staff/")
    desk.goto(event + "staff/entrants/import/")
    desk.get_by_label("Names", exact=True).fill(PASTED)
    desk.get_by_role("button", name="Preview").click()
    expect(desk.get_by_text("1 line has an e-mail address in place of a name.")).to_be_visible()
    assert not faults_of(desk)
    desk.get_by_label("Where a name is an e-mail address").check()
    desk.get_by_role("button", name="Update the preview").click()
    expect(desk.get_by_text("1 player is named by a number.")).to_be_visible()
    desk.get_by_role("button", name="Add 5 entrants").click()
    expect(desk.get_by_text("Players added", exact=True)).to_be_visible()
    return event


def rows(page: Page, address: str) -> list[str]:
    """Load a page and return the names of its list in order."""
    page.goto(address)
    return page.locator("main tbody th").all_inner_texts()


def read_by_api(page: Page, event: str, path: str) -> list[dict[str, str]]:
    """Return the entrants in a list or a round, from the API."""
    answer = page.request.get(f"/api/v1/events/{event.strip('/').split('/')[-1]}/{path}")
    assert answer.ok, answer.text()
    found = answer.json()
    if "results" in found:
        return list(found["results"])
    return [seat["entrant"] for match in found["matches"] for seat in match["seats"]]


def test_staff_see_full_names_and_the_public_the_same_short_ones_everywhere(
    event: str, desk: Page, visitor: Page
) -> None:
    assert {*FULL} < {*rows(desk, event + "staff/entrants/")}
    assert not faults_of(desk)
    for path in ("entrants/", "rounds/1/?by=name"):
        assert {*rows(visitor, event + path)} == {*SHORT}
        for family in ("Cruz", "Dahl", "Lune", "Marchand", "Martin"):
            expect(visitor.locator("html")).not_to_contain_text(family)
        assert not faults_of(visitor)
    visitor.goto(event + "rounds/1/")
    assert {*visitor.locator(".table--pairings td > div").all_inner_texts()} == {*SHORT}
    for path in ("entrants/", "rounds/1/"):
        assert {row["name"] for row in read_by_api(visitor, event, path)} == {*SHORT}
    assert {row["full_name"] for row in read_by_api(visitor, event, "entrants/")} == {None}
    told = {row["name"]: row["full_name"] for row in read_by_api(desk, event, "entrants/")}
    assert told["Emma Marc."] == "Emma Marchand" and told["Ana de la C."] == "Ana de la Cruz"


def test_lists_are_sorted_by_family_name_and_numbers_numerically(event: str, desk: Page, visitor: Page) -> None:
    assert rows(desk, event + "staff/entrants/")[:-1] == FULL  # the last is Bob, whom another test renames
    assert rows(visitor, event + "entrants/") == rows(visitor, event + "rounds/1/?by=name") == SHORT


@pytest.mark.parametrize(
    ("wanted", "full", "short"), [("de la cruz", *FULL[:1], *SHORT[:1]), ("zoe", FULL[2], SHORT[2])]
)
def test_a_name_is_found_with_its_particles_and_without_accents(
    event: str, desk: Page, visitor: Page, wanted: str, full: str, short: str
) -> None:
    for page, path, name in (
        (desk, "staff/entrants/", full),
        (visitor, "entrants/", short),
        (visitor, "rounds/1/?by=name", short),
    ):
        page.goto(event + path)
        page.get_by_label("Find a name").fill(wanted)
        page.keyboard.press("Enter")
        expect(page.locator("main tbody th")).to_have_text([name], use_inner_text=True)
        assert not faults_of(page)
    visitor.goto(event + "rounds/1/?find=" + wanted.replace(" ", "+"))
    expect(visitor.locator(".table--pairings tbody tr")).to_have_count(1)
    expect(visitor.locator(".table--pairings tbody tr")).to_contain_text(short)
    assert [row["name"] for row in read_by_api(visitor, event, "entrants/?find=" + wanted)] == [short]


def test_a_misspelled_name_is_corrected_and_the_ledger_records_it(event: str, desk: Page, visitor: Page) -> None:
    desk.goto(event + "staff/entrants/")
    desk.get_by_role("link", name="Entry Bob Smiht").click()
    desk.get_by_role("link", name="Correct the name").click()
    expect(desk.get_by_text("Everybody else sees: Bob", exact=True)).to_be_visible()
    given, family = desk.get_by_label("First name or nickname"), desk.get_by_label("Last name", exact=True)
    expect(family).to_have_value("Smiht")
    given.fill(" ")
    family.fill("Smith")
    desk.get_by_role("button", name="Save the name").click()
    expect(desk.get_by_text("Enter a first name or a nickname.")).to_be_visible()
    expect(family).to_have_value("Smith")  # the input is kept
    assert not faults_of(desk)
    given.fill("Bob")
    desk.get_by_role("button", name="Save the name").click()
    expect(desk.get_by_text("Corrected: Bob Smith")).to_be_visible()
    assert not faults_of(desk)
    desk.goto(event + "staff/ledger/")
    expect(desk.get_by_role("row").filter(has_text="Name of an entrant corrected")).to_contain_text("Bob Smith")
    assert not faults_of(desk)
    assert rows(visitor, event + "entrants/") == SHORT


def test_a_walk_in_with_an_existing_name_is_confirmed_and_numbered(pasted: str, desk: Page, visitor: Page) -> None:
    desk.goto(pasted + "staff/entrants/?adding=1")
    desk.get_by_label("First name or nickname").fill("emma")
    desk.get_by_label("Last name", exact=True).fill("martin")
    desk.keyboard.press("Enter")
    expect(desk.get_by_text("Is this another person of the same name?")).to_be_visible()
    assert not faults_of(desk)
    assert "Emma Martin (1)" not in rows(visitor, pasted + "entrants/")  # not entered yet
    desk.get_by_role("button", name="Add as another person").click()
    expect(desk.get_by_text("emma martin (2) is entered.")).to_be_visible()
    assert {"Emma Martin (1)", "emma martin (2)"} < {*rows(visitor, pasted + "entrants/")}
    assert {"Emma Martin (1)", "emma martin (2)"} < {*rows(desk, pasted + "staff/entrants/")}


def test_email_addresses_in_a_pasted_list_are_shown_to_nobody(pasted: str, desk: Page, visitor: Page) -> None:
    assert {"Carla", "Player 1", "Player 2", "Player 10"} < {*rows(visitor, pasted + "entrants/")}
    assert not faults_of(visitor)
    assert ADDRESS not in visitor.content()
    assert ADDRESS not in str(read_by_api(visitor, pasted, "entrants/"))
    for table in ("entrants.csv", "entrants.json"):
        assert ADDRESS not in visitor.request.get(f"{pasted}exports/{table}").text()
    assert "Carla Rossi" in rows(desk, pasted + "staff/entrants/")
    assert ADDRESS not in desk.content()
