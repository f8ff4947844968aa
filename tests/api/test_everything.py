"""Everything the pages can do, the API can do: the table in `docs/api.md`, checked against the pages and the schema."""

import inspect
import re
from collections.abc import Iterator

from tests.api.contract import operations
from tests.contracts.project import ROOT
from tests.web.routes import PATTERNS
from tests.web.routes import table as pages


def actions() -> dict[str, str]:
    """The rows of the table: each page that accepts a POST, with the operations that do the same or why none do."""
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    section = text.split("\n## What each page does here\n")[1].split("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines()]
    return {page.strip("`"): does for page, does in (row for row in rows if row[0].startswith("`"))}


def sources(view: object) -> Iterator[str]:
    """Yield the source of a view with its decorators, and of the private functions of its module that it calls."""
    view = inspect.unwrap(view)
    yield (own := inspect.getsource(view))
    for name in set(re.findall(r"\b(_\w+)\(", own)):
        helper = inspect.getmodule(view).__dict__.get(name)
        if inspect.isfunction(helper):
            yield inspect.getsource(helper)


def pages_that_write() -> set[str]:
    """The names of the pages that accept a POST, according to `docs/routes.md`."""
    return {name for name, methods in pages() if "POST" in methods}


def test_every_page_that_reads_a_post_is_listed_as_accepting_it() -> None:
    reading = {pattern.name for pattern in PATTERNS if any("POST" in source for source in sources(pattern.callback))}
    assert reading - pages_that_write() == set()


def test_every_action_of_the_pages_is_in_the_api_or_says_why_not() -> None:
    assert set(actions()) == pages_that_write()
    writes = {operation.name for operation in operations() if operation.method != "get"}
    for page, does in actions().items():
        named = set(re.findall(r"`(\w+)`", does))
        assert named <= writes, (page, named - writes)
        assert named or does.startswith("page only: "), page
