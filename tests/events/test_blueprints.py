"""Creating events from a preset, a saved format or another event."""

import pytest
from django.http import Http404

from tests.builders import NOW, a_running_event, an_event
from tests.cast import Cast
from tests.refusals import assert_refused
from tournaments.decks.services import choose_deck_format
from tournaments.events import services as events
from tournaments.events.access import format_for_owner
from tournaments.events.blueprints import EVENT_FIELDS, STAGE_FIELDS
from tournaments.events.models import Event, SavedFormat, Stage
from tournaments.events.presets import PRESETS
from tournaments.events.selectors import formats_of

pytestmark = pytest.mark.django_db


def created(cast: Cast, preset: str, **figures: int) -> Event:
    return events.create_event(by=cast.organizer, name="Open", preset=preset, now=NOW, **figures)


@pytest.mark.parametrize(
    ("preset", "best_of", "minutes", "rounds", "deck_format"),
    [
        ("altered", 3, 50, 3, "altered-standard"),
        ("altered-bo1", 1, 30, 4, "altered-standard"),
        ("altered-draft", 1, 30, 3, "altered-draft"),
        ("altered-sealed", 3, 50, None, "altered-sealed"),
        ("altered-no-unique", 3, 50, 3, "altered-no-unique"),
        ("star-safir", 3, 60, None, "safir-v2"),
    ],
)
def test_a_preset_has_the_match_structure_of_its_rule_text(
    cast: Cast, preset: str, best_of: int, minutes: int, rounds: int | None, deck_format: str
) -> None:
    stage = created(cast, preset).stages.get()
    assert (stage.best_of, stage.round_minutes, stage.rounds_planned) == (best_of, minutes, rounds)
    assert stage.deck_format == deck_format


def test_a_limited_preset_sets_boosters_passing_time_and_pod_size(cast: Cast) -> None:
    limited = created(cast, "altered-draft").procedures["limited"]
    assert {name: limited[name] for name in ("boosters", "passing", "minutes", "pod", "cards")} == {
        "boosters": 4,
        "passing": "LRLR",
        "minutes": 40,
        "pod": 8,
        "cards": 12,
    }
    assert created(cast, "altered-sealed").procedures["limited"]["boosters"] == 7


def test_star_safir_is_the_first_preset() -> None:
    assert next(iter(PRESETS)) == "star-safir"


def test_values_given_on_creation_override_those_of_the_preset(cast: Cast) -> None:
    stage = created(cast, "altered", rounds=5, best_of=1, round_minutes=25).stages.get()
    assert (stage.rounds_planned, stage.best_of, stage.round_minutes) == (5, 1, 25)


def played_as(event: Event) -> tuple[object, ...]:
    """Everything that a copy of this event takes over."""
    stages = [[getattr(stage, name) for name in STAGE_FIELDS] for stage in event.stages.order_by("number")]
    return [getattr(event, name) for name in EVENT_FIELDS], stages


def test_a_copied_event_keeps_the_settings_but_not_the_entrants_staff_or_seed(cast: Cast) -> None:
    event = a_running_event(cast, rounds=2, capacity=9)
    Stage.objects.update(round_minutes=33)
    event.time_zone = "Europe/Rome"
    copy = events.clone_event(event=event, name="Again", by=cast.organizer, now=NOW)
    assert played_as(copy) == played_as(event)
    assert (copy.status, copy.capacity, copy.name, copy.time_zone) == ("draft", 9, "Again", "Europe/Rome")
    assert not copy.entrants.exists()
    assert copy.stages.get().seed != event.stages.get().seed
    assert [role.role for role in copy.staff_roles.all()] == ["owner"]


def test_only_its_owner_can_create_events_from_a_saved_format(cast: Cast) -> None:
    event = created(cast, "altered", rounds=7)
    choose_deck_format(
        event=event, deck_format="altered-draft", options={"I-ALT-09": "others"}, by=cast.organizer, now=NOW
    )
    event.refresh_from_db()
    saved = events.save_format(event=event, name="League", by=cast.organizer, now=NOW)
    assert played_as(created(cast, saved.public_id)) == played_as(event)
    with assert_refused("preset_unknown"):
        events.create_event(by=cast.stranger, name="Open", preset=saved.public_id, now=NOW)
    with pytest.raises(Http404):
        format_for_owner(cast.stranger, saved.public_id)
    assert not formats_of(cast.stranger).exists()


def test_saving_a_format_under_the_same_name_replaces_it(cast: Cast) -> None:
    events.save_format(event=created(cast, "altered"), name="Ours", by=cast.organizer, now=NOW)
    saved = events.save_format(event=created(cast, "star-safir"), name=" Ours ", by=cast.organizer, now=NOW)
    assert SavedFormat.objects.get() == saved
    assert created(cast, saved.public_id).game == "star-safir"


def test_deleting_a_format_keeps_the_events_created_from_it(cast: Cast) -> None:
    saved = events.save_format(event=an_event(cast), name="Ours", by=cast.organizer, now=NOW)
    event = created(cast, saved.public_id)
    events.delete_format(saved=saved)
    assert Event.objects.filter(pk=event.pk).exists() and not SavedFormat.objects.exists()


def test_an_account_can_save_at_most_a_hundred_formats(cast: Cast) -> None:
    event = an_event(cast)
    SavedFormat.objects.bulk_create(
        SavedFormat(owner=cast.organizer, name=f"F{number}", blueprint={}, created_at=NOW) for number in range(100)
    )
    with assert_refused("too_many_formats"):
        events.save_format(event=event, name="One more", by=cast.organizer, now=NOW)
    assert events.save_format(event=event, name="F1", by=cast.organizer, now=NOW).blueprint


def test_a_format_needs_a_name(cast: Cast) -> None:
    with assert_refused("name_missing"):
        events.save_format(event=an_event(cast), name=" ", by=cast.organizer, now=NOW)


def test_a_game_name_is_stored_only_for_games_unknown_to_the_engine(cast: Cast) -> None:
    free = events.create_event(by=cast.organizer, name="Open", preset="free", game_name="Go", now=NOW)
    ours = events.create_event(by=cast.organizer, name="Open", preset="altered", game_name="Go", now=NOW)
    assert (free.game_name, free.has_engine, ours.game_name, ours.has_engine) == ("Go", False, "", True)
