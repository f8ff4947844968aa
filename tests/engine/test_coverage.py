"""`coverage` says which cards the engine executes, and what blocks the others."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.cli import coverage

Run = Callable[..., tuple[int, str, str]]
CARDS: list[dict[str, Any]] = [
    {"ref": "C-1", "name": "Lanterne", "kind": "sort", "rarity": "common",
     "abilities": [{"on": "played", "do": [{"op": "draw", "n": 1}]}]},
    {"ref": "C-2", "name": "Lanterne", "kind": "sort", "rarity": "rare", "text": "?"},
    {"ref": "C-3", "name": "Phare", "kind": "permanent", "rarity": "common", "abilities": [
        {"on": "entered", "do": [{"op": "draw", "n": 1}]},
        {"on": "played", "do": [{"op": "manual", "needs": "changing regions"}]},
    ]},
    {"ref": "C-4", "name": "Balise", "kind": "permanent", "rarity": "rare", "text": "?"},
    {"ref": "C-5", "name": "Borne", "kind": "permanent", "rarity": "common", "keywords": [{"kw": "Exalté"}]},
    {"ref": "C-H", "name": "Gardienne", "kind": "héros", "rarity": "common"},
]  # fmt: skip


@pytest.fixture
def catalog(tmp_path: Path) -> Path:
    path = tmp_path / "cards.json"
    path.write_text(json.dumps({"id": "cards", "game": "altered", "cards": CARDS}), encoding="utf-8")
    return path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], catalog: Path) -> Run:
    def call(*argv: object, game: str = "altered") -> tuple[int, str, str]:
        parser = argparse.ArgumentParser()
        coverage.add_commands(parser.add_subparsers(required=True))
        words = ["coverage", game, "--catalog", catalog, *argv]
        options = parser.parse_args([str(word) for word in words])
        code = options.run(options)
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return call


def test_a_name_is_as_good_as_its_cards(run: Run) -> None:
    code, out, _ = run("--json")
    told = json.loads(out)
    assert (code, told["names"]) == (1, {"total": 5, "exact": 1, "partial": 3, "unknown": 1})
    standing = {card["name"]: (card["standing"], card["blocked_by"]) for card in told["cards"]}
    assert standing == {
        "Lanterne": ("partial", ["no encoding"]),
        "Phare": ("partial", ["changing regions"]),
        "Balise": ("unknown", ["no encoding"]),
        "Borne": ("partial", ["Exalté"]),
        "Gardienne": ("exact", []),
    }


def test_what_blocks_most_names_comes_first(run: Run) -> None:
    told = json.loads(run("--json")[1])
    assert list(told["blocked_by"].items()) == [("no encoding", 2), ("Exalté", 1), ("changing regions", 1)]


def test_only_the_cards_with_a_word_are_counted(run: Run) -> None:
    told = json.loads(run("--json", "--where", "rarity=common")[1])
    assert told["names"] == {"total": 4, "exact": 2, "partial": 2, "unknown": 0}


def test_the_copies_of_a_deck_are_counted_with_its_hero(run: Run, tmp_path: Path) -> None:
    deck = tmp_path / "list.txt"
    deck.write_text("1 C-H\n3 C-1\n2 C-3\n1 C-4\n", encoding="utf-8")
    (told,) = json.loads(run("--json", "--deck", deck)[1])["decks"]
    assert told["copies"] == {"exact": 4, "partial": 2, "unknown": 1}
    assert told["blocked"] == {"C-3": ["changing regions"], "C-4": ["no encoding"]}


def test_text_names_each_card_that_is_not_exact(run: Run) -> None:
    lines = run()[1].splitlines()
    assert lines[0] == "5 names: 1 exact, 3 partial, 1 unknown"
    assert "Phare: partial: changing regions" in lines
    assert not any(line.startswith("Gardienne") for line in lines)


def test_exit_0_if_everything_is_exact(run: Run, tmp_path: Path) -> None:
    deck = tmp_path / "list.txt"
    deck.write_text("1 C-H\n3 C-1\n", encoding="utf-8")
    catalog = tmp_path / "cards.json"
    exact = [card for card in CARDS if card["ref"] in ("C-1", "C-H")]
    catalog.write_text(json.dumps({"id": "cards", "game": "altered", "cards": exact}), encoding="utf-8")
    assert run("--deck", deck)[0] == 0


@pytest.mark.parametrize("words", [("--where", "common"), ("--deck", "absent.txt"), ("--catalog", "absent.json")])
def test_input_that_cannot_be_read_exits_2(run: Run, words: tuple[str, str]) -> None:
    assert run(*words)[0] == 2


def test_a_line_of_a_deck_that_cannot_be_read_exits_2(run: Run, tmp_path: Path) -> None:
    deck = tmp_path / "list.txt"
    deck.write_text("3 Nobody\n", encoding="utf-8")
    code, _, err = run("--deck", deck)
    assert (code, "line 1)" in err) == (2, True)


def test_a_catalogue_of_another_game_is_refused(run: Run) -> None:
    assert run(game="wakfu")[0] == 2
