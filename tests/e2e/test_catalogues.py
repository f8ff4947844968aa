"""The community's file of Altered cards in a browser: upload it, preview it, save it, and use it for an event."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.demonstration import Demonstration, signed_in
from tests.e2e.test_pages import look_at

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "altered"
# Enters a player with a real starter, and saves a version of the organizer's catalogue that lacks one of its cards.
STARTER = """
import json
from tournaments.accounts.models import User
from tournaments.common.clock import now
from tournaments.decks.catalogues import keep_upload, open_upload, read_upload
from tournaments.decks.models import Catalogue
from tournaments.decks.services import submit_decklist
from tournaments.events.models import Event
from tournaments.events.services import add_entrant
event = Event.objects.get(public_id="{event}")
by = event.staff_roles.get(role="owner").user
entrant = add_entrant(event=event, by=by, now=now(), given_name="Ada", family_name="Moreau")
submit_decklist(entrant=entrant, text=open("{starter}").read(), by=by, now=now())
document = json.loads(Catalogue.objects.get(catalog="altered").document)
document["cards"] = [card for card in document["cards"] if card["ref"] != "ALT_CORE_B_YZ_04_C"]
upload = open_upload(game="", name="altered", document=json.dumps(document).encode(), by=by, now=now())
read_upload(upload_id=upload.pk)
keep_upload(upload=upload, now=now())
"""

pytestmark = pytest.mark.skipif(not DATA.exists(), reason="../shared/data is absent")


def test_real_cards_are_uploaded_previewed_saved_and_used(
    demo: Demonstration, browser: Browser, tmp_path: Path
) -> None:
    page = signed_in(browser, demo.site, demo.links["organizer"])

    look = partial(look_at, page, tmp_path)

    page.goto("/staff/new/")
    look("new")
    page.get_by_label("Name", exact=True).fill("Real cards")
    page.get_by_label("Format").select_option(label="Altered Standard")
    page.get_by_role("button", name="Create the event").click()
    expect(page.get_by_text("invented cards, no real ones")).to_be_visible()
    look("warned")
    page.get_by_role("link", name="Choose a catalogue of real cards").click()
    look("demonstration")
    event = page.url

    page.goto("/catalogues/")
    look("upload")
    page.get_by_label("Card file").set_input_files(DATA / "cards.json")
    page.get_by_label("Suspensions by date").set_input_files(DATA / "legality_history.json")
    page.get_by_label("Short name").fill("altered")
    page.get_by_role("button", name="Upload and preview").click()
    save = page.get_by_role("button", name="Save 3165 cards")
    expect(save).to_be_visible()
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

    (starter,) = DATA.joinpath("decks").glob("01_*.txt")
    event_id = event.split("/e/")[1].split("/")[0]
    demo.site.run(STARTER.format(event=event_id, starter=starter))
    page.goto(event)
    expect(page.get_by_text("There is a newer version: altered, version 2.")).to_be_visible()
    page.get_by_label("altered, version 2").check()
    page.get_by_role("button", name="Use this catalogue").click()
    expect(page.get_by_text("legal now, becomes illegal")).to_be_visible()
    look("confirm")
    page.get_by_role("button", name="Use this catalogue anyway").click()
    expect(page.get_by_text("Decklists are read with this catalogue.", exact=True)).to_be_visible()

    page.goto("/staff/new/")
    page.get_by_label("Name", exact=True).fill("With the real cards")
    page.get_by_label("Format").select_option(label="Altered Standard")
    page.get_by_role("button", name="Create the event").click()
    expect(page.get_by_text("Decklists are read with altered, version 2: 3164 cards.")).to_be_visible()
    look("new-with-real-cards")
