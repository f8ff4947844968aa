"""The status of each rule in the register is true: a tested rule has scenarios that fail when it is disabled."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.core.text.errors import EngineError
from engine.core.text.registry import rulebook
from engine.games.star_safir.moves import calcul
from tests.engine import without as safir
from tests.engine.altered import without as altered
from tests.engine.kits import KITS
from tests.engine.saint_seiya import without as seiya
from tests.engine.scenario import naming, run
from tests.engine.stellar_nexus import without as stellar
from tests.engine.wakfu import without as wakfu

BOOKS = {game: rulebook(game) for game in KITS}
REPLACED = {**safir.REPLACED, **stellar.REPLACED, **wakfu.REPLACED, **seiya.REPLACED, **altered.REPLACED}
COMMON = "star-safir"  # its scenarios also cover the rules common to all games (LOG-…)
TESTED = {
    game: [
        rule.id
        for rule in book.rules.values()
        if rule.status == "tested" and (game == COMMON or rule.id.startswith(KITS[game].prefix))
    ]
    for game, book in BOOKS.items()
}
PAGE = Path(__file__).parents[2] / "docs" / "engine.md"


def failing(rule: str, without: str | None = None) -> list[str]:
    """Return the names of the scenarios of a rule that fail; `without` leaves out the violations of one rule."""
    found = []
    for scenario in naming(rule):
        try:
            run(scenario, without=without)
        except (AssertionError, EngineError):
            found.append(scenario["name"])
    return found


@pytest.mark.parametrize("game", KITS)
def test_the_tested_rules_are_exactly_those_that_scenarios_name(game: str) -> None:
    own = KITS[game].prefix
    named = [rule for rule in BOOKS[game].rules if naming(rule) and (game == COMMON or rule.startswith(own))]
    assert named == TESTED[game]


@pytest.mark.slow
@pytest.mark.parametrize("rule", [rule for rules in TESTED.values() for rule in rules])
def test_a_scenario_that_names_a_rule_fails_when_the_rule_is_disabled(
    rule: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not failing(rule)
    for where, name, replacement in REPLACED.get(rule, ()):
        monkeypatch.setattr(where, name, replacement)
    assert failing(rule, without=rule)


def test_only_tested_rules_are_replaced() -> None:
    assert set(REPLACED) <= {rule for rules in TESTED.values() for rule in rules}


@pytest.mark.parametrize("column", [0, 1], ids=["SAF-VI.4-3", "SAF-VI.4-4"])
@pytest.mark.parametrize("row", calcul.SCALE)
def test_every_row_of_both_scoring_tables_is_covered_by_a_scenario(
    row: str, column: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = list(calcul.SCALE[row])
    points[column] += 1
    monkeypatch.setitem(calcul.SCALE, row, (points[0], points[1]))
    assert failing(("SAF-VI.4-3", "SAF-VI.4-4")[column])


@pytest.mark.parametrize("status", ["manual", "n/a", "implemented"])
@pytest.mark.parametrize("game", KITS)
def test_the_docs_list_every_rule_that_no_scenario_proves(game: str, status: str) -> None:
    page = PAGE.read_text(encoding="utf-8")
    table = page[page.index("### Rules that no scenario proves") :].split("\n## ")[0]
    listed = [ids for ids, state in re.findall(r"^\| (.+?) \| (.+?) \|", table, re.MULTILINE) if state == status]
    found = [rule for ids in listed for rule in re.findall(r"`([\w.+-]+)`", ids)]
    own = [rule for rule in found if rule.startswith(KITS[game].prefix)]
    assert sorted(own) == sorted(rule.id for rule in BOOKS[game].rules.values() if rule.status == status)
