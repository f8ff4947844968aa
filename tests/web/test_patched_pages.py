"""Patched pages: a cached pairings page with its changed lines replaced equals a fresh rendering, at less cost."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.http import HttpRequest
from django.test import Client

from tests.builders import NOW, a_published_round, a_running_event, match_of
from tests.cast import Cast
from tests.web.pages import address, signed_in, text
from tournaments.common import ledger
from tournaments.common.clock import now
from tournaments.events.models import Event
from tournaments.play import services as play
from tournaments.play.models import Round
from tournaments.web import shared
from tournaments.web.live.address import Shown
from tournaments.web.live.positions import Position, positions
from tournaments.web.pages.public import public
from tournaments.web.patched_pages import patched

pytestmark = pytest.mark.django_db
TOPICS = frozenset({"round", "result", "table", "clock"})


@pytest.fixture
def played(cast: Cast) -> tuple[Event, Round]:
    """A running event with a published round of six tables."""
    event = a_running_event(cast, players=12)
    return event, a_published_round(event, cast.organizer)


def _reported(round_: Round, cast: Cast) -> None:
    play.report_result(match=match_of(round_, cast.player), by=cast.player, games=(2, 1, 0), now=NOW)


def _entered(round_: Round, cast: Cast) -> None:
    play.enter_result(match=match_of(round_, cast.player), by=cast.organizer, games=(2, 1, 0), now=NOW)


def _all_entered(round_: Round, cast: Cast) -> None:
    for match in round_.matches.filter(table__isnull=False):
        play.enter_result(match=match, by=cast.organizer, games=(2, 0, 0), now=NOW)


def _extended(round_: Round, cast: Cast) -> None:
    play.extend_table(match=match_of(round_, cast.player), minutes=5, by=cast.organizer, now=NOW)


def _started(round_: Round, cast: Cast) -> None:
    play.start_clock(round_=round_, by=cast.organizer, now=now())


def _nothing(round_: Round, cast: Cast) -> None:
    pass


HAPPENINGS = (_reported, _entered, _all_entered, _extended, _started, _nothing)


def _plain(page: str) -> str:
    """Normalize a page: remove signed tokens, positions and times, and white space between elements."""
    page = re.sub(r"token=[^&\"]*|since=[0-9.]+|\d\d:\d\d:\d\d\.\d+", "", page)
    page = re.sub(r"\"\w{64}\"", "", page)
    return re.sub(r"\s+", " ", re.sub(r">\s+<", "><", page)).strip()


@pytest.mark.slow
@pytest.mark.parametrize("happens", HAPPENINGS, ids=lambda happens: happens.__name__)
@pytest.mark.parametrize("part", [False, True])
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("query", ["", "?find=Player"])
def test_a_patched_page_equals_the_rendered_page(
    played, cast: Cast, happens: Callable[[Round, Cast], None], part: bool, language: str, query: str
):
    event, round_ = played
    at = address("pairings", event.public_id, 1) + query
    headers = {"Accept-Language": language} | ({"HX-Request": "true"} if part else {})
    for client in (Client(headers=headers), signed_in(cast.player)):
        client.get(at, headers=headers)  # fills the cache, for visitors and for players
    happens(round_, cast)
    for client in (Client(headers=headers), signed_in(cast.player)):
        kept = text(client.get(at, headers=headers))
        shared.shelf.clear()  # now the page must be rendered
        assert _plain(kept) == _plain(text(client.get(at, headers=headers)))


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A list that receives the path of each request for which the tables of a round are rendered by their template."""
    calls, tables = [], public._tables

    def counted(request: HttpRequest, round_: Round) -> dict[str, Any]:
        calls.append(request.get_full_path())
        return tables(request, round_)

    monkeypatch.setattr(public, "_tables", counted)
    return calls


def test_a_result_does_not_cause_a_new_rendering(played, cast: Cast, rendered: list[str]):
    event, round_ = played
    at = address("pairings", event.public_id, 1)
    for happens in (_nothing, _started, _reported, _entered):
        happens(round_, cast)
        Client().get(at)
        signed_in(cast.player).get(at)
    assert rendered == [at]


def test_a_patched_page_follows_the_stream_from_the_current_position(played, cast: Cast):
    event, round_ = played
    at = address("pairings", event.public_id, 1)
    Client().get(at)
    _entered(round_, cast)
    here = positions([event.public_id])[event.public_id]
    assert f"since={here}&" in text(Client().get(at))


@pytest.mark.parametrize("code", ["round.reopened", "result.something"])
def test_a_change_of_more_than_single_lines_is_not_patched(played, cast: Cast, code: str):
    """An entry about results that names no match could concern any line, so the page must be rendered."""
    event, _round = played
    before = positions([event.public_id])[event.public_id]
    ledger.record(chain=event.public_id, actor=cast.organizer.public_id, code=code, object="r-1", now=NOW)
    assert patched("<div></div>", event.public_id, Shown("public", "en", 1), before, TOPICS) is None


def test_lines_that_are_not_on_the_page_do_not_change_it(played, cast: Cast):
    event, round_ = played
    before = positions([event.public_id])[event.public_id]
    _entered(round_, cast)
    ledger.record(chain=event.public_id, actor=cast.organizer.public_id, code="call.made", object="c-1", now=NOW)
    page = '<div id="pairings"><div id="round-clock"></div><tr id="line-m-other"></tr></div>'
    found = patched(page, event.public_id, Shown("public", "en", 1), before, TOPICS)
    assert found is not None and found.endswith('<tr id="line-m-other"></tr></div>')


def test_a_page_of_a_round_that_cannot_be_shown_is_not_patched(played, cast: Cast):
    event, round_ = played
    page = '<div id="round-clock"></div>'
    assert patched(page, event.public_id, Shown("public", "en", round_.number + 1), Position(), frozenset()) is None


def test_a_patched_page_is_rendered_again_after_a_while(
    played, cast: Cast, rendered: list[str], monkeypatch: pytest.MonkeyPatch
):
    event, round_ = played
    at = address("pairings", event.public_id, 1)
    Client().get(at)
    monkeypatch.setattr(shared, "PATCHED_SECONDS", -1.0)
    _entered(round_, cast)
    Client().get(at)
    assert rendered == [at, at]
