"""Move logs: submitted, audited by a job, compared with the registered lists. People decide."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.http import Http404

from tests.builders import NOW, a_published_round, a_running_event, first_game, match_of, users_of
from tests.cast import Cast
from tests.refusals import assert_refused
from tournaments.accounts.models import User
from tournaments.audits.access import log_for_reader
from tournaments.audits.models import Audit, MoveLog
from tournaments.audits.selectors import findings_shown, logs_shown
from tournaments.audits.services import submit_log
from tournaments.common import jobs
from tournaments.decks.selectors import current_list
from tournaments.demo.games import with_a_second_attack
from tournaments.events.services import grant_role
from tournaments.play import services as play
from tournaments.play.access import game_for_log
from tournaments.play.models import Game, Match

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(cast: Cast) -> Match:
    """A match of the first round that the cast's player plays."""
    return match_of(a_published_round(a_running_event(cast), cast.organizer), cast.player)


@pytest.fixture
def log(match: Match) -> dict[str, Any]:
    """A self-played log of its first game, with the registered lists."""
    return first_game(match, 7)


def audited(match: Match, log: dict[str, Any], by: User) -> Audit:
    kept = submit_log(game=match.games.get(number=1), document=json.dumps(log).encode(), by=by, now=NOW)
    jobs.run_due(NOW + timedelta(seconds=1))
    return Audit.objects.get(log=kept)


def test_a_true_log_is_confirmed_and_is_evidence(match: Match, log: dict[str, Any], cast: Cast) -> None:
    audit = audited(match, log, cast.player)
    game = Game.objects.get(match=match, number=1)
    assert (audit.verdict, audit.deck_findings) == ("confirmed", [])
    assert (game.evidence, game.report_digest) == ("replayed", audit.digest)
    winner = log["seats"][log["claimed"]["winner"]]["player"]
    assert game.winner.entrant.public_id == winner


def test_no_audit_changes_a_result(match: Match, log: dict[str, Any], cast: Cast) -> None:
    play.override_result(match=match, by=cast.scorekeeper, games=(0, 2, 0), now=NOW)
    before = list(match.seats.values_list("games_won", "points"))
    audited(match, log, cast.player)
    match.refresh_from_db()
    assert (match.authority, list(match.seats.values_list("games_won", "points"))) == ("witnessed", before)


def test_an_illegal_attack_is_named_with_its_move_and_rule(match: Match, cast: Cast) -> None:
    spoiled = next(spoiled for seed in range(100) if (spoiled := with_a_second_attack(first_game(match, seed))))
    audit = audited(match, spoiled, cast.judge)
    first = audit.report["first_illegal"]
    assert audit.verdict == "illegal_action"
    assert first["do"] == "attack"
    assert "SAF-VI.3-5" in {violation["rule"] for violation in first["violations"]}
    assert match.games.get(number=1).evidence == ""


def test_a_spoiled_log_does_not_undo_the_evidence_of_a_true_one(match: Match, log: dict[str, Any], cast: Cast) -> None:
    audited(match, log, cast.player)
    audited(match, {**log, "claimed": {"winner": "draw"}}, cast.opponent)
    assert match.games.get(number=1).evidence == "replayed"


def test_decks_that_are_not_the_registered_ones_are_told_card_by_card(
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


def test_the_opponents_list_is_not_read_from_a_log_with_an_empty_deck(
    match: Match, log: dict[str, Any], cast: Cast
) -> None:
    first = users_of(match)[0]
    log["seats"]["B"]["deck"] = {"commander": None, "main": {}}
    audit = audited(match, log, first)
    (shown,) = [finding for finding in findings_shown(first, audit) if finding["seat"] == "B"]
    assert shown == {"seat": "B", "code": "deck_differs"}
    (whole,) = [finding for finding in findings_shown(cast.judge, audit) if finding["seat"] == "B"]
    assert whole["missing"]


def test_a_log_of_another_game_is_no_evidence(match: Match, log: dict[str, Any], cast: Cast) -> None:
    log["match"]["game"] = 2
    audit = audited(match, log, cast.player)
    assert {"seat": "", "code": "other_game"} in audit.deck_findings
    assert match.games.get(number=1).evidence == ""


def test_a_log_used_for_two_games_is_told(match: Match, log: dict[str, Any], cast: Cast) -> None:
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


def test_a_result_is_proven_when_each_of_its_games_is(match: Match, cast: Cast) -> None:
    play.override_result(match=match, by=cast.scorekeeper, games=(1, 0, 0), now=NOW)
    audited(match, first_game(match, 7), cast.player)
    match.refresh_from_db()
    assert match.evidence == "replayed"
    play.override_result(match=match, by=cast.scorekeeper, games=(2, 0, 0), now=NOW, reason="Slip misread")
    match.refresh_from_db()
    assert match.evidence == ""


def test_a_judge_who_plays_reads_no_log_of_others(match: Match, log: dict[str, Any], cast: Cast) -> None:
    kept = audited(match, log, cast.player).log
    event = match.round.stage.event
    elsewhere = match.round.matches.exclude(pk=match.pk).get()
    judge = users_of(elsewhere)[0]
    grant_role(event=event, email=judge.email, role="judge", by=cast.organizer, now=NOW)
    with assert_refused("staff_who_play"):
        log_for_reader(judge, kept.public_id)
    assert not logs_shown(judge, match).exists()
    assert not any("added" in finding or "missing" in finding for finding in findings_shown(judge, kept.audit))


def test_a_log_of_other_players_is_told(match: Match, log: dict[str, Any], cast: Cast) -> None:
    log["seats"]["B"]["player"] = "p-somebody"
    assert {"seat": "B", "code": "player_unknown"} in audited(match, log, cast.player).deck_findings


def test_the_same_log_twice_is_kept_once(match: Match, log: dict[str, Any], cast: Cast) -> None:
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
def test_an_unreadable_log_is_refused_with_its_code_and_nothing_is_stored(
    match: Match, cast: Cast, document: bytes, code: str
) -> None:
    with assert_refused("log_unreadable") as caught:
        submit_log(game=match.games.get(number=1), document=document, by=cast.player, now=NOW)
    assert caught.value.details[0]["code"] == code
    assert not MoveLog.objects.exists()


def test_a_log_with_an_unknown_verb_is_kept_and_its_audit_says_where(
    match: Match, log: dict[str, Any], cast: Cast
) -> None:
    log["moves"][5]["do"] = "juggle"
    audit = audited(match, log, cast.player)
    assert audit.verdict == "unreadable"
    assert audit.report["error"]["n"] == 6


def test_a_game_takes_ten_logs(match: Match, log: dict[str, Any], cast: Cast) -> None:
    game = match.games.get(number=1)
    for number in range(10):
        submit_log(game=game, document=json.dumps({**log, "x": number}).encode(), by=cast.player, now=NOW)
    with assert_refused("too_many_logs"):
        submit_log(game=game, document=json.dumps({**log, "x": 10}).encode(), by=cast.player, now=NOW)


def test_a_log_is_submitted_by_the_players_of_its_match_and_by_judges(match: Match, cast: Cast) -> None:
    for user in (*users_of(match), cast.judge):
        assert game_for_log(user, match.public_id, 1).number == 1
    with pytest.raises(Http404):
        game_for_log(cast.stranger, match.public_id, 1)
    with assert_refused("role_too_low"):
        game_for_log(cast.scorekeeper, match.public_id, 1)


def test_a_log_is_read_by_who_submitted_it_and_by_judges(match: Match, log: dict[str, Any], cast: Cast) -> None:
    first, second = users_of(match)
    kept = audited(match, log, first).log
    assert log_for_reader(first, kept.public_id) == log_for_reader(cast.judge, kept.public_id) == kept
    for user in (second, cast.stranger):
        with pytest.raises(Http404):
            log_for_reader(user, kept.public_id)
    assert not logs_shown(second, match).exists()
