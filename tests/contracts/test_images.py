"""The screenshots in the guides: all exist, all are used, each has a description, and together they are small."""

import re

import pytest

from tests.contracts.project import ROOT
from tools.screenshots import IMAGES, PICTURES

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
NAMED = [
    (page, words, (page.parent / address).resolve())
    for page in PAGES
    for words, address in re.findall(r"!\[([^\]]*)\]\(([^)\s]+)\)", page.read_text(encoding="utf-8"))
]
MADE = [IMAGES / f"{picture.__name__}.webp" for picture in PICTURES]
ONE, ALL = 120_000, 1_500_000  # bytes at most


def test_the_twelve_main_pages_have_a_screenshot_and_there_are_no_others() -> None:
    assert len(MADE) == 12
    assert sorted(IMAGES.iterdir()) == sorted(MADE)


@pytest.mark.parametrize(("page", "words", "image"), NAMED, ids=lambda value: getattr(value, "name", None))
def test_every_image_in_a_page_exists_and_has_a_description(page: object, words: str, image: object) -> None:
    assert image in MADE
    assert len(words.split()) > 3


def test_every_screenshot_is_used_in_a_guide() -> None:
    shown = {image for page, _words, image in NAMED if page.parent.name == "docs"}
    assert shown == set(MADE)


def test_the_screenshots_are_small() -> None:
    sizes = [file.stat().st_size for file in IMAGES.iterdir()]
    assert max(sizes) < ONE and sum(sizes) < ALL
