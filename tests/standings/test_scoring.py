"""The points and the floor of an event: what they change, and when they can be chosen."""

from fractions import Fraction
from typing import Any

import pytest

from tests.builders import NOW, a_bracket, a_published_round, a_running_event, an_event, play_out
from tests.cast import Cast
from tests.refusals import assert_refused
from tests.web.pages import signed_in
from tournaments.common import jobs
from tournaments.common.models import LedgerEntry
from tournaments.events.blueprints import of_event
from tournaments.events.models import Event
from tournaments.events.scoring import SCORING_PRESETS, preset_of, read_scoring
from tournaments.events.selectors import current_stage
from tournaments.play import services as play
from tournaments.play.field import ranking
from tournaments.play.pairing_inputs import inputs_of
from tournaments.play.selectors import points_before
from tournaments.standings.selectors import standings_of
from tournaments.standings.services import choose_scheme, choose_scoring
from tournaments.swiss.replies import verified

TWO = {"win": 2, "draw": 1, "loss": 0.5, "floor": "0.25"}


def chosen(event: Event, cast: Cast, scoring: dict[str, Any]) -> Event:
    choose_scoring(event=event, scoring=scoring, by=cast.organizer, now=NOW)
    event.refresh_from_db()
    return event


@pytest.mark.django_db
def test_standings_are_computed_again_when_the_points_change(cast: Cast) -> None:
    event = a_running_event(cast, players=5)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    jobs.run_due(NOW)
    chosen(event, cast, TWO)
    assert standings_of(current_stage(event)).computing
    jobs.run_due(NOW)
    rows = standings_of(current_stage(event)).rows
    assert [row["points"] for row in rows] == [2, 2, 2, 0.5, 0.5]
    assert {row["exact"]["omw"] for row in rows if row["record"] == [1, 0, 0]} == {"1/4"}
    entry = LedgerEntry.objects.get(chain=event.public_id, code="standings.scoring_chosen")
    assert (entry.before, entry.after) == ({"scoring": {}}, {"scoring": TWO})
    chosen(event, cast, dict(TWO))
    assert LedgerEntry.objects.filter(code="standings.scoring_chosen").count() == 1


@pytest.mark.django_db
def test_a_round_is_paired_by_the_chosen_points_and_its_pairing_can_be_verified(cast: Cast) -> None:
    event = chosen(a_running_event(cast, players=6), cast, TWO)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    round_ = a_published_round(event, cast.organizer)
    assert round_.wishes["options"]["scoring"] == {"win": "2", "draw": "1", "loss": "1/2"}
    assert set(points_before(round_).values()) == {Fraction(2), Fraction(1, 2)}
    assert verified(inputs_of(round_))["same"]


@pytest.mark.django_db
def test_score_groups_use_the_points_of_the_fide_scheme(cast: Cast) -> None:
    event = a_running_event(cast)
    choose_scheme(event=event, scheme="fide", by=cast.organizer, now=NOW)
    play_out(a_published_round(event, cast.organizer), cast.organizer, (1, 1, 0))
    round_ = a_published_round(event, cast.organizer)
    assert set(points_before(round_).values()) == {Fraction(1, 2)}
    assert {row.points for row in ranking(current_stage(event))} == {Fraction(1, 2)}


@pytest.mark.django_db
def test_points_that_are_left_out_come_from_the_scheme(cast: Cast) -> None:
    event = an_event(cast)
    assert chosen(event, cast, {"win": 4}).scoring == {"win": 4, "draw": 1, "loss": 0}
    assert chosen(event, cast, {"floor": "none"}).scoring == {"floor": "none"}
    assert chosen(event, cast, {}).scoring == {}


@pytest.mark.django_db
@pytest.mark.parametrize(
    "wrong", [{"win": 0.5}, {"win": 3, "draw": 4}, {"loss": 2}, {"win": 11}, {"floor": "1/2"}, {"bye": 3}, {"win": 0.3}]
)
def test_impossible_points_are_refused(cast: Cast, wrong: dict[str, Any]) -> None:
    with assert_refused("scoring_invalid"):
        choose_scoring(event=an_event(cast), scoring=wrong, by=cast.organizer, now=NOW)


@pytest.mark.django_db
def test_points_are_fixed_once_a_later_stage_has_started_or_the_event_is_over(cast: Cast) -> None:
    with assert_refused("scoring_fixed"):
        chosen(a_bracket(cast), cast, TWO)
    event = a_running_event(cast, named="Another")
    round_ = play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    with assert_refused("draft_pairings"):
        chosen(event, cast, TWO)
    play.publish_round(round_=round_, by=cast.organizer, now=NOW)
    play_out(round_, cast.organizer)
    play.finish_event(event=event, by=cast.organizer, now=NOW)
    with assert_refused("event_state"):
        chosen(event, cast, TWO)


@pytest.mark.django_db
def test_the_api_takes_a_preset_or_points_and_returns_what_counts(cast: Cast) -> None:
    event = an_event(cast)
    page, client = f"/api/v1/events/{event.public_id}/scoring/", signed_in(cast.organizer)
    told = client.put(page, {"preset": "fide"}, content_type="application/json").json()
    assert (told["preset"], told["win"], told["draw"], told["loss"], told["floor"]) == ("fide", 1, 0.5, 0, "0")
    told = client.put(page, {"win": 2, "draw": 1, "loss": 0, "floor": None}, content_type="application/json").json()
    assert (told["preset"], told["floor"], [each["id"] for each in told["presets"]]) == (
        "own",
        "1/3",
        list(SCORING_PRESETS),
    )
    told = client.put(page, {"win": 4}, content_type="application/json").json()
    assert (told["win"], told["draw"], told["loss"]) == (4, 1, 0)
    both = client.put(page, {"preset": "fide", "win": 2}, content_type="application/json")
    assert both.status_code == 422


@pytest.mark.django_db
def test_a_cloned_event_has_the_same_scoring(cast: Cast) -> None:
    assert of_event(chosen(an_event(cast), cast, TWO)).event["scoring"] == TWO


def test_presets_are_read_and_recognized() -> None:
    for name, preset in SCORING_PRESETS.items():
        assert preset_of(preset.scoring) == name
    assert preset_of({"win": 2, "draw": 1, "loss": 0}) == "own"
    assert read_scoring({"floor": "0.33"}).floor == Fraction(33, 100)
