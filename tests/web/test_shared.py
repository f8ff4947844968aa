"""Shared pages: public pages are rendered once, cached, and sent to many readers.

They are never out of date and contain nothing that belongs to one reader; that is filled in when they are sent.
"""

import gzip
import re
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.cache import cache
from django.test import Client

from tests.builders import NOW, a_published_round, a_running_event, an_open_event, match_of
from tests.cast import Cast
from tests.web.pages import address, queries_of, signed_in, text
from tournaments.accounts.models import User
from tournaments.announcements.services import announce
from tournaments.common import ledger
from tournaments.common.clock import now
from tournaments.common.newest import Newest
from tournaments.events.models import Event
from tournaments.events.selectors import current_stage
from tournaments.events.services import choose_visibility
from tournaments.play import services as play
from tournaments.play.models import Round
from tournaments.standings.services import compute_standings
from tournaments.web import shared
from tournaments.web.shared import Kept, Shelf, _name

pytestmark = pytest.mark.django_db
PAGES = {
    "event": lambda event: address("event", event.public_id),
    "entrants": lambda event: address("entrants", event.public_id),
    "pairings": lambda event: address("pairings", event.public_id, 1),
    "standings": lambda event: address("standings", event.public_id),
}


@pytest.fixture
def played(cast: Cast) -> tuple[Event, Round]:
    """A running event with a published round."""
    event = a_running_event(cast)
    return event, a_published_round(event, cast.organizer)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_cached_for_visitors_takes_at_most_two_queries(played, page: str):
    assert queries_of(Client(), PAGES[page](played[0]), cached=True) <= 2


@pytest.mark.parametrize("part", [False, True])
@pytest.mark.parametrize("page", PAGES)
def test_a_browser_that_has_the_current_page_gets_a_304(played, page: str, part: bool):
    headers = {"HX-Request": "true"} if part else {}
    first = Client().get(PAGES[page](played[0]), headers=headers)
    assert first.headers["Cache-Control"] == "no-cache"
    again = Client().get(PAGES[page](played[0]), headers={**headers, "If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("page", PAGES)
def test_a_page_cached_for_visitors_has_no_token_and_sets_no_cookie(played, page: str):
    answer = Client().get(PAGES[page](played[0]))
    assert "csrfmiddlewaretoken" not in text(answer) and "X-CSRFToken" not in text(answer)
    assert not answer.cookies


def test_a_cached_page_is_sent_compressed_or_plain_as_requested(played):
    plain = Client().get(PAGES["pairings"](played[0]))
    packed = Client().get(PAGES["pairings"](played[0]), headers={"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip" and "Content-Encoding" not in plain.headers
    assert gzip.decompress(packed.content) == plain.content
    assert "Cookie" in packed.headers["Vary"] and "HX-Request" in packed.headers["Vary"]


def test_a_fragment_for_visitors_is_compressed_only_once(played):
    headers = {"HX-Request": "true", "Accept-Encoding": "gzip"}
    assert b'id="pairings"' in gzip.decompress(Client().get(PAGES["pairings"](played[0]), headers=headers).content)


def _confirmed(event: Event, round_: Round, cast: Cast) -> None:
    play.enter_result(match=match_of(round_, cast.player), by=cast.organizer, games=(2, 1, 0), now=NOW)


def _announced(event: Event, round_: Round, cast: Cast) -> None:
    announce(event=event, text="Lunch is served.", by=cast.organizer, now=now())


def _counted(event: Event, round_: Round, cast: Cast) -> None:
    for match in round_.matches.filter(table__isnull=False):
        play.enter_result(match=match, by=cast.organizer, games=(2, 0, 0), now=NOW)
    play.close_round(round_=round_, by=cast.organizer, now=NOW)
    compute_standings(stage_id=current_stage(event).pk, now=NOW)


def _dropped(event: Event, round_: Round, cast: Cast) -> None:
    entrant = event.entrants.order_by("pk").last()
    play.drop(entrant=entrant, by=cast.organizer, now=NOW)


@pytest.mark.parametrize("reader", ["stranger without an account", "player"])
@pytest.mark.parametrize(
    ("page", "happens", "seen"),
    [
        ("pairings", _confirmed, "2–1"),
        ("standings", _counted, "table--standings"),
        ("entrants", _dropped, "Dropped"),
        ("event", _announced, "Lunch is served."),
    ],
)
def test_a_cached_page_is_never_out_of_date(
    played, cast: Cast, page: str, happens: Callable[..., None], seen: str, reader: str
):
    event, round_ = played
    client = signed_in(cast.player) if reader == "player" else Client()
    at = PAGES[page](event)
    assert seen not in text(client.get(at))
    happens(event, round_, cast)
    assert seen in text(client.get(at))


def test_pages_are_cached_per_language_and_theme(played):
    at = PAGES["pairings"](played[0])
    french = text(Client(headers={"Accept-Language": "fr"}).get(at))
    english = text(Client(headers={"Accept-Language": "en"}).get(at))
    dark = Client()
    dark.cookies["theme"] = "dark"
    assert '<html lang="fr"' in french and '<html lang="en"' in english
    assert 'data-theme="dark"' in text(dark.get(at)) and 'data-theme="dark"' not in text(Client().get(at))


def test_visitors_are_refused_cached_pairings_that_were_hidden_meanwhile(played, cast: Cast):
    event, _round = played
    at = PAGES["pairings"](event)
    assert Client().get(at).status_code == 200
    choose_visibility(event=event, cells={"pairings.public.swiss": "never"}, by=cast.organizer, now=NOW)
    assert Client().get(at).status_code == 403
    assert signed_in(cast.player).get(at).status_code == 200
    assert Client().get(at).status_code == 403


def test_players_are_refused_cached_pairings_that_were_hidden_meanwhile(played, cast: Cast):
    event, _round = played
    at = PAGES["pairings"](event)
    assert signed_in(cast.opponent).get(at).status_code == 200
    never = {"pairings.public.swiss": "never", "pairings.players.swiss": "never"}
    choose_visibility(event=event, cells=never, by=cast.organizer, now=NOW)
    assert signed_in(cast.player).get(at).status_code == 403


def test_a_players_own_line_is_marked_only_for_them(played, cast: Cast):
    at = PAGES["pairings"](played[0])
    own = text(signed_in(cast.player).get(at))
    other = text(signed_in(cast.opponent).get(at))
    marks = [re.findall(r'data-entrant="([^"]+)" data-mine', page) for page in (own, other)]
    assert len(marks[0]) == len(marks[1]) == 1 and marks[0] != marks[1]
    assert "Your table" in own and "data-mine" not in text(Client().get(at))
    assert re.search(rf'data-own="{marks[0][0]}"', own)


FOR_PLAYERS = ("entrants", "pairings", "standings")


@pytest.mark.parametrize("page", FOR_PLAYERS)
def test_a_page_seen_by_another_player_is_not_rendered_again(played, cast: Cast, page: str, monkeypatch):
    at = PAGES[page](played[0])
    assert signed_in(cast.player).get(at).status_code == 200
    monkeypatch.setattr(shared, "_made", lambda *_: pytest.fail("rendered again"))
    assert "Sign out" in text(signed_in(cast.opponent).get(at))


@pytest.mark.parametrize("page", FOR_PLAYERS)
@pytest.mark.parametrize("reader", ["player", "opponent", "stranger", "organizer", "judge"])
def test_all_placeholders_in_a_cached_page_are_filled_in(played, cast: Cast, page: str, reader: str):
    at = PAGES[page](played[0])
    assert "blank-" not in text(signed_in(cast.player).get(at))
    user = getattr(cast, reader)
    found = text(signed_in(user).get(at))
    assert "blank-" not in found and f'data-account="{user.public_id}"' in found


def test_staff_do_not_get_the_page_cached_for_players(played, cast: Cast):
    at = PAGES["pairings"](played[0])
    assert ">Desk<" not in text(signed_in(cast.player).get(at))
    assert ">Desk<" in text(signed_in(cast.organizer).get(at))
    assert ">My seat<" not in text(signed_in(cast.stranger).get(at))


@pytest.mark.parametrize("page", FOR_PLAYERS)
def test_forms_in_a_page_cached_for_players_have_the_csrf_token_of_the_reader(played, cast: Cast, page: str):
    at = PAGES[page](played[0])
    signed_in(cast.opponent).get(at)
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.player)
    tokens = set(re.findall(r'name="csrfmiddlewaretoken" value="([^"]+)"', text(client.get(at))))
    assert len(tokens) == 1
    chosen = {"theme": "dark", "next": "/", "csrfmiddlewaretoken": tokens.pop()}
    assert client.post(address("set_theme"), chosen).status_code == 302


def test_an_announcement_to_one_table_is_not_shown_to_others(played, cast: Cast):
    event, round_ = played
    match = match_of(round_, cast.player)
    announce(event=event, table=match.table, text="Come to the desk.", by=cast.organizer, now=now())
    elsewhere = User.objects.filter(persons__member__entrant__seats__round=round_)
    other = elsewhere.exclude(persons__member__entrant__seats__match=match).first()
    at = PAGES["pairings"](event)
    assert "Come to the desk." in text(signed_in(cast.player).get(at))
    assert "Come to the desk." not in text(signed_in(other).get(at))


def test_a_pending_message_is_shown_only_to_its_reader_and_once(played, cast: Cast):
    at = PAGES["pairings"](played[0])
    client = signed_in(cast.player)
    client.post(address("guides_again"))
    said = "The help of every page is shown again."
    other = signed_in(cast.opponent)
    assert [said in text(reader.get(at)) for reader in (client, client, other)] == [True, False, False]


def test_a_visitor_can_choose_language_and_theme_without_a_csrf_token(played):
    client = Client(enforce_csrf_checks=True)
    assert client.post(address("set_language"), {"language": "it", "next": "/"}).status_code == 302
    assert client.post(address("set_theme"), {"theme": "dark", "next": "/"}).status_code == 302
    assert '<html lang="it" data-theme="dark"' in text(client.get(PAGES["event"](played[0])))


def test_pages_of_long_searches_are_not_cached(played):
    at = PAGES["entrants"](played[0])
    before = len(shared.shelf.kept)
    assert Client().get(at, {"find": "x" * 200}).status_code == 200
    assert len(shared.shelf.kept) == before


def test_a_404_is_not_cached(cast: Cast):
    event = an_open_event(cast)
    assert Client().get(address("pairings", event.public_id, 1)).status_code == 404
    round_ = a_published_round(a_running_event(cast), cast.organizer)
    assert Client().get(address("pairings", round_.stage.event.public_id, 1)).status_code == 200


# ------------------------------------------------------------------ the cache itself


def test_concurrent_requests_for_a_page_render_it_once():
    rendered: list[int] = []
    entered, go = threading.Event(), threading.Event()
    shelf = Shelf()

    def make() -> bytes:
        rendered.append(1)
        entered.set()
        go.wait(5)
        return b"page"

    found: list[Kept | None] = []
    threads = [threading.Thread(target=lambda: found.append(shelf.take(("key",), make))) for _ in range(8)]
    for thread in threads:
        thread.start()
    entered.wait(5)
    go.set()
    for thread in threads:
        thread.join(5)
    assert rendered == [1] and [each.body for each in found if each] == [b"page"] * 8


def test_two_processes_that_want_the_same_page_render_it_once(monkeypatch):
    """Each process has a shelf of its own; the cache is what they share."""
    monkeypatch.setattr("tournaments.web.shared._is_shared_cache", lambda: True)
    made: list[int] = []

    def make(process: int) -> bytes:
        made.append(process)
        time.sleep(0.2)
        return b"the pairings"

    with ThreadPoolExecutor(2) as pool:
        taken = pool.map(lambda process: Shelf().take(("twice",), lambda: make(process)), range(2))
    assert [kept.body for kept in taken] == [b"the pairings"] * 2
    assert len(made) == 1


def test_a_process_that_dies_while_it_renders_holds_the_others_up_for_seconds_at_most(monkeypatch):
    monkeypatch.setattr("tournaments.web.shared._is_shared_cache", lambda: True)
    monkeypatch.setattr("tournaments.web.shared.OTHERS_SECONDS", 0.3)
    cache.add(f"{_name(('died',))}.made", 1, 60)
    assert Shelf().take(("died",), lambda: b"the pairings").body == b"the pairings"


def test_a_failed_rendering_is_tried_again():
    shelf = Shelf()

    def broken() -> bytes:
        raise RuntimeError("broken")

    with pytest.raises(RuntimeError):
        shelf.take(("key",), broken)
    kept = shelf.take(("key",), lambda: b"page")
    assert kept is not None and kept.body == b"page" and not shelf.making


def test_the_least_recently_used_page_is_dropped_when_the_cache_is_full(monkeypatch):
    shelf = Shelf()
    monkeypatch.setattr(shared, "MOST_BYTES", 3 * Kept.of(b"x" * 1000).size)
    for name in "abc":
        shelf.take((name,), lambda: b"x" * 1000)
    shelf.take(("a",), lambda: b"other")  # cached, so not made again: "a" is now the last used
    shelf.take(("d",), lambda: b"x" * 1000)
    assert [key for (key,) in shelf.kept] == ["c", "a", "d"]
    assert shelf.size == sum(kept.size for kept in shelf.kept.values())


def test_the_newest_entry_of_a_topic_is_read_once_per_revision(played, cast: Cast, django_assert_num_queries):
    event, round_ = played
    newest = Newest()
    before = ledger.revision(event.public_id)
    assert newest.last(event.public_id, before, ["round"]) > 0 == newest.last(event.public_id, before, ["result"])
    _confirmed(event, round_, cast)
    after = ledger.revision(event.public_id)
    with django_assert_num_queries(1):
        assert newest.last(event.public_id, after, ["result"]) == after
    with django_assert_num_queries(0):
        assert newest.last(event.public_id, after, ["result", "round"]) == after
