"""Uploads made to exhaust the server (bombs) are refused quickly and with a reason, wherever a document is taken.

That is: pages whose forms take files, API routes that read a body of their own, and API routes that take a decklist,
log or board in JSON. A new page or route must be added here; tests below fail until it is.
"""

import gzip
import io
import json
import re
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from django.core.cache import cache as kept
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from tests.api import scenes
from tests.api.contract import Operation, operation_of, schema
from tests.api.scenes import Scene, token_client
from tests.api.test_permissions import ALL_SCOPES, ROUTES, Route, body_of, views
from tests.cast import Cast
from tests.contracts.project import ROOT
from tests.web.pages import signed_in, text
from tournaments.api.parsers import BytesParser, DocumentParser, StrictJSONParser
from tournaments.common import clock, jobs

pytestmark = pytest.mark.django_db
QUICK = 4.0  # seconds of CPU time, for the refusal and the page that shows it


def packed(size: int) -> bytes:
    """Return a zip archive with one file of `size` zero bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
        file.writestr("bomb.json", bytes(size))
    return out.getvalue()


# Bodies that are cheap to send and expensive to read: too large, deeply nested, with endless values, or compressed to a
# fraction of their size.
BOMBS: dict[str, Callable[[], bytes]] = {
    "large": lambda: b"\n" * (9 * 1024 * 1024),
    "deep": lambda: b"[" * 200_000 + b"]" * 200_000,
    "deep objects": lambda: b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "long": lambda: b'{"name": "' + b"x" * 2_000_000 + b'"}',
    "many": lambda: b"1 x\n" * 300_000,
    "digits": lambda: b'{"n": ' + b"9" * 1_000_000 + b"}",
    "gzip": lambda: gzip.compress(bytes(100 * 1024 * 1024), compresslevel=1),
    "zip": lambda: packed(100 * 1024 * 1024),
    "cell": lambda: b'name;club\n"' + b"x" * 900_000 + b'";b\n',
    "open cell": lambda: b'name;club\n"' + b"x\n" * 400_000,
}


@cache
def made(bomb: str) -> bytes:
    """Make a bomb, once: together they take a second, which only the process that runs these tests needs to spend."""
    return BOMBS[bomb]()


@pytest.fixture(autouse=True)
def _count_from_zero() -> Iterator[None]:
    kept.clear()
    yield
    kept.clear()


@contextmanager
def quickly() -> Iterator[None]:
    before = time.process_time()
    yield
    assert time.process_time() - before < QUICK


@dataclass(frozen=True)
class Page:
    """A page whose form takes a file in `field`; `more` are other fields to send, `by` is the sender's role."""

    template: str
    route: str
    field: str
    scene: Callable[[Cast], Scene]
    by: str
    arguments: tuple[str, ...] = ()
    more: tuple[tuple[str, str], ...] = ()

    def address(self, scene: Scene) -> str:
        """Return the address that the form is sent to."""
        known = {"event": scene.event.public_id, "match": scene.match and scene.match.public_id, "one": 1}
        known |= {"game": "star-safir", "catalog": "own"}
        return reverse(f"web:{self.route}", args=[known.get(name) or getattr(scene, name) for name in self.arguments])


PAGES = [
    Page("transfers/new.html", "transfer_new", "document", scenes.draft, "stranger"),
    Page("public/verify.html", "verify", "file", scenes.draft, "stranger"),
    Page("staff/import_new.html", "staff_import_new", "document", scenes.registering, "organizer", ("event",)),
    Page(
        "catalogues/catalogues.html",
        "catalogues",
        "document",
        scenes.draft,
        "organizer",
        more=(("game", "star-safir"), ("name", "bomb")),
    ),
    Page(
        "catalogues/effects_apply.html",
        "effects_apply",
        "document",
        scenes.with_cards,
        "organizer",
        ("game", "catalog"),
    ),
    Page("judge/log_upload.html", "log_upload", "file", scenes.published, "player", ("match", "one")),
    Page("judge/ask_table.html", "ask_table", "photos", scenes.published, "judge", ("match",), (("command", "keep"),)),
    Page("judge/position.html", "position_photo", "photos", scenes.board_kept, "judge", ("position",)),
    Page("player/pool.html", "my_pool", "file", scenes.sealed, "player", ("event",)),
    Page("player/deck.html", "deck", "file", scenes.registering, "player", ("event",)),
]


def test_every_form_that_takes_a_file_is_tested() -> None:
    folder = ROOT / "templates" / "web"
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*.html") if "multipart/" in path.read_text()}
    assert found == {page.template for page in PAGES}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.route)
@pytest.mark.parametrize("bomb", BOMBS)
def test_a_page_refuses_a_bomb_quickly_and_says_why(cast: Cast, page: Page, bomb: str) -> None:
    scene, client, content = page.scene(cast), signed_in(getattr(cast, page.by)), made(bomb)
    with quickly():
        sent = {**dict(page.more), page.field: SimpleUploadedFile("bomb.json", content)}
        answer = client.post(page.address(scene), sent)
        if answer.status_code == 302:  # a job reads the file; its page shows the outcome
            jobs.run_due(clock.now())
            answer = client.get(answer.url)
        said = text(answer)
    assert answer.status_code in (200, 422)
    told = r'class="notice notice--bad" role="alert">.{20}|Lines skipped</dt><dd class="num">[1-9]'
    assert re.search(told, said, re.DOTALL), "what is wrong is said"
    assert len(said) < 200_000, "and not with the bomb itself"


SHAPES = {
    "text",
    "start",
    "position",
    "one",
    "two",
    "turns",
    "entry",
    "counted",
}  # keys of request bodies that hold a decklist, a log or a board
TAKING = {name: view for (name, method), view in views().items() if method in ("post", "put", "patch")}
OWN_BODY = {name for name, view in TAKING.items() if StrictJSONParser not in view.parser_classes}
READ_BY_A_JOB = {"verifications": "verifications/", "catalogue_uploads": "catalogue-uploads/"}


def _properties(operation: Operation) -> set[str]:
    """Return the keys of the JSON object that an operation takes, from the OpenAPI schema."""
    content = operation.described.get("requestBody", {}).get("content", {}).get("application/json", {})
    name = content.get("schema", {}).get("$ref", "").rpartition("/")[2]
    return set(schema()["components"]["schemas"].get(name, {}).get("properties", ()))


def _in_json() -> dict[str, Route]:
    """Pick one successful request for each operation that takes a decklist, log or board in JSON."""
    writes = [route for route in ROUTES if route.method in ("post", "put", "patch") and route.name not in OWN_BODY]
    found = {(route.name, route.method): route for route in writes if 200 <= route.answer < 300}
    shaped = {key: route for key, route in found.items() if SHAPES & _properties(operation_of(*key))}
    return {f"{name}-{method}": route for (name, method), route in shaped.items()}


IN_JSON = _in_json()


def sent(route: Route, scene: Scene, cast: Cast, body: bytes) -> tuple[int, str, Any]:
    """Send a raw body to a route, within the time limit; return the status, the code and the whole answer."""
    client = token_client(getattr(cast, route.right), *ALL_SCOPES)
    raw = BytesParser in TAKING[route.name].parser_classes
    media = "application/octet-stream" if raw else "application/json"
    with quickly():
        answer = client.generic(route.method.upper(), scene.at(route.address), body, content_type=media)
    content = answer.json()
    return answer.status_code, content.get("code", ""), content


def test_every_route_uses_only_parsers_with_a_size_limit() -> None:
    for name, view in TAKING.items():
        assert set(view.parser_classes) <= {StrictJSONParser, DocumentParser, BytesParser}, name


@pytest.mark.parametrize("name", sorted(OWN_BODY))
@pytest.mark.parametrize("bomb", BOMBS)
def test_a_route_with_its_own_body_format_refuses_a_bomb(cast: Cast, name: str, bomb: str) -> None:
    route = next(route for route in ROUTES if route.name == name and route.method in ("post", "put"))
    scene = route.scene(cast)
    status, code, content = sent(route, scene, cast, made(bomb))
    if bomb == "large":
        assert (status, code) == (413, "too_large")
    elif status in (201, 202):  # a job reads it
        with quickly():
            jobs.run_due(clock.now())
        client = token_client(getattr(cast, route.right), *ALL_SCOPES)
        told = client.get(f"/api/v1/{READ_BY_A_JOB[name]}{content['id']}/").json()
        assert (told.get("report") or {}).get("unreadable") or told.get("faults"), told
    else:
        assert status in (400, 422) and code, content


@pytest.mark.parametrize("name", sorted(IN_JSON))
def test_a_route_that_takes_a_list_log_or_board_refuses_bombs(cast: Cast, name: str) -> None:
    route = IN_JSON[name]
    scene = route.scene(cast)
    body = body_of(route, scene)
    keys = SHAPES & _properties(operation_of(route.name, route.method))
    within = [{**body, **dict.fromkeys(keys, value)} for value in ("x" * 300_000, ["x"] * 50_000)]
    for bomb in (made("large"), made("deep"), made("digits"), *(json.dumps(each).encode() for each in within)):
        status, code, content = sent(route, scene, cast, bomb)
        assert status in (400, 413, 422) and code, content
