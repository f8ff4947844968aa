"""Every option of every interpretation is enforced, and every result that depends on an interpretation says so."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from engine.core.table.game import Ruleset
from engine.core.table.header import load_game
from engine.core.text.errors import EngineError
from engine.core.text.registry import rulebook
from engine.core.text.rulebook import with_common_rules
from tests.engine.kits import KITS, LISTS
from tests.engine.scenario import SCENARIOS, run

BOOKS = {game: with_common_rules(rulebook(game)) for game in LISTS}
COMMON = "star-safir"  # its scenarios also cover the interpretations common to all games (I-TIME)
PAIRS = [
    (game, gap.id, option, other) for game in KITS for gap in BOOKS[game].interpretations.values()
    for option in gap.options for other in gap.options
    if option != other and (game == COMMON or gap.id.startswith(f"I-{KITS[game].prefix}"))
]  # fmt: skip


def naming(interpretation: str) -> list[dict[str, Any]]:
    """Return the scenarios that cover an interpretation.

    Those name it under `depends_on`. A legal deck has no report that could depend on anything, so a scenario of a legal
    deck covers the interpretations whose options it sets.
    """
    found = [s for _, s in SCENARIOS if interpretation in s["expect"].get("depends_on", ())]
    legal = [s for _, s in SCENARIOS if s["expect"] == {} and interpretation in s.get("options", {})]
    return found + legal


def in_force(scenario: dict[str, Any], interpretation: str) -> str:
    """Return the option of an interpretation under which a scenario is played."""
    rules = ruleset_of(scenario)
    return rules.options(scenario.get("options", {}))[interpretation] if rules else _chosen(scenario, interpretation)


def _chosen(scenario: dict[str, Any], interpretation: str) -> str:
    """Return the option of a deck's or a catalogue's scenario, which has no ruleset."""
    default = BOOKS[scenario["game"]].interpretations[interpretation].default
    return str(scenario.get("options", {}).get(interpretation, default))


def ruleset_of(scenario: dict[str, Any]) -> Ruleset | None:
    """Return the ruleset by which a scenario is played."""
    if "moves" not in scenario:
        return None
    return load_game(scenario["game"]).rulesets[scenario.get("ruleset", KITS[scenario["game"]].ruleset)]


def left_open(scenario: dict[str, Any], interpretation: str) -> bool:
    """Return whether the rules of a scenario leave a choice about an interpretation."""
    rules = ruleset_of(scenario)
    return rules is None or interpretation in rules.book.interpretations


def fails_under(scenario: dict[str, Any], interpretation: str, option: str) -> bool:
    """Return whether a scenario fails when an interpretation is switched to another option."""
    try:
        run({**scenario, "options": {**scenario.get("options", {}), interpretation: option}})
    except (AssertionError, EngineError):
        return True
    return False


@pytest.mark.parametrize(("game", "interpretation", "option", "other"), PAIRS)
def test_every_option_has_a_scenario_that_fails_under_each_other_option(
    game: str, interpretation: str, option: str, other: str
) -> None:
    told = [
        s for s in naming(interpretation)
        if s["game"] == game and left_open(s, interpretation) and in_force(s, interpretation) == option
    ]  # fmt: skip
    assert [scenario["name"] for scenario in told if fails_under(scenario, interpretation, other)]


class Read(dict[str, str]):
    """Options that record which interpretations were looked up: no other interpretation can change the outcome."""

    asked: ClassVar[dict[str, None]] = {}

    def __getitem__(self, name: str) -> str:
        Read.asked[name] = None
        return super().__getitem__(name)


@pytest.mark.slow
@pytest.mark.parametrize(("file", "scenario"), SCENARIOS, ids=[f"{file}: {item['name']}" for file, item in SCENARIOS])
def test_a_scenario_that_another_option_would_change_depends_on_the_interpretation(
    file: str, scenario: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Ruleset.options
    monkeypatch.setattr(Ruleset, "options", lambda self, chosen: Read(real(self, chosen)))
    Read.asked.clear()
    run(scenario)
    expect = {key: value for key, value in scenario["expect"].items() if key not in ("depends_on", "free_of")}
    asked = list(Read.asked) if "moves" in scenario else list(BOOKS[scenario["game"]].interpretations)
    monkeypatch.undo()
    if "cards" in scenario or not expect:
        return  # a catalogue has no options, and a legal deck has no report that could depend on one
    for game, interpretation, option, other in PAIRS:
        # Only the options that the run looked up: trying them all would take far too long.
        if game != scenario["game"] or interpretation not in asked or not left_open(scenario, interpretation):
            continue
        if option != in_force(scenario, interpretation):
            continue
        if fails_under({**scenario, "expect": expect}, interpretation, other):
            run({**scenario, "expect": {**expect, "depends_on": [interpretation]}})
