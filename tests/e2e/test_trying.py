"""Trying moves on the board of a replayed game, by tapping, on a phone."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from playwright.sync_api import Browser, Page, expect

from tests.e2e.demonstration import Demonstration, signed_in
from tests.e2e.thumb import Thumb
from tournaments.boards.table import Table

PHONE = {"width": 390, "height": 844}
pytestmark = pytest.mark.skipif(
    not settings.BROWSER_RULES.is_dir(), reason="the rules for browsers are not made: python tools/browser_rules.py"
)
N = 20  # the move after which moves are tried


@pytest.fixture
def bench(demo: Demonstration, browser: Browser) -> Page:
    """The replay of a log of the demonstration after move `N`, as a judge sees it on a phone."""
    page = signed_in(browser, demo.site, demo.links["judge"])
    page.set_viewport_size(PHONE)
    page.goto(demo.event + "judge/")
    log = page.locator("a[href^='/logs/']").first.get_attribute("href")
    assert log is not None
    page.goto(re.sub(r"(/logs/[^/]+/).*", rf"\1moves/{N}/", log))
    return page


def opened(page: Page) -> Thumb:
    """Open the board to try moves on, and return a thumb for it."""
    page.get_by_role("link", name="What if…").click()
    expect(page.locator("#play-board .board")).to_be_visible()
    where = re.sub(r"(/moves/\d+/).*", r"\1table/", page.url)
    return Thumb(page, Table(json.dumps(page.request.get(where).json())))


def following(page: Page) -> list[dict[str, Any]]:
    """Return the entries of the log after move `N`."""
    log = page.request.get(re.sub(r"/moves/.*", "/file/", page.url)).json()
    moves: list[dict[str, Any]] = log["moves"][N:]
    return moves


def test_moves_are_tapped_taken_back_and_kept_instead_of_the_next_move_of_the_log(bench: Page) -> None:
    moves, verdict = following(bench), bench.locator("#audit .verdict h2").first.inner_text()
    thumb = opened(bench)
    expect(bench.locator("#play-status")).to_have_text("Nothing you try here changes the game.")
    for move in moves[:2]:
        thumb.record(move)
    expect(bench.locator("#play-log li")).to_have_count(2)
    bench.locator("#play-keeping summary").click()
    expect(bench.get_by_role("button", name="Play it instead")).to_be_hidden()
    bench.get_by_role("button", name="Undo").click()
    expect(bench.locator("#play-log li")).to_have_count(1)
    bench.get_by_role("button", name=f"Play it instead of move {N + 1}").click()
    expect(bench.get_by_role("heading", name=f"What if… at move {N + 1}")).to_be_visible()
    expect(bench.get_by_text("Another move takes its place")).to_be_visible()
    expect(bench.locator("#verdict")).to_contain_text(
        re.sub(r"^.*Verdict\s*", "", verdict)
    )  # the same move: the same game


def test_a_line_is_kept_as_a_branch_of_its_own(bench: Page) -> None:
    moves = following(bench)
    thumb = opened(bench)
    for move in moves[:3]:
        thumb.record(move)
    bench.locator("#play-keeping summary").click()
    bench.get_by_role("button", name="Keep this line").click()
    expect(bench.get_by_text("The game continues differently after it")).to_be_visible()
    bench.goto(bench.url.split("?")[0] + f"?n={N + 3}")
    expect(bench.get_by_role("heading", name=f"After move {N + 3}")).to_be_visible()


def test_a_card_that_cannot_move_says_so_and_the_dialog_leaves_the_replay_alone(bench: Page) -> None:
    opened(bench)
    bench.locator("#play-board [data-ref]:not(.is-lit):visible").last.click()
    expect(bench.locator("#play-asked")).to_contain_text("No legal move starts with this card now.")
    bench.keyboard.press("ArrowRight")
    found = Axe().run(bench).response["violations"]
    assert found == [], [(each["id"], [node["html"][:120] for node in each["nodes"]][:3]) for each in found]
    foot = bench.locator(".play__foot").bounding_box()
    assert foot is not None and foot["y"] + foot["height"] <= PHONE["height"] + 1
    bench.keyboard.press("Escape")
    expect(bench.locator("#trying")).to_be_hidden()
    expect(bench.locator("#replay-title")).to_contain_text(f"After move {N} of")


def test_without_the_network_it_says_so_and_works_later(bench: Page) -> None:
    bench.context.set_offline(True)
    bench.get_by_role("link", name="What if…").click()
    expect(bench.locator("#play-notice")).to_contain_text("The board could not be loaded.")
    bench.get_by_role("button", name="Close").click()
    bench.context.set_offline(False)
    opened(bench)
