"""The clock of a round: what it shows at a given time, and the actions on it."""

from datetime import timedelta

import pytest

from tests.builders import NOW, a_published_round, a_running_event, play_out
from tests.cast import Cast
from tests.refusals import assert_refused
from tournaments.events.selectors import current_stage
from tournaments.play import services as play
from tournaments.play.models import Clock, Round
from tournaments.play.services.clock import face

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


@pytest.fixture
def round_(cast: Cast) -> Round:
    """A published round with a clock of 60 minutes."""
    return a_published_round(a_running_event(cast), cast.organizer)


def left(round_: Round, after: timedelta, extension: int = 0) -> tuple[str, int]:
    shown = face(Clock.objects.get(round=round_), NOW + after, extension)
    return shown.state, shown.seconds_left


def test_a_clock_waits_until_it_is_started(round_: Round) -> None:
    assert left(round_, 10 * MINUTE) == ("ready", 3600)


def test_a_running_clock_counts_down_below_zero(round_: Round, cast: Cast) -> None:
    play.start_clock(round_=round_, by=cast.organizer, now=NOW)
    assert left(round_, 10 * MINUTE) == ("running", 3000)
    assert left(round_, 61 * MINUTE) == ("running", -60)


def test_the_time_of_a_pause_is_not_lost(round_: Round, cast: Cast) -> None:
    play.start_clock(round_=round_, by=cast.organizer, now=NOW)
    play.pause_clock(round_=round_, by=cast.organizer, now=NOW + 5 * MINUTE)
    assert left(round_, 50 * MINUTE) == ("paused", 3300)
    play.resume_clock(round_=round_, by=cast.organizer, now=NOW + 15 * MINUTE)
    assert left(round_, 15 * MINUTE) == ("running", 3300)


def test_minutes_can_be_added_for_all_tables_or_for_one(round_: Round, cast: Cast) -> None:
    play.start_clock(round_=round_, by=cast.organizer, now=NOW)
    play.extend_round(round_=round_, minutes=5, by=cast.organizer, now=NOW)
    play.extend_table(match=round_.matches.all()[0], minutes=3, by=cast.judge, now=NOW)
    assert left(round_, 10 * MINUTE) == ("running", 3300)
    assert left(round_, 10 * MINUTE, extension=3) == ("running", 3480)


def test_a_second_start_pause_or_resume_is_refused(round_: Round, cast: Cast) -> None:
    with assert_refused("clock_state"):
        play.pause_clock(round_=round_, by=cast.organizer, now=NOW)
    play.start_clock(round_=round_, by=cast.organizer, now=NOW)
    with assert_refused("clock_state"):
        play.start_clock(round_=round_, by=cast.organizer, now=NOW)
    with assert_refused("clock_state"):
        play.resume_clock(round_=round_, by=cast.organizer, now=NOW)


def test_a_draft_has_no_clock_to_resume(cast: Cast) -> None:
    draft = play.pair_round(stage=current_stage(a_running_event(cast)), by=cast.organizer, now=NOW)
    with assert_refused("clock_state"):
        play.resume_clock(round_=draft, by=cast.organizer, now=NOW)


@pytest.mark.parametrize("minutes", [0, -5, 61])
def test_only_1_to_60_minutes_can_be_added(round_: Round, cast: Cast, minutes: int) -> None:
    with assert_refused("minutes_invalid"):
        play.extend_round(round_=round_, minutes=minutes, by=cast.organizer, now=NOW)


def test_the_clock_of_a_closed_round_stands_still(round_: Round, cast: Cast) -> None:
    play.start_clock(round_=round_, by=cast.organizer, now=NOW)
    play_out(round_, cast.organizer)
    clock = Clock.objects.get(round=round_)
    shown = face(clock, NOW + timedelta(hours=5))
    assert (shown.state, shown.seconds_left, shown.ends_at) == ("stopped", 60 * round_.stage.round_minutes, None)
