"""Pictures of boards to share: who gets them, what they say, and that they show no more than the pages."""

import json
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from PIL import Image

from engine import face
from engine.core.replay.replay import Replay
from tests.builders import a_published_round, a_running_event, first_game, match_of, users_of
from tests.cast import Cast
from tests.paper.test_board_picture import Written
from tests.web.pages import address, queries_of, signed_in, text
from tests.web.test_bench import audited
from tests.web.test_keeping import kept
from tournaments.accounts.models import User
from tournaments.accounts.services import own_person, stay_off_stream
from tournaments.audits.branches import open_branch
from tournaments.common.clock import now
from tournaments.decks.engine_gate import card_names
from tournaments.demo.games import with_a_second_attack
from tournaments.play.models import Match

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(cast: Cast) -> Match:
    return match_of(a_published_round(a_running_event(cast, players=2), cast.organizer), cast.player)


def said(user: User, page: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the words of a picture, as this user gets it."""
    written = Written(monkeypatch)
    answer = signed_in(user).get(page)
    monkeypatch.undo()
    assert answer.status_code == 200 and Image.open(BytesIO(answer.content)).width == 1200
    return " ".join(words for words, _box in written)


def seat_of_player(match: Match, cast: Cast) -> str:
    return "A" if users_of(match)[0] == cast.player else "B"


def test_a_move_is_shared_as_a_picture_from_its_page(cast: Cast, match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    document = first_game(match)
    log = audited(match, document, cast.player)
    page = address("audit_picture", log.public_id, 12)
    assert f'href="{page}"' in text(signed_in(cast.judge).get(address("audit_step", log.public_id, 12)))
    answer = signed_in(cast.judge).get(page)
    assert answer["Content-Type"] == "image/png"
    assert answer["Content-Disposition"] == f'inline; filename="{log.public_id}-12.png"'
    assert "no-store" in answer["Cache-Control"] and "private" in answer["Cache-Control"]
    words = said(cast.judge, page, monkeypatch)
    event = match.round.stage.event
    table = f"Round 1, table {match.table}, game 1"
    sight = "As seen by a judge, with all hands"
    for part in (event.name, table, f"After move 12 of {len(document['moves'])}", sight, log.public_id):
        assert part in words
    assert answer.content == signed_in(cast.judge).get(page).content
    assert "Before the first move" in said(cast.judge, address("audit_picture", log.public_id, 0), monkeypatch)
    beyond = address("audit_picture", log.public_id, len(document["moves"]) + 1)
    assert signed_in(cast.judge).get(beyond).status_code == 404


def test_only_readers_of_a_log_get_its_picture(cast: Cast, match: Match) -> None:
    log = audited(match, first_game(match), cast.player)
    page = address("audit_picture", log.public_id, 3)
    (other,) = (user for user in users_of(match) if user != cast.player)
    found = [(cast.judge, 200), (cast.player, 200), (cast.scorekeeper, 403), (cast.stranger, 404), (other, 404)]
    for user, status in found:
        assert signed_in(user).get(page).status_code == status, user
    assert Client().get(page).status_code == 302


def secrets_of(document: dict[str, Any], own: str) -> Iterator[tuple[int, str]]:
    """Yield entries with the first word of a card in the other hand that is nowhere on the board that `own` sees."""
    other, replay = "B" if own == "A" else "A", Replay(document)
    for n in range(len(document["moves"])):
        seen = json.dumps(replay.board_at(n, own), ensure_ascii=False)
        for card in replay.board_at(n)["seats"][other]["hand"]:
            if isinstance(card, dict) and len(word := card["name"].split()[0]) > 3 and word not in seen:
                yield n, word


def test_a_players_picture_shows_only_the_cards_of_their_seat(
    cast: Cast, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = seat_of_player(match, cast)
    games = (first_game(match, seed) for seed in range(20))
    document, n, secret = next((game, n, word) for game in games for n, word in secrets_of(game, own))
    page = address("audit_picture", audited(match, document, cast.player).public_id, n)
    assert secret in said(cast.judge, page, monkeypatch)
    words = said(cast.player, page, monkeypatch)
    assert secret not in words and "As seen by Player" in words


def test_a_players_picture_does_not_name_the_cards_that_an_opponent_put_back(
    cast: Cast, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = seat_of_player(match, cast)
    document, move = next(
        (game, move)
        for game in (first_game(match, seed) for seed in range(60))
        for move in game["moves"]
        if move["do"] == "mulligan" and move["by"] != own and isinstance(move["args"]["back"], list)
    )
    page = address("audit_picture", audited(match, document, cast.player).public_id, move["n"])
    names = card_names(match.round.stage.event)
    assert any(names[ref] in said(cast.judge, page, monkeypatch) for ref in move["args"]["back"])
    count = len(move["args"]["back"])
    sentence = f"{move['n']} · {move['by']} shuffles {count} unknown cards into the deck and draws again"
    assert sentence in said(cast.player, page, monkeypatch)


def test_a_move_of_ones_own_and_a_card_that_is_played_are_named() -> None:
    card = {"ref": "DEMO-SAF-001", "name": "A", "kind": "combattant", "marks": {}}
    empty: dict[str, Any] = {"game": "star-safir", "seats": {"A": {"hand": ["?"]}, "B": {"field": []}}}
    laid = {**empty, "seats": {**empty["seats"], "B": {"field": [card]}}}
    cards = {"DEMO-SAF-001", "DEMO-SAF-002"}
    move = {"n": 1, "by": "B", "do": "play", "args": {"card": "DEMO-SAF-001", "aside": ["DEMO-SAF-002"]}}
    assert face.boards.seen_move(move, empty, laid, "A", cards)["args"] == {"card": "DEMO-SAF-001", "aside": ["?"]}
    assert face.boards.seen_move(move, empty, laid, "B", cards)["args"] == move["args"]
    assert face.boards.seen_move(move, empty, empty, None, cards)["args"] == {"card": "?", "aside": ["?"]}


def test_players_who_stay_off_streams_are_not_named(cast: Cast, match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    log = audited(match, first_game(match), cast.player)
    page = address("audit_picture", log.public_id, 12)
    entrant = match.seats.get(number="AB".index(seat_of_player(match, cast)) + 1).entrant
    assert entrant.name in said(cast.judge, page, monkeypatch)
    stay_off_stream(person=own_person(cast.player), off=True)
    words = said(cast.judge, page, monkeypatch)
    assert entrant.name not in words and f"Seat {seat_of_player(match, cast)}" in words


def test_the_picture_of_a_refused_move_says_so(cast: Cast, match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    spoiled = next(log for seed in range(50) if (log := with_a_second_attack(first_game(match, seed))))
    log = audited(match, spoiled, cast.player)
    n = log.audit.report["first_illegal"]["n"]
    words = said(cast.judge, address("audit_picture", log.public_id, n), monkeypatch)
    assert f"Move {n}, refused by the rules" in words


def test_a_picture_is_in_the_language_of_its_reader(cast: Cast, match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    log = audited(match, first_game(match), cast.player)
    User.objects.filter(pk=cast.judge.pk).update(language="fr")
    judge = User.objects.get(pk=cast.judge.pk)
    words = said(judge, address("audit_picture", log.public_id, 12), monkeypatch)
    assert "Vu par un arbitre, avec toutes les mains" in words and "Territoire 1" in words


def test_a_picture_takes_as_many_queries_at_any_move(cast: Cast, match: Match) -> None:
    log = audited(match, first_game(match), cast.player)
    judge = signed_in(cast.judge)
    first, later = (queries_of(judge, address("audit_picture", log.public_id, n)) for n in (5, 40))
    assert first == later <= 18


def test_a_saved_board_is_shared_with_what_each_reader_may_see(
    cast: Cast, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    position = kept(cast, match)
    page = address("position_picture", position.public_id)
    for name in ("position", "position_sign"):
        reader = cast.judge if name == "position" else cast.player
        assert f'href="{page}"' in text(signed_in(reader).get(address(name, position.public_id)))
    assert "As seen by a judge, with all hands" in said(cast.judge, page, monkeypatch)
    words = said(cast.player, page, monkeypatch)
    assert "Board saved by a judge at" in words and "As seen by Player" in words and position.public_id in words
    assert signed_in(cast.stranger).get(page).status_code == 404
    assert signed_in(cast.scorekeeper).get(page).status_code == 403
    assert Client().get(page).status_code == 302


def test_a_branch_is_shared_by_judges_alone(cast: Cast, match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    log = audited(match, first_game(match), cast.player)
    branch = open_branch(log=log, n=8, correction="undo", by=cast.judge, now=now())
    page = address("branch_picture", branch.pk, 7)
    assert f'href="{page}"' in text(signed_in(cast.judge).get(address("branch", branch.pk) + "?n=7"))
    words = said(cast.judge, page, monkeypatch)
    assert "What if… at move 8 · After move 7" in words and log.public_id in words
    assert signed_in(cast.player).get(page).status_code == 404
    assert signed_in(cast.scorekeeper).get(page).status_code == 403


def test_the_api_gives_the_same_picture(cast: Cast, match: Match) -> None:
    log = audited(match, first_game(match), cast.player)
    for reader in (cast.judge, cast.player):
        client = signed_in(reader)
        shared = client.get(address("audit_picture", log.public_id, 12)).content
        assert client.get(f"/api/v1/logs/{log.public_id}/picture/?n=12").content == shared
    assert signed_in(cast.judge).get(f"/api/v1/logs/{log.public_id}/picture/?n=9999").status_code == 404
    assert signed_in(cast.judge).get(f"/api/v1/logs/{log.public_id}/picture/").status_code == 422
