"""Deck rules of the 2011 edition of Wakfu, checked on real decklists with a catalogue of public facts."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine.core.cards import Catalog, load_catalog
from engine.core.decklist import parse
from engine.core.decks import check_deck

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "wakfu"
LISTS = sorted(DATA.joinpath("decks").glob("*.txt"))
KINDS = ("héros", "havre-sac", "protecteur", "action", "zone", "salle", "allié", "équipement")

pytestmark = pytest.mark.skipif(not DATA.exists(), reason="../shared/data is absent")


def cards() -> Iterator[dict[str, Any]]:
    """Yield one card for each name in the file.

    The catalogue needs PAtt and Drop for allies: PAtt is the printed Force, and Drop, which 2011 cards lack, is 0.
    """
    seen: set[str] = set()
    for row in csv.DictReader(DATA.joinpath("cards.csv").read_text(encoding="utf-8").splitlines()):
        name, kind = row["nom"], row["type"].casefold()
        if name.casefold() in seen or kind not in KINDS:
            continue
        seen.add(name.casefold())
        card: dict[str, Any] = {"ref": f"W11-{len(seen):03}", "name": name, "kind": kind}
        if kind == "allié":
            card |= {"patt": int(row["force"] or 0), "drop": 0}
        if "Unique" in row["sous_types"]:
            card["limit"] = "unique"
        yield card


@cache
def catalog() -> Catalog:
    return load_catalog({"id": "wakfu-2011", "game": "wakfu", "cards": list(cards())})


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
