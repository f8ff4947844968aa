"""Every page and export is safe with hostile input in the database and shows no secret.

The routes are read from `docs/routes.md`, so that a new page is covered from its first day.
"""

import csv
import logging
import re
from collections.abc import Iterator
from itertools import product

import pytest
from django.core.cache import cache
from django.db import transaction
from django.http import HttpResponse
from django.test import Client

from tests.api import scenes
from tests.cast import Cast, account
from tests.web.pages import signed_in
from tests.web.routes import PATTERNS, address, table
from tests.web.test_routes import Floor
from tests.web.test_shell import INLINE
from tournaments.accounts.models import ApiToken, Person, SignInLink, User
from tournaments.accounts.services import create_token, make_sign_in_link
from tournaments.announcements.models import Announcement
from tournaments.common import clock
from tournaments.common.models import LedgerNote
from tournaments.decks.models import Decklist, Pool
from tournaments.events.models import Entrant, Event, ForbiddenPair, SavedFormat
from tournaments.integrations.models import Webhook
from tournaments.integrations.signing import secret_of
from tournaments.judging.models import DeckCheck
from tournaments.leagues.models import BookEntry, League

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.timeout(600)]

HOSTILE = "=1+1\"'><svg/onload=alert(1)></title><script>alert(2)</script>{{7*7}}"
# If one of these is in a page, the input was not escaped.
ALIVE = ("<svg/onload", "<script>alert", "</title><script", "\"'><svg")
# The fields that people write freely.
TEXTS = {
    Person: ("given_name", "family_name", "public_name"),
    Event: ("name", "place", "contact"),
    Entrant: ("club",),
    ForbiddenPair: ("reason",),
    SavedFormat: ("name",),
    ApiToken: ("name",),
    Decklist: ("text",),
    Pool: ("text",),
    Announcement: ("text",),
    DeckCheck: ("others",),
    League: ("name",),
    BookEntry: ("name", "notes"),
    LedgerNote: ("text",),
}
READERS = ("visitor", "player", "judge", "organizer")
# A spreadsheet runs a cell that begins with one of these as a formula.
FORMULA = tuple("=+-@\t\r")


def spoil() -> None:
    """Write hostile input into all of `TEXTS`, past the validation of forms and services."""
    for model, names in TEXTS.items():
        for name in names:
            longest = model._meta.get_field(name).max_length or len(HOSTILE)
            model._default_manager.update(**{name: HOSTILE[:longest]})


def walked(cast: Cast, roles: tuple[str, ...]) -> Iterator[tuple[str, str, HttpResponse]]:
    """Yield (route, role, response) for each GET that is answered with 200, with hostile input in the database."""
    floor, rows = Floor(cast), table()
    patterns = {pattern.name: pattern for pattern in PATTERNS}
    wanted = [name for name, methods in rows if "GET" in methods and name not in ("live_stream", "link")]
    addresses = {name: address(patterns[name], floor.scene_of(name)) for name in wanted}
    spoil()
    browsers = {role: Client() if role == "visitor" else signed_in(getattr(cast, role)) for role in roles}
    for name, role in product(wanted, roles):
        cache.clear()
        with transaction.atomic():
            answer = browsers[role].get(addresses[name], follow=False)
            if answer.status_code == 200:
                yield name, role, answer
            transaction.set_rollback(True)


def body_of(answer: HttpResponse) -> str:
    """Return the body of a response as text."""
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return content.decode("utf-8", "replace")


def test_hostile_input_is_inert_on_every_page_and_in_every_export(cast: Cast) -> None:
    seen = set()
    for name, role, answer in walked(cast, READERS):
        kind, body = answer["Content-Type"], body_of(answer)
        where = f"{name} as {role}"
        seen.add(name)
        if kind.startswith("text/html"):
            assert not [text for text in ALIVE if text in body], where
            assert not INLINE.search(body.replace("/onload", "")), where
            policy = answer.headers["Content-Security-Policy"]
            assert "script-src 'self'" in policy and "unsafe" not in policy, where
        elif kind.startswith("text/csv"):
            cells = [cell for row in csv.reader(body.removeprefix("\ufeff").splitlines()) for cell in row]
            assert not [cell for cell in cells if cell.startswith(FORMULA) and not _number(cell)], where
        else:
            assert answer["X-Content-Type-Options"] == "nosniff", where
        assert "\n" not in answer.get("Content-Disposition", ""), where
    assert {"event", "export", "staff_ledger", "deck_check", "announcements", "league"} <= seen


def _number(cell: str) -> bool:
    return re.fullmatch(r"[-+]?\d+([.,]\d+)?%?", cell) is not None


def test_no_secret_appears_on_a_page_in_an_export_or_in_the_log(cast: Cast, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    _token, of_token = create_token(user=cast.player, name="mine", scopes=("read",), now=clock.now())
    of_link = make_sign_in_link(user=cast.stranger, now=clock.now())
    for name, role, answer in walked(cast, ("stranger", "player", "organizer")):
        body = body_of(answer)
        secrets = {of_token, of_link, *_kept()}
        assert not [secret[:6] for secret in secrets if secret in body], f"{name} as {role}"
    written = "\n".join(record.getMessage() for record in caplog.records if not record.name.startswith("django.db"))
    assert not [secret[:6] for secret in {of_token, of_link, *_kept()} if secret in written]


def _kept() -> set[str]:
    """Return all secrets and digests in the database, and the webhook secrets derived from it."""
    seeds = set(Webhook.objects.values_list("secret", flat=True))
    return {
        *User.objects.exclude(password="").values_list("password", flat=True),
        *SignInLink.objects.values_list("digest", flat=True),
        *ApiToken.objects.values_list("digest", flat=True),
        *seeds,
        *map(secret_of, seeds),
    }


def test_private_routes_of_a_player_are_closed_to_other_players(cast: Cast) -> None:
    floor, rows = Floor(cast), table()
    patterns = {pattern.name: pattern for pattern in PATTERNS}
    other = account("Player 77")
    browser, opened = signed_in(other), []
    for (name, methods), expected in rows.items():
        if expected["stranger"] != "not found" or expected["player"] != "yes":
            continue
        scene = floor.scene_of(name)
        where = address(patterns[name], scene)
        if "/me/" in where:  # each player has their own page at the same address
            continue
        scenes.enter(scene, other)
        for method in methods.split(", "):
            cache.clear()
            with transaction.atomic():
                status = getattr(browser, method.lower())(where).status_code
                transaction.set_rollback(True)
            if status not in (403, 404):
                opened.append((name, method, status))
    assert not opened
