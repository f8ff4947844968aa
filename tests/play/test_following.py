"""Closing a round, pairing and publishing the next, and starting its clock in one action; undoing that."""

from datetime import timedelta

import pytest

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
    matches = Match.objects.filter(round=round_).order_by("table")
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
