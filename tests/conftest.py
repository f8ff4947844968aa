"""Hooks and fixtures for all tests. Message catalogues are compiled before the first one."""

import gc
import os
from pathlib import Path

import pytest
from django.core.management.commands import flush
from django.db.backends.postgresql.operations import DatabaseOperations as PostgreSQL
from django.db.backends.sqlite3.base import DatabaseOperations as SQLite
from django.utils import translation
from hypothesis import HealthCheck, settings

from tests.cast import Cast, make_cast
from tests.e2e.site import drop_seeded
from tests.remembered import FIXED
from tournaments.common.newest import newest
from tournaments.common.reading import forget_kept
from tournaments.locale.messages import compile_all
from tournaments.profiles import links
from tournaments.web.live.lines import forget_lines
from tournaments.web.shared import shelf

# A busy machine is not a fault: no time limit for an example, nor for making one.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")

# Files and folders whose tests take long together, the longest first.
LONGEST = (
    *("contracts/test_benches", "e2e/test_table", "engine/test_every_game", "api/test_schema_and_docs"),
    *("contracts/test_run", "e2e/test_recorder", "api/test_permissions", "e2e/test_every_route"),
    *("e2e/test_large_day", "e2e/test_pages", "/e2e/", "common/test_worker"),
)


def pytest_configure(config: pytest.Config) -> None:
    """Compile the messages of all languages once, before any worker reads them; and speed up emptying the database."""
    if not hasattr(config, "workerinput"):
        compile_all()
    PostgreSQL.sql_flush = SQLite.sql_flush = _rows_deleted
    flush.emit_post_migrate_signal = lambda *_args, **_options: None


def _rows_deleted(self: PostgreSQL | SQLite, _style: object, tables: list[str], **_options: bool) -> list[str]:
    """The SQL that empties the tables after a test.

    On PostgreSQL, deleting a few rows is far quicker than truncating. What Django itself writes when tables are made
    stays, as writing it again takes ten times as long as emptying all other tables.
    """
    return [f"DELETE FROM {self.quote_name(table)}" for table in tables if table not in FIXED]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the longest tests first, so that no process is still busy with one when the others have finished."""
    items.sort(key=lambda item: next((at for at, part in enumerate(LONGEST) if part in item.nodeid), len(LONGEST)))


def pytest_collection_finish() -> None:
    """Take what was imported out of the garbage collection: it stays until the end, and is most of what there is."""
    gc.collect()
    gc.freeze()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Drop what all processes of a run share, in the process that waits for the others."""
    if not hasattr(session.config, "workerinput"):
        drop_seeded(session.config._tmp_path_factory.getbasetemp())


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a test run that all its processes share."""
    own = tmp_path_factory.getbasetemp()  # under xdist each process has its own, in the one of the run
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


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
    forget_lines()


@pytest.fixture
def cast(db: None) -> Cast:
    """The cast: organizer, scorekeeper, judge, player, opponent and stranger."""
    return make_cast()
