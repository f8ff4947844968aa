"""Everything that the pages do, the API does: the table of `docs/api.md`, held against the pages and the schema."""

import inspect
import re
from collections.abc import Iterator

from tests.api.contract import operations
from tests.contracts.project import ROOT
from tests.web.routes import table as pages
from tournaments.web.urls import urlpatterns


def gestures() -> dict[str, str]:
    """The rows of `docs/api.md`: a page that takes a POST, and the operations that do the same, or why none does."""
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    section = text.split("\n## What each page does here\n")[1].split("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines()]
    return {page.strip("`"): does for page, does in (row for row in rows if row[0].startswith("`"))}


def sources(view: object) -> Iterator[str]:
    """The source of a view, its decorators among it, and of the functions of its module that it calls."""
    view = inspect.unwrap(view)
    yield (own := inspect.getsource(view))
    for name in set(re.findall(r"\b(_\w+)\(", own)):
        helper = inspect.getmodule(view).__dict__.get(name)
        if inspect.isfunction(helper):
            yield inspect.getsource(helper)


def pages_that_write() -> set[str]:
    """The names of the pages that take a POST, as `docs/routes.md` has it."""
    return {name for name, methods in pages() if "POST" in methods}


def test_a_page_that_reads_a_post_has_it_in_the_table_of_pages() -> None:
    reading = {pattern.name for pattern in urlpatterns if any("POST" in source for source in sources(pattern.callback))}
    assert reading - pages_that_write() == set()


def test_each_gesture_of_the_pages_is_one_of_the_api_or_says_why_not() -> None:
    assert set(gestures()) == pages_that_write()
    writes = {operation.name for operation in operations() if operation.method != "get"}
    for page, does in gestures().items():
        named = set(re.findall(r"`(\w+)`", does))
        assert named <= writes, (page, named - writes)
        assert named or does.startswith("page only: "), page
