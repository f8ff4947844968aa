"""The words that can be chosen to write an ability: they are all there, they have labels, and what is made is sound."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from engine.core.abilities import language as words
from engine.core.abilities.writing import SORTS, blank, choices, completed_ability, language_of
from engine.core.text.rulebook import LANGUAGES
from tests.engine.test_sentences import abilities_of

GAMES = engine.games()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_word_can_be_chosen_by_a_label(game: str, lang: str) -> None:
    language, made = language_of(game), choices(game, lang)
    assert [item["word"] for item in made["triggers"]] == list(language.triggers)
    assert [item["word"] for item in made["operations"]] == list(language.operations)
    assert [item["word"] for item in made["statics"]] == list(language.statics)
    labels = [item["label"] for group in ("triggers", "events", "operations", "statics") for item in made[group]]
    assert all(labels) and not [label for label in labels if set("{}[]<>|") & set(label)]


@pytest.mark.parametrize("game", GAMES)
def test_every_part_of_an_ability_has_a_label(game: str) -> None:
    made = choices(game, "fr")
    shapes = [made[key] for key in ("ability", "replacement", "selector", "where", "price", "mode", "target")]
    shapes += [item["fields"] for key in ("operations", "statics", "amounts", "conditions") for item in made[key]]
    assert {field["name"] for shape in shapes for field in shape if field["label"] == field["name"]} == set()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("sort", SORTS)
def test_a_new_ability_is_sound(game: str, sort: str) -> None:
    assert list(words.faults(blank(sort, game), language_of(game))) == []


@pytest.mark.parametrize("game", GAMES)
def test_every_operation_is_sound_with_what_it_needs(game: str) -> None:
    language = language_of(game)
    trigger = language.triggers[0]
    for name in language.operations:
        made = completed_ability({"on": trigger, "do": [{"op": name}]}, game)
        assert made["do"][0]["op"] == name
        assert [fault for fault in words.faults(made, language) if "ref" not in fault.path] == [], made


@pytest.mark.parametrize("game", GAMES)
def test_a_sound_ability_is_left_as_it_is(game: str) -> None:
    for ability in abilities_of(game):
        assert completed_ability(ability, game) == ability


def test_another_operation_loses_the_fields_it_does_not_have() -> None:
    ability: dict[str, Any] = {
        "on": "played",
        "do": [{"op": "destroy", "n": 2, "of": {"side": "opposing"}, "who": "both"}],
    }
    assert completed_ability(ability, "star-safir")["do"] == [{"op": "destroy", "of": {"side": "opposing"}}]
