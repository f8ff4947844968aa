"""Deck rules of the 2011 edition of Wakfu, checked on real decklists with a catalogue of public facts."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from engine.core.cards.card_file import read_card_file
from engine.core.cards.catalog import Catalog
from engine.core.decks.decklist import parse
from engine.core.decks.rules import check_deck

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "wakfu"
LISTS = sorted(DATA.joinpath("decks").glob("*.txt"))

pytestmark = pytest.mark.skipif(not DATA.exists(), reason="../shared/data is absent")


@cache
def catalog() -> Catalog:
    found = read_card_file(DATA.joinpath("cards.csv").read_bytes(), "wakfu-2011").listed.catalog
    assert found is not None
    return found


@pytest.mark.parametrize("file", LISTS, ids=lambda file: file.stem)
def test_a_real_2011_list_is_read_and_legal(file: Path) -> None:
    parsed = parse(file.read_bytes(), catalog())
    assert parsed.faults == ()
    counted = sum(int(count) for count in re.findall(r"^(\d+) ", file.read_text(encoding="utf-8"), re.MULTILINE))
    assert sum(parsed.deck.main.values()) + (parsed.deck.commander is not None) == counted == 50
    assert check_deck("wakfu", parsed.deck, "wakfu-2011", catalog=catalog()) == []


def test_a_real_2011_list_is_illegal_in_the_2008_format() -> None:
    parsed = parse(LISTS[0].read_bytes(), catalog())
    found = [reason.rule for reason in check_deck("wakfu", parsed.deck, "wakfu-2008", catalog=catalog())]
    assert set(found) == {"WAK-LEA-1", "WAK-TYP-1"}


def test_there_are_five_real_lists() -> None:
    assert len(LISTS) == 5
