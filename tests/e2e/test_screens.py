"""A big screen in a browser: it follows, it scrolls, and it goes on counting when the network is gone."""

from playwright.sync_api import Browser, expect

from tests.e2e.demonstration import Demonstration, a_page, signed_in

SOON = 15_000  # milliseconds
HALL = {"width": 1280, "height": 420}


def test_a_screen_counts_through_a_lost_network_and_comes_back_by_itself(demo: Demonstration, browser: Browser) -> None:
    screen = a_page(browser, demo.site, viewport=HALL)
    problems: list[str] = []
    screen.on("pageerror", lambda error: problems.append(str(error)))
    screen.goto(demo.event + "screen/clock/")
    timer = screen.get_by_role("timer")
    expect(timer).to_be_visible()
    digits = timer.bounding_box()
    assert digits and digits["height"] > HALL["height"] * 0.3
    screen.evaluate("window.loadedOnce = true")

    lost = screen.get_by_text("No network: the clock goes on counting.")
    screen.context.set_offline(True)
    shown = timer.inner_text()
    expect(timer).not_to_have_text(shown)
    screen.evaluate("htmx.trigger('#screen', 'live')")
    expect(lost).to_be_visible(timeout=SOON)
    expect(timer).to_be_visible()

    desk = signed_in(browser, demo.site, demo.links["organizer"])
    desk.goto(demo.event + "staff/announcements/")
    desk.get_by_label("Announcement", exact=True).fill("The buffet is open")
    desk.get_by_role("button", name="Announce").click()
    screen.context.set_offline(False)
    expect(screen.get_by_text("The buffet is open")).to_be_visible(timeout=40_000)
    expect(lost).to_be_hidden()
    assert screen.evaluate("window.loadedOnce") is True
    assert not problems
    desk.context.close()
    screen.context.close()


def test_pairings_scroll_by_themselves_and_turn_pages_where_motion_is_unwelcome(
    demo: Demonstration, browser: Browser
) -> None:
    for motion in ("no-preference", "reduce"):
        screen = a_page(browser, demo.site, viewport=HALL, reduced_motion=motion)
        screen.clock.install()
        screen.goto(demo.event + "screen/pairings/")
        place = "document.querySelector('[data-scroll]').scrollTop"
        assert screen.evaluate(place) == 0
        screen.clock.run_for(5_100)
        screen.clock.run_for(1_000)
        moved = screen.evaluate(place)
        page = screen.evaluate("document.querySelector('[data-scroll]').clientHeight")
        assert (0 < moved < 100) if motion == "no-preference" else moved > page / 2
        screen.context.close()
