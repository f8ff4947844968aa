"""The recorder one plays on: whole games of each kind by taps, without the network in between, and with two devices."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page, Route, expect

import engine
from engine.core.decks.decklist import Decklist
from engine.core.replay import selfplay
from tests.e2e.demonstration import Demonstration, signed_in
from tests.e2e.test_pages import said_by_axe
from tests.e2e.test_recorder import Table as Match
from tests.e2e.test_recorder import free_table
from tests.e2e.thumb import Thumb
from tournaments.boards.table import Table

PHONE = {"width": 390, "height": 844}
LONGEST = 90  # moves of a game that is entered by taps
pytestmark = pytest.mark.skipif(
    not settings.BROWSER_RULES.is_dir(), reason="the rules for browsers are not made: python tools/browser_rules.py"
)


@pytest.fixture(autouse=True)
def _closed(browser: Browser) -> Iterator[None]:
    """Close what a test opened: a page that stays open follows its match, and has the rules in memory."""
    yield
    for context in browser.contexts:
        context.close()


def recording(browser: Browser, demo: Demonstration, match: Match) -> Page:
    """Open the recording of game 1 as a judge, on a phone, and wait for the rules."""
    page = signed_in(browser, demo.site, demo.links["judge"])
    page.set_viewport_size(PHONE)
    page.goto(f"/m/{match.match}/")
    page.get_by_role("button", name="Record game 1").click()
    expect(page.locator("#play")).to_be_visible()
    return page


def beside(page: Page) -> Table:
    """Return a table of the test's own, with what the page was given."""
    given = page.request.get(page.url.split("#")[0] + "table/").json()
    return Table(json.dumps({**given, "entries": given["entries"]}))


def a_game(game: str, match: Match) -> dict[str, Any]:
    """Return the shortest of three self-played games with these decks that is over within a number of moves."""
    decks = {seat: Decklist.from_json(deck) for seat, deck in zip("ABCDE", match.decks, strict=False)}
    seats = tuple(decks)
    played = (selfplay.play(game, seed, decks=decks, hidden=seats) for seed in range(400))
    short = (log for log in played if len(log["moves"]) <= LONGEST and engine.audit(log).verdict == "confirmed")
    plain = (log for log in short if not any(move["by"] == "judge" for move in log["moves"]))
    return min(islice(plain, 3), key=lambda log: len(log["moves"]))


@pytest.mark.slow
@pytest.mark.parametrize("game", engine.games())
def test_a_whole_game_is_recorded_by_taps_on_a_board_that_fits_a_phone_with_the_network_gone_for_half_of_it(
    browser: Browser, demo: Demonstration, game: str
) -> None:
    match = free_table(demo, game)
    log = a_game(game, match)
    page = recording(browser, demo, match)
    board, foot = page.locator("#play-board .board").bounding_box(), page.locator(".play__foot").bounding_box()
    assert board is not None and foot is not None
    assert board["width"] <= PHONE["width"] and board["y"] + board["height"] <= foot["y"]
    assert foot["y"] + foot["height"] <= PHONE["height"] + 1
    assert said_by_axe(page) == []
    thumb = Thumb(page, beside(page))
    half = len(log["moves"]) // 2
    for move in log["moves"][:half]:
        thumb.record(move)
    expect(page.locator("#play-status")).to_have_text(f"Recorded: {half}.")
    page.wait_for_function(
        "async () => (await (await caches.open('arbitre-files')).keys()).some(({ url }) => url.includes('rules.'))"
    )
    page.context.set_offline(True)
    for move in log["moves"][half:-2]:
        thumb.record(move)
    expect(page.locator("#play-status")).to_contain_text("checked on this device only")
    page.reload()  # as after a flat battery
    expect(page.locator("#play")).to_be_visible()
    expect(page.locator("#play-log li").first).to_contain_text(f"{len(log['moves']) - 2} ")
    for move in log["moves"][-2:]:
        thumb.record(move)
    page.context.set_offline(False)
    expect(page.locator("#play-status")).to_have_text(f"Recorded: {len(log['moves'])}.")
    kept = page.request.get(page.url.split("#")[0] + "table/").json()
    assert [(move["by"], move["do"]) for move in kept["entries"]] == [(move["by"], move["do"]) for move in log["moves"]]
    assert thumb.moves == len(log["moves"])
    page.locator("#play-hand-in summary").click()
    page.get_by_role("button", name="Yes, hand it in").click()
    expect(page.get_by_role("button", name="Take it back and continue recording")).to_be_visible()


def test_nothing_that_happened_by_chance_is_filled_in(browser: Browser, demo: Demonstration) -> None:
    page = recording(browser, demo, free_table(demo, "star-safir"))
    page.locator("#play").get_by_role("button", name="Settles who goes first").click()
    expect(page.locator("#play-asked")).to_have_text("Who begins?")
    expect(page.locator("#play-choices button")).to_have_count(2)
    expect(page.locator("#play-choices button.button--primary")).to_have_count(0)
    expect(page.locator("#play-log li")).to_have_count(0)
    page.get_by_role("button", name="Start over").click()
    expect(page.locator("#play").get_by_role("button", name="Settles who goes first")).to_be_visible()


def test_a_move_that_was_sent_is_taken_back_and_the_forms_go_on_from_there(
    browser: Browser, demo: Demonstration
) -> None:
    match = free_table(demo, "star-safir")
    page = recording(browser, demo, match)
    page.locator("#play-undo").click()  # the wrong button first: there is nothing to take back
    thumb = Thumb(page, beside(page))
    for move in a_game("star-safir", match)["moves"][:2]:
        thumb.record(move)
    expect(page.locator("#play-status")).to_have_text("Recorded: 2.")
    page.locator("#play-undo").click()
    expect(page.locator("#play-status")).to_have_text("Recorded: 3.")
    page.context.set_offline(True)
    page.locator("#play-choices button").first.click()
    page.locator("#play-choices button").first.click()
    page.locator("#play-forms").click()
    expect(page.locator("#play-notice")).to_contain_text("checked on this device only")
    page.context.set_offline(False)
    expect(page.locator("#play-status")).to_have_text(re.compile(r"^Recorded: [45]\.$"))
    page.locator("#play-forms").click()
    expect(page.locator("#state")).to_contain_text(re.compile("[45] entries"))
    page.get_by_role("link", name="Back to the board").click()
    expect(page.locator("#play")).to_be_visible()


MOVED = {"n": 0, "keys": [], "refused": {"key": "", "code": "sequence_moved", "message": "", "details": []}}


@pytest.mark.parametrize("first", ["hangs", "moved"])
def test_an_entry_is_sent_again_when_no_answer_comes_or_the_sequence_has_moved(
    browser: Browser, demo: Demonstration, first: str
) -> None:
    match = free_table(demo, "star-safir")
    page = recording(browser, demo, match)
    answers = iter([first])

    def answer(route: Route) -> None:
        match next(answers, ""):
            case "moved":
                route.fulfill(json=MOVED)
            case "":
                route.continue_()

    page.route("**/entries/", answer)
    thumb = Thumb(page, beside(page))
    thumb.record(a_game("star-safir", match)["moves"][0])
    expect(page.locator("#play-status")).to_contain_text("Not sent yet")
    expect(page.locator("#play-status")).to_have_text("Recorded: 1.")
    expect(page.locator("#play-log li")).to_have_count(1)
    assert next(answers, None) is None
    page.unroute_all(behavior="ignoreErrors")
    page.context.close()


def test_what_another_device_records_simply_appears_and_the_same_move_counts_once(
    browser: Browser, demo: Demonstration
) -> None:
    match = free_table(demo, "star-safir")
    log = a_game("star-safir", match)
    one = recording(browser, demo, match)
    two = signed_in(browser, demo.site, demo.links["judge"])
    two.goto(one.url)
    expect(two.locator("#play")).to_be_visible()
    first, second = Thumb(one, beside(one)), Thumb(two, beside(two))
    first.record(log["moves"][0])
    expect(two.locator("#play-log li")).to_have_count(1)
    two.context.set_offline(True)
    for move in log["moves"][:3]:
        told = (
            json.loads(second.table.accept(json.dumps({k: v for k, v in move.items() if k not in ("n", "h")})))
            if (move["n"] == 1)
            else second.record(move)
        )
        assert told is None or told == {"n": 1}
    first.record(log["moves"][1])  # the same move, on the other device
    expect(one.locator("#play-status")).to_have_text("Recorded: 2.")
    two.context.set_offline(False)
    expect(two.locator("#play-status")).to_have_text("Recorded: 3.")
    expect(one.locator("#play-log li")).to_have_count(3)


def test_what_no_longer_fits_is_listed_until_it_is_tried_again_or_discarded(
    browser: Browser, demo: Demonstration
) -> None:
    match = free_table(demo, "star-safir")
    one = recording(browser, demo, match)
    two = signed_in(browser, demo.site, demo.links["judge"])
    two.set_viewport_size(PHONE)
    two.goto(one.url)
    expect(two.locator("#play")).to_be_visible()
    first, second = Thumb(one, beside(one)), Thumb(two, beside(two))
    begun = 0
    played: dict[str, Any] | None = None
    for move in a_game("star-safir", match)["moves"]:  # until whose turn it is may play a card
        first.record(move)
        second.table.accept(json.dumps({key: value for key, value in move.items() if key not in ("n", "h")}))
        begun += 1
        offered = [each for each in json.loads(second.table.view())["moves"] if each["entry"]["do"] == "play"]
        if begun >= 4 and (played := next(iter(offered), None)):
            break
    assert played
    expect(two.locator("#play-log li")).to_have_count(begun)
    two.context.set_offline(True)
    end = {"by": played["entry"]["by"], "do": "end_turn"}
    second.record(played["entry"])
    second.record(end)
    first.record(end)  # the other device ends the turn without that card
    expect(one.locator("#play-status")).to_have_text(f"Recorded: {begun + 1}.")
    two.context.set_offline(False)
    aside = two.get_by_role("region", name="Not recorded").get_by_role("listitem")
    expect(aside).to_have_count(2)
    expect(aside.first).to_contain_text(f"{played['by']} {played['words']}")
    expect(two.locator("#play-notice")).to_contain_text("Another device recorded something else")
    two.reload()  # it stays on this device
    expect(aside).to_have_count(2)
    assert said_by_axe(two) == []
    foot = two.locator(".play__foot").bounding_box()
    assert foot is not None and foot["y"] + foot["height"] <= PHONE["height"] + 1
    aside.last.get_by_role("button", name="Discard entry").press("Enter")
    expect(aside).to_have_count(1)
    again = aside.first.get_by_role("button", name="Try again")
    expect(again).to_be_focused()
    again.press("Enter")
    expect(two.locator("#play-notice p")).not_to_have_count(0)  # why the rules refuse it
    expect(aside).to_have_count(1)
    one.locator("#play-undo").click()  # now it fits again
    expect(two.locator("#play-status")).to_have_text(f"Recorded: {begun + 2}.")
    again.click()
    expect(two.locator("#play-status")).to_have_text(f"Recorded: {begun + 3}.")
    expect(aside).to_have_count(0)
    expect(one.locator("#play-log li").first).to_contain_text(played["words"])
