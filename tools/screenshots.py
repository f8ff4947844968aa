"""Recreate the pictures of the guides: `make screenshots`.

Starts Arbitre with its demonstration in a temporary folder, opens the twelve main pages in Chromium, each with the role
it is meant for, and writes them to `docs/images/` as WebP. Pairings are random, so names and times differ from run to
run.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from itertools import dropwhile, islice
from pathlib import Path

from PIL import Image
from playwright.sync_api import BrowserContext, Page, expect, sync_playwright

BASE = Path(__file__).resolve().parents[1]
IMAGES = BASE / "docs" / "images"
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 860}
WALL = {"width": 1280, "height": 720}
PATIENCE = 60_000  # milliseconds anything may take to appear
QUALITY = 72  # of WebP: text stays sharp
FIRST_PORT = "8700"
# Enter all missing results of the current round, then pair the next one as a draft and swap two players in it.
NEXT_DRAFT = """
from tournaments.common import jobs
from tournaments.common.clock import now
from tournaments.demo.services import demo_event, demo_people
from tournaments.events.selectors import current_stage
from tournaments.play import services as play
from tournaments.play.models import Match
event = demo_event()
people = demo_people(event)
round_ = current_stage(event).rounds.latest("number")
for match in round_.matches.filter(disputed=True):
    play.rule_result(match=match, by=people["judge"], games=[1, 2, 0], reason="The second attack is undone.", now=now())
for match in round_.matches.filter(authority__in=("", "claimed"), table__isnull=False):
    games = [2, match.table % 2, 0]
    play.enter_result(match=match, by=people["organizer"], games=games, reason="As on the slip.", now=now())
play.close_round(round_=round_, by=people["organizer"], now=now())
draft = play.pair_round(stage=current_stage(event), by=people["organizer"], now=now())
first, second = Match.objects.filter(round=draft, table__in=(2, 3)).order_by("table")
changed = [match.seats.get(number=1).entrant for match in (first, second)]
play.swap_players(round_=draft, first=changed[0], second=changed[1], by=people["organizer"], now=now())
jobs.run_due(now())
"""


@dataclass(frozen=True)
class Site:
    """The running installation: its address, the folder with its state, and a sign-in link for each role."""

    url: str
    var: Path
    links: dict[str, str]

    def shell(self, script: str) -> None:
        """Run a script on its database."""
        command = [sys.executable, "manage.py", "shell", "--verbosity", "0", "-c", script]
        subprocess.run(command, cwd=BASE, env=os.environ | {"VAR_DIR": str(self.var)}, check=True)


class Readers:
    """A browser for each role, and the addresses of the demonstration events that the pages need."""

    def __init__(self, site: Site, contexts: dict[str, BrowserContext]) -> None:
        self.site, self._contexts = site, contexts
        home = self.page("public", "/").content()
        found = re.findall(r'"(/e/e-\w+/)"[^>]*>\s*(?:<[^>]*>\s*)*([^<]+)', home)
        archive = self.page("public", "/archive/").content()
        found += re.findall(r'"(/e/e-\w+/)"[^>]*>\s*(?:<[^>]*>\s*)*([^<]+)', archive)
        addresses = {name.strip(): address for address, name in found}
        self.event, self.cup = addresses["Star Safir demonstration"], addresses["Star Safir cup"]

    def page(self, role: str, address: str, size: dict[str, int] = DESK) -> Page:
        """Open a page as this role, and close the introduction shown on the first visit."""
        page = self._contexts[role].new_page()
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.goto(address)
        guide = page.get_by_role("button", name="I have read this")
        if guide.is_visible():
            guide.click()
            expect(guide).to_have_count(0)
        return page


def event(readers: Readers) -> Page:
    return readers.page("public", readers.event)


def seat(readers: Readers) -> Page:
    return readers.page("player", f"{readers.event}me/", PHONE)


def decklist(readers: Readers) -> Page:
    """A decklist with errors, in a new event that takes lists.

    The player's own list is submitted with one card too many times and one card missing.
    """
    page = readers.page("player", f"{readers.event}me/deck/", PHONE)
    lines = page.locator("table tbody tr").all_inner_texts()
    cards = [f"{line.split()[0]} {re.findall(r'DEMO-SAF-[0-9]+', line)[-1]}" for line in lines if "DEMO-SAF" in line]
    organizer = readers.page("organizer", "/staff/new/")
    organizer.get_by_label("Name", exact=True).fill("Star Safir winter league")
    organizer.get_by_role("button", name="Create the event").click()
    organizer.get_by_role("button", name="Open registration").click()
    expect(organizer.get_by_text("Registration is open.", exact=True)).to_be_visible()
    address = organizer.url.removesuffix("staff/")
    page.goto(address)
    page.get_by_role("button", name="Register").click()
    page.goto(f"{address}me/deck/")
    page.get_by_label("Your list").fill("\n".join([*cards[:-2], "4 " + cards[-1].split()[1]]))
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_text("Not legal", exact=True)).to_be_visible()
    return page


def standing(readers: Readers) -> Page:
    page = readers.page("public", f"{readers.event}standings/")
    page.locator("table tbody tr").nth(1).get_by_role("link", name="Why this rank").click()
    expect(page.get_by_role("heading", name="Why this rank")).to_be_visible()
    return page


def bracket(readers: Readers) -> Page:
    return readers.page("public", f"{readers.cup}stages/2/")


def results(readers: Readers) -> Page:
    return readers.page("organizer", f"{readers.event}staff/rounds/4/results/?find=7")


def screen(readers: Readers) -> Page:
    return readers.page("public", f"{readers.event}screen/pairings/", WALL)


def dispute(readers: Readers) -> Page:
    page = readers.page("judge", f"{readers.event}judge/")
    page.get_by_role("link", name="Look into it").click()
    return page


def replay(readers: Readers) -> Page:
    page = dispute(readers)
    page.goto(str(page.locator("a[href^='/logs/']").first.get_attribute("href")))
    page.locator("#go-illegal").click()
    expect(page.locator("#doubt")).to_be_visible()
    return page


def recorder(readers: Readers) -> Page:
    page = readers.page("judge", f"{readers.event}rounds/4/", PHONE)
    page.locator("a[href^='/m/']").nth(3).click()
    page.get_by_role("button", name="Record game 1").click()
    page.locator("#play").wait_for(timeout=60_000)
    for _ in range(14):
        page.locator("#play-choices button").first.click()
        page.wait_for_function("() => !document.getElementById('play').hasAttribute('data-busy')")
    return page


def ask(readers: Readers) -> Page:
    page = readers.page("judge", f"{readers.event}judge/ask/?example=illegal", PHONE)
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.locator("#answer")).to_be_visible()
    return page


def draft(readers: Readers) -> Page:
    readers.site.shell(NEXT_DRAFT)
    return readers.page("organizer", f"{readers.event}staff/rounds/5/")


# Each picture is named after its function. The draft comes last, because it ends the round the others show.
PICTURES: tuple[Callable[[Readers], Page], ...] = (
    event, seat, decklist, standing, bracket, results, screen, dispute, replay, recorder, ask, draft,
)  # fmt: skip
FROM = {  # element at the top of a picture, unless it is the top of the page
    "decklist": "#state",
    "replay": "#replay",
    "ask": "#answer",
    "recorder": "#play-status",
}


def main() -> int:
    """Make all pictures; returns the exit code."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        print("no Chromium on this machine: apt install chromium", file=sys.stderr)
        return 1
    with running() as site, browsers(site, chromium) as readers:
        for picture in PICTURES:
            page = picture(readers)
            print(save(page, picture.__name__), flush=True)
            page.close()
    return 0


@contextmanager
def running() -> Iterator[Site]:
    """Run Arbitre with its demonstration in a temporary folder, through the launcher of `make run`."""
    kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "CELERY_BROKER_URL")}
    with tempfile.TemporaryDirectory(prefix="arbitre-screenshots-") as var:
        environment = kept | {"VAR_DIR": var, "PORT": FIRST_PORT}
        command = [sys.executable, "-m", "tournaments.config.launcher"]
        with subprocess.Popen(command, cwd=BASE, env=environment, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            try:
                told = dict(line.split() for line in islice(_answers(process.stdout), 4))
                if "ready" not in told:
                    sys.exit("Arbitre did not start: its launcher said why")
                yield Site(told.pop("ready"), Path(var), told)
            finally:
                process.send_signal(signal.SIGINT)
                process.wait()


def _answers(lines: Iterable[str]) -> Iterator[str]:
    """The output of the launcher, starting with its "ready" line."""
    return dropwhile(lambda line: not line.startswith("ready "), lines)


@contextmanager
def browsers(site: Site, chromium: str) -> Iterator[Readers]:
    """A browser for each role, signed in by link, with a light theme, English, and no animations."""
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        contexts = {}
        for role in ("public", *site.links):
            context = launched.new_context(
                base_url=site.url, locale="en-GB", color_scheme="light", reduced_motion="reduce"
            )
            context.set_default_timeout(PATIENCE)
            contexts[role] = context
            if role in site.links:
                page = context.new_page()
                page.goto(site.links[role])
                page.get_by_role("button", name="Sign in as this account").click()
                expect(page.get_by_role("button", name="Sign out")).to_be_visible()
                page.close()
        yield Readers(site, contexts)
        launched.close()


def save(page: Page, name: str) -> str:
    """Save what the window shows of a page, starting where its picture begins.

    Returns a line with the file and its size.
    """
    if name in FROM:
        page.locator(FROM[name]).first.evaluate("element => window.scrollTo(0, element.offsetTop - 16)")
    file = IMAGES / f"{name}.webp"
    Image.open(BytesIO(page.screenshot(animations="disabled", caret="hide"))).save(file, quality=QUALITY, method=6)
    return f"{file.relative_to(BASE)} {file.stat().st_size // 1024} kB"


if __name__ == "__main__":
    sys.exit(main())
