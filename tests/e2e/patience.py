"""How long the browser tests wait: the one bound of every wait, and of a whole test.

Both are generous. A wait ends as soon as what it waits for is there, so only a failure takes this long.
"""

import time
from collections.abc import Callable
from typing import TypeVar

from playwright.sync_api import Page, expect

PATIENCE = 60_000
"""Milliseconds that anything may take to appear, on a busy machine."""
WHOLE_TEST = 900
"""Seconds that a test may take, including starting its site."""

T = TypeVar("T")

expect.set_options(timeout=PATIENCE)


def wait_until(holds: Callable[[], T], failure: str, page: Page | None = None) -> T:
    """Wait until `holds` returns something true, and return it; if that takes too long, fail with this message.

    `page` goes on meanwhile: its requests are answered, and its routes and listeners called.
    """
    late = time.monotonic() + PATIENCE / 1000
    while not (held := holds()):
        assert time.monotonic() < late, failure
        if page is None:
            time.sleep(0.05)
        else:
            page.wait_for_timeout(50)
    return held
