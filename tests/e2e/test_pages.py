"""Every page in a browser, as each role sees it: on phone and desk, in light and dark, checked by axe.

One test per page; it lists all faults by width, color scheme and rule. `faults_of` is used by other tests too.
"""

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.builders import deck_text
from tests.e2e.demonstration import Demonstration, a_page, signed_in
from tests.e2e.site import Seeded, running_site

PHONE, DESK = 390, 1280  # widths in CSS pixels
HEIGHT = 900
SCHEMES = ("light", "dark")
AXE_IN = {PHONE: "light", DESK: "dark"}  # the slow checks run once per width, each in another scheme
ASKED_OF_AXE = {"resultTypes": ["violations"]}  # describing what passes takes most of the time
BUTTON, TARGET = 44, 24  # least size in CSS pixels of a button, and of other targets

# Addresses by role. {event} is running, {open} takes registrations, {disputed} is a disputed match, {own} the player's.
PAGES = {
    "public": (
        "/",
        "/sign-in/",
        "/sign-up/",
        "{link}",
        "{event}",
        "{event}entrants/",
        "{event}rounds/4/",
        "{event}rounds/4/?by=name",
        "{event}standings/",
        "{event}exports/",
        "{event}screen/pairings/",
        "{event}screen/pairings/?screen=1&of=2",
        "{event}standings/changes/",
        "{event}standings/{ranked}/",
        "{disputed}",
        "{open}",
        "/archive/?find=open&since=2020-01-01",
    ),
    "player": (
        "/",
        "/account/",
        "{event}me/",
        "{event}me/deck/",
        "{event}rounds/4/",
        "{event}standings/",
        "{own}",
        "{own}report/",
        "{own}games/1/log/",
        "{open}me/",
        "{open}me/deck/",
    ),
    "organizer": (
        "/",
        "/staff/new/",
        "{event}staff/",
        "{event}staff/entrants/",
        "{event}staff/rounds/4/",
        "{event}staff/rounds/4/?show=missing&find=nobody",
        "{event}staff/rounds/4/results/?find=14",
        "{event}staff/visibility/",
        "{event}screen/",
        "{event}staff/pairing/",
        "{event}staff/announcements/",
        "{event}print/",
        "{event}staff/team/",
        "{event}staff/standings/",
        "{event}staff/ledger/?verify=1",
        "{own}staff/",
        "{open}staff/",
        "{open}staff/entrants/",
        "{open}staff/entrants/import/",
        "{imported}",
        "{event}staff/details/",
        "{event}decks/",
        "{event}statistics/?by=factions",
        "{event}staff/webhooks/",
        "/account/webhooks/",
        "/leagues/",
        "/leagues/new/",
        "/book/",
        "{list}",
    ),
    "judge": (
        "{event}judge/",
        "{event}judge/ask/?example=illegal",
        "{event}judge/penalties/",
        "{event}judge/checks/4/",
        "{disputed}judge/",
        "{disputed}games/1/log/",
        "{log}",
        "{log}moves/9/",
        "{log}moves/9/what-if/",
        "{branch}",
        "{record}",
    ),
}  # fmt: skip
# Pages of other structures, checked in the slow run; see `tests/e2e/structures.py`.
STRUCTURES = {
    "public": (
        "{single}stages/2/",
        "{single}standings/",
        "{double}stages/2/",
        "{robin}stages/1/",
        "{pods}stages/1/",
        "{tables}rounds/1/",
        "{tables}standings/",
        "{table}",
    ),
    "organizer": (
        "{single}staff/",
        "{single}staff/stages/",
        "{single}staff/rounds/2/",
        "{corrected}staff/",
        "{pods}staff/rounds/1/",
        "{tables}staff/rounds/1/",
        "{table}staff/",
        "{mended}staff/rounds/2/mend/",
        "{mended}staff/entrants/",
    ),
}  # fmt: skip
SHOWN = [(role, address) for role, addresses in PAGES.items() for address in addresses]

# Targets that are too small. A link inside a sentence may be as high as its line (WCAG 2.5.8).
SMALL_TARGETS = """([button, target]) => {
  const pressed = "a[href], button, summary, select, textarea, input:not([type=hidden])";
  return [...document.querySelectorAll(pressed)].flatMap((element) => {
    const { width, height } = (element.closest("label.choice, label:has(input)") ?? element).getBoundingClientRect();
    const hidden = !element.checkVisibility({ visibilityProperty: true }) || element.matches(".skip");
    const inSentence = element.matches("a") && getComputedStyle(element).display === "inline"
      && [...element.parentElement.childNodes].some((node) => node.nodeType === 3 && /\\w\\W+\\w/.test(node.data));
    const dense = innerWidth > 1152 && element.closest(".desk-dense .desk-row");  // forty tables on a screen, by mouse
    const least = element.matches("button, .button, select, textarea, input") && !dense ? button : target;
    if (hidden || inSentence || (width > least - 0.5 && height > least - 0.5)) return [];
    const words = element.textContent.trim() || element.name || element.id;
    return [`${element.localName} “${words}” measures ${Math.round(width)} × ${Math.round(height)}, not ${least}`];
  });
}"""

# One fault for each check: a blocked script, a small target, overflow, a missing alt text, too little contrast in dark.
WRONG_ON_PURPOSE = """<!DOCTYPE html><html lang="en"><head><title>Wrong</title>
<meta http-equiv="Content-Security-Policy" content="script-src 'none'"><script>"blocked";</script></head><body>
<main><h1>Wrong</h1><a href="/">×</a><div style="width: 900px">wide</div><img src="data:,">
<style>p { color: #777; background: #fff } @media (prefers-color-scheme: dark) { p { background: #666 } }</style>
<p>Grey on grey</p></main></body></html>"""


@pytest.fixture(scope="module")
def readers(demo: Demonstration, browser: Browser) -> Iterator[dict[str, BrowserContext]]:
    """A browser context per role, signed in unless public, without motion: no color is measured in transition."""
    options: dict[str, Any] = {"reduced_motion": "reduce", "viewport": {"width": PHONE, "height": HEIGHT}}
    pages = {role: signed_in(browser, demo.site, link, **options) for role, link in demo.links.items()}
    contexts = {role: page.context for role, page in {"public": a_page(browser, demo.site, **options), **pages}.items()}
    yield contexts
    for context in contexts.values():
        context.close()


@pytest.fixture(scope="module")
def places(demo: Demonstration, readers: dict[str, BrowserContext]) -> dict[str, str]:
    """The addresses that `PAGES` refers to. `open` is a second event, where the player has an illegal decklist."""
    organizer, judge, player = (readers[role].new_page() for role in ("organizer", "judge", "player"))
    tables = demo.round(organizer)
    judge.goto(demo.event + "judge/")
    log = judge.locator("a[href^='/logs/']").first.get_attribute("href")
    judge.goto(f"{log}moves/9/what-if/")
    judge.get_by_role("button", name="Continue the game").click()
    expect(judge.get_by_role("heading", name="What if… at move 9")).to_be_visible()
    branch = "/" + judge.url.split("/", 3)[3]
    recording = a_recording(judge, tables[4]["id"])
    judge.goto(f"/m/{tables[1]['id']}/judge/")
    decklist = judge.locator("a[href^='/decks/']").first.get_attribute("href")
    player.goto(demo.event + "me/")
    own = player.get_by_role("link", name="Another score, or a concession").get_attribute("href")
    assert log
    assert decklist
    assert own
    ranked = organizer.request.get(f"/api/v1/events/{demo.event_id}/standings/").json()["rows"][0]["entrant"]["id"]
    open_event = an_open_event(organizer, player)
    imported = an_import(organizer, open_event)
    for page in (organizer, judge, player):
        page.close()
    return {
        "imported": imported,
        "event": demo.event,
        "open": open_event,
        "link": "/link/unknown/",
        "disputed": f"/m/{tables[1]['id']}/",
        "own": own.removesuffix("report/"),
        "log": log,
        "list": decklist,
        "ranked": ranked,
        "record": recording,
        "branch": branch,
    }


def a_recording(judge: Page, match: str) -> str:
    """Start recording a game as the judge, enter the first player, and return the address."""
    judge.goto(f"/m/{match}/")
    judge.get_by_role("button", name="Record game 1").click()
    judge.locator("#do-table-first_player").evaluate(
        "(button) => button.click()"
    )  # the recorder one plays on may cover it
    expect(judge.locator("#state")).to_contain_text("1 entry")
    return "/" + judge.url.split("/", 3)[3]


def an_open_event(organizer: Page, player: Page) -> str:
    """Create an event, register the player with a card too many, and return the address of the event."""
    organizer.goto("/staff/new/")
    organizer.get_by_label("Name", exact=True).fill("Open event of a long name that must wrap on a telephone")
    organizer.get_by_role("button", name="Create the event").click()
    organizer.get_by_role("button", name="Open registration").click()
    expect(organizer.get_by_text("Registration is open.", exact=True)).to_be_visible()
    event = organizer.url.removesuffix("staff/")
    player.goto(event)
    player.get_by_role("button", name="Register").click()
    player.goto(event + "me/deck/")
    player.get_by_label("Your list").fill(deck_text(1) + "\n9 DEMO-SAF-001")
    player.get_by_role("button", name="Submit").click()
    expect(player.get_by_text("Not legal", exact=True)).to_be_visible()
    return "/" + event.split("/", 3)[3]


def an_import(organizer: Page, event: str) -> str:
    """Upload a file of entrants with one invalid line, and return the address of its preview."""
    organizer.goto(f"{event}staff/entrants/import/")
    content = "Prénom;Nom;Club\nZoé;Lune;Corbeaux\n;Nobody;\n"
    file = {"name": "players.csv", "mimeType": "text/csv", "buffer": content.encode("cp1252")}
    organizer.locator("input[type=file]").set_input_files([file])  # type: ignore[list-item]
    organizer.get_by_role("button", name="Preview").click()
    expect(organizer.get_by_role("button", name="Add 1 entrant")).to_be_visible()
    return "/" + organizer.url.split("/", 3)[3]


def listening(page: Page) -> list[str]:
    """Return a list that collects errors from now on: failing scripts, and what the content security policy blocks."""
    heard: list[str] = []
    page.on("console", lambda message: heard.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: heard.append(str(error)))
    return heard


def too_wide(page: Page) -> list[str]:
    wide, inner = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    return [f"overflow: the page is {wide} px wide"] if wide > inner else []


def too_small(page: Page) -> list[str]:
    return [f"target: {fault}" for fault in page.evaluate(SMALL_TARGETS, [BUTTON, TARGET])]


def said_by_axe(page: Page) -> list[str]:
    """List the violations of axe's rules, without the experimental ones; at most three elements each."""
    return [
        f"{violation['id']} ({violation['impact']}): {' '.join(map(str, node['target']))}"
        for violation in Axe().run(page, options=ASKED_OF_AXE).response["violations"]
        for node in violation["nodes"][:3]
    ]


SIZES = ((390, 844), (1280, 900))


def look_at(page: Page, folder: Path, name: str) -> None:
    """Check a page, and keep a picture of it in each size among the files of the test."""
    assert faults_of(page) == [], name
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.screenshot(path=folder / f"{name}-{width}.png", full_page=True)


def faults_of(page: Page) -> list[str]:
    """List what is wrong with a loaded page in both widths and color schemes, with all its details opened."""
    page.wait_for_load_state()  # a click waits only until the next page has begun to arrive
    page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })")
    found = []
    for width, scheme in product((PHONE, DESK), SCHEMES):
        page.set_viewport_size({"width": width, "height": HEIGHT})
        # Without motion: a color in transition between two schemes is not a fault of the page.
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        faults = too_wide(page)
        if AXE_IN[width] == scheme:
            faults += too_small(page) + said_by_axe(page)
        found += [f"{width} px, {scheme}: {fault}" for fault in faults]
    return found


@pytest.mark.parametrize(("role", "address"), SHOWN)
def test_a_page_has_no_faults_on_phone_and_desk_in_light_and_dark(
    role: str, address: str, places: dict[str, str], readers: dict[str, BrowserContext]
) -> None:
    page = readers[role].new_page()
    heard = listening(page)
    answer = page.goto(address.format(**places))
    assert answer
    assert answer.status == 200
    found = [*heard, *faults_of(page)]
    page.close()
    assert not found, "\n".join([f"{role} at {address}", *found])


def test_names_take_most_of_the_width_in_multiplayer_pairings_on_a_phone(
    structures: dict[str, str], readers: dict[str, BrowserContext]
) -> None:
    page = readers["public"].new_page()
    page.set_viewport_size({"width": PHONE, "height": HEIGHT})
    page.goto("{tables}rounds/1/".format(**structures))
    cell = page.locator(".table--pairings tbody td").first.bounding_box()
    page.close()
    assert cell and cell["width"] > PHONE / 2


def test_the_styleguide_has_no_faults(
    template: Seeded, tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEBUG", "1")
    with running_site(tmp_path, template) as site:
        page = a_page(browser, site, reduced_motion="reduce")
        heard = listening(page)
        page.goto("/styleguide/")
        expect(page.get_by_role("heading", name="Styleguide")).to_be_visible()
        found = [*heard, *faults_of(page)]
        page.context.close()
    assert not found, "\n".join(found)


def test_the_checks_find_deliberate_faults(browser: Browser) -> None:
    page = browser.new_page()
    heard = listening(page)
    page.set_content(WRONG_ON_PURPOSE)
    found = "\n".join([*heard, *faults_of(page)])
    page.close()
    for fault in (
        "Content Security Policy",
        f"{PHONE} px, light: overflow",
        f"{PHONE} px, light: target: a “×”",
        f"{PHONE} px, light: image-alt (critical): img",
        f"{DESK} px, dark: color-contrast (serious): p",
    ):
        assert fault in found, found


@pytest.fixture(scope="module")
def structures(demo: Demonstration) -> dict[str, str]:
    """The addresses that `STRUCTURES` refers to."""
    script = "from tests.e2e.structures import told; print(told())"
    lines = demo.site.run(script).splitlines()
    return dict(line.split(" ", 1) for line in lines if " /" in line)


@pytest.mark.parametrize(
    ("role", "address"), [(role, address) for role, addresses in STRUCTURES.items() for address in addresses]
)
def test_a_page_of_each_structure_has_no_faults(
    role: str, address: str, structures: dict[str, str], readers: dict[str, BrowserContext]
) -> None:
    page = readers[role].new_page()
    heard = listening(page)
    answer = page.goto(address.format(**structures))
    assert answer
    assert answer.status == 200
    found = [*heard, *faults_of(page)]
    page.close()
    assert not found, "\n".join([f"{role} at {address}", *found])
