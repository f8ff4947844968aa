"""The community's file of Altered cards in a browser: upload it, preview it, save it, and use it for an event."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.demonstration import Demonstration, signed_in
from tests.e2e.test_pages import faults_of

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "altered"
SIZES = ((390, 844), (1280, 900))

pytestmark = pytest.mark.skipif(not DATA.exists(), reason="../shared/data is absent")


def test_real_cards_are_uploaded_previewed_saved_and_used(
    demo: Demonstration, browser: Browser, tmp_path: Path
) -> None:
    page = signed_in(browser, demo.site, demo.links["organizer"])

    def look(name: str) -> None:
        """Check the page, and keep a picture of it in each size among the files of the test."""
        assert faults_of(page) == [], name
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.screenshot(path=tmp_path / f"{name}-{width}.png", full_page=True)

    page.goto("/staff/new/")
    look("new")
    page.get_by_label("Name", exact=True).fill("Real cards")
    page.get_by_label("Format").select_option(label="Altered Standard")
    page.get_by_role("button", name="Create the event").click()
    expect(page.get_by_text("invented cards. Real cards are unknown")).to_be_visible()
    look("warned")
    page.get_by_role("link", name="Choose the real cards").click()
    look("demonstration")
    event = page.url

    page.goto("/catalogues/")
    look("upload")
    page.get_by_label("File of cards").set_input_files(DATA / "cards.json")
    page.get_by_label("Suspensions by date").set_input_files(DATA / "legality_history.json")
    page.get_by_label("Short name").fill("altered")
    page.get_by_role("button", name="Upload and preview").click()
    save = page.get_by_role("button", name="Save 3165 cards")
    expect(save).to_be_visible(timeout=60_000)
    expect(page.get_by_text("The community’s list of Altered cards")).to_be_visible()
    look("preview")
    save.click()
    expect(page.get_by_text("The catalogue is saved.")).to_be_visible()
    look("saved")

    page.goto(event)
    page.get_by_label("altered, version 1").check()
    page.get_by_role("button", name="Use this catalogue").click()
    expect(page.get_by_text("Decklists are read with this catalogue.", exact=True)).to_be_visible()
    look("chosen")

    page.goto("/staff/new/")
    page.get_by_label("Name", exact=True).fill("With the real cards")
    page.get_by_label("Format").select_option(label="Altered Standard")
    page.get_by_role("button", name="Create the event").click()
    expect(page.get_by_text("Decklists are read with altered, version 1: 3165 cards.")).to_be_visible()
    look("new-with-real-cards")
