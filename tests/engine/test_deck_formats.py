"""Decklist formats: every copy in every sample is read, faults and refusals have codes, and reading time is bounded."""

from __future__ import annotations

import base64
import contextlib
import json
import re
import struct
import time
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.cards.catalog import Catalog, load_catalog, shipped_catalogs
from engine.core.decks.decklist import ParsedDecklist, corrected, editable, parse
from engine.core.decks.formats import sniff
from engine.core.text.errors import Malformed

SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "data" / "formats" / "decks"
EXPECTED: dict[str, dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("deck_samples.toml").read_text(encoding="utf-8")
)


def catalog_of(cards: dict[str, str]) -> Catalog:
    """Return a catalogue of cards with these refs and names."""
    found = [{"ref": ref, "name": name, "kind": "magie", "val": 1} for ref, name in sorted(cards.items())]
    return load_catalog({"id": "test", "game": "star-safir", "cards": found})


# Refs and names as different sites write them: numbers with and without leading zeros, set codes, titles and subtitles.
BOLT = catalog_of({
    "101": "Bolt", "102": "Bolt of Ice", "00000103": "Mirror", "BT11-005": "Koromon", "OP01-016": "Nami",
    "SUM-28": "Pikachu", "L-1": "Elsa - Spirit of Winter", "S-1": "Han Solo, Reluctant Hero", "G-1": "Base",
})  # fmt: skip


def expectation(content: str, told: dict[str, Any]) -> tuple[Counter[str], Counter[str], dict[str, str]]:
    """Return the copies by ref in deck and sideboard, and the names by ref, that a sample is expected to give.

    They are counted with the regular expression of the sample in `deck_samples.toml`, independently of the reader.
    """
    main, side, cards = Counter[str](), Counter[str](), dict[str, str]()
    refs: dict[str, str] = {}
    if told.get("codes"):
        parts = content.strip().removeprefix("ydke://").split("!")
        for index, part in enumerate(parts[:3]):
            data = base64.b64decode(part)
            codes = [str(code) for code in struct.unpack(f"<{len(data) // 4}I", data)]
            (side if index == 2 else main).update(codes)
            cards.update({code: f"Card {code}" for code in codes})
        return main, side, cards
    border = content.index(told["side_from"]) if "side_from" in told else len(content)
    for match in re.finditer(told["card"], content, re.MULTILINE):
        found = match.groupdict()
        name = found.get("name") or found.get("identity") or ""
        ref = (found.get("ref") or refs.setdefault(name, f"T-{len(refs)}")).upper()
        aside = found.get("side") or match.start() > border or name in told.get("side_names", ())
        (side if aside else main)[ref] += int(found.get("n") or 1)
        cards[ref] = name or f"Card {ref}"
    return main, side, cards


def samples() -> list[Path]:
    return sorted(SAMPLES.iterdir()) if SAMPLES.is_dir() else []


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="../shared/data is absent")
def test_every_sample_has_an_expectation() -> None:
    assert sorted(file.name for file in samples()) == sorted(EXPECTED)


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="../shared/data is absent")
@pytest.mark.parametrize("file", samples(), ids=lambda file: file.name)
def test_every_copy_in_a_sample_is_read(file: Path) -> None:
    told = EXPECTED[file.name]
    main, side, cards = expectation(file.read_bytes().decode(), told)
    if not told.get("codes"):
        assert (main.total(), side.total(), len(cards)) == (
            told.get("main", 0), told.get("side", 0), told.get("cards", 0),
        )  # fmt: skip
    catalog = catalog_of(cards)
    parsed = parse(file.read_bytes(), catalog, sideboard=told.get("sideboard", True))
    assert [[fault.line, fault.code] for fault in parsed.faults] == told.get("faults", [])
    found = Counter(parsed.deck.main)
    if parsed.deck.commander is not None:
        found[parsed.deck.commander] += 1
        assert told["lead"] in (catalog[parsed.deck.commander].name, parsed.deck.commander)
    assert ("lead" in told) == (parsed.deck.commander is not None)
    assert (found, Counter(parsed.deck.side)) == (main, side)
    assert parse(editable(file.read_bytes(), catalog), catalog, sideboard=told.get("sideboard", True)) == parsed


def test_the_family_of_formats_is_recognized_from_the_text() -> None:
    for text, family in (
        ("<?xml version='1.0'?><deck/>", "xml"), ("<3 Bolt", "text"), ('{"deckList": {}}', "json"),
        ("YDKE://!!!", "ydke"), ("#created by me\n#main\n101", "ydk"), ("OGN-265-1 OGN-246-1", "codes"),
        ("Count,Name\n1,Bolt", "table"), ("Bolt, 4", "text"), ('[{"name": "Bolt"}]', "json"),
        ("OP01-016", "text"), ("* 1x [Bolt](https://a.example/1)", "markup"), ("4 Bolt", "text"), ("", "text"),
    ):  # fmt: skip
        assert sniff(text) == family, text


MTGO = '<Deck><Cards CatID="1" Quantity="4" Sideboard="{0}" Name="Bolt"/></Deck>'


@pytest.mark.parametrize(
    ("text", "main", "side"),
    [
        (MTGO.format("false"), {"101": 4}, {}),
        (MTGO.format("true"), {}, {"101": 4}),
        ('<cockatrice_deck version="1"><deckname>Mine</deckname><zone name="main"><card number="4" name="Bolt"/></zone>'
         '<zone name="side"><card number="1" name="Mirror"/></zone></cockatrice_deck>', {"101": 4}, {"00000103": 1}),
        ('<?xml version="1.0" standalone="yes"?>\n<deck game="x"><section name="Main" shared="False">'
         '<card qty="4" id="a1">Bolt</card></section><section name="Sideboard"><card qty="2" id="102">?</card>'
         "</section></deck>", {"101": 4}, {"102": 2}),
        ('<deck version="0.8"><meta><game>g</game></meta><superzone name="Deck"><card><name id="x">Bolt</name>'
         '<set>s</set></card><card><name id="101">Bolt</name></card></superzone></deck>', {"101": 2}, {}),
        ('{"deckList": {"Main": [{"count": 4, "id": "101"}], "Sideboard": [{"count": 1, "id": "102"}]}}',
         {"101": 4}, {"102": 1}),
        ('{"name": "x", "deckList": [{"count": 4, "id": "101"}]}', {"101": 4}, {}),
        ("#created by me\n#main\n101\n101\n#extra\n102\n!side\n103\n", {"101": 2, "102": 1}, {"00000103": 1}),
        ("ydke://ZQAAAGUAAAA=!!ZwAAAA==!", {"101": 2}, {"00000103": 1}),
        ("BT11-005 Koromon 4", {"BT11-005": 4}, {}),
        ("4xOP01-016", {"OP01-016": 4}, {}),
        ("* 4 Pikachu SUM 28", {"SUM-28": 4}, {}),
        ("Pokémon: 4\n4 Pikachu SUM 28\n\nTrainer: 1\n1 Bolt SSH 178\n\nEnergy: 1\n1 Mirror SVE 2\n\nTotal Cards: 6",
         {"SUM-28": 4, "101": 1, "00000103": 1}, {}),
        ("4 Elsa - Spirit of Winter", {"L-1": 4}, {}),
        ("4 Elsa, Spirit of Winter", {"L-1": 4}, {}),
        ("3 | Han Solo | Reluctant Hero\nSideboard\n1 | Bolt", {"S-1": 3}, {"101": 1}),
        ("[metadata]\nName=x\n[Main]\n4 Bolt|M10|1\n[Sideboard]\n1 Mirror|M10", {"101": 4}, {"00000103": 1}),
        ("NAME:x\n4 [M10:146] Bolt\nSB: 1 [M10:1] Mirror\nLAYOUT MAIN:(1,1)", {"101": 4}, {"00000103": 1}),
        ("Deck\n1 Bolt\nMaybeboard\n4 Mirror\nSideboard\n1 Mirror", {"101": 1}, {"00000103": 1}),
        ("1x Bolt (m10) 3 [Maybeboard{noDeck}]\n1x Bolt (m10) 3 [Land] ^Have,#37d67a^", {"101": 1}, {}),
        ("About\nName x\n\n4 Bolt", {"101": 4}, {}),
        ("Companion\n1 Mirror\n\nDeck\n4 Bolt\n\nSideboard\n1 Mirror", {"101": 4}, {"00000103": 1}),
        ("2 Bolt\nBase", {"101": 2, "G-1": 1}, {}),
        ("Base:\n2 Bolt", {"101": 2}, {}),
        ("[b]My list[/b]\n3x [url=https://a.example/card/1]Bolt[/url] [i](A Set)[/i] [color=#fff]●●[/color]",
         {"101": 3}, {}),
        ("4 Bolt\nhttps://a.example/decks/1", {"101": 4}, {}),
        ("1x Bolt (m10) 3 [Sideboard] ^Have,#37d67a^\n2x Bolt (m10) 3 [Maybeboard]\n1x Mirror [Ramp]",
         {"00000103": 1}, {"101": 1}),
        ("4 [M10#146] Bolt", {"101": 4}, {}),
        ("4 Bolt <showcase> [M10] (F)", {"101": 4}, {}),
        ("4 Bolt <349> [M10]", {"101": 4}, {}),
        ("```\n4 Bolt\n1 Mirror\n```", {"101": 4, "00000103": 1}, {}),
        ("```txt\n4 Bolt\n```", {"101": 4}, {}),
        ("> 4 Bolt\n> 1 Mirror", {"101": 4, "00000103": 1}, {}),
        ("| Qty | Card |\n|----:|------|\n| 4 | Bolt |\n| 1 | Mirror |", {"101": 4, "00000103": 1}, {}),
        ("| 4 | Bolt |\n| --- | --- |\n| 1 | Mirror |", {"101": 4, "00000103": 1}, {}),
        ("| Bolt | 4 |", {"101": 4}, {}),
        ('"Count","Tradelist Count","Name","Edition","Foil"\n"4","0","Bolt","m10","foil"\n"1","0","Mirror","x",""',
         {"101": 4, "00000103": 1}, {}),
        ("Name,Set code,Set name,Collector number,Foil,Rarity,Quantity,ManaBox ID\nBolt,M10,Magic 2010,146,normal,"
         'common,4,7\n"Han Solo, Reluctant Hero",X,X,1,normal,rare,2,8', {"101": 4, "S-1": 2}, {}),
        ("Count,Name,Categories\n4,Bolt,Mainboard\n3,Mirror,Sideboard\n1,Koromon,Maybeboard",
         {"101": 4}, {"00000103": 3}),
        ("sep=;\nQuantité;Nom;Réf\n4;Bolt;101\n;;\nTotal;;", {"101": 4}, {}),
        ("Carta\tQuantità\nBolt\t4", {"101": 4}, {}),
        ("Bolt\t4\n2\tMirror", {"101": 4, "00000103": 2}, {}),
        ('{"name": "x", "boards": {'
         '"mainboard": {"count": 4, "cards": {"a": {"quantity": 4, "card": {"name": "Bolt"}}}},'
         '"sideboard": {"count": 1, "cards": {"b": {"quantity": 1, "card": {"name": "Mirror"}}}},'
         '"maybeboard": {"count": 1, "cards": {"c": {"quantity": 1, "card": {"name": "Koromon"}}}}}}',
         {"101": 4}, {"00000103": 1}),
        ('{"mainboard": {"Bolt": {"quantity": 4, "card": {"name": "Bolt"}}}, "sideboard": {}}', {"101": 4}, {}),
        ('[{"nom": "Bolt", "quantite": 4}, {"nom": "Mirror"}]', {"101": 4, "00000103": 1}, {}),
        ('{"deck": {"cards": [{"name": "Bolt", "qty": "4"}]}}', {"101": 4}, {}),
    ],
)  # fmt: skip
def test_each_format_is_read(text: str, main: dict[str, int], side: dict[str, int]) -> None:
    parsed = parse(text, BOLT, sideboard=True)
    assert (parsed.faults, dict(parsed.deck.main), dict(parsed.deck.side)) == ((), main, side)
    assert parse(editable(text, BOLT), BOLT, sideboard=True) == parsed


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("4 Bolt\n\n1  Mirror", "4 Bolt\n\n1  Mirror"),
        ("ydke://ZQAAAGUAAAA=!!ZwAAAA==!", "2 101 Bolt\nSideboard\n1 00000103 Mirror\n"),
        ('{"name": "My\\nlist", "deckList": {"Main": [{"count": 4, "id": "101"}, {"count": 2, "id": "No such\\tcard"}],'
         '"Maybeboard": [{"count": 1, "id": "102"}]}}',
         "Name: My list\n4 101 Bolt\n2 No such card\nMaybeboard\n1 102 Bolt of Ice\n"),
        ('{"deckList": {"Main": [{"count": "many", "id": "101"}]}}', "0 101 Bolt\n"),
        ("Count,Name\n4,Bolt\n1,Nobody", "4 101 Bolt\n1 Nobody\n"),
        ('{"commander": null, "main": {"101": 2}, "side": {"102": 1}}',
         "Deck\n2 101 Bolt\n\nSideboard\n1 102 Bolt of Ice\n"),
    ],
)  # fmt: skip
def test_a_document_becomes_text_with_a_card_on_each_line(text: str, written: str) -> None:
    assert editable(text, BOLT) == written


def test_a_card_that_a_document_names_wrongly_can_be_corrected_in_the_text() -> None:
    text = editable(
        '{"deckList": {"Main": [{"count": 4, "id": "Bold"}], "Sideboard": [{"count": 1, "id": "101"}]}}', BOLT
    )
    (fault,) = parse(text, BOLT, sideboard=True).faults
    deck = parse(corrected(text, fault, "101 Bolt"), BOLT, sideboard=True).deck
    assert (dict(deck.main), dict(deck.side)) == ({"101": 4}, {"101": 1})


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("// Deck file for Magic Workstation\n4 Bolt", "Deck file for Magic Workstation"),
        ("// NAME : Burn\n4 Bolt", "Burn"),
        ("[metadata]\nName=Burn\n[Main]\n4 Bolt", "Burn"),
        ("Deck Name: Burn\nCreated by:\n4 Bolt", "Burn"),
        ("[b]Burn (1st)[/b]\n3x [url=https://a.example/1]Bolt[/url]", "Burn (1st)"),
        ("<cockatrice_deck><deckname>Burn</deckname></cockatrice_deck>", "Burn"),
        ('{"metadata": {"name": "Burn"}, "deck": [{"id": "101", "count": 1}]}', "Burn"),
    ],
)
def test_the_name_written_in_a_list_is_kept(text: str, name: str) -> None:
    parsed = parse(text, BOLT, sideboard=True)
    assert (parsed.name, parsed.faults) == (name, ())


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        (
            '<Deck>\n<Cards Quantity="2" Name="Bolt"/>\n<Cards Quantity="2" Name="Bolr"/>\n</Deck>',
            [(3, "unknown_card")],
        ),
        ('<Deck>\n<Cards Quantity="two" Name="Bolt"/></Deck>', [(2, "no_quantity")]),
        ('<Deck><Cards Quantity="0" Name="Bolt"/></Deck>', [(1, "zero_quantity")]),
        ('<Deck><Cards Quantity="1"/></Deck>', [(1, "unknown_card")]),
        ('{"deckList": {"Main": [{"count": 1.5, "id": "101"}]}}', [(0, "no_quantity")]),
        ('{"deckList": {"Main": [{"count": 1, "id": "999"}]}}', [(0, "unknown_card")]),
        ("#main\n101\nBolt!?\n999\n!side\n", [(4, "unknown_card")]),
        ("ydke://!!Z2ZnZg==!", [(1, "unknown_card")]),
        ("4 Bolt\n2 Bolr\n3 | Nobody | Reluctant Hero", [(2, "unknown_card"), (3, "unknown_card")]),
        ("https://a.example/decks/share/1", [(1, "address")]),
        ("6883b784bd9cf7315d565843", [(1, "address")]),
        ("Agenda (11)\n1x Nope (A Set)\n15 influence spent", [(2, "unknown_card")]),
        ("Gobelins (3)\n1 Bolt", [(1, "unknown_card")]),
        (
            "Count,Name\n4,Bolt\n,Mirror\nfour,Mirror\n1,Bolr",
            [(3, "no_quantity"), (4, "no_quantity"), (5, "unknown_card")],
        ),
    ],
)
def test_unreadable_lines_are_reported_with_their_number_and_code(text: str, faults: list[tuple[int, str]]) -> None:
    parsed = parse(text, BOLT, sideboard=True)
    assert [(fault.line, fault.code) for fault in parsed.faults] == faults
    assert all(fault.message(lang) for fault in parsed.faults for lang in ("fr", "en", "it"))


# Entities that expand exponentially ("billion laughs"): any document type declaration is refused.
BOMB = '<!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><deck><card>&b;</card></deck>'


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (BOMB, "doctype_refused"),
        ('<?xml version="1.0"?><!DOCTYPE deck SYSTEM "file:///etc/passwd"><deck/>', "doctype_refused"),
        ("<deck>&x;</deck>", "not_xml"),
        ("<deck>", "not_xml"),
        ("<deck/><deck/>", "not_xml"),
        ("<?xml version='1.0'?><html/>", "unknown_list"),
        ("<deck>" * 40, "too_deep"),
        ("<deck>" + "<card/>" * 501 + "</deck>", "too_many_lines"),
        ("ydke://!!", "bad_code"),
        ("ydke://a!!!", "bad_code"),
        ("ydke://ZQ==!!!", "bad_code"),
        ('{"deckList": 3}', "wrong_type"),
        ('{"deckList": {"Main": 3}}', "wrong_type"),
        ('{"deckList": {"Main": [3]}}', "wrong_type"),
        ('{"deckList": {"Main": [{"count": 1}]}}', "wrong_type"),
        (json.dumps({"deckList": [{"id": "1"}] * 501}), "too_many_lines"),
        ('{"deckList": ' + "[" * 5000, "too_deep"),
        ('{"deckList": NaN', "not_json"),
        ("#main\n" + "101\n" * 500, "too_many_lines"),
    ],
)
def test_a_document_that_no_reader_accepts_is_refused_with_a_code(text: str, code: str) -> None:
    with pytest.raises(Malformed) as caught:
        parse(text, BOLT)
    assert caught.value.code == code


# Pieces of the syntax of every format, so that random texts get past the detection of the format.
PIECES = st.sampled_from([
    "<deck>", "</deck>", "<card ", "qty='2'", "/>", "<card>", "</card>", "<!DOCTYPE", "<!ENTITY", "&a;", "<Deck>",
    "<Cards Quantity='4' Name='Bolt'/>", "</Deck>", "{", "}", '"deckList"', ":", "[", "]", '"count"', "1", ",", '"id"',
    "ydke://", "!", "ZQAAAA==", "#main", "!side", "\n", " ", "101", "Bolt", "4", "x", "|", "[url=", "]", "[/url]",
    "[Bolt](https://a.example/1)", "* ", "SB:", "(SET)", "BT11-005", "*F*", "^", "●", "###", "--", "***", "Base",
    "OGN-265-1", "{noDeck}", "Pokémon: 4", "Companion", "Maybeboard", "\x00", "\ud800",
])  # fmt: skip


@settings(max_examples=200)
@given(st.lists(PIECES, max_size=40).map("".join), st.booleans())
def test_any_pasted_text_gives_a_list_or_an_error_code(text: str, sideboard: bool) -> None:
    try:
        parsed = parse(text, BOLT, sideboard=sideboard)
    except Malformed as error:
        assert error.code
    else:
        assert isinstance(parsed, ParsedDecklist)
        assert all(fault.message(lang) for fault in parsed.faults for lang in ("fr", "en", "it"))


@pytest.mark.parametrize(
    "line",
    ["*" * 399, "-" * 399, "- " * 199, "*-" * 199, "(" * 399, "[b]" * 130, "a " * 199, "_(" * 199, "1 " * 199,
     "A-1 " * 99, "| " * 199, "<deck>", "x" * 399, "^" * 399, "[url=](http" * 30, "● " * 199],
)  # fmt: skip
def test_the_worst_text_is_read_in_bounded_time(line: str) -> None:
    # Long runs of opening marks make a careless regular expression backtrack exponentially.
    text = "\n".join([line] * (65_000 // (len(line.encode()) + 1)))[:65_000]
    text = "\n".join(text.split("\n")[:500])
    started = time.perf_counter()
    with contextlib.suppress(Malformed):
        parse(text, shipped_catalogs("star-safir")[0], sideboard=True)
    assert time.perf_counter() - started < 3
