"""A feature match over a stream and in frames, and a player followed through an event, in browsers."""

import io
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from tests.e2e.demonstration import Demonstration, a_page, signed_in
from tests.e2e.test_live import enter
from tests.e2e.test_pages import faults_of, listening, look_at, said_by_axe
from tests.e2e.test_watching import Followed
from tests.e2e.test_watching import game as game

LEAST_TEXT = 18  # CSS pixels, on a canvas of 1280 × 720
CANVASES = ((1280, 720), (1920, 1080))
# The least font size of an element with visible text of its own.
SMALLEST = """() => Math.min(...[...document.querySelectorAll("body *")].filter((element) =>
    element.checkVisibility() && !element.closest(".sr-only")
    && [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())
).map((element) => parseFloat(getComputedStyle(element).fontSize)))"""
BACKGROUNDS = "() => [document.documentElement, document.body].map((each) => getComputedStyle(each).backgroundColor)"
EXTENT = "() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
NO_COLOUR = "rgba(0, 0, 0, 0)"


@pytest.fixture(scope="module")
def organizer(demo: Demonstration, browser: Browser) -> Iterator[Page]:
    page = signed_in(browser, demo.site, demo.links["organizer"])
    yield page
    page.context.close()


@pytest.mark.parametrize(("width", "height"), CANVASES)
def test_the_overlay_is_transparent_and_readable(
    browser: Browser, game: Followed, tmp_path: Path, width: int, height: int
) -> None:
    page = a_page(browser, game.demo.site, viewport={"width": width, "height": height})
    heard = listening(page)
    page.goto(f"/m/{game.match}/overlay/")
    expect(page.locator(".board")).to_be_visible()
    assert page.evaluate(BACKGROUNDS) == [NO_COLOUR, NO_COLOUR]
    assert page.evaluate(SMALLEST) >= LEAST_TEXT
    assert page.evaluate(EXTENT) == [
        width,
        height,
    ]
    assert [*heard, *said_by_axe(page)] == []
    picture = Image.open(io.BytesIO(page.screenshot(path=tmp_path / f"overlay-{height}.png", omit_background=True)))
    alpha = picture.getchannel("A")
    assert alpha.getpixel((2, 2)) == 0, "the ground lets the picture through"
    assert alpha.getpixel((width // 2, height // 2)) == 255, "the board does not"
    page.context.close()


def test_the_overlay_follows_the_game_and_goes_with_the_feature(
    browser: Browser, game: Followed, organizer: Page
) -> None:
    page = a_page(browser, game.demo.site, viewport={"width": 1280, "height": 720})
    page.goto(f"/m/{game.match}/overlay/")
    expect(page.locator(".over__players li")).to_have_count(2)
    page.evaluate("document.querySelector('.board').dataset.old = ''")
    game.receive(1, seconds=2)
    expect(page.locator(".board[data-old]")).to_have_count(0)
    expect(page.locator(".board")).to_be_visible()
    organizer.goto(f"/m/{game.match}/feature/")
    expect(organizer.get_by_label("Address for streaming software")).to_have_value(page.url)
    organizer.get_by_role("button", name="Stop featuring this match").click()
    expect(page.locator("main")).to_have_count(0)
    assert page.locator("body").inner_text().strip() == ""
    picture = Image.open(io.BytesIO(page.screenshot(omit_background=True)))
    assert picture.getchannel("A").getextrema() == (0, 0)
    organizer.get_by_role("button", name="Make it a feature match").click()
    expect(page.locator(".board")).to_be_visible()
    page.context.close()


class Club(BaseHTTPRequestHandler):
    """A site with a frame in it. Its pages are what `Club.body` says."""

    body = ""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(f"<!DOCTYPE html><html lang=en><title>Club</title><h1>Club</h1>{self.body}".encode())

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


@pytest.fixture
def clubs() -> Iterator[list[str]]:
    """The origins of two sites of others."""
    servers = [ThreadingHTTPServer(("127.0.0.1", 0), Club) for _site in range(2)]
    for server in servers:
        threading.Thread(target=server.serve_forever, daemon=True).start()
    yield [f"http://localhost:{server.server_port}" for server in servers]
    for server in servers:
        server.shutdown()
        server.server_close()


def test_a_named_site_frames_the_match_and_another_cannot(
    browser: Browser, game: Followed, organizer: Page, clubs: list[str], tmp_path: Path
) -> None:
    named, other = clubs
    event = organizer.request.get(f"/api/v1/matches/{game.match}/").json()["event"]
    organizer.goto(f"/e/{event}/staff/sites/")
    organizer.get_by_label("Sites that may embed this event").fill("club.example")
    organizer.get_by_role("button", name="Save sites").click()
    expect(organizer.get_by_text("Not the address of a site: club.example.")).to_be_visible()
    organizer.get_by_label("Sites that may embed this event").fill(named)
    organizer.get_by_role("button", name="Save sites").click()
    expect(organizer.get_by_text("Sites saved.")).to_be_visible()
    look_at(organizer, tmp_path, "sites")
    organizer.goto(f"/m/{game.match}/feature/")
    Club.body = organizer.get_by_label("Code for a frame").input_value()
    look_at(organizer, tmp_path, "feature")

    page = a_page(browser, game.demo.site, viewport={"width": 900, "height": 900})
    page.goto(named)
    frame = page.frame_locator("iframe")
    expect(frame.locator(".board")).to_be_visible()
    page.screenshot(path=tmp_path / "framed.png")
    shown = len(frame.locator(".board").inner_html())
    assert shown
    expect(frame.get_by_role("link", name="Open the full page")).to_have_attribute("target", "_blank")
    assert page.context.cookies() == []
    frame.locator("main").evaluate("(main) => { main.dataset.old = ''; }")
    game.receive(1, seconds=2)
    expect(frame.locator("main[data-old]")).to_have_count(0)  # it goes on following
    page.goto(other)
    page.wait_for_timeout(1500)
    expect(page.frame_locator("iframe").locator(".board")).to_have_count(0)
    page.goto(f"{game.demo.site.url}/m/{game.match}/embed/")
    look_at(page, tmp_path, "embed")
    page.context.close()


def test_the_page_of_a_player_follows_the_result(
    demo: Demonstration, browser: Browser, organizer: Page, tmp_path: Path
) -> None:
    match = demo.round(organizer)[10]
    first, second = (seat["entrant"] for seat in match["seats"])
    page = a_page(browser, demo.site, viewport={"width": 390, "height": 844})
    heard = listening(page)
    page.goto(demo.event + "rounds/4/")
    page.locator(f"#line-{match['id']}").get_by_role("link", name=first["name"], exact=True).click()
    expect(page.get_by_role("heading", level=1, name=first["name"])).to_be_visible()
    now = page.locator("section", has=page.locator(".seat-number"))
    expect(now).to_contain_text("10")
    expect(now).to_contain_text(second["name"])
    expect(now).to_contain_text("No result yet")
    expect(now.get_by_role("timer")).to_be_visible()
    expect(page.get_by_role("table", name="Earlier rounds").get_by_role("row")).to_have_count(4)

    organizer.goto(demo.event + "staff/rounds/4/")
    enter(organizer, 10, "2–1")
    expect(now).to_contain_text("2–1")
    assert faults_of(page) == []
    assert heard == []
    look_at(page, tmp_path, "entrant")
    page.context.close()


def test_followed_players_come_first_among_the_pairings(
    demo: Demonstration, browser: Browser, organizer: Page, tmp_path: Path
) -> None:
    tables = demo.round(organizer)
    page = a_page(browser, demo.site, viewport={"width": 390, "height": 844})
    heard = listening(page)
    names = []
    for table in (12, 15):
        who = tables[table]["seats"][0]["entrant"]
        names.append(who["name"])
        page.goto(f"{demo.event}entrants/{who['id']}/")
        page.get_by_role("button", name="Follow", exact=True).click()
        expect(page.get_by_role("button", name="Stop following")).to_be_focused()
    page.goto(demo.event + "rounds/4/")
    followed = page.get_by_role("region", name="Players you follow")
    expect(followed.get_by_role("listitem")).to_have_count(2)
    for name, table in zip(names, ("12", "15"), strict=True):
        link = page.get_by_role("link", name=name, exact=True)
        expect(followed.get_by_role("listitem").filter(has=link)).to_contain_text(table)
    assert heard == []
    look_at(page, tmp_path, "followed")
    followed.get_by_role("link", name=names[0], exact=True).click()
    page.get_by_role("button", name="Stop following").click()
    page.goto(demo.event + "rounds/4/?by=name")
    expect(followed.get_by_role("listitem")).to_have_count(1)
    assert page.context.cookies() == []
    other = a_page(browser, demo.site)
    other.goto(demo.event + "rounds/4/")
    expect(other.get_by_role("region", name="Players you follow")).to_have_count(0)
    other.context.close()
    page.context.close()


def test_without_javascript_the_page_of_a_player_has_all_but_the_star(
    demo: Demonstration, browser: Browser, organizer: Page
) -> None:
    who = demo.round(organizer)[12]["seats"][0]["entrant"]
    page = a_page(browser, demo.site, java_script_enabled=False)
    page.goto(f"{demo.event}entrants/{who['id']}/")
    expect(page.locator(".seat-number")).to_have_text("12")
    expect(page.get_by_role("button", name="Follow", exact=True)).to_be_hidden()
    page.context.close()
