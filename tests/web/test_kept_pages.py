"""Kept pages: what an overloaded process sends without a lane and without the database, and what it must not send.

`Hall` stands for a process whose streams follow every event: it reads what has changed from the real ledger.
"""

import gzip
import re
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest
from django.conf import LazySettings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.builders import NOW, a_published_round, a_running_event, match_of
from tests.cast import Cast
from tests.web.pages import address, signed_in, text
from tournaments.accounts.services import own_person
from tournaments.announcements.services import announce, withdraw
from tournaments.common.clock import now
from tournaments.events.embedding import choose_sites
from tournaments.events.models import Event
from tournaments.events.registration import choose_registration
from tournaments.events.selectors import current_stage
from tournaments.events.services import choose_visibility
from tournaments.judging.services import call_judge
from tournaments.play import services as play
from tournaments.play.models import Round
from tournaments.profiles.services import hide_profile, show_profile
from tournaments.standings.services import compute_standings
from tournaments.web import kept_pages, shared
from tournaments.web.kept_pages import OLDEST, KeptPages
from tournaments.web.live.positions import Position, news_since
from tournaments.web.shared import Kept, shelf

pytestmark = pytest.mark.django_db
PAGES = {
    "event": lambda event: address("event", event.public_id),
    "entrants": lambda event: address("entrants", event.public_id),
    "pairings": lambda event: address("pairings", event.public_id, 1),
    "standings": lambda event: address("standings", event.public_id),
    "entrant": lambda event: address("entrant", event.public_id, event.entrants.first().public_id),
}
OF_ONE_ANSWER = {"age", "cache-control", "content-length", "etag", "vary"}
"""Headers in which a kept page and a page as usual may differ."""


class Sent(NamedTuple):
    """A kept page as it was sent."""

    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


class Hall:
    """An overloaded process."""

    def __init__(self, changed: Callable[[str, Position], frozenset[str] | None] | None = None) -> None:
        self.pages = KeptPages(changed or self._read)

    @staticmethod
    def _read(event: str, position: Position) -> frozenset[str]:
        news = news_since({event: position}).get(event)
        return news.topics if news else frozenset()

    def get(self, where: str, *, method: str = "GET", client: Client | None = None, **headers: str) -> Sent | None:
        """Ask for a page with the cookies of `client`; None if it has to wait for a lane."""
        cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in (client or Client()).cookies.items())
        sent = {"host": "localhost", "cookie": cookies} | {key.replace("_", "-"): each for key, each in headers.items()}
        found = urlsplit(where)
        scope = {
            "type": "http",
            "method": method,
            "scheme": "http",
            "path": found.path,
            "query_string": found.query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in sent.items() if value],
            "client": ("127.0.0.1", 5000),
            "server": ("127.0.0.1", 8000),
        }
        messages = self.pages(scope)
        if messages is None:
            return None
        start, body = messages
        assert start["status"] == 200
        return Sent({name.decode(): value.decode() for name, value in start["headers"]}, body["body"])


@pytest.fixture
def played(cast: Cast) -> tuple[Event, Round]:
    """A running event with a published round."""
    event = a_running_event(cast)
    return event, a_published_round(event, cast.organizer)


def seen(event: Event, page: str = "pairings", client: Client | None = None) -> str:
    """Load a page as a visitor, so that it is kept; returns its address."""
    where = PAGES[page](event)
    assert (client or Client()).get(where).status_code == 200
    return where


def without_notice(page: str) -> str:
    return re.sub(r"\n<div class=\"notice notice--warn\" data-kept-seconds.*?</div>\n", "", page, count=1, flags=re.S)


def older(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Let time pass for what is kept."""
    later = time.monotonic() + seconds
    monkeypatch.setattr(kept_pages.time, "monotonic", lambda: later)


# ------------------------------------------------------------------ what is sent


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_sent_as_it_was_with_its_age_and_without_a_query(played, page: str, monkeypatch) -> None:
    where = PAGES[page](played[0])
    usual = text(Client().get(where))
    older(monkeypatch, 12)
    silent = Hall(lambda _event, _position: frozenset())
    with CaptureQueriesContext(connection) as captured:
        sent = silent.get(where)
    assert sent is not None and len(captured) == 0
    assert "This page shows how things stood 12 seconds ago." in sent.text
    assert without_notice(sent.text) == usual
    assert (sent.headers["age"], sent.headers["cache-control"]) == ("12", "no-store")
    assert "etag" not in sent.headers and "refresh" not in sent.headers


@pytest.mark.parametrize("page", PAGES)
def test_a_kept_page_has_the_headers_of_every_page(played, page: str) -> None:
    usual = Client().get(PAGES[page](played[0]))
    sent = Hall().get(PAGES[page](played[0]))
    assert sent is not None
    wanted = {name.lower(): value for name, value in usual.items()}
    assert {name: value for name, value in sent.headers.items() if name not in OF_ONE_ANSWER} == {
        name: value for name, value in wanted.items() if name not in OF_ONE_ANSWER
    }
    assert "default-src 'none'" in sent.headers["content-security-policy"]
    assert sent.headers["content-length"] == str(len(sent.body))


def test_it_is_sent_compressed_to_browsers_that_accept_it(played) -> None:
    where = seen(played[0])
    packed = Hall().get(where, accept_encoding="gzip, br")
    assert packed is not None and packed.headers["content-encoding"] == "gzip"
    assert 'id="pairings"' in gzip.decompress(packed.body).decode()
    assert packed.headers["content-length"] == str(len(packed.body))


def test_it_opens_the_stream_of_its_event_from_where_the_page_was(played) -> None:
    where = seen(played[0])
    since = re.search(r"since=([\d.]+)", Client().get(where).content.decode())
    sent = Hall().get(where)
    assert since and sent and f"since={since[1]}" in sent.text


def test_a_reader_with_a_session_is_told_so_and_the_page_reloads_itself(played, cast: Cast) -> None:
    where = seen(played[0])
    sent = Hall().get(where, client=signed_in(cast.player))
    assert sent is not None
    assert "If you are signed in, you still are" in sent.text
    assert 3 <= int(sent.headers["refresh"]) <= 8
    # Otherwise offline.js would forget the seat page that it keeps on the device: "nobody reads in this browser".
    assert "data-account" not in sent.text and "data-account" in text(Client().get(where))


def test_a_message_waits_for_the_readers_own_page(played, cast: Cast) -> None:
    where = seen(played[0])
    said = "The help of every page is shown again."
    player = signed_in(cast.player)
    player.post(address("guides_again"))
    sent = Hall().get(where, client=player)
    assert sent is not None and said not in sent.text
    assert said in text(player.get(where))


@pytest.mark.parametrize(("language", "said"), [("fr", "Le site est très sollicité"), ("it", "molto affollato")])
def test_the_language_is_the_readers(played, language: str, said: str) -> None:
    where = PAGES["pairings"](played[0])
    seen(played[0])
    assert Hall().get(where, accept_language=language) is None, "nobody has read it in this language"
    Client(headers={"Accept-Language": language}).get(where)
    sent = Hall().get(where, accept_language=language)
    assert sent is not None and said in sent.text and f'<html lang="{language}"' in sent.text
    assert sent.headers["content-language"] == language
    chosen = Client()
    chosen.cookies["django_language"] = language
    assert Hall().get(where, client=chosen, accept_language="en") is not None


def test_the_colours_are_the_readers(played) -> None:
    where, dark = seen(played[0]), Client()
    dark.cookies["theme"] = "dark"
    assert Hall().get(where, client=dark) is None
    seen(played[0], client=dark)
    sent = Hall().get(where, client=dark)
    assert sent is not None and 'data-theme="dark"' in sent.text


def test_a_search_gets_only_its_own_page(played) -> None:
    where = seen(played[0], "entrants")
    assert Hall().get(f"{where}?find=Player+1") is None
    Client().get(f"{where}?find=Player+1")
    sent = Hall().get(f"{where}?find=Player+1")
    assert sent is not None and 'value="Player 1"' in sent.text
    long = f"{where}?find={'x' * 200}"
    Client().get(long)
    assert Hall().get(long) is None


# ------------------------------------------------------------------ what has changed since


def _entered(event: Event, round_: Round, cast: Cast) -> None:
    play.enter_result(match=match_of(round_, cast.player), by=cast.organizer, games=(2, 1, 0), now=NOW)


def _computed(event: Event, round_: Round, cast: Cast) -> None:
    _entered(event, round_, cast)
    compute_standings(stage_id=current_stage(event).pk, now=NOW)


def _called(event: Event, round_: Round, cast: Cast) -> None:
    call_judge(match=match_of(round_, cast.player), by=cast.player, now=NOW)


def _started(event: Event, round_: Round, cast: Cast) -> None:
    play.start_clock(round_=round_, by=cast.organizer, now=now())


def _private(event: Event, round_: Round, cast: Cast) -> None:
    choose_registration(event=event, by=cast.organizer, now=NOW, listing="private")


def _hidden(event: Event, round_: Round, cast: Cast) -> None:
    choose_visibility(event=event, cells={"pairings.public.swiss": "never"}, by=cast.organizer, now=NOW)


def _unpublished(event: Event, round_: Round, cast: Cast) -> None:
    play.unpublish_round(round_=round_, by=cast.organizer, now=NOW)


def _withdrawn(event: Event, round_: Round, cast: Cast) -> None:
    withdraw(announcement=announce(event=event, text="Lunch.", by=cast.organizer, now=NOW), by=cast.organizer, now=NOW)


def _dropped(event: Event, round_: Round, cast: Cast) -> None:
    play.drop(entrant=event.entrants.order_by("pk").last(), by=cast.organizer, now=NOW)


@pytest.mark.parametrize("happens", [_entered, _computed, _called, _started], ids=lambda each: each.__name__)
@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_still_sent_while_results_come_in(played, cast: Cast, page: str, happens) -> None:
    where = seen(played[0], page)
    happens(*played, cast)
    assert Hall().get(where) is not None


@pytest.mark.parametrize(
    "happens", [_private, _hidden, _unpublished, _withdrawn, _dropped], ids=lambda each: each.__name__
)
def test_a_page_is_not_sent_once_less_may_be_shown(played, cast: Cast, happens) -> None:
    where = seen(played[0])
    hall = Hall()
    assert hall.get(where) is not None
    happens(*played, cast)
    assert hall.get(where) is None


@pytest.mark.parametrize("page", PAGES)
def test_no_page_of_an_event_is_sent_once_it_is_private_not_even_after_it_was_asked_for_again(
    played, cast: Cast, page: str
) -> None:
    where = seen(played[0], page)
    _private(*played, cast)
    assert Client().get(where).status_code == 404
    assert signed_in(cast.player).get(where).status_code == 200
    assert Hall().get(where) is None and Hall().get(where, client=signed_in(cast.player)) is None


def test_an_event_that_is_only_unlisted_is_sent_to_whoever_has_the_address(played, cast: Cast) -> None:
    choose_registration(event=played[0], by=cast.organizer, now=NOW, listing="unlisted")
    assert Hall().get(seen(played[0])) is not None


def test_a_page_that_was_asked_for_after_the_change_is_sent(played, cast: Cast) -> None:
    where = seen(played[0])
    _dropped(*played, cast)
    assert Hall().get(where) is None
    assert Hall().get(seen(played[0])) is not None


def test_a_link_to_a_profile_that_was_switched_off_is_not_sent(played, cast: Cast) -> None:
    person = own_person(cast.player)
    show_profile(person=person, short_name="ada", text="", searchable=False, now=NOW)
    where = seen(played[0])
    sent = Hall().get(where)
    assert sent is not None and "/@ada" in sent.text
    hide_profile(person=person)
    assert Hall().get(where) is None


def test_a_page_of_an_event_that_nobody_follows_is_not_sent(played) -> None:
    where = seen(played[0])
    assert Hall(lambda _event, _position: None).get(where) is None


def test_a_page_is_sent_for_a_minute(played, monkeypatch) -> None:
    where = seen(played[0])
    older(monkeypatch, OLDEST - 2)
    assert Hall().get(where) is not None
    older(monkeypatch, OLDEST + 2)
    assert Hall().get(where) is None


def test_a_page_that_was_found_to_be_right_again_is_as_young_as_that(played, monkeypatch) -> None:
    where = seen(played[0])
    later = time.monotonic() + 40
    monkeypatch.setattr(shared.time, "monotonic", lambda: later)
    seen(played[0])
    sent = Hall().get(where)
    assert sent is not None and sent.headers["age"] == "1"


def test_another_state_of_the_page_than_the_one_that_was_right_is_not_sent(played) -> None:
    where = seen(played[0])
    note = next(iter(shelf.confirmed.values()))
    shelf._keep(note.key, Kept.of("<p>of another thread</p>"))
    assert Hall().get(where) is None


def test_what_another_process_has_put_into_the_shared_cache_is_not_sent_before_it_was_asked_for(
    played, monkeypatch
) -> None:
    monkeypatch.setattr(shared, "_is_shared_cache", lambda: True)
    where = seen(played[0])
    shelf.clear()  # as in another process
    assert Hall().get(where) is None
    seen(played[0])
    assert Hall().get(where) is not None


def test_notes_about_pages_are_limited(played, monkeypatch) -> None:
    monkeypatch.setattr(shared, "MOST_CONFIRMED", 2)
    first, *others = [seen(played[0], page) for page in ("event", "entrants", "pairings")]
    assert Hall().get(first) is None
    assert all(Hall().get(each) for each in others)


# ------------------------------------------------------------------ requests that wait for a lane


@pytest.mark.parametrize(
    "asked",
    [
        {"method": "HEAD"},
        {"method": "OPTIONS"},
        {"hx_request": "true"},
        {"hx_request": "true", "hx_boosted": "true"},
        {"host": "elsewhere.example"},
    ],
    ids=str,
)
def test_other_requests_wait_for_a_lane(played, asked: Mapping[str, str]) -> None:
    where = seen(played[0])
    assert Hall().get(where, **asked) is None


def test_an_address_that_is_no_text_waits_for_the_lane_that_refuses_it(played) -> None:
    seen(played[0])
    scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"\xff", "headers": []}
    assert Hall().pages(scope) is None


def test_a_request_that_has_to_be_redirected_to_tls_waits(played, settings: LazySettings) -> None:
    where = seen(played[0])
    settings.SECURE_SSL_REDIRECT = True
    assert Hall().get(where) is None


def test_a_fragment_is_not_sent_as_a_page(played) -> None:
    where = PAGES["pairings"](played[0])
    assert Client().get(where, headers={"HX-Request": "true"}).status_code == 200
    assert Hall().get(where) is None


def test_pages_for_staff_and_players_are_never_kept_for_others(played, cast: Cast) -> None:
    for user in (cast.organizer, cast.player):
        seen(played[0], client=signed_in(user))
    assert Hall().get(PAGES["pairings"](played[0])) is None


def test_widgets_and_screens_wait_for_a_lane(played, cast: Cast) -> None:
    event, _round = played
    choose_sites(event=event, sites=["https://club.example"], by=cast.organizer, now=NOW)
    places = [address("event_embed", event.public_id, "pairings"), address("screen", event.public_id, "pairings")]
    for where in places:
        assert Client().get(where).status_code == 200
        assert Hall().get(where) is None, "it has no place for the notice, and other sites may show it"
