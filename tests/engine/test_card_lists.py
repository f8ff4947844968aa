"""Importing card lists (CSV or JSON) as catalogues: every fault with its line, round trips, limits, arbitrary input."""

from __future__ import annotations

import argparse
import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cli import catalogs
from engine.core.cards.card import Card
from engine.core.cards.card_list import column_names, read_cards, written
from engine.core.cards.catalog import MAX_CARDS, load_catalog, shipped_catalogs, vocabulary_of
from engine.core.text.errors import EngineError, Malformed
from engine.core.text.registry import GAMES

Run = Callable[..., tuple[int, str, str]]
SOUND = "ref;name;kind;patt;drop;cost.Terre;names.en;text\nW-1;Bouftou;créature;2;1;2;Gobball;\n"
DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*argv: object) -> tuple[int, str, str]:
        parser = argparse.ArgumentParser()
        catalogs.add_commands(parser.add_subparsers(required=True))
        options = parser.parse_args([str(word) for word in argv])
        code = options.run(options)
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return call


def faults(text: str, game: str = "wakfu") -> list[tuple[int, str, str]]:
    """Return line, column and code of every fault of a list; there is a catalogue exactly if there is none."""
    found = read_cards(game, text.encode(), "test")
    assert (found.catalog is None) == bool(found.faults)
    return [(fault.line, fault.error.path, fault.error.code) for fault in found.faults]


def table(rows: Sequence[Mapping[str, str]]) -> bytes:
    """Return rows as CSV, as a spreadsheet would export them."""
    out = io.StringIO()
    names = list(dict.fromkeys(name for row in rows for name in row))
    writer = csv.DictWriter(out, names)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def row_of(card: Card) -> dict[str, str]:
    """Return the cells that describe a card without abilities."""
    cells = {"ref": card.ref, "name": card.name, "kind": card.kind, "text": card.text}
    cells |= {"factions": "|".join(card.factions), "subtypes": "|".join(card.subtypes)}
    cells |= {"keywords": "|".join(str(word["kw"]) for word in card.keywords)}
    cells |= {name: str(figure) for name, figure in card.figures.items()} | dict(card.words)
    cells |= {f"{name}.{key}": str(n) for name, counts in card.amounts.items() for key, n in counts.items()}
    return cells | {f"names.{language}": name for language, name in card.names.items()}


def test_a_row_becomes_a_card() -> None:
    found = read_cards("wakfu", SOUND.encode(), "test").catalog
    assert found is not None
    card = found["W-1"]
    assert (card.name, card.names, card.kind) == ("Bouftou", {"en": "Gobball"}, "créature")
    assert (card.figures, card.amounts) == ({"patt": 2, "drop": 1}, {"cost": {"Terre": 2}})
    assert card.executable


def is_plain(card: Card) -> bool:
    """Return whether cells can describe the whole card: no abilities, no keywords with arguments, no empty amounts."""
    return not card.abilities and all(len(word) == 1 for word in card.keywords) and all(card.amounts.values())


@pytest.mark.parametrize("game", GAMES)
def test_every_shipped_card_without_abilities_survives_a_csv_round_trip(game: str) -> None:
    for catalog in shipped_catalogs(game):
        plain = [card for card in catalog.cards.values() if is_plain(card)]
        if not plain:
            continue
        found = read_cards(game, table([row_of(card) for card in plain]), "again")
        assert found.faults == () and found.catalog is not None
        assert list(found.catalog.cards.values()) == plain
        assert load_catalog(written(found.document)) == found.catalog


def test_a_catalogue_in_json_is_read_as_a_list() -> None:
    for catalog in shipped_catalogs("wakfu"):
        document = {
            "cards": [
                {"ref": c.ref, "name": c.name, "kind": c.kind, **c.figures, "text": c.text}
                for c in catalog.cards.values()
            ]
        }
        found = read_cards("wakfu", json.dumps(document).encode(), catalog.id)
        assert found.catalog is not None and list(found.catalog.cards) == list(catalog.cards)


def test_every_fault_of_every_line_is_reported() -> None:
    text = "ref,name,kind,patt,drop,cost.Terre\nW 1,,créature,two,,\nW-2,Ok,dragon,1,1,1\nW-3,Ok,créature,1,100,x\n"
    text += "w-2,Ok,zone,,,,,\n"
    assert faults(text) == [
        (2, "patt", "bad_figure"),
        (2, "name", "missing_key"),
        (2, "patt", "missing_figure"),
        (2, "drop", "missing_figure"),
        (2, "ref", "bad_ref"),
        (3, "kind", "unknown_kind"),
        (4, "cost.Terre", "bad_figure"),
        (4, "drop", "bad_figure"),
        (5, "", "extra_cells"),
        (5, "ref", "duplicate_ref"),
    ]


def test_unknown_duplicate_and_missing_columns_are_reported_with_a_suggestion() -> None:
    found = read_cards("wakfu", b"ref,nam,kind,kind\nW-1,Ok,zone,zone\n", "test").faults
    assert [(fault.line, fault.error.code, fault.error.path) for fault in found] == [
        (1, "unknown_column", "nam"),
        (1, "duplicate_column", "kind"),
        (1, "missing_column", "name"),
    ]
    assert "is it name?" in found[0].error.message


def test_an_unknown_faction_and_a_reprint_of_an_unknown_card_are_faults() -> None:
    text = "ref,name,kind,factions,reprint_of\nA-1,One,sort,XX,\nA-2,Two,sort,OR,A-9\n"
    assert faults(text, "altered") == [(2, "factions", "unknown_faction"), (3, "reprint_of", "unknown_original")]


def test_line_numbers_are_right_after_a_quoted_line_break() -> None:
    text = 'ref,name,kind,text\nW-1,One,zone,"two\nlines"\nW-2,Two,dragon,\n'
    assert faults(text) == [(4, "kind", "unknown_kind")]


def test_a_fault_in_json_has_the_path_of_its_key() -> None:
    cards = [{"ref": "W-1", "name": "One", "kind": "créature", "patt": -1, "gold": 3}, 7]
    assert faults(json.dumps(cards)) == [
        (0, "cards[1]", "wrong_type"),
        (0, "cards[0]", "unknown_key"),
        (0, "cards[0].patt", "bad_figure"),
        (0, "cards[0].drop", "missing_figure"),
    ]


def test_a_list_without_a_text_column_leaves_every_card_to_rulings() -> None:
    silent = read_cards("wakfu", b"ref,name,kind\nW-1,One,zone\n", "test").catalog
    told = read_cards("wakfu", b"ref,name,kind,text\nW-1,One,zone,\n", "test").catalog
    assert silent is not None and told is not None
    assert (silent["W-1"].text, silent["W-1"].executable, told["W-1"].executable) == ("?", False, True)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_spreadsheets_in_every_encoding_and_with_every_delimiter_are_read(encoding: str) -> None:
    for mark in ",;\t":
        text = SOUND.replace(";", mark).replace("\n", "\r\n")
        found = read_cards("wakfu", text.encode(encoding), "test").catalog
        assert found is not None and found["W-1"].kind == "créature"


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "no_cards"),
        (b"ref,name,kind\n", "no_cards"),
        (b"{}", "no_cards"),
        (b"[1.5]", "float"),
        (b'ref,name,kind\n"W-1,One,zone\n', "not_csv"),
        (b"x" * (8 * 1024 * 1024 + 1), "too_large"),
        (b"ref,name,kind\n" + b"W,W,zone\n" * (MAX_CARDS + 1), "too_many_cards"),
    ],
    ids=["nothing", "no row", "no list", "float", "open quote", "large", "many"],
)
def test_a_file_that_is_not_a_list_is_refused_with_a_code(content: bytes, code: str) -> None:
    with pytest.raises(Malformed) as caught:
        read_cards("wakfu", content, "test")
    assert caught.value.code == code


CELLS = st.one_of(st.text(max_size=8), st.sampled_from(["W-1", "W-2", "Ok", "créature", "zone", "3", "-1", "[]", "{"]))
COLUMNS = st.lists(st.one_of(st.sampled_from(column_names(vocabulary_of("wakfu"))), st.text(max_size=6)), max_size=6)


@settings(max_examples=150)
@given(columns=COLUMNS, rows=st.lists(st.lists(CELLS, max_size=7), max_size=5))
def test_any_table_gives_a_catalogue_or_faults_or_a_coded_error(columns: list[str], rows: list[list[str]]) -> None:
    out = io.StringIO()
    csv.writer(out).writerows([columns, *rows])
    assert _is_sound_or_told(out.getvalue().encode())


@settings(max_examples=150)
@given(content=st.binary(max_size=200))
def test_no_bytes_crash_the_reader(content: bytes) -> None:
    assert _is_sound_or_told(content)


JSON = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-5, 200), st.text(max_size=5), st.sampled_from(["zone", "créature"])
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from([*column_names(vocabulary_of("wakfu")), "names", "cost", "x"]), inner, max_size=6
        ),
    ),
    max_leaves=12,
)


@settings(max_examples=200)
@given(cards=st.lists(JSON, max_size=3))
def test_no_json_crashes_the_reader(cards: list[Any]) -> None:
    assert _is_sound_or_told(json.dumps(cards).encode())


def _is_sound_or_told(content: bytes) -> bool:
    """Return whether a list gives a catalogue, or faults that all have a place, or one error with a code."""
    try:
        found = read_cards("wakfu", content, "test")
    except EngineError as error:
        return bool(error.code)
    placed = all(fault.line or fault.error.path for fault in found.faults)
    return placed and (found.catalog is None) == bool(found.faults)


def test_the_command_writes_a_catalogue_that_the_engine_loads(run: Run, tmp_path: Path) -> None:
    source, out = tmp_path / "cards.csv", tmp_path / "My Cards.json"
    source.write_text(SOUND, encoding="utf-8")
    code, said, _ = run("import-cards", "wakfu", source, "--out", out)
    assert (code, said) == (0, "my-cards: 1 cards, 0 of them left to rulings\n")
    assert load_catalog(out.read_bytes()).id == "my-cards"
    code, said, _ = run("import-cards", "wakfu", source, "--out", out, "--id", "other", "--json")
    assert (code, json.loads(said)["catalog"]["sha256"]) == (0, load_catalog(out.read_bytes()).sha256)


def test_a_list_with_faults_exits_1_and_leaves_the_output_file_unchanged(run: Run, tmp_path: Path) -> None:
    source, out = tmp_path / "cards.csv", tmp_path / "out.json"
    source.write_text(SOUND.replace("créature", "dragon"), encoding="utf-8")
    out.write_text("before", encoding="utf-8")
    code, said, _ = run("import-cards", "wakfu", source, "--out", out)
    assert (code, said.startswith("line 2, kind: unknown_kind: ")) == (1, True)
    code, said, _ = run("import-cards", "wakfu", source, "--out", out, "--json", "--lang", "fr")
    assert (code, json.loads(said)["faults"][0]["line"]) == (1, 2)
    assert (out.read_text(encoding="utf-8"), [*tmp_path.iterdir()]) == ("before", [*tmp_path.iterdir()])
    assert len([*tmp_path.iterdir()]) == 2


@pytest.mark.parametrize(
    ("game", "content", "out", "code"),
    [
        ("wakfu", "", "out.json", "no_cards"),
        ("chess", SOUND, "out.json", "unknown_game"),
        ("wakfu", SOUND, "nowhere/out.json", "cannot_write"),
        ("wakfu", None, "out.json", "cannot_read"),
    ],
)
def test_a_file_that_cannot_be_read_or_written_exits_2(
    run: Run, tmp_path: Path, game: str, content: str | None, out: str, code: str
) -> None:
    source = tmp_path / "cards.csv"
    if content is not None:
        source.write_text(content, encoding="utf-8")
    status, said, _ = run("import-cards", game, source, "--out", tmp_path / out, "--json")
    assert (status, json.loads(said)["error"]["code"]) == (2, code)


@pytest.mark.skipif(not DATA.exists(), reason="../shared/data is absent")
def test_the_altered_list_is_imported_with_the_suspensions_beside_it(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "altered.json"
    code, said, _ = run("import-altered", DATA / "altered" / "cards.json", "--out", out, "--json")
    told = json.loads(said)["catalog"]
    assert (code, told["cards"], told["id"]) == (0, 3162 + 3, "altered")
    assert told["legality"] == len(load_catalog(out.read_bytes()).legality) > 10
