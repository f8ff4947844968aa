"""A button held down while its page is updated still does what it says, and one that waits for an answer shows it."""

import re

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.e2e.demonstration import Demonstration, signed_in
from tests.e2e.test_live import enter, opened


@pytest.mark.parametrize("key", [None, " "], ids=["mouse", "space bar"])
def test_a_button_that_is_pressed_while_a_result_comes_in_still_enters_its_own(
    demo: Demonstration, browser: Browser, key: str | None
) -> None:
    desk = opened(signed_in(browser, demo.site, demo.links["organizer"]), demo.event + "staff/rounds/4/?show=missing")
    tables = [int(found) for found in re.findall(r"\d+", " ".join(desk.locator(".desk-row > b").all_inner_texts()))]
    mine, other = tables[-1], tables[-2]
    button = desk.locator(".desk-row").last.get_by_role("button", name="2–0")
    if key:
        button.focus()
        desk.keyboard.down(key)
    else:
        button.hover()
        desk.mouse.down()
    second = opened(signed_in(browser, demo.site, demo.links["organizer"]), demo.event + "staff/rounds/4/")
    enter(second, other, "0–2")
    second.context.close()
    desk.wait_for_timeout(3_000)  # the stream tells this desk of it
    expect(desk.locator(".desk-row")).to_have_count(len(tables))
    if key:
        desk.keyboard.up(key)
    else:
        desk.mouse.up()
    expect(desk.get_by_role("link", name=re.compile(rf"^No result yet {len(tables) - 2}$"))).to_be_visible()
    desk.goto(demo.event + "staff/rounds/4/")
    row = desk.locator(".desk-row", has=desk.get_by_text(re.compile(rf"^Table {mine}$")))
    expect(row.locator(".desk-row__state")).to_contain_text("2–0")
    desk.context.close()


# The page notes what is busy, because nothing can be asked of it while its next page is on its way.
NOTES = """new MutationObserver(() => {
  const busy = document.querySelector("[aria-busy=true]");
  if (busy) sessionStorage.busy = [busy.textContent, document.getElementById("status-line").textContent].join(" / ");
}).observe(document, {subtree: true, attributes: true})"""


def test_a_button_says_that_it_waits_for_an_answer(demo: Demonstration, browser: Browser) -> None:
    desk = signed_in(browser, demo.site, demo.links["organizer"])
    desk.add_init_script(NOTES)
    desk.goto(demo.event + "staff/announcements/")
    held: list[Route] = []
    desk.route(
        "**/staff/announcements/",
        lambda route: held.append(route) if route.request.method == "POST" else route.continue_(),
    )
    desk.locator("textarea").first.fill("Lunch is at noon.")
    desk.get_by_role("button", name="Post announcement", exact=True).click(no_wait_after=True)
    desk.wait_for_timeout(1_500)
    held[0].continue_()
    expect(desk.get_by_text("Lunch is at noon.").first).to_be_visible()
    assert desk.evaluate("sessionStorage.busy") == "Post announcement / Please wait…"
    expect(desk.locator("[aria-busy=true]")).to_have_count(0)
    desk.context.close()
