"""Replay of a log on pages: what each move changed, the legal moves, questionable moves, and which cards are hidden."""

import json
import re
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from engine import face
from engine.core.replay import selfplay
from engine.core.replay.replay import Replay
from engine.core.shown import listing
from engine.core.text.registry import GAMES
from tests.builders import NOW, a_published_round, a_running_event, first_game, match_of, users_of
from tests.cast import Cast
from tests.web.pages import address, signed_in, text
from tournaments.accounts.models import User
from tournaments.audits.models import MoveLog
from tournaments.audits.services import submit_log
from tournaments.common import jobs
from tournaments.demo.games import with_a_second_attack
from tournaments.play.models import Match
from tournaments.web.pages.audits.boards import Board, board_words

HTMX = {"HX-Request": "true"}


@pytest.fixture
def match(cast: Cast) -> Match:
    return match_of(a_published_round(a_running_event(cast, players=2), cast.organizer), cast.player)


def audited(match: Match, log: dict[str, Any], by: User) -> MoveLog:
    kept = submit_log(game=match.games.get(number=1), document=json.dumps(log).encode(), by=by, now=NOW)
    jobs.run_due(NOW + timedelta(seconds=1))
    return MoveLog.objects.get(pk=kept.pk)


def changes(board: Board) -> list[str]:
    """List everything a board marks as changed by its move."""
    groups = [*board.sides, *([board.common] if board.common else [])]
    told = [f"{fact.words} was {fact.was}" for side in groups for fact in side.facts if fact.was is not None]
    told += [region.change for region in board.track.regions if region.change] if board.track else []
    for group in groups:
        for zone in group.zones:
            told += [slot.change for slot in zone.slots if slot.change]
            told += [f"{zone.words} was {zone.was}"] if zone.was is not None else []
    return told


# ------------------------------------------------------------------------------------------------ changes of a move


@pytest.mark.parametrize("game", GAMES)
def test_a_board_marks_changes_exactly_when_the_move_changed_it(game: str) -> None:
    moments = list(face.live.Replayed(json.dumps(selfplay.play(game, 2))).moments())[:40]
    for before, after in pairwise(moments):
        sides = [board["seats"] for board in (before.board, after.board)]
        said = changes(board_words(after.board, {}, before.board))
        assert bool(said) == (sides[0] != sides[1] or before.board.get("common") != after.board.get("common"))


def test_a_card_that_moves_up_a_slot_is_not_marked_as_new() -> None:
    card = {"ref": "X-1", "name": "Chien", "kind": "créature", "atk": 1, "marks": {}}
    other = {**card, "ref": "X-2", "name": "Chat"}
    side = {"pv": 20, "hand": [], "field": [card, other]}
    before = {
        "game": "stellar-nexus", "turn": {"n": 2, "seat": "A", "phase": "principale1", "first": "A"},
        "seats": {"A": side, "B": side}, "result": None,
    }  # fmt: skip
    after = {**before, "seats": {"A": {**side, "pv": 18, "field": [{**other, "atk": 3}]}, "B": side}}
    with translation.override("en"):
        assert sorted(changes(board_words(after, {}, before))) == ["Field was 2", "PV was 20", "changed"]
        assert changes(board_words(after, {})) == []


@pytest.mark.django_db
def test_the_page_marks_changes_in_words_too(cast: Cast, match: Match) -> None:
    document = first_game(match)
    log = audited(match, document, cast.player)
    n = next(move["n"] for move in document["moves"] if move["do"] == "play")
    page = text(signed_in(cast.judge).get(address("audit_step", log.public_id, n), headers=HTMX))
    assert re.search(
        r'class="tile[^"]* is-changed"[^>]*>.*?<span class="tile__change">new here</span>', page, re.DOTALL
    )
    assert '<span class="was">was ' in page


# ----------------------------------------------------------------------------------------------------- hidden cards


@pytest.mark.parametrize("game", GAMES)
def test_the_pages_hide_the_same_cards_as_the_engine(game: str) -> None:
    replay = Replay(selfplay.play(game, 2))
    last = len(replay.log.entries)
    for n in range(0, last, 7):
        whole = replay.board_at(n)
        for seat in ("A", "B", None):
            assert face.boards.seen_by(whole, seat) == replay.board_at(n, seat)


def has_known_hand(replay: Replay, n: int, seat: str) -> bool:
    """Return whether any card in the hand of a seat is known after move `n`."""
    return any(isinstance(card, dict) for card in replay.board_at(n)["seats"][seat]["hand"])


@pytest.mark.django_db
def test_a_player_sees_only_their_own_hand_and_a_judge_sees_both(cast: Cast, match: Match) -> None:
    document = first_game(match)
    replay = Replay(document)
    # Logs leave most hands unknown: look for a board on which hiding makes a difference.
    told = ((n, seat) for n in range(len(document["moves"])) for seat in "AB" if has_known_hand(replay, n, seat))
    n, known = next(told)
    seat = "B" if known == "A" else "A"
    player = users_of(match)["AB".index(seat)]
    log = audited(match, document, player)

    def board(user: User) -> dict[str, Any]:
        return signed_in(user).get(f"/api/v1/logs/{log.public_id}/board/?n={n}").json()["board"]

    assert board(player) == replay.board_at(n, seat) != replay.board_at(n)
    assert board(cast.judge) == replay.board_at(n)
    page = address("audit_step", log.public_id, n)
    assert "You only see the cards that you could see from your seat." in text(signed_in(player).get(page))
    assert "You only see the cards that you could see from your seat." not in text(signed_in(cast.judge).get(page))


# -------------------------------------------------------------------------------- legal moves and questionable moves

MORE_MOVES = "There are more legal moves than are listed here."


@pytest.mark.django_db
def test_the_move_that_was_made_is_among_the_legal_moves_of_its_board(cast: Cast, match: Match) -> None:
    document = first_game(match)
    log = audited(match, document, cast.player)
    judge = signed_in(cast.judge)
    made = next(move for move in document["moves"] if move["do"] == "play")
    found = judge.get(f"/api/v1/logs/{log.public_id}/legal/?n={made['n'] - 1}").json()
    assert {key: made[key] for key in ("by", "do", "args")} in found
    page = address("audit_legal", log.public_id, made["n"] - 1)
    assert "Legal moves after move" in text(judge.get(page))
    assert text(judge.get(page, headers=HTMX)).strip().startswith('<div class="stack--tight" id="legal">')
    assert judge.get(address("audit_legal", log.public_id, 10**6)).status_code == 404


@pytest.mark.django_db
def test_a_player_sees_only_their_own_legal_moves(cast: Cast, match: Match) -> None:
    document = first_game(match)
    log = audited(match, document, cast.player)
    seat = "A" if users_of(match)[0] == cast.player else "B"
    for n in (3, 4, 5, 6, 7, 8):
        found = signed_in(cast.player).get(f"/api/v1/logs/{log.public_id}/legal/?n={n}").json()
        assert {move["by"] for move in found} <= {seat}


@pytest.mark.django_db
def test_a_list_of_legal_moves_that_ends_early_says_that_there_are_more(
    cast: Cast, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = audited(match, first_game(match), cast.player)
    judge, page = signed_in(cast.judge), address("audit_legal", log.public_id, 1)
    whole = judge.get(f"/api/v1/logs/{log.public_id}/legal/?n=1")
    assert "X-More" not in whole.headers and MORE_MOVES not in text(judge.get(page))
    monkeypatch.setattr(listing, "MOST_MOVES", 1)
    cut = judge.get(f"/api/v1/logs/{log.public_id}/legal/?n=1")
    assert cut.headers["X-More"] == "true" and 0 < len(cut.json()) < len(whole.json())
    assert MORE_MOVES in text(judge.get(page))


@pytest.mark.django_db
def test_the_replay_links_to_each_questionable_move_and_names_its_rule(cast: Cast, match: Match) -> None:
    spoiled = next(log for seed in range(50) if (log := with_a_second_attack(first_game(match, seed))))
    spoiled["moves"][4]["claims"] = {"A.pv": 25}  # a noted total that the replay contradicts
    log = audited(match, spoiled, cast.player)
    n = log.audit.report["first_illegal"]["n"]
    judge = signed_in(cast.judge)
    start = text(judge.get(address("audit_step", log.public_id, 0), headers=HTMX))
    assert f'id="go-doubts" href="{address("audit_step", log.public_id, 5)}#replay"' in start
    assert 'id="go-claims"' in start
    assert "go-rulings" not in start
    noted = text(judge.get(address("audit_step", log.public_id, 5), headers=HTMX))
    assert "Found at this move" in noted and "noted 25, found 0" in noted
    assert f'id="go-illegal" href="{address("audit_step", log.public_id, n)}#replay"' in noted
    assert "SAF-VI.3-5" in text(judge.get(address("audit_step", log.public_id, n), headers=HTMX))
    noted_at = [move["n"] for move in spoiled["moves"][: n - 1] if move.get("claims")]
    shown = judge.get(f"/api/v1/logs/{log.public_id}/board/?n=5").json()
    assert shown["marked"] == [5, n]
    assert shown["landmarks"] == {"illegal": [n], "doubts": [5], "rulings": [], "claims": noted_at}


@pytest.mark.django_db
def test_a_game_can_be_read_as_text_in_the_readers_language(cast: Cast, match: Match) -> None:
    log = audited(match, first_game(match), cast.player)
    User.objects.filter(pk=cast.judge.pk).update(language="fr")
    response = signed_in(User.objects.get(pk=cast.judge.pk)).get(address("audit_text", log.public_id, 12))
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    lines = text(response).splitlines()
    assert lines[2].startswith("    1  ") and lines[13].startswith("   12  ")
    assert "combattants" in text(response)


@pytest.mark.django_db
def test_only_readers_of_the_log_can_open_its_replay(cast: Cast, match: Match) -> None:
    log = audited(match, first_game(match), cast.player)
    (other,) = (user for user in users_of(match) if user != cast.player)
    for name in ("audit_legal", "audit_text"):
        page = address(name, log.public_id, 3)
        for user, status in ((cast.judge, 200), (cast.player, 200), (cast.scorekeeper, 403), (cast.stranger, 404)):
            assert signed_in(user).get(page).status_code == status, (name, user)
        assert signed_in(other).get(page).status_code == 404
        assert Client().get(page).status_code == 302
