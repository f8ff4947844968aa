"""A ruling can change every face-up card, in a slot or in a row, and the marks on it."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.table.context import Context
from engine.core.text.errors import Malformed
from tests.engine.scenario import facts, play, start

Case = tuple[str, dict[str, Any], list[dict[str, Any]], dict[str, Any]]

CASES: tuple[Case, ...] = (
    (
        "altered",
        {"A": {"landmarks": ["R-1-1", "R-2-1"], "exp_heros": ["P-1-1-100 boost:2 ancre"], "hand": ["P-2-1-111"]}},
        [
            {"discard": ["A", "landmarks/1"]},
            {"return": ["A", "exp_heros/1"]},
            {"place": ["A", "P-2-1-111", "exp_compagnon"]},
            {"mark": ["A", "exp_compagnon/1", "endormi", 1]},
            {"create": ["B", "J-111", "exp_heros"]},
        ],
        {"A/landmarks": ["R-2-1"], "A/discard": ["R-1-1"], "A/exp_heros": [], "A/exp_compagnon": ["P-2-1-111 endormi"],
         "B/exp_heros": ["J-111"]},
    ),
    (
        "stellar-nexus",
        {"A": {"field": ["C-1-2-2", {"ref": "C-0-1-1", "marks": {"engaged": 1}}],
               "equipment": [{"ref": "Q-1", "on": "A/field/1"}]}},
        [{"mark": ["A", "field/2", "engaged", -1]}, {"discard": ["A", "field/1"]}, {"discard": ["A", "equipment/1"]}],
        {"A/field": ["C-0-1-1"], "A/equipment": [], "A/graveyard": ["C-1-2-2", "Q-1"]},
    ),
    (
        "wakfu",
        {"A": {"rest": ["G-T engaged"], "combat": ["C-1-1-0"]}},
        [{"return": ["A", "rest/1"]}, {"discard": ["A", "combat/1"]}],
        {"A/rest": [], "A/hand": 4, "A/combat": [], "A/discard": ["C-1-1-0"]},
    ),
    (
        "saint-seiya",
        {"A": {"play": ["P-1-1-0-C1"], "hand": []}},
        [{"discard": ["A", "play/1"]}, {"create": ["A", "P-1-1-0-C1", "pillars"]}],
        {"A/play": [], "A/discard": ["P-1-1-0-C1"], "A/pillars": ["P-1-1-0-C1"]},
    ),
)  # fmt: skip


def ruled(game: str, sides: dict[str, Any], events: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the facts that a ruling changes in a declared position."""
    entry = {"by": "judge", "do": "ruling", "ref": "-", "reason": "as it should be", "events": events}
    scenario = {"game": game, "given": {"seats": sides}, "moves": [entry]}
    state = start(scenario)
    before = facts(state)
    assert play(scenario, state, Context(state)) == []
    return {path: value for path, value in facts(state).items() if value != before[path]}


@pytest.mark.parametrize(("game", "sides", "events", "changes"), CASES, ids=[case[0] for case in CASES])
def test_a_ruling_can_change_the_cards_of_rows_and_their_marks(
    game: str, sides: dict[str, Any], events: list[dict[str, Any]], changes: dict[str, Any]
) -> None:
    assert ruled(game, sides, events) == changes


@pytest.mark.parametrize(
    ("event", "code"),
    [
        ({"discard": ["A", "hand/1"]}, "unknown_zone"), ({"return": ["A", "landmarks"]}, "unknown_zone"),
        ({"place": ["A", "P-2-1-111", "deck"]}, "unknown_zone"), ({"create": ["A", "NONE", "reserve"]}, "unknown_card"),
        ({"mark": ["A", "hero", "tired", 1]}, "unknown_counter"), ({"mark": ["A", "hero", "boost", 9999]}, "bad_value"),
        ({"mark": ["A", "hero", "boost"]}, "wrong_type"),
    ],
)  # fmt: skip
def test_a_ruling_on_an_invalid_zone_card_or_mark_has_an_error_code(event: dict[str, Any], code: str) -> None:
    with pytest.raises(Malformed) as refused:
        ruled("altered", {}, [event])
    assert refused.value.code == code


def test_a_ruling_on_an_empty_place_is_refused() -> None:
    entry = {"by": "judge", "do": "ruling", "ref": "-", "reason": "-", "events": [{"discard": ["A", "landmarks/3"]}]}
    scenario = {"game": "altered", "given": {"seats": {}}, "moves": [entry]}
    state = start(scenario)
    assert [reason.rule for reason in play(scenario, state, Context(state))] == ["LOG-ruling"]


def test_rulings_create_at_most_500_cards() -> None:
    token = {"create": ["B", "J-111", "exp_heros"]}
    entry = {"by": "judge", "do": "ruling", "ref": "-", "reason": "-", "events": [token] * 100}
    scenario = {"game": "altered", "given": {"seats": {}}, "moves": [entry] * 5}
    state = start(scenario)
    assert play(scenario, state, Context(state)) == []
    one_more = {**scenario, "moves": [{**entry, "events": [token]}]}
    (reason,) = play(one_more, state, Context(state))
    assert (reason.rule, reason.args["code"]) == ("LOG-ruling", "too_many_cards")
