"""Images of cards: which addresses a catalogue may give, and that neither the digest nor the rules depend on them."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from engine.core.cards.card_file import read_card_file
from engine.core.cards.catalog import load_catalog
from engine.core.cards.images import images_of, with_images, without_images
from engine.core.cards.lint import lint
from engine.core.text import strictjson
from engine.core.text.errors import Malformed

ADDRESS = "https://cards.example.org/a/1.jpg?size=2"
FIGHTER = {"ref": "T-1", "name": "Testeuse", "kind": "combattant", "factions": ["Humain"], "atk": 2, "val": 1, "def": 3}
PICTURED = {**FIGHTER, "image": ADDRESS}
ALTERED = {"reference": "ALT_X_1", "name_en": "A", "faction": "AX", "rarity": "COMMON", "type": "character"}
CSV = "ref,name,kind,atk,val,def,text,image\nT-1,Testeuse,combattant,2,1,3,,{}\n"


def document(*cards: dict[str, Any]) -> dict[str, Any]:
    return {"id": "test", "game": "star-safir", "cards": list(cards)}


def test_a_catalogue_has_the_same_digest_and_cards_with_and_without_images() -> None:
    plain, pictured = load_catalog(document(FIGHTER)), load_catalog(document(PICTURED))
    assert plain == pictured
    other = {**FIGHTER, "image": "https://elsewhere.example/1.png"}
    assert load_catalog(document(other)).sha256 == plain.sha256
    assert lint(document(PICTURED)) == lint(document(FIGHTER))


def test_the_digest_of_a_catalogue_without_images_is_that_of_its_whole_document() -> None:
    whole = document(FIGHTER)
    assert load_catalog(whole).sha256 == hashlib.sha256(strictjson.canonical(whole)).hexdigest()


def test_images_are_taken_out_of_a_document_and_put_back() -> None:
    whole = document(PICTURED, {**FIGHTER, "ref": "T-2"})
    assert images_of(whole) == {"T-1": ADDRESS}
    assert without_images(whole) == document(FIGHTER, {**FIGHTER, "ref": "T-2"})
    assert with_images(without_images(whole), images_of(whole)) == whole
    assert images_of(with_images(whole, {"T-2": ADDRESS, "T-9": ADDRESS})) == {"T-2": ADDRESS}


@pytest.mark.parametrize(
    "address",
    [
        "",
        None,
        7,
        "cards/1.jpg",
        "//cards.example.org/1.jpg",
        "http://cards.example.org/1.jpg",
        "HTTPS://cards.example.org/1.jpg",
        "data:image/png;base64,AAAA",
        "javascript:alert(1)",
        "https://cards.example.org",
        "https:///1.jpg",
        "https://me@cards.example.org/1.jpg",
        "https://me:secret@cards.example.org/1.jpg",
        "https://cards.example.org/1.jpg#top",
        "https://cards.example.org/1 2.jpg",
        "https://cards.example.org/é.jpg",
        "https://cards.example.org\\@evil.example/1.jpg",
        "https://cards.example.org/1.jpg\n",
        'https://cards.example.org/"onload="x',
        "https://[::1]/1.jpg",
        "https://cards.example.org/" + "x" * 380,
    ],
)
def test_any_other_address_is_refused(address: Any) -> None:
    with pytest.raises(Malformed) as caught:
        load_catalog(document({**FIGHTER, "image": address}))
    assert (caught.value.code, caught.value.path) == ("bad_image", "cards[0].image")


def test_a_list_of_cards_may_have_a_column_of_images() -> None:
    read = read_card_file(CSV.format(ADDRESS).encode(), "own", "star-safir").listed
    assert images_of(read.document) == {"T-1": ADDRESS}
    assert images_of(read_card_file(CSV.format("").encode(), "own", "star-safir").listed.document) == {}


def test_a_wrong_image_is_a_fault_of_its_line_in_a_list_of_our_own() -> None:
    read = read_card_file(CSV.format("http://cards.example.org/1.jpg").encode(), "own", "star-safir").listed
    assert [(fault.line, fault.error.code, fault.error.path) for fault in read.faults] == [(2, "bad_image", "image")]


def test_a_wrong_image_of_a_spreadsheet_is_left_out_and_its_card_is_kept() -> None:
    lines = f"Nom,Type,ATK,VAL,DEF,Immagine\nUn,combattant,1,1,1,{ADDRESS}\nDeux,combattant,1,1,1,1.jpg\n"
    read = read_card_file(lines.encode(), "own", "star-safir").listed
    assert read.catalog is not None and len(read.catalog.cards) == 2
    assert images_of(read.document) == {"UN": ADDRESS}
    assert [(fault.line, fault.error.code) for fault in read.left_out] == [(3, "bad_image")]


def test_entries_of_a_community_may_have_an_image_too() -> None:
    entries = [{**ALTERED, "image": ADDRESS}, {**ALTERED, "reference": "ALT_X_2", "name_en": "B", "image": 3}]
    read = read_card_file(json.dumps(entries).encode(), "").listed
    assert images_of(read.document) == {"ALT_X_1": ADDRESS}
    assert [(fault.error.code, fault.error.path) for fault in read.left_out] == [("bad_image", "cards[1].image")]
