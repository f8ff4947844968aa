"""Bulk audits: which verdicts would change, how the jobs share the work, and that no result changes."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.http import Http404

from engine import face
from tests.builders import NOW, a_published_round, a_running_event, first_game, match_of
from tests.cast import Cast
from tests.refusals import assert_refused
from tests.remembered import remembered
from tournaments.audits import bulk as bulk_audits
from tournaments.audits.access import bulk_for_judge, event_for_bulk
from tournaments.audits.bulk import LANES, cancel_bulk, changes_of, run_lane, start_bulk, state_of, verdict_changes
from tournaments.audits.models import Audit, BulkAudit, MoveLog
from tournaments.audits.services import submit_log
from tournaments.common import jobs
from tournaments.common.models import Job, LedgerEntry
from tournaments.events.services import grant_role
from tournaments.play.models import Game, Match

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(minutes=1)
REFUSED = {"I-SAF-07": "no"}  # makes a move of most self-played games illegal


@pytest.fixture
@remembered
def match(cast: Cast) -> Match:
    """A match with nine audited logs from three people."""
    found = match_of(a_published_round(a_running_event(cast), cast.organizer), cast.player)
    game = found.games.get(number=1)
    for seed in range(9):
        by = (cast.player, cast.opponent, cast.judge)[seed % 3]
        submit_log(game=game, document=json.dumps(first_game(found, seed)).encode(), by=by, now=NOW)
    jobs.run_due(NOW)
    return found


def started(match: Match, cast: Cast, **options: str) -> BulkAudit:
    return start_bulk(event=match.round.stage.event, options=options, by=cast.judge, now=LATER)


def audited_again(match: Match, cast: Cast, **options: str) -> BulkAudit:
    found = started(match, cast, **options)
    jobs.run_due(LATER)
    found.refresh_from_db()
    return found


def test_without_other_interpretations_no_verdict_changes(match: Match, cast: Cast) -> None:
    again = audited_again(match, cast)
    state = state_of(again)
    assert (state.status, state.total, state.done, state.changed, state.progress) == ("done", 9, 9, 0, 100)
    assert not changes_of(again).exists() and again.finished_at is not None


@pytest.mark.slow
def test_another_interpretation_shows_which_verdicts_change_and_at_which_entry(match: Match, cast: Cast) -> None:
    again = audited_again(match, cast, **REFUSED)
    changed = list(changes_of(again))
    assert changed and state_of(again).changed == len(changed)
    told = {"verdict_before": "confirmed", "verdict_after": "illegal_action", "logs": len(changed)}
    assert verdict_changes(again) == [told]
    for line in changed:
        report = face.audits.audit(line.log.document, (), REFUSED)
        assert line.found_after == {"n": report["first_illegal"]["n"], "winner": None}
        assert line.differs_at == report["first_illegal"]["n"]


def test_a_log_that_replays_differently_names_the_first_entry_with_another_board(match: Match, cast: Cast) -> None:
    """Under I-SAF-02 "stay", magics keep their slots: boards differ long before a move becomes illegal."""
    stay = {"I-SAF-02": "stay"}
    games = (json.dumps(first_game(match, seed)) for seed in range(9, 200))
    parting = next(game for game in games if face.audits.audit(game, (), stay)["verdict"] != "confirmed")
    submit_log(game=match.games.get(number=1), document=parting.encode(), by=cast.judge, now=NOW)
    jobs.run_due(NOW)
    again = audited_again(match, cast, **stay)
    lines = list(changes_of(again))
    assert lines
    for line in lines:
        assert line.differs_at < (line.found_after["n"] or 10_000)


def test_a_bulk_audit_changes_no_result_evidence_or_stored_audit(match: Match, cast: Cast) -> None:
    def stands() -> list[Any]:
        games = list(Game.objects.order_by("pk").values_list("evidence", "report_digest", "winner"))
        audits = list(Audit.objects.order_by("pk").values_list("verdict", "digest", "computed_at"))
        return [games, audits, list(Match.objects.order_by("pk").values_list("evidence", "authority", "disputed"))]

    before = stands()
    audited_again(match, cast, **REFUSED)
    assert stands() == before


def test_the_hash_chain_of_a_log_still_holds_under_another_interpretation(match: Match, cast: Cast) -> None:
    log = first_game(match, 3)
    game = face.live.LiveGame({key: value for key, value in log.items() if key != "moves"}, [], ())
    chained = {**log, "moves": []}
    for move in log["moves"]:
        chained["moves"].append({**move, "h": game.accept(move, "en")})
    report = face.audits.audit(json.dumps(chained), (), REFUSED)
    assert (report["verdict"], report["error"]) == ("illegal_action", None)


def test_a_bulk_audit_runs_in_several_jobs_that_let_other_jobs_run(
    match: Match, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk_audits, "LANES", 2)
    monkeypatch.setattr(bulk_audits, "BATCH", 1)
    monkeypatch.setattr(bulk_audits, "TURN", 0.0)
    again = started(match, cast)
    first = Job.objects.filter(kind="audits.bulk", status="pending")
    assert first.count() == 2
    run_lane(bulk_id=again.pk, lane=0, now=LATER)
    assert state_of(again).done == 0 and first.count() == 2  # its turn ended at once, and it queued the next job


def test_a_killed_worker_loses_nothing(match: Match, cast: Cast) -> None:
    again = started(match, cast)

    class Killed(Exception):
        pass

    def killed(percent: int) -> None:
        raise Killed

    with pytest.raises(Killed):
        run_lane(bulk_id=again.pk, lane=0, now=LATER, progress=killed)
    done = set(again.lines.exclude(outcome="waiting").values_list("pk", flat=True))
    assert done
    jobs.run_due(LATER)
    run_lane(bulk_id=again.pk, lane=0, now=LATER)  # a job can be delivered twice
    assert (state_of(again).done, state_of(again).total) == (9, 9)
    assert LedgerEntry.objects.filter(object=again.public_id, code="bulk.finished").count() == 1


def test_a_cancelled_bulk_audit_leaves_waiting_logs_alone(match: Match, cast: Cast) -> None:
    again = started(match, cast)
    run_lane(bulk_id=again.pk, lane=0, now=LATER)
    cancel_bulk(bulk=again, by=cast.judge, now=LATER)
    jobs.run_due(LATER)
    again.refresh_from_db()
    state = state_of(again)
    assert (state.status, again.finished_at) == ("cancelled", None) and 0 < state.done < state.total
    with assert_refused("bulk_over"):
        cancel_bulk(bulk=again, by=cast.judge, now=LATER)
    assert audited_again(match, cast).finished_at is not None


def test_an_event_has_one_running_bulk_audit_at_a_time(match: Match, cast: Cast) -> None:
    started(match, cast)
    with assert_refused("bulk_running"):
        started(match, cast)
    assert BulkAudit.objects.count() == 1


def test_an_engine_failure_on_one_log_does_not_stop_the_others(
    match: Match, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = MoveLog.objects.first()
    audit = face.audits.audit

    def failing(document: str, *args: Any) -> dict[str, Any]:
        if document == bad.document:
            raise KeyError("a bug")
        return audit(document, *args)

    monkeypatch.setattr(face.audits, "audit", failing)
    again = audited_again(match, cast)
    assert (state_of(again).done, state_of(again).failed) == (9, 1)
    assert [line.log for line in changes_of(again)] == [bad]


def test_a_bulk_audit_whose_jobs_gave_up_is_shown_as_failed(match: Match, cast: Cast) -> None:
    again = started(match, cast)
    Job.objects.filter(kind="audits.bulk").update(status="failed", error="the worker was lost each time")
    assert state_of(again).status == "failed"


def test_an_unknown_interpretation_or_option_is_refused(match: Match, cast: Cast) -> None:
    for options in ({"I-SAF-99": "no"}, {"I-SAF-07": "perhaps"}):
        with assert_refused("interpretation_unknown"):
            started(match, cast, **options)


def test_a_bulk_audit_is_refused_for_an_event_without_audited_logs(cast: Cast) -> None:
    event = a_running_event(cast, players=2)
    with assert_refused("nothing_to_audit"):
        start_bulk(event=event, options={}, by=cast.judge, now=NOW)
    assert not BulkAudit.objects.exists()


def test_a_judge_who_plays_cannot_start_or_see_a_bulk_audit(match: Match, cast: Cast) -> None:
    event = match.round.stage.event
    again = started(match, cast)
    grant_role(event=event, email=cast.player.email, role="judge", by=cast.organizer, now=NOW)
    for asked in (
        lambda: event_for_bulk(cast.player, event.public_id),
        lambda: bulk_for_judge(cast.player, again.public_id),
    ):
        with assert_refused("staff_who_play"):
            asked()
    with pytest.raises(Http404):
        bulk_for_judge(cast.stranger, again.public_id)
    assert LANES >= 2
