"""Everything in a log or a declared position has a limit; the error beyond it names the place and the limit."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from engine.core.replay.position import (
    MAX_CARDS,
    MAX_COUNTER,
    MAX_FACTS,
    MAX_LASTING,
    MAX_NOTES,
    MAX_SIGNED,
    read_position,
)
from engine.core.report.audit import audit
from engine.core.table import log
from engine.core.table.state import State
from engine.core.text.errors import EngineError, Malformed
from engine.core.text.phrases import error_message
from engine.core.text.rulebook import LANGUAGES
from tests.engine.kits import KITS, WAKFU

# A zone of each game that holds any number of cards, and a card for it.
ZONES: Mapping[str, tuple[str, Any]] = {
    "star-safir": ("hand", "F-1-1-1"),
    "wakfu": ("rest", {"ref": "C-1-1-T1", "marks": {}}),
    "saint-seiya": ("discard", "H"),
    "stellar-nexus": ("graveyard", "C-1-1-1"),
    "altered": ("discard", "P-2-1-300"),
}
Change = Callable[[dict[str, Any]], object]


def document(game: str) -> dict[str, Any]:
    """Return a declared position of a game with nothing but a zone without cards."""
    kit = KITS[game]
    sides: dict[str, Any] = {"A": {ZONES[game][0]: []}, "B": {}}
    return {
        "format": 1, "game": game, "ruleset": kit.ruleset, "catalog": {"id": kit.catalog().id},
        "start": {"kind": "position", "turn": dict(kit.turn), "state": {"seats": sides}, "memory": {}},
    }  # fmt: skip


def read(raw: Any) -> State:
    """Read a declared position as a caller does, from its text."""
    game: str = raw["game"]
    return read_position(log.read(json.dumps(raw)), [KITS[game].catalog()])[1]


def refused(raw: Any) -> EngineError:
    with pytest.raises(EngineError) as raised:
        read(raw)
    return raised.value


@pytest.mark.parametrize("game", ZONES)
def test_a_side_of_a_declared_position_has_at_most_500_cards(game: str) -> None:
    zone, card = ZONES[game]
    raw = document(game)
    side = raw["start"]["state"]["seats"]["A"]
    side[zone] = [card] * MAX_CARDS
    assert len(read(raw).zones[f"A/{zone}"]) == MAX_CARDS
    for more in (MAX_CARDS + 1, 5_000):
        side[zone] = [card] * more
        error = refused(raw)
        assert (error.code, error.path) == ("too_many_cards", f"start.state.seats.A.{zone}")
        sentence = error_message(error.code, error.message, "en")
        assert sentence == f"Too many cards: {more} (the limit is {MAX_CARDS})."


@pytest.mark.parametrize("game", ZONES)
def test_the_cards_of_all_zones_of_a_side_count_together_hidden_ones_as_well(game: str) -> None:
    raw = document(game)
    side = raw["start"]["state"]["seats"]["A"]
    zone, card = ZONES[game]
    side |= {zone: [card] * 100, "deck": MAX_CARDS - 100}
    assert len(read(raw).refs) == MAX_CARDS
    side["deck"] = 10**17
    error = refused(raw)
    assert error.code == "too_many_cards" and str(MAX_CARDS) in error.message
    raw["start"]["state"]["seats"]["B"] = {"deck": MAX_CARDS}
    side["deck"] = MAX_CARDS - 100
    assert len(read(raw).refs) == 2 * MAX_CARDS


def test_the_zones_of_nobody_have_a_limit_of_their_own() -> None:
    raw = document("saint-seiya")
    raw["start"]["state"]["common"] = {"reserve": 300, "reserve_discard": ["H"] * 200}
    assert len(read(raw).refs) == MAX_CARDS
    raw["start"]["state"]["common"]["reserve"] = 301
    assert (refused(raw).code, refused(raw).path) == ("too_many_cards", "start.state.common.reserve_discard")


def _start(**changes: Any) -> Change:
    return lambda raw: raw["start"].update(changes)


def _side(**changes: Any) -> Change:
    return lambda raw: raw["start"]["state"]["seats"]["A"].update(changes)


def _state_seats(name: str) -> Change:
    return lambda raw: raw["start"]["state"]["seats"].update({name: {}})


def _mark(count: int) -> Change:
    return _side(rest=[{"ref": "C-1-1-T1", "marks": {"points": count}}])


TOO_MUCH: Mapping[str, tuple[Change, str, str]] = {
    "a counter": (_side(pv=MAX_COUNTER + 1), "above_maximum", "start.state.seats.A.pv"),
    "a counter of 18 digits": (_side(pv=10**18 - 1), "above_maximum", "start.state.seats.A.pv"),
    "a counter of 19 digits": (_side(pv=10**18), "too_large", "start.state.seats.A.pv"),
    "marks": (_mark(1_001), "bad_value", "start.state.seats.A.rest.marks"),
    "a turn": (_start(turn={"n": 10_001}), "bad_value", "start.turn.n"),
    "notes": (_start(memory={"won": ["A"] * (MAX_NOTES + 1)}), "too_many_items", "start.memory.won"),
    "facts": (_start(unknown=["A.pa"] * (MAX_FACTS + 1)), "too_many_items", "start.unknown"),
    "signatures": (_start(signed=["A"] * (MAX_SIGNED + 1)), "too_many_items", "start.signed"),
    "evidence": (_start(evidence=["x"] * (MAX_SIGNED + 1)), "too_many_items", "start.evidence"),
    "lasting effects": (_start(lasting=[{}] * (MAX_LASTING + 1)), "too_many_items", "start.lasting"),
    "frames": (_start(agenda=[{}] * 101), "wrong_type", "start.agenda"),
    "seats": (_state_seats("C"), "unknown_key", "start.state.seats"),
    "a name": (_state_seats("x" * 5_000), "string_too_long", "start.state.seats"),
    "nesting": (_start(x=json.loads("[" * 40 + "]" * 40)), "too_deep", "character 288"),
}


@pytest.mark.parametrize("what", TOO_MUCH)
def test_everything_else_in_a_declared_position_has_a_limit(what: str) -> None:
    change, code, path = TOO_MUCH[what]
    raw = document("wakfu")
    change(raw)
    error = refused(raw)
    assert (error.code, error.path) == (code, path)
    assert len({error_message(error.code, error.message, language) for language in LANGUAGES}) == 3


def test_a_declared_position_at_the_limits_is_read() -> None:
    raw = document("wakfu")
    _side(pv=MAX_COUNTER)(raw)
    _mark(1_000)(raw)
    _start(memory={"won": ["A"] * MAX_NOTES}, signed=["A"] * MAX_SIGNED, evidence=["x"] * MAX_SIGNED)(raw)
    _start(turn={"n": 10_000})(raw)
    state = read(raw)
    assert (state.counters["A.pv"], len(state.memory["won"])) == (MAX_COUNTER, MAX_NOTES)


def test_the_hidden_cards_that_a_position_names_have_a_limit() -> None:
    raw = document("saint-seiya")
    raw["start"]["unseen"] = {"A": {"H": 600, "R": 401}}
    error = refused(raw)
    assert (error.code, error.path) == ("too_many_cards", "start.unseen.A")


ENTRIES: Mapping[str, tuple[dict[str, Any], str, str]] = {
    "cards of an argument": ({"args": {"attackers": ["A/combat/1"] * 1_001}}, "too_many_cards", "args.attackers"),
    "a draw": ({"chance": [{"draw": ["?"] * 201}]}, "too_many_cards", "chance[0]"),
    "chance": ({"chance": [{"roll": [6, 1]}] * 1_001}, "too_many_items", "chance"),
    "events": ({"do": "ruling", "events": [{"draw": ["A", []]}] * 101}, "too_many_events", "events"),
    "claims": ({"claims": {f"A.{n}": n for n in range(101)}}, "wrong_type", "claims"),
}


@pytest.mark.parametrize("what", ENTRIES)
def test_lists_of_an_entry_have_a_limit(what: str) -> None:
    changes, code, path = ENTRIES[what]
    with pytest.raises(Malformed) as raised:
        log.parse_entry({"n": 1, "by": "A", "do": "attack", **changes}, 1)
    assert (raised.value.code, raised.value.path) == (code, path)


def test_a_ruling_draws_at_most_200_cards_at_once() -> None:
    raw = {
        **WAKFU.header(),
        "moves": [{"n": 1, "by": "judge", "do": "ruling", "events": [{"draw": ["A", ["?"] * 201]}]}],
    }
    report = audit(raw, catalogs=[WAKFU.catalog()])
    assert report.verdict == "unreadable" and report.error is not None
    assert report.error["code"] == "too_many_cards"


def test_a_sentence_with_a_number_and_a_limit_is_read_in_another_language() -> None:
    french = error_message("too_many_items", "1001 items, more than 1000", "fr")
    assert french == "Cette liste est trop longue\N{NO-BREAK SPACE}: 1001 éléments (la limite est de 1000)."
    assert (
        error_message("too_many_items", french, "it") == "Questo elenco è troppo lungo: 1001 voci (il limite è 1000)."
    )
