"""What if: a corrected log is audited and kept with the dispute, and the log stays as it was."""

import json
from datetime import timedelta
from typing import Any

import pytest

from tests.archive.files import codes, file_of, forged, rows, verified
from tests.builders import NOW, a_published_round, a_running_event, first_game, match_of
from tests.cast import Cast
from tests.refusals import assert_refused
from tests.web.pages import address, signed_in, text
from tournaments.audits.branches import corrected, document_of, open_branch
from tournaments.audits.models import Branch, Dispute, MoveLog
from tournaments.audits.services import submit_log
from tournaments.common import jobs
from tournaments.common.models import LedgerEntry
from tournaments.demo.games import with_a_second_attack
from tournaments.events.services import grant_role
from tournaments.play.models import Match
from tournaments.web.views.rulings import dispute_lines

pytestmark = pytest.mark.django_db
NOTE = {"by": "judge", "do": "ruling", "reason": "A card fell.", "events": []}


@pytest.fixture
def match(cast: Cast) -> Match:
    return match_of(a_published_round(a_running_event(cast, players=2), cast.organizer), cast.player)


@pytest.fixture
def log(cast: Cast, match: Match) -> MoveLog:
    """A log in which a fighter attacks twice, audited."""
    spoiled = next(log for seed in range(50) if (log := with_a_second_attack(first_game(match, seed))))
    kept = submit_log(game=match.games.get(number=1), document=json.dumps(spoiled).encode(), by=cast.player, now=NOW)
    jobs.run_due(NOW + timedelta(seconds=1))
    return MoveLog.objects.get(pk=kept.pk)


def illegal(log: MoveLog) -> int:
    n: int = log.audit.report["first_illegal"]["n"]
    return n


def test_a_game_whose_illegal_move_is_undone_is_confirmed_and_its_log_is_as_it_was(cast: Cast, log: MoveLog) -> None:
    document = log.document
    branch = open_branch(log=log, n=illegal(log), correction="undo", by=cast.judge, now=NOW)
    assert branch.report["verdict"] == "confirmed"
    log.refresh_from_db()
    assert (log.document, log.audit.verdict) == (document, "illegal_action")
    assert list(Dispute.objects.values_list("match", "status")) == [(log.game.match_id, "open")]


def test_the_ledger_tells_once_that_a_judge_opened_the_dispute(cast: Cast, log: MoveLog) -> None:
    for _time in range(2):
        open_branch(log=log, n=illegal(log), correction="undo", by=cast.judge, now=NOW)
    dispute = Dispute.objects.get()
    entry = LedgerEntry.objects.get(object=dispute.public_id)
    assert (entry.code, entry.actor, entry.at) == ("dispute.opened", cast.judge.public_id, NOW)
    assert entry.after == {"match": dispute.match.public_id}
    (line,) = dispute_lines(dispute.match.round.stage.event, [dispute.match])
    assert line.sayings == [], "nobody claimed anything"


def test_the_file_of_the_event_holds_the_dispute_of_a_branch_against_the_ledger(cast: Cast, log: MoveLog) -> None:
    dispute = open_branch(log=log, n=illegal(log), correction="undo", by=cast.judge, now=NOW).dispute
    whole = file_of(dispute.match.round.stage.event)
    assert verified(whole).faults == ()

    def taken_out(lines: list[dict[str, Any]]) -> None:
        lines[:] = [line for line in lines if line["section"] not in ("dispute", "branch")]

    def later(lines: list[dict[str, Any]]) -> None:
        rows(lines, "dispute")[0]["opened_at"] = "2026-03-07T01:00:00.000000+00:00"

    def untold(lines: list[dict[str, Any]]) -> None:
        rows(lines, "ledger")[-1]["code"] = "other"
        assert not [row for row in rows(lines, "ledger") if row["code"] == "dispute.opened"]

    assert "record_missing" in codes(forged(whole, taken_out))
    assert "dispute_unrecorded" in codes(forged(whole, later))
    assert "dispute_unrecorded" not in codes(forged(whole, untold)), "older ledgers told nothing of it"


def test_another_move_or_a_ruling_stands_where_the_judge_puts_it(cast: Cast, log: MoveLog) -> None:
    n = illegal(log)
    moves = json.loads(log.document)["moves"]
    turn = next(move for move in moves[n:] if move["do"] == "end_turn")
    replaced = open_branch(log=log, n=n, correction="replace", by=cast.judge, now=NOW, entry={**turn, "n": n})
    assert json.loads(document_of(replaced))["moves"][n - 1]["do"] == "end_turn"
    ruled = open_branch(log=log, n=n - 1, correction="insert", by=cast.judge, now=NOW, entry=NOTE)
    assert json.loads(document_of(ruled))["moves"][n - 1]["reason"] == "A card fell."
    assert ruled.report["first_illegal"]["n"] == n + 1
    assert Dispute.objects.count() == 1


def test_entries_are_numbered_anew_and_take_backs_lead_to_the_same_place() -> None:
    moves: list[dict[str, Any]] = [{"n": n, "by": "A", "do": "note", "h": "x"} for n in range(1, 5)]
    moves.append({"n": 5, "by": "A", "do": "back_to", "args": {"n": 3}})
    moves.append({"n": 6, "by": "A", "do": "back_to", "args": {"n": 1}})
    undone = json.loads(corrected(json.dumps({"moves": moves}), 2, "undo", None))["moves"]
    assert [move["n"] for move in undone] == [1, 2, 3, 4, 5]
    assert [move["args"]["n"] for move in undone[3:]] == [2, 1]
    inserted = json.loads(corrected(json.dumps({"moves": moves}), 0, "insert", NOTE))["moves"]
    assert [move["args"]["n"] for move in inserted[5:]] == [4, 2]
    assert not any("h" in move for move in undone)


def test_a_replacement_of_the_same_kind_keeps_the_chance() -> None:
    document = json.dumps({"moves": [{"n": 1, "do": "keep", "chance": [{"draw": ["?"]}]}]})
    (move,) = json.loads(corrected(document, 1, "replace", {"do": "keep", "by": "B"}))["moves"]
    assert (move["chance"], move["by"]) == ([{"draw": ["?"]}], "B")
    (other,) = json.loads(corrected(document, 1, "replace", {"do": "mulligan", "by": "B"}))["moves"]
    assert "chance" not in other


@pytest.mark.parametrize(
    ("n", "correction", "code"),
    [(0, "undo", "no_such_move"), (9999, "undo", "no_such_move"), (3, "replace", "entry_missing")],
)
def test_a_correction_that_cannot_be_is_refused(cast: Cast, log: MoveLog, n: int, correction: str, code: str) -> None:
    with assert_refused(code):
        open_branch(log=log, n=n, correction=correction, by=cast.judge, now=NOW)
    with assert_refused("entry_unreadable"):
        open_branch(log=log, n=1, correction="replace", by=cast.judge, now=NOW, entry={"do": "\x00"})
    assert not Branch.objects.exists()


def test_a_judge_opens_a_branch_from_the_bench_and_reads_how_it_goes_on(cast: Cast, log: MoveLog) -> None:
    judge, n = signed_in(cast.judge), illegal(log)
    form = address("what_if", log.public_id, n)
    assert form in text(judge.get(address("audit_step", log.public_id, n)))
    page = text(judge.get(form))
    assert "What if at move" in page and "&quot;do&quot;: &quot;end_turn&quot;" in page
    answer = judge.post(form, {"correction": "undo"})
    branch = text(judge.get(answer.url))
    assert "Confirmed: every move is legal" in branch and "The move is undone" in branch
    assert "Territory 1" in branch and "to play" in branch
    assert text(judge.get(answer.url, {"n": "3"})).count("After move 3") == 1
    assert answer.url in text(judge.get(address("judge_match", log.game.match.public_id)))
    wrong = judge.post(form, {"correction": "replace", "entry": "{"})
    assert (wrong.status_code, Branch.objects.count()) == (422, 1)


def test_branches_are_for_judges_who_do_not_play(cast: Cast, log: MoveLog) -> None:
    branch = open_branch(log=log, n=1, correction="undo", by=cast.judge, now=NOW)
    pages = [address("what_if", log.public_id, 3), address("branch", branch.pk)]
    event = log.game.match.round.stage.event
    grant_role(event=event, email=cast.opponent.email, role="judge", by=cast.organizer, now=NOW)
    expected = (
        (cast.judge, 200),
        (cast.player, 404),
        (cast.opponent, 403),
        (cast.scorekeeper, 403),
        (cast.stranger, 404),
    )
    for page in pages:
        for user, status in expected:
            assert signed_in(user).get(page).status_code == status, (page, user)
