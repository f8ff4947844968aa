"""A club brings its own cards to life in a browser: write an effect by lists, read it, fix it, try it, save, share."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.e2e.demonstration import Demonstration, signed_in
from tests.e2e.test_pages import look_at

CARDS = "ref,name,kind,atk,val,def,text\nCLUB-1,Zouave,combattant,2,1,3,?\nCLUB-2,Ondine,combattant,1,1,1,\n"
WRONG = '[{"on": "destroyed", "do": [{"op": "gian", "what": "pi", "n": 2}]}]'


def uploaded(page: Page, name: str) -> None:
    """Save the club's cards as a catalogue, and open the page on which their effects are written."""
    page.goto("/catalogues/")
    page.get_by_label("Card file").set_input_files({
        "name": f"{name}.csv",
        "mimeType": "text/csv",
        "buffer": CARDS.encode(),
    })
    page.get_by_label("Game").select_option("star-safir")
    page.get_by_role("button", name="Upload and preview").click()
    save = page.get_by_role("button", name="Save 2 cards")
    while not save.is_visible():  # a job reads the list
        page.wait_for_timeout(500)
        page.reload()
    save.click()
    page.get_by_role("link", name="Write what the cards do").click()


def test_an_effect_is_written_read_fixed_tried_saved_and_shared(
    demo: Demonstration, browser: Browser, tmp_path: Path
) -> None:
    page = signed_in(browser, demo.site, demo.links["organizer"])

    look = partial(look_at, page, tmp_path)

    uploaded(page, "club")
    look("list")
    page.get_by_label("Name, reference or kind").fill("zou")
    page.get_by_role("button", name="Find").click()
    expect(page.get_by_role("link", name="Ondine")).to_have_count(0)
    page.get_by_role("link", name="Zouave").click()

    page.get_by_role("button", name="When something happens").click()
    page.get_by_label("When", exact=True).select_option(label="When this card is destroyed")
    expect(page.get_by_text("Quand cette carte est détruite : piochez 1 carte.")).to_be_visible()
    page.get_by_label("Effect", exact=True).select_option(label="destroy …")
    page.locator("select[name='add:do.0.of']").select_option(label="Whose")
    page.get_by_label("Whose", exact=True).select_option(label="your opponent’s")
    french = "Quand cette carte est détruite : détruisez 1 combattant ou jeton adverse."
    expect(page.get_by_text(french)).to_be_visible()
    look("written")

    page.get_by_label("Abilities", exact=True).fill(WRONG)
    page.get_by_role("button", name="gain", exact=True).click()
    expect(page.get_by_text("Quand cette carte est détruite : gagnez 2 PI.")).to_be_visible()
    page.get_by_role("button", name="Destruction", exact=True).click()
    expect(page.get_by_text("Keywords: Destruction")).to_be_visible()

    page.get_by_role("button", name="Try it on a board").click()
    expect(page.get_by_role("heading", name="On the board")).to_be_visible()
    page.get_by_role("button", name="plays Zouave").first.click()
    expect(page.get_by_role("heading", name="Moves made")).to_be_visible()
    look("tried")

    page.get_by_role("button", name="Save to the catalogue").click()
    expect(page.get_by_text("Saved in version 2 of the catalogue.")).to_be_visible()
    page.get_by_role("link", name="What the cards do").click()
    with page.expect_download() as downloading:
        page.get_by_role("link", name="Download effects").click()
    file = tmp_path / "effects.json"
    downloading.value.save_as(file)

    uploaded(page, "other")
    page.get_by_role("link", name="Apply an effects file").click()
    page.get_by_label("Effects file").set_input_files(file)
    page.get_by_role("button", name="Preview").click()
    look("preview")
    page.get_by_role("button", name="Change 1 card").click()
    expect(page.get_by_text("Saved in version 2: 1 card changed.")).to_be_visible()
    expect(page.get_by_text("When this card is destroyed: gain 2 PI.")).to_be_visible()


def test_an_effect_is_written_without_javascript(demo: Demonstration, browser: Browser) -> None:
    page = signed_in(browser, demo.site, demo.links["organizer"], java_script_enabled=False)
    uploaded(page, "plain")
    page.get_by_role("link", name="Ondine").click()
    page.get_by_role("button", name="When something happens").click()
    page.get_by_label("A number", exact=True).fill("2")
    page.get_by_role("button", name="Check").last.click()
    expect(page.get_by_text("When this card is played: draw 2 cards.").first).to_be_visible()
    page.get_by_role("button", name="Save to the catalogue").click()
    expect(page.get_by_text("Saved in version 2 of the catalogue.")).to_be_visible()
