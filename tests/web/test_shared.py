"""What everybody sees is rendered once, is never older than what happened, and has nothing of one reader in it."""

import gzip
import re
import threading
from collections.abc import Callable

import pytest
from django.test import Client

from tests.builders import NOW, a_published_round, a_running_event, an_open_event, match_of
from tests.cast import Cast
from tests.web.pages import address, queries_of, signed_in, text
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
from tournaments.web.shared import Kept, Shelf

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
def test_a_page_that_another_stranger_has_seen_costs_two_queries(played, page: str):
    assert queries_of(Client(), PAGES[page](played[0])) <= 2


@pytest.mark.parametrize("part", [False, True])
@pytest.mark.parametrize("page", PAGES)
def test_a_browser_that_has_the_page_is_told_so(played, page: str, part: bool):
    headers = {"HX-Request": "true"} if part else {}
    first = Client().get(PAGES[page](played[0]), headers=headers)
    assert first.headers["Cache-Control"] == "no-cache"
    again = Client().get(PAGES[page](played[0]), headers={**headers, "If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("page", PAGES)
def test_the_page_of_all_strangers_holds_no_token_and_sets_no_cookie(played, page: str):
    answer = Client().get(PAGES[page](played[0]))
    assert "csrfmiddlewaretoken" not in text(answer) and "X-CSRFToken" not in text(answer)
    assert not answer.cookies


def test_a_page_is_sent_compressed_once_and_plain_to_who_asks_for_it(played):
    plain = Client().get(PAGES["pairings"](played[0]))
    packed = Client().get(PAGES["pairings"](played[0]), headers={"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip" and "Content-Encoding" not in plain.headers
    assert gzip.decompress(packed.content) == plain.content
    assert "Cookie" in packed.headers["Vary"] and "HX-Request" in packed.headers["Vary"]


def test_a_fragment_of_a_stranger_is_compressed_once(played):
    headers = {"HX-Request": "true", "Accept-Encoding": "gzip"}
    assert b'id="pairings"' in gzip.decompress(Client().get(PAGES["pairings"](played[0]), headers=headers).content)


def _confirmed(event: Event, round_: Round, cast: Cast) -> None:
    play.override_result(match=match_of(round_, cast.player), by=cast.organizer, games=(2, 1, 0), now=NOW)


def _announced(event: Event, round_: Round, cast: Cast) -> None:
    announce(event=event, text="Lunch is served.", by=cast.organizer, now=now())


def _counted(event: Event, round_: Round, cast: Cast) -> None:
    for match in round_.matches.filter(table__isnull=False):
        play.override_result(match=match, by=cast.organizer, games=(2, 0, 0), now=NOW)
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
def test_a_page_is_never_older_than_what_happened(
    played, cast: Cast, page: str, happens: Callable[..., None], seen: str, reader: str
):
    event, round_ = played
    client = signed_in(cast.player) if reader == "player" else Client()
    at = PAGES[page](event)
    assert seen not in text(client.get(at))
    happens(event, round_, cast)
    assert seen in text(client.get(at))


def test_languages_and_colours_do_not_mix(played):
    at = PAGES["pairings"](played[0])
    french = text(Client(headers={"Accept-Language": "fr"}).get(at))
    english = text(Client(headers={"Accept-Language": "en"}).get(at))
    dark = Client()
    dark.cookies["theme"] = "dark"
    assert '<html lang="fr"' in french and '<html lang="en"' in english
    assert 'data-theme="dark"' in text(dark.get(at)) and 'data-theme="dark"' not in text(Client().get(at))


def test_who_may_not_see_the_pairings_is_refused_whoever_saw_them_before(played, cast: Cast):
    event, _round = played
    at = PAGES["pairings"](event)
    assert Client().get(at).status_code == 200
    choose_visibility(event=event, cells={"pairings.public.swiss": "never"}, by=cast.organizer, now=NOW)
    assert Client().get(at).status_code == 403
    assert signed_in(cast.player).get(at).status_code == 200
    assert Client().get(at).status_code == 403


def test_the_own_lines_are_marked_for_their_player_alone(played, cast: Cast):
    at = PAGES["pairings"](played[0])
    own = text(signed_in(cast.player).get(at))
    other = text(signed_in(cast.opponent).get(at))
    marks = [re.findall(r'data-entrant="([^"]+)" data-mine', page) for page in (own, other)]
    assert len(marks[0]) == len(marks[1]) == 1 and marks[0] != marks[1]
    assert "Your table" in own and "data-mine" not in text(Client().get(at))
    assert re.search(rf'data-own="{marks[0][0]}"', own)


def test_a_stranger_chooses_language_and_colours_on_a_page_without_a_token(played):
    client = Client(enforce_csrf_checks=True)
    assert client.post(address("set_language"), {"language": "it", "next": "/"}).status_code == 302
    assert client.post(address("set_theme"), {"theme": "dark", "next": "/"}).status_code == 302
    assert '<html lang="it" data-theme="dark"' in text(client.get(PAGES["event"](played[0])))


def test_what_somebody_looks_for_at_length_is_not_kept(played):
    at = PAGES["entrants"](played[0])
    before = len(shared.shelf.kept)
    assert Client().get(at, {"find": "x" * 200}).status_code == 200
    assert len(shared.shelf.kept) == before


def test_a_page_that_is_not_there_is_not_kept(cast: Cast):
    event = an_open_event(cast)
    assert Client().get(address("pairings", event.public_id, 1)).status_code == 404
    round_ = a_published_round(a_running_event(cast), cast.organizer)
    assert Client().get(address("pairings", round_.stage.event.public_id, 1)).status_code == 200


# ------------------------------------------------------------------ the shelf


def test_what_many_ask_for_at_once_is_rendered_once():
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


def test_a_rendering_that_failed_is_tried_again():
    shelf = Shelf()

    def broken() -> bytes:
        raise RuntimeError("broken")

    with pytest.raises(RuntimeError):
        shelf.take(("key",), broken)
    kept = shelf.take(("key",), lambda: b"page")
    assert kept is not None and kept.body == b"page" and not shelf.making


def test_what_is_used_least_goes_first_when_there_is_too_much(monkeypatch):
    shelf = Shelf()
    monkeypatch.setattr(shared, "MOST_BYTES", 3 * Kept.of(b"x" * 1000).size)
    for name in "abc":
        shelf.take((name,), lambda: b"x" * 1000)
    shelf.take(("a",), lambda: b"other")
    shelf.take(("d",), lambda: b"x" * 1000)
    assert [key for (key,) in shelf.kept] == ["c", "a", "d"]
    assert shelf.size == sum(kept.size for kept in shelf.kept.values())


def test_the_newest_entry_of_a_topic_is_read_as_the_ledger_grows(played, cast: Cast, django_assert_num_queries):
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
