"""Every page of the table of routes, `docs/routes.md`, has no violation that axe knows of.

Each is seen twice: on a phone in light by the least of the roles that may open it, at a desk in dark by the greatest.
The pages are rendered first, from the scenes of the table's own test, and the browser is answered with them: no server
runs.
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
from tests.web.routes import ROLES, address, table
from tests.web.test_routes import Floor
from tournaments.web.urls import urlpatterns

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.timeout(900)]
HOST = "http://testserver"
SEEN = {"light": PHONE, "dark": DESK}


@dataclass(frozen=True)
class Shown:
    """A page as a role is answered it."""

    name: str
    role: str
    scheme: str
    address: str
    body: bytes
    policy: str


def shown_pages(cast: Cast) -> Iterator[Shown]:
    """The pages of the table. Files and parts of pages are none, and a redirect is followed."""
    floor = Floor(cast)
    patterns = {pattern.name: pattern for pattern in urlpatterns}
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
    """A static file; nothing else is there."""
    path = finders.find(route.request.url.removeprefix(f"{HOST}/static/").split("?")[0])
    if path is None:
        return route.abort()
    kind = mimetypes.guess_type(str(path))[0] or "application/octet-stream"
    return route.fulfill(body=Path(str(path)).read_bytes(), content_type=kind)


def faults_of(page: Page, shown: Shown) -> list[str]:
    """What is wrong with a page in its width and scheme, everything that opens opened."""
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


def test_every_page_of_the_table_of_routes_has_no_violation(cast: Cast, settings: Any) -> None:
    settings.DEBUG = True  # the style guide is shown in development alone
    pages = list(shown_pages(cast))
    assert len({shown.name for shown in pages}) > 90
    with chromium() as browser:
        page = browser.new_context(reduced_motion="reduce", locale="en-GB").new_page()
        page.route("**/*", file_for)
        found = [fault for shown in pages for fault in faults_of(page, shown)]
    assert not found, "\n".join(found)
