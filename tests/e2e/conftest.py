"""Fixtures of the browser tests: a running site, the demonstration on it, and Chromium.

Without Chromium on the machine the tests are skipped.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.e2e.demonstration import Demonstration, demonstration_of
from tests.e2e.patience import WHOLE_TEST
from tests.e2e.site import Seeded, Site, running_site, seeded_database

WHOLE = ("chromium", "chromium-browser", "google-chrome")
WINDOWLESS = ("chromium-headless-shell",)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in filter(_browses, items):
        item.add_marker(pytest.mark.e2e)
        item.add_marker(pytest.mark.slow)  # a site with the demonstration, and a browser, for each module
        item.add_marker(pytest.mark.timeout(WHOLE_TEST))


def _browses(item: pytest.Item) -> bool:
    return "/e2e/" in str(item.path)


@pytest.fixture(scope="session")
def template(shared_folder: Path) -> Seeded:
    """A database with the demonstration in it, made once per run. Sites start on copies of it."""
    return seeded_database(shared_folder)


@pytest.fixture(scope="module")
def site(template: Seeded, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A running web server and worker on a database of their own, for the tests of a module."""
    with running_site(Path(tmp_path_factory.mktemp("site")), template) as running:
        yield running


@pytest.fixture(scope="module")
def demo(site: Site) -> Demonstration:
    """The demonstration on the module's site."""
    return demonstration_of(site)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A running Chromium, for the tests of a module."""
    with chromium() as launched:
        yield launched


@contextmanager
def chromium(*, whole: bool = False) -> Iterator[Browser]:
    """Start the Chromium installed on the system; skip the test if there is none.

    The one without a window is taken if it is there: it needs a third less time. It has no notifications, for which
    `whole` asks. While a browser runs, the test itself cannot use Django's database, since Playwright runs an event
    loop in this thread.
    """
    found = next(filter(None, map(shutil.which, WHOLE if whole else (*WINDOWLESS, *WHOLE))), None)
    if found is None:
        pytest.skip("no Chromium on this machine: apt install chromium")
    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
        launched = playwright.chromium.launch(executable_path=found, args=flags)
        yield launched
        launched.close()
