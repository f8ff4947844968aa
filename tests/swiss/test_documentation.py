"""Every error code, kind, flag, level, scheme and tiebreak of the Swiss package is documented."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tournaments.swiss.costs import Cost
from tournaments.swiss.field import KINDS
from tournaments.swiss.multiplayer import NAME, TERMS
from tournaments.swiss.pairing import ALGORITHM
from tournaments.swiss.schemes import Scheme, schemes
from tournaments.swiss.tiebreaks import ABSOLUTE, RELATIVE

ROOT = Path(__file__).parents[2]
SOURCE = "".join(path.read_text() for path in sorted((ROOT / "tournaments" / "swiss").glob("*.py")))
TEXT = "".join((ROOT / "docs" / page).read_text() for page in ("pairing.md", "structures.md"))
STANDINGS = (ROOT / "docs" / "tiebreaks.md").read_text()

CODES = set(re.findall(r'SwissError\(\s*"(\w+)"', SOURCE))
FLAGS = set(re.findall(r'"(\w+)"', (ROOT / "tournaments" / "swiss" / "flags.py").read_text()))
FLAGS |= {"table_left", "bye_awarded"}


@pytest.mark.parametrize("name", sorted(CODES | KINDS | FLAGS | set(Cost._fields) | {ALGORITHM}))
def test_every_code_kind_flag_and_level_is_documented(name: str) -> None:
    assert f"`{name}`" in TEXT


@pytest.mark.parametrize("name", [*schemes(), NAME, *ABSOLUTE, *RELATIVE, *TERMS])
def test_every_scheme_and_tiebreak_has_a_heading_and_a_paragraph(name: str) -> None:
    assert re.search(rf"^### {name}\n\n[`\w]", STANDINGS, re.MULTILINE)


@pytest.mark.parametrize("scheme", schemes().values(), ids=lambda scheme: scheme.name)
def test_the_documented_order_of_tiebreaks_matches_each_scheme(scheme: Scheme) -> None:
    (line,) = (line for line in STANDINGS.splitlines() if line.startswith("| ") and f"`{scheme.name}`" in line)
    assert f"| {', '.join(scheme.tiebreaks)} |" in line


def test_every_command_is_documented() -> None:
    for command in ("pair", "standings", "simulate", "verify", "repair", "trf"):
        assert f"`python -m tournaments.swiss {command}`" in TEXT
