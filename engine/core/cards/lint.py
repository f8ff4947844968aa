"""The catalogue linter: finds all problems of a catalogue, not just the first, with suggestions."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.core.abilities import language as words
from engine.core.abilities.language import Language
from engine.core.cards.card import UNKNOWN_TEXT, Card
from engine.core.cards.catalog import (
    Coverage,
    Vocabulary,
    coverage,
    load_catalog,
    read_card,
    read_document,
    vocabulary_of,
)
from engine.core.text.errors import EngineError, Malformed
from engine.core.text.phrases import error_message


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem: a stable code in capitals, its path ("cards[3].kind"), a sentence, and what was probably meant.

    `key` is the unknown key that the suggestions are meant for, "" if they are meant for the value at the path.
    """

    code: str
    path: str
    message: str
    suggestions: tuple[str, ...] = ()
    key: str = ""


@dataclass(frozen=True, slots=True)
class LintReport:
    """The result of linting a catalogue.

    `hints` are remarks that need no action. `coverage` is None if the catalogue cannot be loaded. `words` counts, for
    each group of the game's vocabulary, how often the cards use each word.
    """

    problems: tuple[Problem, ...]
    hints: tuple[Problem, ...] = ()
    coverage: Coverage | None = None
    words: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


def lint(source: bytes | str | Mapping[str, Any]) -> LintReport:
    """Check a whole catalogue, given as JSON text or its parsed form. Never raises: unreadable input is a problem too.

    The codes of problems are:

    - SCHEMA: a shape that `load_catalog` refuses.
    - ABILITY: an ability outside of the vocabulary.
    - MISPLACED: a keyword on a kind of card that cannot have it.
    - TEXT-ONLY: a text without an ability, which a game would silently ignore.
    - SAME-CARD: two refs with the same name and figures.
    - UNKNOWN-TOKEN, UNKNOWN-GAME, UNKNOWN-KIND, UNKNOWN-FACTION, UNKNOWN-KEYWORD, MISSING-FIGURE, EXTRA-FIGURE and
      DUPLICATE-REF: what they say.

    Hints have the code UNBOUND: an ability that usually goes with a keyword the card does not have. It is executed
    nevertheless.
    """
    try:
        document = read_document(source)
        vocabulary = vocabulary_of(document["game"])
    except Malformed as error:
        return LintReport((Problem("SCHEMA", error.path, error_message(error.code, error.message, "en")),))
    except EngineError as error:
        return LintReport((Problem("UNKNOWN-GAME", "game", error_message(error.code, error.message, "en")),))
    problems: list[Problem] = []
    cards: list[tuple[str, Card]] = []
    for index, raw in enumerate(document["cards"]):
        path = f"cards[{index}]"
        found = list(_raw_problems(raw, vocabulary, path))
        problems += found
        try:
            cards.append((path, read_card(raw, document["game"], vocabulary, path)))
        except Malformed as error:
            # `found` says the same with a better code.
            problems += [] if found else [Problem("SCHEMA", error.path, error_message(error.code, error.message, "en"))]
    problems += [problem for path, card in cards for problem in _card_problems(card, vocabulary, path)]
    problems += [problem for path, card in cards for problem in _ability_problems(card, vocabulary, path)]
    problems += _tokens(cards)
    problems += _shared(cards)
    hints = tuple(hint for path, card in cards for hint in _unbound(card, vocabulary, path))
    used = used_words([card for _, card in cards], vocabulary)
    return LintReport(tuple(problems), hints, _coverage(document), used)


def used_words(cards: Sequence[Card], vocabulary: Vocabulary) -> Mapping[str, Mapping[str, int]]:
    """Count how often the cards use each word of the game, by group. Empty if the game executes no abilities."""
    language = vocabulary.language
    if language is None:
        return {}
    groups = {"keywords": vocabulary.keywords, **words.vocabulary(language)}
    counts = {group: dict.fromkeys(known, 0) for group, known in groups.items()}
    for card in cards:
        for keyword in card.keywords:
            if keyword["kw"] in counts["keywords"]:
                counts["keywords"][keyword["kw"]] += 1
        for ability in _sound(card, language):
            for group, word in words.used(ability, language):
                counts[group][word] += 1
    return counts


def _sound(card: Card, language: Language) -> Iterator[Mapping[str, Any]]:
    """Yield the well-formed abilities of a card and of the face it may change into."""
    faces = [keyword.get("into") for keyword in card.keywords if keyword["kw"] in language.forms]
    others = [face.get("abilities", []) for face in faces if isinstance(face, dict)]
    for ability in (*card.abilities, *(item for found in others if isinstance(found, list) for item in found)):
        if next(words.faults(ability, language), None) is None:
            yield ability


def _coverage(document: Mapping[str, Any]) -> Coverage | None:
    try:
        return coverage(load_catalog(document))
    except Malformed:
        return None


def _raw_problems(raw: Any, vocabulary: Vocabulary, path: str) -> Iterator[Problem]:
    """Yield the problems that keep a card from being read and for which there is a better code than SCHEMA."""
    if not isinstance(raw, dict) or not isinstance(raw.get("kind"), str):
        return
    kind = raw["kind"]
    if kind not in vocabulary.kinds:
        yield _unknown("UNKNOWN-KIND", "kind", kind, tuple(vocabulary.kinds), f"{path}.kind")
        return
    for name in vocabulary.kinds[kind]:
        if raw.get(name) is None:
            yield Problem("MISSING-FIGURE", f"{path}.{name}", f"a {kind} has a figure {name}")


def _card_problems(card: Card, vocabulary: Vocabulary, path: str) -> Iterator[Problem]:
    for faction in card.factions:
        if faction not in vocabulary.factions:
            yield _unknown("UNKNOWN-FACTION", "faction", faction, vocabulary.factions, f"{path}.factions")
    yield from _unknown_keywords(card, vocabulary, path)
    for name in card.figures:
        if name not in vocabulary.kinds[card.kind] and name not in vocabulary.optional:
            yield Problem("EXTRA-FIGURE", f"{path}.{name}", f"a {card.kind} has no figure {name}")
    changes = card.program is not None and card.program.into is not None
    if card.unsaid not in ("", UNKNOWN_TEXT) and not card.abilities and not changes:
        message = f"the text of {card.ref} has no ability: write one, or a manual one"
        yield Problem("TEXT-ONLY", f"{path}.text", message)


def _unknown_keywords(card: Card, vocabulary: Vocabulary, path: str) -> Iterator[Problem]:
    """Yield keywords not written by their canonical name; for inflected forms, it is suggested (SAF-VII-MotsCles)."""
    for keyword in card.keywords:
        if keyword["kw"] not in vocabulary.keywords:
            yield _unknown("UNKNOWN-KEYWORD", "keyword", keyword["kw"], vocabulary.keywords, f"{path}.keywords")


def _ability_problems(card: Card, vocabulary: Vocabulary, path: str) -> Iterator[Problem]:
    """Yield abilities and faces outside of the vocabulary, and keywords on kinds of cards that cannot have them."""
    language = vocabulary.language
    if language is None:
        return
    for index, ability in enumerate(card.abilities):
        where = f"{path}.abilities[{index}]"
        for fault in words.faults(ability, language):
            yield Problem("ABILITY", f"{where}{fault.path}", fault.message, fault.suggestions, fault.key)
    for index, keyword in enumerate(card.keywords):
        if keyword["kw"] in language.forms:
            for fault in words.form_faults(keyword.get("into"), language):
                yield Problem("ABILITY", f"{path}.keywords[{index}]{fault.path}", fault.message, fault.suggestions)
        kinds = language.borne.get(str(keyword["kw"]))
        if kinds is not None and card.kind not in kinds:
            yield Problem("MISPLACED", f"{path}.keywords[{index}]", f"only for: {', '.join(kinds)}")


def _unbound(card: Card, vocabulary: Vocabulary, path: str) -> Iterator[Problem]:
    """Yield abilities whose usual keyword the card does not have. Only hints: the trigger is enough to execute them."""
    language = vocabulary.language
    if language is None or _exempt(card, vocabulary):
        return
    named = [str(keyword["kw"]) for keyword in card.keywords]
    for index, ability in enumerate(card.abilities):
        if "of" in ability or "would" in ability:
            continue
        need = language.bound.get(str(ability.get("on", "static")))
        if need is not None and need not in named:
            message = f"such an ability usually goes with the keyword {need}"
            yield Problem("UNBOUND", f"{path}.abilities[{index}]", message, (need,))


def _exempt(card: Card, vocabulary: Vocabulary) -> bool:
    """Whether the card is a commander, which is always in its zone, so that its abilities need no keyword."""
    return card.kind == vocabulary.commander


def _tokens(cards: Sequence[tuple[str, Card]]) -> Iterator[Problem]:
    """Yield tokens that abilities put into play but that the catalogue does not have."""
    kinds = {card.ref: card.kind for _, card in cards}
    for path, card in cards:
        for ref in words.named_refs([*card.keywords, *card.abilities]):
            if kinds.get(ref) != "jeton":
                close = difflib.get_close_matches(ref[:60], [name for name, kind in kinds.items() if kind == "jeton"])
                yield Problem("UNKNOWN-TOKEN", f"{path}.abilities", f"no token {ref[:60]!r}", tuple(close))


def _shared(cards: Sequence[tuple[str, Card]]) -> Iterator[Problem]:
    """Yield refs used twice, and cards that differ only in their ref without being reprints."""
    refs: dict[str, str] = {}
    faces: dict[tuple[Any, ...], str] = {}
    for path, card in cards:
        if card.ref.casefold() in refs:
            yield Problem("DUPLICATE-REF", f"{path}.ref", f"the ref {card.ref} is that of {refs[card.ref.casefold()]}")
            continue  # the same card twice would be reported as SAME-CARD too
        refs[card.ref.casefold()] = path
        face = (
            card.name.casefold(),
            card.kind,
            card.factions,
            repr((card.figures, card.words, card.amounts)),
            card.text,
        )
        if face in faces and not card.reprint_of:
            yield Problem("SAME-CARD", path, f"{card.ref} and {faces[face]} have one name and the same figures")
        faces.setdefault(face, card.ref)


def _unknown(code: str, what: str, word: str, known: Sequence[str], path: str) -> Problem:
    by_case = {name.casefold(): name for name in known}
    # Shortened, because the time `difflib` takes grows with the square of the length.
    close = difflib.get_close_matches(word[:60].casefold(), list(by_case), n=3)
    return Problem(code, path, f"unknown {what} {word[:60]!r}", tuple(by_case[name] for name in close))
