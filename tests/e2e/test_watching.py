"""A feature match in browsers: pages and big screens follow it by themselves, and it works without JavaScript."""

import json
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.demonstration import Demonstration, a_page

HELD = 12  # seconds until a new move may be shown
# Record each change of the title with its time.
NOTE_CHANGES = """() => {
    window.loadedOnce = true;
    window.changes = [];
    const title = () => document.getElementById("replay-title").textContent;
    let last = title();
    new MutationObserver(() => {
        if (title() !== last) window.changes.push([Date.now() / 1000, last = title()]);
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
}"""
READ_ON = """() => {
    document.getElementById("go-last").focus({ preventScroll: true });
    scrollTo({ top: 240, behavior: "instant" });
}"""
# The reader's place: scroll position, focused element, and whether the page was not reloaded.
PLACE = "() => [window.scrollY, document.activeElement.id, window.loadedOnce]"
# Script that makes a feature match and starts recording its game.
FEATURED = """
import json
from datetime import timedelta
from tests.builders import first_game
from tournaments.accounts.models import User
from tournaments.audits import features, recording
from tournaments.common.clock import now
from tournaments.play.models import Match
match = Match.objects.filter(round__stage__event__game="star-safir", round__status="published", table__isnull=False,
    authority="", disputed=False, reports=None).order_by("-round__stage__event__pk", "table").first()
judge = User.objects.filter(staff_roles__event=match.round.stage.event, staff_roles__role="head_judge").first()
judge = judge or User.objects.get(staff_roles__event=match.round.stage.event, staff_roles__role="owner")
began = now() - timedelta(minutes=10)
features.name_feature(match=match, delay=5, by=judge, now=began)
opened = recording.open_recording(game=match.games.get(number=1), by=judge, now=began)
print(json.dumps({"match": match.public_id, "recording": opened.public_id, "moves": first_game(match)["moves"]}))
"""
# Script that records a move, received so that its delay is over in {seconds} seconds.
RECEIVED = """
from datetime import timedelta
from tournaments.audits import recording
from tournaments.audits.access import Recorder
from tournaments.audits.models import Recording
from tournaments.common.clock import now
opened = Recording.objects.select_related("game__match__round__stage__event", "opened_by").get(public_id="{recording}")
recorder = Recorder(opened, None, (*opened.header["seats"], "table", "judge"))
at = now() - timedelta(minutes=5) + timedelta(seconds={seconds})
recording.record_move(recorder=recorder, by=opened.opened_by, entry={entry}, n={n}, key="move-{n}", now=at)
"""


@dataclass
class Followed:
    """A feature match of the demonstration; `received` moves of its game are recorded so far."""

    demo: Demonstration
    match: str
    recording: str
    moves: list[dict[str, object]]
    received: int = 0

    def receive(self, count: int, seconds: float = 0) -> None:
        """Record `count` more moves, which may be shown in `seconds` seconds."""
        for _move in range(count):
            move = self.moves[self.received]
            self.received += 1
            entry = {key: value for key, value in move.items() if key not in ("n", "h")}
            code = RECEIVED.format(recording=self.recording, entry=entry, n=self.received, seconds=seconds)
            self.demo.site.run(code)


@pytest.fixture(scope="module")
def game(demo: Demonstration) -> Iterator[Followed]:
    told = demo.site.run(FEATURED)
    followed = Followed(demo, **json.loads(told.splitlines()[-1]))
    followed.receive(4)
    yield followed


def test_without_javascript_a_game_can_be_followed_by_reloading_and_links(browser: Browser, game: Followed) -> None:
    page = a_page(browser, game.demo.site, java_script_enabled=False)
    page.goto(f"/m/{game.match}/watch/")
    title = page.locator("#replay-title")
    shown = game.received
    expect(title).to_have_text(f"Game 1 · After move {shown} of {shown}")
    game.receive(1)
    page.reload()
    expect(title).to_have_text(f"Game 1 · After move {shown + 1} of {shown + 1}")
    page.locator("#go-first").click()
    expect(title).to_have_text("Game 1 · Before the first move")
    page.locator("#go-next").click()
    expect(title).to_have_text(re.compile("After move 1 of"))
    page.context.close()


def test_a_big_screen_follows_the_game(browser: Browser, game: Followed) -> None:
    screen = a_page(browser, game.demo.site, viewport={"width": 1920, "height": 1080})
    screen.goto(f"/m/{game.match}/screen/")
    newest = screen.locator(".screen__moves .figure").first
    expect(newest).to_have_text(str(game.received))
    game.receive(1, seconds=3)
    expect(newest).to_have_text(str(game.received))
    screen.context.close()


def test_the_page_follows_after_the_delay_and_keeps_the_readers_place(browser: Browser, game: Followed) -> None:
    page = a_page(browser, game.demo.site, viewport={"width": 390, "height": 500})
    page.goto(f"/m/{game.match}/watch/")
    shown = game.received
    title = page.locator("#replay-title")
    expect(title).to_have_text(f"Game 1 · After move {shown} of {shown}")
    page.evaluate(NOTE_CHANGES)
    page.evaluate(READ_ON)
    before = page.evaluate(PLACE)
    assert before == [240, "go-last", True]

    public_from = time.time() + HELD
    game.receive(1, seconds=HELD)
    expect(title).to_have_text(f"Game 1 · After move {shown + 1} of {shown + 1}")
    at, _words = page.evaluate("window.changes[0]")
    assert at >= public_from, "not before its time"
    assert page.evaluate(PLACE) == before

    page.context.set_offline(True)
    status = page.locator("#status-line")
    expect(status).to_contain_text("Connection lost")
    game.receive(1)
    expect(title).to_have_text(f"Game 1 · After move {shown + 1} of {shown + 1}")
    page.context.set_offline(False)
    expect(title).to_have_text(f"Game 1 · After move {shown + 2} of {shown + 2}")
    expect(status).to_have_text("Connection restored.")
    assert page.evaluate(PLACE) == before
    page.context.close()
