"""Feature matches that the public can watch: delayed, without hidden cards, and with no way to see more."""

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from time_machine import Traveller

from tests.api.scenes import token_client
from tests.audits.test_features import recorded
from tests.builders import NOW, a_published_round, a_running_event, match_of, users_of
from tests.cast import Cast
from tests.web.pages import address, queries_of, signed_in, text
from tournaments.accounts.services import own_person, stay_off_stream
from tournaments.audits import features, recording
from tournaments.audits.access import recorder_for
from tournaments.audits.models import Feature, Recording
from tournaments.play.models import Match
from tournaments.web.live.positions import news_since, positions

pytestmark = pytest.mark.django_db
DELAY = 5  # minutes


@pytest.fixture
def match(cast: Cast) -> Match:
    return match_of(a_published_round(a_running_event(cast, players=2), cast.organizer), cast.player)


@pytest.fixture
def opened(cast: Cast, match: Match) -> Recording:
    """A feature match with six recorded moves, one per minute, the first a minute after `NOW`."""
    features.name_feature(match=match, delay=DELAY, by=cast.judge, now=NOW)
    return recorded(cast, match, 6)


@pytest.fixture
def clock() -> Iterator[Traveller]:
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


def at_minute(clock: Traveller, minutes: float) -> None:
    clock.move_to(NOW + timedelta(minutes=minutes))


def moves_in(page: str) -> list[int]:
    """Return the numbers of the moves that a page lists, newest first."""
    return [int(n) for n in re.findall(r'id="move-(\d+)"', page)]


def test_the_page_shows_board_and_moves_as_of_the_delay(
    match: Match, opened: Recording, clock: Traveller, client: Client
) -> None:
    where = address("watch", match.public_id)
    at_minute(clock, DELAY + 3)
    page = text(client.get(where))
    assert moves_in(page) == [3, 2, 1]
    assert "After move 3 of 3" in page and "5 minutes after it is played" in page
    assert 'class="board board--star-safir"' in page and "to play" in page
    at_minute(clock, DELAY + 4)
    part = text(client.get(where, headers={"HX-Request": "true"}))
    assert moves_in(part) == [4, 3, 2, 1]
    assert "<html" not in part
    assert f'hx-get="{where}"' in part, "the fragment goes on following"


def test_no_page_or_route_reveals_newer_moves(
    cast: Cast, match: Match, opened: Recording, clock: Traveller, client: Client
) -> None:
    at_minute(clock, DELAY + 3)
    event = match.round.stage.event.public_id
    api = f"/api/v1/matches/{match.public_id}/watch/"
    for n in (4, 5, 6, 7):
        assert client.get(address("watch_step", match.public_id, 1, n)).status_code == 404
        assert (
            client.get(address("watch_step", match.public_id, 1, n), headers={"HX-Request": "true"}).status_code == 404
        )
        assert client.get(f"{api}?n={n}").status_code == 404
    assert client.get(address("watch_step", match.public_id, 2, 0)).status_code == 404
    told = client.get(api).json()
    assert (told["n"], told["line"], told["over"]) == (3, [1, 2, 3], False)
    assert [move["n"] for move in told["moves"]] == [1, 2, 3]
    screen = text(client.get(address("watch_screen", match.public_id)))
    assert re.findall(r'class="figure">(\d+)<', screen) == ["3", "2", "1"]
    for way in (address("record", opened.public_id), f"/api/v1/recordings/{opened.public_id}/"):
        for reader in (client, signed_in(cast.stranger), token_client(cast.stranger, "read")):
            assert reader.get(way).status_code in (302, 401, 404)
    assert client.get(address("event_file", event)).status_code in (302, 404)
    for table in ("matches", "results", "entrants"):
        exported = client.get(f"/e/{event}/exports/{table}.json")
        assert opened.public_id not in exported.content.decode()


def test_staff_and_players_see_no_more_on_it_than_the_public(
    cast: Cast, match: Match, opened: Recording, clock: Traveller
) -> None:
    at_minute(clock, DELAY + 3)
    for who in (cast.judge, cast.player, cast.organizer, cast.stranger):
        assert moves_in(text(signed_in(who).get(address("watch", match.public_id)))) == [3, 2, 1]


def test_the_stream_announces_a_move_when_it_is_shown_not_when_recorded(
    cast: Cast, match: Match, clock: Traveller
) -> None:
    features.name_feature(match=match, delay=DELAY, by=cast.judge, now=NOW)
    event = match.round.stage.event.public_id
    recording.open_recording(game=match.games.get(number=1), by=cast.judge, now=NOW)
    known = positions([event])
    recorded(cast, match, 2)
    at_minute(clock, DELAY + 0.9)
    assert news_since(known) == {}  # six seconds before the first move may be shown
    at_minute(clock, DELAY + 1)
    news = news_since(known)[event]
    assert news.topics == {"feature"}
    assert news.position.number == known[event].number
    assert news_since({event: news.position}) == {}
    at_minute(clock, DELAY + 2)
    assert news_since({event: news.position})[event].topics == {"feature"}


def test_a_move_undone_before_it_was_shown_is_never_shown(
    cast: Cast, match: Match, opened: Recording, clock: Traveller, client: Client
) -> None:
    recorder = recorder_for(cast.judge, opened.public_id)
    recording.ask_undo(recorder=recorder, by=cast.judge, n=7, key="undo-7", now=NOW + timedelta(minutes=7))
    at_minute(clock, 30)
    page = text(client.get(address("watch", match.public_id)))
    assert moves_in(page) == [5, 4, 3, 2, 1]
    for n in (6, 7):
        assert client.get(address("watch_step", match.public_id, 1, n)).status_code == 404
    five = text(client.get(address("watch_step", match.public_id, 1, 5)))
    assert 'id="go-previous"' in five and 'id="go-next"' not in five


def test_the_whole_game_can_be_stepped_through_by_plain_links(
    match: Match, opened: Recording, clock: Traveller, client: Client
) -> None:
    at_minute(clock, 30)
    where, seen = address("watch_step", match.public_id, 1, 0), []  # game 1, before its first move
    while where:
        page = text(client.get(where))
        seen.append(re.search(r'aria-live="polite">Game 1 · (.*?)</h2>', page)[1])
        following = re.search(r'id="go-next" href="([^"#]+)', page)
        where = following[1] if following else ""
    assert seen == ["Before the first move", *(f"After move {n} of 6" for n in range(1, 7))]


def test_players_are_informed_and_the_public_finds_links_to_it(
    cast: Cast, match: Match, opened: Recording, clock: Traveller, client: Client
) -> None:
    at_minute(clock, 6)
    event, where = match.round.stage.event.public_id, address("watch", match.public_id)
    for who in users_of(match):
        player = signed_in(who)
        for page in (address("me", event), address("match", match.public_id), address("record", opened.public_id)):
            assert "the public can follow it with a delay of 5 minutes" in text(player.get(page)), page
    assert where in text(client.get(address("event", event)))
    assert address("watch_screen", match.public_id) in text(client.get(address("screens", event)))


def test_staff_choose_a_feature_match_and_see_who_opted_out_of_streams(cast: Cast, match: Match) -> None:
    desk, where = signed_in(cast.scorekeeper), address("feature", match.public_id)
    assert address("feature", match.public_id) in text(desk.get(address("match", match.public_id)))
    refused = desk.post(where, {"delay": "0"})
    assert refused.status_code == 422 and not Feature.objects.exists()
    assert desk.post(where, {"delay": "7"}).status_code == 302
    assert Feature.objects.get().delay == 7
    one, _two = users_of(match)
    stay_off_stream(person=own_person(one), off=True)
    page = text(desk.get(where))
    assert "does not want to be on stream" in page and "The public cannot see this match" in page
    assert Client().get(address("watch", match.public_id)).status_code == 404
    assert Client().get(address("watch_screen", match.public_id)).status_code == 404
    assert Client().get(f"/api/v1/matches/{match.public_id}/watch/").status_code == 404
    assert desk.post(where, {"delay": "7"}).status_code == 409
    assert desk.post(where, {"withdraw": "yes"}).status_code == 302
    assert not Feature.objects.exists()


def test_the_page_says_when_nothing_is_shown_yet(
    cast: Cast, match: Match, opened: Recording, clock: Traveller, client: Client
) -> None:
    at_minute(clock, 4)
    assert "Nothing to see yet" in text(client.get(address("watch", match.public_id)))
    told = client.get(f"/api/v1/matches/{match.public_id}/watch/").json()
    assert (told["game"], told["games"], told["board"], told["moves"]) == (None, [], None, [])
    assert "The board appears here" in text(client.get(address("watch_screen", match.public_id)))


def test_the_number_of_queries_does_not_grow_with_the_moves(
    match: Match, opened: Recording, clock: Traveller, client: Client
) -> None:
    at_minute(clock, 30)
    first, last = (queries_of(client, address("watch_step", match.public_id, 1, n)) for n in (1, 6))
    assert first == last
