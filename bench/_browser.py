"""The demonstration on a running site and a browser, for benchmarks of pages."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser

from tests.e2e.conftest import chromium
from tests.e2e.demonstration import Demonstration, demonstration_of
from tests.e2e.site import drop_seeded, running_site, seeded_database


@contextmanager
def demonstration(folder: Path) -> Iterator[tuple[Demonstration, Browser]]:
    """Run a site with the demonstration, and a browser.

    `SEEDED_FOLDER` may name the folder of a test run, whose seeded database is copied; otherwise one is made here, and
    dropped at the end.
    """
    shared = os.environ.get("SEEDED_FOLDER")
    template = seeded_database(Path(shared or folder))
    (folder / "site").mkdir()
    try:
        with running_site(folder / "site", template) as site, chromium() as browser:
            yield demonstration_of(site), browser
    finally:
        if not shared:
            drop_seeded(folder)
