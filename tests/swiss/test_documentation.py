"""Every refusal, kind, flag, level and term has its place in docs/pairing.md or docs/structures.md."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tournaments.swiss.costs import Cost
from tournaments.swiss.field import KINDS
from tournaments.swiss.pairing import ALGORITHM
from tournaments.swiss.standings import TERMS

ROOT = Path(__file__).parents[2]
SOURCE = "".join(path.read_text() for path in sorted((ROOT / "tournaments" / "swiss").glob("*.py")))
TEXT = "".join((ROOT / "docs" / page).read_text() for page in ("pairing.md", "structures.md"))

CODES = set(re.findall(r'SwissError\(\s*"(\w+)"', SOURCE))
FLAGS = {"pulled_down", "pulled_up", "rematch_forced", "bye_lowest", "bye_raised", "second_bye", "bye_asked"}


@pytest.mark.parametrize("name", sorted(CODES | KINDS | FLAGS | set(Cost._fields) | {ALGORITHM}))
def test_every_name_of_an_answer_is_documented(name: str) -> None:
    assert f"`{name}`" in TEXT


@pytest.mark.parametrize("term", TERMS["mtr"])
def test_every_tiebreak_has_its_heading(term: str) -> None:
    assert f"### {term}\n" in TEXT


def test_every_command_is_documented() -> None:
    for command in ("pair", "standings", "simulate", "verify"):
        assert f"`python -m tournaments.swiss {command}`" in TEXT
