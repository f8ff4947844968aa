"""What an ability does in words: every word has its phrase, and no two different abilities read the same."""

import json
import random
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

import pytest

import engine
from engine.core.abilities import language as words
from engine.core.abilities.language import Language
from engine.core.abilities.sentences import Writer, sentence, sentences
from engine.core.text import registry
from engine.core.text.rulebook import LANGUAGES

GAMES = engine.games()
CODE = set("{}[]<>|_")  # characters of templates and of code words


def language_of(game: str) -> Language:
    found = registry.module(game, "vocabulary").VOCABULARY.language
    assert isinstance(found, Language)
    return found


def abilities_of(game: str) -> Iterator[Mapping[str, Any]]:
    """Yield every sound ability that is shipped with a game, each once."""
    known: dict[str, Mapping[str, Any]] = {}
    for catalog in engine.catalogs(game):
        for card in catalog.cards.values():
            faces = [keyword["into"].get("abilities", []) for keyword in card.keywords if "into" in keyword]
            for ability in (*card.abilities, *(item for face in faces for item in face)):
                known[json.dumps(ability)] = ability
    if game == "altered":
        core = json.loads(files("engine.games.altered").joinpath("effects/core.json").read_text(encoding="utf-8"))
        for entry in core.values():
            for ability in entry.get("abilities", []):
                known[json.dumps(ability)] = ability
    language = language_of(game)
    yield from (ability for ability in known.values() if next(words.faults(ability, language), None) is None)


def meaning(tree: Any, language: Language) -> Any:
    """Return a tree without what it leaves to the default."""
    if isinstance(tree, list):
        return [meaning(item, language) for item in tree]
    if not isinstance(tree, dict):
        return tree
    usual = {
        "side": "own", "take": 1, "who": "controller", "zone": language.known("zone")[0], "for": "permanent",
        "by": "controller", "may": False, "distinct": False, "when": "each",
    }  # fmt: skip
    kept = {key: meaning(value, language) for key, value in tree.items() if usual.get(key) != value}
    if kept.get("op") in ("look", "reveal", "search"):
        kept = {key: value for key, value in kept.items() if (key, value) != ("n", 1)}
    if kept.get("op") == "seq" and len(kept["do"]) == 1:
        return kept["do"][0]
    return kept


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_shipped_ability_reads_as_a_sentence(game: str, lang: str) -> None:
    for ability in abilities_of(game):
        said = Writer(game, lang).ability(ability)
        names = {name for ref in words.named_refs(ability) for name in [ref]}
        bare = said
        for name in names:
            bare = bare.replace(name, "")
        assert said.endswith(".") and said[0].isupper(), said
        assert not CODE & set(bare), said
        assert "  " not in said and "None" not in said, said


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_abilities_that_do_different_things_read_differently(game: str, lang: str) -> None:
    language = language_of(game)
    known: dict[str, Any] = {}
    for ability in abilities_of(game):
        said = sentence(ability, game, lang)
        meant = meaning(ability, language)
        assert known.setdefault(said, meant) == meant, said


def phrases_of(game: str) -> Iterator[str]:
    """Yield the key of the phrase of every word that a game's abilities can use."""
    language = language_of(game)
    yield from (f"trigger.{trigger}" for trigger in language.triggers)
    yield from (f"event.{event}" for event in language.events)
    groups = {
        "counter": "counter", "mark": "mark", "kind": "kind", "forbidden": "forbidden", "duration": "duration",
        "phase": "phase", "reaction": "reaction", "expedition": "expedition", "cancellable": "cancellable",
    }  # fmt: skip
    for group, prefix in groups.items():
        yield from (f"{prefix}.{word}" for word in language.words.get(group, ()))
    yield from (f"figure.{word}" for word in language.known("figure"))


@pytest.mark.parametrize("game", GAMES)
def test_every_word_of_a_game_has_its_phrase(game: str) -> None:
    writer = Writer(game, "fr")
    assert [key for key in phrases_of(game) if not writer.known(key)] == []


@pytest.mark.parametrize("game", GAMES)
def test_every_zone_has_a_noun_or_a_place(game: str) -> None:
    writer = Writer(game, "fr")
    zones = language_of(game).known("zone")
    assert [zone for zone in zones if not writer.known(f"zone.{zone}") and not writer.known(f"place.{zone}")] == []


class Maker:
    """Makes sound abilities from the schema of a game's language, at random."""

    def __init__(self, game: str, seed: int) -> None:
        self.language = language_of(game)
        self.random = random.Random(seed)

    def ability(self) -> dict[str, Any]:
        kind = self.random.choice(["on", "on", "static", *(["would"] if self.language.events else [])])
        if kind == "static":
            name = self.random.choice(list(self.language.statics))
            return {"static": self.fields(self.language.statics[name], 2)}
        if kind == "would":
            return {"would": self.random.choice(self.language.events), "do": self.operations(2)}
        shape = {"if": "condition", "do": "operations!", **self.language.declared}
        shape.pop("modes", None)
        return {"on": self.random.choice(self.language.triggers), **self.fields(shape, 3)}

    def operations(self, depth: int) -> list[dict[str, Any]]:
        return [self.operation(depth) for _ in range(self.random.randint(1, 2))]

    def operation(self, depth: int) -> dict[str, Any]:
        nested = ("operations", "branches")
        known = {
            name: shape
            for name, shape in self.language.operations.items()
            if depth or not any(kind.rstrip("!") in nested for kind in shape.values())
        }
        name = self.random.choice(list(known))
        item = {"op": name, **self.fields(known[name], depth)}
        if name in ("cannot", "to_reserve"):
            item.pop("who" if name == "cannot" else "n", None)
            item.setdefault("of", {"side": "own"})
        return item

    def fields(self, shape: Mapping[str, str], depth: int) -> dict[str, Any]:
        return {
            name: self.value(kind.rstrip("!"), depth)
            for name, kind in shape.items()
            if kind.endswith("!") or self.random.random() < 0.3
        }

    def value(self, kind: str, depth: int) -> Any:
        match kind:
            case "operations":
                return self.operations(depth - 1)
            case "branches":
                return [self.operations(depth - 1), self.operations(depth - 1)]
            case "selector":
                return self.selector()
            case "targets":
                return [self.selector()]
            case "amount":
                return self.random.choice([1, 2, {"count": {"side": "opposing"}}, {"roll": 6}, {"x": True}])
            case "number" | "take" | "change":
                return self.random.randint(1, 3)
            case "sides":
                return 6
            case "flag":
                return True
            case "text":
                return "Nom"
            case "where":
                return {"stat": self.random.choice(self.language.known("figure")), "at_most": 2}
            case "condition":
                return {"count": self.selector(), "at_least": self.random.randint(1, 2)}
            case "marks":
                return list(self.language.known("mark")[:2])
            case "price":
                return {"mana": 1}
        return self.random.choice(self.language.known(kind))

    def selector(self) -> dict[str, Any]:
        found = self.fields(self.language.selector, 0)
        return {**found, "target": 1} if "target" in found else found


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(10))
def test_any_sound_ability_reads_as_a_sentence(game: str, seed: int) -> None:
    maker, written = Maker(game, seed), 0
    for _ in range(60):
        ability = maker.ability()
        if next(words.faults(ability, maker.language), None) is not None:
            continue
        written += 1
        for lang in LANGUAGES:
            said = Writer(game, lang).ability(ability)
            assert said.endswith(".") and not CODE & set(said), (said, ability)
    assert written > 5


def test_numbers_and_genders_agree() -> None:
    ability = {"on": "played", "do": [{"op": "draw", "n": 2}, {"op": "destroy", "of": {"zone": "magics", "take": 2}}]}
    assert sentences(ability, "star-safir") == {
        "fr": "Quand cette carte est jouée : piochez 2 cartes, puis détruisez 2 de vos magies en jeu.",
        "en": "When this card is played: draw 2 cards, then destroy 2 of your magics in play.",
        "it": "Quando questa carta viene giocata: pesca 2 carte, poi distruggi 2 delle tue magie in gioco.",
    }


def test_a_selector_reads_as_the_cards_it_reaches() -> None:
    of = {"side": "opposing", "in": "here", "where": {"stat": "reserve", "at_most": 3}}
    said = sentences({"on": "played", "do": [{"op": "destroy", "of": of}]}, "altered")
    assert said["en"] == (
        "When this card is played: destroy 1 opposing Character with a Reserve Cost of 3 or less in this expedition "
        "or the one facing it."
    )


def test_an_otherwise_belongs_to_the_condition_it_is_written_for() -> None:
    inner = {"op": "if", "cond": {"count": {"side": "opposing"}, "at_least": 2}, "do": [{"op": "draw", "n": 1}]}
    alternative = {"else": [{"op": "gain", "what": "pi", "n": 1}]}
    cond = {"count": {"side": "own"}, "at_least": 3}
    outer = sentence(
        {"on": "played", "do": [{"op": "if", "cond": cond, "do": [inner], **alternative}]}, "star-safir", "en"
    )
    within = sentence(
        {"on": "played", "do": [{"op": "if", "cond": cond, "do": [{**inner, **alternative}]}]}, "star-safir", "en"
    )
    assert "draw 1 card); otherwise" in outer
    assert "draw 1 card; otherwise" in within


def test_an_ability_with_a_fault_is_not_put_into_words() -> None:
    assert (
        sentence({"on": "destroyed", "do": [{"op": "drow"}]}, "star-safir", "en") == "This ability is not complete yet."
    )


def test_tokens_are_called_by_their_names() -> None:
    ability = {"on": "played", "do": [{"op": "token", "ref": "EFF-SAF-J1", "n": 2}]}
    said = sentence(ability, "star-safir", "en", {"EFF-SAF-J1": "Braise"}.get)
    assert said == "When this card is played: put into play 2 “Braise”."


def test_what_is_optional_reads_so() -> None:
    moved = {"op": "move", "of": {"self": True, "may": True}, "to": "any"}
    said = sentence({"on": "played", "do": [moved]}, "star-safir", "en")
    assert said == "When this card is played: move to any territory this card, if you wish."
