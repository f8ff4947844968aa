"""Lines of a decklist as people write them: quantities, numbers of the line, boxes, quotations, comments, encodings."""

import pytest

from engine.core.cards.catalog import load_catalog, merged, shipped_catalogs
from engine.core.decks.decklist import corrected, parse

NAMES = ("Golem", "Xavier", "Seuil du Gué", "Feu, Glace", "7 Nains", "Épée d'Aube", "Golem Ancien")
CARDS = load_catalog({
    "id": "test",
    "game": "star-safir",
    "cards": [{"ref": f"T-{n:02d}", "name": name, "kind": "magie", "val": 1} for n, name in enumerate(NAMES, 1)],
})
DEMO = merged(shipped_catalogs("star-safir"))

TWO = [
    "2 Golem", "2x Golem", "2X Golem", "2 x Golem", "2× Golem", "2 × Golem", "2* Golem", "2 * Golem", "x2 Golem",
    "X2 Golem", "×2 Golem", "x 2 Golem", "x2: Golem", "x2Golem", "2xGolem", "[2] Golem", "[2x] Golem", "[x2] Golem",
    "(2) Golem", "(2x) Golem", "(x2) Golem", "2 - Golem", "2 – Golem", "2: Golem", "2 : Golem", "2 = Golem", "2; Golem",
    "Golem x2", "Golem X2", "Golem ×2", "Golem x 2", "Golem 2x", "Golem 2 x", "Golem *2", "Golem: 2", "Golem : 2",
    "Golem:2", "Golem: x2", "Golem - 2", "Golem – 2", "Golem — x2", "Golem = 2", "Golem (2)", "Golem (x2)", "Golem, 2",
    "Golem\t2", "2\tGolem", "2x\tGolem", "2\tGolem\tRare\t0,25 €", "2\tGolem\tM10", "2\u00a0Golem", "2\u202fGolem",
    "２ Golem", "２ｘ Golem", "２Ｘ　Golem", "٢ Golem", "२ Golem", "Golem ×２", "Golem：２", "（２） Golem",
    "1) 2 Golem", "1. 2 Golem", "12) 2x Golem", "3. Golem x2", "4) Golem: 2", "- 2 Golem", "– 2 Golem", "+ 2 Golem",
    "• 2 Golem", "•2 Golem", "▪ 2x Golem", "◦ 2 Golem", "* 2 Golem", "→ 2 Golem", "☐ 2 Golem", "☑ 2 Golem", "✓ 2 Golem",
    "- [ ] 2 Golem", "- [x] 2 Golem", "- [X] 2 Golem", "* [ ] 2x Golem", "[ ] 2 Golem", "[x] 2 Golem", "- [] 2 Golem",
    "+ [x] Golem x2", "> 2 Golem", ">2 Golem", "> > 2 Golem", ">> 2 Golem", "> - [ ] 2 Golem", "| 2 | Golem |",
    "2 Golem # comment", "2 Golem #comment", "2 Golem // comment", "2 Golem //comment", "2 Golem ; comment",
    "2 Golem # x3 would be better", "2 Golem // see 4, 5", "2 T-01 # the best",
    "2 T-01 Golem # a comment: long, with 3",
    "2 Golem *F*", "2 Golem *f*", "2 Golem (foil)", "2 Golem foil", "2 Golem - Foil", "2 Golem [foil]", "2 Golem ★",
    "2 Golem 0.25€", "2 Golem 0,25 €", "2 Golem €0.25", "2 Golem $1.99", "2 Golem (1.99 $)", "2 Golem - 0.25€",
    "2 Golem 3 EUR", "2 Golem [0,25€]", "2 Golem (SET) 12 *F* 0.25€", "2 Golem,", "2 Golem;", "2 Golem.", '2 "Golem"',
    "2 “Golem”", "2 **Golem**", "2 _Golem_", "2 GOLEM", "2 go\u00adlem", "\u200e2 Golem\u200f", "2 Golem\u200b",
    "1 Golem, 1 Golem", "1 Golem; 1 Golem", "1 Golem + 1 Golem", "1x Golem | 1x Golem", "1 Golem\t1 Golem",
    "Golem, Golem",
]  # fmt: skip


@pytest.mark.parametrize("line", TWO)
def test_two_copies_are_read_in_every_notation(line: str) -> None:
    parsed = parse(f"1 Xavier\n{line}\n", CARDS)
    assert (parsed.faults, dict(parsed.deck.main)) == ((), {"T-01": 2, "T-02": 1})


@pytest.mark.parametrize(
    ("text", "main"),
    [
        ("1. Golem\n2. Xavier\n3. Seuil du Gué", {"T-01": 1, "T-02": 1, "T-03": 1}),
        ("1) Golem\n2) 3 Xavier\n3) Seuil du Gué x2", {"T-01": 1, "T-02": 3, "T-03": 2}),
        ("Deck\n1. Golem\n2. Xavier\n\nMagies\n1. Golem\n2. Xavier", {"T-01": 2, "T-02": 2}),
        ("Deck\n1. Golem\n2. Xavier\n\nMagies\n3. Golem\n4. Xavier", {"T-01": 2, "T-02": 2}),
        ("1. Golem\n1. Xavier", {"T-01": 1, "T-02": 1}),
        ("1.Golem\n2.Xavier\n3.Golem", {"T-01": 2, "T-02": 1}),
        ("> 1 Golem\n>\n> 1 Xavier\n>  \n>> 1 Golem", {"T-01": 2, "T-02": 1}),
        ("2 Golem, 3 Xavier, 1 Feu, Glace", {"T-01": 2, "T-02": 3, "T-04": 1}),
        ("2 Golem, Xavier x3", {"T-01": 2, "T-02": 3}),
        ("2 Golem 3 Xavier", {"T-01": 2, "T-02": 3}),
        ("2 Golem / 3 Xavier", {"T-01": 2, "T-02": 3}),
        ("2x Golem, 2x Seuil du Gué et 1x Xavier", {"T-01": 2, "T-03": 2, "T-02": 1}),
        ("Golem, Xavier, Seuil du Gué", {"T-01": 1, "T-02": 1, "T-03": 1}),
        ("2 Feu, Glace", {"T-04": 2}),
        ("Feu, Glace", {"T-04": 1}),
        ("7 Nains", {"T-05": 1}),
        ("2 7 Nains, 1 Golem", {"T-05": 2, "T-01": 1}),
    ],
)
def test_lists_of_several_lines_and_lines_of_several_cards_are_read(text: str, main: dict[str, int]) -> None:
    parsed = parse(text, CARDS)
    assert (parsed.faults, dict(parsed.deck.main)) == ((), main)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-16", "utf-8", "utf-8-sig", "cp1252"])
def test_a_file_is_read_in_the_encodings_of_editors(encoding: str) -> None:
    text = "2 Golem\r\n1 Épée d'Aube\r\n"
    assert dict(parse(text.encode(encoding), CARDS).deck.main) == {"T-01": 2, "T-06": 1}


@pytest.mark.parametrize("text", ["1 Golem", "Golem\n", "2 Épée d'Aube\nGolem"])
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_a_short_file_of_utf_16_without_a_mark_is_read(text: str, encoding: str) -> None:
    assert parse(text.encode(encoding), CARDS).faults == ()


# Refused, with the line that is meant as a button.
@pytest.mark.parametrize(
    ("line", "code", "ways"),
    [
        ("-1 Golem", "signed_quantity", ["1 T-01 Golem"]),
        ("-3 Golem", "signed_quantity", ["3 T-01 Golem"]),
        ("+2 Golem", "signed_quantity", ["2 T-01 Golem"]),
        ("−2 Golem", "signed_quantity", ["2 T-01 Golem"]),
        ("–2x Golem", "signed_quantity", ["2 T-01 Golem"]),
        ("-x3 Golem", "signed_quantity", ["3 T-01 Golem"]),
        ("-1 Nobody", "signed_quantity", []),
        ("3. Golem", "two_readings", ["3 T-01 Golem", "1 T-01 Golem"]),
        ("2) Golem", "two_readings", ["2 T-01 Golem", "1 T-01 Golem"]),
        ("2 Golem, 3 Xavire", "several_cards", ["2 T-01 Golem, 3 T-02 Xavier"]),
        ("2 Golem, 3 Qwzkj", "several_cards", []),
    ],
)
def test_what_is_not_clear_is_refused_with_the_line_to_write(line: str, code: str, ways: list[str]) -> None:
    text = f"1 Seuil du Gué\n{line}\n1 Seuil du Gué"
    (fault,) = parse(text, CARDS).faults
    assert (fault.line, fault.code, list(fault.suggestions), fault.whole) == (2, code, ways, True)
    for way in ways:
        again = corrected(text, fault, way)
        assert again.split("\n")[1] == way
        assert parse(again, CARDS).faults == ()


def test_a_sign_before_a_quantity_is_answered_with_what_to_write() -> None:
    (fault,) = parse("-3 Golem", CARDS).faults
    assert fault.message() == "a quantity has no sign: write “3 Golem” instead of “-3 Golem”"
    assert "«\u00a03 Golem\u00a0»" in fault.message("fr") and "«3 Golem»" in fault.message("it")


def test_a_suggestion_keeps_the_number_of_its_line_in_a_numbered_list() -> None:
    text = "1. Golem\n2. Xavire\n3. Golem"
    (fault,) = parse(text, CARDS).faults
    again = parse(corrected(text, fault, fault.suggestions[0]), CARDS)
    assert (again.faults, dict(again.deck.main)) == ((), {"T-01": 2, "T-02": 1})


def test_a_price_or_a_comment_never_turns_into_another_card() -> None:
    assert [fault.code for fault in parse("2 Golem Nouveau 0.25€\n2 Golm # Xavier", CARDS).faults] == [
        "unknown_card"
    ] * 2


def test_names_with_numbers_and_signs_stay_names() -> None:
    refs = {ref: card.name for ref, card in DEMO.cards.items() if len(DEMO.cards) > 100}
    text = "\n".join(f"1 {name}" for name in dict.fromkeys(refs.values()))
    assert [fault for fault in parse(text, DEMO).faults if fault.code != "ambiguous_name"] == []
