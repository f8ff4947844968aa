"""Words of Altered's effect language that the linter refuses, and a fact about them that a position may leave out."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.abilities.language import faults
from engine.core.report.audit import audit
from engine.games.altered.vocabulary import LANGUAGE
from tests.engine.altered.cast import NOTES, catalog, common, side

DRAW = {"op": "draw", "n": 1}
WRONG: tuple[tuple[dict[str, Any], str], ...] = (
    ({"on": "entered", "if": {"count": {"side": "own"}}, "do": [DRAW]},
     "a condition on a number has at_least, at_most or both"),
    ({"on": "entered", "if": {"second": True}, "do": [DRAW]},
     "a condition has one of the keys: count, x, first, phase, counter, reading"),
    ({"on": "entered", "do": [{"op": "destroy", "of": {"marks": []}}]}, "a list of marks is expected"),
    ({"on": "entered", "do": [{"op": "destroy", "of": {"marks": ["asleep"]}}]},
     "'asleep' is not one of: boost, fugace, ancre, endormi, epuise, compteur"),
    ({"on": "activated", "cost": {}, "do": [DRAW]},
     "a price has at least one of: mana, exhaust, counters, discard, shelve, sacrifice"),
    ({"on": "activated", "cost": {"orbs": 1}, "do": [DRAW]}, "unknown key 'orbs'"),
    ({"on": "entered", "do": [{"op": "to_reserve", "n": 1, "of": {"side": "own"}}]},
     "either `of`, which cards, or `n`, how many of the hand"),
    ({"on": "entered", "do": [{"op": "destroy", "of": {"zone": "hand", "take": "all"}}]},
     "nobody sees the cards of hand: they are counted, or chosen one by one"),
    ({"static": {"grant": "Défenseur", "to": {"self": True},
                 "if": {"count": {"where": {"stat": "boost", "at_least": 1}}, "at_least": 1}}},
     "what lasts may not depend on: where, keyword, it, take, may, by"),
)  # fmt: skip


@pytest.mark.parametrize(("ability", "message"), WRONG, ids=[message for _, message in WRONG])
def test_the_linter_says_what_is_wrong_with_a_word(ability: dict[str, Any], message: str) -> None:
    assert message in [fault.message for fault in faults(ability, LANGUAGE)]


def position(**changes: Any) -> dict[str, Any]:
    """Return an afternoon in which an ability that acts once a day is in play."""
    seats = {"A": side({"hand": ["P-1-1-100"], "landmarks": ["R-ONCE"]}), "B": side({})}
    memory: dict[str, list[str]] = {note: [] for note in NOTES if note not in changes.get("without", ())}
    return {
        "format": 1, "game": "altered", "ruleset": "altered-2024@1", "catalog": {"id": "test-altered"},
        "seats": {"A": {}, "B": {}},
        "start": {"kind": "position", "turn": {"n": 3, "seat": "A", "phase": "apres-midi", "first": "A"},
                  "state": {"seats": seats, "common": common({})}, "memory": memory},
    }  # fmt: skip


@pytest.mark.parametrize(("without", "asked"), [((), []), (("acted",), ["memory.acted"])])
def test_whether_an_ability_has_acted_today_is_asked_for(without: tuple[str, ...], asked: list[str]) -> None:
    move = {"n": 1, "by": "A", "do": "play", "args": {"card": "P-1-1-100", "expedition": "heros"}}
    report = audit({**position(without=without), "moves": [move]}, catalogs=[catalog()])
    assert [item["fact"] for item in report.missing] == asked
