"""Images of cards on pages: drawn for allowed hosts alone, and never for a card that the reader must not see."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client

from engine.face.boards import seen_by
from tests.builders import NOW, a_published_round, a_running_event, first_game, match_of
from tests.cast import Cast
from tests.decks.test_images import with_the_demonstration
from tests.web.pages import address, queries_of, signed_in, text
from tournaments.audits import features, recording
from tournaments.audits.access import recorder_for
from tournaments.audits.models import Recording
from tournaments.boards.table import Table
from tournaments.play.models import Match

pytestmark = pytest.mark.django_db
TILE = re.compile(r'<div class="tile[^>]* data-ref="([^"]*)"><img class="tile__image" src="([^"]*)"')


@pytest.fixture
def match(cast: Cast, settings: Any) -> Match:
    settings.CARD_IMAGE_HOSTS = ["cards.example.org"]
    with_the_demonstration(cast.organizer)
    return match_of(a_published_round(a_running_event(cast, players=2), cast.organizer), cast.player)


@pytest.fixture
def opened(cast: Cast, match: Match) -> Recording:
    """A feature match with the first moves of a game; every card that was drawn is known to those who recorded it."""
    features.name_feature(match=match, delay=5, by=cast.judge, now=NOW)
    games = (first_game(match, seed)["moves"][:12] for seed in range(40))
    moves = next(moves for moves in games if '"?"' not in json.dumps(moves))
    opened = recording.open_recording(game=match.games.get(number=1), by=cast.judge, now=NOW)
    recorder = recorder_for(cast.judge, opened.public_id)
    for n, move in enumerate(moves, 1):
        entry = {key: value for key, value in move.items() if key not in ("n", "h")}
        recording.record_move(recorder=recorder, by=cast.judge, entry=entry, n=n, key=f"key-{n}", now=NOW)
    return opened


def pictures(page: str) -> list[tuple[str, str]]:
    """Return the reference and the address of every card with an image, and check that there are no other addresses."""
    found = TILE.findall(page)
    assert page.count("cards.example.org") == len(found)
    return found


def test_the_cards_of_a_board_have_their_images(cast: Cast, opened: Recording) -> None:
    found = pictures(text(signed_in(cast.judge).get(address("record", opened.public_id))))
    assert found
    assert all(where == f"https://cards.example.org/{ref}.jpg" for ref, where in found)


def test_an_image_has_a_fixed_size_no_words_and_tells_nobody_the_page(cast: Cast, opened: Recording) -> None:
    page = text(signed_in(cast.judge).get(address("record", opened.public_id)))
    (tag,) = set(re.findall(r'<img class="tile__image" src="[^"]*"([^>]*)>', page))
    assert tag == ' alt="" width="250" height="150" loading="lazy" decoding="async" referrerpolicy="no-referrer"'


def test_no_image_is_drawn_while_no_host_is_allowed(cast: Cast, opened: Recording, settings: Any) -> None:
    settings.CARD_IMAGE_HOSTS = []
    page = text(signed_in(cast.judge).get(address("record", opened.public_id)))
    assert "tile__name" in page and "tile__image" not in page and "cards.example.org" not in page


def test_the_images_of_hidden_cards_are_on_no_page_of_the_public(cast: Cast, match: Match, opened: Recording) -> None:
    hidden = held(opened, "A") | held(opened, "B")
    watch, screen = address("watch", match.public_id), address("watch_screen", match.public_id)
    with time_machine.travel(NOW + timedelta(hours=1), tick=False):
        for reader, where in ((Client(), watch), (Client(), screen), (signed_in(cast.stranger), watch)):
            page = text(reader.get(where))
            shown = {ref for ref, _where in pictures(page)}
            assert "tile--hidden" in page
            assert shown and shown == set(re.findall(r'data-ref="([^"]*)"', page))
            assert not shown & hidden


def test_players_see_the_images_of_their_own_hand_and_not_of_their_opponents(cast: Cast, opened: Recording) -> None:
    for user in (cast.player, cast.opponent):
        seat = recorder_for(user, opened.public_id).seat
        assert seat is not None
        own, other = held(opened, seat), held(opened, "B" if seat == "A" else "A")
        shown = {ref for ref, _where in pictures(text(signed_in(user).get(address("record", opened.public_id))))}
        assert own <= shown and other - own and not shown & (other - own)


def held(opened: Recording, seat: str) -> set[str]:
    """Return the references of the cards in a hand that lie nowhere in sight."""
    board = recording.live_game(opened).board()
    in_sight = json.dumps(seen_by(board, None))
    return {card["ref"] for card in board["seats"][seat]["hand"] if f'"{card["ref"]}"' not in in_sight}


def test_a_browser_that_records_gets_the_allowed_images_alone(cast: Cast, opened: Recording, settings: Any) -> None:
    judge, where = signed_in(cast.judge), address("record_table", opened.public_id)
    document = judge.get(where).json()
    assert set(document["images"].values()) == {f"https://cards.example.org/{ref}.jpg" for ref in document["images"]}
    assert pictures(json.loads(Table(json.dumps(document)).view())["board"])
    settings.CARD_IMAGE_HOSTS = ["elsewhere.example"]
    document = judge.get(where).json()
    assert document["images"] == {}
    del document["images"]  # as kept on a device before there were images
    assert "tile__image" not in json.loads(Table(json.dumps(document)).view())["board"]


def test_images_cost_one_query_of_a_page_and_none_while_no_host_is_allowed(
    cast: Cast, opened: Recording, settings: Any
) -> None:
    judge, where = signed_in(cast.judge), address("record", opened.public_id)
    with_images = queries_of(judge, where)
    settings.CARD_IMAGE_HOSTS = []
    assert queries_of(judge, where) == with_images - 1


def test_the_privacy_page_names_the_hosts_of_images(client: Client, settings: Any) -> None:
    assert "No page loads anything from other sites." in text(client.get("/privacy/"))
    settings.CARD_IMAGE_HOSTS = ["cards.example.org", "img.example"]
    page = text(client.get("/privacy/"))
    assert "which come from cards.example.org, img.example. The network address" in page
    assert "No page loads anything" not in page
