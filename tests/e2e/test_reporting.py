"""Two phones at one table: what one player reports appears on the other's, and no page is loaded for it."""

from playwright.sync_api import Browser, Page, Route, expect

from tests.e2e.demonstration import Demonstration, signed_in

PHONE = {"width": 390, "height": 844}
SIDE = """
from tournaments.demo.services import demo_event
from tournaments.play.models import Match
seen = Match.objects.filter(round__stage__event=demo_event(), round__status="published", reports=None, games_drawn=None)
match = seen.filter(table__isnull=False, disputed=False).order_by("table")[{index}]
print(*match.seats.order_by("number").values_list("entrant__public_id", flat=True))
"""


def at_a_table(demo: Demonstration, browser: Browser, index: int) -> tuple[Page, Page, list[str]]:
    """The seat pages of the two players of a match that nobody has reported, and the pages they load from now on."""
    phones, loads = [], list[str]()
    for entrant in demo.site.run(SIDE.format(index=index)).split():
        phone = signed_in(browser, demo.site, demo.link_of(entrant), viewport=PHONE)
        with phone.expect_response("**/live/**"):
            phone.goto(demo.event + "me/")
        phones.append(phone)
    for phone in phones:
        phone.on("request", lambda request: loads.append(request.url) if "/me/" in request.url else None)
    return phones[0], phones[1], loads


def reported(demo: Demonstration, browser: Browser, index: int) -> tuple[Page, Page, list[str]]:
    """The same, once one player has reported 2–1 and the other's page shows it."""
    one, other, loads = at_a_table(demo, browser, index)
    one.get_by_role("button", name="I won 2–1").click()
    expect(one.get_by_text("You reported 2–1")).to_be_visible()
    expect(other.get_by_role("heading", name="Your opponent has reported")).to_be_visible()
    return one, other, loads


def test_a_report_and_its_confirmation_load_no_page(demo: Demonstration, browser: Browser) -> None:
    one, other, loads = reported(demo, browser, 0)
    expect(other.get_by_text("1–2 your opponent wins")).to_be_visible()
    other.get_by_role("button", name="That is right").click()
    for phone in (one, other):
        expect(phone.get_by_text("You both agree: the result counts.")).to_be_visible()
    expect(one.locator("#history ~ * tr", has_text="2–1").first).to_contain_text("won")
    one.locator("#drop summary").click()
    expect(one.get_by_label("I concede my match: my opponent wins it.")).to_have_count(0)
    one.wait_for_timeout(2_000)  # longer than the stream gathers, so that a request would have been made by now
    assert loads == []
    for phone in (one, other):
        phone.context.close()


def test_what_a_player_types_stays_while_the_opponent_corrects_the_report(
    demo: Demonstration, browser: Browser
) -> None:
    one, other, loads = reported(demo, browser, 1)
    other.get_by_text("That is not right").click()
    reason = other.get_by_label("What happened (for the judge, optional)")
    reason.fill("The third game was drawn")
    one.get_by_text("Correct my report").click()
    one.get_by_role("button", name="I won 2–0").click()
    expect(one.get_by_text("You reported 2–0")).to_be_visible()
    other.wait_for_timeout(3_000)  # the stream has brought the correction by then
    expect(reason).to_have_value("The third game was drawn")
    expect(reason).to_be_focused()
    reason.fill("")
    other.get_by_role("heading", name="My matches").click()
    expect(other.get_by_text("0–2 your opponent wins")).to_be_visible()
    assert any("/me/" in address for address in loads), "then the page asks for what it was told meanwhile"
    for phone in (one, other):
        phone.context.close()


def test_a_report_that_a_busy_site_refuses_is_shown_as_unsent_and_sent_again(
    demo: Demonstration, browser: Browser
) -> None:
    one, other, _loads = at_a_table(demo, browser, 2)
    refused: list[str] = []

    def busy(route: Route) -> None:
        if refused:
            return route.continue_()
        refused.append(route.request.url)
        return route.fulfill(status=503, headers={"Retry-After": "3"}, body="<p>busy</p>", content_type="text/html")

    one.route("**/report/", busy)
    one.get_by_role("button", name="I won 2–1").click()
    expect(one.get_by_text("“I won 2–1” has not been sent yet, because the site is busy.")).to_be_visible()
    expect(one.get_by_text("You reported 2–1")).to_be_visible()
    expect(one.get_by_text("has not been sent yet")).to_be_hidden()
    expect(other.get_by_role("heading", name="Your opponent has reported")).to_be_visible()
    for phone in (one, other):
        phone.context.close()
