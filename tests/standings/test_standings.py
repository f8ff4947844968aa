"""Standings, computed in a job from one version of the results, and the changes between tables."""

from datetime import timedelta
from fractions import Fraction

import pytest

from tests.builders import NOW, a_published_round, a_running_event, play_out
from tests.cast import Cast
from tests.refusals import assert_refused
from tournaments.common import jobs
from tournaments.common.models import LedgerEntry
from tournaments.events.models import Event, Stage
from tournaments.events.selectors import current_stage
from tournaments.events.services import cancel_event
from tournaments.play import services as play
from tournaments.play.field import field_of
from tournaments.play.models import Match
from tournaments.standings.changes import Moved, moved
from tournaments.standings.models import StandingsTable
from tournaments.standings.selectors import changes_of, ranking_of, standings_of
from tournaments.standings.services import choose_scheme, compute_standings
from tournaments.swiss.formats import proposed_cut
from tournaments.swiss.standings import standings

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(seconds=1)


def test_standings_are_marked_as_computing_until_the_job_has_run(cast: Cast) -> None:
    event = a_running_event(cast)
    round_ = a_published_round(event, cast.organizer)
    stage = current_stage(event)
    assert standings_of(stage).computing
    play_out(round_, cast.organizer)
    jobs.run_due(LATER)
    shown = standings_of(stage)
    assert not shown.computing
    assert [row["points"] for row in shown.rows] == [3, 3, 0, 0]


def test_players_equal_on_every_tiebreak_share_a_rank(cast: Cast) -> None:
    event = a_running_event(cast)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    jobs.run_due(LATER)
    assert [row["rank"] for row in standings_of(current_stage(event)).rows] == [1, 1, 3, 3]


def test_opponents_win_percentages_are_exact_fractions(cast: Cast) -> None:
    """After one 2-0 win, the winner's opponent has 0 of 3 points, raised to one third; the loser's has 3 of 3."""
    event = a_running_event(cast, players=2)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    jobs.run_due(LATER)
    winner, loser = standings_of(current_stage(event)).rows
    assert (winner["exact"]["omw"], loser["exact"]["omw"]) == ("1/3", "1")
    assert winner["omw"].startswith("0.333333333")


def test_a_version_of_the_results_has_one_table(cast: Cast) -> None:
    event = a_running_event(cast)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    stage = current_stage(event)
    assert compute_standings(stage_id=stage.pk, now=NOW) is not None
    assert compute_standings(stage_id=stage.pk, now=NOW) is None
    assert StandingsTable.objects.count() == 1


def test_a_round_in_progress_does_not_count_not_even_its_bye(cast: Cast) -> None:
    event = a_running_event(cast, players=5)
    first = a_published_round(event, cast.organizer)
    stage = current_stage(event)
    jobs.run_due(LATER)
    assert standings_of(stage).rows == []
    play_out(first, cast.organizer)
    jobs.run_due(LATER)
    counted = standings_of(stage)
    assert counted.round_number == 1
    assert [(row["points"], row["record"], row["byes"]) for row in counted.rows if row["byes"]] == [(3, [0, 0, 0], 1)]
    second = a_published_round(event, cast.organizer)
    match = second.matches.filter(table__isnull=False).first()
    play.enter_result(match=match, by=cast.organizer, games=(2, 0, 0), now=NOW)
    jobs.run_due(LATER)
    running = standings_of(stage)
    assert not running.computing
    assert (running.round_number, running.rows) == (1, counted.rows)
    play_out(second, cast.organizer)
    jobs.run_due(LATER)
    assert standings_of(stage).round_number == 2
    assert sum(row["byes"] for row in standings_of(stage).rows) == 2


def test_a_reopened_round_no_longer_counts(cast: Cast) -> None:
    event = a_running_event(cast)
    round_ = a_published_round(event, cast.organizer)
    play_out(round_, cast.organizer)
    play.reopen_round(round_=round_, by=cast.organizer, now=NOW)
    jobs.run_due(LATER)
    shown = standings_of(current_stage(event))
    assert (shown.computing, shown.rows) == (False, [])


def test_changes_are_those_of_the_last_closed_round_whatever_results_came_since(cast: Cast) -> None:
    event = a_running_event(cast)
    first = a_published_round(event, cast.organizer)
    jobs.run_due(LATER)
    play_out(first, cast.organizer)
    jobs.run_due(LATER)
    counted = standings_of(current_stage(event)).table
    match = a_published_round(event, cast.organizer).matches.first()
    play.enter_result(match=match, by=cast.organizer, games=(2, 0, 0), now=NOW)
    jobs.run_due(LATER)
    changes = changes_of(current_stage(event))
    assert counted is not None and changes is not None
    assert changes.after.results_version > counted.results_version > changes.before.results_version
    assert sorted(move.points_after or 0 for move in changes.moved) == [0, 0, 3, 3]


def test_a_correction_two_rounds_ago_is_in_the_next_table(cast: Cast) -> None:
    event = a_running_event(cast, players=4)
    first = a_published_round(event, cast.organizer)
    play_out(first, cast.organizer)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    jobs.run_due(LATER)
    match = first.matches.order_by("table")[0]
    play.enter_result(match=match, by=cast.scorekeeper, games=(0, 2, 0), now=NOW, reason="Slip misread")
    assert standings_of(current_stage(event)).computing
    jobs.run_due(LATER)
    loser = match.seats.get(number=1).entrant.public_id
    row = next(row for row in standings_of(current_stage(event)).rows if row["entrant"] == loser)
    assert row["record"][1] >= 1
    assert StandingsTable.objects.count() == 2


def a_corrected_event(cast: Cast) -> tuple[Event, Match]:
    """An event after two rounds, with the result of a match of the first round reversed since; and that match."""
    event = a_running_event(cast, players=4)
    first = a_published_round(event, cast.organizer)
    play_out(first, cast.organizer)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    jobs.run_due(LATER)
    match = first.matches.order_by("table")[0]
    play.enter_result(match=match, by=cast.scorekeeper, games=(0, 2, 0), now=NOW, reason="Slip misread")
    jobs.run_due(LATER)
    return event, match


def test_changes_of_a_correction_show_who_moved_and_who_crossed_the_cut(cast: Cast) -> None:
    event, match = a_corrected_event(cast)
    loser, winner = (match.seats.get(number=number).entrant.public_id for number in (1, 2))
    stage = current_stage(event)
    changes = changes_of(stage, cut=1)
    assert changes is not None
    moves = {move.entrant: move for move in changes.moved}
    assert moves[loser].points_before == moves[loser].points_after + 3
    assert moves[winner].points_after == moves[winner].points_before + 3
    assert moves[winner].up >= 0 >= moves[loser].up
    before = {row["entrant"] for row in changes.before.rows if row["rank"] <= 1}
    after = {row["entrant"] for row in changes.after.rows if row["rank"] <= 1}
    assert {move.entrant for move in changes.moved if move.crossed == "in"} == after - before
    assert {move.entrant for move in changes.moved if move.crossed == "out"} == before - after


def test_a_correction_changes_the_tiebreaks_of_the_opponents(cast: Cast) -> None:
    event, match = a_corrected_event(cast)
    stage = current_stage(event)
    newest, older = StandingsTable.objects.filter(stage=stage).order_by("-results_version")
    fresh = {row.player: row.terms for row in standings(field_of(stage))}
    assert {row["entrant"]: row["exact"] for row in newest.rows} == {
        player: {name: str(value) for name, value in terms.items()} for player, terms in fresh.items()
    }
    seats = {seat.entrant.public_id for seat in match.seats.all()}
    changed = {row["entrant"] for row in newest.rows if row["exact"] not in [old["exact"] for old in older.rows]}
    assert changed - seats


def test_the_cut_is_that_of_the_next_stage_or_the_proposed_one(cast: Cast) -> None:
    event, _match = a_corrected_event(cast)
    stage = current_stage(event)
    changes = changes_of(stage)
    assert changes is not None and changes.cut == proposed_cut(4)
    Stage.objects.create(event=event, number=2, kind=Stage.Kind.SINGLE_ELIMINATION, cut_top=2, seed=1)
    changes = changes_of(stage)
    assert changes is not None and changes.cut == 2


def test_there_are_no_changes_with_only_one_table(cast: Cast) -> None:
    event = a_running_event(cast)
    stage = current_stage(event)
    assert changes_of(stage) is None
    a_published_round(event, cast.organizer)
    jobs.run_due(LATER)
    assert changes_of(stage) is None


def test_changes_can_be_computed_since_any_stored_version(cast: Cast) -> None:
    event, _match = a_corrected_event(cast)
    stage = current_stage(event)
    first = StandingsTable.objects.filter(stage=stage).order_by("results_version")[0]
    changes = changes_of(stage, since=first.results_version)
    assert changes is not None and changes.before == first
    assert changes_of(stage, since=first.results_version - 1) is None


def test_changes_include_entrants_who_joined_or_left_the_table() -> None:
    before = [{"entrant": "a", "rank": 1, "points": 3}, {"entrant": "b", "rank": 2, "points": 0}]
    after = [{"entrant": "c", "rank": 1, "points": 3}, {"entrant": "b", "rank": 2, "points": 0}]
    assert moved(before, after, cut=1) == [
        Moved("c", None, 1, None, 3, "in"),
        Moved("a", 1, None, 3, None, "out"),
    ]
    assert moved(before, before, cut=1) == []
    assert Moved("c", None, 1, None, 3).up == 0


def test_another_scheme_gets_a_new_table_and_the_old_one_is_kept(cast: Cast) -> None:
    event = a_running_event(cast)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    jobs.run_due(LATER)
    stage = current_stage(event)
    choose_scheme(event=event, scheme="fide:points,buchholz,random", by=cast.organizer, now=NOW)
    assert standings_of(stage).computing
    jobs.run_due(LATER)
    shown = standings_of(stage)
    assert not shown.computing
    assert shown.terms == ["buchholz", "random"]
    assert [row["points"] for row in shown.rows] == [1, 1, 0, 0]
    assert sorted(row["rank"] for row in shown.rows) == [1, 2, 3, 4]
    assert StandingsTable.objects.count() == 2
    choose_scheme(event=event, scheme="fide:points,buchholz,random", by=cast.organizer, now=NOW)
    assert LedgerEntry.objects.filter(code="standings.scheme_chosen").count() == 1
    choose_scheme(event=event, scheme="mtr", by=cast.organizer, now=NOW)
    jobs.run_due(LATER)
    assert standings_of(stage).terms == ["omw", "gw", "ogw"]
    assert not standings_of(stage).computing


def test_an_unknown_scheme_and_an_event_that_is_over_are_refused(cast: Cast) -> None:
    event = a_running_event(cast)
    with assert_refused("scheme_unknown") as caught:
        choose_scheme(event=event, scheme="points,luck", by=cast.organizer, now=NOW)
    assert "luck" in str(caught.value.details)
    cancel_event(event=event, by=cast.organizer, now=NOW)
    with assert_refused("event_state"):
        choose_scheme(event=event, scheme="fide", by=cast.organizer, now=NOW)


def test_a_drop_changes_the_standings_if_the_scheme_considers_drops(cast: Cast) -> None:
    event = a_running_event(cast, players=2)
    choose_scheme(event=event, scheme="pokemon", by=cast.organizer, now=NOW)
    round_ = a_published_round(event, cast.organizer)
    play_out(round_, cast.organizer)
    jobs.run_due(LATER)
    stage = current_stage(event)
    winner, loser = standings_of(stage).rows
    assert loser["exact"]["omw"] == "1"
    play.drop(entrant=event.entrants.get(public_id=winner["entrant"]), by=cast.organizer, now=NOW)
    jobs.run_due(LATER)
    assert standings_of(stage).rows[1]["exact"]["omw"] == "3/4"
    assert ranking_of(stage).rows[1].terms["omw"] == Fraction(3, 4)


def test_the_explained_ranking_matches_the_stored_table(cast: Cast) -> None:
    event, _match = a_corrected_event(cast)
    stage = current_stage(event)
    ranking, shown = ranking_of(stage), standings_of(stage)
    assert shown.table is not None
    assert ranking.version == shown.table.results_version
    assert [(row.player, row.rank) for row in ranking.rows] == [(row["entrant"], row["rank"]) for row in shown.rows]
    assert ranking_of(stage) is ranking


def test_neighbours_are_the_nearest_rows_of_another_rank_with_the_deciding_figure(cast: Cast) -> None:
    event = a_running_event(cast)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    ranking = ranking_of(current_stage(event))
    first, second, third, last = ranking.rows
    assert ranking.neighbours(first) == (None, (third, "points"))
    assert ranking.neighbours(second) == (None, (third, "points"))
    assert ranking.neighbours(last) == ((second, "points"), None)


def test_stored_standings_contain_no_names(cast: Cast) -> None:
    event = a_running_event(cast)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    jobs.run_due(LATER)
    assert "Player" not in str(StandingsTable.objects.get().rows)
