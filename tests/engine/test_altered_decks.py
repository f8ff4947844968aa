"""Decklists of Altered: real decks with the community's card list, uniques, names in two languages, suspensions."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine.core.cards.card_list import written
from engine.core.cards.catalog import Catalog, load_catalog
from engine.core.decks.decklist import editable, parse, render
from engine.core.decks.rules import Format, check_deck, deck_notes, read_deck
from engine.core.replay.selfplay import play
from engine.core.report.audit import audit
from engine.core.text import strictjson
from engine.core.text.errors import Malformed
from engine.games.altered.cardlist import read_altered

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "altered"
LEGAL = ("01", "03", "05", "07", "09", "11")  # starters: a hero and 39 cards
STANDARD, NO_UNIQUE = "altered-standard", "altered-no-unique"

VECTORS: list[dict[str, Any]] = (
    json.loads(DATA.joinpath("share_code_vectors.json").read_bytes())["vectors"] if DATA.exists() else []
)

pytestmark = pytest.mark.skipif(not DATA.exists(), reason="../shared/data is absent")


@cache
def catalog() -> Catalog:
    cards, history = DATA.joinpath("cards.json").read_bytes(), DATA.joinpath("legality_history.json").read_bytes()
    found = read_altered(cards, "altered", history)
    assert found.faults == () and found.catalog is not None
    return found.catalog


def text_of(number: str, faction: str = "") -> str:
    (file,) = DATA.joinpath("decks").glob(f"{number}_*.txt")
    lines = file.read_text(encoding="utf-8").splitlines()
    return "\n".join(f"{line} ({faction})" if "_U_" in line and faction else line for line in lines)


def rules(text: str, fmt: str = STANDARD, on: str | None = None) -> list[str]:
    parsed = parse(text, catalog())
    assert parsed.faults == ()
    day = date.fromisoformat(on) if on else None
    return [reason.rule for reason in check_deck("altered", parsed.deck, fmt, catalog=catalog(), on=day)]


@pytest.mark.parametrize("number", LEGAL)
def test_a_starter_is_a_legal_standard_deck(number: str) -> None:
    assert rules(text_of(number)) == []


def test_a_list_with_17_rares_breaks_only_the_limit_on_rares() -> None:
    assert rules(text_of("13")) == ["ALT-STD-RARES"]


def test_55_copies_of_one_rare_break_three_rules_at_once() -> None:
    assert rules(text_of("17")) == ["ALT-STD-HERO", "ALT-STD-COPIES", "ALT-STD-RARES"]


def test_three_cards_of_another_faction_and_two_orbs_break_three_rules_at_once() -> None:
    assert rules(text_of("19")) == ["ALT-STD-CARDS", "ALT-STD-FACTION", "ALT-CARD"]


@pytest.mark.parametrize(("number", "lines"), [("15", [14, 15]), ("21", [11, 14, 18])])
def test_an_unknown_unique_asks_for_its_faction(number: str, lines: list[int]) -> None:
    faults = parse(text_of(number), catalog()).faults
    assert [(fault.line, fault.code) for fault in faults] == [(line, "faction_needed") for line in lines]
    assert all(len(fault.suggestions) == 6 for fault in faults)
    assert not parse("1 " + faults[0].suggestions[0], catalog()).faults
    hero = parse(text_of(number), catalog()).deck.commander or ""
    (own,) = catalog()[hero].factions
    assert all(f"({own})" in fault.suggestions[0] for fault in faults)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_a_share_code_becomes_a_list_with_the_same_cards(vector: dict[str, Any]) -> None:
    code = vector["encoded"]
    text = editable(code, catalog())
    assert text.count("\n") >= len(vector["lines"])
    assert parse(text, catalog()).deck == parse(code, catalog()).deck
    assert Counter(fault.code for fault in parse(text, catalog()).faults) == Counter(
        fault.code for fault in parse(code, catalog()).faults
    )


@pytest.mark.parametrize(("number", "faction"), [("15", "MU"), ("21", "OR")])
def test_uniques_are_legal_in_the_faction_of_the_hero_and_illegal_in_another(number: str, faction: str) -> None:
    uniques = text_of(number).count("_U_")
    assert rules(text_of(number, faction)) == []
    assert rules(text_of(number, "LY")) == ["ALT-STD-FACTION"] * uniques
    assert rules(text_of(number, faction), NO_UNIQUE) == ["ALT-NUC"]


def test_the_faction_comes_from_the_catalogue_and_not_from_the_reference() -> None:
    assert catalog()["ALT_CORE_B_AX_04_R2"].factions == ("MU",)
    hero_of_muna, hero_of_axiom = "1 ALT_CORE_B_MU_01_C\n", "1 ALT_CORE_B_AX_01_C\n"
    assert "ALT-STD-FACTION" not in rules(hero_of_muna + "1 ALT_CORE_B_AX_04_R2")
    assert "ALT-STD-FACTION" in rules(hero_of_axiom + "1 ALT_CORE_B_AX_04_R2")


def test_a_unique_in_the_catalogue_needs_no_faction_and_rejects_a_wrong_one() -> None:
    lists = [json.loads(DATA.joinpath(name).read_bytes()) for name in ("cards.json", "uniques.json")]
    known = read_altered(json.dumps([*lists[0], *lists[1]]).encode(), "known").catalog
    assert known is not None
    ref = "ALT_CYCLONE_B_YZ_73_U_4784"
    assert dict(parse(f"1 {ref}", known).deck.main) == dict(parse(f"1 {ref.lower()} (ax)", known).deck.main) == {ref: 1}
    assert known[ref].factions == ("AX",)
    (fault,) = parse(f"1 {ref} (YZ)", known).faults
    assert (fault.code, fault.suggestions) == ("faction_mismatch", (f"{ref} (AX)",))


def test_a_share_code_is_rewritten_with_names_in_the_language_of_the_reader() -> None:
    code = next(vector["encoded"] for vector in VECTORS if "1 ALT_CORE_B_YZ_02_C" in vector["lines"])
    card = catalog()["ALT_CORE_B_LY_28_C"]
    assert card.name != card.name_in("en")
    assert card.name in editable(code, catalog()) and card.name_in("en") in editable(code, catalog(), "en")


def test_a_list_with_uniques_is_written_and_read_back() -> None:
    deck = parse(text_of("15", "MU"), catalog()).deck
    assert parse(render(deck, catalog()), catalog()).deck == deck


def test_all_printings_of_a_card_count_together() -> None:
    core, kickstarter, promo = "ALT_CORE_B_AX_01_C", "ALT_COREKS_B_AX_01_C", "ALT_CORE_P_AX_01_C"
    assert {catalog()[ref].original for ref in (core, kickstarter, promo)} == {core}
    four = "2 ALT_CORE_B_AX_05_C\n1 ALT_COREKS_B_AX_05_C\n1 ALT_CORE_B_AX_05_R1"
    assert "ALT-STD-COPIES" in rules(f"1 {core}\n{four}")


def test_known_reprints_are_one_card() -> None:
    aliases = json.loads(DATA.joinpath("reprint_aliases.json").read_bytes())["aliases"]
    both = {ref: other for ref, other in aliases.items() if other in catalog()}
    assert len(both) == 15  # the sixteenth is of a token whose other printing the list does not have
    assert [ref for ref, other in both.items() if catalog()[ref].original != catalog()[other].original] == []


def by_name(number: str, mark: str, lang: str) -> str:
    """Return a starter as articles write it: by name and rarity, the hero last."""
    (file,) = DATA.joinpath("decks").glob(f"{number}_*.txt")
    (first, *lines) = [line.split() for line in file.read_text(encoding="utf-8").splitlines()]
    rarity = {"common": "C", "rare": "R"}
    words = {"C": "Common", "R": "Rare"} if lang == "en" else {"C": "Commune", "R": "Rare"}
    written = []
    for count, ref in lines:
        card = catalog()[ref]
        letter = rarity[card.words["rarity"]]
        written.append(f"{count} {card.name_in(lang)} {mark.format(letter=letter, word=words[letter])}")
    return "\n".join([*written, f"{first[0]} {catalog()[first[1]].name_in(lang)}"])


def cards_of(text: str) -> Counter[str]:
    parsed = parse(text, catalog())
    assert parsed.faults == ()
    counts: Counter[str] = Counter()
    for ref, count in [*parsed.deck.main.items(), (parsed.deck.commander or "", 1)]:
        counts[catalog()[ref].original] += count
    return counts


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("mark", ["({letter})", "[{letter}]", "{letter}", "({word})", "- {word}", "{word}", ", {word}"])
@pytest.mark.parametrize("number", LEGAL)
def test_a_starter_by_name_and_rarity_is_the_starter_by_reference(number: str, mark: str, lang: str) -> None:
    assert cards_of(by_name(number, mark, lang)) == cards_of(text_of(number))


HEATER = "ALT_ALIZE_B_AX_43"


@pytest.mark.parametrize(
    ("words", "version"),
    [
        ("Kelonic Heater (R1)", "R1"), ("Kelonic Heater R2", "R2"), ("[R2] Kelonic Heater", "R2"),
        ("R1 Kelonic Heater", "R1"), ("Kelonic Heater (C)", "C"), ("(C) Kelonic Heater", "C"),
        ("Kelonic Heater (Common)", "C"), ("Kelonic Heater common", "C"), ("Kelonic Heater (commune)", "C"),
        ("Kelonic Heater (Comune)", "C"), ("Kelonic Heater (R, AX)", "R1"), ("Kelonic Heater (AX R)", "R1"),
        ("Kelonic Heater (Yzmir Rare)", "R2"), ("Kelonic Heater (Rare, Yzmir)", "R2"), ("Kelonic Heater (YZ)", "R2"),
        ("Kelonic Heater (R) (YZ)", "R2"), ("Kelonic Heater [Rare] [Axiom]", "R1"), ("Kelonic Heater (F)", "R2"),
        ("Kelonic Heater (hors faction)", "R2"), ("Kelonic Heater - Common *F*", "C"),
        ("Kelonic Heater (C) (F)", "C"), ("Kelonic Heater (C) # comment", "C"), ("Kelonic Heater (C) 0,10 €", "C"),
        (f"{HEATER}_R2 Kelonic Heater (Rare, Yzmir)", "R2"), (f"{HEATER}_C (C)", "C"), ("Calorifère (C)", ""),
    ],
)  # fmt: skip
def test_marks_beside_a_name_say_which_version_is_meant(words: str, version: str) -> None:
    parsed = parse(f"2 {words}", catalog())
    assert dict(parsed.deck.main) == ({f"{HEATER}_{version}": 2} if version else {})
    assert bool(parsed.faults) is not bool(version)


@pytest.mark.parametrize(
    ("hero", "words", "version"),
    [
        ("AX", "Kelonic Heater (R)", "R1"),
        ("YZ", "Kelonic Heater (R)", "R2"),
        ("YZ", "Kelonic Heater", "R2"),
        ("YZ", "Kelonic Heater (Rare) *F*", "R2"),
        ("YZ", "1 Kelonic Heater (R), 1 Kelonic Heater (R)", "R2"),
    ],
)
def test_the_faction_of_the_hero_decides_wherever_the_hero_stands(hero: str, words: str, version: str) -> None:
    leader = f"1 ALT_CORE_B_{hero}_01_C"
    for text in (f"{leader}\n2 {words}", f"2 {words}\n{leader}", f"Deck\n2 {words}\n\nHero\n{leader}"):
        lines = text.replace("2 1 ", "1 ")
        assert dict(parse(lines, catalog()).deck.main) == {f"{HEATER}_{version}": 2}


@pytest.mark.parametrize("hero", ["", "1 ALT_CORE_B_AX_01_C", "1 ALT_CORE_B_MU_01_C"])
def test_a_version_that_nothing_decides_is_asked_with_rarity_and_faction(hero: str) -> None:
    (fault,) = parse(f"2 Kelonic Heater\n{hero}", catalog(), lang="en").faults
    assert fault.code == "ambiguous_name"
    assert fault.suggestions == (
        f"{HEATER}_C Kelonic Heater (Common, Axiom)",
        f"{HEATER}_R1 Kelonic Heater (Rare, Axiom)",
        f"{HEATER}_R2 Kelonic Heater (Rare, Yzmir)",
    )
    for suggestion in fault.suggestions:
        assert list(parse(f"2 {suggestion}", catalog()).deck.main) == [suggestion.split()[0]]


@pytest.mark.parametrize("lang", ["fr", "en", "it"])
def test_suggestions_are_read_back_in_every_language(lang: str) -> None:
    (fault,) = parse("2 Kelonic Heater", catalog(), lang=lang).faults
    assert [parse(f"2 {each}", catalog()).deck.main for each in fault.suggestions] == [
        {f"{HEATER}_{version}": 2} for version in ("C", "R1", "R2")
    ]


def test_a_card_among_several_on_a_line_has_no_suggestion_that_would_lose_the_others() -> None:
    (fault,) = parse("1 Kelonic Heater, 1 Vishvakarma (C)", catalog()).faults
    assert (fault.code, fault.suggestions) == ("ambiguous_name", ())


def test_a_deck_of_several_factions_is_asked_about_every_rare() -> None:
    text = "1 ALT_CORE_B_YZ_01_C\n1 Kelonic Heater (R)"
    assert read_deck(text, "altered", STANDARD, catalog()).faults == ()
    (fault,) = read_deck(text, "altered", "altered-sealed", catalog()).faults
    assert (fault.code, len(fault.suggestions)) == ("ambiguous_name", 2)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("Kelonic Heater (U)", "unique_without_ref"),
        ("Kelonic Heater (Exalted)", "no_such_version"),
        ("Kelonic Heater (Rare, Muna)", "no_such_version"),
        (f"{HEATER}_C Kelonic Heater (R)", "no_such_version"),
        ("Sigismar & Wingspan (R)", "no_such_version"),
    ],
)
def test_a_version_that_does_not_exist_is_refused(words: str, code: str) -> None:
    (fault,) = parse(f"1 {words}", catalog()).faults
    assert fault.code == code
    assert fault.suggestions


def test_copies_without_a_limit_are_told() -> None:
    text = "1 ALT_CORE_B_MU_01_C\n9 ALT_CORE_B_MU_25_C"
    deck = read_deck(text, "altered", "altered-sealed", catalog()).deck
    assert [note.code for note in deck_notes("altered", deck, "altered-sealed", catalog=catalog())] == ["no_copy_limit"]
    assert deck_notes("altered", deck, STANDARD, catalog=catalog()) == []
    by_text = Format(STANDARD, "altered-2025@1", {"I-ALT-08": "text"})
    assert [note.args["count"] for note in deck_notes("altered", deck, by_text, catalog=catalog())] == [9]


@pytest.mark.parametrize("name", ["Sigismar & Wingspan", "Brassbug Hub"])
def test_an_english_name_is_read_or_its_versions_are_listed(name: str) -> None:
    parsed = parse(f"1 {name}", catalog())
    if name == "Brassbug Hub":
        (fault,) = parsed.faults
        assert (fault.code, fault.args["count"]) == ("ambiguous_name", 3)
        assert [line.split()[0] for line in fault.suggestions] == [f"ALT_CORE_B_AX_24_{v}" for v in ("C", "R1", "R2")]
    else:
        assert (parsed.faults, parsed.deck.commander) == ((), "ALT_CORE_B_OR_01_C")


def test_a_french_name_shared_by_three_versions_is_ambiguous() -> None:
    (fault,) = parse("1 Hub des Scarabots", catalog()).faults
    assert (fault.code, len(fault.suggestions)) == ("ambiguous_name", 3)


def test_a_card_number_is_read_with_or_without_its_leading_zero() -> None:
    assert dict(parse("2 alt_core_b_ne_1_c", catalog()).deck.main) == {"ALT_CORE_B_NE_01_C": 2}


# From the history of suspensions: the last day before a change and the first day after it.
@pytest.mark.parametrize(
    ("ref", "day", "suspended"),
    [
        ("ALT_CORE_B_YZ_11_R2", "2025-05-12", False),  # Baba Yaga of Ordis
        ("ALT_CORE_B_YZ_11_R2", "2025-05-13", True),
        ("ALT_CORE_B_YZ_11_R1", "2025-05-13", False),  # of Yzmir
        ("ALT_CORE_B_BR_25_R2", "2025-10-02", True),  # Helping Hand of Yzmir
        ("ALT_CORE_B_BR_25_R2", "2025-10-03", False),
    ],
)
def test_a_card_is_suspended_only_between_the_dates_of_the_history(ref: str, day: str, suspended: bool) -> None:
    assert ("ALT-STD-SUSPENDED" in rules(f"1 {ref}", on=day)) is suspended


def test_uniques_are_suspended_by_name_and_faction() -> None:
    armorer, jellyfish = family("Foundry Armorer"), family("Moonlight Jellyfish")
    assert "ALT-STD-SUSPENDED" in rules(f"1 {armorer}_U_1 (BR)", on="2025-02-01")
    assert "ALT-STD-SUSPENDED" not in rules(f"1 {armorer}_U_1 (AX)", on="2025-02-01")
    assert "ALT-STD-SUSPENDED" in rules(f"1 {jellyfish}_U_1 (AX)", on="2026-06-01")


def family(name: str) -> str:
    ref = next(ref for ref, card in catalog().cards.items() if card.names["en"] == name and ref.endswith("_C"))
    return ref.removesuffix("_C")


@cache
def unread() -> Catalog:
    """The catalogue without any encoding."""
    found = read_altered(DATA.joinpath("cards.json").read_bytes(), "altered", effects={}).catalog
    assert found is not None
    return found


def test_a_card_that_nobody_encoded_is_left_to_rulings() -> None:
    manual = [card for card in unread().cards.values() if not card.executable]
    assert len(unread().cards) == 3162 + 3  # with the Tumult cards
    assert len(manual) == 3162 - 5  # Mana Convergences do nothing


def test_the_audit_of_a_game_counts_its_cards_without_text() -> None:
    log = play("altered", 1, catalog=unread())
    coverage = audit(log, catalogs=[unread()]).as_json("en")["coverage"]
    assert coverage["listed"] == len(coverage["manual"]) > 20
    assert coverage["enforced"] == 0


def best(work: Callable[[], object], rounds: int = 5) -> int:
    """Return the processor time of the quickest of several rounds, in nanoseconds."""
    spent: list[int] = []  # processor time, and the quickest round: other work on the machine should not count
    for _ in range(rounds):
        start = time.process_time_ns()
        work()
        spent.append(time.process_time_ns() - start)
    return min(spent)


@pytest.mark.slow
def test_loading_the_catalogue_takes_less_than_ten_times_parsing_its_json() -> None:
    cards = json.loads(DATA.joinpath("cards.json").read_bytes())
    assert len(cards) == 3162
    found = read_altered(json.dumps(cards).encode(), "altered")
    text = written(found.document)
    assert best(lambda: load_catalog(text)) < 10 * best(lambda: strictjson.read(text))


BROKEN: Sequence[tuple[str, bytes]] = (
    ("not_json", b"["),
    ("no_cards", b"{}"),
    ("no_cards", b"[]"),
)


@pytest.mark.parametrize(("code", "content"), BROKEN)
def test_a_file_that_is_not_a_card_list_is_refused(code: str, content: bytes) -> None:
    with pytest.raises(Malformed) as caught:
        read_altered(content, "altered")
    assert caught.value.code == code


def test_a_faulty_entry_is_left_out_and_reported_with_its_path() -> None:
    entries = json.loads(DATA.joinpath("cards.json").read_bytes())[:3]
    entries[0]["type"] = "gadget"
    del entries[2]["faction"]
    found = read_altered(json.dumps(entries).encode(), "altered")
    assert [(fault.error.code, fault.error.path) for fault in found.left_out] == [
        ("unknown_kind", "cards[0].type"),
        ("missing_key", "cards[2].faction"),
    ]
    assert found.catalog is not None and entries[1]["reference"] in found.catalog
