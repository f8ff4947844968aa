"""Widgets in a page of another origin, the pages that give codes and links, and data in the page of an event."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.demonstration import Demonstration, a_page, signed_in
from tests.e2e.test_following import Club
from tests.e2e.test_following import clubs as clubs
from tests.e2e.test_pages import listening, look_at

STARTED = """
from tournaments.common.clock import now
from tournaments.decks.services import lock_decks
from tournaments.demo.services import demo_event, demo_people
from tournaments.events.services import add_entrant, create_event, open_registration
from tournaments.play import services as play
by = demo_people(demo_event())["organizer"]
event = create_event(name="Club night", preset="star-safir", rounds=3, lists="none", starts_at=now(), by=by, now=now())
open_registration(event=event, by=by, now=now())
for number in range(1, 9):
    add_entrant(event=event, given_name=f"Player {number}", family_name="", by=by, now=now())
lock_decks(event=event, by=by, now=now())
play.start_event(event=event, by=by, now=now())
print(event.public_id)
"""
PUBLISHED = """
from tournaments.common.clock import now
from tournaments.demo.services import demo_event, demo_people
from tournaments.events.models import Event
from tournaments.events.selectors import current_stage
from tournaments.play import services as play
by = demo_people(demo_event())["organizer"]
stage = current_stage(Event.objects.get(public_id="{event}"))
play.publish_round(round_=play.pair_round(stage=stage, by=by, now=now()), by=by, now=now())
"""


@pytest.fixture(scope="module")
def organizer(demo: Demonstration, browser: Browser) -> Iterator[Page]:
    page = signed_in(browser, demo.site, demo.links["organizer"])
    yield page
    page.context.close()


@pytest.fixture(scope="module")
def event(demo: Demonstration) -> str:
    """The public id of a running event without a round."""
    return demo.site.run(STARTED).split()[-1]


def test_a_named_site_shows_a_round_as_soon_as_it_is_published_and_another_site_shows_nothing(
    demo: Demonstration, browser: Browser, organizer: Page, event: str, clubs: list[str], tmp_path: Path
) -> None:
    named, other = clubs
    organizer.goto(f"/e/{event}/staff/sites/")
    organizer.get_by_label("Sites that may embed this event").fill(named)
    organizer.get_by_role("button", name="Save sites").click()
    expect(organizer.get_by_text("Sites saved.")).to_be_visible()
    expect(organizer.frame_locator("iframe").first.get_by_text("The pairings will appear here.")).to_be_visible()
    look_at(organizer, tmp_path, "sites")
    Club.body = organizer.get_by_label("Code to paste into your site").first.input_value()

    page = a_page(browser, demo.site, viewport={"width": 900, "height": 900})
    page.goto(named)
    frame = page.frame_locator("iframe")
    expect(frame.get_by_text("The pairings will appear here.")).to_be_visible()
    demo.site.run(PUBLISHED.format(event=event))
    expect(frame.get_by_text("Pairings of round 1")).to_be_visible()
    expect(frame.get_by_text("Player 8")).to_be_visible()
    page.screenshot(path=tmp_path / "framed.png")
    assert page.context.cookies() == []

    refused = listening(page)
    page.goto(other)
    page.wait_for_timeout(1500)
    expect(page.frame_locator("iframe").locator("#widget")).to_have_count(0)
    assert any("frame-ancestors" in each for each in refused)
    for what in ("pairings", "standings"):
        page.goto(f"{demo.site.url}/e/{event}/embed/{what}/?rows=3")
        look_at(page, tmp_path, f"widget-{what}")
    page.context.close()


def test_the_main_event_in_a_widget_in_the_dark(
    demo: Demonstration, browser: Browser, organizer: Page, tmp_path: Path
) -> None:
    organizer.goto(f"{demo.event}staff/sites/")
    organizer.get_by_label("Sites that may embed this event").fill("https://club.example")
    organizer.get_by_role("button", name="Save sites").click()
    page = a_page(browser, demo.site)
    for what in ("pairings", "standings"):
        page.goto(f"{demo.event}embed/{what}/?theme=dark&language=fr&rows=12")
        expect(page.locator("tbody tr")).to_have_count(12)
        look_at(page, tmp_path, f"dark-{what}")
    page.context.close()


def test_data_in_the_page_of_an_event_are_no_script_to_the_security_policy(
    demo: Demonstration, browser: Browser, tmp_path: Path
) -> None:
    page = a_page(browser, demo.site)
    heard = listening(page)
    page.goto(demo.event)
    data = json.loads(page.locator('script[type="application/ld+json"]').text_content() or "")
    assert data["@type"] == "Event" and data["url"] == demo.site.url + demo.event
    assert heard == []
    look_at(page, tmp_path, "event")
    picture = page.locator('meta[property="og:image"]').get_attribute("content") or ""
    answer = page.request.get(picture)
    assert answer.headers["content-type"] == "image/png"
    (tmp_path / "preview.png").write_bytes(answer.body())
    page.context.close()


def test_a_calendar_link_is_made_and_copied(organizer: Page, tmp_path: Path) -> None:
    organizer.context.grant_permissions(["clipboard-read", "clipboard-write"])
    organizer.goto("/account/")
    organizer.get_by_role("button", name="Create a calendar link").click()
    expect(organizer.get_by_text("Your calendar link is ready.")).to_be_visible()
    link = organizer.get_by_label("Your calendar link").input_value()
    organizer.get_by_role("button", name="Copy address").first.click()
    expect(organizer.get_by_role("button", name="Copied")).to_be_visible()
    assert organizer.evaluate("navigator.clipboard.readText()") == link
    assert organizer.request.get(link).text().startswith("BEGIN:VCALENDAR")
    look_at(organizer, tmp_path, "account")
