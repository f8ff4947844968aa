"""The messages compiled before any test, and fixtures of all tests that use the database."""

import pytest
from django.db.backends.postgresql.operations import DatabaseOperations
from django.utils import translation

from tests.cast import Cast, make_cast
from tests.e2e.site import drop_seeded
from tournaments.common.newest import newest
from tournaments.common.reading import forget_kept
from tournaments.locale.messages import compile_all
from tournaments.web.shared import shelf

# Files, or folders, of few tests that are long.
LONGEST = ("/e2e/", "common/test_worker", "api/test_permissions", "engine/test_every_game")


def pytest_configure(config: pytest.Config) -> None:
    """Pages are tested in three languages: compile these once, before any worker has read them."""
    if not hasattr(config, "workerinput"):
        compile_all()
    DatabaseOperations.sql_flush = _rows_deleted


def _rows_deleted(self: DatabaseOperations, _style: object, tables: list[str], **_options: bool) -> list[str]:
    """Empties the tables of PostgreSQL after a test: to delete a few rows is far quicker than to truncate."""
    return [f"DELETE FROM {self.quote_name(table)}" for table in tables]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes longest comes first, so that no process is left with it when the others have ended."""
    items.sort(key=lambda item: not any(part in item.nodeid for part in LONGEST))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """What all processes of a run share is dropped by the one that waits for the others."""
    if not hasattr(session.config, "workerinput"):
        drop_seeded(session.config._tmp_path_factory.getbasetemp())


@pytest.fixture(autouse=True)
def _in_english() -> None:
    """A request leaves its language behind in the thread: none is left to the next test."""
    translation.activate("en")


@pytest.fixture(autouse=True)
def _nothing_rendered() -> None:
    """A remembered event has the same public ids in every test: what was rendered of it in one is not for the next."""
    shelf.clear()
    newest.clear()
    forget_kept()


@pytest.fixture
def cast(db: None) -> Cast:
    """Organizer, scorekeeper, judge, player, opponent, stranger."""
    return make_cast()
