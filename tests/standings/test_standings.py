"""Standings: computed by a job from one version of the results."""

from datetime import timedelta

import pytest

from tests.builders import NOW, a_published_round, a_running_event, match_of, play_out, users_of
from tests.cast import Cast
from tournaments.common import jobs
from tournaments.events.selectors import current_stage
from tournaments.play import services as play
from tournaments.standings.models import StandingsTable
from tournaments.standings.selectors import standings_of
from tournaments.standings.services import compute_standings

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(seconds=1)


def test_standings_are_behind_until_the_job_has_run(cast: Cast) -> None:
    event = a_running_event(cast)
    round_ = a_published_round(event, cast.organizer)
    stage = current_stage(event)
    assert standings_of(stage).computing
    play_out(round_, cast.organizer)
    jobs.run_due(LATER)
    shown = standings_of(stage)
    assert not shown.computing
    assert [row["points"] for row in shown.rows] == [3, 3, 0, 0]


def test_ranks_equal_on_every_term_are_equal(cast: Cast) -> None:
    event = a_running_event(cast)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    jobs.run_due(LATER)
    assert [row["rank"] for row in standings_of(current_stage(event)).rows] == [1, 1, 3, 3]


def test_opponents_percentages_are_exact(cast: Cast) -> None:
    """One win 2-0: the winner's opponent has 0 of 3 points, floored to one third; the loser's has 3 of 3."""
    event = a_running_event(cast, players=2)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    jobs.run_due(LATER)
    winner, loser = standings_of(current_stage(event)).rows
    assert (winner["exact"]["omw"], loser["exact"]["omw"]) == ("1/3", "1")
    assert winner["omw"].startswith("0.333333333")


def test_a_table_is_kept_once_for_each_version(cast: Cast) -> None:
    event = a_running_event(cast)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    stage = current_stage(event)
    assert compute_standings(stage_id=stage.pk, now=NOW) is not None
    assert compute_standings(stage_id=stage.pk, now=NOW) is None
    assert StandingsTable.objects.count() == 1


def test_a_disputed_result_does_not_count(cast: Cast) -> None:
    event = a_running_event(cast)
    match = match_of(a_published_round(event, cast.organizer), cast.player)
    first, second = users_of(match)
    report = play.report_result(match=match, by=first, games=(2, 0, 0), now=NOW)
    play.contest_result(match=match, report=report, by=second, now=NOW)
    compute_standings(stage_id=current_stage(event).pk, now=NOW)
    assert {row["points"] for row in standings_of(current_stage(event)).rows} == {0}


def test_a_correction_two_rounds_ago_is_in_the_next_table(cast: Cast) -> None:
    event = a_running_event(cast, players=4)
    first = a_published_round(event, cast.organizer)
    play_out(first, cast.organizer)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    jobs.run_due(LATER)
    match = first.matches.order_by("table")[0]
    play.override_result(match=match, by=cast.scorekeeper, games=(0, 2, 0), now=NOW, reason="Slip misread")
    assert standings_of(current_stage(event)).computing
    jobs.run_due(LATER)
    loser = match.seats.get(number=1).entrant.public_id
    row = next(row for row in standings_of(current_stage(event)).rows if row["entrant"] == loser)
    assert row["record"][1] >= 1
    assert StandingsTable.objects.count() == 2


def test_standings_hold_no_name(cast: Cast) -> None:
    event = a_running_event(cast)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    jobs.run_due(LATER)
    assert "Player" not in str(StandingsTable.objects.get().rows)
