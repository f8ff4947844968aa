"""The door for files of other programs, in a browser: each is recognized, and becomes an event that is played on."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.demonstration import Demonstration, signed_in
from tests.e2e.test_pages import look_at
from tests.swiss.fields import swiss_field
from tests.transfers.written import WITH_BYES, WITHOUT_BYES, Format
from tournaments.transfers.words import FORMATS

FIELD = swiss_field(Random(7), 24, 4)


def uploaded(page: Page, name: str, data: bytes) -> None:
    """Upload a file, and wait for the page that says what it is."""
    page.goto("/import/")
    page.get_by_label("File", exact=True).set_input_files({"name": name, "mimeType": "text/plain", "buffer": data})
    page.get_by_role("button", name="See what is in it").click()


@pytest.mark.parametrize("format_", (*WITH_BYES, *WITHOUT_BYES), ids=lambda each: each.write.__name__)
def test_each_format_has_its_door(demo: Demonstration, browser: Browser, format_: Format, tmp_path: Path) -> None:
    page = signed_in(browser, demo.site, demo.links["organizer"])
    uploaded(page, "download", format_.write(FIELD))
    expect(page.get_by_role("heading", level=1)).to_contain_text(str(FORMATS[format_.name]))
    expect(page.locator(".facts")).to_contain_text(re.compile(r"Players\s*24"))
    expect(page.locator(".facts")).to_contain_text(re.compile(r"Swiss\s*4"))
    look_at(page, tmp_path, "preview")
    page.context.close()


def test_an_event_comes_over_is_paired_and_goes_out_again(
    demo: Demonstration, browser: Browser, tmp_path: Path
) -> None:
    page = signed_in(browser, demo.site, demo.links["organizer"])
    look = partial(look_at, page, tmp_path)
    page.goto("/import/")
    look("door")
    page.get_by_role("button", name="See what is in it").click()
    expect(page.get_by_text("Choose a file, or paste a text.")).to_be_visible()
    page.get_by_label("Or paste the text").fill('{"cards": []}')
    page.get_by_role("button", name="See what is in it").click()
    expect(page.get_by_text("This kind of file cannot be read here")).to_be_visible()
    look("unknown")

    uploaded(page, "melee.csv", next(each for each in WITH_BYES if each.name == "melee").write(FIELD))
    page.get_by_label("Name", exact=True).fill("Brought over")
    page.get_by_label("Game", exact=True).fill("Kites")
    page.get_by_label("Rounds", exact=True).fill("5")
    page.get_by_role("button", name="Create the event").click()
    page.get_by_role("link", name="Brought over").click()
    look("desk")
    page.get_by_role("button", name=re.compile("Pair round 5")).click()
    expect(page.get_by_role("heading", name=re.compile("Round 5"))).to_be_visible()
    look("paired")
    event = page.url.split("/e/")[1].split("/")[0]
    page.goto(f"/e/{event}/rounds/4/")
    look("brought round")
    page.goto(f"/e/{event}/standings/")
    expect(page.get_by_role("row")).to_have_count(25)
    written = page.request.get(f"/e/{event}/standings/trf/")
    assert written.ok and "XXR 5" in written.text()
    page.context.close()


def test_a_list_of_players_leads_to_the_import_of_entrants(
    demo: Demonstration, browser: Browser, tmp_path: Path
) -> None:
    page = signed_in(browser, demo.site, demo.links["organizer"])
    page.goto("/staff/new/")
    page.get_by_label("Name", exact=True).fill("To be filled")
    page.get_by_role("button", name="Create the event").click()
    uploaded(page, "attendees.csv", b"Attendee name,Attendee email\nPlayer 12,p12@example.com\n")
    look_at(page, tmp_path, "list")
    page.get_by_label("Event", exact=True).select_option(label="To be filled")
    page.get_by_role("button", name="Preview the entrants").click()
    expect(page.get_by_role("cell", name="Player 12", exact=True)).to_be_visible()
    page.context.close()
