"""Hooks and fixtures for all tests. Message catalogues are compiled before the first one."""

import pytest
from django.db.backends.postgresql.operations import DatabaseOperations
from django.utils import translation

from tests.cast import Cast, make_cast
from tests.e2e.site import drop_seeded
from tournaments.common.newest import newest
from tournaments.common.reading import forget_kept
from tournaments.locale.messages import compile_all
from tournaments.profiles import links
from tournaments.web.shared import shelf

# Files and folders whose tests take long together, the longest first.
LONGEST = (
    *("contracts/test_benches", "e2e/test_table", "contracts/test_run", "e2e/test_recorder", "e2e/test_every_route"),
    *("api/test_schema_and_docs", "engine/test_every_game", "e2e/test_large_day", "e2e/test_pages", "/e2e/"),
    *("common/test_worker", "api/test_permissions"),
)


def pytest_configure(config: pytest.Config) -> None:
    """Compile the messages of all languages once, before any worker reads them; and speed up emptying PostgreSQL."""
    if not hasattr(config, "workerinput"):
        compile_all()
    DatabaseOperations.sql_flush = _rows_deleted


def _rows_deleted(self: DatabaseOperations, _style: object, tables: list[str], **_options: bool) -> list[str]:
    """The SQL that empties PostgreSQL's tables after a test: deleting a few rows is far quicker than truncating."""
    return [f"DELETE FROM {self.quote_name(table)}" for table in tables]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the longest tests first, so that no process is still busy with one when the others have finished."""
    items.sort(key=lambda item: next((at for at, part in enumerate(LONGEST) if part in item.nodeid), len(LONGEST)))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Drop what all processes of a run share, in the process that waits for the others."""
    if not hasattr(session.config, "workerinput"):
        drop_seeded(session.config._tmp_path_factory.getbasetemp())


@pytest.fixture(autouse=True)
def _in_english() -> None:
    """Start every test in English: a request leaves its language active in the thread."""
    translation.activate("en")


@pytest.fixture(autouse=True)
def _nothing_rendered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Empty the page caches: a remembered event has the same public ids in every test that uses it.

    Links to profiles stay for the whole test, so that the number of queries of a page does not depend on the clock.
    """
    monkeypatch.setattr(links, "FRESH_SECONDS", 3600.0)
    links.clear()
    shelf.clear()
    newest.clear()
    forget_kept()


@pytest.fixture
def cast(db: None) -> Cast:
    """The cast: organizer, scorekeeper, judge, player, opponent and stranger."""
    return make_cast()
