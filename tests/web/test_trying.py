"""Moves are tried on the board of a log, on a saved board or on one that was just entered, and kept as a branch."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.api.scenes import token_client
from tests.builders import a_published_round, a_running_event, first_game, match_of
from tests.cast import Cast
from tests.web.pages import address, signed_in, text
from tests.web.test_asking_table import ATTACK, asked, board
from tests.web.test_bench import audited
from tournaments.audits.branches import document_of
from tournaments.audits.models import Branch
from tournaments.boards.table import Table
from tournaments.demo.games import with_a_second_attack
from tournaments.play.models import Match
from tournaments.web.rules_in_browser import BrowserRules

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(cast: Cast) -> Match:
    return match_of(a_published_round(a_running_event(cast, players=2), cast.organizer), cast.player)


def view_of(table: Table) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(table.view())
    return found


def attacks(table: Table) -> list[dict[str, Any]]:
    return [move for move in view_of(table)["moves"] if move["entry"]["do"] == "attack"]


def played(table: Table, *entries: dict[str, Any]) -> Table:
    for entry in entries:
        assert "n" in json.loads(table.accept(json.dumps(entry)))
    return table


def test_a_judges_browser_gets_the_game_up_to_the_move_with_the_cards_of_both(cast: Cast, match: Match) -> None:
    log = audited(match, first_game(match), cast.player)
    answer = signed_in(cast.judge).get(address("audit_table", log.public_id, 12))
    table = Table(json.dumps(answer.json()))
    view = view_of(table)
    assert view["n"] == answer.json()["n"] == 12
    assert "no-store" in answer["Cache-Control"]
    legal = signed_in(cast.judge).get(f"/api/v1/logs/{log.public_id}/legal/?n=12").json()
    assert [move["entry"] for move in view["moves"]] == legal
    made = json.loads(log.document)["moves"][12]
    played(table, {key: value for key, value in made.items() if key not in ("n", "h")})
    names = {seat.entrant.name for seat in match.seats.all()}
    assert view_of(table)["last"][0]["by"] in {*names, "Table"}


def test_at_a_refused_move_the_board_is_the_one_before_it(cast: Cast, match: Match) -> None:
    spoiled = next(log for seed in range(50) if (log := with_a_second_attack(first_game(match, seed))))
    log = audited(match, spoiled, cast.player)
    n = log.audit.report["first_illegal"]["n"]
    judge = signed_in(cast.judge)
    assert judge.get(address("audit_table", log.public_id, n)).json()["n"] == n - 1
    assert judge.get(address("audit_table", log.public_id, n + 1)).status_code == 404
    assert judge.get(address("audit_table", log.public_id, 0)).json()["entries"] == []


def test_only_judges_can_try_moves_since_every_card_is_in_it(cast: Cast, match: Match) -> None:
    log = audited(match, first_game(match), cast.player)
    for user, status in ((cast.player, 404), (cast.opponent, 404), (cast.scorekeeper, 403), (cast.stranger, 404)):
        assert signed_in(user).get(address("audit_table", log.public_id, 3)).status_code == status
        kept = signed_in(user).post(address("what_if_line", log.public_id, 3), {"line": '{"entries": []}'})
        assert kept.status_code == status
    assert not Branch.objects.exists()


def test_a_line_that_was_tried_is_kept_as_a_branch_without_the_rest_of_the_game(cast: Cast, match: Match) -> None:
    log = audited(match, first_game(match), cast.player)
    judge = signed_in(cast.judge)
    table = Table(json.dumps(judge.get(address("audit_table", log.public_id, 20)).json()))
    line: list[dict[str, Any]] = []
    while len(line) < 3:
        move = next(move for move in view_of(table)["moves"] if move["entry"]["do"] != "concede")
        told = json.loads(table.complete(json.dumps(move["entry"]), "[]"))
        answers: list[list[Any]] = []
        while "question" in told:
            asked_ = told["question"]
            first = [option["value"] for option in asked_["options"]][: asked_["count"]]
            answers.append(["?"] * asked_["count"] if asked_["unseen"] else first)
            told = json.loads(table.complete(json.dumps(move["entry"]), json.dumps(answers)))
        played(table, told["entry"])
        line.append(told["entry"])
    answer = judge.post(address("what_if_line", log.public_id, 20), {"line": json.dumps({"entries": line})})
    branch = Branch.objects.get()
    assert answer["Location"] == address("branch", branch.pk)
    assert (branch.n, branch.correction, branch.entry) == (20, "continue", line)
    assert branch.report["first_illegal"] is None
    assert len(json.loads(document_of(branch))["moves"]) == 23
    page = text(judge.get(address("branch", branch.pk) + "?n=23"))
    assert "The game continues differently after it" in page and "After move 23" in page
    assert "Log" in text(judge.get(address("judge_match", match.public_id)))
    log.refresh_from_db()
    assert len(json.loads(log.document)["moves"]) > 23


@pytest.mark.parametrize(
    "line", ["", "[]", "{", '{"entries": 3}', '{"entries": [3]}', '{"entries": []}', '{"moves": []}']
)
def test_a_line_that_cannot_be_read_is_refused_and_nothing_is_kept(cast: Cast, match: Match, line: str) -> None:
    log = audited(match, first_game(match), cast.player)
    answer = signed_in(cast.judge).post(address("what_if_line", log.public_id, 3), {"line": line})
    assert answer.status_code == 422
    assert not Branch.objects.exists()


def test_a_line_of_more_than_200_moves_is_refused(cast: Cast, match: Match) -> None:
    log = audited(match, first_game(match), cast.player)
    note = {"by": "judge", "do": "ruling", "reason": "A card fell.", "events": []}
    line = json.dumps({"entries": [note] * 201})
    answer = signed_in(cast.judge).post(address("what_if_line", log.public_id, 3), {"line": line})
    assert answer.status_code == 422 and "200 moves" in text(answer)


def test_the_api_continues_a_log_with_entries_of_ones_own(cast: Cast, match: Match) -> None:
    log = audited(match, first_game(match), cast.player)
    client = token_client(cast.judge, "read", "judge")
    entries = [{"by": "A", "do": "concede"}]
    where = f"/api/v1/logs/{log.public_id}/branches/"
    made = client.post(where, {"n": 10, "correction": "continue", "entries": entries}, format="json")
    assert made.status_code == 201, made.content
    assert made.json()["entry"] == entries
    assert made.json()["report"]["result"]["computed"] == "B"
    for wrong in ({"entry": entries[0]}, {"entries": []}, {}):
        refused = client.post(where, {"n": 10, "correction": "continue", **wrong}, format="json")
        assert (refused.status_code, refused.json()["code"]) == (422, "entry_missing"), wrong


def test_moves_can_be_tried_on_a_saved_board(cast: Cast, match: Match) -> None:
    sent = {**board(match, quiet="on"), **ATTACK, "command": "keep"}
    kept = signed_in(cast.judge).post(address("ask_table", match.public_id), sent)
    where = kept["Location"] + "table/"
    table = Table(json.dumps(signed_in(cast.judge).get(where).json()))
    assert [move["entry"]["args"]["territory"] for move in attacks(table)] == [1]
    played(table, attacks(table)[0]["entry"])
    for user, status in ((cast.player, 404), (cast.stranger, 404), (cast.scorekeeper, 403)):
        assert signed_in(user).get(where).status_code == status


def test_a_board_that_was_just_entered_is_drawn_and_can_be_tried(
    cast: Cast, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = BrowserRules("/static/rules/pyodide-1/", "/static/rules/rules.zip")
    monkeypatch.setattr("tournaments.web.pages.audits.asking.browser_rules", lambda: made)
    page = asked(cast, match, {**board(match, quiet="on"), "command": "board"})
    assert 'id="drawn"' in page and 'data-try="#drawn-table"' in page
    document = re.search(r'<script id="drawn-table" type="application/json">(.*?)</script>', page, re.DOTALL)
    assert document is not None
    assert [move["entry"]["args"]["territory"] for move in attacks(Table(document[1]))] == [1]
    monkeypatch.setattr("tournaments.web.pages.audits.asking.browser_rules", lambda: None)
    page = asked(cast, match, {**board(match, quiet="on"), "command": "board"})
    assert 'id="drawn"' in page and "data-try" not in page, "without the rules, the board is drawn only"


def test_an_incomplete_board_is_not_drawn(cast: Cast, match: Match) -> None:
    page = asked(cast, match, {**board(match), "A:T1/fighters:2": "No such card", "command": "board"}, 422)
    assert 'id="drawn"' not in page and "No such card" in page
