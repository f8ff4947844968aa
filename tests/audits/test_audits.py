"""Submitting move logs, auditing them in a job, comparing them with registered lists, and who can read them."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.http import Http404
from django.test.utils import CaptureQueriesContext

from tests.builders import NOW, a_published_round, a_running_event, first_game, match_of, users_of
from tests.cast import Cast
from tests.refusals import assert_refused
from tournaments.accounts.models import User
from tournaments.audits.access import log_for_reader
from tournaments.audits.models import Audit, MoveLog
from tournaments.audits.selectors import findings_shown, logs_shown
from tournaments.audits.services import submit_log
from tournaments.common import jobs, ledger
from tournaments.common.models import Job, LedgerEntry
from tournaments.decks.selectors import current_list
from tournaments.demo.games import with_a_second_attack
from tournaments.events.services import grant_role
from tournaments.play import services as play
from tournaments.play.access import game_for_log
from tournaments.play.models import Game, Match

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(cast: Cast) -> Match:
    """The match of the cast's player in the first round."""
    return match_of(a_published_round(a_running_event(cast), cast.organizer), cast.player)


@pytest.fixture
def log(match: Match) -> dict[str, Any]:
    """A self-played log of the match's first game, with the registered lists."""
    return first_game(match, 7)


def audited(match: Match, log: dict[str, Any], by: User) -> Audit:
    kept = submit_log(game=match.games.get(number=1), document=json.dumps(log).encode(), by=by, now=NOW)
    jobs.run_due(NOW + timedelta(seconds=1))
    return Audit.objects.get(log=kept)


def test_a_correct_log_is_confirmed_and_counts_as_evidence(match: Match, log: dict[str, Any], cast: Cast) -> None:
    audit = audited(match, log, cast.player)
    game = Game.objects.get(match=match, number=1)
    assert (audit.verdict, audit.deck_findings) == ("confirmed", [])
    assert (game.evidence, game.report_digest) == ("replayed", audit.digest)
    winner = log["seats"][log["claimed"]["winner"]]["player"]
    assert game.winner.entrant.public_id == winner


def test_waiting_logs_are_audited_in_one_batch_with_a_report_and_a_ledger_entry_each(
    match: Match, log: dict[str, Any], cast: Cast
) -> None:
    """Two logs of one game and one of another: one batch, three reports, three entries in a valid ledger."""
    game, other = match.games.get(number=1), match.games.get(number=2)
    spoiled = next(spoiled for seed in range(100) if (spoiled := with_a_second_attack(first_game(match, seed))))
    second = {**first_game(match, 9), "match": {"round": 1, "table": match.table, "game": 2}}
    for where, document in ((game, log), (game, spoiled), (other, second)):
        submit_log(game=where, document=json.dumps(document).encode(), by=cast.player, now=NOW)
    event = match.round.stage.event
    before = ledger.revision(event.public_id)
    jobs.run_due(NOW + timedelta(seconds=1))
    assert list(Audit.objects.order_by("pk").values_list("verdict", flat=True)) == [
        "confirmed",
        "illegal_action",
        "confirmed",
    ]
    assert [each.evidence for each in match.games.order_by("number")][:2] == ["replayed", "replayed"]
    entries = LedgerEntry.objects.filter(chain=event.public_id, number__gt=before).order_by("number")
    assert [(entry.code, entry.after["evidence"]) for entry in entries] == [
        ("game.audited", "replayed"),
        ("game.audited", ""),
        ("game.audited", "replayed"),
    ]
    assert list(ledger.faults(event.public_id)) == []


def test_each_further_log_in_a_batch_costs_at_most_six_queries(match: Match, cast: Cast) -> None:
    def asked(seeds: range) -> int:
        jobs.run_due(NOW + timedelta(seconds=1))
        for seed in seeds:
            document = json.dumps(first_game(match, seed)).encode()
            submit_log(game=match.games.get(number=1), document=document, by=cast.player, now=NOW)
        with CaptureQueriesContext(connection) as queries:
            assert jobs.run(Job.objects.get(status="pending", key=str(Audit.objects.earliest("pk").pk)).pk, now=NOW)
        assert not Audit.objects.filter(verdict="").exists()
        Audit.objects.all().delete()
        return len(queries)

    one, five = asked(range(1)), asked(range(1, 6))
    assert (five - one) / 4 <= 6


def test_an_audit_never_changes_a_result(match: Match, log: dict[str, Any], cast: Cast) -> None:
    play.enter_result(match=match, by=cast.scorekeeper, games=(0, 2, 0), now=NOW)
    before = list(match.seats.values_list("games_won", "points"))
    audited(match, log, cast.player)
    match.refresh_from_db()
    assert (match.authority, list(match.seats.values_list("games_won", "points"))) == ("witnessed", before)


def test_an_illegal_attack_is_reported_with_its_move_and_rule(match: Match, cast: Cast) -> None:
    spoiled = next(spoiled for seed in range(100) if (spoiled := with_a_second_attack(first_game(match, seed))))
    audit = audited(match, spoiled, cast.judge)
    first = audit.report["first_illegal"]
    assert audit.verdict == "illegal_action"
    assert first["do"] == "attack"
    assert "SAF-VI.3-5" in {violation["rule"] for violation in first["violations"]}
    assert match.games.get(number=1).evidence == ""


def test_a_wrong_log_does_not_undo_the_evidence_of_a_correct_one(match: Match, log: dict[str, Any], cast: Cast) -> None:
    audited(match, log, cast.player)
    audited(match, {**log, "claimed": {"winner": "draw"}}, cast.opponent)
    assert match.games.get(number=1).evidence == "replayed"


def test_decks_that_differ_from_the_registered_lists_are_reported_card_by_card(
    match: Match, log: dict[str, Any], cast: Cast
) -> None:
    entrant = match.seats.get(number=1).entrant
    registered = current_list(entrant, match.round.stage)
    dropped, copies = next(iter(registered.cards["main"].items()))
    main = {ref: count for ref, count in registered.cards["main"].items() if ref != dropped}
    registered.cards = {**registered.cards, "main": main}
    registered.save()
    audit = audited(match, log, cast.player)
    assert audit.deck_findings == [{"seat": "A", "code": "deck_differs", "missing": {}, "added": {dropped: copies}}]
    assert match.games.get(number=1).evidence == ""


def test_a_log_with_an_empty_deck_does_not_reveal_the_opponents_list(
    match: Match, log: dict[str, Any], cast: Cast
) -> None:
    first = users_of(match)[0]
    log["seats"]["B"]["deck"] = {"commander": None, "main": {}}
    audit = audited(match, log, first)
    (shown,) = [finding for finding in findings_shown(first, audit) if finding["seat"] == "B"]
    assert shown == {"seat": "B", "code": "deck_differs"}
    (whole,) = [finding for finding in findings_shown(cast.judge, audit) if finding["seat"] == "B"]
    assert whole["missing"]


def test_two_confirmed_logs_with_different_winners_leave_the_winner_open(match: Match, cast: Cast) -> None:
    by_winner = {log["claimed"]["winner"]: log for log in (first_game(match, seed) for seed in range(20))}
    audited(match, by_winner["A"], cast.player)
    audited(match, by_winner["B"], cast.player)
    game = match.games.get(number=1)
    assert (game.evidence, game.ended, game.winner) == ("replayed", "contradicted", None)


def test_a_log_of_another_game_is_no_evidence(match: Match, log: dict[str, Any], cast: Cast) -> None:
    log["match"]["game"] = 2
    audit = audited(match, log, cast.player)
    assert {"seat": "", "code": "other_game"} in audit.deck_findings
    assert match.games.get(number=1).evidence == ""


def test_a_log_submitted_for_two_games_is_reported(match: Match, log: dict[str, Any], cast: Cast) -> None:
    del log["match"]
    audited(match, log, cast.player)
    document = json.dumps(log).encode()
    kept = submit_log(game=match.games.get(number=2), document=document, by=cast.player, now=NOW)
    jobs.run_due(NOW + timedelta(seconds=2))
    assert Audit.objects.get(log=kept).deck_findings == [{"seat": "", "code": "log_reused"}]


def test_both_players_may_submit_the_same_log(match: Match, log: dict[str, Any], cast: Cast) -> None:
    first, second = users_of(match)
    assert audited(match, log, first).log.uploaded_by == first
    assert audited(match, log, second).log.uploaded_by == second


def test_a_result_is_proven_when_all_of_its_games_are(match: Match, cast: Cast) -> None:
    play.enter_result(match=match, by=cast.scorekeeper, games=(1, 0, 0), now=NOW)
    audited(match, first_game(match, 7), cast.player)
    match.refresh_from_db()
    assert match.evidence == "replayed"
    play.enter_result(match=match, by=cast.scorekeeper, games=(2, 0, 0), now=NOW, reason="Slip misread")
    match.refresh_from_db()
    assert match.evidence == ""


def test_a_judge_who_plays_cannot_read_logs_of_other_matches(match: Match, log: dict[str, Any], cast: Cast) -> None:
    kept = audited(match, log, cast.player).log
    event = match.round.stage.event
    elsewhere = match.round.matches.exclude(pk=match.pk).get()
    judge = users_of(elsewhere)[0]
    grant_role(event=event, email=judge.email, role="judge", by=cast.organizer, now=NOW)
    with assert_refused("staff_who_play"):
        log_for_reader(judge, kept.public_id)
    assert not logs_shown(judge, match).exists()
    assert not any("added" in finding or "missing" in finding for finding in findings_shown(judge, kept.audit))


def test_a_log_of_other_players_is_reported(match: Match, log: dict[str, Any], cast: Cast) -> None:
    log["seats"]["B"]["player"] = "p-somebody"
    assert {"seat": "B", "code": "player_unknown"} in audited(match, log, cast.player).deck_findings


def test_submitting_the_same_log_twice_stores_it_once(match: Match, log: dict[str, Any], cast: Cast) -> None:
    assert audited(match, log, cast.player) == audited(match, log, cast.player)
    assert MoveLog.objects.count() == Audit.objects.count() == 1


@pytest.mark.parametrize(
    ("document", "code"),
    [
        (b"", "not_json"),
        (b"{", "not_json"),
        (b'{"format": 1, "format": 1}', "duplicate_key"),
        (b'{"format": 1, "x": "\\u0000"}', "nul"),
        (b"\xff\xfe", "not_utf8"),
        (b"[" * 10_000 + b"]" * 10_000, "too_deep"),
        (b" " * (8 * 1024 * 1024 + 1), "too_large"),
    ],
)
def test_an_unreadable_log_is_refused_with_its_code_and_not_stored(
    match: Match, cast: Cast, document: bytes, code: str
) -> None:
    with assert_refused("log_unreadable") as caught:
        submit_log(game=match.games.get(number=1), document=document, by=cast.player, now=NOW)
    assert caught.value.details[0]["code"] == code
    assert not MoveLog.objects.exists()


def test_a_log_with_an_unknown_verb_is_stored_and_its_audit_says_where(
    match: Match, log: dict[str, Any], cast: Cast
) -> None:
    log["moves"][5]["do"] = "juggle"
    audit = audited(match, log, cast.player)
    assert audit.verdict == "unreadable"
    assert audit.report["error"]["n"] == 6


def test_an_account_can_submit_ten_logs_of_a_game(match: Match, log: dict[str, Any], cast: Cast) -> None:
    game = match.games.get(number=1)
    for number in range(10):
        submit_log(game=game, document=json.dumps({**log, "x": number}).encode(), by=cast.player, now=NOW)
    with assert_refused("too_many_logs"):
        submit_log(game=game, document=json.dumps({**log, "x": 10}).encode(), by=cast.player, now=NOW)


def test_only_the_players_of_the_match_and_judges_can_submit_a_log(match: Match, cast: Cast) -> None:
    for user in (*users_of(match), cast.judge):
        assert game_for_log(user, match.public_id, 1).number == 1
    with pytest.raises(Http404):
        game_for_log(cast.stranger, match.public_id, 1)
    with assert_refused("role_too_low"):
        game_for_log(cast.scorekeeper, match.public_id, 1)


def test_only_its_submitter_and_judges_can_read_a_log(match: Match, log: dict[str, Any], cast: Cast) -> None:
    first, second = users_of(match)
    kept = audited(match, log, first).log
    assert log_for_reader(first, kept.public_id) == log_for_reader(cast.judge, kept.public_id) == kept
    for user in (second, cast.stranger):
        with pytest.raises(Http404):
            log_for_reader(user, kept.public_id)
    assert not logs_shown(second, match).exists()
