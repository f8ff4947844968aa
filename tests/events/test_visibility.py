"""Who sees what when: the table by itself, and the gesture that changes it."""

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
def test_a_cell_says_when(when: str, seen: tuple[bool, ...]) -> None:
    table = read_visibility({"pairings.public.swiss": when, "pairings.players.swiss": "never"})
    assert tuple(shows(table, "pairings", {"public"}, moment) for moment in (OPEN, CLOSED, OVER)) == seen
    assert all(shows(table, "pairings", {"public", "staff"}, moment) for moment in (OPEN, CLOSED, OVER))


def test_what_everybody_sees_players_see_too() -> None:
    table = read_visibility({"standings.players.swiss": "never"})
    assert shows(table, "standings", {"public", "players"}, OPEN)


def test_players_may_see_more_than_the_public_and_each_part_has_its_own_say() -> None:
    table = read_visibility({"pairings.public.cut": "never", "pairings.players.cut": "now"})
    cut = Moment("cut", False, False)
    assert shows(table, "pairings", {"public", "players"}, cut)
    assert not shows(table, "pairings", {"public"}, cut)
    assert shows(table, "pairings", {"public"}, OPEN)


def test_nothing_is_hidden_and_no_list_is_open_by_default() -> None:
    assert read_visibility({}) == DEFAULTS
    assert {cell for cell in CELLS if DEFAULTS[cell] == "never"} == {c for c in CELLS if c.startswith("decklists")}


def test_every_cell_that_is_wrong_is_named() -> None:
    with assert_refused("visibility_invalid") as caught:
        read_visibility({"pairings.public.final": "now", "decklists.public.cut": "after_round", "x": 1})
    assert [(fault["cell"], fault["code"]) for fault in caught.value.details] == [
        ("pairings.public.final", "unknown_cell"),
        ("x", "unknown_cell"),
        ("decklists.public.cut", "not_a_choice"),
    ]


def test_constructed_duels_exchange_lists_in_the_cut() -> None:
    table = {name: read_visibility(preset.visibility)["decklists.opponent.cut"] for name, preset in PRESETS.items()}
    assert {name for name, said in table.items() if said == "now"} == set(PRESETS) - {
        "altered-sealed",
        "altered-draft",
        "saint-seiya",
        "free",
    }
    assert "after_round" in choices_of("decklists.opponent.cut")


@pytest.mark.django_db
def test_only_the_cells_that_change_are_in_the_ledger(cast: Cast) -> None:
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
def test_it_goes_with_a_copy_and_a_saved_format_and_stays_once_archived(cast: Cast) -> None:
    event = an_event(cast)
    choose_visibility(event=event, cells={"pairings.public.cut": "never"}, by=cast.organizer, now=NOW)
    event.refresh_from_db()
    copy = clone_event(event=event, name="Again", by=cast.organizer, now=NOW)
    assert read_visibility(copy.visibility) == read_visibility(event.visibility)
    saved = save_format(event=event, name="Ours", by=cast.organizer, now=NOW)
    del saved.blueprint["event"]["visibility"]  # as one that was saved before there was any
    saved.save()
    assert an_event(cast, preset=saved.public_id).visibility == {}
    Event.objects.filter(pk=event.pk).update(status=Event.Status.ARCHIVED)
    with assert_refused("event_state"):
        choose_visibility(event=event, cells={}, by=cast.organizer, now=NOW)
