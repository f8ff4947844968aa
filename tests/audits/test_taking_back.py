"""A recording that was handed in can be taken back until a judge rules: it is open again, and its log is withdrawn."""

import json
from datetime import timedelta
from functools import partial

import pytest
from django.http import Http404

from tests.archive.files import file_of, verified
from tests.audits.test_recording import FIRST, enter
from tests.builders import NOW, a_published_round, a_running_event, first_game, match_of, users_of
from tests.cast import Cast
from tests.play.test_races import at_once
from tests.refusals import assert_refused
from tournaments.accounts.models import User
from tournaments.audits import disputes, recording, services
from tournaments.audits.access import recorder_for
from tournaments.audits.axes import axes_of
from tournaments.audits.branches import open_branch
from tournaments.audits.bulk import start_bulk
from tournaments.audits.disputes import Wanted
from tournaments.audits.models import Audit, MoveLog, Recording
from tournaments.audits.services import run_audits, submit_log
from tournaments.common import jobs
from tournaments.common.models import LedgerEntry
from tournaments.events.models import Event
from tournaments.play import services as play
from tournaments.play.models import Match

pytestmark = pytest.mark.django_db
SOON = NOW + timedelta(seconds=1)
KEPT = Wanted("change", "I saw it.", games=[2, 0, 0])


def a_match(cast: Cast) -> Match:
    return match_of(a_published_round(a_running_event(cast, players=2), cast.organizer), cast.player)


@pytest.fixture
def match(cast: Cast) -> Match:
    return a_match(cast)


def opened_in(match: Match, by: User, moves: int = 2) -> Recording:
    """A recording of game 1 with the first moves of a played game; 0 for all of them."""
    opened = recording.open_recording(game=match.games.get(number=1), by=by, now=NOW)
    played = first_game(match)["moves"]
    for n, move in enumerate(played[: moves or len(played)], 1):
        enter(opened, by, {key: value for key, value in move.items() if key not in ("n", "h")}, n)
    return opened


def handed_in(match: Match, by: User, moves: int = 2) -> Recording:
    opened = opened_in(match, by, moves)
    recording.hand_in(recorder=recorder_for(by, opened.public_id), by=by, now=NOW)
    return opened


def take_back(opened: Recording, by: User) -> Recording:
    return recording.take_back(recorder=recorder_for(by, opened.public_id), by=by, now=SOON)


def test_a_recording_that_is_taken_back_goes_on_with_its_entries_and_is_handed_in_again(
    cast: Cast, match: Match
) -> None:
    opened = opened_in(match, cast.judge)
    entries = list(opened.entries.values_list("n", "entry"))
    first = recording.hand_in(recorder=recorder_for(cast.judge, opened.public_id), by=cast.judge, now=NOW)
    again = take_back(opened, cast.judge)
    assert (again.log, again.closed_at, list(again.entries.values_list("n", "entry"))) == (None, None, entries)
    assert not MoveLog.objects.exists()
    entry = LedgerEntry.objects.get(code="recording.taken_back")
    assert entry.after == {"match": match.public_id, "game": 1, "log": first.public_id, "sha256": first.sha256}
    enter(opened, cast.judge, {"by": "A", "do": "concede"}, 3)
    log = recording.hand_in(recorder=recorder_for(cast.judge, opened.public_id), by=cast.judge, now=SOON)
    jobs.run_due(SOON + timedelta(seconds=1))
    assert (len(json.loads(log.document)["moves"]), Audit.objects.get(log=log).verdict) == (3, "confirmed")


@pytest.mark.slow
def test_a_recording_can_be_handed_in_again_without_another_move(cast: Cast, match: Match) -> None:
    opened = handed_in(match, cast.judge, moves=0)
    jobs.run_due(SOON)
    take_back(opened, cast.judge)
    log = recording.hand_in(recorder=recorder_for(cast.judge, opened.public_id), by=cast.judge, now=SOON)
    jobs.run_due(SOON + timedelta(seconds=1))
    assert Audit.objects.get(log=log).verdict == "confirmed"
    assert match.games.get(number=1).evidence == "replayed"


def test_taking_an_open_recording_back_changes_nothing(cast: Cast, match: Match) -> None:
    opened = opened_in(match, cast.judge)
    for _twice in range(2):
        assert take_back(opened, cast.judge) == opened
    assert not LedgerEntry.objects.filter(code="recording.taken_back").exists()


def test_a_second_request_that_was_read_before_the_first_one_took_it_back_changes_nothing(
    cast: Cast, match: Match
) -> None:
    opened = handed_in(match, cast.judge)
    late = recorder_for(cast.judge, opened.public_id)
    take_back(opened, cast.judge)
    again = recording.take_back(recorder=late, by=cast.judge, now=SOON)
    assert (again.pk, again.log, again.closed_at) == (opened.pk, None, None)
    assert LedgerEntry.objects.filter(code="recording.taken_back").count() == 1


def test_both_players_may_take_back_what_they_recorded_and_nobody_else(cast: Cast, match: Match) -> None:
    first, second = users_of(match)
    opened = recording.open_recording(game=match.games.get(number=1), by=first, now=NOW)
    enter(opened, first, FIRST, 1)
    for user in (second, first):
        recording.hand_in(recorder=recorder_for(first, opened.public_id), by=first, now=NOW)
        assert recording.to_take_back(user, match) == [opened]
        take_back(opened, user)
    assert recording.to_take_back(cast.stranger, match) == []
    with pytest.raises(Http404):
        take_back(opened, cast.stranger)
    with assert_refused("role_too_low"):
        take_back(opened, cast.scorekeeper)


@pytest.mark.slow
def test_the_evidence_of_a_withdrawn_log_is_gone_and_the_result_stays(cast: Cast, match: Match) -> None:
    opened = handed_in(match, cast.judge, moves=0)
    play.enter_result(match=match, by=cast.scorekeeper, games=(1, 0, 0), now=NOW)
    jobs.run_due(SOON)
    match.refresh_from_db()
    assert (match.evidence, match.games.get(number=1).evidence) == ("replayed", "replayed")
    take_back(opened, cast.judge)
    match.refresh_from_db()
    game = match.games.get(number=1)
    assert (game.evidence, game.report_digest, game.ended, game.winner, match.evidence) == ("", "", "", None, "")
    assert (match.has_result, match.authority) == (True, "witnessed")
    assert axes_of([match])[match.pk].evidence_at is None
    told = LedgerEntry.objects.get(code="game.evidence_withdrawn")
    assert (told.before["evidence"], told.after["evidence"]) == ("replayed", "")
    found = verified(file_of(match.round.stage.event))
    assert (found.faults, found.holds) == ((), True)


@pytest.mark.slow
def test_the_evidence_of_an_older_log_of_the_game_stays(cast: Cast, match: Match) -> None:
    game, whole = match.games.get(number=1), first_game(match)
    submit_log(game=game, document=json.dumps(whole).encode(), by=cast.player, now=NOW)
    opened = handed_in(match, cast.judge, moves=0)
    jobs.run_due(SOON)
    older = Audit.objects.get(log__uploaded_by=cast.player)
    take_back(opened, cast.judge)
    game.refresh_from_db()
    assert (game.evidence, game.report_digest, game.winner is not None) == ("replayed", older.digest, True)
    assert MoveLog.objects.get() == older.log
    assert verified(file_of(match.round.stage.event)).holds


@pytest.mark.slow
def test_an_audit_that_ends_after_its_log_was_withdrawn_records_nothing(
    cast: Cast, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = handed_in(match, cast.judge, moves=0)
    audit = Audit.objects.get()
    find = services._findings_of

    def taken_back_meanwhile(*args: object) -> services.Findings:
        found = find(*args)
        take_back(opened, cast.judge)
        return found

    monkeypatch.setattr(services, "_findings_of", taken_back_meanwhile)
    run_audits(audit_ids=[audit.pk], now=SOON)
    assert match.games.get(number=1).evidence == ""
    assert not LedgerEntry.objects.filter(code__startswith="game.").exists()
    jobs.run_due(SOON)


def test_nothing_is_taken_back_once_a_judge_has_ruled(cast: Cast, match: Match) -> None:
    opened = handed_in(match, cast.judge)
    disputes.rule(match=match, by=cast.judge, wanted=KEPT, now=NOW)
    with assert_refused("already_ruled"):
        take_back(opened, cast.judge)
    assert (MoveLog.objects.count(), recording.to_take_back(cast.judge, match)) == (1, [])


def test_a_ruling_from_before_the_recording_was_handed_in_does_not_matter(cast: Cast, match: Match) -> None:
    opened = opened_in(match, cast.judge)
    disputes.rule(match=match, by=cast.judge, wanted=KEPT, now=NOW)
    recording.hand_in(recorder=recorder_for(cast.judge, opened.public_id), by=cast.judge, now=NOW)
    assert take_back(opened, cast.judge).log is None


def test_nothing_is_taken_back_while_a_judge_looks_into_the_match(cast: Cast, match: Match) -> None:
    opened = handed_in(match, cast.judge)
    first, second = users_of(match)
    report = play.report_result(match=match, by=first, games=(2, 0, 0), now=NOW)
    play.contest_result(match=match, report=report, by=second, now=NOW)
    with assert_refused("disputed"):
        take_back(opened, first)


def test_a_log_that_a_judge_tried_corrections_on_is_kept(cast: Cast, match: Match) -> None:
    opened = handed_in(match, cast.judge, moves=8)
    open_branch(log=MoveLog.objects.get(), n=5, correction="undo", by=cast.judge, now=NOW)
    with assert_refused("disputed"):
        take_back(opened, cast.judge)
    disputes.rule(match=match, by=cast.judge, wanted=KEPT, now=NOW)
    with assert_refused("already_ruled"):
        take_back(opened, cast.judge)


def test_a_newer_log_or_recording_of_the_game_keeps_the_recording_closed(cast: Cast, match: Match) -> None:
    opened, other = handed_in(match, cast.judge), opened_in(match, cast.judge)
    assert other != opened
    with assert_refused("newer_log"):
        take_back(opened, cast.judge)
    enter(other, cast.judge, {"by": "A", "do": "concede"}, 3)  # or it would be the same log
    recording.hand_in(recorder=recorder_for(cast.judge, other.public_id), by=cast.judge, now=NOW)
    with assert_refused("newer_log"):
        take_back(opened, cast.judge)
    assert take_back(other, cast.judge).log is None


def test_nothing_is_taken_back_once_the_event_is_not_running(cast: Cast, match: Match) -> None:
    opened = handed_in(match, cast.judge)
    Event.objects.update(status=Event.Status.FINISHED)
    with assert_refused("event_state"):
        take_back(opened, cast.judge)


def test_a_log_in_an_audit_of_all_logs_can_be_taken_back(cast: Cast, match: Match) -> None:
    opened = handed_in(match, cast.judge)
    jobs.run_due(SOON)
    bulk = start_bulk(event=match.round.stage.event, options={}, by=cast.judge, now=SOON)
    take_back(opened, cast.judge)
    jobs.run_due(SOON + timedelta(seconds=1))
    bulk.refresh_from_db()
    assert (bulk.lines.count(), bulk.finished_at is not None) == (0, True)


@pytest.mark.django_db(transaction=True)
def test_of_taking_back_and_ruling_at_once_whoever_is_first_wins(cast: Cast) -> None:
    match = a_match(cast)
    opened = handed_in(match, cast.judge)
    state = disputes.state_of(match)
    told = at_once(
        partial(take_back, opened, cast.player),
        lambda: disputes.rule(match=match, by=cast.judge, wanted=KEPT, now=NOW, state=state),
    )
    assert told in (["already_ruled", "done"], ["done", "result_changed"])
    assert MoveLog.objects.exists() == (told[0] == "already_ruled")


@pytest.mark.django_db(transaction=True)
def test_taking_back_while_the_audit_is_saved_never_leaves_evidence_without_a_log(cast: Cast) -> None:
    match = a_match(cast)
    opened = handed_in(match, cast.judge, moves=0)
    audit = Audit.objects.get()
    told = at_once(
        partial(take_back, opened, cast.player),
        lambda: run_audits(audit_ids=[audit.pk], now=NOW),
        partial(take_back, opened, cast.player),
    )
    assert told == ["done", "done", "done"]
    assert (match.games.get(number=1).evidence, MoveLog.objects.exists()) == ("", False)
    assert LedgerEntry.objects.filter(code="recording.taken_back").count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_taking_back_and_a_new_log_at_once_one_wins_or_the_log_is_alone(cast: Cast) -> None:
    match = a_match(cast)
    opened, game = handed_in(match, cast.judge), match.games.get(number=1)
    document = json.dumps(first_game(match)).encode()
    told = at_once(
        partial(take_back, opened, cast.player),
        lambda: submit_log(game=game, document=document, by=cast.opponent, now=NOW),
        lambda: recording.open_recording(game=game, by=cast.opponent, now=NOW),
    )
    assert told in (["done", "done", "done"], ["done", "done", "newer_log"])
    opened.refresh_from_db()
    assert (opened.closed_at is None) == (told[-1] == "done")
    assert Recording.objects.filter(game=game, closed_at=None).count() == 1
