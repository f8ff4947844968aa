"""What the cards of a catalogue do: writing an ability, its sentences, and files of effects."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from engine.core.abilities import writing
from engine.core.abilities.language import faults
from engine.core.abilities.sentences import sentences
from engine.core.cards.card_list import written
from engine.core.cards.catalog import load_catalog
from engine.core.cards.lint import Problem, lint
from engine.core.report.report import error_sentence
from engine.core.text import strictjson
from engine.core.text.errors import EngineError
from engine.core.text.registry import module
from engine.core.text.rulebook import LANGUAGES
from engine.face.lists import CardList, storable

MOST_ABILITIES = 64  # of a card, as in a catalogue

MOST_BYTES = 2 * 1024 * 1024  # of a file of effects

EFFECTS = ("keywords", "abilities")  # what a card does


def card_digest(card: Mapping[str, Any]) -> str:
    """SHA-256 of what a card of a document does: its keywords and abilities. It tells whether somebody changed them."""
    said = [card.get("keywords", []), card.get("abilities", [])]
    return hashlib.sha256(json.dumps(said, ensure_ascii=False, sort_keys=True).encode()).hexdigest()


def ability_choices(game: str, language: str) -> dict[str, Any]:
    """Everything that can be chosen to write an ability of a game, with labels in a language.

    `keywords` and `factions` are those of the game.
    """
    known = module(game, "vocabulary").VOCABULARY
    forms = known.language.forms if known.language else ()
    return {
        **writing.choices(game, language),
        "keywords": [word for word in known.keywords if word not in forms],
        "factions": list(known.factions),
    }


def new_ability(game: str, sort: str) -> dict[str, Any]:
    """The simplest ability of a sort: `on`, `static` or `would`."""
    return writing.blank(sort, game)


def completed_ability(game: str, ability: Any) -> Any:
    """An ability with what its words need and without what they do not have."""
    return writing.completed_ability(ability, game)


def ability_sentences(game: str, abilities: Iterable[Any], cards: Mapping[str, Mapping[str, Any]]) -> list[Any]:
    """What each ability does as a sentence, by language. `cards` gives the tokens their names."""
    names = {language: partial(_name_in, cards, language) for language in LANGUAGES}
    return [sentences(ability, game, names) for ability in abilities]


def _name_in(cards: Mapping[str, Mapping[str, Any]], language: str, ref: str) -> str | None:
    card = cards.get(ref)
    return None if card is None else str(card.get("names", {}).get(language, card["name"]))


def card_problems(game: str, card: Mapping[str, Any], tokens: Sequence[Mapping[str, Any]] = ()) -> list[dict[str, Any]]:
    """What the linter says of one card and its abilities: problems, then hints (`hint`), as JSON.

    `ability` is the number of the ability (from 0) that a problem is in, None for one of the whole card. `path` leads
    to it inside the ability (`.do[0].op`), and `key` is the unknown key there. `tokens` are those of its catalogue.
    """
    others = [token for token in tokens if token["ref"] != card["ref"]]
    report = lint({"id": "draft", "game": game, "cards": [card, *others]})
    named = [(False, found) for found in report.problems] + [(True, found) for found in report.hints]
    return [_card_problem(found, hint) for hint, found in named if found.path.startswith("cards[0]")]


def draft_card(game: str, kind: str) -> dict[str, Any]:
    """A card without a name of its own, with 0 for each figure that its kind needs."""
    figures = module(game, "vocabulary").VOCABULARY.kinds.get(kind, ())
    return {"ref": "DRAFT", "name": "Draft", "kind": kind, **dict.fromkeys(figures, 0)}


def _card_problem(found: Problem, hint: bool) -> dict[str, Any]:
    path = found.path.removeprefix("cards[0]")
    number, _bracket, rest = path.removeprefix(".abilities[").partition("]")
    inside = path.startswith(".abilities[")
    return {
        "code": found.code,
        "hint": hint,
        "ability": int(number) if inside else None,
        "path": rest if inside else path,
        "key": found.key,
        "message": storable(found.message),
        "suggestions": list(found.suggestions),
    }


def written_effects(effects: Mapping[str, Mapping[str, Any]]) -> str:
    """The text of a file of effects, with one card per line."""
    lines = [f"  {json.dumps(ref)}: {json.dumps(said, ensure_ascii=False)}" for ref, said in effects.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def effect_faults(game: str, said: Mapping[str, Any]) -> list[str]:
    """Why an entry of a file of effects cannot be used, in English; empty if it can."""
    unknown = [str(key)[:40] for key in said if key not in EFFECTS]
    if unknown:
        return [f"only {' and '.join(EFFECTS)} can be applied, not {', '.join(unknown)}"]
    if not all(isinstance(said.get(key, []), list) for key in EFFECTS):
        return ["keywords and abilities are lists"]
    if not all(isinstance(item, dict) for key in EFFECTS for item in said.get(key, [])):
        return ["keywords and abilities are lists of objects"]
    language = writing.language_of(game)
    found = [fault for ability in said.get("abilities", []) for fault in faults(ability, language)]
    return [f"{fault.path} {fault.message}".strip() for fault in found]


def read_json(text: str, language: str) -> Any:
    """Read JSON within the bounds of a file of effects. Raises ValueError with a sentence."""
    try:
        return strictjson.read(text, max_bytes=MOST_BYTES, max_depth=32, max_string=4096)
    except EngineError as error:
        raise ValueError(error_sentence(error, language)) from error


def with_effects(document: Mapping[str, Any], effects: Mapping[str, Mapping[str, Any]], language: str) -> CardList:
    """A catalogue with other keywords or abilities of some cards, by reference.

    Raises ValueError with a sentence if it can no longer be read as a catalogue.
    """
    changed = {**document, "cards": [_with_effects(card, effects.get(card["ref"])) for card in document["cards"]]}
    try:
        made = load_catalog(changed)
    except EngineError as error:
        raise ValueError(error_sentence(error, language)) from error
    return CardList(made.game, made.id, made.sha256, len(made.cards), written(changed), {})


def _with_effects(card: dict[str, Any], said: Mapping[str, Any] | None) -> dict[str, Any]:
    if said is None:
        return card
    changed = {**card, **{key: said[key] for key in EFFECTS if key in said}}
    return {key: value for key, value in changed.items() if key not in EFFECTS or value}
