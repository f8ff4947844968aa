"""Replays that a judge shows to the players of a match, each as their seat saw the game."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest

import engine
from engine import face
from engine.core.replay import selfplay
from tests.api.scenes import token_client
from tests.builders import NOW, a_published_round, a_running_event, first_game, match_of, users_of
from tests.cast import Cast
from tests.refusals import assert_refused
from tests.web.pages import address, signed_in, text
from tests.web.test_bench import audited
from tournaments.accounts.models import User
from tournaments.audits.models import MoveLog
from tournaments.audits.selectors import positions_shown
from tournaments.audits.services import share_replay, submit_log
from tournaments.common.models import LedgerEntry
from tournaments.play.access import seat_of
from tournaments.play.models import Match

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(cast: Cast) -> Match:
    return match_of(a_published_round(a_running_event(cast, players=2), cast.organizer), cast.player)


@pytest.fixture
def log(cast: Cast, match: Match) -> MoveLog:
    """The audited log of a whole game, with every card known, submitted by the player."""
    known = next(log for seed in range(50) if '"?"' not in json.dumps(log := first_game(match, seed)))
    return audited(match, known, cast.player)


def other(cast: Cast, match: Match) -> User:
    (found,) = (user for user in users_of(match) if user != cast.player)
    return found


def sees_hand(board: dict[str, Any], seat: str) -> bool:
    return any(card != "?" and card["ref"] != "?" for card in board["seats"][seat]["hand"])


def test_the_opponent_replays_the_game_as_their_seat_saw_it(cast: Cast, match: Match, log: MoveLog) -> None:
    user = other(cast, match)
    browser, page = signed_in(user), address("audit", log.public_id)
    assert browser.get(page).status_code == 404
    answer = signed_in(cast.judge).post(address("audit_share", log.public_id), {"shared": "yes"}, follow=True)
    assert "The players of this match can replay this game" in text(answer)
    log.refresh_from_db()
    shown = text(browser.get(page))
    assert "Replay" in shown and "You only see the cards that you could see from your seat." in shown
    assert "Replay of game 1" in text(browser.get(address("match", match.public_id)))
    own = next("AB"[seat.number - 1] for seat in match.seats.all() if seat_of(user, match) == seat)
    boards = [found.board for found in positions_shown(user, log)]
    assert any(sees_hand(board, own) for board in boards)
    assert not any(sees_hand(board, {"A": "B", "B": "A"}[own]) for board in boards)
    signed_in(cast.judge).post(address("audit_share", log.public_id), {"shared": "no"})
    assert browser.get(page).status_code == 404
    codes = LedgerEntry.objects.filter(object=log.public_id).order_by("number").values_list("code", flat=True)
    assert list(codes) == ["log.submitted", "log.shared", "log.unshared"]


@pytest.mark.parametrize("game", engine.games())
def test_a_move_of_others_names_only_cards_that_came_to_light(game: str) -> None:
    """In the moves of the other seats, a card is named only if the boards around the move show it to this seat."""
    log = selfplay.play(game, 3, hidden=())
    moments = list(face.live.Replayed(json.dumps(log)).moments())
    cards = {ref for moment in moments for ref in refs(moment.board)}
    covered = 0
    for one, two in pairwise(moments):
        assert two.move is not None
        before, after = (face.boards.seen_by(moment.board, "A") for moment in (one, two))
        told = face.boards.seen_move(two.move, before, after, "A", cards)
        assert {key: told[key] for key in ("n", "by", "do", "outcome")} == {
            key: two.move[key] for key in ("n", "by", "do", "outcome")
        }
        if two.move["by"] == "A":
            assert told["args"] == two.move["args"]
            continue
        assert {*named(told["args"], cards), *told["at"].values()} <= {"?", *refs(before), *refs(after)}
        covered += told["args"] != two.move["args"]
    assert covered or game != "altered", "cards are put into mana out of sight"


def named(value: Any, cards: set[str]) -> list[str]:
    """List the refs of cards anywhere in the arguments of a move."""
    if isinstance(value, dict | list):
        return [ref for item in (value.values() if isinstance(value, dict) else value) for ref in named(item, cards)]
    return [value] if value in cards else []


def refs(value: Any) -> list[str]:
    """List the refs of the cards that a board shows."""
    if isinstance(value, dict) and "ref" in value:
        return [value["ref"]]
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return [ref for item in items for ref in refs(item)]


def test_only_the_boards_are_shown_not_the_log_nor_its_audit(cast: Cast, match: Match, log: MoveLog) -> None:
    share_replay(log=log, shared=True, by=cast.judge, now=NOW)
    browser = signed_in(other(cast, match))
    for name, *more in (("log_download",), ("audit_text", 3), ("audit_legal", 3), ("audit_table", 3), ("what_if", 3)):
        assert browser.get(address(name, log.public_id, *more)).status_code == 404, name
    page = text(browser.get(address("audit", log.public_id)))
    for hidden in ("Verdict", "Download the log", "View as text", "What if", "Which moves are legal here?"):
        assert hidden not in page, hidden
    steps = browser.get(address("audit_steps", log.public_id)).json()["steps"]
    assert len(steps) == len(json.loads(log.document)["moves"]) + 1
    assert "You only see the cards that you could see from your seat." in steps[0]
    api = token_client(other(cast, match), "read")
    assert api.get(f"/api/v1/logs/{log.public_id}/board/?n=5").status_code == 200
    assert api.get(f"/api/v1/logs/{log.public_id}/").status_code == 404
    assert api.get(f"/api/v1/logs/{log.public_id}/document/").status_code == 404
    listed = api.get(f"/api/v1/matches/{match.public_id}/games/1/replays/").json()
    assert [found["id"] for found in (listed if isinstance(listed, list) else listed["results"])] == [log.public_id]


def test_nobody_but_the_players_of_the_match_is_let_in(cast: Cast, match: Match, log: MoveLog) -> None:
    share_replay(log=log, shared=True, by=cast.judge, now=NOW)
    for user, status in ((cast.stranger, 404), (cast.scorekeeper, 403)):
        assert signed_in(user).get(address("audit", log.public_id)).status_code == status
    api = token_client(cast.stranger, "read").get(f"/api/v1/matches/{match.public_id}/games/1/replays/").json()
    assert (api if isinstance(api, list) else api["results"]) == []


def test_the_player_who_submitted_the_log_sees_no_more_than_before(cast: Cast, match: Match, log: MoveLog) -> None:
    before = [found.board for found in positions_shown(cast.player, log)]
    share_replay(log=log, shared=True, by=cast.judge, now=NOW)
    assert [found.board for found in positions_shown(cast.player, log)] == before
    page = text(signed_in(cast.player).get(address("audit", log.public_id)))
    assert "Verdict" in page and "Show the replay" not in page and "Hide the replay" not in page


def test_sharing_twice_is_recorded_once_and_needs_an_audit(cast: Cast, match: Match) -> None:
    document = json.dumps(first_game(match)).encode()
    waiting = submit_log(game=match.games.get(number=1), document=document, by=cast.player, now=NOW)
    with assert_refused("not_audited"):
        share_replay(log=waiting, shared=True, by=cast.judge, now=NOW)
    log = audited(match, first_game(match), cast.player)
    for _time in range(2):
        share_replay(log=log, shared=True, by=cast.judge, now=NOW)
    assert LedgerEntry.objects.filter(code="log.shared").count() == 1
    client = token_client(cast.judge, "read", "judge")
    answer = client.post(f"/api/v1/logs/{log.public_id}/share/", {"shared": False}, format="json")
    assert answer.json()["shared_at"] is None
