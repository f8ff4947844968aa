"""The draft clock in a real browser advances from pick to pick by itself."""

from datetime import UTC, datetime, timedelta

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import Browser, expect

from tests.contracts.project import ROOT
from tournaments.events.models import Stage
from tournaments.play.services.draft_clock import Draft
from tournaments.swiss.draft import face, schedule
from tournaments.web.templatetags.play import draft_clock

pytestmark = [pytest.mark.e2e]
SCRIPT = ROOT / "tournaments" / "web" / "static" / "web" / "clock.js"
START = datetime(2030, 1, 1, 12, tzinfo=UTC)


def test_the_draft_clock_advances_without_asking_the_server(browser: Browser) -> None:
    page = browser.new_page()
    steps = schedule("LR", 2, each=3, between=10, minutes=1)
    shown = Draft(Stage(), steps, face(steps, START, None, START))
    page.clock.install(time=START - timedelta(seconds=9))
    page.clock.pause_at(START)
    clock = render_to_string("_fragments/_draft_clock.html", draft_clock(shown, START))
    page.set_content(f'<html lang="en"><body>{clock}</body></html>')
    timer, step = page.get_by_role("timer"), page.locator("[data-draft-step]")
    expect(timer).to_have_text("0:06")
    page.add_script_tag(path=str(SCRIPT))
    page.clock.run_for(100)  # the script updates just after each full second
    for seconds, time, words in (
        (2, "0:04", "Booster 1, pick 1: pass to the left"),
        (5, "0:04", "Booster 1, pick 2: pass to the left"),
        (5, "0:09", "Next: booster 2, to the right"),
        (10, "0:05", "Booster 2, pick 1: pass to the right"),
        (30, "0:08", "Build your decks"),
        (20, "0:00", "Build your decks"),
    ):
        page.clock.run_for(1000 * seconds)
        expect(step).to_have_text(words)
        expect(timer).to_have_text(time)
    page.close()
