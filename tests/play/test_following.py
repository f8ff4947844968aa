"""Closing a round, pairing and publishing the next, and starting its clock in one action; undoing that."""

from datetime import timedelta

import pytest
from django.db.models import F

from tests.archive.files import file_of, verified
from tests.builders import NOW, a_published_round, a_running_event
from tests.cast import Cast
from tests.refusals import assert_refused
from tournaments.announcements.services import announce
from tournaments.common import jobs
from tournaments.events.models import Event
from tournaments.events.selectors import current_stage
from tournaments.play import services as play
from tournaments.play.models import Clock, Match, Round
from tournaments.play.services.clock import face
from tournaments.standings.selectors import standings_of

pytestmark = pytest.mark.django_db
SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)


@pytest.fixture
def event(cast: Cast) -> Event:
    return a_running_event(cast, players=5)


@pytest.fixture
def settled(cast: Cast, event: Event) -> Round:
    """The first round, with a result that counts at every table."""
    round_ = a_published_round(event, cast.organizer)
    for match in round_.matches.filter(table__isnull=False):
        play.enter_result(match=match, by=cast.organizer, games=(2, 0, 0), now=NOW)
    return round_


def pairs(round_: Round) -> list[list[str]]:
    matches = Match.objects.filter(round=round_).order_by(F("table").asc(nulls_last=True))
    return [list(match.seats.order_by("number").values_list("entrant__public_id", flat=True)) for match in matches]


def test_one_action_closes_pairs_publishes_and_schedules_the_clock(cast: Cast, settled: Round) -> None:
    made = play.follow_round(round_=settled, minutes=3, by=cast.scorekeeper, now=NOW)
    settled.refresh_from_db()
    made.refresh_from_db()
    assert (settled.status, made.status, made.number) == ("closed", "published", 2)
    clock = Clock.objects.get(round=made)
    faces = [face(clock, NOW + after) for after in (MINUTE, 3 * MINUTE, 4 * MINUTE)]
    assert [(shown.state, shown.seconds_left) for shown in faces] == [
        ("scheduled", clock.seconds),
        ("running", clock.seconds),
        ("running", clock.seconds - 60),
    ]


def test_a_scheduled_clock_can_be_started_at_once_but_not_paused(cast: Cast, settled: Round) -> None:
    made = play.follow_round(round_=settled, minutes=3, by=cast.scorekeeper, now=NOW)
    with assert_refused("clock_state"):
        play.pause_clock(round_=made, by=cast.scorekeeper, now=NOW + MINUTE)
    play.start_clock(round_=made, by=cast.scorekeeper, now=NOW + MINUTE)
    assert face(Clock.objects.get(round=made), NOW + MINUTE).state == "running"


def test_undoing_restores_the_round_and_the_next_pairing_is_the_same(cast: Cast, event: Event, settled: Round) -> None:
    jobs.run_due(NOW)
    before = standings_of(current_stage(event)).rows
    made = play.follow_round(round_=settled, minutes=3, by=cast.scorekeeper, now=NOW)
    paired = pairs(made)
    announce(event=event, text="Round 2", by=cast.organizer, now=NOW)
    assert play.undo_follow(round_=made, by=cast.organizer, now=NOW + 60 * SECOND).status == "published"
    assert list(event.stages.get().rounds.values_list("number", "status")) == [(1, "published")]
    jobs.run_due(NOW + MINUTE)
    assert standings_of(current_stage(event)).rows == before
    again = play.follow_round(round_=settled, minutes=0, by=cast.scorekeeper, now=NOW + MINUTE)
    assert pairs(again) == paired


def test_it_cannot_be_undone_after_a_minute_or_once_something_happened(cast: Cast, settled: Round) -> None:
    made = play.follow_round(round_=settled, minutes=3, by=cast.scorekeeper, now=NOW)
    with assert_refused("undo_closed"):
        play.undo_follow(round_=made, by=cast.scorekeeper, now=NOW + 61 * SECOND)
    with assert_refused("undo_closed"):
        play.undo_follow(round_=settled, by=cast.scorekeeper, now=NOW)
    match = made.matches.filter(table__isnull=False).first()
    assert match
    play.enter_result(match=match, by=cast.organizer, games=(2, 0, 0), now=NOW + SECOND)
    with assert_refused("undo_closed"):
        play.undo_follow(round_=made, by=cast.scorekeeper, now=NOW + 2 * SECOND)


def test_a_refused_action_leaves_the_round_open(cast: Cast, event: Event, settled: Round) -> None:
    event.stages.update(rounds_planned=1)
    with assert_refused("rounds_over"):
        play.follow_round(round_=settled, minutes=3, by=cast.scorekeeper, now=NOW)
    settled.refresh_from_db()
    assert settled.status == "published"
    with assert_refused("minutes_invalid"):
        play.follow_round(round_=settled, minutes=61, by=cast.scorekeeper, now=NOW)


def test_missing_results_prevent_the_next_round(cast: Cast, event: Event) -> None:
    round_ = a_published_round(event, cast.organizer)
    with assert_refused("results_missing"):
        play.follow_round(round_=round_, minutes=3, by=cast.scorekeeper, now=NOW)


def test_until_the_planned_start_the_pairings_can_become_a_draft_again(cast: Cast, settled: Round) -> None:
    made = play.follow_round(round_=settled, minutes=3, by=cast.scorekeeper, now=NOW)
    assert play.undo_open(made, NOW + 2 * MINUTE) == "unpublish"
    assert play.undo_open(made, NOW + 3 * MINUTE) == ""
    with assert_refused("round_begun"):
        play.unpublish_round(round_=made, by=cast.scorekeeper, now=NOW + 3 * MINUTE)
    play.unpublish_round(round_=made, by=cast.scorekeeper, now=NOW + 2 * MINUTE)
    made.refresh_from_db()
    assert made.status == "draft" and not Clock.objects.filter(round=made).exists()
    play.publish_round(round_=made, by=cast.scorekeeper, now=NOW + 4 * MINUTE)
    assert face(Clock.objects.get(round=made), NOW + 9 * MINUTE).state == "ready"


def test_the_planned_start_can_be_cancelled_until_it_comes(cast: Cast, settled: Round) -> None:
    made = play.follow_round(round_=settled, minutes=3, by=cast.scorekeeper, now=NOW)
    with assert_refused("clock_state"):
        play.cancel_clock_start(round_=made, by=cast.scorekeeper, now=NOW + 3 * MINUTE)
    play.cancel_clock_start(round_=made, by=cast.scorekeeper, now=NOW + MINUTE)
    assert face(Clock.objects.get(round=made), NOW + 9 * MINUTE).state == "ready"
    with assert_refused("clock_state"):
        play.cancel_clock_start(round_=made, by=cast.scorekeeper, now=NOW + MINUTE)
    play.start_clock(round_=made, by=cast.scorekeeper, now=NOW + MINUTE)
    assert face(Clock.objects.get(round=made), NOW + MINUTE).state == "running"


def test_two_players_without_results_are_swapped_until_the_clock_starts(
    cast: Cast, event: Event, settled: Round
) -> None:
    made = play.follow_round(round_=settled, minutes=3, by=cast.scorekeeper, now=NOW)
    (first, second), others, (alone,) = pairs(made)
    by_id = {entrant.public_id: entrant for entrant in event.entrants.all()}

    def swap(a: str, b: str, at: timedelta) -> None:
        play.swap_players(round_=made, first=by_id[a], second=by_id[b], by=cast.scorekeeper, now=NOW + at)

    swap(first, others[0], MINUTE)
    assert pairs(made) == [[others[0], second], [first, others[1]], [alone]]
    # The bye counts for whoever has it now, and the table that was given away has no result.
    swap(first, alone, MINUTE)
    seats = {seat.entrant.public_id: seat for seat in made.matches.get(table=None).seats.all()}
    assert (seats[first].points, seats[first].games_won) == (3, 2)
    assert list(made.matches.get(table=2).seats.values_list("points", flat=True)) == [None, None]
    reported = made.matches.get(table=1)
    play.enter_result(match=reported, by=cast.organizer, games=(2, 0, 0), now=NOW + MINUTE)
    with assert_refused("table_begun") as refused:
        swap(second, alone, 2 * MINUTE)
    assert refused.value.details == [1]
    swap(first, alone, 2 * MINUTE)
    with assert_refused("round_begun"):
        swap(first, alone, 3 * MINUTE)
    made.refresh_from_db()
    assert (made.certified, made.algorithm.endswith("+hand")) == (False, True)
    for match in made.matches.filter(table=2):
        play.enter_result(match=match, by=cast.organizer, games=(2, 1, 0), now=NOW + 4 * MINUTE)
    play.close_round(round_=made, by=cast.organizer, now=NOW + 5 * MINUTE)
    jobs.run_due(NOW + 6 * MINUTE)
    assert {row["points"] for row in standings_of(current_stage(event)).rows} == {0, 3, 6}
    assert not verified(file_of(event)).faults


def test_a_loss_that_waits_counts_for_the_player_who_gave_the_bye_away(cast: Cast, event: Event) -> None:
    draft = play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    alone = event.entrants.get(seats__match__table=None)
    other = event.entrants.get(seats__match__table=1, seats__number=1)
    loss = play.lose_next_round(entrant=alone, what="game", now=NOW)
    play.publish_round(round_=draft, by=cast.organizer, now=NOW)
    loss.refresh_from_db()
    assert loss.seat is None
    play.swap_players(round_=draft, first=alone, second=other, by=cast.organizer, now=NOW)
    loss.refresh_from_db()
    assert loss.seat and loss.seat.match == draft.matches.get(table=1)
    with assert_refused("table_begun"):
        play.swap_players(round_=draft, first=alone, second=other, by=cast.organizer, now=NOW)
