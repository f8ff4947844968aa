"""The visibility table of an event: reading and asking it, and the action that changes it."""

import pytest

from tests.builders import NOW, an_event
from tests.cast import Cast
from tests.refusals import assert_refused
from tournaments.common.models import LedgerEntry
from tournaments.events.models import Event
from tournaments.events.presets import PRESETS
from tournaments.events.services import choose_visibility, clone_event, save_format
from tournaments.events.visibility import CELLS, DEFAULTS, Moment, choices_of, read_visibility, shows

OPEN, CLOSED, OVER = Moment("swiss", False, False), Moment("swiss", True, False), Moment("swiss", False, True)


@pytest.mark.parametrize(
    ("when", "seen"),
    [
        ("now", (True, True, True)),
        ("after_round", (False, True, True)),
        ("after_event", (False, False, True)),
        ("never", (False, False, False)),
    ],
)
def test_a_cell_decides_when_its_readers_see_something(when: str, seen: tuple[bool, ...]) -> None:
    table = read_visibility({"pairings.public.swiss": when, "pairings.players.swiss": "never"})
    assert tuple(shows(table, "pairings", {"public"}, moment) for moment in (OPEN, CLOSED, OVER)) == seen
    assert all(shows(table, "pairings", {"public", "staff"}, moment) for moment in (OPEN, CLOSED, OVER))


def test_players_see_whatever_the_public_sees() -> None:
    table = read_visibility({"standings.players.swiss": "never"})
    assert shows(table, "standings", {"public", "players"}, OPEN)


def test_players_can_see_more_than_the_public_in_one_part_of_the_event() -> None:
    table = read_visibility({"pairings.public.cut": "never", "pairings.players.cut": "now"})
    cut = Moment("cut", False, False)
    assert shows(table, "pairings", {"public", "players"}, cut)
    assert not shows(table, "pairings", {"public"}, cut)
    assert shows(table, "pairings", {"public"}, OPEN)


def test_by_default_everything_is_shown_except_decklists() -> None:
    assert read_visibility({}) == DEFAULTS
    assert {cell for cell in CELLS if DEFAULTS[cell] == "never"} == {c for c in CELLS if c.startswith("decklists")}


def test_every_invalid_cell_is_reported() -> None:
    with assert_refused("visibility_invalid") as caught:
        read_visibility({"pairings.public.final": "now", "decklists.public.cut": "after_round", "x": 1})
    assert [(fault["cell"], fault["code"]) for fault in caught.value.details] == [
        ("pairings.public.final", "unknown_cell"),
        ("x", "unknown_cell"),
        ("decklists.public.cut", "not_a_choice"),
    ]


def test_opponents_exchange_decklists_in_the_cut_of_constructed_presets() -> None:
    table = {name: read_visibility(preset.visibility)["decklists.opponent.cut"] for name, preset in PRESETS.items()}
    assert {name for name, said in table.items() if said == "now"} == set(PRESETS) - {
        "altered-sealed",
        "altered-draft",
        "saint-seiya",
        "free",
    }
    assert "after_round" in choices_of("decklists.opponent.cut")


@pytest.mark.django_db
def test_the_ledger_records_only_the_cells_that_change(cast: Cast) -> None:
    event = an_event(cast)
    cells = {"pairings.public.swiss": "after_round", "standings.public.swiss": "now"}
    for _twice in range(2):
        choose_visibility(event=event, cells=cells, by=cast.organizer, now=NOW)
    entry = LedgerEntry.objects.get(code="event.visibility_chosen")
    assert (entry.before, entry.after) == (
        {"pairings.public.swiss": "now"},
        {"pairings.public.swiss": "after_round"},
    )


@pytest.mark.django_db
def test_visibility_is_copied_with_an_event_and_fixed_once_archived(cast: Cast) -> None:
    event = an_event(cast)
    choose_visibility(event=event, cells={"pairings.public.cut": "never"}, by=cast.organizer, now=NOW)
    event.refresh_from_db()
    copy = clone_event(event=event, name="Again", by=cast.organizer, now=NOW)
    assert read_visibility(copy.visibility) == read_visibility(event.visibility)
    saved = save_format(event=event, name="Ours", by=cast.organizer, now=NOW)
    del saved.blueprint["event"]["visibility"]  # like a format saved before the setting existed
    saved.save()
    assert an_event(cast, preset=saved.public_id).visibility == {}
    Event.objects.filter(pk=event.pk).update(status=Event.Status.ARCHIVED)
    with assert_refused("event_state"):
        choose_visibility(event=event, cells={}, by=cast.organizer, now=NOW)
