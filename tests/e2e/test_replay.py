"""Stepping through a replayed game in a browser: no key press is lost, and after the first step it works offline."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.demonstration import Demonstration, signed_in

# Slides to each of some moves, and lists those at which the page differs from what the server sent, arrows aside.
COMPARE = """
async (moves) => {
  const replay = document.getElementById("replay"), slider = document.getElementById("go-slider");
  const { steps } = await (await fetch(replay.dataset.steps)).json();
  const wrong = [];
  for (const n of moves) {
    slider.value = n;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    const sent = document.createElement("template");
    sent.innerHTML = steps[n];
    const [shown, meant] = [replay, sent.content].map((where) => where.querySelector("[data-part=body]"));
    shown.querySelector(".board__arrows")?.remove();
    const titles = [replay, sent.content].map((where) => where.querySelector("#replay-title").textContent);
    if (!shown.isEqualNode(meant) || titles[0] !== titles[1]) wrong.push(n);
  }
  return wrong;
}
"""


@pytest.fixture
def bench(demo: Demonstration, browser: Browser) -> Page:
    """The replay of a log of the demonstration, before its first move."""
    page = signed_in(browser, demo.site, demo.links["judge"])
    page.goto(demo.event + "judge/")
    log = page.locator("a[href^='/logs/']").first.get_attribute("href")
    assert log is not None
    page.goto(re.sub(r"(/logs/[^/]+/).*", r"\1?n=0", log))
    expect(page.locator("#replay-title")).to_have_text("Before the first move")
    return page


def test_ten_quick_presses_move_ten_steps(bench: Page) -> None:
    for _ in range(10):
        bench.keyboard.press("ArrowRight")
    expect(bench.locator("#replay-title")).to_contain_text("After move 10 of")
    expect(bench).to_have_url(re.compile(r"/moves/10/$"))
    for _ in range(3):
        bench.keyboard.press("ArrowLeft")
    expect(bench.locator("#replay-title")).to_contain_text("After move 7 of")
    expect(bench.locator("[aria-current=step]")).to_have_attribute("data-to", "7")


def test_once_all_boards_are_loaded_stepping_works_without_the_network(bench: Page) -> None:
    with bench.expect_response(re.compile(r"/steps/$")) as answer:
        bench.keyboard.press("ArrowRight")
    answer.value.finished()
    expect(bench.locator("#replay-title")).to_contain_text("After move 1 of")
    bench.context.set_offline(True)
    title = bench.locator("#replay-title")
    for n in range(2, 12):
        bench.keyboard.press("ArrowRight")
        expect(title).to_contain_text(f"After move {n} of")
    bench.locator("#go-slider").fill("5")
    expect(title).to_contain_text("After move 5 of")
    bench.locator("#move-8").click()
    expect(title).to_contain_text("After move 8 of")
    bench.locator("#go-previous").click()
    expect(title).to_contain_text("After move 7 of")
    bench.locator("#go-previous").focus()
    bench.keyboard.press("End")
    expect(bench.locator("#go-next")).to_have_count(0)
    bench.keyboard.press("Home")
    expect(title).to_have_text("Before the first move")


def test_a_step_without_the_network_shows_that_it_is_lost_and_works_later(bench: Page) -> None:
    bench.context.set_offline(True)
    bench.keyboard.press("ArrowRight")
    expect(bench.locator(".connection")).to_be_visible()
    expect(bench.locator("#replay-title")).to_have_text("Before the first move")
    bench.context.set_offline(False)
    bench.keyboard.press("ArrowRight")
    expect(bench.locator("#replay-title")).to_contain_text("After move 1 of")


def test_a_board_drawn_in_the_browser_equals_that_of_the_server(bench: Page) -> None:
    with bench.expect_response(re.compile(r"/steps/$")) as answer:
        bench.keyboard.press("ArrowRight")
    answer.value.finished()
    for _ in range(6):
        bench.keyboard.press("ArrowRight")
    expect(bench.locator("#replay-title")).to_contain_text("After move 7 of")
    expect(bench).to_have_url(re.compile(r"/moves/7/$"))
    stepped = bench.locator("#replay [data-part=body]").inner_text()
    bench.reload()
    expect(bench.locator("#replay-title")).to_contain_text("After move 7 of")
    assert bench.locator("#replay [data-part=body]").inner_text() == stepped
    bench.get_by_role("link", name="Which moves are legal here?").click()
    expect(bench.locator("#legal")).not_to_be_empty()


def test_every_step_and_every_leap_ends_at_the_board_that_the_server_sent(bench: Page) -> None:
    with bench.expect_response(re.compile(r"/steps/$")) as answer:
        bench.keyboard.press("ArrowRight")
    answer.value.finished()
    expect(bench.locator("#replay-title")).to_contain_text("After move 1 of")
    last = int(bench.locator("#replay").get_attribute("data-last") or 0)
    leaps = [n * 17 % (last + 1) for n in range(last)]
    assert bench.evaluate(COMPARE, [*range(last + 1), *reversed(range(last)), *leaps]) == []


def test_a_step_leaves_what_is_the_same_on_both_boards_in_the_page(bench: Page) -> None:
    for _ in range(12):
        bench.keyboard.press("ArrowRight")
    expect(bench.locator("#replay-title")).to_contain_text("After move 12 of")
    parts = "['.replay__board .board', '#move-3'].map((part) => document.querySelector(part))"
    bench.evaluate(f"{parts}.forEach((part) => {{ part.stays = true; }})")
    bench.keyboard.press("ArrowRight")
    expect(bench.locator("#replay-title")).to_contain_text("After move 13 of")
    assert bench.evaluate(f"{parts}.map((part) => part.stays)") == [True, True]
    expect(bench.locator("[aria-current=step]")).to_have_attribute("data-to", "13")
