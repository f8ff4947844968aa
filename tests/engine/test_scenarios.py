"""Run every scenario, and check the ids that the scenarios and the code cite."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from engine.core.text.registry import rulebook
from tests.engine.kits import KITS
from tests.engine.scenario import SCENARIOS, run


@pytest.mark.parametrize(("file", "scenario"), SCENARIOS, ids=[f"{file}: {item['name']}" for file, item in SCENARIOS])
def test_scenario(file: str, scenario: dict[str, Any]) -> None:
    run(scenario)


@pytest.mark.parametrize("game", KITS)
def test_every_scenario_has_a_unique_name_and_cites_existing_lines_and_rules(game: str) -> None:
    book, kit = rulebook(game), KITS[game]
    scenarios = [scenario for _, scenario in SCENARIOS if scenario["game"] == game]
    names = [scenario["name"] for scenario in scenarios]
    assert len(names) >= 40
    assert len(set(names)) == len(names)
    for scenario in scenarios:
        cited = scenario["lines"] if "lines" in scenario else scenario["numbers"]
        assert cited and all(isinstance(line, str) or 0 < line <= kit.lines for line in cited)
        assert scenario["rules"] and all(rule in book.rules for rule in scenario["rules"])
        assert set(scenario["expect"].get("refused", [])) <= set(scenario["rules"])


@pytest.mark.parametrize("game", KITS)
def test_every_rule_and_interpretation_the_code_cites_is_in_the_register(game: str) -> None:
    book, kit = rulebook(game), KITS[game]
    engine = Path(__file__).parents[2] / "engine"
    cited = [
        found
        for file in sorted([*engine.glob("core/**/*.py"), *engine.glob(f"games/{kit.folder}/**/*.py")])
        for found in re.findall(rf'"((?:{kit.prefix}|LOG|I)-[A-Za-z0-9.+-]+)"', file.read_text(encoding="utf-8"))
    ]
    assert len(cited) > 60
    assert not [name for name in cited if name not in book.rules and name not in book.interpretations]
