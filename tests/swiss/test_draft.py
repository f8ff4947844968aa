"""The clock of a draft: picks, breaks between boosters and deck construction, all derived from one instant."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.swiss.draft import Step, begins, face, pick_seconds, schedule
from tournaments.swiss.field import SwissError
from tournaments.swiss.pods import passes_left

START = datetime(2030, 1, 1, 12, tzinfo=UTC)


def altered() -> tuple[Step, ...]:
    return schedule("LRLR", 12, each=3, between=60, minutes=40)


def after(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


def test_picks_get_shorter_as_fewer_cards_are_left() -> None:
    assert [pick_seconds(cards, each=3) for cards in (15, 14, 13, 12, 2, 1)] == [40, 40, 39, 36, 6, 5]


def test_four_boosters_alternate_directions_and_leave_the_rest_for_deck_construction() -> None:
    steps = altered()
    picks = [step for step in steps if step.phase == "pick"]
    assert len(picks) == 48 and [step.phase for step in steps].count("between") == 3
    assert all((step.passing == "L") == passes_left(step.booster) for step in picks)
    assert [(step.pick, step.cards) for step in picks[:2]] == [(1, 12), (2, 11)]
    assert (steps[-1].phase, sum(step.seconds for step in steps)) == ("build", 2400)
    assert steps[-1].seconds == 2400 - 4 * sum(step.seconds for step in picks[:12]) - 180


def test_a_draft_whose_picks_leave_no_time_to_build_is_rejected() -> None:
    with pytest.raises(SwissError) as caught:
        schedule("LRLR", 12, each=3, between=60, minutes=18)
    assert caught.value.code == "draft_too_long"


def test_the_clock_shows_booster_pick_direction_and_seconds() -> None:
    steps = altered()
    assert face(steps, None, None, START).state == "ready"
    first = face(steps, START, None, after(0))
    assert (first.number, first.seconds_left, first.ends_at, first.closes_at) == (1, 36, after(36), after(2400))
    assert face(steps, START, None, after(35.5)).seconds_left == 1
    second = face(steps, START, None, after(36))
    assert second.step == Step("pick", 33, 1, 2, 11, "L")
    between = face(steps, START, None, after(begins(steps)[12]))
    assert between.step == Step("between", 60, 2, passing="R")
    assert face(steps, START, None, after(2399)).step == steps[-1]
    over = face(steps, START, None, after(2400))
    assert (over.state, over.step, over.seconds_left) == ("over", None, 0)


def test_a_paused_draft_stays_at_its_pick() -> None:
    shown = face(altered(), START, after(40), after(4000))
    assert (shown.state, shown.number, shown.seconds_left, shown.ends_at) == ("paused", 2, 29, None)


@given(st.integers(0, 2399), st.text("LR", min_size=1, max_size=4), st.integers(1, 12))
def test_every_second_belongs_to_the_expected_step(second: int, passing: str, cards: int) -> None:
    steps = schedule(passing, cards, each=3, between=60, minutes=40)
    passed, expected = 0, 0
    while passed + steps[expected].seconds <= second:
        passed += steps[expected].seconds
        expected += 1
    shown = face(steps, START, None, after(second))
    assert (shown.number, shown.seconds_left) == (expected + 1, passed + steps[expected].seconds - second)


@pytest.mark.parametrize("size", range(6, 12))
def test_hands_match_the_clock_in_pods_of_any_size(size: int) -> None:
    picks = [step for step in altered() if step.phase == "pick" and step.booster == 1]
    hands = [12] * size
    for step in picks:
        assert set(hands) == {step.cards}
        taken = [cards - 1 for cards in hands]
        hands = [*taken[-1:], *taken[:-1]]  # passed on
    assert hands == [0] * size
