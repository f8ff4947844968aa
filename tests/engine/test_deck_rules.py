"""Deck rules of Star Safir. Expected values are worked out by hand from the rule text (lines 18 to 24, 58, 78, 88)."""

import random
from typing import Any

import pytest

from engine.core.cards.catalog import Catalog, load_catalog, shipped_catalogs
from engine.core.decks.decklist import Decklist
from engine.core.decks.rules import Format, check_deck, options_in_force
from engine.core.text.errors import EngineError, Violation
from engine.core.text.registry import rulebook
from engine.games.star_safir.deck import FORMATS, random_deck


def fighter(ref: str, *factions: str, kind: str = "combattant", name: str = "") -> dict[str, Any]:
    return {"ref": ref, "name": name or ref, "kind": kind, "factions": list(factions), "atk": 1, "val": 1, "def": 1}


def leader(ref: str, *factions: str) -> dict[str, Any]:
    return {"ref": ref, "name": ref, "kind": "commandant", "factions": list(factions)}


CARDS: Catalog = load_catalog({
    "id": "test",
    "game": "star-safir",
    "cards": [
        *(fighter(f"HUM-{n}", "Humain") for n in range(1, 9)),
        *(fighter(f"ORC-{n}", "Orc") for n in range(1, 9)),
        *(fighter(f"DUO-{n}", "Humain", "Orc") for n in range(1, 9)),
        *(fighter(f"JET-{n}", "Humain", kind="jeton") for n in range(1, 9)),
        *(fighter(f"NEU-{n}") for n in range(1, 9)),
        fighter("MIS-1", name="Mireille"),
        fighter("MIS-2", name="Mireille"),
        leader("CHEF", "Humain"),
        leader("PAIRE", "Humain", "Orc"),
        leader("LIBRE"),
    ],
})


def pairs(prefix: str, cards: int) -> dict[str, int]:
    """Return `cards` cards with refs of the prefix, two copies each; one copy of the last if the number is odd."""
    return {f"{prefix}-{n}": min(2, cards - 2 * (n - 1)) for n in range(1, (cards + 1) // 2 + 1)}


def check(main: dict[str, int], commander: str | None = None, **options: str) -> list[Violation]:
    switched = {name.replace("_", "-"): option for name, option in options.items()}
    form = Format("test", "safir-v2@1", switched)
    return check_deck("star-safir", Decklist(commander, main), form, catalog=CARDS)


def rules(found: list[Violation]) -> list[str]:
    return [violation.rule for violation in found]


FULL = {**pairs("HUM", 16), **pairs("ORC", 14)}  # 30 cards


def test_thirty_and_forty_cards_are_legal() -> None:
    assert check(FULL) == []
    assert check({**FULL, **pairs("NEU", 10)}) == []


@pytest.mark.parametrize("cards", [0, 29, 41])
def test_a_deck_outside_thirty_to_forty_cards_breaks_saf_i_2(cards: int) -> None:
    main = {**pairs("HUM", 16), **pairs("ORC", 16), **pairs("NEU", 16)}
    kept = dict(list(main.items())[: (cards + 1) // 2])
    if cards % 2:
        kept[list(kept)[-1]] = 1
    assert check(kept) == [Violation("SAF-I-2", {"count": cards, "min": 30, "max": 40})]


def test_a_third_copy_breaks_saf_i_3() -> None:
    assert check({**FULL, "HUM-1": 3}) == [
        Violation("SAF-I-3", {"card": "HUM-1", "ref": "HUM-1", "count": 3, "max": 2})
    ]


def test_two_versions_of_one_name_are_two_cards() -> None:
    assert check({**FULL, "MIS-1": 2, "MIS-2": 2}) == []


def test_a_card_that_shares_its_name_is_cited_with_its_ref() -> None:
    (violation,) = check({**FULL, "MIS-1": 3})
    assert violation.args["card"] == "Mireille (MIS-1)"


def test_tokens_count_towards_the_deck_size() -> None:
    assert check({**pairs("HUM", 16), **pairs("JET", 14)}) == []
    found = check({**pairs("HUM", 16), **pairs("ORC", 16), **pairs("JET", 9)})
    assert rules(found) == ["SAF-I-2", "SAF-III-2"]
    assert found[1].args == {"tokens": 9, "count": 41, "max": 40}


def test_the_commander_is_not_counted_in_the_deck_unless_the_format_says_so() -> None:
    short = {**pairs("HUM", 16), **pairs("ORC", 13)}  # 29 cards
    assert check(short, "CHEF") == [Violation("SAF-I-2", {"count": 29, "min": 30, "max": 40}, depends_on=("I-SAF-13",))]
    assert check(short, "CHEF", I_SAF_13="counted") == []
    assert rules(check({**FULL, **pairs("NEU", 10)}, "CHEF", I_SAF_13="counted")) == ["SAF-I-2"]


def test_a_violation_that_no_option_changes_depends_on_no_interpretation() -> None:
    assert check(pairs("HUM", 16), "CHEF") == [Violation("SAF-I-2", {"count": 16, "min": 30, "max": 40})]


def test_a_commander_in_the_deck_breaks_saf_ii_2() -> None:
    assert rules(check({**FULL, "CHEF": 1})) == ["SAF-II-2"]
    assert rules(check({**FULL, "CHEF": 1}, "CHEF")) == ["SAF-II-2"]


def test_only_a_commander_card_can_be_the_commander() -> None:
    assert check(FULL, "HUM-1") == [Violation("SAF-II-2", {"card": "HUM-1", "ref": "HUM-1"})]


def test_an_unknown_card_breaks_saf_iii_1() -> None:
    assert check({**FULL, "NOPE": 1}) == [Violation("SAF-III-1", {"card": "NOPE", "ref": "NOPE"})]
    assert rules(check(FULL, "NOPE")) == ["SAF-III-1"]


def test_a_commander_needs_fifteen_fighters_of_its_faction() -> None:
    assert check({**pairs("HUM", 15), **pairs("ORC", 15)}, "CHEF") == []
    (violation,) = check({**pairs("HUM", 14), **pairs("ORC", 16)}, "CHEF")
    assert violation.rule == "SAF-III-5"
    assert violation.args == {"commander": "CHEF", "ref": "CHEF", "count": 14, "min": 15, "faction": "Humain"}
    assert violation.depends_on == ()


def test_a_fighter_of_two_factions_counts_for_each() -> None:
    assert check({**pairs("DUO", 15), **pairs("NEU", 15)}, "CHEF") == []


def test_tokens_do_not_count_as_fighters_of_a_faction_unless_the_format_says_so() -> None:
    main = {**pairs("HUM", 14), **pairs("JET", 2), **pairs("ORC", 14)}
    (violation,) = check(main, "CHEF")
    assert (violation.rule, violation.depends_on) == ("SAF-III-5", ("I-SAF-14",))
    assert check(main, "CHEF", I_SAF_14="counted") == []


def test_a_commander_of_two_factions_needs_fifteen_of_one_of_them() -> None:
    assert check({**pairs("HUM", 15), **pairs("NEU", 15)}, "PAIRE") == []
    main = {**pairs("HUM", 10), **pairs("ORC", 8), **pairs("NEU", 12)}
    (violation,) = check(main, "PAIRE")
    assert (violation.args["count"], violation.args["faction"]) == (10, "Humain")
    assert violation.depends_on == ("I-SAF-26",)
    assert check(main, "PAIRE", I_SAF_26="any") == []


def test_a_format_may_require_fifteen_fighters_of_each_faction_of_a_commander() -> None:
    found = check({**pairs("HUM", 15), **pairs("NEU", 15)}, "PAIRE", I_SAF_26="each")
    assert [(v.args["faction"], v.args["count"]) for v in found] == [("Orc", 0)]
    assert found[0].depends_on == ("I-SAF-26",)


def test_a_commander_without_faction_needs_no_fighters() -> None:
    assert check({**pairs("HUM", 10), **pairs("ORC", 10), **pairs("NEU", 10)}, "LIBRE") == []


def test_every_violation_is_reported_in_the_order_of_the_rules() -> None:
    found = check({"HUM-1": 3, "CHEF": 1, "NOPE": 1}, "CHEF")
    assert rules(found) == ["SAF-I-2", "SAF-I-3", "SAF-II-2", "SAF-III-1", "SAF-III-5"]
    book = rulebook("star-safir")
    for violation in found:
        for lang in ("fr", "en", "it"):
            assert "{" not in book.message(violation, lang)


def test_a_list_may_be_given_as_a_mapping_and_the_format_by_its_id() -> None:
    assert check_deck("star-safir", {"commander": None, "main": FULL}, catalog=CARDS) == []
    assert check_deck("star-safir", Decklist(None, FULL), "safir-v2", catalog=CARDS) == []
    assert check_deck("star-safir", Decklist(None, FULL), "safir-v2@1", catalog=CARDS) == []


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"game": "chess"}, "unknown_game"),
        ({"fmt": "safir-v9"}, "unknown_format"),
        ({"fmt": Format("x", "safir-v2@1", {"I-SAF-99": "yes"})}, "unknown_option"),
        ({"fmt": Format("x", "safir-v2@1", {"I-SAF-04": "maybe"})}, "unknown_option"),
        ({"pool": {"HUM-1": 1}}, "no_pool"),
        ({"deck": Decklist(None, FULL, {"HUM-1": 1})}, "no_sideboard"),
        ({"deck": {"main": {"HUM-1": -1}}}, "bad_quantity"),
    ],
)
def test_a_wrong_argument_is_refused_with_a_code(arguments: dict[str, Any], code: str) -> None:
    call: dict[str, Any] = {"game": "star-safir", "deck": Decklist(None, FULL), "catalog": CARDS, **arguments}
    with pytest.raises(EngineError) as caught:
        check_deck(call.pop("game"), call.pop("deck"), call.pop("fmt", None), **call)
    assert caught.value.code == code


def test_a_format_switches_only_the_options_it_names() -> None:
    options = options_in_force("star-safir", Format("x", "safir-v2@1", {"I-SAF-04": "refuse"}))
    assert (options["I-SAF-04"], options["I-SAF-13"]) == ("refuse", "apart")
    assert list(options) == list(rulebook("star-safir").interpretations)


def test_random_decks_are_legal_and_depend_on_the_seed_alone() -> None:
    demo = shipped_catalogs("star-safir")[0]
    decks = [random_deck(random.Random(seed), demo) for seed in range(200)]
    assert [check_deck("star-safir", deck) for deck in decks] == [[]] * 200
    assert decks == [random_deck(random.Random(seed), demo) for seed in range(200)]
    led = [deck.commander for deck in decks]
    assert None in led
    assert len({commander for commander in led if commander}) == 6
    assert {sum(deck.main.values()) for deck in decks} == set(range(30, 41))


def test_random_decks_from_a_small_catalogue_are_legal_or_refused() -> None:
    small = load_catalog({"id": "s", "game": "star-safir", "cards": [fighter(f"A-{n}") for n in range(15)]})
    assert check_deck("star-safir", random_deck(random.Random(1), small), catalog=small) == []
    with pytest.raises(EngineError, match="cannot make a deck"):
        random_deck(random.Random(1), CARDS.__class__("t", "star-safir", {}, ""))


def test_every_shipped_format_names_a_ruleset() -> None:
    assert [form.ruleset for form in FORMATS] == ["safir-v2@1"]
