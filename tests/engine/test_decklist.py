"""The decklist reader on what players paste, line by line, and the `Decklist` it returns."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.cards.catalog import Catalog, load_catalog
from engine.core.decks.decklist import Decklist, LineFault, ParsedDecklist, corrected, parse, render
from engine.core.decks.formats.words import data
from engine.core.text.errors import Malformed

CLIPBOARD = Path(__file__).resolve().parents[3] / "shared" / "data" / "formats" / "clipboard_cases.json"


def catalog_of(*names: str, commanders: tuple[str, ...] = ()) -> Catalog:
    cards: list[dict[str, Any]] = [
        {"ref": f"T-{n:02d}", "name": name, "kind": "magie", "val": 1} for n, name in enumerate(names, 1)
    ]
    cards += [{"ref": f"C-{n}", "name": name, "kind": "commandant"} for n, name in enumerate(commanders, 1)]
    return load_catalog({"id": "test", "game": "star-safir", "cards": cards})


# Names that a reader can misread: split names, parentheses, a quantity, a heading or a multiplication sign in the name.
CARDS = catalog_of(
    "Épée d'Aube",  # T-01
    "Feu // Glace",  # T-02
    "Æther vif",  # T-03
    "Golem (fêlé)",  # T-04
    "Golem",  # T-05
    "Double",  # T-06
    "Double",  # T-07
    "Deck des brumes",  # T-08
    "Sideboard maudit",  # T-09
    "7 Nains",  # T-10
    "Xavier",  # T-11
    "Commandant déchu",  # T-12
    commanders=("Reine Sel", "Roi Soufre"),
)


def main_of(text: str | bytes) -> dict[str, int]:
    parsed = parse(text, CARDS)
    assert parsed.faults == (), parsed.faults
    return dict(parsed.deck.main)


def faults_of(text: str, catalog: Catalog = CARDS) -> list[tuple[int, str]]:
    return [(fault.line, fault.code) for fault in parse(text, catalog).faults]


@pytest.mark.parametrize(
    "line",
    [
        "4 Golem", "4x Golem", "4X Golem", "x4 Golem", "X 4 Golem", "[4] Golem", "(4) Golem", "4\tGolem", "4 x Golem",
        "  4    Golem   ", "4xGolem", "4× Golem", "* 4 Golem", "- 4 golem", "Golem x4", "4 T-05", "4 t-05", "4xT-05",
        "4 T-05 Golem", "4 Golem (T-05)", "4 Golem [T-05]", "4 GOLEM", "4 Golem (SET) 123", "4X [B] Golem (3)",
        "4 Golem *F*", "4 Golem #mine", "4 Golem // my best", "4 Golem [Ramp] ^Have,#37d67a^", "04 Golem",
        "3 Golem\n1 golem", "\ufeff4 Golem\r\n", "4\u00a0Golem", "// a comment\n4 Golem", "Deck\n4 Golem",
        "4 | T-05 | Golem", "Golem (4)", "Golem [4]", "Golem (x4)", "Golem [4x]", "Golem, 4", "Golem; 4",
        "4,Golem", "4;Golem", '4,"Golem"', "Golem\t4", "T-05 (4)", "> 4 Golem",
        "4 [SET#12] Golem", "4 Golem <art> [SET] (F)",
    ],
)  # fmt: skip
def test_four_copies_of_a_card_are_read_in_every_usual_notation(line: str) -> None:
    assert main_of(line) == {"T-05": 4}


@pytest.mark.parametrize(
    ("line", "main"),
    [
        ("Golem", {"T-05": 1}),
        ("2 Épée d'Aube", {"T-01": 2}),
        ("2 epee d'aube", {"T-01": 2}),
        ("2 E\u0301pe\u0301e d'Aube", {"T-01": 2}),
        ("2 Épée d'Aube".encode("cp1252"), {"T-01": 2}),
        ("2 Épée d'Aube".encode("cp1252"), {"T-01": 2}),
        ("2 Épée d'Aube".encode("utf-8-sig"), {"T-01": 2}),
        ("2 Épée d'Aube".encode("utf-16"), {"T-01": 2}),
        ("2 Feu // Glace", {"T-02": 2}),
        ("2 Feu // Glace // note", {"T-02": 2}),
        ("2 Æther vif", {"T-03": 2}),
        ("2 Aether vif", {"T-03": 2}),
        ("2 Golem (fêlé)", {"T-04": 2}),
        ("2 Golem (fêlé) (SET) 12", {"T-04": 2}),
        ("2 T-06 Double", {"T-06": 2}),
        ("Deck des brumes\n1 Deck des brumes", {"T-08": 2}),
        ("Sideboard maudit", {"T-09": 1}),
        ("7 Nains", {"T-10": 1}),
        ("2 7 Nains", {"T-10": 2}),
        ("2xavier", {"T-11": 2}),
        ("2 Commandant déchu", {"T-12": 2}),
        ("About\nName Some deck\n\nDeck (4)\n4 Golem\n", {"T-05": 4}),
        ("[Main]\n4 Golem\n", {"T-05": 4}),
        ("Magies : 4\n4 Golem\n", {"T-05": 4}),
        ("", {}),
    ],
)
def test_names_punctuation_headings_and_encodings_are_understood(line: str | bytes, main: dict[str, int]) -> None:
    assert main_of(line) == main


@pytest.mark.parametrize("word", ["Commander", "COMMANDANT", "Comandante:", "[Commander]", "Commandant (1)"])
def test_the_commander_section_is_recognized_in_three_languages(word: str) -> None:
    assert parse(f"{word}\n1 Reine Sel\n\n4 Golem\nDeck\n1 Golem", CARDS).deck == Decklist("C-1", {"T-05": 5})


@pytest.mark.parametrize("text", ["4 Golem\nReine Sel", "1 Reine Sel\n4 Golem", "Commandant : Reine Sel\n4 Golem"])
def test_the_commander_may_be_on_any_line(text: str) -> None:
    assert parse(text, CARDS).deck == Decklist("C-1", {"T-05": 4})


def test_a_second_commander_or_one_under_the_deck_header_stays_in_the_deck() -> None:
    assert parse("Reine Sel\nRoi Soufre", CARDS).deck == Decklist("C-1", {"C-2": 1})
    assert parse("Commander\n2 Reine Sel", CARDS).deck == Decklist("C-1", {"C-1": 1})
    assert parse("Deck\nReine Sel", CARDS).deck == Decklist(None, {"C-1": 1})


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("2 Gobelin", "unknown_card"),
        ("2 T-99", "unknown_card"),
        ("2 Double", "ambiguous_name"),
        ("2 T-05 Xavier", "ref_name_mismatch"),
        ("0 Golem", "zero_quantity"),
        ("1000 Golem", "quantity_too_large"),
        ("-1 Golem", "signed_quantity"),
        ("1.5 Golem", "unknown_card"),
        ("12", "no_card"),
        ("[4]", "no_card"),
        ("4 " + "G" * 400, "line_too_long"),
        ("Sideboard", "no_sideboard"),
        ("SB: 1 Golem", "no_sideboard"),
        ("\x00\x01", "unknown_card"),
        ("***", "unknown_card"),
    ],
)
def test_an_unreadable_line_has_a_fault_code(line: str, code: str) -> None:
    assert faults_of(f"1 Golem\n{line}\n1 Xavier") == [(2, code)]


def test_every_bad_line_is_reported_and_the_good_ones_are_kept() -> None:
    parsed = parse("1 Golem\n2 Gollem\n\n0 Golem\n1 Xavier\n2 Double", CARDS)
    assert [(fault.line, fault.code) for fault in parsed.faults] == [
        (2, "unknown_card"),
        (4, "zero_quantity"),
        (6, "ambiguous_name"),
    ]
    assert parsed.deck.main == {"T-05": 1, "T-11": 1}


def test_an_unknown_card_comes_with_similar_names_that_can_be_pasted_back() -> None:
    (fault,) = parse("2 Xavire", CARDS).faults
    assert fault.suggestions == ("T-11 Xavier",)
    assert main_of(f"2 {fault.suggestions[0]}") == {"T-11": 2}


def test_an_ambiguous_name_lists_its_versions() -> None:
    (fault,) = parse("2 double", CARDS).faults
    assert fault.suggestions == ("T-06 Double", "T-07 Double")
    assert fault.args == {"name": "Double", "count": 2}


def test_a_ref_with_the_name_of_another_card_suggests_both() -> None:
    (fault,) = parse("2 T-05 Xavier", CARDS).faults
    assert fault.suggestions == ("T-05 Golem", "T-11 Xavier")


def test_copies_that_add_up_past_the_limit_are_a_fault() -> None:
    assert faults_of("999 Golem\n1 Golem") == [(2, "quantity_too_large")]


def test_every_fault_has_messages_in_three_languages_with_the_same_placeholders() -> None:
    for code, texts in {**data()["faults"], **data()["notes"], "known_site": data()["known_site"]}.items():
        assert sorted(texts) == ["en", "fr", "it"], code
        asked = {tuple(sorted(re.findall(r"{(\w+)}", text))) for text in texts.values()}
        assert len(asked) == 1, code


def test_a_fault_has_a_message_in_each_language() -> None:
    (fault,) = parse("2 double", CARDS).faults
    assert fault.message("fr") == "« Double » existe en 2 versions : précisez la référence"
    assert fault.message() == "“Double” exists in 2 versions: give the reference"
    assert "versioni" in fault.message("it")


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ("https://www.moxfield.com/decks/abc", "on moxfield.com, choose “More > Export”"),
        ("https://archidekt.com/decks/1/name", "on archidekt.com, choose “Export deck”"),
        ("https://moxfield.com.a.example/decks/abc", "open the deck on its site"),
        ("6883b784bd9cf7315d565843", "open the deck on its site"),
    ],
)
def test_a_link_is_answered_with_how_to_get_the_list_as_text(link: str, words: str) -> None:
    (fault,) = parse(link, CARDS).faults
    assert fault.code == "address"
    assert words in fault.message() and link in fault.message()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        # The limits are 64 KiB of UTF-8 and 500 lines.
        ("x" * 65_537, "too_large"),
        (b"x" * 65_537, "too_large"),
        ("é" * 40_000, "too_large"),
        ("1 Golem\n" * 501, "too_many_lines"),
        ('{"main": 3}', "wrong_type"),
        ('{"main": {"T-05": 0}}', "bad_quantity"),
        ('{"main": {"T-05": 1, "T-05": 2}}', "duplicate_key"),
        ('{"zone": {}}', "unknown_key"),
        ("{}", "missing_key"),
        ("{", "not_json"),
        ('{"main": {}, "commander": 3}', "wrong_type"),
    ],
)
def test_a_text_past_the_limits_or_a_broken_json_list_is_malformed(text: str | bytes, code: str) -> None:
    with pytest.raises(Malformed) as caught:
        parse(text, CARDS)
    assert caught.value.code == code


def test_five_hundred_lines_with_a_trailing_line_break_are_read() -> None:
    assert main_of("1 Golem\n" * 500) == {"T-05": 500}


def test_a_json_list_accepts_refs_in_any_case_and_reports_unknown_cards() -> None:
    parsed = parse('{"commander": "c-1", "main": {"t-05": 2, "Xavier": 1, "T-99": 1}}', CARDS)
    assert parsed.deck == Decklist("C-1", {"T-05": 2, "T-11": 1})
    assert [(fault.line, fault.code, fault.text) for fault in parsed.faults] == [(0, "unknown_card", "T-99")]
    assert parse('{"main": {}, "side": {"T-05": 1}}', CARDS).faults[0].code == "no_sideboard"


def test_the_digest_of_a_list_does_not_depend_on_its_order() -> None:
    one, two = Decklist(None, {"A": 1, "B": 2}), Decklist(None, {"B": 2, "A": 1})
    assert one == two
    assert one.digest() == two.digest() != Decklist(None, {"A": 2, "B": 2}).digest()
    assert one.digest() != Decklist("C", {"A": 1, "B": 2}).digest()
    assert list(two.to_json()["main"]) == ["A", "B"]


def test_a_list_is_immutable() -> None:
    with pytest.raises(TypeError):
        Decklist(None, {"A": 1}).main["A"] = 2  # type: ignore[index]


def test_the_rendered_text_is_read_back() -> None:
    deck = Decklist("C-1", {"T-01": 1, "T-02": 2, "T-06": 3, "T-08": 4, "T-10": 5})
    assert parse(render(deck, CARDS), CARDS) == ParsedDecklist(deck)


def cases() -> list[dict[str, Any]]:
    if not CLIPBOARD.exists():
        return []
    found: list[dict[str, Any]] = json.loads(CLIPBOARD.read_text(encoding="utf-8"))["cases"]
    return found


@pytest.mark.skipif(not CLIPBOARD.exists(), reason="../shared/data/formats is absent")
@pytest.mark.parametrize("case", cases(), ids=lambda case: repr(case["in"][:20]))
def test_a_clipboard_sample_is_read_as_expected(case: dict[str, Any]) -> None:
    names = sorted({*case["main"], *case["side"]})
    catalog = catalog_of(*names)
    parsed = parse(case["in"], catalog, sideboard=True)
    assert parsed.faults == ()
    assert {catalog[ref].name: count for ref, count in parsed.deck.main.items()} == case["main"]
    assert {catalog[ref].name: count for ref, count in parsed.deck.side.items()} == case["side"]
    assert parsed.name == case.get("name", "")


# Each of these names a card as it stands, and another one once its quantity is split off.
AMBIGUOUS = catalog_of("Seuil", "Seuil (2)", "Seuil, 3", "Seuil x4", "5 Seuil", "Golem")


@pytest.mark.parametrize(
    ("line", "ways"),
    [
        ("Seuil (2)", ("2 T-01 Seuil", "1 T-02 Seuil (2)")),
        ("Seuil, 3", ("3 T-01 Seuil", "1 T-03 Seuil, 3")),
        ("Seuil x4", ("4 T-01 Seuil", "1 T-04 Seuil x4")),
        ("5 Seuil", ("5 T-01 Seuil", "1 T-05 5 Seuil")),
    ],
)
def test_a_line_that_two_readings_fit_is_a_question_and_each_answer_is_read(line: str, ways: tuple[str, ...]) -> None:
    (fault,) = parse(f"1 Golem\n{line}", AMBIGUOUS).faults
    assert (fault.line, fault.code, fault.suggestions) == (2, "two_readings", ways)
    for way in ways:
        answered = parse(way, AMBIGUOUS)
        assert (answered.faults, sum(answered.deck.main.values())) == ((), int(way.split()[0]))


@pytest.mark.parametrize(
    ("text", "line", "main", "side"),
    [
        ("4 Golm", 1, {"T-05": 4}, {}),
        ("2 Xavier\r\nGolm x3\n", 2, {"T-05": 3, "T-11": 2}, {}),
        ("Golm (3)", 1, {"T-05": 3}, {}),
        ("2 Xavier\nSB: 1 Golm", 2, {"T-11": 2}, {"T-05": 1}),
        ("2 Xavier\n3x Golm [Sideboard]", 2, {"T-11": 2}, {"T-05": 3}),
        ("Golm\t2", 1, {"T-05": 2}, {}),
    ],
)
def test_a_suggestion_replaces_the_card_of_its_line_and_keeps_quantity_and_section(
    text: str, line: int, main: dict[str, int], side: dict[str, int]
) -> None:
    (fault,) = parse(text, CARDS, sideboard=True).faults
    assert (fault.line, fault.suggestions[0]) == (line, "T-05 Golem")
    again = parse(corrected(text, fault, fault.suggestions[0]), CARDS, sideboard=True)
    assert (again.faults, dict(again.deck.main), dict(again.deck.side)) == ((), main, side)


def test_a_suggestion_with_a_quantity_replaces_the_whole_line() -> None:
    (fault,) = parse("Seuil (2)", AMBIGUOUS).faults
    lists = [parse(corrected("Seuil (2)", fault, way), AMBIGUOUS).deck.main for way in fault.suggestions]
    assert lists == [{"T-01": 2}, {"T-02": 1}]


@pytest.mark.parametrize("text", ["4 Golm", "<deck><card>Golm</card></deck>", "Count,Name\n4,Golm"])
def test_a_text_without_that_line_or_whose_lines_are_no_entries_is_not_changed(text: str) -> None:
    fault = LineFault(3 if text == "4 Golm" else 1, "unknown_card")
    assert corrected(text, fault, "T-05 Golem") == text


def test_a_suggestion_whose_reference_is_a_number_keeps_the_quantity_of_its_line() -> None:
    numbered = load_catalog({
        "id": "test",
        "game": "star-safir",
        "cards": [{"ref": "101", "name": "Golem", "kind": "magie", "val": 1}],
    })
    (fault,) = parse("4 Golm", numbered).faults
    assert dict(parse(corrected("4 Golm", fault, fault.suggestions[0]), numbered).deck.main) == {"101": 4}


def test_a_number_in_brackets_after_a_counted_card_is_no_quantity() -> None:
    assert main_of("2 Golem (3)") == main_of("2 Golem [3]") == {"T-05": 2}


def test_several_blank_lines_do_not_start_a_sideboard() -> None:
    parsed = parse("1 Golem\n\n1 Xavier\n\n1 Deck des brumes", CARDS, sideboard=True)
    assert (sum(parsed.deck.main.values()), parsed.deck.side) == (3, {})
    assert main_of("1 Golem\n\n1 Xavier") == {"T-05": 1, "T-11": 1}


# Pieces of decklist syntax: random characters alone would hardly ever reach the code for headings or quantities.
LINES = st.lists(
    st.sampled_from(["4", "x", "(", ")", "[", "]", "//", "SB:", "Deck", "Commander", "Golem", "T-05", "Double", "\n",
                     " ", "#", "^", "*F*", "’", "Æ", "{", "\t", "0", "\r", "|", ":", "Xavier", "999"]),
    max_size=40,
).map("".join)  # fmt: skip


@given(LINES | st.text(max_size=200) | st.binary(max_size=200) | st.characters(categories=["Cs"]))
def test_the_reader_never_raises_anything_but_its_own_errors(text: str | bytes) -> None:
    try:
        parsed = parse(text, CARDS)
    except Malformed as error:
        assert error.code
    else:
        for fault in parsed.faults:
            assert isinstance(fault, LineFault)
            assert all(fault.message(lang) for lang in ("fr", "en", "it"))
            assert len(fault.text) <= 80
        assert parse(render(parsed.deck, CARDS), CARDS, sideboard=True).deck == parsed.deck


@given(
    st.dictionaries(st.sampled_from(sorted(CARDS.cards)), st.integers(1, 999)), st.sampled_from([None, "C-1", "C-2"])
)
def test_any_list_survives_round_trips_through_text_and_json(main: dict[str, int], commander: str | None) -> None:
    deck = Decklist(commander, main)
    assert parse(render(deck, CARDS), CARDS).deck == deck
    assert parse(json.dumps(deck.to_json()), CARDS).deck == deck
    assert Decklist.from_json(deck.to_json()) == deck
