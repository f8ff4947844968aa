"""The state and `events.apply`, its only reducer: JSON round trips, exact inverses, invariants."""

from __future__ import annotations

import pytest

from engine.core.effects.host import Host
from engine.core.replay.replay import Replay
from engine.core.shown import views
from engine.core.table import events
from engine.core.table.state import Layout, State, add, empty, from_json, terms, to_json
from engine.core.text.errors import Impossible
from tests.engine.cast import OPENING, catalog, told


@pytest.fixture
def state() -> State:
    replay = Replay(told(*OPENING), catalogs=[catalog()])
    return replay.state_at(4)


def test_a_state_survives_a_json_round_trip(state: State) -> None:
    events.apply(state, ("mark", 3, "damage", 2))
    assert from_json(to_json(state), state.terms) == state


def test_a_copy_shares_nothing(state: State) -> None:
    twin = state.copy()
    events.apply(twin, ("counter", "A.pi", 1))
    events.apply(twin, ("move", 0, "A/hand", -1))
    events.apply(twin, ("note", "attacked", 3))
    assert twin != state
    assert state.counters["A.pi"] == 4
    assert not state.noted("attacked", 3)
    events.apply(twin, ("mark", 3, "damage", 2))
    assert (twin.mark(3, "damage"), state.mark(3, "damage")) == (2, 0)


@pytest.mark.parametrize(
    "event",
    [
        ("counter", "A.pi", -4),
        ("move", 0, "A/hand", -1),
        ("move", 29, "A/T1/fighters/1", -1),
        ("name", 0, "F-1-1-1"),
        ("first", "B"),
        ("turn", 9, "B", "combat"),
        ("note", "attacked", 3),
        ("wipe", ("ready",)),
        ("mark", 3, "damage", 2),
        ("mark", 4, "tokens", -1),
        ("mark", 4, "tokens", -2),
        ("clear", "ready", "A"),
        ("end", "A", "pv", "SAF-I-1"),
    ],
)
def test_every_event_has_an_exact_inverse(state: State, event: events.Event) -> None:
    events.apply(state, ("mark", 4, "tokens", 2))
    before = to_json(state)
    inverse = events.apply(state, event)
    assert to_json(state) != before
    events.apply(state, inverse)
    assert to_json(state) == before


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (("counter", "A.pi", -5), "below_minimum"),
        (("counter", "A.pi", 12), "above_maximum"),
        (("name", 0, "F-7-7-7"), "no_copy_left"),
        (("clear", "attacked", 3), "not_noted"),
        (("mark", 3, "damage", -1), "below_minimum"),
    ],
)
def test_an_event_that_breaks_an_invariant_changes_nothing(state: State, event: events.Event, code: str) -> None:
    before = to_json(state)
    with pytest.raises(Impossible) as caught:
        events.apply(state, event)
    assert caught.value.code == code
    assert to_json(state) == before


def test_a_slot_holds_one_card(state: State) -> None:
    events.apply(state, ("move", 0, "A/T1/fighters/1", -1))
    with pytest.raises(Impossible, match="holds 1"):
        events.apply(state, ("move", 1, "A/T1/fighters/1", -1))


def test_a_card_can_be_named_only_once(state: State) -> None:
    events.apply(state, ("name", 0, "F-1-1-1"))
    with pytest.raises(Impossible) as caught:
        events.apply(state, ("name", 0, "F-1-1-1"))
    assert caught.value.code == "already_named"


def test_different_states_have_different_digests(state: State) -> None:
    digest = state.digest()
    events.apply(state, ("counter", "A.pi", 1))
    assert state.digest() != digest


def test_only_its_player_and_the_judge_see_a_hand(state: State) -> None:
    hand = state.zones["A/hand"][0]
    events.apply(state, ("name", hand, "F-1-1-1"))
    for seat in (None, "B"):
        assert views.board(state, catalog(), seat)["seats"]["A"]["hand"] == ["?"] * 5
    for seat in ("A", "judge"):
        assert views.board(state, catalog(), seat)["seats"]["A"]["hand"][0]["ref"] == "F-1-1-1"


@pytest.mark.parametrize("lang", ["fr", "en", "it"])
def test_a_board_is_printed_in_three_languages(state: State, lang: str) -> None:
    text = views.as_text(views.board(state, catalog(), "judge"), lang)
    assert "PI 4" in text
    assert {"fr": "territoire 3", "en": "territory 3", "it": "territorio 3"}[lang] in text


def test_a_layout_may_have_zones_that_belong_to_no_seat() -> None:
    layout = Layout(("hand",), {"row": 1}, {}, {}, common=("row",))
    fixed = terms("any", "any@1", ("A", "B"), {}, {}, layout, Host())
    between = empty(fixed)
    assert between.zones == {"A/hand": [], "B/hand": [], "common/row": []}
    add(between, "common", "common/row")
    with pytest.raises(Impossible, match="holds 1"):
        events.apply(between, ("create", "common", "common/row", None))
