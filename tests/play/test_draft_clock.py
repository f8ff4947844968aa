"""The clock of a draft: staff start, pause, move and reset it until a round is paired."""

from datetime import timedelta
from functools import partial

import pytest

from tests.builders import NOW, a_draft_event, a_published_round, a_running_event, play_out
from tests.cast import Cast
from tests.refusals import assert_refused
from tournaments.common.models import LedgerEntry
from tournaments.events.models import Event, Stage
from tournaments.events.presets import PRESETS
from tournaments.events.procedures import draft_steps, read_procedures
from tournaments.events.selectors import current_stage
from tournaments.events.stages import add_stage
from tournaments.play import services as play
from tournaments.play.models import DraftClock
from tournaments.play.services.draft_clock import draft_of, open_draft
from tournaments.swiss.draft import Face

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(cast: Cast) -> Event:
    return a_draft_event(cast)


@pytest.fixture
def stage(event: Event) -> Stage:
    return current_stage(event)


def shown(stage: Stage, seconds: int) -> Face:
    draft = draft_of(stage, NOW + timedelta(seconds=seconds))
    assert draft is not None
    return draft.face


def test_the_altered_draft_preset_has_48_picks_within_its_40_minutes() -> None:
    steps = draft_steps(PRESETS["altered-draft"].procedures.limited)
    assert sum(step.phase == "pick" for step in steps) == 48
    assert sum(step.seconds for step in steps) == 2400 and steps[-1].seconds >= 15 * 60


def test_a_draft_clock_can_be_started_paused_and_resumed(cast: Cast, event: Event, stage: Stage) -> None:
    action = {"stage": stage, "by": cast.scorekeeper}
    for early in (play.pause_draft, play.resume_draft, play.undo_draft, partial(play.move_draft, step=1)):
        with assert_refused("clock_state"):
            early(**action, now=NOW)
    play.start_draft(**action, now=NOW)
    with assert_refused("clock_state"):
        play.start_draft(**action, now=NOW)
    assert (shown(stage, 0).seconds_left, shown(stage, 10).number) == (9, 2)
    play.pause_draft(**action, now=NOW + timedelta(seconds=4))
    with assert_refused("clock_state"):
        play.pause_draft(**action, now=NOW + timedelta(seconds=5))
    assert (shown(stage, 600).state, shown(stage, 600).seconds_left) == ("paused", 5)
    play.resume_draft(**action, now=NOW + timedelta(seconds=604))
    assert (shown(stage, 604).number, shown(stage, 604).seconds_left) == (1, 5)
    codes = LedgerEntry.objects.filter(chain=event.public_id, code__startswith="clock.draft")
    assert list(codes.order_by("number").values_list("code", "object")) == [
        ("clock.draft_started", "s1"),
        ("clock.draft_paused", "s1"),
        ("clock.draft_resumed", "s1"),
    ]


def test_a_draft_clock_can_be_moved_to_a_pick_and_stays_paused(cast: Cast, stage: Stage) -> None:
    action = {"stage": stage, "by": cast.scorekeeper}
    play.start_draft(**action, now=NOW)
    play.move_draft(**action, step=1, now=NOW + timedelta(seconds=12))
    assert (shown(stage, 12).number, shown(stage, 12).seconds_left) == (1, 9)
    play.pause_draft(**action, now=NOW + timedelta(seconds=13))
    play.move_draft(**action, step=5, now=NOW + timedelta(seconds=60))
    stands = shown(stage, 90)
    assert (stands.state, stands.number, stands.step and stands.step.passing) == ("paused", 5, "R")
    for wrong in (0, 9):
        with assert_refused("draft_step"):
            play.move_draft(**action, step=wrong, now=NOW)


def test_starting_the_draft_clock_can_be_undone_until_a_round_is_paired(cast: Cast, event: Event, stage: Stage) -> None:
    action = {"stage": stage, "by": cast.scorekeeper, "now": NOW}
    play.start_draft(**action)
    play.undo_draft(**action)
    assert not DraftClock.objects.exists() and open_draft(stage, NOW) is not None
    play.start_draft(**action)
    a_published_round(event, cast.organizer)
    for late in (play.undo_draft, play.pause_draft, partial(play.move_draft, step=1)):
        with assert_refused("draft_over"):
            late(**action)
    assert open_draft(stage, NOW) is None


def test_undoing_the_start_of_a_stage_removes_its_draft_clock(cast: Cast) -> None:
    event = a_running_event(cast, players=6, rounds=1)
    Event.objects.filter(pk=event.pk).update(
        procedures={"limited": {"boosters": 1, "passing": "L", "cards": 3, "minutes": 2}}
    )
    add_stage(event=event, kind="pods", by=cast.organizer, now=NOW)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    stage = play.start_stage(event=event, by=cast.organizer, now=NOW)
    play.start_draft(stage=stage, by=cast.scorekeeper, now=NOW)
    play.undo_stage(event=event, by=cast.organizer, now=NOW)
    assert not DraftClock.objects.exists()
    assert draft_of(Stage.objects.get(pk=stage.pk), NOW) is None


def test_a_stage_without_pods_or_without_cards_has_no_draft_clock(cast: Cast, stage: Stage) -> None:
    other = current_stage(a_running_event(cast, players=2, named="Other"))
    Event.objects.filter(pk=stage.event_id).update(procedures={"limited": {"boosters": 7}})
    stage.event.refresh_from_db()
    for none in (other, stage):
        assert draft_of(none, NOW) is None
        with assert_refused("no_draft_clock"):
            play.start_draft(stage=none, by=cast.organizer, now=NOW)


def test_procedures_that_leave_no_time_for_deck_construction_are_refused() -> None:
    with assert_refused("procedures_invalid"):
        read_procedures({"limited": {"boosters": 2, "passing": "LR", "cards": 15, "minutes": 5}})
