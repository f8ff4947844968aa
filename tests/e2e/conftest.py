"""A browser and a site for it. Without Chromium the tests are skipped, and say so."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.e2e.demonstration import Demonstration, demonstration_of
from tests.e2e.site import Site, running_site, seeded_database

PATIENCE = 240  # seconds of a test with the site it starts, on a machine that is busy


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Iterator[None]:
    for item in filter(_browses, items):
        item.add_marker(pytest.mark.e2e)
        if item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(PATIENCE))
    yield  # what this run leaves out is gone from them
    # One module comes first and makes the demonstration's database, while the other processes test other things: in a
    # row, all would wait for it.
    first = next((item.path for item in filter(_browses, items)), None)
    items.sort(key=lambda item: item.path != first)


def _browses(item: pytest.Item) -> bool:
    return "/e2e/" in str(item.path)


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A database with the demonstration in it, made once for all processes of a run: sites are started on copies."""
    own = tmp_path_factory.getbasetemp()
    return seeded_database(own.parent if "PYTEST_XDIST_WORKER" in os.environ else own)


@pytest.fixture(scope="module")
def site(template: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Web and worker on a database of their own."""
    with running_site(Path(tmp_path_factory.mktemp("site")), template) as running:
        yield running


@pytest.fixture(scope="module")
def demo(site: Site) -> Demonstration:
    """The demonstration on that site."""
    return demonstration_of(site)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, for the tests of a module."""
    with chromium() as launched:
        yield launched


@contextmanager
def chromium() -> Iterator[Browser]:
    """Chromium, as the system installed it. While it runs, Django's database is closed to the test itself."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        pytest.skip("no Chromium on this machine: apt install chromium")
    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
        launched = playwright.chromium.launch(executable_path=found, args=flags)
        yield launched
        launched.close()
