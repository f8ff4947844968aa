"""What-if branches: a corrected log is audited and stored with the dispute, and the log itself never changes."""

import json
from datetime import timedelta
from typing import Any

import pytest

from tests.api.scenes import token_client
from tests.archive.files import codes, file_of, forged, rows, verified
from tests.builders import NOW, a_published_round, a_running_event, first_game, match_of
from tests.cast import Cast
from tests.refusals import assert_refused
from tests.remembered import remembered
from tests.web.pages import address, signed_in, text
from tournaments.audits.branches import corrected, correction_of, document_of, open_branch
from tournaments.audits.models import Branch, Dispute, MoveLog
from tournaments.audits.services import submit_log
from tournaments.common import jobs
from tournaments.common.models import LedgerEntry
from tournaments.demo.games import with_a_second_attack
from tournaments.events.services import grant_role
from tournaments.play.models import Match
from tournaments.web.pages.disputes.rulings import dispute_lines

pytestmark = pytest.mark.django_db
NOTE = {"by": "judge", "do": "ruling", "reason": "A card fell.", "events": []}


@pytest.fixture
def match(cast: Cast) -> Match:
    return match_of(a_published_round(a_running_event(cast, players=2), cast.organizer), cast.player)


@pytest.fixture
@remembered
def log(cast: Cast, match: Match) -> MoveLog:
    """An audited log in which a fighter illegally attacks twice."""
    spoiled = next(log for seed in range(50) if (log := with_a_second_attack(first_game(match, seed))))
    kept = submit_log(game=match.games.get(number=1), document=json.dumps(spoiled).encode(), by=cast.player, now=NOW)
    jobs.run_due(NOW + timedelta(seconds=1))
    return MoveLog.objects.get(pk=kept.pk)


@pytest.fixture
@remembered
def slipped(cast: Cast, match: Match) -> MoveLog:
    """An audited log with two neighbouring entries in the wrong order."""
    whole = first_game(match, 0)
    moves = whole["moves"]
    played = [move["n"] for move in moves if move["do"] == "play"]
    n = next(n for n in played if moves[n - 2]["do"] == "begin_turn")
    mixed = [*moves[: n - 2], moves[n - 1], moves[n - 2], *moves[n:]]
    spoiled = {**whole, "moves": [{**move, "n": number} for number, move in enumerate(mixed, 1)]}
    kept = submit_log(game=match.games.get(number=1), document=json.dumps(spoiled).encode(), by=cast.player, now=NOW)
    jobs.run_due(NOW + timedelta(seconds=1))
    return MoveLog.objects.get(pk=kept.pk)


def illegal(log: MoveLog) -> int:
    n: int = log.audit.report["first_illegal"]["n"]
    return n


def test_undoing_the_illegal_move_in_a_branch_confirms_the_game_and_leaves_the_log_alone(
    cast: Cast, log: MoveLog
) -> None:
    document = log.document
    branch = open_branch(log=log, n=illegal(log), correction="undo", by=cast.judge, now=NOW)
    assert branch.report["verdict"] == "confirmed"
    log.refresh_from_db()
    assert (log.document, log.audit.verdict) == (document, "illegal_action")
    assert list(Dispute.objects.values_list("match", "status")) == [(log.game.match_id, "open")]


def test_a_dispute_opened_by_a_judge_has_one_ledger_entry(cast: Cast, log: MoveLog) -> None:
    for _time in range(2):
        open_branch(log=log, n=illegal(log), correction="undo", by=cast.judge, now=NOW)
    dispute = Dispute.objects.get()
    entry = LedgerEntry.objects.get(object=dispute.public_id)
    assert (entry.code, entry.actor, entry.at) == ("dispute.opened", cast.judge.public_id, NOW)
    assert entry.after == {"match": dispute.match.public_id}
    (line,) = dispute_lines(dispute.match.round.stage.event, [dispute.match])
    assert line.sayings == [], "nobody claimed anything"


def test_the_event_file_checks_the_dispute_of_a_branch_against_the_ledger(cast: Cast, log: MoveLog) -> None:
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


def test_a_judge_can_replace_a_move_or_insert_a_ruling(cast: Cast, log: MoveLog) -> None:
    n = illegal(log)
    moves = json.loads(log.document)["moves"]
    turn = next(move for move in moves[n:] if move["do"] == "end_turn")
    replaced = open_branch(log=log, n=n, correction="replace", by=cast.judge, now=NOW, entry={**turn, "n": n})
    assert json.loads(document_of(replaced))["moves"][n - 1]["do"] == "end_turn"
    ruled = open_branch(log=log, n=n - 1, correction="insert", by=cast.judge, now=NOW, entry=NOTE)
    assert json.loads(document_of(ruled))["moves"][n - 1]["reason"] == "A card fell."
    assert ruled.report["first_illegal"]["n"] == n + 1
    assert Dispute.objects.count() == 1


def test_entries_are_renumbered_and_undos_still_lead_to_the_same_place() -> None:
    moves: list[dict[str, Any]] = [{"n": n, "by": "A", "do": "note", "h": "x"} for n in range(1, 5)]
    moves.append({"n": 5, "by": "A", "do": "back_to", "args": {"n": 3}})
    moves.append({"n": 6, "by": "A", "do": "back_to", "args": {"n": 1}})
    undone = json.loads(corrected(json.dumps({"moves": moves}), 2, "undo", None))["moves"]
    assert [move["n"] for move in undone] == [1, 2, 3, 4, 5]
    assert [move["args"]["n"] for move in undone[3:]] == [2, 1]
    inserted = json.loads(corrected(json.dumps({"moves": moves}), 0, "insert", NOTE))["moves"]
    assert [move["args"]["n"] for move in inserted[5:]] == [4, 2]
    assert not any("h" in move for move in undone)


def test_two_entries_swap_places() -> None:
    document = json.dumps({"moves": [{"n": n, "by": by, "do": "note"} for n, by in ((1, "A"), (2, "B"), (3, "A"))]})
    swapped = json.loads(corrected(document, 1, "swap", None))["moves"]
    assert [(move["n"], move["by"]) for move in swapped] == [(1, "B"), (2, "A"), (3, "A")]
    with assert_refused("no_such_move"):
        corrected(document, 3, "swap", None)


def test_every_kind_of_repair_becomes_the_right_correction() -> None:
    entry = {"n": 2, "by": "A", "do": "keep"}
    old = {"by": "A", "do": "keep", "chance": [{"draw": ["?"]}]}
    document = json.dumps({"moves": [{"n": 1, **old}, {"n": 2, **old, "by": "B"}, {"n": 3, **old}]})

    def read(kind: str, said: dict[str, Any] | None) -> list[tuple[Any, Any]]:
        found = correction_of({"kind": kind, "n": 2, "entry": said})
        moves = json.loads(corrected(document, found["n"], found["correction"], found["entry"]))["moves"]
        return [(move["by"], move.get("chance")) for move in moves]

    drawn = [{"draw": ["?"]}]
    assert read("missing", entry) == [("A", drawn), ("A", None), ("B", drawn), ("A", drawn)]
    assert read("doubled", None) == [("A", drawn), ("A", drawn)]
    assert read("swapped", entry) == [("A", drawn), ("A", drawn), ("B", drawn)]
    assert read("aimed", entry) == [("A", drawn), ("A", drawn), ("A", drawn)]
    assert read("drawn", entry) == [("A", drawn), ("A", []), ("A", drawn)]


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
def test_an_impossible_correction_is_refused(cast: Cast, log: MoveLog, n: int, correction: str, code: str) -> None:
    with assert_refused(code):
        open_branch(log=log, n=n, correction=correction, by=cast.judge, now=NOW)
    with assert_refused("entry_unreadable"):
        open_branch(log=log, n=1, correction="replace", by=cast.judge, now=NOW, entry={"do": "\x00"})
    assert not Branch.objects.exists()


def test_a_judge_opens_a_branch_on_the_page_and_reads_its_outcome(cast: Cast, log: MoveLog) -> None:
    judge, n = signed_in(cast.judge), illegal(log)
    form = address("what_if", log.public_id, n)
    assert form in text(judge.get(address("audit_step", log.public_id, n)))
    page = text(judge.get(form))
    assert "What if… at move" in page and "&quot;do&quot;: &quot;end_turn&quot;" in page
    answer = judge.post(form, {"correction": "undo"})
    branch = text(judge.get(answer.url))
    assert "Confirmed: every move is legal" in branch and "The move is undone" in branch
    assert "Territory 1" in branch and "to play" in branch
    assert text(judge.get(answer.url, {"n": "3"})).count("After move 3") == 1
    assert answer.url in text(judge.get(address("judge_match", log.game.match.public_id)))
    wrong = judge.post(form, {"correction": "replace", "entry": "{"})
    assert (wrong.status_code, Branch.objects.count()) == (422, 1)


def test_a_judge_opens_the_repaired_log_with_one_click(cast: Cast, slipped: MoveLog) -> None:
    judge, report = signed_in(cast.judge), slipped.audit.report
    best = report["repairs"][0]
    assert (best["kind"], best["reaches_end"]) == ("swapped", True)
    page = text(judge.get(address("audit", slipped.public_id)))
    assert "Or a mistake in the log" in page and "written down in the wrong order" in page
    assert "not a proof" in page and "Open the repaired log" in page
    form = address("what_if", slipped.public_id, best["n"])
    assert f'action="{form}"' in page
    answer = judge.post(form, {"correction": "swap", "entry": ""})
    assert "Confirmed: every move is legal" in text(judge.get(answer.url))
    assert "It swaps places with the next move" in text(judge.get(answer.url))
    slipped.refresh_from_db()
    assert slipped.audit.verdict == "illegal_action", "the log and its verdict stay as they are"


def test_an_api_client_reads_the_repairs_of_a_report_and_opens_one(cast: Cast, slipped: MoveLog) -> None:
    client = token_client(cast.judge, "read", "judge")
    report = client.get(f"/api/v1/logs/{slipped.public_id}/", headers={"Accept-Language": "fr"}).json()["audit"][
        "report"
    ]
    best = report["repairs"][0]
    assert (best["kind"], best["supported"]) == ("swapped", slipped.audit.report["repairs"][0]["supported"])
    assert "ont été notés dans le mauvais ordre" in best["message"]
    body = {"n": best["n"], "correction": "swap"}
    made = client.post(f"/api/v1/logs/{slipped.public_id}/branches/", body, format="json")
    assert (made.status_code, made.json()["report"]["verdict"]) == (201, "confirmed")


@pytest.mark.parametrize(
    ("language", "heading", "sentence"),
    [
        ("fr", "Ou une erreur dans le journal", "ont été notés dans le mauvais ordre"),
        ("it", "O un errore nel registro", "sono state annotate nell"),
    ],
)
def test_repairs_are_shown_in_the_language_of_the_page(
    cast: Cast, slipped: MoveLog, language: str, heading: str, sentence: str
) -> None:
    cast.judge.language = language
    cast.judge.save()
    page = text(signed_in(cast.judge).get(address("audit", slipped.public_id)))
    assert heading in page and sentence in page


def test_players_see_the_repairs_of_their_log_but_cannot_open_a_branch(cast: Cast, slipped: MoveLog) -> None:
    page = text(signed_in(cast.player).get(address("audit", slipped.public_id)))
    assert "Or a mistake in the log" in page
    assert "Open the repaired log" not in page


def test_an_old_report_without_repairs_is_still_shown(cast: Cast, slipped: MoveLog) -> None:
    del slipped.audit.report["repairs"]
    slipped.audit.save()
    page = text(signed_in(cast.judge).get(address("audit", slipped.public_id)))
    assert "Or a mistake in the log" not in page


def test_only_judges_who_do_not_play_can_see_branches(cast: Cast, log: MoveLog) -> None:
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
