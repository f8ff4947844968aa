"""The styleguide shows every component: each shared template fragment and each component of the style sheet."""

import re

import pytest

from tests.builders import NOW
from tests.contracts.project import ROOT
from tournaments.web.pages.public.styleguide import specimens

FRAGMENTS = sorted(
    str(file.relative_to(ROOT / "templates"))
    for file in (*ROOT.glob("templates/_fragments/_*.html"), ROOT / "templates/_refusal.html")
)


@pytest.fixture
def page(client, db, settings) -> str:
    settings.DEBUG = True
    return client.get("/styleguide/").content.decode()


@pytest.mark.parametrize("fragment", FRAGMENTS)
def test_every_shared_fragment_has_a_specimen(fragment: str) -> None:
    assert fragment in {specimen.template for specimen in specimens(NOW)}


def test_every_specimen_is_on_the_page_and_not_empty(page: str) -> None:
    for specimen in specimens(NOW):
        _before, _, after = page.partition(f">{specimen.title}</h2>")
        assert after, specimen.title
        shown = after.partition("</section>")[0].partition("</p>")[2]
        assert re.sub(r"<[^>]+>|\s", "", shown), specimen.title


def test_every_component_listed_in_the_style_sheet_is_on_the_page(page: str) -> None:
    # The comment at the top of the style sheet lists its components between "pieces" and "words".
    sheet = (ROOT / "tournaments/web/static/web/app.css").read_text().partition("*/")[0]
    pieces = re.findall(r"\.([a-z][\w-]*)", sheet.partition("pieces")[2].partition("words")[0])
    used = {name for classes in re.findall(r'class="([^"]*)"', page) for name in classes.split()}
    assert pieces and set(pieces) <= used
