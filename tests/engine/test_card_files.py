"""Recognizing files of cards: each kind by its content, what is left out and why, and refusals that help."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.cards.card_file import COMMUNITIES, KINDS, CardFile, read_card_file, ref_of
from engine.core.cards.catalog import Catalog, shipped_catalogs
from engine.core.decks.decklist import Decklist, parse
from engine.core.decks.rules import check_deck
from engine.core.text.errors import EngineError, Malformed

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
shared = pytest.mark.skipif(not DATA.exists(), reason="../shared/data is absent")

ALTERED = {"reference": "ALT_X_B_AX_01_C", "name_en": "Lamp", "faction": "AX", "rarity": "COMMON", "type": "spell"}
SEIYA = {"id": 7, "nom": "Veilleur", "classe": ["Garde"], "rang": "Rare", "cout_force": 3, "cout_cosmos": None}
PRINTS = "set,nom,type,sous_types,force\nUn,Lampe,Action,,\nDeux,Lampe,Action,,\nUn,Loup,Allié,Unique+Bête,2\n"
SHEET = "Nom;Type;Faction;Prix;Rareté\nLampe;Sort;ax;3;Common\nLoup;Dragon;AX;4;Rare\n;Sort;AX;1;Rare\n"


def read(content: object, game: str = "") -> CardFile:
    raw = content.encode() if isinstance(content, str) else json.dumps(content).encode()
    return read_card_file(raw, "test", game)


def catalog_of(found: CardFile) -> Catalog:
    assert found.listed.catalog is not None
    return found.listed.catalog


@pytest.mark.parametrize(
    ("content", "game", "kind"),
    [
        ({"id": "own", "game": "wakfu", "cards": []}, "wakfu", "catalogue"),
        ([ALTERED], "altered", "altered"),
        ({"cards": [ALTERED]}, "altered", "altered"),
        ([SEIYA], "saint-seiya", "saint-seiya"),
        (PRINTS, "wakfu", "wakfu"),
    ],
)
def test_a_file_that_says_its_game_is_recognized_without_being_told(content: object, game: str, kind: str) -> None:
    found = read(content)
    assert (found.kind, found.game) == (kind, game)
    assert read(content, game).listed.catalog == found.listed.catalog


def test_a_list_in_our_own_columns_is_a_table_and_needs_its_game() -> None:
    text = "ref,name,kind\nA-1,Lampe,sort\n"
    assert (
        read(text, "altered").kind == read([{"ref": "A-1", "name": "Lampe", "kind": "sort"}], "altered").kind == "table"
    )
    with pytest.raises(Malformed) as caught:
        read(text)
    assert caught.value.code == "game_needed"


def test_a_spreadsheet_is_read_by_its_header_and_says_what_it_leaves_out() -> None:
    found = read(SHEET, "altered")
    assert (found.kind, list(catalog_of(found).cards)) == ("spreadsheet", ["LAMPE"])
    card = catalog_of(found)["LAMPE"]
    assert (card.kind, card.factions, card.words, card.text) == ("sort", ("AX",), {"rarity": "common"}, "?")
    told = [(reason.code, reason.count, reason.first[0].line, reason.first[0].error.path) for reason in found.reasons]
    assert told == [("column_not_read", 1, 0, "Prix"), ("unknown_kind", 1, 3, "kind"), ("missing_key", 1, 4, "name")]


def test_a_figure_of_a_spreadsheet_may_be_written_as_a_decimal_but_is_an_integer() -> None:
    text = "name,type,atk,val,def\nLamp,combattant,3.0,1,2\nWolf,combattant,2.5,1,1\n"
    found = read(text, "star-safir")
    assert catalog_of(found)["LAMP"].figures == {"atk": 3, "val": 1, "def": 2}
    assert [(reason.code, reason.first[0].line) for reason in found.reasons] == [("bad_figure", 3)]


def test_a_second_print_of_a_wakfu_card_is_left_out() -> None:
    found = read(PRINTS)
    assert [(reason.code, reason.first[0].line) for reason in found.reasons] == [("duplicate_ref", 3)]
    wolf = catalog_of(found)["W11-LOUP"]
    assert (wolf.figures, wolf.words) == ({"patt": 2, "drop": 0}, {"limit": "unique"})


def test_an_entry_that_is_no_card_is_left_out_of_a_list_of_altered() -> None:
    found = read([ALTERED, 7, {**ALTERED, "reference": "no ref"}, {**ALTERED, "reference": "B", "faction": "ZZ"}])
    assert [(r.code, r.first[0].error.path) for r in found.reasons] == [
        ("wrong_type", "cards[1]"),
        ("bad_ref", "cards[2].ref"),
        ("unknown_faction", "cards[3].factions"),
    ]
    assert [ref for ref in catalog_of(found).cards if "TUMULTE" not in ref] == [ALTERED["reference"]]


def test_a_list_of_which_no_card_can_be_read_has_faults_and_no_catalogue() -> None:
    found = read([{**ALTERED, "type": "gadget"}])
    assert found.listed.catalog is None
    assert [fault.error.code for fault in found.listed.faults] == ["unknown_kind"]


def test_what_files_of_a_kind_lack_is_said() -> None:
    assert read([ALTERED]).lacks == ("texts", "suspensions")
    history = json.dumps({"patches": [{"effective": "2025-05-13", "banned": ["Lamp (Common)"]}]}).encode()
    found = read_card_file(json.dumps([ALTERED]).encode(), "test", "", history)
    assert (found.lacks, len(catalog_of(found).legality)) == (("texts",), 1)
    both = read({"cards": [ALTERED], "legality": json.loads(history)})
    assert (both.lacks, both.listed.catalog) == (found.lacks, found.listed.catalog)


@pytest.mark.parametrize(
    ("content", "game", "code"),
    [
        (b"PK\x03\x04rest", "altered", "workbook"),
        (b"\xd0\xcf\x11\xe0rest", "altered", "workbook"),
        (b"hello;world\n1;2\n", "altered", "unknown_file"),
        (b'[{"colour": 1}]', "altered", "unknown_file"),
        (b'{"patches": []}', "", "unknown_file"),
        (json.dumps([ALTERED]).encode(), "wakfu", "wrong_game"),
        (b'{"id": "own", "game": "wakfu", "cards": []}', "altered", "wrong_game"),
        (b"", "", "game_needed"),
        (b"", "altered", "no_cards"),
        (b"x" * (8 * 1024 * 1024 + 1), "altered", "too_large"),
        (json.dumps([ALTERED]).encode(), "chess", "unknown_game"),
        (b"name,type\n" + b"W,sort\n" * 20_001, "altered", "too_many_cards"),
        (b'name,type\n"W,sort\n', "altered", "not_csv"),
    ],
)
def test_any_other_file_is_refused_with_a_code(content: bytes, game: str, code: str) -> None:
    with pytest.raises(EngineError) as caught:
        read_card_file(content, "test", game)
    assert caught.value.code == code


def test_suspensions_are_refused_with_a_file_that_takes_none() -> None:
    with pytest.raises(Malformed) as caught:
        read_card_file(PRINTS.encode(), "test", "", b"{}")
    assert (caught.value.code, caught.value.path) == ("bad_value", "legality")


def test_a_file_of_a_community_without_a_name_is_called_after_its_game() -> None:
    assert read_card_file(json.dumps([ALTERED]).encode(), "").listed.document["id"] == "altered"
    assert read_card_file(b"ref,name,kind\nA-1,One,sort\n", "", "altered").listed.document["id"] == "cards"


def test_a_catalogue_of_the_engine_is_read_as_it_is() -> None:
    for game in ("star-safir", *COMMUNITIES):
        shipped = shipped_catalogs(game)[0]
        document = {"id": shipped.id, "game": game, "cards": []}
        assert catalog_of(read(document)).id == shipped.id


def test_a_ref_made_of_a_name_is_short_and_plain() -> None:
    assert ref_of("Épée d'Or -- II") == "EPEE-D-OR-II"
    assert len(ref_of("x" * 200)) == 64


CELLS = st.one_of(st.text(max_size=8), st.sampled_from(["sort", "AX", "3", "3.0", "-1", "Lampe", "common"]))
HEADS = st.sampled_from(["name", "Nom", "type", "Faction", "Rareté", "reference", "forêt", "x", ""])


@settings(max_examples=150)
@given(columns=st.lists(HEADS, max_size=6), rows=st.lists(st.lists(CELLS, max_size=7), max_size=5))
def test_any_table_is_read_or_refused_with_a_code(columns: list[str], rows: list[list[str]]) -> None:
    text = "\n".join(";".join(cell.replace(";", "") for cell in line) for line in [columns, *rows])
    assert _is_read_or_refused(text.encode())


VALUES: Any = st.one_of(st.none(), st.integers(-5, 200), st.text(max_size=5), st.lists(st.text(max_size=3), max_size=2))
KEYS = st.sampled_from([*ALTERED, *SEIYA, "ref", "name", "kind"])


@settings(max_examples=200)
@given(entries=st.lists(st.dictionaries(KEYS, VALUES, max_size=12), max_size=3), base=st.sampled_from([ALTERED, SEIYA]))
def test_no_entry_crashes_the_reader(entries: list[dict[str, Any]], base: dict[str, Any]) -> None:
    assert _is_read_or_refused(json.dumps([{**base, **entry} for entry in entries]).encode())


def _is_read_or_refused(content: bytes) -> bool:
    try:
        found = read_card_file(content, "test", "")
    except EngineError as error:
        if error.code != "game_needed":
            return bool(error.code)
        return _is_read_or_refused_as(content, "altered")
    return found.kind in KINDS and (found.listed.catalog is None) == bool(found.listed.faults)


def _is_read_or_refused_as(content: bytes, game: str) -> bool:
    try:
        found = read_card_file(content, "test", game)
    except EngineError as error:
        return bool(error.code)
    return (found.listed.catalog is None) == bool(found.listed.faults)


@shared
@pytest.mark.parametrize(
    ("file", "kind", "cards", "left_out"),
    [
        ("altered/cards.json", "altered", 3162 + 3, {}),
        ("saint_seiya/cards.json", "saint-seiya", 192, {}),
        ("wakfu/cards.csv", "wakfu", 287, {"duplicate_ref": 1}),
    ],
)
def test_the_files_of_the_communities_become_catalogues(
    file: str, kind: str, cards: int, left_out: dict[str, int]
) -> None:
    found = read_card_file(DATA.joinpath(file).read_bytes(), "test")
    assert (found.kind, len(catalog_of(found).cards)) == (kind, cards)
    assert {reason.code: reason.count for reason in found.reasons} == left_out


@shared
def test_the_starting_packets_of_saint_seiya_are_legal_with_the_imported_cards() -> None:
    catalog = catalog_of(read_card_file(DATA.joinpath("saint_seiya/cards.json").read_bytes(), "test"))
    packets = json.loads(DATA.joinpath("saint_seiya/starting_decks.json").read_bytes())["decks"]
    assert len(packets) == 5
    for packet in packets:
        cards = {f"SSD-{card['id']:04}": card["qty"] for card in [*packet["pioche"], *packet["mis_de_cote"]]}
        assert check_deck("saint-seiya", Decklist(main=cards), "seiya-base", catalog=catalog) == []


def test_a_reference_of_a_set_that_the_catalogue_lacks_says_which_set() -> None:
    catalog = catalog_of(read([ALTERED]))
    (fault,) = parse("3 ALT_NEWSET_B_AX_01_C", catalog).faults
    assert (fault.code, fault.args["set"]) == ("unknown_set", "NEWSET")
    assert "set NEWSET" in fault.message("en")
    (fault,) = parse("1 alt_newset_b_ax_05_u_12 (AX) Some Name", catalog).faults
    assert fault.code == "unknown_set"
    (fault,) = parse("3 ALT_X_B_AX_77_C", catalog).faults
    assert fault.code == "unknown_card"


def test_faults_and_suggestions_name_cards_in_the_language_of_the_reader() -> None:
    named = {**ALTERED, "name_fr": "Lampe Errante", "name_en": "Wandering Lamp"}
    catalog = catalog_of(read([named, {**named, "reference": "ALT_X_B_AX_02_C", "faction": "BR"}]))
    for lang, name in (("fr", "Lampe Errante"), ("en", "Wandering Lamp"), ("it", "Lampe Errante")):
        (fault,) = parse("1 Wandering Lamp", catalog, lang=lang).faults
        assert (fault.code, fault.args["name"]) == ("ambiguous_name", name)
        first, second = fault.suggestions
        assert first.startswith(f"ALT_X_B_AX_01_C {name} (") and second.startswith(f"ALT_X_B_AX_02_C {name} (")
        assert ("Commune" in first) is (lang == "fr"), "with its rarity and faction, in the language of the reader"
        assert not parse("1 " + fault.suggestions[0], catalog).faults
        (fault,) = parse("1 ALT_X_B_AX_01_U_7", catalog, lang=lang).faults
        assert fault.suggestions[0] == f"ALT_X_B_AX_01_U_7 (AX) {name}"
        (fault,) = parse("1 Wanderin Lamp", catalog, lang=lang).faults
        assert fault.suggestions[0].startswith(f"ALT_X_B_AX_01_C {name} (")
