"""Catalogues of cards: what is refused, the content of the shipped ones, and the problems the linter reports."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.cards import catalog as cards
from engine.core.cards.catalog import coverage, load_catalog, merged, shipped_catalogs
from engine.core.cards.lint import lint
from engine.core.text.errors import EngineError, Malformed, Unsupported

FIGHTER = {"ref": "T-1", "name": "Testeuse", "kind": "combattant", "factions": ["Humain"], "atk": 2, "val": 1, "def": 3}


def document(*cards: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {"id": "test", "game": "star-safir", "cards": list(cards), **changes}


def without(key: str) -> dict[str, Any]:
    return {name: value for name, value in FIGHTER.items() if name != key}


def test_a_catalogue_is_read_the_same_from_bytes_text_and_mapping() -> None:
    raw = document(FIGHTER)
    text = json.dumps(raw, indent=3)
    first, second, third = load_catalog(text), load_catalog(text.encode()), load_catalog(raw)
    assert first == second == third
    assert first["T-1"].figures == {"atk": 2, "val": 1, "def": 3}
    assert "T-1" in first and "T-2" not in first


def test_the_digest_ignores_layout_and_changes_with_a_figure() -> None:
    one = load_catalog(document(FIGHTER))
    assert one.sha256 == load_catalog(json.dumps(document(dict(reversed(FIGHTER.items()))), indent=1)).sha256
    assert one.sha256 != load_catalog(document({**FIGHTER, "atk": 3})).sha256


@pytest.mark.parametrize(
    ("raw", "code", "path"),
    [
        ([], "wrong_type", ""),
        ({"id": "x", "game": "star-safir"}, "missing_key", ""),
        (document(FIGHTER, extra=1), "unknown_key", ""),
        (document(id="No Good"), "bad_id", "id"),
        (document(cards={}), "wrong_type", "cards"),
        (document("card"), "wrong_type", "cards[0]"),
        (document({**FIGHTER, "power": 1}), "unknown_key", "cards[0]"),
        (document(without("name")), "missing_key", "cards[0]"),
        (document({**FIGHTER, "ref": "a b"}), "bad_ref", "cards[0].ref"),
        (document({**FIGHTER, "name": " x"}), "bad_name", "cards[0].name"),
        (document({**FIGHTER, "name": "a\nb"}), "bad_name", "cards[0].name"),
        (document({**FIGHTER, "name": "x" * 121}), "bad_name", "cards[0].name"),
        (document({**FIGHTER, "kind": "héros"}), "unknown_kind", "cards[0].kind"),
        (document({**FIGHTER, "atk": True}), "bad_figure", "cards[0].atk"),
        (document({**FIGHTER, "atk": -1}), "bad_figure", "cards[0].atk"),
        (document({**FIGHTER, "atk": 1.5}), "float", "cards[0].atk"),
        (document(without("def")), "missing_figure", "cards[0].def"),
        (document({**FIGHTER, "factions": "Humain"}), "wrong_type", "cards[0].factions"),
        (document({**FIGHTER, "factions": ["Humain"] * 65}), "too_long", "cards[0].factions"),
        (document({**FIGHTER, "keywords": [{}]}), "missing_key", "cards[0].keywords"),
        (document({**FIGHTER, "game": "altered"}), "wrong_game", "cards[0].game"),
        (document(FIGHTER, {**FIGHTER, "ref": "t-1"}), "duplicate_ref", "cards[1].ref"),
        (document(*[FIGHTER] * 20_001), "too_many_cards", "cards"),
    ],
)
def test_a_malformed_catalogue_is_refused_with_a_code_and_path(raw: Any, code: str, path: str) -> None:
    with pytest.raises(Malformed) as caught:
        load_catalog(raw if isinstance(raw, dict) else json.dumps(raw))
    assert (caught.value.code, caught.value.path) == (code, path)


def test_a_mapping_that_is_not_json_is_refused_with_a_code() -> None:
    endless: dict[str, Any] = {}
    endless["x"] = endless
    for raw, code in (
        (endless, "not_json"),
        (document(x=object()), "not_json"),
        (document(x=float("nan")), "not_a_number"),
    ):
        with pytest.raises(Malformed) as caught:
            load_catalog(raw)
        assert caught.value.code == code


def test_a_catalogue_of_an_unknown_game_is_unsupported() -> None:
    with pytest.raises(Unsupported) as caught:
        load_catalog(document(game="chess"))
    assert caught.value.code == "unknown_game"


@given(
    st.recursive(st.none() | st.integers(0, 9) | st.text(max_size=4), lambda x: st.lists(x, max_size=3), max_leaves=6)
)
def test_any_value_in_any_key_of_a_card_is_read_or_refused_with_a_code(value: Any) -> None:
    for key in (*FIGHTER, "keywords", "abilities", "text", "cost", "game"):
        raw = document({**FIGHTER, key: value})
        try:
            load_catalog(raw)
        except EngineError as error:
            assert error.code
        lint(raw)


def test_the_shipped_catalogue_has_enough_of_every_kind_and_faction() -> None:
    demo = shipped_catalogs("star-safir")[0]
    kinds = Counter(card.kind for card in demo.cards.values())
    assert len(demo.cards) >= 64
    assert kinds["combattant"] >= 44 and kinds["magie"] >= 10 and kinds["jeton"] >= 6 and kinds["commandant"] >= 6
    factions = Counter(f for card in demo.cards.values() if card.kind == "combattant" for f in card.factions)
    assert len(factions) == 13
    assert sum(1 for count in factions.values() if count >= 8) >= 4


def test_the_shipped_catalogue_is_fully_executable_with_bounded_figures() -> None:
    demo = shipped_catalogs("star-safir")[0]
    cover = coverage(demo)
    assert (cover.executable, cover.manual) == (cover.total, ())
    assert all(ref.startswith("DEMO-SAF-") for ref in demo.cards)
    assert all(
        1 <= card.figures.get("val", 1) <= 5 and all(figure <= 8 for figure in card.figures.values())
        for card in demo.cards.values()
    )


def test_the_effects_catalogue_is_clean_and_uses_every_word() -> None:
    source = (Path(cards.__file__).parents[2] / "games/star_safir/cards/safir-effects.json").read_bytes()
    report = lint(source)
    assert report.problems == report.hints == ()
    assert report.coverage is not None
    assert (report.coverage.total >= 90, report.coverage.manual) == (True, ())
    unused = {kind: [word for word, count in counts.items() if not count] for kind, counts in report.words.items()}
    assert list(unused) == [
        "keywords", "triggers", "statics", "replacements", "operations", "selectors", "amounts", "durations",
        "prohibitions",
    ]  # fmt: skip
    assert [word for words in unused.values() for word in words] == ["manual"]
    effects = next(found for found in shipped_catalogs("star-safir") if found.id == "safir-effects")
    assert len(Counter(faction for card in effects.cards.values() for faction in card.factions)) == 13
    other = {card.name for card in shipped_catalogs("star-safir")[0].cards.values()}
    assert not [card.name for card in effects.cards.values() if card.name in other]


@pytest.mark.parametrize(
    ("change", "code", "suggestion"),
    [
        ({"abilities": [{"on": "playd", "do": [{"op": "draw", "n": 1}]}]}, "ABILITY", "played"),
        ({"abilities": [{"on": "played", "do": [{"op": "drawn", "n": 1}]}]}, "ABILITY", "draw"),
        ({"abilities": [{"on": "played", "do": [{"op": "draw", "n": 1, "whom": "both"}]}]}, "ABILITY", "who"),
        ({"abilities": [{"on": "played", "do": [{"op": "draw"}]}]}, "ABILITY", None),
        ({"abilities": [{"on": "played", "do": []}]}, "ABILITY", None),
        (
            {"abilities": [{"on": "played", "do": [{"op": "return", "of": {"side": "oposing"}}]}]},
            "ABILITY",
            "opposing",
        ),
        ({"abilities": [{"static": {"stat": "atk", "add": {"stat": "atk"}, "to": {}}}]}, "ABILITY", None),
        ({"abilities": [{"on": "played", "do": [{"op": "token", "ref": "T-1", "n": 1}]}]}, "UNKNOWN-TOKEN", None),
        ({"keywords": [{"kw": "Caché"}]}, "MISPLACED", None),
        ({"keywords": [{"kw": "Transformation"}]}, "ABILITY", None),
    ],
)
def test_the_linter_checks_abilities(change: dict[str, Any], code: str, suggestion: str | None) -> None:
    (problem,) = lint(document({**FIGHTER, **change})).problems
    assert problem.code == code
    assert suggestion is None or suggestion in problem.suggestions


@pytest.mark.parametrize(
    ("ability", "keyword"),
    [
        ({"on": "destroyed", "do": [{"op": "draw", "n": 1}]}, "Destruction"),
        ({"static": {"stat": "atk", "add": 1, "to": {}}}, "En jeu"),
    ],
)
def test_an_ability_without_its_usual_keyword_gives_a_hint_and_is_executed(
    ability: dict[str, Any], keyword: str
) -> None:
    raw = document({**FIGHTER, "abilities": [ability]})
    report = lint(raw)
    assert [(hint.code, hint.suggestions) for hint in report.hints] == [("UNBOUND", (keyword,))]
    assert report.problems == ()
    assert coverage(load_catalog(raw)).manual == ()


def test_merging_catalogues_refuses_one_ref_for_two_cards() -> None:
    one, two = load_catalog(document(FIGHTER)), load_catalog(document({**FIGHTER, "ref": "T-2"}, id="more"))
    assert sorted(merged([one, two]).cards) == ["T-1", "T-2"]
    assert merged([one]) is one
    with pytest.raises(Malformed, match="differs"):
        merged([one, load_catalog(document({**FIGHTER, "atk": 9}, id="other"))])
    with pytest.raises(Unsupported):
        merged([])


@pytest.mark.parametrize(
    ("card", "code", "suggestion"),
    [
        ({**FIGHTER, "kind": "combatant"}, "UNKNOWN-KIND", "combattant"),
        ({**FIGHTER, "factions": ["humains"]}, "UNKNOWN-FACTION", "Humain"),
        ({**FIGHTER, "keywords": [{"kw": "Remparts"}]}, "UNKNOWN-KEYWORD", "Rempart"),
        (without("def"), "MISSING-FIGURE", None),
        ({"ref": "M", "name": "Sort", "kind": "magie", "val": 1, "atk": 2}, "EXTRA-FIGURE", None),
        ({**FIGHTER, "text": "Gagnez beaucoup."}, "TEXT-ONLY", None),
        ({**FIGHTER, "text": "|Rempart| Gagnez 2 PI.", "keywords": [{"kw": "Rempart"}]}, "TEXT-ONLY", None),
        ({**FIGHTER, "name": 3}, "SCHEMA", None),
    ],
)
def test_the_linter_names_a_problem_and_suggests_a_correction(
    card: dict[str, Any], code: str, suggestion: str | None
) -> None:
    (problem,) = lint(document(card)).problems
    assert problem.code == code
    assert suggestion is None or suggestion in problem.suggestions


def test_the_linter_reports_every_problem_of_a_catalogue() -> None:
    bare = {"ref": "B", "name": "Nu", "kind": "combattant"}
    codes = Counter(
        problem.code for problem in lint(document(bare, FIGHTER, {**FIGHTER, "ref": "T-2"}, FIGHTER)).problems
    )
    assert codes == {"MISSING-FIGURE": 3, "SAME-CARD": 1, "DUPLICATE-REF": 1}


@pytest.mark.parametrize("source", [b"\xff", "[]", '{"id": "x", "game": "chess", "cards": []}', "{" * 99])
def test_the_linter_reports_what_it_cannot_read(source: bytes | str) -> None:
    report = lint(source)
    assert [problem.code in ("SCHEMA", "UNKNOWN-GAME") for problem in report.problems] == [True]
    assert report.coverage is None


def test_a_text_of_keywords_needs_no_ability_if_the_engine_enforces_them() -> None:
    walled = {**FIGHTER, "text": "|Rempart|.", "keywords": [{"kw": "Rempart"}]}
    assert lint(document(walled)).problems == ()
    later = {**FIGHTER, "ref": "T-3", "name": "Plus tard", "keywords": [{"kw": "Bond"}]}
    catalog = load_catalog(document(walled, {**FIGHTER, "ref": "T-2", "name": "Autre"}, later))
    assert (coverage(catalog).vanilla, coverage(catalog).manual) == (1, ("T-3",))


# A vocabulary of no real game, with every kind of fact: figures (required and optional), words and amounts.
ELEMENTAL = cards.Vocabulary(
    kinds={"créature": ("patt",)}, factions=(), keywords=(), enforced=(), optional=("drop",),
    words={"rarity": ("commune", "rare"), "job": ()}, amounts={"mana": ("Terre", "Eau")},
)  # fmt: skip
BOUFTOU = {"ref": "W-1", "name": "Bouftou", "kind": "créature", "patt": 4, "mana": {"Terre": 2}, "rarity": "rare"}


def test_a_card_is_read_with_the_figures_words_and_amounts_of_its_vocabulary() -> None:
    card = cards.read_card({**BOUFTOU, "job": "bouchère"}, "any", ELEMENTAL, "cards[0]")
    assert card.figures == {"patt": 4}
    assert card.words == {"rarity": "rare", "job": "bouchère"}
    assert card.amounts == {"mana": {"Terre": 2}}


@pytest.mark.parametrize(
    ("change", "code", "path"),
    [
        ({"rarity": "épique"}, "bad_word", "c.rarity"),
        ({"rarity": 3}, "bad_word", "c.rarity"),
        ({"mana": 3}, "wrong_type", "c.mana"),
        ({"mana": {"Vent": 1}}, "unknown_key", "c.mana"),
        ({"mana": {"Terre": -1}}, "bad_figure", "c.mana.Terre"),
        ({"atk": 1}, "unknown_key", "c"),
    ],
)
def test_a_value_outside_the_vocabulary_is_refused(change: dict[str, Any], code: str, path: str) -> None:
    with pytest.raises(Malformed) as refused:
        cards.read_card({**BOUFTOU, **change}, "any", ELEMENTAL, "c")
    assert (refused.value.code, refused.value.path) == (code, path)
