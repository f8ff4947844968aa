"""Open pages follow changes without being reloaded: results, standings, the clock, screens and desks."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import APIResponse, Browser, Locator, Page, Response, Route, expect

from tests.e2e.demonstration import Demonstration, a_page, signed_in
from tests.e2e.patience import wait_until

POLL = 69_000  # milliseconds of the browser's clock: without the stream a page polls every 20 seconds, with jitter, and
# starts this period again every minute, when it retries the stream
LOADED_ONCE = "window.loadedOnce"
HALL = {"width": 1280, "height": 420}


@pytest.fixture
def organizer(demo: Demonstration, browser: Browser) -> Iterator[Page]:
    """The organizer's page at the desk of the running round."""
    page = signed_in(browser, demo.site, demo.links["organizer"])
    page.goto(demo.event + "staff/rounds/4/")
    yield page
    page.context.close()


def opened(page: Page, address: str) -> Page:
    """Load an address and mark the page, so that `loaded_once` notices a reload."""
    page.goto(address)
    page.evaluate(f"{LOADED_ONCE} = true")
    return page


def loaded_once(page: Page) -> bool:
    return page.evaluate(LOADED_ONCE) is True


def table_of(page: Page, number: int) -> Locator:
    return page.get_by_role("row", name=re.compile(rf"^Table {number}\b"))


def enter(organizer: Page, table: int, score: str) -> None:
    """Enter a result by a quick button of the round desk."""
    row = organizer.locator(".desk-row", has=organizer.get_by_text(re.compile(rf"^Table {table}$")))
    row.get_by_role("button", name=score).click()
    expect(row.locator(".desk-row__state")).to_contain_text(score)  # the buttons show the score anyway


def seconds(timer: str) -> int:
    minutes, rest = timer.split(":")
    return int(minutes) * 60 + int(rest)


def test_a_change_that_comes_before_the_answer_about_another_is_shown_too(
    demo: Demonstration, browser: Browser
) -> None:
    where = demo.event + "staff/rounds/4/"
    desk = opened(signed_in(browser, demo.site, demo.links["organizer"]), where + "?show=missing")
    tables = [int(found) for found in re.findall(r"\d+", " ".join(desk.locator(".desk-row > b").all_inner_texts()))]
    held: list[tuple[Route, APIResponse]] = []

    def hold(route: Route) -> None:
        if held or route.request.headers.get("hx-request") != "true":
            return route.continue_()
        return held.append((route, route.fetch()))

    desk.route(re.compile(r"/staff/rounds/4/\?show=missing$"), hold)
    second = opened(signed_in(browser, demo.site, demo.links["organizer"]), where)
    enter(second, tables[0], "2–0")
    wait_until(lambda: held, "the desk asked for nothing", desk)
    enter(second, tables[1], "0–2")
    desk.wait_for_timeout(3_000)  # the stream tells the desk of it, which still waits for the answer about the first
    route, answer = held[0]
    route.fulfill(response=answer)
    expect(desk.get_by_role("link", name=re.compile(rf"^No result yet {len(tables) - 2}$"))).to_be_visible()
    second.context.close()
    desk.context.close()


def test_a_confirmed_result_appears_in_pairings_at_once_but_not_in_standings(
    demo: Demonstration, browser: Browser, organizer: Page
) -> None:
    first, second = (seat["entrant"] for seat in demo.round(organizer)[5]["seats"])
    public = a_page(browser, demo.site)
    pairings = opened(public, demo.event + "rounds/4/")
    standings = opened(public.context.new_page(), demo.event + "standings/")  # two tabs of one browser share a stream
    row = standings.get_by_role("row", name=re.compile(rf"\b{first['name']}\b"))
    before = int(row.locator(".points strong").inner_text())
    expect(table_of(pairings, 5)).not_to_contain_text("2–0")

    opponent = signed_in(browser, demo.site, demo.link_of(second["id"]))
    opponent.goto(demo.event + "me/")
    opponent.get_by_role("button", name="That is right").click()

    expect(table_of(pairings, 5)).to_contain_text("2–0")
    expect(standings.get_by_text("After round 3")).to_be_visible()
    expect(row.locator(".points strong")).to_have_text(str(before))
    assert loaded_once(pairings)
    assert loaded_once(standings)
    public.context.close()
    opponent.context.close()


def test_the_clock_counts_in_the_browser_and_follows_a_pause(
    demo: Demonstration, browser: Browser, organizer: Page
) -> None:
    player = opened(signed_in(browser, demo.site, demo.links["player"]), demo.event + "me/")
    timer, note = player.get_by_role("timer"), player.locator("[data-clock-note]")
    shown = timer.inner_text()
    expect(timer).not_to_have_text(shown)
    assert 0 < seconds(shown) - seconds(timer.inner_text()) < 30

    organizer.get_by_role("button", name="Pause").click()
    expect(organizer.get_by_role("button", name="Resume")).to_be_visible()
    expect(note).to_have_text("paused")
    expect(timer).to_have_text(organizer.get_by_role("timer").inner_text())
    organizer.get_by_role("button", name="Resume").click()
    expect(note).to_have_text("left")
    shown = timer.inner_text()
    expect(timer).not_to_have_text(shown)
    assert loaded_once(player)
    player.context.close()


def test_input_and_open_details_survive_incoming_results(
    demo: Demonstration, browser: Browser, organizer: Page
) -> None:
    other = opened(signed_in(browser, demo.site, demo.links["organizer"]), demo.event + "staff/rounds/4/")
    other.get_by_text("More time for all").click()
    minutes = other.locator("#round-minutes")
    minutes.fill("17")
    enter(organizer, 7, "2–1")
    row = other.locator(".desk-row", has=other.get_by_text(re.compile(r"^Table 7$")))
    minutes.press("Tab")
    add = other.locator("#more-time").get_by_role("button", name="Add")
    expect(add).to_be_focused()
    add.press("Tab")  # a fragment is not refreshed while the focus is in one of its forms
    expect(row.get_by_role("link", name="Correct")).to_be_visible()
    expect(minutes).to_have_value("17")
    expect(minutes).to_be_visible()
    assert loaded_once(other)
    other.context.close()


def test_focus_and_scroll_position_survive_incoming_results(
    demo: Demonstration, browser: Browser, organizer: Page
) -> None:
    phone = a_page(browser, demo.site, viewport={"width": 390, "height": 500}, reduced_motion="reduce")
    reader = opened(phone, demo.event + "rounds/4/")
    link = table_of(reader, 12).get_by_role("link").first
    link.focus()
    scrolled = reader.evaluate("window.scrollY")
    assert scrolled > 0
    enter(organizer, 9, "2–0")
    expect(table_of(reader, 9)).to_contain_text("2–0")
    expect(link).to_be_focused()
    assert abs(reader.evaluate("window.scrollY") - scrolled) < 100
    assert loaded_once(reader)
    reader.context.close()


def test_without_the_stream_a_page_polls_and_says_when_it_is_offline(
    demo: Demonstration, browser: Browser, organizer: Page
) -> None:
    public = a_page(browser, demo.site)
    public.clock.install()
    public.route("**/live/**", lambda route: route.abort())
    with public.expect_event("requestfailed", lambda request: "/live/" in request.url):
        opened(public, demo.event + "rounds/4/")
    enter(organizer, 8, "0–2")
    public.clock.run_for(POLL)
    expect(table_of(public, 8)).to_contain_text("0–2")

    lost = public.get_by_text("Connection lost. This page shows how things stood")
    public.wait_for_function("() => !document.querySelector('.htmx-request')")  # what polls asked before is answered
    public.route("**/rounds/**", lambda route: route.abort())
    public.clock.run_for(POLL)
    expect(lost).to_be_visible()
    public.unroute("**/rounds/**")
    public.clock.run_for(POLL)
    expect(lost).to_be_hidden()
    expect(table_of(public, 8)).to_contain_text("0–2")
    assert loaded_once(public)
    public.context.close()


def test_a_screen_keeps_counting_offline_and_recovers_by_itself(demo: Demonstration, browser: Browser) -> None:
    screen = a_page(browser, demo.site, viewport=HALL)
    problems: list[str] = []
    screen.on("pageerror", lambda error: problems.append(str(error)))
    screen.goto(demo.event + "screen/clock/")
    timer = screen.get_by_role("timer")
    expect(timer).to_be_visible()
    digits = timer.bounding_box()
    assert digits and digits["height"] > HALL["height"] * 0.3
    screen.set_viewport_size({"width": 1280, "height": 900})
    digits = timer.bounding_box()
    assert digits and digits["height"] < 900 * 0.5  # on one line
    assert timer.evaluate("(element) => element.scrollWidth <= element.clientWidth")
    screen.evaluate("window.loadedOnce = true")

    lost = screen.get_by_text("No network: the clock keeps running.")
    screen.context.set_offline(True)
    shown = timer.inner_text()
    expect(timer).not_to_have_text(shown)
    screen.evaluate("htmx.trigger('#screen', 'live')")
    expect(lost).to_be_visible()
    expect(timer).to_be_visible()

    desk = signed_in(browser, demo.site, demo.links["organizer"])
    desk.goto(demo.event + "staff/announcements/")
    desk.get_by_label("Announcement", exact=True).fill("The buffet is open")
    desk.get_by_role("button", name="Post announcement").click()
    screen.context.set_offline(False)
    expect(screen.get_by_text("The buffet is open")).to_be_visible()
    expect(lost).to_be_hidden()
    assert screen.evaluate("window.loadedOnce") is True
    assert not problems
    desk.context.close()
    screen.context.close()


# The names that are completely visible on the screen.
WHOLE_LINES = """() => {
    const box = document.querySelector('[data-pages]').getBoundingClientRect();
    return [...document.querySelectorAll('.names li')].filter((line) => {
        const { left, right, top, bottom } = line.getBoundingClientRect();
        return left >= box.left - 1 && right <= box.right + 1 && top >= box.top - 1 && bottom <= box.bottom + 1;
    }).map((line) => line.firstElementChild.textContent);
}"""


def test_a_screen_turns_pages_of_names_offline_without_cutting_any(demo: Demonstration, browser: Browser) -> None:
    screen = a_page(browser, demo.site, viewport={"width": 320, "height": 240})
    screen.clock.install()
    screen.goto(demo.event + "screen/pairings/")
    number = screen.locator("[data-page-words]")
    expect(number).to_have_text(re.compile(r"^1 of [2-9]$"))
    pages = int(number.inner_text().split()[-1])
    every = screen.locator(".names li > :first-child").all_text_contents()
    screen.context.set_offline(True)
    seen = []
    for page in range(1, pages + 1):
        expect(number).to_have_text(f"{page} of {pages}")
        seen += screen.evaluate(WHOLE_LINES)
        screen.clock.run_for(10_200)  # milliseconds: the longest that a page is shown
    assert seen == every, "each name stands whole on one page"
    expect(number).to_have_text(f"1 of {pages}")
    screen.context.close()


def test_two_screens_share_the_names(demo: Demonstration, browser: Browser) -> None:
    halves = []
    for screen_number in (1, 2):
        screen = a_page(browser, demo.site, viewport=HALL)
        screen.goto(demo.event + f"screen/pairings/?screen={screen_number}&of=2")
        expect(screen.get_by_text(f"screen {screen_number} of 2")).to_be_visible()
        halves.append(screen.locator(".names li").count())
        screen.context.close()
    assert abs(halves[0] - halves[1]) <= 1


def sent(route: Route) -> str:
    """Return the body of a request."""
    return (route.request.post_data_buffer or b"").decode()


@pytest.mark.parametrize("width", [1280, 390])
def test_the_round_desk_keeps_search_and_filter_in_the_address(
    demo: Demonstration, browser: Browser, width: int
) -> None:
    size = {"width": width, "height": 900 if width == 1280 else 844}
    desk = signed_in(browser, demo.site, demo.links["organizer"], viewport=size)
    desk.goto(demo.event + "staff/rounds/4/")
    rows = desk.locator(".desk-row")
    every = rows.count()
    assert every > 10
    desk.get_by_label("Table or name").press_sequentially("9")
    expect(rows).to_have_count(1)
    expect(desk).to_have_url(re.compile(r"[?&]find=9"))
    desk.reload()
    expect(rows).to_have_count(1)
    desk.get_by_label("Table or name").fill("")
    expect(rows).to_have_count(every)
    desk.get_by_role("link", name=re.compile("^No result yet")).click()
    expect(desk).to_have_url(re.compile(r"show=missing"))
    missing = rows.count()
    assert 0 < missing < every
    rows.last.get_by_role("button", name="2–0").click()  # other tests enter results at tables 5 to 13
    expect(desk).to_have_url(re.compile(r"show=missing"))
    expect(desk.get_by_role("link", name=re.compile(rf"^No result yet {missing - 1}$"))).to_be_visible()
    desk.context.close()


def test_a_row_that_is_replaced_while_its_result_is_sent_does_not_change_the_address(
    demo: Demonstration, browser: Browser
) -> None:
    desk = opened(signed_in(browser, demo.site, demo.links["organizer"]), demo.event + "staff/rounds/4/?show=missing")
    held: list[Route] = []
    desk.route("**/m/*/staff/", lambda route: held.append(route))
    row = desk.locator(".desk-row").last  # other tests enter results at tables 5 to 13
    row.get_by_role("button", name="2–0").click()
    row.evaluate("(row) => row.replaceWith(row.cloneNode(true))")  # as the live stream does
    with desk.expect_response("**/m/*/staff/"):
        held[0].continue_()
    expect(desk.get_by_role("link", name=re.compile(r"^No result yet"))).to_be_visible()
    desk.wait_for_timeout(500)
    expect(desk).to_have_url(re.compile(r"staff/rounds/4/\?show=missing$"))
    desk.context.close()


def undo_all(desk: Page) -> None:
    """Take back all entries of this desk: other tests need tables without a result."""
    buttons = desk.locator("#entries").get_by_role("button", name="Undo")
    while left := buttons.count():
        with desk.expect_response(lambda answer: answer.request.method == "POST"):
            buttons.first.click()
        expect(buttons).to_have_count(left - 1)


def test_a_pile_of_slips_can_be_entered_by_keyboard_alone(demo: Demonstration, browser: Browser) -> None:
    desk = opened(signed_in(browser, demo.site, demo.links["organizer"]), demo.event + "staff/rounds/4/results/")
    done = desk.locator("section", has=desk.get_by_role("heading", name=re.compile("^Final")))
    expect(desk.locator("#find")).to_be_focused()
    late: list[Route] = []  # table 13's first entry is delayed; the second must not overtake it
    desk.route("**/slip/", lambda route: late.append(route) if "\r\n4\r\n" in sent(route) else route.continue_())
    for table, keys in ((10, "7"), (11, "*6"), (13, "4"), (10, "7"), (13, "9")):
        desk.keyboard.type(f"{table}")
        desk.keyboard.press("Enter")
        desk.keyboard.type(keys)
    # Entries are sent one after the other, so this one has to wait for two.
    wait_until(lambda: late, "the entry of table 13 was not sent", desk)
    late[0].continue_()
    expect(desk.locator("#entries li")).to_have_count(3)  # the repeated slip of table 10 adds nothing
    for table in (10, 11, 13):
        expect(done.get_by_role("link", name=re.compile(rf"^Table {table}$"))).to_be_visible()
    thirteen = done.locator("li", has=desk.get_by_role("link", name=re.compile("^Table 13$")))
    differs = desk.locator("#attention li")
    expect(differs).to_contain_text(re.compile("2–1.*0–2", re.DOTALL))
    expect(differs.get_by_label("Reason")).to_be_focused()
    differs.get_by_label("Reason").fill("The slip was read upside down.")
    differs.get_by_label("Reason").press("Enter")
    expect(thirteen).to_contain_text("0–2")
    assert demo.round(desk)[11]["seats"][1]["games_won"] == 2

    expect(desk.locator("#find")).to_be_focused()
    expect(desk.locator("#entries li").first).to_contain_text("0–2")
    desk.keyboard.press("Control+z")
    expect(thirteen.get_by_text("0–2")).to_be_hidden()

    desk.keyboard.type("997")
    desk.keyboard.press("Enter")
    expect(desk.get_by_text("No table matches “997”.")).to_be_visible()
    desk.keyboard.type("14")  # replaces the wrong number, which is selected
    expect(desk.locator("#find")).to_have_value("14")
    desk.keyboard.press("Escape")
    expect(desk.locator("#find")).to_have_value("")
    expect(desk.get_by_text("No table matches “997”.")).to_be_hidden()
    assert loaded_once(desk)
    undo_all(desk)
    desk.context.close()


def test_slips_typed_without_network_are_listed_until_they_are_sent(demo: Demonstration, browser: Browser) -> None:
    desk = opened(signed_in(browser, demo.site, demo.links["organizer"]), demo.event + "staff/rounds/4/results/")
    tables = desk.evaluate(COLUMNS)[1][1][-3:]
    waiting, said = desk.locator("#waiting"), desk.locator("#said")
    desk.context.set_offline(True)
    for number, table in enumerate(tables, 1):
        desk.keyboard.type(f"{table}")
        desk.keyboard.press("Enter")
        if number == 2:  # a drop is read back when it is ticked, and again with the entry
            desk.keyboard.type("*")
            expect(said).to_have_text(re.compile("drops after this round"))
            desk.keyboard.type("*")
            expect(said).to_have_text(re.compile("does not drop"))
        if number == 3:  # a digit that is no result is refused in words, and the slip stays open
            desk.keyboard.type("3")
            expect(desk.locator("#miss")).to_have_text(re.compile(rf"“3” is no result here.*{table}"))
            expect(desk.locator("#slip")).to_be_visible()
        desk.keyboard.type("7")
        if number == 1:  # the loss is said once, and does not talk over what is typed next
            expect(said).to_have_text(re.compile("^Not sent: the connection was lost"))
    expect(waiting).to_have_text(f"3 slips wait to be sent: tables {tables[0]}, {tables[1]}, {tables[2]}")
    desk.context.set_offline(False)
    expect(desk.locator("#entries li")).to_have_count(3)
    expect(waiting).to_be_hidden()
    undo_all(desk)
    desk.context.close()


# For each column of the results desk: its counter, and the numbers of its tables in order.
COLUMNS = """() => [...document.querySelectorAll("#columns [data-column]")].map((column) => [
    Number(column.querySelector("h2 .badge").textContent),
    [...column.querySelectorAll("li")].map((line) => Number(line.dataset.table)),
])"""


def test_an_open_results_desk_gets_only_the_changed_row_in_its_place(demo: Demonstration, browser: Browser) -> None:
    results = demo.event + "staff/rounds/4/results/"
    desk = opened(signed_in(browser, demo.site, demo.links["organizer"]), results)
    other = opened(signed_in(browser, demo.site, demo.links["organizer"]), results)
    answers: list[Response] = []
    desk.on("response", lambda answer: answers.append(answer) if "results/?since=" in answer.url else None)
    [_contested, (_count, waiting), *_others] = desk.evaluate(COLUMNS)
    first, second, missed = waiting[-3:]

    def entered(table: int) -> Locator:
        return desk.locator("[data-column=done]").get_by_role("link", name=re.compile(rf"^Table {table}$"))

    def enter_slip(table: int, key: str) -> None:
        other.locator("#find").fill(str(table))
        other.keyboard.press("Enter")
        other.keyboard.press(key)

    def in_order() -> None:
        for count, tables in desk.evaluate(COLUMNS):
            assert (count, tables) == (len(tables), sorted(tables))

    desk.keyboard.type("99")
    enter_slip(first, "7")
    expect(entered(first)).to_be_visible()
    in_order()
    expect(desk.locator("#find")).to_have_value("99")
    expect(desk.locator("#find")).to_be_focused()

    desk.locator(f"[data-table='{second}'] a").focus()
    enter_slip(second, "9")
    expect(entered(second)).to_be_focused()
    in_order()
    assert answers and all(answer.headers.get("hx-reswap") == "none" for answer in answers)

    # A refresh that failed is made up for by the next one.
    desk.route("**/results/?since=*", lambda route: route.abort())
    with desk.expect_event("requestfailed"):
        enter_slip(missed, "7")
    desk.unroute("**/results/?since=*")
    other.keyboard.press("Control+z")
    enter_slip(missed, "4")
    expect(entered(missed)).to_be_visible()
    in_order()
    undo_all(other)
    for table in (first, second, missed):
        expect(entered(table)).to_be_hidden()
    in_order()
    assert loaded_once(desk)
    for page in (desk, other):
        page.context.close()


def test_a_page_whose_reader_signed_out_in_another_tab_says_to_reload_and_stops_asking(
    demo: Demonstration, browser: Browser
) -> None:
    seat = opened(signed_in(browser, demo.site, demo.links["player"]), demo.event + "me/")
    asked: list[str] = []
    seat.on("request", lambda request: asked.append(request.url))
    account = seat.context.new_page()
    account.goto(demo.site.url + "/account/")
    account.get_by_role("button", name="Sign out").first.click()
    status = seat.locator("#status-line")
    expect(status).to_have_text("Your access to this event has changed. Reload this page.")
    so_far = len(asked)
    seat.clock.install()
    seat.clock.fast_forward(POLL)
    seat.wait_for_timeout(1_000)
    assert len(asked) == so_far
    assert loaded_once(seat)
    seat.context.close()
