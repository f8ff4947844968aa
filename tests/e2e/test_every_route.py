"""Accessibility of every page in `docs/routes.md`: axe finds no violation, nothing overflows, no target is too small.

Each page is checked twice: at phone width in the light scheme as the lowest role that may open it, and at desk width in
the dark scheme as the highest. No server runs: the pages are rendered first, from the scenes of
`tests.web.test_routes`, and the browser's requests are answered with them.
"""

import mimetypes
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from playwright.sync_api import Page, Route

from tests.cast import Cast
from tests.e2e.conftest import chromium
from tests.e2e.test_pages import DESK, HEIGHT, PHONE, said_by_axe, too_small, too_wide
from tests.web.routes import PATTERNS, ROLES, address, table
from tests.web.test_routes import Floor

pytestmark = [pytest.mark.django_db]
HOST = "http://testserver"
SEEN = {"light": PHONE, "dark": DESK}  # widths by color scheme


@dataclass(frozen=True)
class Shown:
    """A rendered page as one role gets it. `policy` is its Content-Security-Policy."""

    name: str
    role: str
    scheme: str
    address: str
    body: bytes
    policy: str


def shown_pages(cast: Cast) -> Iterator[Shown]:
    """Render the pages of the table, following redirects. Files and fragments are left out."""
    floor = Floor(cast)
    patterns = {pattern.name: pattern for pattern in PATTERNS}
    for (name, methods), expected in table().items():
        if "GET" not in methods or set(expected.values()) == {"not found"}:
            continue
        where = address(patterns[name], floor.scene_of(name))
        may = [role for role in ROLES if expected[role] == "yes"] or ["visitor"]
        for scheme, role in zip(SEEN, (may[0], may[-1]), strict=True):
            answer: Any = floor.answer(role, "GET", where, follow=True)
            if not answer.streaming and b"</html>" in answer.content:
                assert answer.status_code == 200, (name, role, answer.status_code)
                policy = answer.headers.get("Content-Security-Policy", "")
                yield Shown(name, role, scheme, where, answer.content, policy)


def file_for(route: Route) -> None:
    """Answer a request with a static file, or abort it if there is none."""
    path = finders.find(route.request.url.removeprefix(f"{HOST}/static/").split("?")[0])
    if path is None:
        return route.abort()
    kind = mimetypes.guess_type(str(path))[0] or "application/octet-stream"
    return route.fulfill(body=Path(str(path)).read_bytes(), content_type=kind)


def faults_of(page: Page, shown: Shown) -> list[str]:
    """List what is wrong with a page in its width and color scheme, with all its details opened."""
    headers = {"Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": shown.policy}
    where = HOST + shown.address
    page.route(where, lambda route: route.fulfill(body=shown.body, headers=headers))
    page.set_viewport_size({"width": SEEN[shown.scheme], "height": HEIGHT})
    page.emulate_media(color_scheme=shown.scheme)  # type: ignore[arg-type]
    page.goto(where)
    page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })")
    faults = [*too_wide(page), *too_small(page), *said_by_axe(page)]
    page.unroute(where)
    return [f"{shown.name} as {shown.role}, {shown.scheme}: {fault}" for fault in faults]


def test_no_page_in_the_table_of_routes_has_a_violation(cast: Cast, settings: Any) -> None:
    settings.DEBUG = True  # the style guide exists only in development
    pages = list(shown_pages(cast))
    assert len({shown.name for shown in pages}) > 90
    with chromium() as browser:
        page = browser.new_context(reduced_motion="reduce", locale="en-GB").new_page()
        page.route("**/*", file_for)
        found = [fault for shown in pages for fault in faults_of(page, shown)]
    assert not found, "\n".join(found)
